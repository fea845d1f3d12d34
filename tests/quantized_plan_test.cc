// What the plan of a quantized job settles: every kind of proven formula comes into use and is
// right, lanepool_explain names it, and the floating-point environment changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "support/check_job.h"
#include "support/crash_note.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/targets.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace {

using support::Average;
using support::Bytes;
using support::Explanation;
using support::Random;
using support::RandomCase;

// --- formulas ------------------------------------------------------------------------------------

const char* const kKinds[] = {"mul16", "mul16_even", "mul32", "mul32_even",
                              "mul64", "mul64_even", "steps"};

// The words that lanepool_explain has for the formulas of a desc.
std::vector<std::string> KindsOf(const lanepool_desc& desc) {
  std::string line = Explanation(desc);
  std::replace(line.begin(), line.end(), ',', ' ');
  std::istringstream words(line);
  std::vector<std::string> kinds;
  for (std::string word; words >> word;) {
    if (std::count(std::begin(kKinds), std::end(kKinds), word) > 0) kinds.push_back(word);
  }
  return kinds;
}

// A window of `taps` in one dimension, at both ends of which some taps are missing.
RandomCase FormulaCase(int64_t taps, int32_t layout, Random* random) {
  const bool pads = random->Percent(50);
  const int64_t pad = pads ? std::min<int64_t>(2, taps / 2) : 0;
  const lanepool_params params = Average({taps + random->Between(0, 5)})
                                     .Kernel({taps})
                                     .Pads({pad, pad})
                                     .Channels(random->Between(1, 70))
                                     .Layout(layout);
  RandomCase item = {params, support::Data::kIntegers};
  support::Quantize(random, support::Arrays::kPerTensor, &item);
  return item;
}

TEST(Formulas, EveryKindIsUsedAndRight) {
  constexpr int kChecksPerKind = 12;
  for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
    std::map<std::string, int> checked;
    for (uint64_t seed = 1; seed <= 4000; ++seed) {
      Random random(seed * 69317);
      const int64_t taps = random.Pick<int64_t>({2, 4, 9, 25, 64, 100, 196, 258, 400, 784, 3136});
      const RandomCase item = FormulaCase(taps, layout, &random);
      const support::Planned planned = support::Plan(item.params);
      ASSERT_EQ(planned.status, LANEPOOL_OK)
          << item.Text() << ": " << support::ErrorText(planned.error);
      bool is_wanted = false;
      for (const std::string& kind : KindsOf(planned.desc)) {
        is_wanted |= checked[kind]++ < kChecksPerKind;
      }
      if (!is_wanted) continue;
      const Bytes x = support::MakeX(&random, item);
      ASSERT_EQ(support::JobFault(item, x, &random), "")
          << item.Text() << ": " << Explanation(planned.desc);
    }
    for (const char* const kind : kKinds) {
      EXPECT_GE(checked[kind], kChecksPerKind) << kind << " in layout " << layout;
    }
  }
}

TEST(Formulas, ExplainListsTheDivisors) {
  const support::Params params = Average({35, 35})
                                     .Channels(64)
                                     .Kernel({3, 3})
                                     .Pads({1, 1, 1, 1})
                                     .Type(LANEPOOL_TYPE_UINT8)
                                     .ZeroPoints(3, 3);
  const auto expect = [](const lanepool_params& p, const std::vector<std::string>& words) {
    const std::string line = Explanation(support::Plan(p).desc);
    for (const std::string& word : words) {
      EXPECT_NE(line.find(word), std::string::npos) << "no \"" << word << "\" in: " << line;
    }
  };
  expect(params, {"average u8 nhwc 2d 3x3/1: ", "requantize ", "9 mul16", "6 mul16", "4 mul16"});
  expect(support::Params(params).Include(), {"requantize ", "9 mul16", "6/9 ", "4/9 "});
  const std::string maximum = Explanation(
      support::Plan(support::Max({35, 35}).Kernel({3, 3}).Type(LANEPOOL_TYPE_INT8)).desc);
  EXPECT_EQ(maximum.find("requantize"), std::string::npos) << maximum;  // passes as it is
}

// Bytes from f32 are the f32 of the same job, quantized: it has to add in the same order.
TEST(Floats, LoopsDoNotDependOnTheTypeOfY) {
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    Random random(seed * 86243);
    const int64_t taps = random.Between(1, 12);
    const int64_t taps_h = random.Pick({int64_t{1}, int64_t{2}, taps});
    support::Params params = Average({taps_h + random.Between(0, 9), taps + random.Between(0, 9)});
    params.Kernel({taps_h, taps}).Strides({1, random.Pick<int64_t>({1, 2, 3, taps})});
    params.Channels(random.Between(1, random.Pick({8, 70, 300})));
    params.Layout(random.Pick({LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}));
    if (random.Percent(25)) params.Flag(LANEPOOL_FLAG_ACCUMULATE_F64);
    const lanepool_params floats = params;
    lanepool_params bytes = floats;
    bytes.y_type = LANEPOOL_TYPE_UINT8;
    if (random.Percent(50)) bytes.y_scale_count = static_cast<int32_t>(bytes.channels);
    ASSERT_EQ(support::WayOf(support::Plan(bytes).desc), support::WayOf(support::Plan(floats).desc))
        << support::ParamsText(bytes);
  }
}

// --- the floating-point environment --------------------------------------------------------------

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

void CheckEnvironments(const RandomCase& item, Random* random) {
  support::SetCrashNote("floating-point environments: " + item.Text());
  const Bytes x = support::MakeX(random, item);
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
    CheckEnvironments(item, &random);
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
            CheckEnvironments(item, &random);
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
      CheckEnvironments(item, &random);
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
    CheckEnvironments(item, &random);
  }
}

}  // namespace
