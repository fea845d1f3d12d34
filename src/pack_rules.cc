#include "pack_rules.h"

#include <stdint.h>

#include "blocks.h"
#include "dispatch.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "move_rules.h"
#include "plan.h"
#include "plane_rules.h"
#include "small_pack_rules.h"
#include "strategy.h"
#include "turn_rules.h"
#include "types.h"

namespace lanepool {
namespace {

// Rows of outputs in all planes from which on packs pay: of single positions, and of pixels whose
// loop is kRows, has steps, or has neither. Measured.
constexpr int64_t kFewRows = 32, kSomeRows = 48, kManyRows = 96;
constexpr int64_t kFewPixelRows = 8, kSomePixelRows = 16;
// Positions of rows that are shorter than others, and shorter than these; the same of taps apart.
constexpr int64_t kNarrowRow = 10, kNarrowest = 5, kNarrowApart = 8;
// Of averages of bytes: rows of outputs of a plane that are few, or some, or some that have a pack
// each; outputs of a pack, where that pays more than blocks, and packs in all that are so few that
// it pays anyway. Measured.
constexpr int64_t kFewRowsOfPlane = 3, kSomeRowsOfPlane = 9, kSomeRowsAlone = 7;
constexpr int64_t kFullPack = 17, kFewPacks = 160;
// Outputs of a pack where windows have more taps along H, which blocks share, and those taps at
// most of windows that step by one; taps along H of rows that have a pack each.
constexpr int64_t kFullerPack = 24, kSharedOnes = 5, kMostAlone = 4;
// Taps of a window that blocks share no better, of those that step along H, and taps along H of
// 16-bit lanes. Measured.
constexpr int64_t kSharedTaps = 16, kSharedSteps = 12, kSharedHalves = 3;
// Taps along each axis at most where packs take the place of blocks as lanes move fast; along H of
// 16-bit lanes, and outputs of a pack of these at least. Measured.
constexpr int64_t kMostMoved = 7, kMostHalves = 9, kFullHalves = 28;
// Rows of a plane that is walked as one row with others, see IsFastFlat.
constexpr int64_t kFewFlatRows = 8;
// Parts of a row that are packs by themselves; of averages of halves that are the most, taps along
// W at most, in whole windows and others. Measured.
constexpr int64_t kMostParts = 4, kFewOfHalves = 5, kFewOfPaddedHalves = 6;
// Channels of a pixel from which on pairs of those have no fast loop; outputs of a row that are
// some.
constexpr int64_t kWidePixel = 5, kSomeOutputs = 5;

int64_t OutputsOfPart(const Axis<int64_t>& w, int64_t parts) {
  return (w.output + parts - 1) / parts;
}

// Whether packs are of vectors of 32 bytes, where nothing else moves lanes.
bool AreSmall(const Context& context) { return context.pack_bytes < kBlockLineBytes; }

// Of all planes, of an image that is a plane by itself only its own.
int64_t RowsOfPlanes(const Context& context) {
  const Plan& plan = context.plan;
  const int64_t rows = plan.axes[MovedAxesOf(context).rows].output;
  return PlanesOfItem(plan, PlanesOf(context.params, plan).channels) * rows;
}

Packs PacksOfRows(const Context& context) {
  const Plan& plan = context.plan;
  const auto [rows_axis, lanes_axis] = MovedAxesOf(context);
  const Axis<int64_t>& h = plan.axes[rows_axis];
  const Axis<int64_t>& w = plan.axes[lanes_axis];
  const int64_t group = plan.strategy.group, lanes = context.pack_bytes / context.lane_size;
  const int64_t input = w.input * group, outputs = w.output * group;
  const int64_t columns = lanes - (IsExtreme(context.params.op) || IsWhole(w) ? 0 : 1);
  const int64_t planes = PlanesOfItem(plan, PlanesOf(context.params, plan).channels);
  const bool alone = group > 1 || context.requants != nullptr || AreSmall(context);
  const bool beside = plan.x_stride[kC] == h.input * input && context.y_stride[kC] == outputs;
  const bool has_rows = h.input == 1 || plan.x_stride[kD + rows_axis] == input;
  if (h.output == 1 && planes > 1 && beside && has_rows) {
    return PacksOf({1, planes, h.input, input, outputs, true, false}, lanes, columns, alone);
  }
  const bool dense =
      plan.x_stride[kD + rows_axis] == input && context.y_stride[kD + rows_axis] == outputs;
  const bool next = context.y_stride[kC] == h.output * outputs;
  return PacksOf({planes, h.output, h.stride, input, outputs, dense, next}, lanes, columns, alone);
}

// How many parts a row has that are packs by themselves, where it is too long for one: as few as
// have room. 0: there are none. Others than these lanes have loops for such parts.
int64_t PartsOfRow(const Context& context) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t group = plan.strategy.group, lanes = context.pack_bytes / context.lane_size;
  if (group == 1 && context.requants == nullptr) return 0;
  const int64_t columns = 2 * lanes - 1;
  for (int64_t parts = 2; parts <= kMostParts; ++parts) {
    const int64_t outputs = OutputsOfPart(w, parts);
    const int64_t positions = (outputs - 1) * w.stride + EffectiveKernel(w);
    if (outputs * group <= lanes && positions * group <= columns) return parts;
  }
  return 0;
}

// Whether windows by two are pairs of pixels that lie side by side in rows without a rest, or the
// first ones of those, and so few lanes that their loop, which walks such rows as they are, is
// fast. Measured.
bool AreWholePairs(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  if (!IsWhole(w) || w.kernel > 2) return false;
  if (context.x_size > 1 && context.plan.strategy.group >= kWidePixel) return false;
  return w.kernel == 1 ? w.input % 2 == 0 : w.dilation == 1;
}

// The same as below for pixels, on cores that move lanes fast. Measured on AMD's Zen 5.
bool IsSlowerThanFastParts(const Context& context, int64_t parts) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t bytes = context.x_size;
  const bool whole = IsWhole(w);
  const Loop loop = LoopOf(context.plan);
  if (loop == Loop::kByTwo && AreWholePairs(context)) return false;
  if (IsExtreme(context.params.op)) {
    if (loop == Loop::kByTwo) return parts == kMostParts && (bytes != 2 || !whole);
    if (loop == Loop::kBySteps) {
      return parts == kMostParts && (bytes == 1 || (w.stride % 2 == 0 && (bytes == 4 || !whole)));
    }
    return loop == Loop::kRows && bytes == 2 && parts == 2;
  }
  switch (loop) {
    case Loop::kByTwo:
      if (bytes == 4) return parts == 2 || (parts == 3 && (!whole || w.dilation == 1));
      return bytes == 2 || parts == 2 || !whole;
    case Loop::kBySteps:
      if (bytes == 4) return parts <= 3;
      return bytes == 2 || parts == 2 || !whole;
    case Loop::kRows:
      if (bytes == 2)
        return parts == kMostParts && w.kernel <= (whole ? kFewOfHalves : kFewOfPaddedHalves);
      return bytes == 1 && (!whole || (parts == 2 && w.stride > 1 && w.output >= kSomeOutputs));
    default:
      return false;
  }
}

