// Small calls: f32 with channels as lanes, every window whole. One job for the call, or for each
// output row, straight from the plan: what RunItems prepares for jobs of any kind takes longer.
#include <stdint.h>

#include "compiled_in.h"
#include "dispatch.h"
#include "quantization.h"
#include "runner_context.h"
#include "strategy.h"

namespace lanepool {

bool RunLone(const Sealed& sealed, int64_t target, const CallBuffers& buffers) {
  const lanepool_params& p = sealed.params;
  const Plan& plan = sealed.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const bool max = p.op == LANEPOOL_OP_MAX;
  if (max && !kComparesFloats) return false;
  const Kernels& kernels = KernelsFloat(target)[max ? kMax : kSum];
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
  job.by_lines = false;  // little is read
  const bool pairs = kernels.two_rows && IsThreeByThree(job);
  const int64_t at_once = pairs               ? (h.stride == h.dilation ? 2 : 1)
                          : kernels.many_rows ? h.output
                                              : 1;
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

}  // namespace lanepool
