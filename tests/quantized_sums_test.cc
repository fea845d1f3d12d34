// Every sum that a window of bytes can have, through the public interface; then sums that leave 16
// and 32 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oracle/quantize.h"
#include "support/check_job.h"
#include "support/crash_note.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/targets.h"

namespace {

using support::Average;
using support::Bytes;
using support::Random;

// One output for each sum of `taps` bytes, from the lowest to the highest: output i is a channel of
// NHWC, or the i-th window of a row of NCHW.
lanepool_params EverySumParams(int64_t taps, int32_t layout) {
  const int64_t sums = 255 * taps + 1;
  if (layout == LANEPOOL_LAYOUT_NHWC) return Average({taps}).Kernel({taps}).Channels(sums);
  return Average({taps * sums}).Kernel({taps}).Strides({taps}).Layout(layout);
}

// Window i holds i / taps or one more in each tap, in an order that differs from window to window.
Bytes EverySumX(int64_t taps, int32_t layout, int32_t x_type) {
  const int64_t sums = 255 * taps + 1;
  const int low = static_cast<int32_t>(oracle::LowestInteger(x_type));
  Bytes x(static_cast<size_t>(taps * sums));
  for (int64_t i = 0; i < sums; ++i) {
    for (int64_t j = 0; j < taps; ++j) {
      const bool one_more = (j + i) % taps < i % taps;
      const int64_t value = low + i / taps + (one_more ? 1 : 0);
      const int64_t at = layout == LANEPOOL_LAYOUT_NHWC ? j * sums + i : i * taps + j;
      x[static_cast<size_t>(at)] = static_cast<unsigned char>(value);
    }
  }
  return x;
}

Bytes ExpectedOfEverySum(const lanepool_params& params, int64_t taps, int64_t divisor) {
  const std::vector<double> results = oracle::ResultsOfSums(params, taps, divisor);
  Bytes bytes(results.size());
  std::transform(results.begin(), results.end(), bytes.begin(),
                 [](double y) { return static_cast<unsigned char>(static_cast<int32_t>(y)); });
  return bytes;
}

// Divisors besides the number of taps, as pads and other kernels would have them.
void PickDivisor(Random* random, int64_t taps, lanepool_params* params) {
  if (random->Percent(65)) return;
  params->divisor = LANEPOOL_DIVISOR_CONSTANT;
  params->divisor_value = random->Pick<int64_t>(
      {1, taps + 1, 2 * taps, random->Between(1, 300), int64_t{1} << random->Between(0, 62)});
}

void CheckEverySum(int64_t taps, int32_t layout, int turns, int64_t* sums) {
  static const std::vector<support::Target> targets = support::SupportedTargets();
  for (const int32_t x_type : {LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}) {
    const Bytes x = EverySumX(taps, layout, x_type);
    for (int turn = 0; turn < turns; ++turn) {
      Random random(static_cast<uint64_t>(taps * 1000 + turn));
      support::RandomCase item = {EverySumParams(taps, layout), support::Data::kIntegers};
      support::Quantize(&random, support::Arrays::kPerTensor, &item);
      item.params.x_type = x_type;
      item.params.x_zero_point =
          static_cast<int32_t>(oracle::LowestInteger(x_type)) + (item.params.x_zero_point & 255);
      item.params.rounding = turn % 3;
      PickDivisor(&random, taps, &item.params);
      SCOPED_TRACE(item.Text());
      const bool constant = item.params.divisor == LANEPOOL_DIVISOR_CONSTANT;
      const Bytes expected =
          ExpectedOfEverySum(item.params, taps, constant ? item.params.divisor_value : taps);
      for (const support::Target& target : targets) {
        const support::Planned planned = support::Plan(item.params, target.mask);
        ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
        support::SetCrashNote(target.name + ": " + item.Text());
        const Bytes y = support::RunOnce(planned.desc, x);
        ASSERT_EQ(support::Difference(y, expected, 1), "") << target.name;
      }
      *sums += static_cast<int64_t>(expected.size());
    }
  }
}

void CheckEverySum(const std::vector<int64_t>& several_taps, int turns) {
  int64_t sums = 0;
  for (const int64_t taps : several_taps) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
      CheckEverySum(taps, layout, turns, &sums);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  testing::Test::RecordProperty("sums", std::to_string(sums));
}

TEST(QuantizedSums, EverySumOfSmallWindows) {
  CheckEverySum({1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 18, 20, 25, 27}, 60);
}

TEST(QuantizedSums, EverySumOfLargerWindows) { CheckEverySum({32, 36, 49, 64, 81, 100}, 12); }

// 16-bit sums end at 257 taps.
TEST(QuantizedSums, EverySumAroundTheEndOf16Bits) { CheckEverySum({256, 257, 258}, 3); }

// Sums of a few million: one column of a plane at its largest, with the others in between.
TEST(QuantizedSums, Of32Bits) {
  for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
    for (const bool pads : {false, true}) {
      for (uint64_t seed = 1; seed <= 8; ++seed) {
        Random random(seed);
        const support::Params base = Average({120, 90}).Channels(5).Layout(layout);
        support::RandomCase item = {
            pads ? support::Params(base).Kernel({119, 88}).Strides({40, 30}).Pads({50, 40, 50, 40})
                 : support::Params(base).Global(),
            support::Data::kIntegers};
        support::Quantize(&random, support::Arrays::kAny, &item);
        item.integers = random.Pick({support::IntegerData::kEnds, support::IntegerData::kConstant,
                                     support::IntegerData::kRandom});
        SCOPED_TRACE(item.Text());
        ASSERT_EQ(support::JobFault(item, support::MakeX(&random, item), &random), "");
      }
    }
  }
}

