#include "direct_rules.h"

#include <stdint.h>

#include "compiled_in.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

// Outputs of a row that are few.
constexpr int64_t kFewOutputs = 5;

bool IsMaximum(const lanepool_params& p) { return IsExtreme(p.op) || IsLargestMagnitude(p); }

// With channels last. Measured.
bool IsDirectOfChannels(const lanepool_params& p, int64_t taps, int64_t stride) {
  const int64_t bytes = ElementBytes(p.x_type);
  if (!IsMaximum(p)) {
    if (bytes == 4) return taps <= (stride == 1 ? 8 : stride == 2 ? 9 : 12);
    return bytes == 2 && taps <= (stride <= 2 ? 7 : 9);
  }
  if (bytes == 4) return taps <= (stride == 1 ? 6 : stride == 2 ? 7 : 8);
  if (bytes > 2) return false;
  if (stride > 1) return taps <= (bytes == 1 && stride > 2 ? 12 : 7);
  // Blocks share more of even numbers of taps.
  return taps == 5 || taps == 7 || (bytes == 1 && taps == 4);
}

// Of planes, where fewer taps have loops of their own. Measured.
bool IsDirectOfPlanes(const lanepool_params& p, int64_t taps, int64_t stride) {
  const int64_t bytes = ElementBytes(p.x_type);
  if (taps < 5 || stride > 2) return false;
  if (IsMaximum(p)) {
    if (bytes == 1) return stride == 1 ? taps >= 6 && taps <= 9 : taps <= 6;
    return bytes == 2 && stride == 1 && taps >= 7 && taps <= 9;
  }
  if (bytes == 1) return stride == 1 && taps <= 6;
  if (bytes == 2) return taps <= (stride == 1 ? 5 : 6);
  return bytes == 4 && taps <= (stride == 1 ? 7 : 6);
}

}  // namespace

bool IsDirectRow(const lanepool_params& p, const Plan& plan, bool channel_lanes, int64_t taps,
                 int64_t stride) {
  if (kCompact || plan.axes[0].kernel > 1 || plan.axes[1].kernel > 1) return false;
  if (!IsMaximum(p) && !IsFloating(p.x_type) && !IsByte(p.x_type)) return false;
  if (IsByte(p.x_type) && plan.quantization.stage != Stage::kNone) return false;
  if (channel_lanes) return IsDirectOfChannels(p, taps, stride);
  // Phases of windows that are dilated lie apart where they lie.
  return plan.strategy.group == 1 && plan.axes[2].dilation == 1 &&
         IsDirectOfPlanes(p, taps, stride);
}

int64_t DirectMaxima(const lanepool_params& p, const Plan& plan, int64_t stride) {
  const int64_t bytes = ElementBytes(p.x_type);
  if (stride > 1 && plan.axes[2].output < kFewOutputs) return 6;
  if (bytes == 1) return stride == 2 ? 5 : 4;
  if (bytes == 2) return 4;
  return stride == 1 ? 5 : stride == 3 ? 7 : 6;
}

}  // namespace lanepool
