#include "plane_rules.h"

#include "blocks.h"
#include "compiled_in.h"
#include "kernel_table.h"
#include "plan_axes.h"
#include "scratch.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Windows of Loop::kByTwo, of averages of bytes one less.
constexpr int64_t kStepTaps = 4;
// Taps along each axis of planes that are walked as one row.
constexpr int64_t kFlatTaps = 5;

// Maxima for which few loops are built.
bool IsRareMaximum(const lanepool_params& p) {
  const bool maximum = IsExtreme(p.op) || IsLargestMagnitude(p);
  const bool floats = p.x_type == LANEPOOL_TYPE_FLOAT || p.x_type == LANEPOOL_TYPE_DOUBLE;
  const bool common = p.op == LANEPOOL_OP_MAX && floats;
  return maximum && ElementBytes(p.x_type) >= 4 && !common;
}

bool IsSumOfBytes(const lanepool_params& p) {
  return IsByte(p.x_type) && p.op == LANEPOOL_OP_AVERAGE;
}

// Whether there is a loop over planes for just these windows, of as many taps along H as along W:
// one for any would take longer than to go through scratch.
bool HasPlanesLoop(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const int64_t taps = h.kernel;
  if (taps != plan.axes[2].kernel || IsRareMaximum(p)) return false;
  // Types with more loops than others.
  const bool many = IsByte(p.x_type) || p.x_type == LANEPOOL_TYPE_FLOAT;
  const int64_t step = PhasesOf(h).stride;  // in taps
  if (taps == 4 || taps == 5) return many && step <= 2 && plan.axes[0].kernel == 1;
  // No window lacks more than its first tap along H, or its last one.
  const int64_t end = WindowStart(h, h.output - 1) + EffectiveKernel(h);
  const bool lacks_one = h.pad_begin <= h.dilation && end - h.dilation <= h.input &&
                         h.input >= (taps - 1) * h.dilation;
  if (step > 1 || plan.axes[2].stride > 1) return many && taps == 3 && step <= 2 && lacks_one;
  return (taps == 3 || (taps == 2 && (many || ElementBytes(p.x_type) == 2))) && lacks_one;
}

// Whether positions along W, or groups of channels, follow each other, and no window is empty.
bool AreWholeRows(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const int64_t group = plan.strategy.group;
  return Contiguous(w.input, plan.x_stride[kW], group) &&
         Contiguous(w.output, plan.y_stride[kW], group) && !IsAdaptive(h) && !IsAdaptive(w) &&
         !HasEmptyWindow(h) && !HasEmptyWindow(w);
}

// Windows that step by 1 along W, or pixels of a group of channels, and are walked without scratch.
// Each row is read once per tap along W; along H the partial folds of a few taps slide in
// registers.
bool SmallWindows(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  const int64_t group = plan.strategy.group;
  return (w.stride == 1 || group > 1) && EffectiveKernel(w) <= kUsualLanes / group &&
         plan.axes[1].output > 1 && HasPlanesLoop(p, plan);
}

// Windows that step by 2 along W, see StripByTwo.
bool StepsByTwo(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (w.stride != 2 || (w.dilation != 1 && w.kernel != 1) || IsRareMaximum(p)) return false;
  if (IsSumOfBytes(p)) {
    return (w.kernel == 2 || w.kernel == 3) && h.kernel <= 3 && plan.axes[0].kernel == 1 &&
           h.dilation == 1;
  }
  // Short rows of halves are faster taken many at a time, but for squares of taps. Measured.
  const bool square = w.kernel >= 3 && w.kernel == h.kernel;
  const bool halves = p.op == LANEPOOL_OP_AVERAGE && ElementBytes(p.x_type) == 2;
  if (!kCompact && halves && w.output < (square ? 4 : 8)) return false;
  return w.kernel <= kStepTaps && h.kernel <= kStepTaps;
}

// Planes that are walked as one row, see FlatPlanes: rows as long as each other without gaps.
bool IsFlat(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  return h.kernel * w.kernel > 1 && plan.axes[0].kernel == 1 && h.stride == 1 && h.input > 1 &&
         h.output > 1 && w.stride == 1 && w.output == w.input && w.kernel <= kFlatTaps &&
         h.kernel <= kFlatTaps && w.input <= kTileLanes && EffectiveKernel(w) <= kTileLanes &&
         plan.x_stride[kH] == w.input && plan.y_stride[kH] == w.output;
}

}  // namespace

Loop LoopOfRows(const lanepool_params& p, const Plan& plan) {
  const bool one = plan.strategy.group == 1;
  if (!AreWholeRows(plan)) return Loop::kRows;
  if (IsSumOfBytes(p) ? one && IsFlat(plan) : SmallWindows(p, plan)) return Loop::kPlanes;
  return one && StepsByTwo(p, plan) ? Loop::kByTwo : Loop::kRows;
}

}  // namespace lanepool