// Sums of more than 16 bits of windows that share no taps, channels last: pixels of less than a
// vector and of several, rows of pixels that are a few vectors and parts of one, images that lie
// apart.
TEST(QuantizedSums, OfPixels) {
  const support::Params bases[] = {
      Average({7, 37}).Global(),
      Average({1, 523}).Global(),
      Average({260, 2}).Global(),
      Average({3, 10, 9}).Global(),
      Average({35, 53}).Kernel({17, 17}).Strides({17, 18}),
      Average({40, 90}).Kernel({16, 40}).Strides({21, 40}).Pads({7, 30, 3, 0}),
      Average({6, 8, 40}).Kernel({2, 4, 33}).Strides({2, 4, 33}).Pads({0, 1, 9, 0, 3, 0})};
  for (const support::Params& base : bases) {
    for (const int64_t channels : {2, 3, 5, 8, 11, 16, 21, 24, 31, 33, 63, 64, 65, 130, 300}) {
      for (const int64_t batch : {1, 7}) {
        Random random(static_cast<uint64_t>(1000 * channels + batch));
        support::RandomCase item = {support::Params(base).Channels(channels).Batch(batch),
                                    support::Data::kIntegers};
        support::Quantize(&random, support::Arrays::kAny, &item);
        item.integers = random.Pick({support::IntegerData::kEnds, support::IntegerData::kConstant,
                                     support::IntegerData::kRandom});
        if (batch > 1 && random.Percent(50)) {
          lanepool_params& params = item.params;
          int64_t step = channels;
          params.x_strides[1] = 1;
          for (int i = params.rank - 1; i >= 0; --i) {
            params.x_strides[2 + i] = step;
            step *= params.input[i];
          }
          params.x_strides[0] = step + random.Between(1, 100);
        }
        SCOPED_TRACE(item.Text());
        ASSERT_EQ(support::JobFault(item, support::MakeX(&random, item), &random), "");
      }
    }
  }
}

