// Averages of bytes in NCHW whose planes are taken as one row, or whose windows step by two: each
// way that planes can lie in memory, and each place where a kernel changes from one way to the
// next. And pixels of a few channels, which are transposed only where rows are enough for that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "support/check_job.h"
#include "support/job.h"
#include "support/random_case.h"

namespace {

using support::Bytes;
using support::Params;
using support::Random;
using support::RandomCase;

// Elements behind each row and each plane that are none of the tensor's.
struct Gaps {
  int64_t row, plane;
};

void SetStrides(const int64_t* size, int64_t channels, const Gaps& gaps, int64_t* strides) {
  strides[3] = 1;
  strides[2] = size[1] + gaps.row;
  strides[1] = size[0] * strides[2] + gaps.plane;
  strides[0] = channels * strides[1];
}

// What explain says of the loop.
std::string LoopOf(const lanepool_desc& desc) {
  char text[200];
  lanepool_explain(&desc, text, sizeof text);
  const std::string line = text;
  const size_t begin = line.find(": ") + 2;
  return line.substr(begin, line.find(',', begin) - begin);
}

// The usual quantization and some of any kind, bytes on both sides.
void CheckPlanes(lanepool_params params, const std::string& loop, const Gaps& x, const Gaps& y) {
  const support::Planned planned = support::Plan(params);
  ASSERT_EQ(planned.status, LANEPOOL_OK);
  SetStrides(params.input, params.channels, x, params.x_strides);
  SetStrides(planned.desc.output, params.channels, y, params.y_strides);
  Random random(static_cast<uint64_t>(params.input[0] * 1000 + params.input[1]));
  for (int i = 0; i < 3; ++i) {
    RandomCase item = {params, support::Data::kIntegers};
    support::Quantize(&random, support::Arrays::kPerTensor, &item);
    if (i == 0) {
      item.params.x_scale = item.params.y_scale = 0.1f;
      item.params.y_zero_point = item.params.x_zero_point = 5;
      item.params.flags &= ~static_cast<uint32_t>(LANEPOOL_FLAG_CLAMP);
      item.params.clamp_low = item.params.clamp_high = 0;
    }
    SCOPED_TRACE(item.Text());
    const support::Planned plan = support::Plan(item.params);
    ASSERT_EQ(plan.status, LANEPOOL_OK);
    const Bytes sample = support::MakeX(&random, item);
    ASSERT_EQ(support::JobFault(item, sample, &random), "");
    // Without a formula a job goes another way.
    if (i == 0) {
      EXPECT_EQ(LoopOf(plan.desc), loop);
    }
  }
}

constexpr Gaps kDense = {0, 0};
constexpr Gaps kApart = {0, 3};
constexpr Gaps kPadded = {2, 0};

const int64_t kHeights[] = {1, 2, 3, 4, 7, 8, 9, 17, 40};
const int64_t kWidths[] = {2, 3, 4, 7, 8, 14, 16, 17, 33, 35, 56, 66, 67, 130, 256, 257};

// With more, small planes have another loop. Fewer channels of large planes.
int64_t ChannelsOf(int64_t height, int64_t width) {
  const int64_t channels = height * width < 100 ? 31 : height * width < 1000 ? 7 : 2;
  return std::min(channels, (4 * width - 1) / 3);
}

TEST(QuantizedPlanes, ThreeTapsThatStepByOne) {
  for (const int64_t height : kHeights) {
    for (const int64_t width : kWidths) {
      // One row has another loop, as have rows that are folded in tiles.
      if (height == 1 || width > 256) continue;
      const Params base = support::Average({height, width})
                              .Channels(ChannelsOf(height, width))
                              .Layout(LANEPOOL_LAYOUT_NCHW);
      const Params windows[] = {Params(base).Kernel({3, 3}).Pads({1, 1, 1, 1}),
                                Params(base).Kernel({3, 3}).Pads({1, 1, 1, 1}).Include(),
                                Params(base).Kernel({2, 3}).Pads({0, 1, 1, 1}),
                                Params(base).Kernel({5, 3}).Pads({2, 1, 2, 1})};
      for (const Params& params : windows) {
        CheckPlanes(params, "planes", kDense, kDense);
        if (HasFailure()) return;
      }
      CheckPlanes(windows[0], "planes", kApart, kDense);
      CheckPlanes(windows[0], "planes", kDense, kApart);
      if (HasFailure()) return;
    }
  }
}

TEST(QuantizedPlanes, OtherTapsThatStepByOne) {
  for (const int64_t height : kHeights) {
    for (const int64_t width : kWidths) {
      // Shorter rows and longer ones have other loops.
      if (height == 1 || width <= 8 || width > 256) continue;
      const Params base = support::Average({height, width})
                              .Channels(ChannelsOf(height, width))
                              .Layout(LANEPOOL_LAYOUT_NCHW);
      const Params windows[] = {Params(base).Kernel({5, 5}).Pads({2, 2, 2, 2}),
                                Params(base).Kernel({4, 4}).Pads({1, 1, 2, 2}),
                                Params(base).Kernel({4, 4}).Pads({2, 2, 1, 1}).Include(),
                                Params(base).Kernel({2, 2}).Pads({0, 0, 1, 1}),
                                Params(base).Kernel({2, 2}).Pads({1, 1, 0, 0}).Include(),
                                Params(base).Kernel({3, 5}).Pads({1, 2, 1, 2}),
                                Params(base).Kernel({2, 4}).Pads({1, 1, 0, 2})};
      for (const Params& params : windows) {
        CheckPlanes(params, "planes", kDense, kDense);
        if (HasFailure()) return;
      }
      CheckPlanes(windows[0], "planes", kApart, kDense);
      CheckPlanes(windows[1], "planes", kDense, kApart);
      if (HasFailure()) return;
    }
  }
}

TEST(QuantizedPlanes, WindowsThatStepByTwo) {
  for (const int64_t height : kHeights) {
    for (const int64_t width : kWidths) {
      // A window may have whole rows, or be all of the plane.
      if (width == 2 || (height < 4 && width < 4)) continue;
      const Params base = support::Average({height, width})
                              .Channels(ChannelsOf(height, width))
                              .Layout(LANEPOOL_LAYOUT_NCHW);
      const Params windows[] = {
          Params(base).Kernel({2, 2}).Strides({2, 2}).Ceil(),
          Params(base).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}),
          Params(base).Kernel({3, 3}).Strides({1, 2}).Pads({1, 2, 1, 0}).Include(),
          Params(base).Kernel({1, 2}).Strides({3, 2}).Pads({0, 1, 0, 1})};
      for (const Params& params : windows) {
        CheckPlanes(params, "by two", kDense, kDense);
        if (HasFailure()) return;
      }
      CheckPlanes(windows[1], "by two", kPadded, kDense);
      CheckPlanes(windows[1], "by two", kDense, kPadded);
      CheckPlanes(windows[1], "by two", kApart, kApart);
      if (HasFailure()) return;
    }
  }
}

