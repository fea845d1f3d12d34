// Random quantized jobs: bit for bit what the exact rationals of the oracle give, and the same on
// every instruction set, for every split into ranges and for every alignment; then every size that
// leaves a tail of its own. LANEPOOL_CASES=10000 makes more of them, LANEPOOL_SEED=7 others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/check_job.h"
#include "support/job.h"
#include "support/named_shapes.h"
#include "support/random_case.h"

namespace {

using support::Bytes;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 5000;

void CheckJob(const RandomCase& item, Random* random) {
  const Bytes x = support::MakeX(random, item);
  ASSERT_EQ(support::JobFault(item, x, random), "");
}

int64_t TapsOf(const lanepool_params& params) {
  int64_t taps = 1;
  for (int i = 0; i < params.rank; ++i) {
    taps *= params.kernel[i] > 0 ? std::min(params.kernel[i], params.input[i]) : params.input[i];
  }
  return taps;
}

TEST(Quantized, RandomJobs) {
  int64_t above_16_bits = 0;
  int64_t with_arrays = 0;
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 6700417);
    const RandomCase item = support::MakeQuantizedCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
    above_16_bits += TapsOf(item.params) > 257 ? 1 : 0;
    with_arrays += item.params.x_scale_count != 0 || item.params.y_scale_count != 0 ? 1 : 0;
  }
  RecordProperty("above_16_bits", std::to_string(above_16_bits));
  RecordProperty("with_arrays", std::to_string(with_arrays));
}

TEST(Quantized, NamedShapes) {
  for (const support::NamedShape& shape : support::NamedShapes()) {
    for (const int32_t layout : shape.Layouts()) {
      if (shape.is_timed) continue;
      for (uint64_t seed = 1; seed <= 6; ++seed) {
        Random random(seed);
        RandomCase item = {shape.params, support::Data::kIntegers};
        item.params.layout = layout;
        support::Quantize(&random, support::Arrays::kAny, &item);
        SCOPED_TRACE(shape.name + " (" + shape.reason + "): " + item.Text());
        CheckJob(item, &random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// What the usual models have: equal scales, no clamp.
RandomCase UsualCase(const lanepool_params& params, Random* random) {
  RandomCase item = {params, support::Data::kIntegers};
  item.params.x_type = item.params.y_type = random->Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
  item.params.x_scale = item.params.y_scale = 0.1f;
  item.params.x_zero_point = item.params.y_zero_point = static_cast<int32_t>(random->Between(3, 9));
  return item;
}

// The windows that networks have, with the usual quantization and with any.
void CheckHotWindows(const support::Params::List& input, int64_t channels, int32_t layout) {
  using support::Params;
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    const Params base = Params(op, input).Channels(channels).Layout(layout);
    const Params windows[] = {
        Params(base).Kernel({3, 3}).Pads({1, 1, 1, 1}),
        Params(base).Kernel({2, 2}).Strides({2, 2}).Ceil(),
        Params(base).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}).Include(),
        Params(base).Kernel({5, 5}).Pads({2, 2, 2, 2}),
        Params(base).Global(),
    };
    for (const Params& params : windows) {
      Random random(static_cast<uint64_t>(channels * 1000 + input[1]));
      const RandomCase usual = UsualCase(params, &random);
      RandomCase any = {params, support::Data::kIntegers};
      support::Quantize(&random, support::Arrays::kAny, &any);
      for (const RandomCase& item : {usual, any}) {
        SCOPED_TRACE(item.Text());
        CheckJob(item, &random);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Quantized, EveryChannelCountNhwc) {
  for (int64_t channels = 1; channels <= 140 && !HasFatalFailure(); ++channels) {
    CheckHotWindows({3, 4}, channels, LANEPOOL_LAYOUT_NHWC);
  }
}

TEST(Quantized, EveryWidthNchw) {
  for (int64_t width = 1; width <= 140 && !HasFatalFailure(); ++width) {
    CheckHotWindows({4, width}, 2, LANEPOOL_LAYOUT_NCHW);
  }
}

TEST(Quantized, EveryWidthNhwcOfThreeChannels) {
  for (int64_t width = 1; width <= 60 && !HasFatalFailure(); ++width) {
    CheckHotWindows({3, width}, 3, LANEPOOL_LAYOUT_NHWC);
  }
}

TEST(Quantized, EveryPlaneNchw) {
  for (int64_t height = 1; height <= 9; ++height) {
    for (int64_t width = 1; width <= 9 && !HasFatalFailure(); ++width) {
      CheckHotWindows({height, width}, 11, LANEPOOL_LAYOUT_NCHW);
    }
  }
}

// The usual quantization, one that rescales, and some of any kind.
void CheckQuantizations(const lanepool_params& params) {
  Random random(static_cast<uint64_t>(params.kernel[0] * 8 + params.layout));
  std::vector<RandomCase> items(5, UsualCase(params, &random));
  items[1].params.y_type = LANEPOOL_TYPE_INT8;
  items[1].params.y_scale = 0.13f;
  for (size_t i = 2; i < items.size(); ++i) {
    support::Quantize(&random, support::Arrays::kAny, &items[i]);
  }
  for (const RandomCase& item : items) {
    SCOPED_TRACE(item.Text());
    CheckJob(item, &random);
  }
}

// Windows wider than half of the tensor: most outputs have a number of taps of their own, with a
// divisor of their own or with one for all.
TEST(Quantized, ManyDivisors) {
  for (const int64_t kernel : {13, 21, 43}) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
      for (const int32_t divisor : {LANEPOOL_DIVISOR_EXCLUDE_PAD, LANEPOOL_DIVISOR_INCLUDE_PAD,
                                    LANEPOOL_DIVISOR_FULL_KERNEL}) {
        const int64_t pad = kernel / 2;
        CheckQuantizations(support::Average({20, 50})
                               .Channels(3)
                               .Layout(layout)
                               .Kernel({kernel, kernel})
                               .Pads({pad, pad, pad, pad})
                               .Divisor(divisor));
        if (HasFailure()) return;
      }
    }
  }
}

// The same along one axis, where the rows of a maximum have no need to tell these windows apart.
TEST(Quantized, WideRows) {
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    for (const int64_t kernel : {15, 30, 33, 34, 40, 64, 95, 200}) {
      for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
        const int64_t pad = kernel / 2;
        CheckQuantizations(support::Params(op, {2 * kernel})
                               .Channels(5)
                               .Layout(layout)
                               .Kernel({kernel})
                               .Pads({pad, pad}));
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
