// The edge cases of docs/semantics.md section 10 that concern f32, with results worked out by hand:
// through the oracle, and through the C interface on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/targets.h"

namespace {

using support::Average;
using support::Lp;
using support::Max;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum Engines { kBoth, kOracleOnly };  // kOracleOnly: types and ops that have no kernel yet

struct Case {
  const char* row;     // of the table, with a letter for the other policies of the same row
  const char* reason;  // why it is there
  lanepool_params params;
  std::vector<double> x;
  int32_t status;
  std::vector<double> y;
  Engines engines = kBoth;
};

// For the messages of GoogleTest.
void PrintTo(const Case& item, std::ostream* stream) {
  *stream << item.reason << ": " << support::ParamsText(item.params);
}

std::vector<double> Grid(int count) {
  std::vector<double> values;
  for (int i = 1; i <= count; ++i) values.push_back(i);
  return values;
}

const std::vector<double> kSeries6 = {2.0903, 4.6493, 1.6320,  -3.2051, 4.6975,
                                      4.7296, 3.3653, -1.5815, -2.3832};
const std::vector<double> kTies = {5, 1, 5, 2, 5, 0, 5, 5, 1};

std::vector<Case> AverageCases() {
  return {
      {"1",
       "pads_count_not",
       Average({3, 3}).Kernel({3, 3}).Pads({1, 1, 1, 1}),
       Grid(9),
       0,
       {3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7}},
      {"2",
       "pads_count",
       Average({3, 3}).Kernel({3, 3}).Pads({1, 1, 1, 1}).Include(),
       Grid(9),
       0,
       {12 / 9., 21 / 9., 16 / 9., 3, 5, 33 / 9., 24 / 9., 39 / 9., 28 / 9.}},
      {"3", "ceil_overhang", Average({4}).Kernel({3}).Strides({2}).Ceil(), Grid(4), 0, {2, 3.5}},
      {"4",
       "overhang_counts_not",
       Average({4}).Kernel({3}).Strides({2}).Ceil().Include(),
       Grid(4),
       0,
       {2, 3.5}},
      {"4b",
       "overhang_counts_under_full_kernel",
       Average({4}).Kernel({3}).Strides({2}).Ceil().Divisor(LANEPOOL_DIVISOR_FULL_KERNEL),
       Grid(4),
       0,
       {2, 7 / 3.}},
      {"4c",
       "constant_divisor",
       Average({4}).Kernel({3}).Strides({2}).Ceil().Divisor(LANEPOOL_DIVISOR_CONSTANT, 8),
       Grid(4),
       0,
       {0.75, 0.875}},
      {"5",
       "overhang_of_two_is_at_the_end",
       Average({6}).Kernel({4}).Strides({4}).Ceil(),
       Grid(6),
       0,
       {2.5, 5.5}},
      {"6",
       "overhang_beside_pads_that_count",
       Average({9}).Kernel({7}).Strides({3}).Pads({3, 3}).Ceil().Include(),
       kSeries6,
       0,
       {5.1665 / 7, 17.9589 / 7, 5.6226 / 7, -0.5994 / 6}},
      {"7",
       "overhang_counts_not_2d",
       Average({4, 4}).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}).Ceil().Include(),
       Grid(16),
       0,
       {14 / 9., 30 / 9., 2, 57 / 9., 11, 6, 4.5, 7.5, 4}},
      {"8",
       "overhang_exclude_2d",
       Average({4, 4}).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}).Ceil(),
       Grid(16),
       0,
       {3.5, 5, 6, 9.5, 11, 12, 13.5, 15, 16}},
      {"9",
       "window_in_end_pad_is_dropped",
       Average({4}).Kernel({2}).Strides({3}).Pads({1, 1}).Ceil(),
       Grid(4),
       0,
       {1, 3.5}},
      {"9b",
       "window_in_end_pad_is_kept",
       Average({4}).Kernel({2}).Strides({3}).Pads({1, 1}).Ceil(LANEPOOL_CEIL_KEEP),
       Grid(4),
       0,
       {1, 3.5, 0}},
      {"9c",
       "one_window_is_dropped_not_all",
       Average({2}).Kernel({1}).Pads({0, 3}).Ceil(),
       Grid(2),
       0,
       {1, 2, 0, 0}},
      {"10",
       "end_pad_and_ceil",
       Average({2}).Kernel({2}).Strides({2}).Pads({0, 1}).Ceil(),
       Grid(2),
       0,
       {1.5}},
      {"11", "one_tap_ceil", Average({3}).Kernel({1}).Strides({2}).Ceil(), Grid(3), 0, {1, 3}},
      {"12",
       "end_pads_count",
       Average({2, 2}).Kernel({2, 2}).Pads({0, 0, 1, 1}).Include(),
       {1, 1, 1, 1},
       0,
       {1, 0.5, 0.5, 0.25}},
      {"13", "begin_pads_only", Average({3}).Kernel({3}).Pads({2, 0}), Grid(3), 0, {1, 1.5, 2}},
      {"14",
       "begin_pads_count",
       Average({3}).Kernel({3}).Pads({2, 0}).Include(),
       Grid(3),
       0,
       {1 / 3., 1, 2}},
      {"15",
       "same_upper",
       Average({3}).Kernel({2}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER),
       Grid(3),
       0,
       {1.5, 2.5, 3}},
      {"16",
       "same_lower",
       Average({3}).Kernel({2}).AutoPad(LANEPOOL_AUTO_PAD_SAME_LOWER),
       Grid(3),
       0,
       {1, 1.5, 2.5}},
      {"17",
       "same_pads_count",
       Average({3}).Kernel({2}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER).Include(),
       Grid(3),
       0,
       {1.5, 2.5, 1.5}},
      {"18",
       "same_on_both_sides",
       Average({6}).Kernel({5}).AutoPad(LANEPOOL_AUTO_PAD_SAME_LOWER).Include(),
       {0, 2, 4, 6, 8, 10},
       0,
       {1.2, 2.4, 4, 6, 5.6, 4.8}},
      {"19",
       "same_upper_never_crops",
       Average({7}).Kernel({1}).Strides({4}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER),
       Grid(7),
       0,
       {1, 5}},
      {"20",
       "same_lower_never_crops",
       Average({7}).Kernel({1}).Strides({4}).AutoPad(LANEPOOL_AUTO_PAD_SAME_LOWER),
       Grid(7),
       0,
       {1, 5}},
      {"21",
       "same_uses_the_effective_kernel",
       Average({6}).Kernel({3}).Dilations({2}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER),
       Grid(6),
       0,
       {2, 3, 3, 4, 4, 5}},
      {"22",
       "valid_uses_the_effective_kernel",
       Average({6}).Kernel({2}).Strides({2}).Dilations({2}).AutoPad(LANEPOOL_AUTO_PAD_VALID),
       Grid(6),
       0,
       {2, 4}},
      {"23",
       "dilated_pads_count_not",
       Average({4}).Kernel({3}).Dilations({2}).Pads({2, 2}),
       Grid(4),
       0,
       {2, 3, 2, 3}},
      {"24",
       "dilated_divisor_counts_taps",
       Average({4}).Kernel({3}).Dilations({2}).Pads({2, 2}).Include(),
       Grid(4),
       0,
       {4 / 3., 2, 4 / 3., 2}},
      {"25",
       "taps_straddle_the_input",
       Average({2}).Kernel({2}).Dilations({3}).Pads({1, 1}),
       Grid(2),
       0,
       {0}},
      {"25b",
       "straddling_mean_of_nothing",
       Average({2}).Kernel({2}).Dilations({3}).Pads({1, 1}).EmptyWindow(LANEPOOL_EMPTY_NAN),
       Grid(2),
       0,
       {kNan}},
      {"27",
       "kernel_beyond_input",
       Average({2}).Kernel({3}).Strides({2}),
       Grid(2),
       LANEPOOL_EMPTY_OUTPUT,
       {}},
      {"27b",
       "kernel_beyond_input_truncates",
       Average({2}).Kernel({3}).Strides({2}).Oversize(LANEPOOL_OVERSIZE_TRUNCATE),
       Grid(2),
       0,
       {1.5}},
      {"28",
       "kernel_beyond_input_ceil",
       Average({2}).Kernel({3}).Strides({2}).Ceil(),
       Grid(2),
       0,
       {1.5}},
      {"29", "pad_eq_kernel", Average({2}).Kernel({2}).Pads({2, 2}), Grid(2), 0, {0, 1, 1.5, 2, 0}},
      {"29b",
       "pad_eq_kernel_mean_of_nothing",
       Average({2}).Kernel({2}).Pads({2, 2}).EmptyWindow(LANEPOOL_EMPTY_NAN),
       Grid(2),
       0,
       {kNan, 1, 1.5, 2, kNan}},
      {"29c",
       "pad_eq_kernel_rejected",
       Average({2}).Kernel({2}).Pads({2, 2}).EmptyWindow(LANEPOOL_EMPTY_REJECT),
       Grid(2),
       LANEPOOL_EMPTY_WINDOW,
       {}},
      {"30",
       "pad_eq_kernel_include",
       Average({2}).Kernel({2}).Pads({2, 2}).Include(),
       Grid(2),
       0,
       {0, 0.5, 1.5, 1, 0}},
      {"30b",
       "pads_that_count_are_not_nothing",
       Average({2}).Kernel({2}).Pads({2, 2}).Include().EmptyWindow(LANEPOOL_EMPTY_NAN),
       Grid(2),
       0,
       {0, 0.5, 1.5, 1, 0}},
      {"32",
       "valid_with_ceil",
       Average({6}).Kernel({4}).Strides({4}).AutoPad(LANEPOOL_AUTO_PAD_VALID).Ceil(),
       Grid(6),
       0,
       {2.5, 5.5}},
      {"32b",
       "valid_ignores_ceil",
       Average({6})
           .Kernel({4})
           .Strides({4})
           .AutoPad(LANEPOOL_AUTO_PAD_VALID)
           .Ceil()
           .ValidCeil(LANEPOOL_VALID_FLOOR),
       Grid(6),
       0,
       {2.5}},
      {"33", "nan_spreads", Average({4}).Kernel({2}), {1, kNan, 2, 3}, 0, {kNan, kNan, 2.5}},
      {"34",
       "infinities",
       Average({4}).Kernel({2}),
       {kInf, 1, -kInf, kInf},
       0,
       {kInf, -kInf, kNan}},
      {"35", "sum_overflows", Average({4}).Kernel({2}), {3e38, 3e38, 1, 1}, 0, {kInf, 1.5e38, 1}},
      {"46",
       "three_axes_drop_their_second_window",
       Average({2, 2, 2})
           .Kernel({2, 2, 2})
           .Strides({2, 2, 2})
           .Pads({0, 0, 0, 1, 1, 1})
           .Ceil()
           .Include(),
       Grid(8),
       0,
       {4.5}},
      {"47",
       "double",
       Average({3}).Kernel({3}).Type(LANEPOOL_TYPE_DOUBLE),
       {1, 2, 4},
       0,
       {2.3333333333333335},
       kOracleOnly},
  };
}

