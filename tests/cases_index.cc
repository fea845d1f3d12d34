// The rows of maxima with indices, with results worked out by hand. Indices are those of the first
// channel; cases_test.cc knows where the planes of the others begin.
#include "cases.h"
#include "support/job.h"

namespace cases {
namespace {

using support::Max;
using support::Params;

constexpr int32_t kS32 = LANEPOOL_TYPE_INT32;
constexpr int32_t kS64 = LANEPOOL_TYPE_INT64;
constexpr int32_t kNchw = LANEPOOL_INDEX_NCHW;
constexpr int32_t kPlane = LANEPOOL_INDEX_PLANE;
constexpr int32_t kWindow = LANEPOOL_INDEX_WINDOW;
constexpr int32_t kColumns = LANEPOOL_STORAGE_COLUMN_MAJOR;

const std::vector<double> kNans = {1, kNan, 2, kNan, kNan};
const std::vector<double> kTies = {5, 1, 5, 2, 5, 0, 5, 5, 1};
const std::vector<double> kEight = {0, 1, 2, 3, 4, 5, 6, 7};

Params TieWindow() { return Max({3, 3}).Kernel({2, 2}); }
Params TiePads() { return TieWindow().Strides({2, 2}).Pads({1, 1, 1, 1}); }
Params ThreeAxes() { return Max({2, 2, 2}).Kernel({1, 1, 2}); }

Case Row(const char* row, const char* reason, const Params& params, const std::vector<double>& x,
         const std::vector<double>& y, const std::vector<int64_t>& index) {
  return {row, reason, params, x, 0, y, kBoth, index};
}

std::vector<Case> NanCases() {
  return {
      Row("39i", "first_nan", Max({5}).Kernel({2}).Index(kS64), kNans, {kNan, kNan, kNan, kNan},
          {1, 1, 3, 3}),
      Row("39j", "nan_is_skipped", Max({5}).Kernel({2}).Index(kS32).NanRule(LANEPOOL_NAN_IGNORE),
          kNans, {1, 2, 2, kNan}, {0, 2, 2, 3}),
      Row("s5", "lowest_is_a_maximum", Max({3}).Kernel({2}).Index(kS64), {-kInf, -kInf, -kInf},
          {-kInf, -kInf}, {0, 1}),
      Row("s5b", "lowest_beside_nan", Max({4}).Kernel({2}).Index(kS64).NanRule(LANEPOOL_NAN_IGNORE),
          {kNan, -kInf, kNan, kNan}, {-kInf, -kInf, kNan}, {1, 1, 2}),
      Row("s5c", "zeros_are_equal", Max({4}).Kernel({2}).Index(kS64), {-0.0, 0.0, -0.0, -1},
          {0, 0, 0}, {0, 1, 2}),
  };
}

std::vector<Case> PositionCases() {
  return {
      Row("40i", "first_of_ties", TieWindow().Index(kS64), kTies, {5, 5, 5, 5}, {0, 2, 4, 4}),
      Row("40j", "column_major", TieWindow().Index(kS32, kNchw, kColumns), kTies, {5, 5, 5, 5},
          {0, 6, 4, 4}),
      Row("40k", "in_the_plane", TieWindow().Index(kS64, kPlane), kTies, {5, 5, 5, 5},
          {0, 2, 4, 4}),
      Row("40l", "in_the_plane_by_columns", TieWindow().Index(kS64, kPlane, kColumns), kTies,
          {5, 5, 5, 5}, {0, 6, 4, 4}),
      Row("40m", "in_the_window", TieWindow().Index(kS32, kWindow), kTies, {5, 5, 5, 5},
          {0, 1, 1, 0}),
      Row("41i", "ties_in_padded_windows", TiePads().Index(kS64), kTies, {5, 5, 5, 5},
          {0, 2, 6, 4}),
      Row("41j", "taps_of_padded_windows", TiePads().Index(kS64, kWindow), kTies, {5, 5, 5, 5},
          {3, 3, 3, 0}),
      Row("45i", "three_axes", ThreeAxes().Index(kS64), kEight, {1, 3, 5, 7}, {1, 3, 5, 7}),
      Row("45j", "three_axes_by_columns", ThreeAxes().Index(kS64, kNchw, kColumns), kEight,
          {1, 3, 5, 7}, {4, 6, 5, 7}),
      Row("31i", "empty_windows", Max({2}).Kernel({2}).Pads({2, 2}).Index(kS64), {1, 2},
          {-kInf, 1, 2, 2, -kInf}, {-1, 0, 1, 1, -1}),
      Row("s6", "adaptive", Max({5}).Adaptive({3}).Index(kS64), {9, 1, 7, 7, 3}, {9, 7, 7},
          {0, 2, 3}),
      Row("s6b", "taps_of_adaptive_windows", Max({5}).Adaptive({3}).Index(kS32, kWindow),
          {9, 1, 7, 7, 3}, {9, 7, 7}, {0, 1, 0}),
      Row("s6c", "global", Max({2, 3}).Global().Index(kS64), {1, 2, 8, 8, 0, 1}, {8}, {2}),
  };
}

// x decides, before it is rescaled: 3 and 4 are the same y.
std::vector<Case> TypeCases() {
  return {
      Row("s7", "index_of_the_raw_maximum",
          Max({4}).Kernel({2}).Type(LANEPOOL_TYPE_UINT8).Scales(1, 4).Index(kS64), {3, 4, 4, 2},
          {1, 1, 1}, {1, 1, 2}),
      Row("s7b", "index_of_a_clamped_maximum",
          Max({4}).Kernel({2}).Type(LANEPOOL_TYPE_INT8).Clamp(0, 5).Index(kS32), {-9, 7, 9, -8},
          {5, 5, 5}, {1, 2, 2}),
      Row("s5d", "index_of_s32", Max({3}).Kernel({2}).Type(kS32).Index(kS64),
          {-2147483648.0, -2147483648.0, 2147483647}, {-2147483648.0, 2147483647}, {0, 2}),
      Row("s5e", "index_of_half", Max({3}).Kernel({2}).Type(LANEPOOL_TYPE_FLOAT16).Index(kS64),
          {-60000, kNan, 3}, {kNan, kNan}, {1, 1}),
      Row("s5f", "index_of_double", Max({3}).Kernel({2}).Type(LANEPOOL_TYPE_DOUBLE).Index(kS64),
          {1, 1 + 0x1p-52, 1}, {1 + 0x1p-52, 1 + 0x1p-52}, {1, 1}),
  };
}

}  // namespace

std::vector<Case> IndexCases() {
  std::vector<Case> cases = NanCases();
  for (const Case& item : PositionCases()) cases.push_back(item);
  for (const Case& item : TypeCases()) cases.push_back(item);
  return cases;
}

}  // namespace cases
