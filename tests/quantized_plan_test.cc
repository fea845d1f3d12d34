// What the plan of a quantized job settles: every kind of proven formula comes into use and is
// right, and lanepool_explain names it.
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

const char* const kKinds[] = {"mul16",      "mul16_even", "mul16x32",   "mul16x32_even", "mul32",
                              "mul32_even", "mul64",      "mul64_even", "steps"};

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

}  // namespace
