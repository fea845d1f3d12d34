#include "move_rules.h"

#include <stdint.h>

#include "blocks.h"
#include "dispatch.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "plan.h"
#include "plane_rules.h"
#include "strategy.h"
#include "turn_rules.h"
#include "types.h"

namespace lanepool {
namespace {

constexpr int64_t kMostTaps = 16;  // along H, where windows share nothing
constexpr int64_t kMostStep = 16;
// Taps along W at most: of windows of bytes that step by one, or whose row is more than a vector;
// of those that do both; and of lanes that are few, by steps or in rows of more than a vector, or
// of f32 in rows of any length.
constexpr int64_t kMostOfVector = 9, kMostOfRow = 3;
constexpr int64_t kMostOfFewLanes = 7, kMostOfWords = 9;
// Outputs of a row of so many taps at most where planes that become channels fill vectors.
// Measured.
constexpr int64_t kFewOutputs = 20;
// The same of a single row that steps, where blocks are the other way. Measured.
constexpr int64_t kMostOfSteps = 12;
// Planes that become channels, at most, where they leave most of a vector empty. Measured.
constexpr int64_t kFewChannels = 16;
// Of maxima of halves that step by one: taps along H and W at most; outputs that a row has more
// than, with few planes and with others; planes that are too many. Measured.
constexpr int64_t kMostOfHalves = 5, kSomeOfHalves = 12, kMostlyOfHalves = 18;
constexpr int64_t kFewPlanes = 24, kManyPlanes = 64;
constexpr int64_t kHalfPage = 2048;  // bytes
// Taps along H and W at most where results are formulas of several kinds of windows. Measured.
constexpr int64_t kMovedFormulaTaps = 5;
// Taps along H at most, and taps of a window that are too many, where neighbours share them.
constexpr int64_t kMostShared = 9, kManyShared = 64;
// Outputs that windows by two have at a time; of a part of those there are few, or many.
constexpr int64_t kMostByTwo = 32;
constexpr int64_t kFewByTwo = 24, kManyByTwo = 56;
// Windows that have a row in common, and planes, from which on blocks are faster on some cores; and
// outputs of a row up to which others are. Measured.
constexpr int64_t kManySharedRows = 6, kFewestMoved = 4, kFewestSharing = 8;
constexpr int64_t kShortPicked = 32;  // positions of a row of bytes, on some cores. Measured.
constexpr int64_t kMostAtOnce = 3;    // vectors of outputs in a row, of lanes that are few
// Of maxima of bytes that step, turned: positions of a row at least where they share their vectors
// with few planes, or with enough and have few taps.
constexpr int64_t kLongTurnedRow = 44, kFewTurnedTaps = 8;
// Outputs of a row of maxima that are not long, or long.
constexpr int64_t kShortOutputs = 128, kLongOutputs = 150, kLongerOutputs = 192;

// Whether all windows along the axis have a tap that is there, and none are further apart than it
// is long.
bool HasNearTaps(const Axis<int64_t>& axis) {
  return axis.dilation <= axis.input && !HasEmptyWindow(axis);
}

// Outputs that are a vector, or less if their columns are two and the row has more. Averages of
// bytes gain nothing there.
int64_t OutputsAtOnce(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t lanes = kBlockLineBytes / context.lane_size;
  if (w.input < 2 * lanes && context.requants == nullptr) return lanes;
  return MovedOutputs(2, lanes, EffectiveKernel(w), w.stride);
}

// Whether outputs of windows by two, of three taps at most, are not quite a vector, or two.
bool IsRagged(const Axis<int64_t>& w) {
  return w.output > (w.kernel == 3 ? kFewByTwo : kMostByTwo) && w.output < kManyByTwo &&
         w.output != kMostByTwo;
}

// Whether windows are of one row, and of some taps that step, so that blocks share few.
bool AreRowsInSteps(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  return IsExtreme(context.params.op) && context.plan.axes[1].kernel == 1 && w.stride > 1 &&
         w.kernel <= kMostOfSteps;
}

// Whether blocks, of maxima in planes that become channels and step, have few of those.
bool FillFewChannels(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t lanes = kBlockLineBytes / context.lane_size;
  // Blocks of many taps are faster where outputs fill vectors. Measured on AMD's Zen 5.
  if (!IsIntel() && w.kernel > kMostOfFewLanes && w.output % lanes == 0) return false;
  return IsExtreme(context.params.op) && w.stride > 1 && w.kernel <= kMostOfVector &&
         PlanesOf(context.params, context.plan).channels <= kFewChannels;
}

// The single rows of planes: columns have nothing to share, and cores that move lanes fast do that
// to rows of any length. Measured on AMD's Zen 5.
bool IsSlowerOfLoneRows(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  if (context.plan.axes[1].kernel > 1 || context.requants != nullptr || IsIntel()) return false;
  const Loop loop = LoopOf(context.plan);
  if (loop == Loop::kRows) return w.stride > 1 || w.kernel > 2;
  const int64_t lanes = kBlockLineBytes / context.lane_size, taps = w.kernel;
  const bool most_of_vector = 2 * w.output > lanes && w.output < lanes;
  if (loop == Loop::kByTwo && context.lane_size == 4 && taps <= 3) return most_of_vector;
  if (!IsExtreme(context.params.op)) return false;
  const bool whole = IsWhole(w);
  if (context.x_size == 1) {
    switch (loop) {
      case Loop::kBlocks:
        return true;
      case Loop::kPlanes:
        if (whole) return taps > 5 || (taps == 5 && w.output <= kLongerOutputs);
        return taps > 2 || w.output <= kShortOutputs;
      case Loop::kByTwo:
        return w.output > kLongOutputs && (taps != 3 || !whole);
      default:
        return false;
    }
  }
  const bool is_half = context.x_size == 2;
  switch (loop) {
    case Loop::kBlocks:
      if (is_half) return w.stride <= 3 && taps <= (w.stride == 1 ? 12 : 13);
      return context.x_size == 4 && w.stride <= 4 && taps <= (w.stride == 4 ? 8 : 10);
    case Loop::kPlanes:
      if (is_half) return taps > (whole ? 5 : 4);
      return context.x_size == 4 && !whole && taps > 2 && w.output <= kShortOutputs;
    case Loop::kByTwo:
      if (!is_half) return false;
      if (taps == 2 && !whole) return true;
      if (taps <= 3) return most_of_vector;
      return taps == 4 && w.output > lanes && w.output < 2 * lanes;
    default:
      return false;
  }
}

// Whether rows of windows that step have about as many vectors of outputs where lanes move, of
// which two vectors of columns may have fewer than a vector. Measured on AMD's Zen 5.
bool FillsOutputs(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const bool is_max = IsExtreme(context.params.op);
  if (w.stride == 1 || IsIntel() || context.requants != nullptr) return false;
  if (is_max ? context.x_size != 2 : context.lane_size != 4) return false;
  const int64_t lanes = kBlockLineBytes / context.lane_size, at_once = OutputsAtOnce(context);
  if (at_once < 1) return false;
  const int64_t vectors = (w.output - 1) / lanes + 1, moved = (w.output - 1) / at_once + 1;
  const int64_t last = w.output - (vectors - 1) * lanes;
  return moved <= vectors || (moved == vectors + 1 && 4 * last <= 3 * lanes);
}

// Whether maxima of halves that step have rows of half a vector of outputs and more, which turned
// planes take longer for. Measured on AMD's Zen 5.
bool FillHalves(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t lanes = kBlockLineBytes / context.lane_size;
  const int64_t planes = PlanesOf(context.params, context.plan).channels;
  const bool are_shared =
      w.kernel == kMostOfFewLanes && w.output <= kFewOutputs && !LeavesChannels(planes);
  return context.x_size == 2 && IsExtreme(context.params.op) && !IsIntel() && w.stride == 2 &&
         w.kernel <= kMostOfFewLanes && 2 * w.output > lanes && !are_shared;
}

// Whether rows of maxima of halves that step by one fill most of a vector of outputs, where planes
// that become channels leave vectors empty, or lie half pages apart in y, so that the first cache
// has room for few of their lines. Measured on AMD's Zen 5.
bool FillRowsOfHalves(const Context& context) {
  const Axis<int64_t>& h = context.plan.axes[1];
  const Axis<int64_t>& w = context.plan.axes[2];
  if (context.x_size != 2 || !IsExtreme(context.params.op) || IsIntel()) return false;
  if (h.stride > 1 || w.stride > 1 || h.dilation > 1 || w.dilation > 1) return false;
  if (h.kernel > kMostOfHalves || w.kernel > kMostOfHalves) return false;
  const int64_t lanes = kBlockLineBytes / context.lane_size;
  const int64_t planes = PlanesOf(context.params, context.plan).channels;
  const bool leaves = planes < kManyPlanes && 4 * planes <= 3 * ((planes - 1) / lanes + 1) * lanes;
  const bool crowded = context.y_stride[kC] * context.y_size % kHalfPage == 0;
  if (!leaves && !crowded) return false;
  return w.output <= lanes && w.output > (planes <= kFewPlanes ? kSomeOfHalves : kMostlyOfHalves);
}

// Whether windows of f32 step in rows of any length, by so few taps that scratch takes longer.
// Measured on AMD's Zen 5.
bool AreStepsOfWords(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  if (context.x_size != 4 || w.stride == 1 || w.stride == kInterleaved || IsIntel()) return false;
  if (w.kernel <= kMostOfFewLanes) return true;
  return w.kernel <= kMostOfWords && (w.stride == 2 || !IsExtreme(context.params.op));
}

// Whether maxima are but every other position of a row, where rows do not go on from each other as
// pairs. Measured on AMD's Zen 5.
bool ArePickedRows(const Context& context) {
  const Axis<int64_t>& h = context.plan.axes[1];
  const Axis<int64_t>& w = context.plan.axes[2];
  if (h.kernel > 1 || w.kernel > 1 || !IsExtreme(context.params.op) || IsIntel()) return false;
  const bool odd = w.input % 2 == 1;
  if (h.output == 1) return true;
  if (context.x_size == 1) return odd || w.input >= kShortPicked || CoreOfCpu() != Core::kZen4;
  return context.x_size == 4 && odd;
}

// Loops that take longer, for lanes of more than a byte, of which there are few in a vector.
bool IsSlowerOfFewLanes(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t at_once = OutputsAtOnce(context), most = context.lane_size == 4 ? kMostAtOnce : 1;
  const bool few = w.stride > 1 && w.kernel <= kMostOfFewLanes;
  switch (LoopOf(context.plan)) {
    case Loop::kRows:
      if (AreStepsOfWords(context)) return true;
      return w.output <= (few ? most : 1) * at_once || FillsOutputs(context);
    case Loop::kPlanes:
      if (context.plan.axes[1].kernel > 1 || context.x_size != 4) return false;
      return IsExtreme(context.params.op) && w.output <= (IsWhole(w) ? 1 : kMostAtOnce) * at_once;
    case Loop::kRuns:
      // Averages of floats have to be added in the same order.
      return IsExtreme(context.params.op) && w.output > 1 && w.output <= at_once;
    case Loop::kByTwo: {
      if (ArePickedRows(context)) return true;
      // Four and five taps of more than half a vector of outputs take two halves.
      const int64_t lanes = kBlockLineBytes / context.lane_size;
      return w.kernel >= 4 && w.kernel <= 5 && 2 * w.output > lanes && w.output < lanes;
    }
    case Loop::kBySteps:
      if (!few) return false;
      // Steps of 3 and 4 have vectors, but for what fills none.
      return w.stride > kInterleaved
                 ? w.output <= most * at_once
                 : w.output <= at_once && w.output % (kShortestVector / context.lane_size) != 0;
    case Loop::kBlocks:
      if (SharesManyRows(context)) return false;
      if (context.x_size == 2 && FillFewChannels(context)) return true;
      if (FillHalves(context) || FillRowsOfHalves(context)) return true;
      return AreRowsInSteps(context) && (context.x_size == 2 || few);
    default:
      return false;
  }
}

// Whether neighbours along both axes share so many taps that blocks are faster: most of all where
// columns are more than a vector. Measured.
bool SharesMany(const Axis<int64_t>& h, const Axis<int64_t>& w) {
  if (w.stride > 1 || w.dilation > 1 || h.stride > 1 || h.dilation > 1) return false;
  return h.kernel > kMostShared || h.kernel * w.kernel >= kManyShared ||
         w.output + w.kernel - 1 > kBlockLineBytes;
}

// Whether rows of a vector and more have windows of so many taps that blocks, which share them,
// are faster, though windows step. Measured.
bool HasManyColumns(const Axis<int64_t>& w) {
  return w.stride > 1 && w.input >= kBlockLineBytes && 8 * w.kernel >= w.input;
}

// Whether turned planes of maxima that step have rows so long that lanes that move are faster.
// Measured on AMD's Zen 5.
bool AreLongTurnedRows(const Context& context) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  if (plan.strategy.planes >= 0 || w.stride == 1 || IsIntel()) return false;
  if (w.input < kLongTurnedRow) return false;
  const int64_t planes = PlanesOf(context.params, plan).channels;
  return LeavesChannels(planes) || (w.input >= kBlockLineBytes && w.kernel <= kFewTurnedTaps);
}

// The same as above for maxima of bytes.
bool IsSlowerOfBytes(const Context& context) {
  const Strategy& s = context.plan.strategy;
  const Axis<int64_t>& h = context.plan.axes[1];
  const Axis<int64_t>& w = context.plan.axes[2];
  if (LoopOf(context.plan) == Loop::kBlocks && AreLongTurnedRows(context)) return true;
  // Other loops make use of what neighbours share.
  if (w.kernel > kMostOfRow) {
    const bool shares = w.stride == 1 && w.dilation == 1;
    const bool is_more = w.output > OutputsAtOnce(context);
    if (shares && is_more) return false;
    if (w.kernel > kMostOfVector && (shares || is_more)) return false;
  }
  switch (LoopOf(context.plan)) {
    case Loop::kRows:
    case Loop::kBySteps:
      return true;
    case Loop::kByTwo:
      if (ArePickedRows(context)) return true;
      // The only row of a plane is not slid along H.
      if (h.output == 1 && w.input < 2 * kBlockLineBytes && w.output != kMostByTwo) return true;
      return (w.kernel > 3 || (h.kernel > 1 && IsRagged(w))) && w.output <= OutputsAtOnce(context);
    case Loop::kPlanes:
      return h.kernel == 1 && w.kernel > 2 && w.output <= OutputsAtOnce(context);
    case Loop::kBlocks:  // those that become channels take no longer
      return (s.planes > 0 && !SharesMany(h, w) && !HasManyColumns(w)) || AreRowsInSteps(context);
    default:
      return false;
  }
}

// Whether windows are so long, in rows of more than two vectors, that two have few outputs: what is
// moved for each then costs more than to fold all positions of a row.
bool AreLongWindows(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t lanes = kBlockLineBytes / context.lane_size;
  const int64_t most = context.x_size == 4 ? lanes + lanes / 4 : lanes - 1;  // measured
  return context.lane_size > 1 && w.input >= 2 * lanes && EffectiveKernel(w) > most;
}

// Whether results are formulas of windows that Divisors know, or none are asked for.
bool HasFewFormulas(const Context& context, int64_t most_taps) {
  const Plan& plan = context.plan;
  if (context.requants == nullptr) return true;
  return context.params.op == LANEPOOL_OP_AVERAGE && context.requants_per_channel == 0 &&
         plan.axes[1].kernel <= most_taps && plan.axes[2].kernel <= most_taps;
}

}  // namespace

