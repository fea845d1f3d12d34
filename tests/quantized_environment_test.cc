// The floating-point environment changes nothing of quantized jobs, neither plans nor tables nor
// results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "oracle/oracle.h"
#include "oracle/quantize.h"
#include "support/crash_note.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/run_job.h"
#include "support/targets.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace {

using support::Average;
using support::Bytes;
using support::Random;
using support::RandomCase;

// Sets a rounding mode, and on x86 whether subnormal numbers count as zero, until the end of scope.
class Environment {
 public:
  Environment(int rounding, bool flush_to_zero) {
    std::fegetenv(&saved_);
    std::fesetround(rounding);
#if defined(__SSE2__)
    if (flush_to_zero) _mm_setcsr(_mm_getcsr() | 0x8040);  // results and operands
#else
    (void)flush_to_zero;
#endif
  }
  ~Environment() { std::fesetenv(&saved_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::fenv_t saved_;
};

// What a job leaves in memory: its plan, its table and its results.
struct Outcome {
  lanepool_desc desc;
  support::Table table;
  Bytes y;
};

Outcome RunUnder(int rounding, bool flush_to_zero, const RandomCase& item, uint64_t target_mask,
                 const Bytes& x) {
  const Environment environment(rounding, flush_to_zero);
  Outcome outcome = {support::Plan(item.params, target_mask).desc, {}, {}};
  outcome.table = support::MakeTable(outcome.desc, item.arrays);
  outcome.y = support::RunOnce(outcome.desc, x, outcome.table);
  return outcome;
}

void CheckEnvironments(const RandomCase& item, const Bytes& x) {
  support::SetCrashNote("floating-point environments: " + item.Text());
  for (const support::Target& target : support::SupportedTargets()) {
    const Outcome usual = RunUnder(FE_TONEAREST, false, item, target.mask, x);
    for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      for (const bool flush_to_zero : {false, true}) {
        const Outcome other = RunUnder(rounding, flush_to_zero, item, target.mask, x);
        SCOPED_TRACE(target.name + ", rounding " + std::to_string(rounding) +
                     (flush_to_zero ? ", flush to zero" : ""));
        ASSERT_EQ(std::memcmp(&other.desc, &usual.desc, sizeof usual.desc), 0) << "the plan";
        ASSERT_EQ(other.table, usual.table) << "the table";
        ASSERT_EQ(support::Difference(other.y, usual.y, 1), "");
      }
    }
    std::string why;
    ASSERT_TRUE(oracle::Agrees(item.params, x.data(), usual.y.data(), &why, item.arrays)) << why;
  }
}

bool IsBytesOnly(const lanepool_params& params) {
  return params.x_type != LANEPOOL_TYPE_FLOAT && params.y_type != LANEPOOL_TYPE_FLOAT;
}

TEST(FloatEnvironment, RandomJobs) {
  for (int64_t i = 0; i < support::CaseCount(200) && !HasFatalFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 131071);
    const RandomCase item = support::MakeQuantizedCase(&random);
    if (!IsBytesOnly(item.params)) continue;
    SCOPED_TRACE(item.Text());
    CheckEnvironments(item, support::MakeX(&random, item));
  }
}