// 32-bit sums end at 16,843,009 taps of 255: one more, one less, and twice as many. The result of
// each params follows from the one sum.
TEST(QuantizedSums, AroundTheEndOf32Bits) {
  constexpr int64_t kMostTaps = 16843009;
  for (const int64_t taps : {kMostTaps, kMostTaps + 1, 2 * kMostTaps}) {
    const Bytes x(static_cast<size_t>(taps), 255);
    for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
      const support::Params global = Average({taps}).Global().Layout(layout);
      // 255; all but the last few units of an output; an output in the middle.
      for (const float y_scale : {1.0f, 0.99999994f, 1.9921875f}) {
        const lanepool_params params =
            support::Params(global).Type(LANEPOOL_TYPE_UINT8).Scales(1, y_scale);
        SCOPED_TRACE(support::ParamsText(params));
        const double expected = oracle::ResultOfSum(params, 255 * taps, taps);
        for (const support::Target& target : support::SupportedTargets()) {
          const support::Planned planned = support::Plan(params, target.mask);
          ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
          ASSERT_EQ(support::RunOnce(planned.desc, x)[0], expected) << target.name;
        }
      }
    }
  }
}

// Averages in blocks by scales whose quotient is a fraction of far more than 32 bits, or 2^16.
TEST(QuantizedSums, ScalesFarApart) {
  Random random(77);
  const support::Params base =
      Average({40, 40}).Kernel({9, 9}).Channels(8).Type(LANEPOOL_TYPE_UINT8).ZeroPoints(120, 130);
  constexpr float kNearlyOne = 0x1.fffffep-1f;
  const std::pair<float, float> scales[] = {
      {kNearlyOne, 0x1p15f}, {0x1p15f, kNearlyOne}, {0x1p16f, 1.f}, {1.f, 0x1p16f}};
  for (const auto& [x_scale, y_scale] : scales) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
      const support::Params params = support::Params(base).Layout(layout).Scales(x_scale, y_scale);
      const support::RandomCase item = {params, support::Data::kIntegers};
      SCOPED_TRACE(item.Text());
      ASSERT_EQ(support::JobFault(item, support::MakeX(&random, item), &random), "");
    }
  }
}

// A sum of 64 bits that is a tie but for its last bit: nothing of it may be lost.
TEST(QuantizedSums, LastBitOf64Bits) {
  constexpr int64_t kTaps = 16843010;
  Bytes x(static_cast<size_t>(kTaps), 255);
  x[0] = 127;  // 255 * kTaps - 128
  const support::Params base = Average({kTaps}).Global().Type(LANEPOOL_TYPE_UINT8);
  const int64_t sum = 255 * kTaps - 128;
  for (const int64_t twice : {2 * sum - 1, 2 * sum, 2 * sum + 1}) {
    // sum / divisor is around one half, with the divisor a whole number near 2 * sum.
    const lanepool_params params = support::Params(base)
                                       .Divisor(LANEPOOL_DIVISOR_CONSTANT, twice)
                                       .Rounding(LANEPOOL_ROUND_HALF_AWAY);
    const unsigned char expected = twice <= 2 * sum ? 1 : 0;
    ASSERT_EQ(oracle::ResultOfSum(params, sum, twice), expected);
    for (const support::Target& target : support::SupportedTargets()) {
      EXPECT_EQ(support::RunOnce(support::Plan(params, target.mask).desc, x)[0], expected)
          << target.name << " " << support::ParamsText(params);
    }
  }
}

// Sliding windows are finished in blocks of windows and channels: every length of a row that one,
// two or three blocks take, with groups of channels of every width.
TEST(QuantizedSums, BlocksOfEveryLength) {
  Random random(9973);
  for (int64_t outputs = 1; outputs <= 140; ++outputs) {
    for (const int64_t channels : {5, 32, 64, 72, 136}) {
      const int64_t taps = random.Between(2, 7);
      const lanepool_params params = Average({2, outputs})
                                         .Channels(channels)
                                         .Kernel({2, taps})
                                         .Pads({1, (taps - 1) / 2, 0, taps / 2})
                                         .Type(LANEPOOL_TYPE_UINT8)
                                         .Scales(0.3f, 0.17f)
                                         .ZeroPoints(7, 9);
      support::RandomCase item = {params, support::Data::kIntegers};
      const Bytes x = support::MakeX(&random, item);
      ASSERT_EQ(support::JobFault(item, x, &random), "") << item.Text();
    }
  }
}

}  // namespace