// Whether the loop of the plan takes longer than so many parts of each row. Measured.
bool IsSlowerThanParts(const Context& context, int64_t parts) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const Loop loop = LoopOf(plan);
  const bool is_max = IsExtreme(context.params.op), whole = IsWhole(w);
  if (RowsOfPlanes(context) < kFewRows) return false;
  if (plan.strategy.group > 1) {
    if (!IsIntel() && IsSlowerThanFastParts(context, parts)) return true;
    const bool shares = loop != Loop::kByTwo || EffectiveKernel(w) > w.stride;
    const bool some = context.x_size == 1 || (is_max && context.x_size == 4) ||
                      (context.x_size == 2 && w.stride > 1 && shares);
    if (parts > (some ? 3 : 2)) return false;
    if (loop == Loop::kRows)
      return context.x_size == 1 ? is_max || !whole : !is_max || w.stride > 1;
    return (loop == Loop::kByTwo || loop == Loop::kBySteps) && (is_max || !whole);
  }
  switch (loop) {
    case Loop::kRows:
      return !whole && w.kernel > 2 && h.kernel <= kSharedOnes;
    case Loop::kByTwo:
      return !whole && parts == 2 && h.kernel > 1 && w.kernel > 2;
    case Loop::kPlanes:
      return !whole && parts <= 3 && w.dilation > 1;
    case Loop::kBlocks:
      return parts == 2 && w.stride > 1 && h.kernel <= kSharedHalves && w.kernel <= kSharedOnes;
    default:
      return false;
  }
}

