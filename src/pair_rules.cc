#include "pair_rules.h"

#include <stdint.h>

#include "axis.h"
#include "kernel_moves.h"
#include "plan.h"
#include "plane_rules.h"

namespace lanepool {
namespace {

// Channels that windows of two pixels, by two, have other loops for; but for short rows of three,
// of several images. Measured.
constexpr int64_t kMostByTwo = 8, kThree = 3, kMostOfThree = 16;
// Lanes of a vector that have sums, more than. Measured.
constexpr int64_t kLeastFilled = 16;

}  // namespace

bool AreWholePairs(const lanepool_params& p, const Plan& plan) {
  const int64_t group = plan.strategy.group;
  if (group == 1 || !IsSumOfBytes(p)) return false;
  const Loop loop = plan.strategy.loop;
  if (loop == Loop::kColumns || loop == Loop::kBlocks) return false;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (plan.axes[0].kernel > 1 || IsAdaptive(h) || IsAdaptive(w) || !IsWhole(h) || !IsWhole(w))
    return false;
  if (w.kernel > kMostPairTaps || EffectiveKernel(w) > w.input || w.stride > w.input) return false;
  if (w.kernel == 1 && w.stride == 1) return false;
  const bool three = group == kThree && w.output <= kMostOfThree && p.batch > 1;
  if (loop == Loop::kByTwo && w.kernel <= 2 && group <= kMostByTwo && !three) return false;
  const int64_t pixels = PixelsAtOnce(group, w.stride * group, EffectiveKernel(w) * group);
  return pixels * group > kLeastFilled;
}

}  // namespace lanepool