std::vector<Case> MaxCases() {
  return {
      {"26",
       "taps_straddle_the_input",
       Max({2}).Kernel({2}).Dilations({3}).Pads({1, 1}),
       Grid(2),
       0,
       {-kInf}},
      {"31",
       "pad_eq_kernel",
       Max({2}).Kernel({2}).Pads({2, 2}),
       Grid(2),
       0,
       {-kInf, 1, 2, 2, -kInf}},
      {"31b",
       "empty_is_lowest_under_nan_too",
       Max({2}).Kernel({2}).Pads({2, 2}).EmptyWindow(LANEPOOL_EMPTY_NAN),
       Grid(2),
       0,
       {-kInf, 1, 2, 2, -kInf}},
      {"36",
       "nan_spreads",
       Max({8}).Kernel({2}),
       {1, kNan, 2, 3, kNan, -5, kNan, kNan},
       0,
       {kNan, kNan, 3, kNan, kNan, kNan, kNan}},
      {"36b",
       "nan_is_skipped",
       Max({8}).Kernel({2}).NanRule(LANEPOOL_NAN_IGNORE),
       {1, kNan, 2, 3, kNan, -5, kNan, kNan},
       0,
       {1, 2, 3, 3, -5, -5, kNan}},
      {"37",
       "nan_first_or_last",
       Max({8}).Kernel({2}).Strides({2}),
       {1, kNan, kNan, 2, kNan, kNan, 3, 4},
       0,
       {kNan, kNan, kNan, 4}},
      {"37b",
       "nan_first_or_last_is_skipped",
       Max({8}).Kernel({2}).Strides({2}).NanRule(LANEPOOL_NAN_IGNORE),
       {1, kNan, kNan, 2, kNan, kNan, 3, 4},
       0,
       {1, 2, kNan, 4}},
      {"38", "all_lowest", Max({3}).Kernel({2}), {-kInf, -kInf, -kInf}, 0, {-kInf, -kInf}},
      {"38b",
       "lowest_and_nan",
       Max({3}).Kernel({2}).NanRule(LANEPOOL_NAN_IGNORE),
       {-kInf, kNan, kNan},
       0,
       {-kInf, kNan}},
      {"39",
       "nan_values",
       Max({5}).Kernel({2}),
       {1, kNan, 2, kNan, kNan},
       0,
       {kNan, kNan, kNan, kNan}},
      {"40", "ties", Max({3, 3}).Kernel({2, 2}), kTies, 0, {5, 5, 5, 5}},
      {"41",
       "ties_in_padded_windows",
       Max({3, 3}).Kernel({2, 2}).Strides({2, 2}).Pads({1, 1, 1, 1}),
       kTies,
       0,
       {5, 5, 5, 5}},
      {"45",
       "three_axes",
       Max({2, 2, 2}).Kernel({1, 1, 2}),
       {0, 1, 2, 3, 4, 5, 6, 7},
       0,
       {1, 3, 5, 7}},
      {"zero", "a_zero_is_positive", Max({4}).Kernel({2}), {-0.0, -0.0, 0.0, -1}, 0, {0, 0, 0}},
  };
}

