// Random jobs: the best instruction set against the oracle, and the bytes of y equal on every
// instruction set, for every split into ranges and for every alignment.
// LANEPOOL_CASES=10000 makes more of them, LANEPOOL_SEED=7 others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "support/check_job.h"
#include "support/crash_note.h"
#include "support/fill.h"
#include "support/job.h"
#include "support/named_shapes.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/targets.h"

namespace {

using support::Bytes;
using support::Data;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 4000;

void CheckJob(const RandomCase& item, Random* random) {
  const Bytes x = support::MakeX(random, item);
  ASSERT_EQ(support::JobFault(item, x, random), "");
}

TEST(Differential, RandomJobs) {
  const int64_t count = support::CaseCount(kUsualCases);
  const uint64_t seed = support::FirstSeed();
  for (int64_t i = 0; i < count && !HasFailure(); ++i) {
    Random random(seed + static_cast<uint64_t>(i) * 1000003);
    const RandomCase item = support::MakeRandomCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
  }
}

TEST(Differential, RandomWideJobs) {
  int64_t with_workspace = 0;
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) / 4 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 15485863);
    const RandomCase item = support::MakeWideRandomCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
    with_workspace += support::Plan(item.params).desc.workspace_bytes > 0 ? 1 : 0;
  }
  RecordProperty("with_workspace", std::to_string(with_workspace));
}

TEST(Differential, RandomJobsOfWindowsApart) {
  int64_t streams = 0;  // read in several passes over many channels
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) / 4 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 32452843);
    const RandomCase item = support::MakeApartRandomCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
    const lanepool_params& p = item.params;
    int64_t taps = 1;
    for (int k = 0; k < p.rank; ++k) {
      taps *= (p.flags & LANEPOOL_FLAG_GLOBAL) != 0 ? p.input[k] : p.kernel[k];
    }
    streams += p.layout == LANEPOOL_LAYOUT_NHWC && p.channels >= 256 && taps > 16 ? 1 : 0;
  }
  RecordProperty("streams", std::to_string(streams));
}

