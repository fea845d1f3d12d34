// The named shapes of tests/support/shapes.inc, one thread, buffers warm. The quantized workloads
// are shapes of the same list with other types.
//
// ratio_to_memcpy is, as for `lanepool bench`, the time of the job divided by the time of a memcpy
// that moves as many bytes, measured in the same run: half of it before the job and half after.
// GB/s counts bytes read and written. Both are made of this thread's CPU time, so that they mean
// something on a machine that does other things as well.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "buffer.h"
#include "lanepool/lanepool.h"
#include "memcpy_roof.h"
#include "named_shapes.h"
#include "thread_team.h"

namespace {

using lanepool_tool::Buffer;
using lanepool_tool::MemcpyRoof;
using lanepool_tool::ThreadTeam;

double CpuSeconds() {
  timespec now;
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Values between 1/2 and 1, times `scale`; or `constant` everywhere if it is not 0.
struct Values {
  const char* suffix;
  float scale, constant;
};
constexpr Values kOrdinary = {"", 1.0f, 0.0f};
// What the fast kernels give up on (tiny values: averages only), in each window: the most that
// repeating can cost.
constexpr Values kRare[] = {{"/all_nan", 1.0f, std::numeric_limits<float>::quiet_NaN()},
                            {"/all_tiny", 0x1p-126f, 0.0f}};

uint32_t NextRandom(uint32_t random) { return random * 1664525u + 1013904223u; }

void FillWithBytes(const Buffer& x) {
  uint32_t random = 1;
  for (size_t i = 0; i < x.size(); ++i) {
    random = NextRandom(random);
    x.data()[i] = static_cast<uint8_t>(random >> 24);
  }
}

void FillWithFloats(const Values& values, const Buffer& x) {
  uint32_t random = 1;
  for (size_t i = 0; i + sizeof(float) <= x.size(); i += sizeof(float)) {
    random = NextRandom(random);
    float value = (0.5f + static_cast<float>(random >> 9) * 0x1p-24f) * values.scale;
    if (values.constant != 0.0f) value = values.constant;
    std::memcpy(x.data() + i, &value, sizeof value);
  }
}

// A planned job with its buffers.
class Job {
 public:
  Job(const lanepool_desc& desc, const lanepool_params& params, const Values& values)
      : desc_(desc),
        x_(static_cast<size_t>(desc.x_bytes)),
        y_(static_cast<size_t>(desc.y_bytes), lanepool_tool::kOutputShift),
        workspace_(static_cast<size_t>(desc.workspace_bytes)),
        table_(static_cast<size_t>(desc.table_bytes)) {
    if (params.x_type == LANEPOOL_TYPE_FLOAT) {
      FillWithFloats(values, x_);
    } else {
      FillWithBytes(x_);
    }
    if (desc.table_bytes != 0) InitTable(params);
  }

  int32_t Run() const {
    if (desc_.table_bytes == 0) {
      return lanepool_run(&desc_, x_.data(), x_.size(), y_.data(), y_.size(), nullptr, 0,
                          workspace_.data(), workspace_.size());
    }
    return lanepool_run_table(&desc_, table_.data(), table_.size(), x_.data(), x_.size(), y_.data(),
                              y_.size(), nullptr, 0, workspace_.data(), workspace_.size(), 0,
                              desc_.work_items);
  }

 private:
  // Every channel's scale differs a little; a table that could not be made fails in Run().
  void InitTable(const lanepool_params& params) const {
    std::vector<float> scales;
    for (int64_t c = 0; c < params.channels; ++c) {
      scales.push_back(params.x_scale * (1.0f + static_cast<float>(c) * 0x1p-12f));
    }
    (void)lanepool_table_init(&desc_, scales.data(), nullptr, nullptr, nullptr, table_.data(),
                              table_.size(), nullptr);
  }

  const lanepool_desc& desc_;
  Buffer x_, y_, workspace_, table_;
};

double SecondsOfCopies(const MemcpyRoof& roof, int64_t copies) {
  ThreadTeam alone(1);
  roof.Copy(&alone);  // brings its buffers back into the cache
  const double start = CpuSeconds();
  for (int64_t i = 0; i < copies; ++i) roof.Copy(&alone);
  return CpuSeconds() - start;
}

void Time(benchmark::State& state, const lanepool_desc& desc, const lanepool_params& params,
          const Values& values) {
  const Job job(desc, params, values);
  const MemcpyRoof roof(desc.x_bytes, desc.y_bytes);
  const int64_t copies = std::max<int64_t>(1, state.max_iterations / 2);
  double memcpy_seconds = SecondsOfCopies(roof, copies);
  const int32_t status = job.Run();
  if (status != LANEPOOL_OK) {
    state.SkipWithError(lanepool_status_name(status));
    return;
  }
  const double start = CpuSeconds();
  for (auto _ : state) {
    benchmark::DoNotOptimize(job.Run());
    benchmark::ClobberMemory();
  }
  const double per_job = (CpuSeconds() - start) / static_cast<double>(state.iterations());
  memcpy_seconds += SecondsOfCopies(roof, copies);
  const double per_memcpy = memcpy_seconds / static_cast<double>(2 * copies);
  state.counters["ratio_to_memcpy"] = per_job / per_memcpy;
  state.counters["GB/s"] = static_cast<double>(desc.x_bytes + desc.y_bytes) * 1e-9 / per_job;
}

void Pool(benchmark::State& state, const lanepool_params& params, const Values& values) {
  lanepool_desc desc;
  lanepool_error error;
  char text[200];
  if (lanepool_plan(&params, &desc, &error) != LANEPOOL_OK) {
    lanepool_error_format(&error, text, sizeof text);
    state.SkipWithError(text);
    return;
  }
  Time(state, desc, params, values);
  lanepool_explain(&desc, text, sizeof text);
  state.SetLabel(text);
}

void Add(const std::string& name, lanepool_params params, int32_t layout, const std::string& suffix,
         const Values& values) {
  params.layout = layout;
  const char* layout_name = layout == LANEPOOL_LAYOUT_NHWC ? "/nhwc" : "/nchw";
  const auto run = [=](benchmark::State& state) { Pool(state, params, values); };
  benchmark::RegisterBenchmark((name + layout_name + suffix).c_str(), run)
      ->Unit(benchmark::kMicrosecond);
}

void AddFloats() {
  for (const support::NamedShape& shape : support::NamedShapes()) {
    if (!shape.is_timed) continue;
    const bool with_rare = shape.name == "inception_a" || shape.name == "googlenet28";
    for (const int32_t layout : shape.Layouts()) {
      Add(shape.name, shape.params, layout, "", kOrdinary);
      if (!with_rare) continue;
      for (const Values& values : kRare) {
        Add(shape.name, shape.params, layout, values.suffix, values);
      }
    }
  }
}

// A named shape with other types. Scales are those of calibrated networks.
struct Quantized {
  const char* name;
  const char* shape;
};
constexpr Quantized kQuantized[] = {{"qavg_inception_a", "inception_a"},
                                    {"qavg_densenet_t1", "densenet_t1"},
                                    {"qgap_mobilenet", "gap_mobilenet"},
                                    {"qmax_resnet_stem", "resnet_stem"},
                                    {"qmax_vgg", "vgg"}};

// What x and y of a quantized workload are. Equal scales keep the quantization of the input.
struct Types {
  const char* suffix;
  int32_t x_type, y_type;
  float x_scale, y_scale;
  int32_t x_zero_point, y_zero_point;
  bool per_channel;
};
constexpr int32_t kF32 = LANEPOOL_TYPE_FLOAT, kU8 = LANEPOOL_TYPE_UINT8, kS8 = LANEPOOL_TYPE_INT8;
constexpr Types kTypes[] = {
    {"/u8", kU8, kU8, 0.0235f, 0.0187f, 128, 121, false},
    {"/u8_equal", kU8, kU8, 0.0235f, 0.0235f, 128, 128, false},
    {"/u8_per_channel", kU8, kU8, 0.0235f, 0.0187f, 128, 121, true},
    {"/s8", kS8, kS8, 0.0235f, 0.0187f, 0, -7, false},
    {"/u8_to_f32", kU8, kF32, 0.0235f, 1.0f, 128, 0, false},
    {"/f32_to_u8", kF32, kU8, 1.0f, 0.0187f, 0, 121, false},
};

lanepool_params WithTypes(lanepool_params params, const Types& types) {
  params.x_type = types.x_type;
  params.y_type = types.y_type;
  params.x_scale = types.x_scale;
  params.y_scale = types.y_scale;
  params.x_zero_point = types.x_zero_point;
  params.y_zero_point = types.y_zero_point;
  if (types.per_channel) params.x_scale_count = static_cast<int32_t>(params.channels);
  return params;
}

void AddQuantized() {
  const std::vector<support::NamedShape>& shapes = support::NamedShapes();
  for (const Quantized& workload : kQuantized) {
    const auto shape = std::find_if(
        shapes.begin(), shapes.end(),
        [&](const support::NamedShape& candidate) { return candidate.name == workload.shape; });
    if (shape == shapes.end()) {
      (void)std::fprintf(stderr, "bench_pool: no shape %s\n", workload.shape);
      std::exit(1);
    }
    for (const int32_t layout : shape->Layouts()) {
      for (const Types& types : kTypes) {
        Add(workload.name, WithTypes(shape->params, types), layout, types.suffix, kOrdinary);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  (void)std::fprintf(stderr, "lanepool %s, %s\n", lanepool_version(), lanepool_target_name(best));
  AddFloats();
  AddQuantized();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
