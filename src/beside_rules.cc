#include "beside_rules.h"

#include <stdint.h>

#include "axis.h"
#include "compiled_in.h"
#include "kernel_moves.h"
#include "kernel_table.h"
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

bool AreSumsOfBytes(const lanepool_params& p) {
  return !kCompact && IsByte(p.x_type) && p.op == LANEPOOL_OP_AVERAGE;
}

bool LieSideBySide(const Plan& plan) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (IsAdaptive(h) || IsAdaptive(w)) return false;
  return w.stride == w.kernel && w.dilation == 1 && w.output > 1 && IsWhole(h) && IsWhole(w) &&
         h.stride >= EffectiveKernel(h) && h.kernel * w.output * w.kernel >= kBesideBytes;
}

}  // namespace

bool AreRunsSideBySide(const lanepool_params& p, const Plan& plan) {
  if (!AreSumsOfBytes(p) || !LieSideBySide(plan)) return false;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  return w.kernel % 8 == 0 && w.kernel <= kMostEighths &&
         (h.kernel > 1 || w.kernel < kRunOfEighths);
}

bool AreRunsLaidOut(const lanepool_params& p, const Plan& plan) {
  if (!AreSumsOfBytes(p) || plan.strategy.group > 1) return false;
  const Loop loop = LoopOf(plan);
  const Axis<int64_t>& w = plan.axes[2];
  if (loop != Loop::kRows && loop != Loop::kBySteps) return false;
  const bool three = w.kernel == 3 && w.input >= kLeastOfThree && w.input <= kMostOfThree;
  if (!three && (w.kernel < kLeastLaidOut || w.kernel > kMostLaidOut)) return false;
  return w.kernel % 8 != 0 && plan.x_stride[kW] == 1 && LieSideBySide(plan);
}

}  // namespace lanepool
