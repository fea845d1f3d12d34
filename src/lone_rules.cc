#include "lone_rules.h"

#include "compiled_in.h"
#include "types.h"

namespace lanepool {
namespace {

// Of windows with channels as lanes.
constexpr int64_t kMostTaps = 64;
// Of planes, taps along W, positions of a row or a column, and bytes of a row of outputs.
constexpr int64_t kMostTapsOfRow = 3, kMostInput = 64, kMostRowBytes = 64;
constexpr int64_t kMostPlanes = 256;

bool AreWholeWindows(const Plan& plan) {
  for (const Axis<int64_t>& axis : plan.axes) {
    if (IsAdaptive(axis) || axis.lead != 0 || axis.interior_end != axis.output) return false;
  }
  return true;
}

bool IsOneItem(const lanepool_params& p, const Plan& plan) {
  const Planes planes = PlanesOf(p, plan);
  return planes.batch == 1 && plan.strategy.channel_block == planes.channels &&
         plan.axes[0].output == 1 && plan.strategy.row_block == plan.axes[1].output;
}

// Whether bytes are what the kernels of planes make, or that and one formula.
bool HasOneFormula(const lanepool_params& p, const Plan& plan) {
  const Quantization& q = plan.quantization;
  if (!IsByte(p.x_type) || p.y_scale_count != 0 || q.requant_count != q.key_count) return false;
  if (p.op == LANEPOOL_OP_AVERAGE) return q.key_count == 1;
  const int64_t row = plan.axes[2].output * plan.strategy.group;
  const bool dense = plan.y_stride[kH] == row && plan.y_stride[kC] == row * plan.axes[1].output;
  return q.key_count == 0 || (q.key_count == 1 && (dense || plan.strategy.group > 1));
}

bool AreFewChannels(const Plan& plan) {
  const Axis<int64_t>& w = plan.axes[2];
  return KernelTaps(plan) <= kMostTaps && plan.strategy.tile != kThroughScratch &&
         (w.dilation == 1 || w.kernel == 1);
}

// Maxima of bytes of more taps along W have other kernels, see runner_moves.cc. Of so few they may
// have those as well, which gain less here than the short way does.
bool AreFewPlanes(const lanepool_params& p, const Plan& plan) {
  const Strategy& s = plan.strategy;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const bool near = h.kernel > 1 && h.dilation == 1 && w.dilation == 1;
  const bool known = s.loop == Loop::kByTwo || (s.loop == Loop::kPlanes && w.stride == 1);
  return !kCompact && known && near && s.channel_block <= kMostPlanes && h.input <= kMostInput &&
         w.input <= kMostInput && w.kernel <= kMostTapsOfRow && h.output <= kLoneRows &&
         w.output * s.group * ElementBytes(p.y_type) <= kMostRowBytes;
}

}  // namespace

bool IsLone(const lanepool_params& p, const Plan& plan) {
  const bool known = p.op == LANEPOOL_OP_AVERAGE || p.op == LANEPOOL_OP_MAX;
  if (!known || p.y_type != p.x_type || plan.quantization.stage != Stage::kNone) return false;
  if (p.index_type != LANEPOOL_TYPE_NONE || !AreWholeWindows(plan) || !IsOneItem(p, plan)) {
    return false;
  }
  const bool floats = p.x_type == LANEPOOL_TYPE_FLOAT && (p.flags & LANEPOOL_FLAG_CLAMP) == 0;
  if (plan.strategy.loop == Loop::kColumns) return floats && AreFewChannels(plan);
  return (floats || HasOneFormula(p, plan)) && AreFewPlanes(p, plan);
}

}  // namespace lanepool
