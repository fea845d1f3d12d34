#include "beside_rules.h"

#include <stdint.h>

#include "axis.h"
#include "compiled_in.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "plane_rules.h"
#include "turn_rules.h"
#include "types.h"

namespace lanepool {
namespace {

// Bytes of a row of windows at least, of all their rows. Measured.
constexpr int64_t kBesideBytes = 128;
// Bytes of a row of a window that is laid out at least: but for those of three in rows of so many
// columns, which are less than what steps of three fill. Measured.
constexpr int64_t kLeastLaidOut = 5;
constexpr int64_t kLeastOfThree = 48, kMostOfThree = 95;
// The same of maxima. Measured.
constexpr int64_t kLeastMaxima = 9;

bool LieSideBySide(const Plan& plan) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (IsAdaptive(h) || IsAdaptive(w)) return false;
  return w.stride == w.kernel && w.dilation == 1 && w.output > 1 && IsWhole(h) && IsWhole(w) &&
         h.stride >= EffectiveKernel(h) && h.kernel * w.output * w.kernel >= kBesideBytes;
}

// Whether planes are one window each, and lie side by side.
bool AreSmallPlanes(const Plan& plan) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  return h.output == 1 && w.output == 1 && IsWhole(h) && IsWhole(w) && w.dilation == 1 &&
         plan.x_stride[kC] == w.kernel;
}

}  // namespace

bool AreRunsSideBySide(const lanepool_params& p, const Plan& plan) {
  if (kCompact || !IsSumOfBytes(p) || !LieSideBySide(plan)) return false;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  return w.kernel % 8 == 0 && w.kernel <= kMostEighths &&
         (h.kernel > 1 || w.kernel < kRunOfEighths);
}

bool AreRunsLaidOut(const lanepool_params& p, const Plan& plan) {
  const bool maxima = IsByte(p.x_type) && IsExtreme(p.op);
  if (kCompact || !(maxima || IsSumOfBytes(p)) || plan.strategy.group > 1) return false;
  const Loop loop = LoopOf(plan);
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t least = maxima ? kLeastMaxima : kLeastLaidOut;
  const bool three =
      !maxima && w.kernel == 3 && w.input >= kLeastOfThree && w.input <= kMostOfThree;
  if (!three && (w.kernel < least || w.kernel > kMostLaidOut)) return false;
  if (maxima && loop == Loop::kRuns) return AreSmallPlanes(plan);
  if (loop != Loop::kRows && loop != Loop::kBySteps) return false;
  // Maxima have no other loop for whole eighths.
  return (maxima || w.kernel % 8 != 0) && plan.x_stride[kW] == 1 && LieSideBySide(plan);
}

}  // namespace lanepool