// Whether the loop of pixels takes longer, of so many rows in all planes. Measured.
bool IsSlowerOfPixels(const Context& context, const Packs& packs, int64_t all) {
  const bool alone = packs.All() == 1;
  const Axis<int64_t>& w = context.plan.axes[2];
  const bool steps = w.stride > 1, sums = context.requants != nullptr;
  const bool is_wide = context.x_size == 4;
  switch (LoopOf(context.plan)) {
    case Loop::kRows:
      return all >= kFewPixelRows && !(alone && !steps && sums && IsWhole(w));
    case Loop::kByTwo:
    case Loop::kBySteps:
      return all >= kSomePixelRows;
    case Loop::kPlanes:
      if (!IsExtreme(context.params.op) && !sums && context.plan.axes[1].kernel > 1) {
        return steps && !IsIntel() && all >= kFewPixelRows;
      }
      // Planes pay in images of many rows.
      if (context.plan.axes[1].output > kMostPacks * packs.Rows()) return !alone && !is_wide;
      return all >= kManyRows && !(alone && context.x_size == 2);
    default:
      return false;
  }
}

// Whether maxima that go by blocks have so few taps, or packs so many outputs, that blocks, which
// share taps, take longer. Measured.
bool SharesFewTaps(const Context& context, const Packs& packs) {
  const auto [rows_axis, lanes_axis] = MovedAxesOf(context);
  const Axis<int64_t>& h = context.plan.axes[rows_axis];
  const Axis<int64_t>& w = context.plan.axes[lanes_axis];
  const int64_t lanes = context.pack_bytes / context.lane_size, outputs = packs.All() * w.output;
  // AMD's cores move lanes faster.
  if (!IsIntel() && context.x_size != 2 && h.kernel <= kMostMoved && w.kernel <= kMostMoved) {
    const bool few = h.kernel <= kSharedOnes, are_bytes = context.x_size == 1;
    if (few && (are_bytes || w.stride > 1)) return true;
    if (are_bytes && w.stride > 1 && LeavesChannels(RowsOfPlanes(context) / h.output)) return true;
  }
  if (context.x_size == 2) {
    if (!IsIntel() && w.stride > 1 && w.dilation == 1 && w.output >= kNarrowRow &&
        outputs >= kFullHalves && h.kernel <= kMostHalves) {
      return true;
    }
    return h.kernel <= kSharedHalves && (w.input <= 2 || outputs >= 4 * h.kernel + 2 * w.kernel);
  }
  if (w.input > kNarrowRow) return h.kernel <= 2 || 20 * outputs >= 3 * h.kernel * lanes;
  const bool steps = context.x_size == 1 && h.stride > 1 && !packs.two_planes;
  return h.kernel * w.kernel <= (steps ? kSharedSteps : kSharedTaps);
}

// Whether windows by two, which have vectors of outputs, too, are as fast as packs of two rows.
// Measured.
bool TakesPairsByTwo(const Context& context, bool is_narrow) {
  const auto [rows_axis, lanes_axis] = MovedAxesOf(context);
  const Axis<int64_t>& h = context.plan.axes[rows_axis];
  const Axis<int64_t>& w = context.plan.axes[lanes_axis];
  const int64_t taps_w = w.kernel;
  if (context.x_size == 2 && h.output == 1 && !IsIntel()) return false;
  if (context.x_size >= 4) return h.kernel == 3 && h.input > 1 && taps_w == 3;
  if (!IsExtreme(context.params.op)) return taps_w <= 2;
  if (is_narrow || taps_w > 3) return false;
  if (CoreOfCpu() != Core::kZen5) return true;
  if (taps_w == 1) return context.x_size > 1 && w.input % 2 == 0;
  return taps_w == 3 ? w.input <= kShortestVector : IsWhole(w);
}

