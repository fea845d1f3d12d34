// Loop::kRuns: every window is one long run along W, for several channels in one job.
#include <stdint.h>

#include "runner_context.h"

namespace lanepool {

void RunRuns(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  FoldRunJob job;
  job.outputs = item.c_end - item.c_begin;
  job.x_output_step = plan.x_stride[kC];
  job.y_output_step = plan.y_stride[kC];
  for (int i = 0; i < 2; ++i) job.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  for (int64_t h_out = item.h_begin; h_out < item.h_end; ++h_out) {
    const Span64 h = ClipWindow(plan.axes[1], h_out);
    const float* x_row = context.x + item.n * plan.x_stride[kN] + item.c_begin * plan.x_stride[kC];
    float* y_row = context.y + item.n * plan.y_stride[kN] + item.c_begin * plan.y_stride[kC] +
                   item.d * plan.y_stride[kD] + h_out * plan.y_stride[kH];
    for (int64_t w_out = 0; w_out < plan.axes[2].output; ++w_out) {
      const Span64 w = ClipWindow(plan.axes[2], w_out);
      float* y = y_row + w_out * plan.y_stride[kW];
      if (d.taps == 0 || h.taps == 0 || w.taps == 0) {
        FillEmpty(context, y, job.outputs, job.y_output_step);
        continue;
      }
      job.x = x_row + d.position * plan.x_stride[kD] + h.position * plan.x_stride[kH] + w.position;
      job.y = y;
      job.length = w.taps;
      job.taps[0] = d.taps;
      job.taps[1] = h.taps;
      job.divisor =
          DivisorOf(context, Counted(context, d) * Counted(context, h) * Counted(context, w));
      if (!context.kernels.fold_run[context.reducer](job)) {
        context.kernels.fold_run[context.exact_reducer](job);
      }
    }
  }
}

}  // namespace lanepool
