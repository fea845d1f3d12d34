// Pools a photograph in many ways, checks every value, and tells how long it took.
//
//   photograph PHOTOGRAPH.npy DIRECTORY
//
// PHOTOGRAPH.npy is f32 of shape 1, H, W, C. Every pooled picture goes to DIRECTORY as .npy. Exit
// status 1 if any value is not what the exact oracle of the tests says.
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "buffer.h"
#include "lanepool/lanepool.h"
#include "memcpy_roof.h"
#include "npy.h"
#include "oracle.h"
#include "output_file.h"
#include "scalar_pool.h"
#include "timing.h"

namespace {

using lanepool_tool::Buffer;

// One way to pool, the same along both axes.
struct Recipe {
  const char* name;
  int32_t op;
  int64_t kernel;  // 0: the whole picture
  int64_t stride;
  int64_t pad;
  int64_t dilation;
  int32_t ceil_mode;
};

constexpr int32_t kAverage = LANEPOOL_OP_AVERAGE;
constexpr int32_t kMax = LANEPOOL_OP_MAX;
constexpr Recipe kRecipes[] = {
    {"average_2x2_stride_2", kAverage, 2, 2, 0, 1, LANEPOOL_CEIL_OFF},
    {"average_3x3_pad_1", kAverage, 3, 1, 1, 1, LANEPOOL_CEIL_OFF},
    {"average_3x3_dilation_4_pad_4", kAverage, 3, 1, 4, 4, LANEPOOL_CEIL_OFF},
    {"average_11x11_pad_5", kAverage, 11, 1, 5, 1, LANEPOOL_CEIL_OFF},
    {"average_16x16_stride_16_ceil", kAverage, 16, 16, 0, 1, LANEPOOL_CEIL_ON},
    {"average_global", kAverage, 0, 1, 0, 1, LANEPOOL_CEIL_OFF},
    {"max_2x2_stride_2", kMax, 2, 2, 0, 1, LANEPOOL_CEIL_OFF},
    {"max_3x3_stride_2_pad_1", kMax, 3, 2, 1, 1, LANEPOOL_CEIL_OFF},
    {"max_3x3_dilation_4_pad_4", kMax, 3, 1, 4, 4, LANEPOOL_CEIL_OFF},
    {"max_11x11_pad_5", kMax, 11, 1, 5, 1, LANEPOOL_CEIL_OFF},
    {"max_16x16_stride_16_ceil", kMax, 16, 16, 0, 1, LANEPOOL_CEIL_ON},
    {"max_global", kMax, 0, 1, 0, 1, LANEPOOL_CEIL_OFF},
};
constexpr double kSecondsPerRow = 0.1;

// The photograph in one layout.
struct Picture {
  int32_t layout;
  const char* layout_name;
  int64_t channels, height, width;
  Buffer pixels;
};

lanepool_params ParamsOf(const Recipe& recipe, const Picture& picture) {
  lanepool_params params;
  lanepool_params_init(&params, sizeof params, LANEPOOL_DIALECT_ONNX);
  params.op = recipe.op;
  params.layout = picture.layout;
  params.rank = 2;
  params.x_type = params.y_type = LANEPOOL_TYPE_FLOAT;
  params.channels = picture.channels;
  params.input[0] = picture.height;
  params.input[1] = picture.width;
  params.ceil_mode = recipe.ceil_mode;
  if (recipe.kernel == 0) params.flags |= LANEPOOL_FLAG_GLOBAL;
  for (int axis = 0; axis < 2; ++axis) {
    params.kernel[axis] = recipe.kernel;
    params.strides[axis] = recipe.stride;
    params.dilations[axis] = recipe.dilation;
    params.pads_begin[axis] = params.pads_end[axis] = recipe.pad;
  }
  return params;
}

lanepool_desc PlanOf(const lanepool_params& params) {
  lanepool_desc desc;
  lanepool_error error;
  if (lanepool_plan(&params, &desc, &error) != LANEPOOL_OK) {
    char text[300];
    lanepool_error_format(&error, text, sizeof text);
    throw std::runtime_error(text);
  }
  return desc;
}

void RunPlan(const lanepool_desc& desc, const Buffer& x, const Buffer& y, const Buffer& workspace) {
  const int32_t status = lanepool_run(&desc, x.data(), x.size(), y.data(), y.size(), nullptr, 0,
                                      workspace.data(), workspace.size());
  if (status != LANEPOOL_OK) throw std::runtime_error(lanepool_status_name(status));
}

void CheckAgainstOracle(const char* who, const lanepool_params& params, const Buffer& x,
                        const Buffer& y) {
  std::string why;
  if (!oracle::Agrees(params, x.data(), y.data(), &why)) {
    throw std::runtime_error(std::string(who) + " is wrong: " + why);
  }
}

// Every instruction set that this CPU has must give the bytes of `y`. Returns how many there are.
int CheckEveryTarget(lanepool_params params, const Buffer& x, const Buffer& y) {
  int count = 0;
  for (uint64_t rest = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED); rest != 0; rest &= rest - 1) {
    params.target_mask = rest & (~rest + 1);
    const lanepool_desc desc = PlanOf(params);
    const Buffer other(y.size());
    RunPlan(desc, x, other, Buffer(static_cast<size_t>(desc.workspace_bytes)));
    if (std::memcmp(other.data(), y.data(), y.size()) != 0) {
      throw std::runtime_error(std::string("other bytes on ") +
                               lanepool_target_name(params.target_mask));
    }
    ++count;
  }
  return count;
}