// Whether averages of bytes that keep their scale, in planes of few rows and a vector at most, are
// faster as one row of all of them, each class with a short formula: on cores with vectors of full
// width. Measured.
bool IsFastFlat(const Context& context) {
  const int64_t rows = context.plan.axes[1].input, columns = context.plan.axes[2].input;
  return CoreOfCpu() == Core::kZen5 && context.params.x_scale == context.params.y_scale &&
         rows <= kFewFlatRows && rows * columns <= kBlockLineBytes;
}

// Whether the loop of the plan takes longer, of averages of bytes in so many rows of all planes.
// Others make results of several classes of windows one class after the other. Measured.
bool IsSlowerOfByteSums(const Context& context, const Packs& packs, int64_t all) {
  if (all < kFewRows) return false;
  const auto [rows_axis, lanes_axis] = MovedAxesOf(context);
  const Axis<int64_t>& h = context.plan.axes[rows_axis];
  const Axis<int64_t>& w = context.plan.axes[lanes_axis];
  const int64_t rows = packs.All(), outputs = rows * w.output;
  const bool alone = rows == 1, whole = IsWhole(w), leaves = LeavesChannels(all / h.output);
  const bool same = context.params.x_scale == context.params.y_scale;
  switch (LoopOf(context.plan)) {
    case Loop::kRows:
    case Loop::kBySteps:
      return !alone || (!whole && h.kernel <= kMostAlone);
    case Loop::kByTwo:
      return (!whole || !alone) && !AreRowsOfPairs(context.plan);
    case Loop::kPlanes:
      if (w.dilation > 1) return true;
      if (h.kernel == 1) return rows > 2 && (!whole || h.output <= kSomeRowsOfPlane);
      if (!IsIntel() && h.output <= (!whole ? kFewRowsOfPlane : alone ? 1 : 2)) return true;
      if (alone) return !whole && !IsIntel() && !same && h.output <= kSomeRowsAlone;
      return !whole && !IsFastFlat(context);
    case Loop::kBlocks:
      if (h.output == 1 || (leaves && !IsIntel() && (w.stride > 1 || h.kernel < kFormulaTaps))) {
        return true;
      }
      if (h.kernel > kSharedHalves) {
        if (2 * w.stride > w.kernel && w.dilation == 1) return outputs > kFullPack;
        if (outputs < kFullerPack) return false;
        if (w.dilation > 1 && w.stride > 1) return true;
        return (w.stride > 1 || h.kernel <= kSharedOnes) && leaves;
      }
      return outputs > kFullPack || w.input <= kNarrowest || all <= kFewPacks * rows;
    default:
      return false;
  }
}

// Whether rows of planes are so narrow that packs are faster at sums that are folded along W first,
// though they move each row of a window by itself. Measured on AMD's Zen 5.
bool IsNarrowOfPlanes(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  if (IsIntel()) return false;
  if (context.x_size >= 4) return w.input < 4 || (w.input == 4 && w.kernel <= 3);
  return w.input <= (w.dilation > 1 ? kNarrowApart : kNarrowest);
}

// Whether the loop of the plan takes longer. Measured.
bool IsSlowerThanPacks(const Context& context, const Packs& packs) {
  const Plan& plan = context.plan;
  const auto [rows_axis, lanes_axis] = MovedAxesOf(context);
  const Axis<int64_t>& h = plan.axes[rows_axis];
  const Axis<int64_t>& w = plan.axes[lanes_axis];
  const Loop loop = LoopOf(plan);
  const bool is_max = IsExtreme(context.params.op);
  const int64_t bytes = context.x_size, rows = packs.All();
  const int64_t all = RowsOfPlanes(context);
  if (plan.strategy.group > 1) return IsSlowerOfPixels(context, packs, all);
  if (context.requants != nullptr) return IsSlowerOfByteSums(context, packs, all);
  const bool is_pair = rows == 2, is_short = bytes < 4;  // elements
  const bool is_narrow = w.input <= kNarrowRow;
  switch (loop) {
    case Loop::kRows:
      return all >= (is_pair ? kManyRows : kFewRows);
    case Loop::kRuns:
      return is_max && is_short && w.output == 1 && all >= kManyRows;
    case Loop::kBySteps:
      return all >= (is_short && is_pair ? kManyRows : kSomeRows) && (bytes > 1 || !is_pair);
    case Loop::kByTwo:
      if (is_pair && TakesPairsByTwo(context, is_narrow)) return false;
      return all >= (is_short && rows < 5 ? kManyRows : kSomeRows);
    case Loop::kPlanes:
      if (h.kernel == 1) return all >= (bytes == 1 ? kManyRows : kFewRows);
      if (is_max) {
        const bool is_whole = h.lead == 0 && h.interior_end == h.output;
        const int64_t least = bytes == 1 ? 2 * kManyRows : rows > 3 ? kSomeRows : kManyRows;
        return all >= least && (!is_pair || (is_short ? is_narrow : is_whole));
      }
      if (all < kSomeRows) return false;
      if (w.kernel > 1) return IsNarrowOfPlanes(context);
      return rows > 4 || w.dilation > 1 || w.input <= kNarrowest;
    case Loop::kBlocks:
      return all >= kSomeRows && SharesFewTaps(context, packs);
    default:
      return false;
  }
}