TEST(FloatEnvironment, SubnormalScales) {
  const float scales[][2] = {{1e-41f, 1e-41f}, {2e-45f, 5e-45f}, {1e-41f, 3e-41f},
                             {9e-39f, 2e-38f}, {2e-38f, 9e-39f}, {1.4e-45f, 1.4e-45f}};
  for (const auto& pair : scales) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
      for (const int64_t kernel : {2, 3, 17}) {
        for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
          const support::Params base = support::Params(op, {19, 20})
                                           .Kernel({kernel, kernel})
                                           .Channels(21)
                                           .Layout(layout)
                                           .Scales(pair[0], pair[1]);
          for (const support::Params& params :
               {support::Params(base).Type(LANEPOOL_TYPE_UINT8).ZeroPoints(9, 9),
                support::Params(base)
                    .Types(LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8)
                    .ZeroPoints(100, -3)}) {
            const RandomCase item = {params, support::Data::kIntegers};
            SCOPED_TRACE(item.Text());
            Random random(static_cast<uint64_t>(kernel));
            CheckEnvironments(item, support::MakeX(&random, item));
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// A clamp that starts above 0, if only by a subnormal number, leaves 0 out.
TEST(FloatEnvironment, SubnormalClamps) {
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  for (const double end : {kTiny, -kTiny, 0.0}) {
    for (const bool is_low : {false, true}) {
      const lanepool_params params = support::Max({40})
                                         .Kernel({1})
                                         .Types(LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8)
                                         .ZeroPoints(128, 0)
                                         .Clamp(is_low ? end : -9, is_low ? 9 : end);
      const RandomCase item = {params, support::Data::kIntegers, support::IntegerData::kRandom};
      SCOPED_TRACE(item.Text());
      Random random(7);
      CheckEnvironments(item, support::MakeX(&random, item));
    }
  }
}

// Arrays of subnormal scales, for MAX next to each other.
TEST(FloatEnvironment, SubnormalArrays) {
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    const lanepool_params params = support::Params(op, {5, 6})
                                       .Kernel({2, 2})
                                       .Channels(40)
                                       .Type(LANEPOOL_TYPE_UINT8)
                                       .ScaleCounts(40, 40);
    RandomCase item = {params, support::Data::kIntegers};
    for (int c = 0; c < 40; ++c) {
      const int half = c / 2;
      item.arrays.x_scales.push_back(std::ldexp(static_cast<float>(c + 1), -149));
      item.arrays.y_scales.push_back(std::ldexp(static_cast<float>(half + 1), -149));
    }
    SCOPED_TRACE(item.Text());
    Random random(7);
    CheckEnvironments(item, support::MakeX(&random, item));
  }
}

// --- averages that blocks divide -----------------------------------------------------------------

// Of each channel the first of four windows of h x w taps has a sum at a tie of two results, one
// below, or one above, or as near as there are sums; the others are near it.
Bytes NearTies(const lanepool_params& params, int64_t divisor) {
  const int64_t h = params.input[0], w = params.input[1], channels = params.channels;
  const int64_t taps = params.kernel[0] * params.kernel[1];
  const bool is_nhwc = params.layout == LANEPOOL_LAYOUT_NHWC;
  const int low = static_cast<int32_t>(oracle::LowestInteger(params.x_type));
  const double ratio = static_cast<double>(params.x_scale) / static_cast<double>(params.y_scale);
  const double zero = params.x_zero_point - low;
  Bytes x(static_cast<size_t>(h * w * channels));
  for (int64_t c = 0; c < channels; ++c) {
    const double mean = 255.0 * static_cast<double>(c) / static_cast<double>(channels);
    const double tie = (std::floor((mean - zero) * ratio) + 0.5) / ratio + zero;
    const double nearest = std::round(tie * static_cast<double>(divisor));
    const int64_t sum = static_cast<int64_t>(std::clamp(nearest + static_cast<double>(c % 3 - 1),
                                                        0.0, 255.0 * static_cast<double>(taps)));
    int64_t more = sum % taps;
    for (int64_t i = 0; i < h * w; ++i) {
      const bool is_tap = i / w < params.kernel[0] && i % w < params.kernel[1];
      int64_t value = sum / taps;
      if (is_tap && more > 0) {
        ++value;
        --more;
      }
      x[static_cast<size_t>(is_nhwc ? i * channels + c : c * h * w + i)] =
          static_cast<unsigned char>(low + value);
    }
  }
  return x;
}

// All of a job's roundings and some zero points, in both layouts. How many are no blocks.
int CheckTies(const support::Params& base, int64_t divisor) {
  int others = 0;
  for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
    for (const int32_t rounding :
         {LANEPOOL_ROUND_HALF_EVEN, LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT,
          LANEPOOL_ROUND_HALF_AWAY}) {
      // An odd zero point makes ties odd; of s8 -128 is none.
      for (const int32_t zero_point : {-128, -127, 4}) {
        const lanepool_params given = base;
        const bool constant = given.divisor == LANEPOOL_DIVISOR_CONSTANT;
        if (constant && zero_point != -128) continue;
        const support::Params params =
            support::Params(base).Layout(layout).Rounding(rounding).ZeroPoints(zero_point,
                                                                               zero_point / 2 + 3);
        const RandomCase item = {params, support::Data::kIntegers};
        SCOPED_TRACE(item.Text());
        const std::string way = support::Explanation(support::Plan(item.params).desc);
        others += way.find("blocks") == std::string::npos ? 1 : 0;
        CheckEnvironments(item, NearTies(item.params, divisor));
        if (testing::Test::HasFatalFailure()) return others;
      }
    }
  }
  return others;
}

// Of few taps windows are many, or they would be folded one by one.
support::Params Means(int64_t h, int64_t w, int64_t channels) {
  const int64_t more = h * w < 200 ? 7 : 1;
  return Average({h + more, w + more}).Kernel({h, w}).Channels(channels).Type(LANEPOOL_TYPE_INT8);
}

struct Window {
  int64_t h, w;
};

// Divisors on both sides of those from which on quotients are made in another way.
TEST(FloatEnvironment, AveragesOfOneScale) {
  const Window windows[] = {{6, 6},   {7, 7},   {10, 10}, {45, 45}, {32, 64},  {41, 50},
                            {50, 51}, {51, 51}, {39, 70}, {28, 98}, {128, 255}};
  int others = 0;
  for (const Window& window : windows) {
    const int64_t taps = window.h * window.w;
    const support::Params means = Means(window.h, window.w, taps < 200 ? 768 : 48);
    others += CheckTies(support::Params(means).Scales(0.1f, 0.1f), taps);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(others, 0);
}

// Quotients beyond bytes, too.
TEST(FloatEnvironment, AveragesWithAnyDivisor) {
  int others = 0;
  for (const int64_t divisor : {1, 3, 100, 399, 400, 2048, 2730, 2732, 32767}) {
    const support::Params means =
        Means(20, 20, 96).Scales(0.1f, 0.1f).Divisor(LANEPOOL_DIVISOR_CONSTANT, divisor);
    others += CheckTies(means, divisor);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(others, 0);
}

// Quotients so far beyond bytes that what they are rounded by leaves 32 bits.
TEST(FloatEnvironment, AveragesFarBeyondBytes) {
  for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
    for (const int64_t divisor : {1, 2, 4, 6, 3000}) {
      const support::Params params = Means(100, 100, 24)
                                         .Scales(0.1f, 0.1f)
                                         .Divisor(LANEPOOL_DIVISOR_CONSTANT, divisor)
                                         .ZeroPoints(-128, 0)
                                         .Layout(layout);
      const RandomCase item = {params, support::Data::kIntegers, support::IntegerData::kRandom};
      SCOPED_TRACE(item.Text());
      Random random(7);
      CheckEnvironments(item, support::MakeX(&random, item));
      if (HasFatalFailure()) return;
    }
  }
}

// Ratios that are fractions of small numbers, whose ties are frequent, and any others.
TEST(FloatEnvironment, AveragesOfTwoScales) {
  const float scales[][2] = {{0.1f, 0.2f},    {0.2f, 0.1f},    {1, 3},          {4, 3},
                             {63, 64},        {4, 1},          {1, 64},         {1, 65},
                             {0.02f, 0.031f}, {0.031f, 0.02f}, {0.079f, 0.02f}, {0.001f, 3.7f},
                             {1, 65000},      {5, 63},         {3e-38f, 2e-38f}};
  int others = 0;
  for (const auto& pair : scales) {
    for (const Window& window : {Window{6, 6}, {9, 7}, {16, 16}, {31, 33}, {51, 51}}) {
      const support::Params means = Means(window.h, window.w, 64).Scales(pair[0], pair[1]);
      others += CheckTies(means, window.h * window.w);
      if (HasFatalFailure()) return;
    }
    // Constant divisors, from that of the taps on.
    for (const int64_t divisor : {100, 101, 1300}) {
      const support::Params means = Means(10, 10, 96).Scales(pair[0], pair[1]);
      others +=
          CheckTies(support::Params(means).Divisor(LANEPOOL_DIVISOR_CONSTANT, divisor), divisor);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(others, 0);
}

// Chequered planes of two neighbouring numbers: windows are as near to a tie of two results as with
// so many taps. Lanes differ, and for these divisors the product of two reciprocals is not enough.
TEST(FloatEnvironment, NearTiesOfLanesThatDiffer) {
  for (const Window& window : {Window{43, 63}, {63, 43}, {93, 29}}) {
    const int64_t h = window.h + 8, w = window.w + 3, channels = 20;
    const support::Params params = Average({h, w})
                                       .Kernel({window.h, window.w})
                                       .Pads({0, 1, 0, 1})
                                       .Channels(channels)
                                       .Layout(LANEPOOL_LAYOUT_NCHW)
                                       .Type(LANEPOOL_TYPE_UINT8)
                                       .Scales(0.1f, 0.1f);
    const RandomCase item = {params, support::Data::kIntegers};
    SCOPED_TRACE(item.Text());
    Bytes x;
    for (int64_t i = 0; i < channels * h * w; ++i) {
      const int64_t plane = i / (h * w), row = i / w % h, column = i % w;
      x.push_back(static_cast<unsigned char>(254 - plane + (row + column) % 2));
    }
    CheckEnvironments(item, x);
    if (HasFatalFailure()) return;
  }
}

// Windows that lack taps, with results in all of the range and ties among them.
TEST(FloatEnvironment, AveragesWithPads) {
  const float scales[][2] = {{0.1f, 0.1f}, {0.1f, 0.2f}, {0.3f, 0.1f}, {0.02f, 0.031f}};
  for (const auto& pair : scales) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      Random random(seed);
      const int64_t taps = random.Between(6, 12), pad = random.Between(1, taps - 1);
      support::Params params =
          Average({random.Between(12, 40), random.Between(12, 40)})
              .Kernel({taps, taps})
              .Pads({pad, pad, pad, pad})
              .Channels(random.Pick({7, 40, 64, 130}))
              .Layout(random.Pick({LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}))
              .Type(LANEPOOL_TYPE_UINT8)
              .Scales(pair[0], pair[1])
              .ZeroPoints(static_cast<int32_t>(random.Between(0, 255)), 77)
              .Rounding(random.Pick({0, 1, 2}));
      const RandomCase item = {
          params, support::Data::kIntegers,
          random.Pick({support::IntegerData::kRandom, support::IntegerData::kFew,
                       support::IntegerData::kEnds})};
      SCOPED_TRACE(item.Text());
      CheckEnvironments(item, support::MakeX(&random, item));
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