std::vector<Case> LpCases() {
  return {
      {"42",
       "root_of_squares",
       Lp({3}).Kernel({2}).Pads({1, 1}),
       {3, 4, -3},
       0,
       {3, 5, 5, 3},
       kOracleOnly},
      {"43",
       "sum_of_absolutes",
       Lp({3}).Kernel({2}).LpOrder(1),
       {3, -4, 5},
       0,
       {7, 9},
       kOracleOnly},
      {"44",
       "overhang_adds_nothing",
       Lp({3}).Kernel({2}).Strides({2}).Ceil().LpOrder(3),
       {3, -4, 5},
       0,
       {std::cbrt(91.0), 5},
       kOracleOnly},
  };
}

std::vector<Case> AllCases() {
  std::vector<Case> cases = AverageCases();
  for (const Case& item : MaxCases()) cases.push_back(item);
  for (const Case& item : LpCases()) cases.push_back(item);
  return cases;
}

std::vector<Case> LibraryCases() {
  std::vector<Case> cases;
  for (const Case& item : AllCases()) {
    if (item.engines == kBoth) cases.push_back(item);
  }
  return cases;
}

// The case for several equal channels in a layout, and its data in that layout.
struct Widened {
  lanepool_params params;
  std::vector<float> x;
};

std::vector<float> Widen(const std::vector<double>& plane, int64_t channels, int32_t layout) {
  std::vector<float> values;
  const int64_t size = static_cast<int64_t>(plane.size());
  for (int64_t i = 0; i < size * channels; ++i) {
    const int64_t at = layout == LANEPOOL_LAYOUT_NHWC ? i / channels : i % size;
    values.push_back(static_cast<float>(plane[static_cast<size_t>(at)]));
  }
  return values;
}

