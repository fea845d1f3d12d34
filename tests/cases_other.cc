// Ops, types and policies that the table of edge cases has no row for, worked out by hand.
#include <cmath>

#include "cases.h"
#include "support/job.h"

namespace cases {
namespace {

using support::Average;
using support::Lp;
using support::Max;
using support::Min;
using support::Params;
using support::Sum;

constexpr int32_t kU16 = LANEPOOL_TYPE_UINT16;
constexpr int32_t kS16 = LANEPOOL_TYPE_INT16;
constexpr int32_t kS32 = LANEPOOL_TYPE_INT32;
constexpr int32_t kU8 = LANEPOOL_TYPE_UINT8;
constexpr int32_t kF16 = LANEPOOL_TYPE_FLOAT16;
constexpr int32_t kBf16 = LANEPOOL_TYPE_BFLOAT16;
constexpr int32_t kF64 = LANEPOOL_TYPE_DOUBLE;

Case Row(const char* row, const char* reason, const Params& params, const std::vector<double>& x,
         const std::vector<double>& y) {
  return {row, reason, params, x, 0, y};
}

Params Skipping(const Params& params) { return Params(params).NanRule(LANEPOOL_NAN_IGNORE); }

std::vector<Case> MinAndSumCases() {
  return {
      Row("s6", "least", Min({4}).Kernel({2}), {3, -1, 2, 2}, {-1, -1, 2}),
      Row("s6b", "least_nan_spreads", Min({3}).Kernel({2}), {3, kNan, -kInf}, {kNan, kNan}),
      Row("s6c", "least_without_nan", Skipping(Min({4}).Kernel({2})), {3, kNan, kNan, kInf},
          {3, kNan, kInf}),
      Row("s6d", "least_of_nothing_is_highest", Min({2}).Kernel({2}).Pads({2, 2}), {1, 2},
          {kInf, 1, 1, 2, kInf}),
      Row("s6e", "least_of_nothing_u8", Min({1}).Kernel({1}).Pads({1, 0}).Type(kU8), {7}, {255, 7}),
      Row("s6f", "least_of_nothing_is_clamped",
          Min({1}).Kernel({1}).Pads({1, 0}).Type(kU8).Clamp(0, 9), {77}, {9, 9}),
      Row("s6g", "least_zero_is_positive", Min({3}).Kernel({2}), {-0.0, 0.0, -0.0}, {0, 0}),
      Row("s6h", "least_to_another_scale",
          Min({2}).Kernel({2}).Types(kU8, LANEPOOL_TYPE_INT8).Scales(2, 1).ZeroPoints(10, -3),
          {12, 11}, {-1}),
      Row("s6i", "least_s32", Min({3}).Kernel({2}).Type(kS32), {-2147483648.0, 5, 2147483647},
          {-2147483648.0, 5}),
      Row("s6j", "sum", Sum({4}).Kernel({3}).Pads({1, 1}), {1, 2, 3, 4}, {3, 6, 9, 7}),
      Row("s6k", "sum_of_nothing",
          Sum({1}).Kernel({1}).Pads({1, 1}).EmptyWindow(LANEPOOL_EMPTY_NAN), {5}, {0, 5, 0}),
      Row("s6l", "sum_of_half_overflows", Sum({2}).Kernel({2}).Type(kF16), {40000, 40000}, {kInf}),
      Row("s6m", "sum_of_half_ties_to_even", Sum({2}).Kernel({2}).Type(kF16), {2048, 1}, {2048}),
      Row("s6n", "sum_of_bfloat_is_rounded_once", Sum({3}).Kernel({3}).Type(kBf16), {256, 1, 1},
          {258}),
  };
}

std::vector<Case> LpCases() {
  return {
      Row("s6o", "greatest_magnitude", Lp({3}).Kernel({2}).LpOrder(kInf), {3, -4, 1}, {4, 4}),
      Row("s6p", "real_order", Lp({2}).Kernel({2}).LpOrder(1.5), {4, -9},
          {std::pow(8 + 27, 2 / 3.)}),
      Row("s6q", "squares_overflow", Lp({2}).Kernel({2}), {2e19, 1}, {kInf}),
      Row("s6r", "squares_of_half_do_not", Lp({2}).Kernel({2}).Type(kF16), {3000, -4000}, {5000}),
      Row("s6s", "magnitude_of_nothing", Lp({1}).Kernel({1}).Pads({1, 0}), {-2}, {0, 2}),
      Row("s6t", "squares_in_f64", Lp({2}).Kernel({2}).Flag(LANEPOOL_FLAG_ACCUMULATE_F64),
          {3e30, 4e30}, {static_cast<double>(5e30f)}),
      Row("s6u", "double_squares", Lp({2}).Kernel({2}).Type(kF64), {3, 4}, {5}),
      Row("s6v", "without_nan", Skipping(Lp({3}).Kernel({3})), {3, kNan, 4}, {5}),
      Row("s6w", "nan_spreads", Lp({2}).Kernel({2}).LpOrder(kInf), {kNan, 4}, {kNan}),
  };
}

// Skipped taps leave the divisor as well.
std::vector<Case> NanMeanCases() {
  const Params three = Average({3}).Kernel({3}).Pads({1, 1});
  const std::vector<double> x = {1, kNan, 5};
  return {
      Row("s4", "mean_without_nan", Skipping(three), x, {1, 3, 5}),
      Row("s4b", "mean_without_nan_include", Skipping(three).Include(), x, {0.5, 3, 2.5}),
      Row("s4c", "mean_without_nan_full",
          Skipping(Average({2}).Kernel({3}).Strides({2}).Ceil())
              .Divisor(LANEPOOL_DIVISOR_FULL_KERNEL),
          {kNan, 4}, {2}),
      Row("s4d", "mean_without_nan_constant", Skipping(three).Divisor(LANEPOOL_DIVISOR_CONSTANT, 4),
          x, {0.25, 1.5, 1.25}),
      Row("s4e", "mean_of_nan_only", Skipping(Average({3}).Kernel({2})), {kNan, kNan, 2},
          {kNan, 2}),
      Row("s4f", "sum_without_nan", Skipping(Sum({3}).Kernel({2})), x, {1, 5}),
      Row("s4g", "mean_of_half_without_nan", Skipping(Average({3}).Kernel({3}).Type(kF16)),
          {1, kNan, 4}, {2.5}),
  };
}

std::vector<Case> IntegerCases() {
  const std::vector<double> pairs = {0, 1, 1, 2, -1, 0, -1, -2};
  const Params s16 = Average({8}).Kernel({2}).Strides({2}).Type(kS16);
  return {
      Row("s4h", "mean_s16_ties_to_even", s16, pairs, {0, 2, 0, -2}),
      Row("s4i", "mean_s16_ties_to_even_too",
          Params(s16).Rounding(LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT), pairs, {0, 2, 0, -2}),
      Row("s4j", "mean_s16_ties_away", Params(s16).Rounding(LANEPOOL_ROUND_HALF_AWAY), pairs,
          {1, 2, -1, -2}),
      Row("s4k", "mean_u16_of_ends", Average({3}).Kernel({3}).Type(kU16), {65535, 65535, 65535},
          {65535}),
      Row("s4l", "mean_s16_constant_saturates",
          Average({2}).Kernel({2}).Type(kS16).Divisor(LANEPOOL_DIVISOR_CONSTANT, 1),
          {-32768, -32768}, {-32768}),
      Row("s4m", "mean_u16_constant_saturates",
          Average({2}).Kernel({2}).Type(kU16).Divisor(LANEPOOL_DIVISOR_CONSTANT, 1), {65535, 65535},
          {65535}),
      Row("s4n", "mean_u16_of_nothing", Average({1}).Kernel({1}).Pads({1, 0}).Type(kU16), {9},
          {0, 9}),
      Row("s4o", "mean_s16_include", Average({2}).Kernel({3}).Pads({1, 1}).Include().Type(kS16),
          {-7, -7}, {-5, -5}),
      Row("s5", "max_u16_of_nothing", Max({1}).Kernel({1}).Pads({1, 0}).Type(kU16), {9}, {0, 9}),
      Row("s5b", "max_s16_of_nothing", Max({1}).Kernel({1}).Pads({1, 0}).Type(kS16), {-9},
          {-32768, -9}),
      Row("s5c", "max_s32", Max({3}).Kernel({2}).Type(kS32), {16777217, 16777216, -5},
          {16777217, 16777216}),
      Row("s5d", "max_s32_clamped", Max({3}).Kernel({2}).Type(kS32).Clamp(-0.5, 16777216.5),
          {16777217, -7, -5}, {16777216, 0}),
  };
}

std::vector<Case> ClampAndAdaptiveCases() {
  const std::vector<double> x = {-3, 1, kNan, 9};
  return {
      Row("s6x", "clamp_of_f32", Max({4}).Kernel({1}).Clamp(0, 6), x, {0, 1, kNan, 6}),
      Row("s6y", "clamp_ends_are_rounded", Max({1}).Kernel({1}).Type(kBf16).Clamp(-1e300, 1.001),
          {5}, {1}),
      Row("s6z", "clamp_of_nothing", Max({1}).Kernel({1}).Pads({1, 0}).Clamp(-2, 2), {5}, {-2, 2}),
      Row("s6aa", "clamp_of_an_average", Average({2}).Kernel({2}).Clamp(0, 1), {4, 5}, {1}),
      Row("s6ab", "clamp_of_bytes_as_floats",
          Average({2}).Kernel({2}).Types(kU8, LANEPOOL_TYPE_FLOAT).Clamp(0, 6), {4, 9}, {6}),
      Row("s6ac", "adaptive_windows_overlap", Average({5}).Adaptive({3}), {1, 2, 3, 4, 5},
          {1.5, 3, 4.5}),
      Row("s6ad", "adaptive_repeats", Average({2}).Adaptive({3}), {1, 2}, {1, 1.5, 2}),
      Row("s6ae", "adaptive_counts_its_taps",
          Average({5}).Adaptive({2}).Divisor(LANEPOOL_DIVISOR_FULL_KERNEL), {1, 2, 3, 4, 5},
          {2, 4}),
      Row("s6af", "adaptive_constant",
          Average({5}).Adaptive({2}).Divisor(LANEPOOL_DIVISOR_CONSTANT, 6), {1, 2, 3, 4, 5},
          {1, 2}),
      Row("s6ag", "adaptive_two_axes", Max({3, 2}).Adaptive({2, 1}), {1, 2, 3, 4, 5, 6}, {4, 6}),
      Row("s6ah", "adaptive_least", Min({5}).Adaptive({3}), {5, 4, 3, 2, 1}, {4, 2, 1}),
  };
}

}  // namespace

std::vector<Case> OtherCases() {
  std::vector<Case> all;
  for (const std::vector<Case>& rows :
       {MinAndSumCases(), LpCases(), NanMeanCases(), IntegerCases(), ClampAndAdaptiveCases()}) {
    for (const Case& item : rows) all.push_back(item);
  }
  return all;
}

}  // namespace cases