TEST(Differential, NamedShapes) {
  for (const support::NamedShape& shape : support::NamedShapes()) {
    for (const int32_t layout : shape.Layouts()) {
      if (shape.is_timed) continue;
      for (const Data data : {Data::kIntegers, Data::kUniform, Data::kEverything}) {
        RandomCase item = {shape.params, data};
        item.params.layout = layout;
        SCOPED_TRACE(shape.name + " (" + shape.reason + "): " + item.Text());
        Random random(99);
        CheckJob(item, &random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Every small job of one axis: shapes, empty windows and values.
void CheckSmallAxis(support::Params params, const std::vector<float>& x) {
  const oracle::Shape shape = oracle::ResolveShape(params);
  const support::Planned planned = support::Plan(params);
  ASSERT_EQ(planned.status, shape.status) << support::ErrorText(planned.error);
  if (shape.status != LANEPOOL_OK) return;
  ASSERT_EQ(support::ShapeFault(params, planned.desc), "");
  std::vector<float> y(static_cast<size_t>(shape.output[0]), -4242.5f);
  ASSERT_EQ(support::Run(planned.desc, x.data(), y.data()), LANEPOOL_OK);
  std::string why;
  ASSERT_TRUE(oracle::Agrees(params, x.data(), y.data(), &why)) << why;
}

TEST(Differential, EverySmallAxis) {
  const std::vector<float> x = {1, 20, 300, 4000, 50000, 600000};
  for (int64_t code = 0; code < 6 * 4 * 3 * 3 * 6 * 6 * 12; ++code) {
    int64_t rest = code;
    const auto digit = [&rest](int64_t base) {
      const int64_t value = rest % base;
      rest /= base;
      return value;
    };
    const int64_t input = 1 + digit(6);
    support::Params params(digit(2) == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX, {input});
    params.Kernel({1 + digit(4)}).Strides({1 + digit(3)}).Dilations({1 + digit(3)});
    const int64_t pad_begin = digit(6);
    params.Pads({pad_begin, digit(6)}).Ceil(static_cast<int32_t>(digit(3)));
    params.Divisor(digit(2) == 0 ? LANEPOOL_DIVISOR_EXCLUDE_PAD : LANEPOOL_DIVISOR_INCLUDE_PAD);
    SCOPED_TRACE(support::ParamsText(params));
    CheckSmallAxis(params, x);
    if (HasFailure()) return;
  }
}

// The windows that have kernels of their own, over every size that leaves a tail of its own.
std::vector<support::Params> HotWindows(const support::Params& base) {
  using support::Params;
  return {
      Params(base).Kernel({3, 3}).Pads({1, 1, 1, 1}),
      Params(base).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}),
      Params(base).Kernel({2, 2}).Strides({2, 2}).Ceil(),
      Params(base).Kernel({3, 3}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER).Strides({2, 1}).Include(),
      Params(base).Kernel({5, 5}).Pads({2, 2, 2, 2}),
      Params(base).Kernel({3, 3}).Dilations({2, 2}).Pads({2, 2, 2, 2}),
      Params(base).Kernel({1, 1}),
      Params(base).Global(),
  };
}

void CheckHotWindows(const support::Params::List& input, int64_t channels, int32_t layout) {
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    const support::Params base = support::Params(op, input).Channels(channels).Layout(layout);
    for (const support::Params& params : HotWindows(base)) {
      for (const Data data : {Data::kIntegers, Data::kEverything}) {
        const RandomCase item = {params, data};
        SCOPED_TRACE(item.Text());
        Random random(static_cast<uint64_t>(channels * 1000 + input[1]));
        CheckJob(item, &random);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Differential, EveryChannelCountNhwc) {
  for (int64_t channels = 1; channels <= 70 && !HasFatalFailure(); ++channels) {
    CheckHotWindows({4, 5}, channels, LANEPOOL_LAYOUT_NHWC);
  }
}

TEST(Differential, EveryWidthNchw) {
  for (int64_t width = 1; width <= 70 && !HasFatalFailure(); ++width) {
    CheckHotWindows({5, width}, 2, LANEPOOL_LAYOUT_NCHW);
  }
}

TEST(Differential, EveryWidthNhwcOfThreeChannels) {
  for (int64_t width = 1; width <= 70 && !HasFatalFailure(); ++width) {
    CheckHotWindows({4, width}, 3, LANEPOOL_LAYOUT_NHWC);
  }
}

TEST(Differential, EveryPlaneNchw) {
  for (int64_t height = 1; height <= 9; ++height) {
    for (int64_t width = 1; width <= 9 && !HasFatalFailure(); ++width) {
      CheckHotWindows({height, width}, 11, LANEPOOL_LAYOUT_NCHW);
    }
  }
}

// Windows of four to seven taps in planes, which may lack more at one end than at the other.
void CheckManyTaps(const support::Params::List& input, int64_t channels) {
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    for (int64_t taps = 4; taps <= 7; ++taps) {
      for (const int32_t auto_pad : {LANEPOOL_AUTO_PAD_SAME_UPPER, LANEPOOL_AUTO_PAD_SAME_LOWER}) {
        support::Params params(op, input);
        params.Channels(channels).Layout(LANEPOOL_LAYOUT_NCHW);
        params.Kernel({taps, taps}).AutoPad(auto_pad);
        for (const Data data : {Data::kIntegers, Data::kEverything}) {
          const RandomCase item = {params, data};
          SCOPED_TRACE(item.Text());
          Random random(static_cast<uint64_t>(taps * 1000 + input[1]));
          CheckJob(item, &random);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Differential, ManyTapsOfEveryWidthNchw) {
  for (int64_t width = 1; width <= 50 && !HasFatalFailure(); ++width) {
    CheckManyTaps({8, width}, 2);
  }
}

// Work items are some rows of a plane: the last one may be a row or two that no whole window has.
TEST(Differential, ManyTapsOfPlanesInParts) {
  CheckManyTaps({65, 520}, 1);
  if (!HasFatalFailure()) CheckManyTaps({66, 600}, 1);
}

// One tap and a divisor: the quotient of every kind of number must be the one of IEEE 754.
std::vector<float> Dividends(int64_t divisor, Random* random) {
  std::vector<float> x(1500);
  const auto half = static_cast<int64_t>(x.size() / 2);
  support::Fill(random, Data::kMagnitudes, x.data(), half);
  const int least_normal = std::ilogb(static_cast<double>(divisor)) - 126;
  for (size_t i = static_cast<size_t>(half); i < x.size(); ++i) {
    // Quotients around the smallest normal number and with all bits of the significand in use.
    const int exponent = random->Percent(50) ? static_cast<int>(random->Between(-4, 4)) : 60;
    const auto significand = static_cast<float>(random->Between(1 << 23, (1 << 24) - 1));
    x[i] = std::ldexp(significand, std::min(100, least_normal + exponent - 23));
  }
  return x;
}

TEST(Differential, QuotientsAreCorrectlyRounded) {
  std::vector<int64_t> divisors = {1 << 24,          (1 << 24) + 1, (1 << 24) - 1,
                                   int64_t{1} << 40, 999999937,     INT64_MAX};
  for (int64_t divisor = 1; divisor <= 260; ++divisor) divisors.push_back(divisor);
  for (int64_t divisor = 263; divisor < 1 << 24; divisor += divisor / 2) {
    divisors.push_back(divisor);
  }
  for (const int64_t divisor : divisors) {
    Random random(static_cast<uint64_t>(divisor));
    const std::vector<float> dividends = Dividends(divisor, &random);
    const auto size = static_cast<int64_t>(dividends.size());
    Bytes x(dividends.size() * sizeof(float));
    std::memcpy(x.data(), dividends.data(), x.size());
    for (const support::Params& base :
         {support::Average({size}), support::Average({1}).Channels(size)}) {
      const lanepool_params params =
          support::Params(base).Kernel({1}).Divisor(LANEPOOL_DIVISOR_CONSTANT, divisor);
      SCOPED_TRACE(support::ParamsText(params));
      Bytes expected;
      for (const support::Target& target : support::SupportedTargets()) {
        const Bytes y = support::RunOnce(support::Plan(params, target.mask).desc, x);
        std::string why;
        const bool first = expected.empty();
        ASSERT_TRUE(!first || oracle::Agrees(params, x.data(), y.data(), &why)) << why;
        if (first) expected = y;
        ASSERT_EQ(support::Difference(y, expected, sizeof(float)), "") << target.name;
      }
    }
  }
}

}  // namespace