Widened WidenCase(const Case& item, int64_t channels, int32_t layout) {
  Widened result = {item.params, Widen(item.x, channels, layout)};
  result.params.channels = channels;
  result.params.layout = layout;
  return result;
}

void ExpectValue(const Case& item, double got, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << got;
  } else if (item.params.op == LANEPOOL_OP_MAX || std::isinf(expected)) {
    EXPECT_EQ(got, expected);
    EXPECT_EQ(std::signbit(got), std::signbit(expected));
  } else {
    // Seven digits, as in the table; oracle::Agrees knows the error bound.
    EXPECT_NEAR(got, expected, 1e-6 * std::max(1.0, std::fabs(expected)));
  }
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  return std::string("row") + info.param.row + "_" + info.param.reason;
}

class OracleCase : public testing::TestWithParam<Case> {};
class LibraryCase : public testing::TestWithParam<Case> {};

TEST_P(OracleCase, GivesTheTable) {
  const Case& item = GetParam();
  const oracle::Shape shape = oracle::ResolveShape(item.params);
  ASSERT_EQ(shape.status, item.status);
  if (shape.status != LANEPOOL_OK) return;
  ASSERT_EQ(oracle::TensorOfX(item.params).Span(), static_cast<int64_t>(item.x.size()));
  ASSERT_EQ(oracle::TensorOfY(item.params, shape).Span(), static_cast<int64_t>(item.y.size()));

  if (item.params.x_type == LANEPOOL_TYPE_DOUBLE) {
    std::vector<double> y(item.y.size());
    oracle::Pool(item.params, item.x.data(), y.data());
    EXPECT_EQ(y, item.y);
    return;
  }
  const std::vector<float> x(item.x.begin(), item.x.end());
  std::vector<float> y(item.y.size());
  oracle::Pool(item.params, x.data(), y.data());
  for (size_t i = 0; i < y.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ExpectValue(item, static_cast<double>(y[i]), item.y[i]);
  }
}