// Whether blocks add the taps of a window along the axis in their order.
bool BlocksAddInOrder(const Axis<int64_t>& axis) {
  return axis.kernel <= 2 || BlockOf(axis) == 1 || (axis.kernel == 3 && PhasesOf(axis).stride == 2);
}

// Whether sums of the loop of the plan, if the order of terms matters, add as packs do: see
// docs/decisions/0003.
bool AddsAlike(const Context& context) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (IsExtreme(context.params.op) || context.requants != nullptr) return true;
  return LoopOf(plan) != Loop::kBlocks || (BlocksAddInOrder(h) && BlocksAddInOrder(w));
}

}  // namespace

// Rows of two or three positions are walked along H, see PrefersH there: they are rows again where
// no order of terms matters, or packs can keep it.
MovedAxes MovedAxesOf(const Context& context) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const bool turned = plan.strategy.group == 1 && h.input > 1 && plan.x_stride[kH] == 1 &&
                      plan.x_stride[kW] == h.input && context.y_stride[kH] == 1 &&
                      context.y_stride[kW] == h.output && plan.strategy.row_block == h.output;
  const bool keeps_order =
      IsExtreme(context.params.op) || (context.requants == nullptr && LoopOf(plan) == Loop::kRows);
  return turned && keeps_order ? MovedAxes{2, 1} : MovedAxes{1, 2};
}

bool AddsAcrossFirst(const Context& context) {
  const Plan& plan = context.plan;
  if (plan.axes[1].kernel == 1 || plan.axes[2].kernel == 1) return false;
  return MovedAxesOf(context).rows == 2 || LoopOf(plan) == Loop::kPlanes;
}

bool PrefersPacks(const Context& context) {
  const Plan& plan = context.plan;
  const MovedAxes axes = MovedAxesOf(context);
  // What is cheap to find out comes first: calls may be short.
  const Loop loop = LoopOf(plan);
  if (loop == Loop::kColumns || loop == Loop::kTaps) return false;
  if (loop == Loop::kBlocks && SharesManyRows(context)) return false;
  if (AreSmall(context) && !MaySmallPacksPay(context, axes)) return false;
  const Axis<int64_t>& w = plan.axes[axes.lanes];
  const int64_t group = plan.strategy.group, lanes = context.pack_bytes / context.lane_size;
  if (w.output > kMostParts * lanes || group > lanes) return false;
  if (RowsOfPlanes(context) < (group > 1 ? kFewPixelRows : kFewRows)) return false;
  if (!AddsAlike(context) || !CanMove(context, axes, kFormulaTaps)) return false;
  const Packs packs = PacksOfRows(context);
  if (AreSmall(context)) return packs.All() > 0 && IsSlowerThanSmallPacks(context, axes, packs);
  if (packs.All() > 0) return IsSlowerThanPacks(context, packs);
  const int64_t parts = PartsOfRow(context);
  return parts > 0 && IsSlowerThanParts(context, parts);
}

PackedPart PackedPartOf(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[MovedAxesOf(context).lanes];
  const Packs packs = PacksOfRows(context);
  if (packs.All() > 0) return {w.output, kMostPacks * packs.Rows()};
  const int64_t parts = PartsOfRow(context);
  return {parts > 0 ? OutputsOfPart(w, parts) : w.output, kMostPacks};
}

}  // namespace lanepool