// Sums along W first: rows of parts of vectors, of whole ones and of some, planes that share what
// their sizes make, and windows of more taps than a difference of sums has bits for.
TEST(QuantizedPlanes, SumsAlongRows) {
  for (const int64_t height : {8, 21}) {
    for (const int64_t width : {16, 31, 33, 63, 64, 65, 96, 127, 130}) {
      const Params base =
          support::Average({height, width}).Channels(3).Layout(LANEPOOL_LAYOUT_NCHW);
      const Params windows[] = {Params(base).Kernel({6, 6}).Pads({2, 2, 3, 3}),
                                Params(base).Kernel({7, 7}).Pads({3, 3, 3, 3}),
                                Params(base).Kernel({8, 9}).Pads({4, 1, 3, 7}),
                                Params(base).Kernel({6, 8}).Pads({5, 7, 5, 7}).Dilations({2, 1})};
      for (const Params& params : windows) {
        CheckPlanes(params, "blocks", kDense, kDense);
        if (HasFailure()) return;
      }
      CheckPlanes(windows[0], "blocks", kPadded, kDense);
      CheckPlanes(windows[1], "blocks", kDense, kPadded);
      CheckPlanes(windows[2], "blocks", kApart, kApart);
      if (HasFailure()) return;
    }
  }
  const Params wide = support::Average({9, 131}).Layout(LANEPOOL_LAYOUT_NCHW);
  CheckPlanes(Params(wide).Kernel({3, 127}).Pads({1, 63, 1, 63}), "blocks", kDense, kDense);
  CheckPlanes(Params(wide).Kernel({3, 130}).Pads({1, 64, 1, 65}), "blocks", kDense, kDense);
  const Params many = support::Average({24, 64}).Channels(9).Layout(LANEPOOL_LAYOUT_NCHW);
  CheckPlanes(Params(many).Kernel({9, 9}).Pads({4, 4, 4, 4}), "blocks", kDense, kApart);
  CheckPlanes(Params(many).Kernel({17, 57}).Pads({8, 28, 8, 28}), "blocks", kDense, kDense);
}