void CheckLibrary(const Case& item, const Widened& widened, const support::Target& target) {
  const support::Planned planned = support::Plan(widened.params, target.mask);
  ASSERT_EQ(planned.status, item.status) << support::ErrorText(planned.error);
  if (planned.status != LANEPOOL_OK) return;
  std::vector<float> y(item.y.size() * static_cast<size_t>(widened.params.channels), -77);
  ASSERT_EQ(planned.desc.element_count, static_cast<int64_t>(y.size()));
  ASSERT_EQ(support::Run(planned.desc, widened.x.data(), y.data()), LANEPOOL_OK);

  const std::vector<float> expected = Widen(item.y, widened.params.channels, widened.params.layout);
  for (size_t i = 0; i < y.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ExpectValue(item, static_cast<double>(y[i]), static_cast<double>(expected[i]));
  }
  std::string why;
  EXPECT_TRUE(oracle::Agrees(widened.params, widened.x.data(), y.data(), &why)) << why;
}

TEST_P(LibraryCase, GivesTheTableOnEveryTarget) {
  for (const support::Target& target : support::SupportedTargets()) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
      for (const int64_t channels : {1, 3, 37}) {
        const Widened widened = WidenCase(GetParam(), channels, layout);
        SCOPED_TRACE(target.name + ": " + support::ParamsText(widened.params));
        CheckLibrary(GetParam(), widened, target);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Section10, OracleCase, testing::ValuesIn(AllCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Section10, LibraryCase, testing::ValuesIn(LibraryCases()), NameOf);

}  // namespace
