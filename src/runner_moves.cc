// Small windows along rows, where lanes move by one instruction.
#include <stdint.h>

#include "dispatch.h"
#include "kernel_moves.h"
#include "plan.h"
#include "plane_divisors.h"
#include "plane_rules.h"
#include "runner_context.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

constexpr int64_t kMostTaps = 16;  // along H, where windows share nothing
constexpr int64_t kMostStep = 16;
constexpr int64_t kMostOfFormulas = 5;  // along each of H and W
// Taps along W at most: of windows of bytes that step by one, or whose row is more than a vector;
// of those that do both; and of lanes that are few, by steps or in rows of more than a vector.
constexpr int64_t kMostOfVector = 9, kMostOfRow = 3;
constexpr int64_t kMostOfFewLanes = 7;
// Taps along H at most, and taps of a window that are too many, where neighbours share them.
constexpr int64_t kMostShared = 9, kManyShared = 64;
// Outputs that windows by two have at a time; of a part of those there are few, or many.
constexpr int64_t kMostByTwo = 32;
constexpr int64_t kFewByTwo = 24, kManyByTwo = 56;
constexpr int64_t kMostAtOnce = 3;  // vectors of outputs in a row, of lanes that are few

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

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

// Loops that take longer, for lanes of more than a byte, of which there are few in a vector.
bool IsSlowerOfFewLanes(const Context& context) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t at_once = OutputsAtOnce(context), most = context.x_size == 4 ? kMostAtOnce : 1;
  const bool few = w.stride > 1 && w.kernel <= kMostOfFewLanes;
  switch (context.plan.strategy.loop) {
    case Loop::kRows:
      return w.output <= (few ? most : 1) * at_once;
    case Loop::kRuns:
      // Averages of floats have to be added in the same order.
      return IsExtreme(context.params.op) && w.output > 1 && w.output <= at_once;
    case Loop::kBySteps:
      if (!few) return false;
      // Steps of 3 and 4 have vectors, but for what fills none.
      return w.stride > kInterleaved
                 ? w.output <= most * at_once
                 : w.output <= at_once && w.output % (kShortestVector / context.lane_size) != 0;
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

// The same as above for maxima of bytes.
bool IsSlowerOfBytes(const Context& context) {
  const Strategy& s = context.plan.strategy;
  const Axis<int64_t>& h = context.plan.axes[1];
  const Axis<int64_t>& w = context.plan.axes[2];
  // Other loops make use of what neighbours share.
  if (w.kernel > kMostOfRow) {
    const bool shares = w.stride == 1 && w.dilation == 1;
    const bool is_more = w.output > OutputsAtOnce(context);
    if (shares && is_more) return false;
    if (w.kernel > kMostOfVector && (shares || is_more)) return false;
  }
  switch (s.loop) {
    case Loop::kRows:
    case Loop::kBySteps:
      return true;
    case Loop::kByTwo:
      // The only row of a plane is not slid along H.
      if (h.output == 1 && w.input < 2 * kBlockLineBytes && w.output != kMostByTwo) return true;
      return (w.kernel > 3 || (h.kernel > 1 && IsRagged(w))) && w.output <= OutputsAtOnce(context);
    case Loop::kPlanes:
      return h.kernel == 1 && w.kernel > 2 && w.output <= OutputsAtOnce(context);
    case Loop::kBlocks:  // those that become channels take no longer
      return s.planes > 0 && !SharesMany(h, w) && !HasManyColumns(w);
    default:
      return false;
  }
}

// Whether results are formulas of windows that Divisors know, or none are asked for.
bool HasFewFormulas(const Context& context) {
  const Plan& plan = context.plan;
  if (context.requants == nullptr) return true;
  return context.params.op == LANEPOOL_OP_AVERAGE && context.requants_per_channel == 0 &&
         plan.axes[1].kernel <= kMostOfFormulas && plan.axes[2].kernel <= kMostOfFormulas;
}

bool Suits(const Context& context, bool are_bytes) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (context.streams || !HasFewFormulas(context)) return false;
  if (IsAdaptive(h) || IsAdaptive(w) || plan.axes[0].kernel > 1) return false;
  if (!(are_bytes ? IsSlowerOfBytes(context) : IsSlowerOfFewLanes(context))) return false;
  if (plan.strategy.group > 1 || plan.x_stride[kW] != 1 || context.y_stride[kW] != 1) return false;
  // Rows of single taps are copied.
  if (w.kernel == 1 && w.stride == 1) return false;
  return h.kernel <= kMostTaps && w.kernel <= kMovedTaps && w.stride <= kMostStep &&
         EffectiveKernel(w) <= kMovedReach && OutputsAtOnce(context) > 0 && HasNearTaps(h) &&
         HasNearTaps(w);
}

}  // namespace

MovedKernel MovedKernelOf(const Context& context) {
  const bool are_bytes = context.lane_size == 1;
  if (!Suits(context, are_bytes)) return nullptr;
  return are_bytes ? KernelsMoves(MovesTarget(context.target))->maxima : context.kernels->moved;
}

bool RunMoves(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  if (d.taps != 1) return false;  // empty
  PlanesJob job;
  job.x = context.X(item.n * plan.x_stride[kN] + item.c_begin * plan.x_stride[kC] +
                    d.position * plan.x_stride[kD]);
  job.planes = item.c_end - item.c_begin;
  job.x_plane_step = plan.x_stride[kC];
  job.y_plane_step = context.y_stride[kC];
  job.taps_d = 1;
  job.x_tap_d = 0;
  job.x_row_step = plan.x_stride[kH];
  job.y_row_step = context.y_stride[kH];
  job.h_input = h.input;
  job.h_stride = h.stride;
  job.taps_h = h.kernel;
  job.h_tap = h.kernel == 1 ? 1 : h.dilation;
  job.w_input = w.input;
  job.taps_w = w.kernel;
  job.w_tap = w.kernel == 1 ? 1 : w.dilation;
  job.w_stride = w.stride;
  job.group = 1;
  job.class_count = 0;
  job.far = job.by_lines = false;
  const int64_t y = item.n * context.y_stride[kN] + item.c_begin * context.y_stride[kC] +
                    item.d * context.y_stride[kD];
  Divisors divisors;
  for (int64_t row = item.h_begin; row < item.h_end; row += kPlaneRows) {
    job.rows = Min(kPlaneRows, item.h_end - row);
    job.h_first = WindowStart(h, row);
    divisors.BeginRows(context, {row, row + job.rows, 1}, d, &job);
    for (int64_t o = item.w_begin; o < item.w_end; o += kTileLanes) {
      job.lanes = Min(kTileLanes, item.w_end - o);
      job.w_first = WindowStart(w, o);
      job.y = context.Y(y + row * context.y_stride[kH] + o);
      divisors.BeginLanes(context, o, o + job.lanes, 1, &job);
      if (!context.moved(job)) return false;
    }
  }
  return true;
}

}  // namespace lanepool