// Several items, and rows of one plane in more than one of them.
TEST(QuantizedPlanes, LargePlanes) {
  const Params base = support::Average({301, 255}).Channels(2).Layout(LANEPOOL_LAYOUT_NCHW);
  CheckPlanes(Params(base).Kernel({3, 3}).Pads({1, 1, 1, 1}), "planes", kDense, kDense);
  CheckPlanes(Params(base).Kernel({5, 5}).Pads({2, 2, 2, 2}), "planes", kDense, kDense);
  CheckPlanes(Params(base).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}), "by two", kDense,
              kDense);
}

// Windows that are whole planes: short rows, rows of whole vectors and of parts.
TEST(QuantizedPlanes, Global) {
  for (const int64_t width : {4, 7, 8, 15, 16, 31, 32, 33, 50, 63, 64, 65, 100, 129, 255}) {
    for (const int64_t channels : {1, 2, 3, 5, 66, 300}) {
      const Params base = support::Average({1, width}).Channels(channels).Global();
      const char* const loop = width > 4 ? "runs" : channels < 128 ? "rows" : "blocks";
      CheckPlanes(Params(base).Layout(LANEPOOL_LAYOUT_NCHW), loop, kDense, kDense);
      CheckPlanes(Params(base).Layout(LANEPOOL_LAYOUT_NCHW), loop, kApart, kDense);
      if (HasFailure()) return;
    }
  }
}

// Windows of `taps` along W over rows of pixels: the result, and the loop.
void CheckPixels(const support::Params& params, const std::string& loop) {
  const RandomCase item = {params, support::Data::kUniform};
  SCOPED_TRACE(item.Text());
  Random random(47);
  const support::Planned plan = support::Plan(item.params);
  ASSERT_EQ(plan.status, LANEPOOL_OK);
  ASSERT_EQ(support::JobFault(item, support::MakeX(&random, item), &random), "");
  EXPECT_EQ(LoopOf(plan.desc), loop);
}

// To transpose a few rows of a few channels took up to 37 times as long as to fold each window.
TEST(QuantizedPlanes, FewRowsOfPixelsAreNotTransposed) {
  struct Rows {
    int64_t rows, taps, channels;
    const char *floats, *halves, *bytes;
  };
  const Rows cases[] = {
      {1, 15, 3, "rows", "rows", "rows"},      {1, 25, 7, "rows", "rows", "rows"},
      {4, 15, 7, "rows", "rows", "rows"},      {8, 15, 3, "blocks", "rows", "rows"},
      {2, 51, 3, "blocks", "rows", "blocks"},  {16, 15, 5, "blocks", "blocks", "rows"},
      {8, 25, 5, "blocks", "blocks", "blocks"}};
  for (const Rows& rows : cases) {
    const support::Params params = support::Average({rows.rows, 60})
                                       .Channels(rows.channels)
                                       .Batch(2)
                                       .Kernel({1, rows.taps})
                                       .Pads({0, rows.taps / 2, 0, rows.taps / 2});
    CheckPixels(params, rows.floats);
    CheckPixels(support::Params(params).Type(LANEPOOL_TYPE_FLOAT16), rows.halves);
    CheckPixels(
        support::Params(params).Type(LANEPOOL_TYPE_UINT8).Scales(0.0235f, 0.0187f).ZeroPoints(3, 5),
        rows.bytes);
  }
}

}  // namespace
