// Small calls, every window whole: f32 with channels as lanes, planes of f32 or bytes. One job for
// the call, or for each output row, straight from the plan: what RunItems prepares for jobs of any
// kind takes longer.
#include <stdint.h>

#include "compiled_in.h"
#include "dispatch.h"
#include "element_rules.h"
#include "kernel_in_place.h"
#include "kernel_moves.h"
#include "lone_rules.h"
#include "quantization.h"
#include "runner_context.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

constexpr int64_t kManyOutputs = 32;  // measured

// What lanes and rows of windows that are all alike have in common.
struct AlikeLanes {
  float ones[kLoneLanes + kCountSlack];
  uint8_t first_class[kLoneLanes + kCountSlack] = {};
  constexpr AlikeLanes() : ones() {
    for (float& one : ones) one = 1.0f;
  }
};
constexpr AlikeLanes kAlikeLanes;

bool RunLonePlanes(const Sealed& sealed, int64_t target, const CallBuffers& buffers) {
  const lanepool_params& p = sealed.params;
  const Plan& plan = sealed.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const bool max = p.op == LANEPOOL_OP_MAX, bytes = IsByte(p.x_type);
  if (max && !bytes && !kComparesFloats) return false;
  const Kernels& kernels = bytes ? KernelsBytes(target)[max ? kMaxBytes : kSum16]
                                 : KernelsFloat(target)[max ? kMax : kSum];
  const bool slides = plan.strategy.loop == Loop::kPlanes;
  const int64_t group = plan.strategy.group;
  // Of maxima in full vectors, see RequantizesInPlace.
  const bool later = max && plan.quantization.key_count != 0 && group == 1;
  float h_counts[kLoneRows];
  const Requant* const requants[] = {plan.quantization.requants};
  PlanesJob job;
  job.x = buffers.x;
  job.y = buffers.y;
  job.planes = PlanesOfItem(plan, plan.strategy.channel_block);
  job.x_plane_step = plan.x_stride[kC];
  job.y_plane_step = plan.y_stride[kC];
  job.taps_d = plan.axes[0].kernel;
  job.x_tap_d = plan.axes[0].dilation * plan.x_stride[kD];
  job.rows = h.output;
  job.x_row_step = plan.x_stride[kH];
  job.y_row_step = plan.y_stride[kH];
  job.h_input = h.input;
  job.h_first = job.w_first = 0;
  job.h_stride = h.stride;
  job.taps_h = h.kernel;
  job.h_tap = h.dilation;
  job.lanes = w.output * group;
  job.w_input = w.input * group;
  job.taps_w = w.kernel;
  job.w_tap = w.dilation * group;
  job.w_stride = w.stride;
  job.group = group;
  job.divisor = {};
  if (!max && !bytes) job.divisor = MakeDivisor(DivisorOfWindow(p, plan, KernelTaps(plan)));
  for (int64_t row = 0; row < h.output; ++row) h_counts[row] = job.divisor.divisor;
  job.w_counts = kAlikeLanes.ones;
  job.h_counts = h_counts;
  job.rules = {};
  if (bytes) SetFlips(p, &job.rules);
  job.rules.y_flip = p.y_type == LANEPOOL_TYPE_INT8 ? 0x80 : 0;
  if (plan.quantization.key_count != 0 && !later) job.rules.requants = requants;
  job.w_classes = job.h_classes = kAlikeLanes.first_class;
  job.class_count = 1;
  job.far = job.by_lines = false;
  const bool pairs = plan.strategy.moved_folds == MovedFolds::kPixelPairs;
  const auto sums = pairs ? KernelsMoves(MovesTarget(target))->pixel_pairs : nullptr;
  const auto planes = slides ? kernels.planes : kernels.planes_by_two;
  if (!(sums != nullptr ? sums : planes)(job)) return false;
  if (later) {
    const int64_t lanes = job.planes * job.rows * job.lanes;
    KernelInPlace(target)(
        {static_cast<uint8_t*>(buffers.y), lanes, requants[0], job.rules.x_flip, job.rules.y_flip});
  }
  return true;
}

// The next best target where the channels are a vector of it and windows overlap along W, unless
// outputs are few.
int64_t TargetOfColumns(const Sealed& sealed, int64_t target) {
  const lanepool_params& p = sealed.params;
  const Axis<int64_t>& h = sealed.plan.axes[1];
  const Axis<int64_t>& w = sealed.plan.axes[2];
  if (w.stride >= w.kernel || w.output * h.output < kManyOutputs) return target;
  if (2 * p.channels != KernelsFloat(target)[kSum].ring_lanes) return target;
  const uint64_t next = NextTarget(p.target_mask, static_cast<uint64_t>(target));
  return next == 0 ? target : static_cast<int64_t>(next);
}

bool RunLoneColumns(const Sealed& sealed, int64_t target, const CallBuffers& buffers) {
  const lanepool_params& p = sealed.params;
  const Plan& plan = sealed.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const bool max = p.op == LANEPOOL_OP_MAX;
  if (max && !kComparesFloats) return false;
  const Kernels& kernels = KernelsFloat(TargetOfColumns(sealed, target))[max ? kMax : kSum];
  WindowJob job;
  job.lanes = p.channels;
  job.outputs = w.output;
  job.x_output_step = w.stride * plan.x_stride[kW];
  job.y_output_step = plan.y_stride[kW];
  for (int i = 0; i < 3; ++i) {
    const int level = plan.strategy.tile == kByRows ? 2 - i : i;
    job.taps[level] = plan.axes[i].kernel;
    job.x_tap[level] = plan.axes[i].dilation * plan.x_stride[kD + i];
  }
  job.divisor = {};
  if (!max) job.divisor = MakeDivisor(DivisorOfWindow(p, plan, KernelTaps(plan)));
  job.rules = {};
  job.lead.exists = job.trail.exists = false;
  job.edge_row.which = EdgeRow::kNone;
  job.x_row_step = h.stride * plan.x_stride[kH];
  job.y_row_step = plan.y_stride[kH];
  job.streams = false;
  job.in_registers = PrefersRegisters();
  job.by_lines = job.by_fours = job.far = false;  // little is read
  const int64_t at_once = MostRows(kernels, job, h);
  const float* const x = static_cast<const float*>(buffers.x);
  float* const y = static_cast<float*>(buffers.y);
  for (int64_t row = 0; row < h.output; row += job.rows) {
    job.x = x + row * job.x_row_step;
    job.y = y + row * job.y_row_step;
    job.rows = h.output - row < at_once ? h.output - row : at_once;
    if (!kernels.window(job)) return false;
  }
  return true;
}

}  // namespace

bool RunLone(const Sealed& sealed, int64_t target, const CallBuffers& buffers) {
  return sealed.plan.strategy.loop == Loop::kColumns ? RunLoneColumns(sealed, target, buffers)
                                                     : RunLonePlanes(sealed, target, buffers);
}

}  // namespace lanepool
