// The rows of u8 and s8, with results worked out by hand. Row 59 is in cases_test.cc.
#include "cases.h"
#include "support/job.h"

namespace cases {
namespace {

using support::Average;
using support::Max;

constexpr int32_t kU8 = LANEPOOL_TYPE_UINT8;
constexpr int32_t kS8 = LANEPOOL_TYPE_INT8;
const std::vector<double> kPairs = {0, 1, 1, 2, 2, 3, 3, 4};

std::vector<Case> ByteMaxCases() {
  return {
      {"50",
       "lowest_bytes_s8",
       Max({4}).Kernel({2}).Pads({1, 1}).Type(kS8),
       {-128, -128, 5, -7},
       0,
       {-128, -128, 5, 5, -7}},
      {"50b",
       "lowest_bytes_u8",
       Max({4}).Kernel({2}).Pads({1, 1}).Type(kU8),
       {0, 0, 255, 7},
       0,
       {0, 0, 255, 255, 7}},
      {"50c",
       "empty_is_lowest_s8",
       Max({2}).Kernel({2}).Pads({2, 2}).Type(kS8).ZeroPoints(5, 5),
       {-3, 4},
       0,
       {-128, -3, 4, 4, -128}},
      {"50d",
       "empty_is_lowest_then_clamped",
       Max({2}).Kernel({2}).Pads({2, 2}).Type(kU8).Clamp(2.5, 7.5),
       {1, 9},
       0,
       {3, 3, 7, 7, 3}},
      {"50e",
       "maximum_to_another_scale",
       Max({4}).Kernel({2}).Strides({2}).Types(kU8, kS8).Scales(0.5f, 1).ZeroPoints(10, -3),
       {10, 13, 0, 4},
       0,
       {-1, -6}},  // 1.5 ties to 2; 4 - 10 = -6 halves to -3
      {"50f",
       "maximum_as_float",
       Max({4}).Kernel({2}).Pads({1, 1}).Types(kS8, LANEPOOL_TYPE_FLOAT).Scales(0.25f, 1),
       {-128, 2, 3, -4},
       0,
       {-32, 0.5, 0.75, 0.75, -1}},
      {"50g",
       "maximum_of_floats",
       Max({6}).Kernel({2}).Strides({2}).Types(LANEPOOL_TYPE_FLOAT, kU8).ZeroPoints(0, 100),
       {2.5, -7, kNan, 3, -kInf, -kInf},
       0,
       {102, 100, 0}},
  };
}

support::Params Pairs() { return Average({8}).Kernel({2}).Strides({2}).Type(kU8); }

std::vector<Case> TieCases() {
  constexpr int32_t kAfter = LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT;
  constexpr int32_t kAway = LANEPOOL_ROUND_HALF_AWAY;
  return {
      {"52", "ties_to_even_before_zero_point", Pairs().ZeroPoints(0, 1), kPairs, 0, {1, 3, 3, 5}},
      {"52b",
       "ties_to_even_after_zero_point",
       Pairs().ZeroPoints(0, 1).Rounding(kAfter),
       kPairs,
       0,
       {2, 2, 4, 4}},
      {"52c",
       "ties_away_from_zero_after_zero_point",
       Pairs().ZeroPoints(0, 1).Rounding(kAway),
       kPairs,
       0,
       {2, 3, 4, 5}},
      {"52d",
       "ties_away_from_zero_below_it",
       Average({8}).Kernel({2}).Strides({2}).Type(kS8).Rounding(kAway),
       {0, -1, -1, -2, -2, -3, 1, 2},
       0,
       {-1, -2, -3, 2}},
      {"57", "ties_to_even", Pairs(), kPairs, 0, {0, 2, 2, 4}},
      {"57b", "ties_away_from_zero", Pairs().Rounding(kAway), kPairs, 0, {1, 2, 3, 4}},
      {"57c", "clamp_after_rounding", Pairs().Clamp(0.5, 3.5), kPairs, 0, {1, 2, 2, 3}},
  };
}

std::vector<Case> QuantizedAverageCases() {
  const support::Params padded =
      Average({3}).Kernel({3}).Pads({1, 1}).Type(kU8).Scales(0.5f, 0.5f).ZeroPoints(10, 10);
  const support::Params overhang = Average({4}).Kernel({3}).Strides({2}).Ceil().Type(kU8);
  return {
      {"51",
       "extreme_ratio_saturates",
       Average({4}).Kernel({2}).Strides({2}).Type(kU8).Scales(1e12f, 1e-3f).ZeroPoints(128, 0),
       {255, 255, 0, 0},
       0,
       {255, 0}},
      {"53", "overhang_counts_not", support::Params(overhang).Include(), {8, 8, 8, 8}, 0, {8, 8}},
      {"53b",
       "overhang_counts_under_full_kernel",
       support::Params(overhang).Divisor(LANEPOOL_DIVISOR_FULL_KERNEL),
       {8, 8, 8, 8},
       0,
       {8, 5}},
      {"54", "overhang_exclude", overhang, {8, 8, 8, 8}, 0, {8, 8}},
      {"55",
       "pads_are_real_zeros",
       support::Params(padded).Include(),
       {10, 20, 30},
       0,
       {13, 20, 20}},
      {"56", "pads_count_not", padded, {10, 20, 30}, 0, {15, 20, 25}},
      {"58",
       "saturates_at_a_zero_point_at_the_end",
       Average({4}).Kernel({2}).Strides({2}).Type(kS8).Scales(0.1f, 0.2f).ZeroPoints(-128, 127),
       {-128, 127, -128, -128},
       0,
       {127, 127}},
      {"60",
       "same_upper_never_crops",
       Average({7}).Kernel({1}).Strides({4}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER).Type(kU8),
       {0, 1, 2, 3, 4, 5, 6},
       0,
       {0, 4}},
      {"empty",
       "nothing_is_the_zero_point",
       Average({2}).Kernel({2}).Pads({2, 2}).Type(kU8).ZeroPoints(0, 7),
       {1, 3},
       0,
       {7, 8, 9, 10, 7}},
      {"empty2",
       "nothing_under_nan_is_the_zero_point_too",
       Average({2}).Kernel({2}).Pads({2, 2}).Type(kU8).EmptyWindow(LANEPOOL_EMPTY_NAN),
       {1, 3},
       0,
       {0, 1, 2, 3, 0}},
      {"mixed",
       "bytes_to_float",
       Average({4}).Kernel({2}).Types(kU8, LANEPOOL_TYPE_FLOAT).Scales(0.5f, 9).ZeroPoints(10, 0),
       {10, 20, 30, 5},
       0,
       {2.5, 7.5, 3.75}},
      {"mixed2",
       "nothing_as_float",
       Average({2})
           .Kernel({2})
           .Pads({2, 2})
           .Types(kU8, LANEPOOL_TYPE_FLOAT)
           .EmptyWindow(LANEPOOL_EMPTY_NAN),
       {1, 3},
       0,
       {kNan, 1, 2, 3, kNan}},
      {"mixed3",
       "floats_to_bytes",
       Average({6}).Kernel({2}).Strides({2}).Types(LANEPOOL_TYPE_FLOAT, kS8).Scales(7, 0.5f),
       {1, 1.25, -100, 0, kNan, 1},
       0,
       {2, -100, 0}},
      {"mixed4",
       "s8_to_u8",
       Average({4}).Kernel({2}).Strides({2}).Types(kS8, kU8).ZeroPoints(-100, 4),
       {-100, -98, -128, -127},
       0,
       {5, 0}},
  };
}

// Row 61: each of the scales that are none.
std::vector<Case> ScaleCases() {
  const auto nan = static_cast<float>(kNan);
  const auto infinity = static_cast<float>(kInf);
  return {
      {"61", "negative", Pairs().Scales(-1, 1), kPairs, LANEPOOL_SCALE, {}, kLibraryOnly},
      {"61b", "zero", Pairs().Scales(1, 0), kPairs, LANEPOOL_SCALE, {}, kLibraryOnly},
      {"61c", "nan", Pairs().Scales(nan, 1), kPairs, LANEPOOL_SCALE, {}, kLibraryOnly},
      {"61d", "infinite", Pairs().Scales(1, infinity), kPairs, LANEPOOL_SCALE, {}, kLibraryOnly},
  };
}

}  // namespace

std::vector<Case> QuantizedCases() {
  std::vector<Case> cases = ByteMaxCases();
  for (const Case& item : TieCases()) cases.push_back(item);
  for (const Case& item : QuantizedAverageCases()) cases.push_back(item);
  for (const Case& item : ScaleCases()) cases.push_back(item);
  return cases;
}

}  // namespace cases