bool LeavesChannels(int64_t planes) {
  const int64_t more = planes % kBlockLineBytes;
  return more > 0 && 4 * planes <= 3 * (planes - more + kBlockLineBytes);
}

bool SharesManyRows(const Context& context) {
  if (CoreOfCpu() != Core::kZen4 || context.x_size != 2 || !IsExtreme(context.params.op)) {
    return false;
  }
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  if (PlanesOf(context.params, plan).channels < kFewestSharing) return false;
  const int64_t shared = h.kernel / h.stride;
  return shared >= kManySharedRows || (shared > 1 && plan.axes[2].output <= kFewestMoved);
}

bool CanMove(const Context& context, MovedAxes axes, int64_t formula_taps) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[axes.rows];
  const Axis<int64_t>& w = plan.axes[axes.lanes];
  const int64_t group = plan.strategy.group;
  if (context.streams || !HasFewFormulas(context, formula_taps)) return false;
  if (IsAdaptive(h) || IsAdaptive(w) || plan.axes[0].kernel > 1) return false;
  const int lanes = kD + axes.lanes;
  if (plan.x_stride[lanes] != group || context.y_stride[lanes] != group) return false;
  // Rows of single taps are copied.
  if (w.kernel == 1 && w.stride == 1) return false;
  return h.kernel <= kMostTaps && w.kernel <= kMovedTaps && w.stride <= kMostStep &&
         HasNearTaps(h) && HasNearTaps(w) && EffectiveKernel(w) * group <= kMovedReach;
}

bool PrefersMoves(const Context& context) {
  if (context.plan.strategy.group > 1 || !CanMove(context, {1, 2}, kMovedFormulaTaps)) return false;
  if (AreLongWindows(context)) return false;
  const bool are_bytes = context.lane_size == 1;
  const bool slower = IsSlowerOfLoneRows(context) ||
                      (are_bytes ? IsSlowerOfBytes(context) : IsSlowerOfFewLanes(context));
  return slower && OutputsAtOnce(context) > 0;
}

}  // namespace lanepool
