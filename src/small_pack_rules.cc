#include "small_pack_rules.h"

#include <stdint.h>

#include "kernel_moves.h"
#include "move_rules.h"
#include "plan.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

// Of maxima of bytes: outputs of a pack at least where windows have four taps, or step; taps along
// H at most of those that step, and positions of rows that are few there. Measured on AMD's Zen 3.
constexpr int64_t kFullOfFourTaps = 22, kFullOfSteps = 14, kMostOfSteps = 7, kFewOfSteps = 16;
// Positions of rows that are so few that other loops leave most of a vector empty: of maxima of
// elements of one, two and four bytes, and of averages of bytes. Measured.
constexpr int64_t kFewBytes = 2, kFewHalves = 5, kFewWords = 2, kFewTermsOfBytes = 3;
// Taps along an axis at most where maxima of halves, or averages, pay. Measured.
constexpr int64_t kFewTaps = 3, kSomeTaps = 4;

bool IsBlockOfSteps(const Context& context, const Axis<int64_t>& h, const Axis<int64_t>& w) {
  return IsExtreme(context.params.op) && context.x_size == 1 && w.stride > 1 && w.dilation == 1 &&
         h.kernel <= kMostOfSteps && 2 * h.kernel <= h.input && w.input > kFewOfSteps;
}

// Whether rows of planes are so short, or their windows so small, or so far apart, that columns
// share little.
bool IsSmallOfPlanes(const Context& context, const Axis<int64_t>& h, const Axis<int64_t>& w) {
  const bool is_max = IsExtreme(context.params.op);
  if (w.dilation > 1) return is_max || (context.x_size == 4 && h.kernel <= kFewTaps);
  if (is_max && context.x_size == 1) return h.kernel * w.kernel <= 4 || w.input <= kFewBytes;
  if (is_max && context.x_size == 2) return w.input <= kFewHalves && h.kernel <= kFewTaps;
  if (is_max) return w.input <= kFewWords;
  return context.requants != nullptr && w.input == kFewTermsOfBytes && h.kernel <= kFewTaps;
}

// Whether each vector has as many columns as half of one, which is what it is read by.
bool FillHalves(const Axis<int64_t>& h, int64_t input, int64_t lanes, const Packs& packs) {
  if (packs.wide) return true;
  const int64_t rows = packs.of_vector[1] > 0 ? packs.of_vector[1] : packs.of_vector[0];
  if (rows == 1) return 2 * input >= lanes;  // the step may be any number
  const int64_t step = (h.output == 1 ? h.input : h.stride) * input;
  return 2 * ((rows - 1) * step + input) >= lanes;
}

// Rows of outputs that make vectors by themselves, which packs of one row at a time replace where
// most have all their taps.
bool IsSlowerOfRows(const Context& context, const Axis<int64_t>& h, const Axis<int64_t>& w,
                    const Packs& packs) {
  if (packs.All() > 1) return true;
  if (h.input > 1 && EffectiveKernel(h) > h.input - EffectiveKernel(h) && !IsWhole(h)) return false;
  if (IsExtreme(context.params.op)) return true;
  const bool steps = w.stride > 1;
  if (context.plan.strategy.group > 1) return steps;
  if (context.requants != nullptr) return steps || !packs.wide;
  return (context.x_size == 4 || w.dilation > 1) && (steps || w.kernel <= kSomeTaps);
}

}  // namespace

bool MaySmallPacksPay(const Context& context, MovedAxes axes) {
  const Axis<int64_t>& h = context.plan.axes[axes.rows];
  const Axis<int64_t>& w = context.plan.axes[axes.lanes];
  const int64_t group = context.plan.strategy.group;
  if (w.input * group >= 2 * context.pack_bytes / context.lane_size) return false;
  const bool lone = h.input == 1, is_max = IsExtreme(context.params.op);
  switch (context.plan.strategy.loop) {
    case Loop::kRows:
      return true;
    case Loop::kRuns:
      return is_max && context.x_size < 4 && w.input == 1;
    case Loop::kByTwo:
      if (group > 1) return false;
      return lone || (is_max && context.x_size == 2 && w.output == 1);
    case Loop::kPlanes:
      if (group > 1) return w.stride > 1;
      return lone || IsSmallOfPlanes(context, h, w);
    case Loop::kBlocks:
      return lone || (group == 1 && IsBlockOfSteps(context, h, w));
    default:
      return false;
  }
}

bool IsSlowerThanSmallPacks(const Context& context, MovedAxes axes, const Packs& packs) {
  const Axis<int64_t>& h = context.plan.axes[axes.rows];
  const Axis<int64_t>& w = context.plan.axes[axes.lanes];
  const int64_t group = context.plan.strategy.group, rows = packs.All();
  const int64_t lanes = context.pack_bytes / context.lane_size, outputs = rows * w.output * group;
  if (4 * outputs <= lanes || !FillHalves(h, w.input * group, lanes, packs)) return false;
  const bool is_max = IsExtreme(context.params.op), lone = h.input == 1 && rows > 1;
  switch (context.plan.strategy.loop) {
    case Loop::kRows:
      return IsSlowerOfRows(context, h, w, packs);
    case Loop::kByTwo:
      if (h.input > 1) return true;
      if (!lone || (context.x_size == 4 && axes.rows == 2)) return false;
      if (rows > 2 || (is_max && context.x_size == 1)) return true;
      return context.x_size == 4 && (is_max || w.kernel == 2);
    case Loop::kPlanes: {
      if (group > 1 || lone) return true;
      const bool few_bytes = is_max && context.x_size == 1 && w.dilation == 1;
      return rows > 1 && (!few_bytes || w.input <= kFewBytes || outputs >= kFullOfFourTaps);
    }
    case Loop::kBlocks:
      return lone || (rows > 1 && outputs >= kFullOfSteps);
    default:
      return true;
  }
}

}  // namespace lanepool
