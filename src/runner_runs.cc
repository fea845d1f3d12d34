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
  job.y_output_step = context.y_stride[kC];
  const Requant* requant = nullptr;
  for (int i = 0; i < 2; ++i) job.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  for (int64_t h_out = item.h_begin; h_out < item.h_end; ++h_out) {
    const Span64 h = ClipWindow(plan.axes[1], h_out);
    const int64_t x_row = item.n * plan.x_stride[kN] + item.c_begin * plan.x_stride[kC];
    const int64_t y_row = item.n * context.y_stride[kN] + item.c_begin * context.y_stride[kC] +
                          item.d * context.y_stride[kD] + h_out * context.y_stride[kH];
    for (int64_t w_out = item.w_begin; w_out < item.w_end; ++w_out) {
      const Span64 w = ClipWindow(plan.axes[2], w_out);
      char* const y = context.Y(y_row + w_out * context.y_stride[kW]);
      if (d.taps == 0 || h.taps == 0 || w.taps == 0) {
        FillEmpty(context, item.c_begin, y, job.outputs, job.y_output_step);
        continue;
      }
      job.x = context.X(x_row + d.position * plan.x_stride[kD] + h.position * plan.x_stride[kH] +
                        w.position);
      job.y = y;
      job.length = w.taps;
      job.taps[0] = d.taps;
      job.taps[1] = h.taps;
      job.divisor =
          DivisorOf(context, Counted(context, d) * Counted(context, h) * Counted(context, w));
      const WindowKey dh = Times(AxisKey(context, 0, d), AxisKey(context, 1, h));
      requant = RequantOf(context, item.c_begin, Times(dh, AxisKey(context, 2, w)));
      job.rules = RulesOf(context, &requant);
      if (!context.kernels->fold_run(job)) context.exact_kernels->fold_run(job);
    }
  }
}

}  // namespace lanepool