void PrintTimes(const lanepool_params& params, const lanepool_desc& desc, const Buffer& x,
                const Buffer& y, const Buffer& workspace) {
  const Buffer scalar_y(y.size(), lanepool_tool::kOutputShift);
  const auto scalar = [&] {
    ScalarPool(params, desc, reinterpret_cast<const float*>(x.data()),
               reinterpret_cast<float*>(scalar_y.data()));
  };
  scalar();
  CheckAgainstOracle("the scalar loop", params, x, scalar_y);

  lanepool_tool::ThreadTeam alone(1);
  const lanepool_tool::MemcpyRoof roof(desc.x_bytes + desc.y_bytes);
  const std::vector<lanepool_tool::Timing> times =
      lanepool_tool::TimeInTurns({{"memcpy", [&] { roof.Copy(&alone); }},
                                  {"lanepool", [&] { RunPlan(desc, x, y, workspace); }},
                                  {"scalar", scalar}},
                                 kSecondsPerRow, [](double) {});
  const double seconds = times[1].minimum;
  std::printf(" %8.1f us, %5.1f GB/s, %5.2f x memcpy, %5.1f x faster than the scalar loop\n",
              seconds * 1e6, static_cast<double>(desc.x_bytes + desc.y_bytes) * 1e-9 / seconds,
              seconds / times[0].minimum, times[2].minimum / seconds);
}

void Save(const std::string& path, const Picture& picture, const lanepool_desc& desc,
          const Buffer& y) {
  const int64_t h = desc.output[0], w = desc.output[1], c = picture.channels;
  const bool channels_last = picture.layout == LANEPOOL_LAYOUT_NHWC;
  lanepool_tool::OutputFile file(path);
  lanepool_tool::WriteNpy(
      file, LANEPOOL_TYPE_FLOAT,
      channels_last ? std::vector<int64_t>{1, h, w, c} : std::vector<int64_t>{1, c, h, w}, y);
  file.Publish();
}

void Pool(const Recipe& recipe, const Picture& picture, const std::string& path) {
  const lanepool_params params = ParamsOf(recipe, picture);
  const lanepool_desc desc = PlanOf(params);
  const Buffer y(static_cast<size_t>(desc.y_bytes), lanepool_tool::kOutputShift);
  const Buffer workspace(static_cast<size_t>(desc.workspace_bytes));
  RunPlan(desc, picture.pixels, y, workspace);

  char plan[200];
  lanepool_explain(&desc, plan, sizeof plan);
  std::printf("%s\n", plan);
  CheckAgainstOracle("lanepool", params, picture.pixels, y);
  const int targets = CheckEveryTarget(params, picture.pixels, y);
  std::printf("  %6lld values right, same bytes on %d instruction sets;",
              static_cast<long long>(desc.element_count), targets);
  PrintTimes(params, desc, picture.pixels, y, workspace);
  Save(path, picture, desc, y);
}

Picture ReadPhotograph(const char* path) {
  lanepool_tool::NpyArray array = lanepool_tool::ReadNpy(path);
  if (array.type != LANEPOOL_TYPE_FLOAT || array.shape.size() != 4 || array.shape[0] != 1) {
    throw std::runtime_error(std::string(path) + " is not f32 of shape 1, H, W, C");
  }
  return {LANEPOOL_LAYOUT_NHWC, "nhwc",         array.shape[3],
          array.shape[1],       array.shape[2], std::move(array.data)};
}

Picture ChannelsFirst(const Picture& last) {
  Picture first = {LANEPOOL_LAYOUT_NCHW, "nchw",     last.channels,
                   last.height,          last.width, Buffer(last.pixels.size())};
  const auto* from = reinterpret_cast<const float*>(last.pixels.data());
  auto* to = reinterpret_cast<float*>(first.pixels.data());
  const int64_t plane = last.height * last.width;
  for (int64_t c = 0; c < last.channels; ++c) {
    for (int64_t i = 0; i < plane; ++i) to[c * plane + i] = from[i * last.channels + c];
  }
  return first;
}

int PoolAll(const char* photograph, const std::string& directory) {
  const Picture channels_last = ReadPhotograph(photograph);
  const Picture channels_first = ChannelsFirst(channels_last);
  std::printf("photograph of %lld x %lld pixels, %lld channels; lanepool %s uses %s\n",
              static_cast<long long>(channels_last.width),
              static_cast<long long>(channels_last.height),
              static_cast<long long>(channels_last.channels), lanepool_version(),
              lanepool_target_name(lanepool_targets(LANEPOOL_TARGETS_BEST)));
  int number = 0;
  for (const Recipe& recipe : kRecipes) {
    ++number;
    for (const Picture* picture : {&channels_last, &channels_first}) {
      char name[100];
      std::snprintf(name, sizeof name, "%02d_%s.%s.npy", number, recipe.name, picture->layout_name);
      try {
        Pool(recipe, *picture, directory + "/" + name);
      } catch (const std::exception& error) {
        throw std::runtime_error(std::string(name) + ": " + error.what());
      }
    }
  }
  std::printf("all %d results are right\n", 2 * number);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: photograph PHOTOGRAPH.npy DIRECTORY\n");
    return 2;
  }
  try {
    return PoolAll(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "photograph: %s\n", error.what());
    return 1;
  }
}
