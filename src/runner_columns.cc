// Loop::kColumns: lanes are channels. An output row is cut into lead, interior and trail; the
// windows of the interior are alike and go in one job.
#include <stdint.h>

#include "runner_context.h"

namespace lanepool {
namespace {

struct OutputRow {
  const float* x;  // position (first tap along D and H, 0 along W), first channel
  float* y;
  int64_t lanes;
  Span64 d, h;
};

// `outputs` windows from output w on, all with the taps of `span` along W.
void RunWindows(const Context& context, const OutputRow& row, int64_t w, int64_t outputs,
                const Span64& span) {
  const Plan& plan = context.plan;
  const int64_t y_step = plan.y_stride[kW];
  float* y = row.y + w * y_step;
  if (row.d.taps == 0 || row.h.taps == 0 || span.taps == 0) {
    for (int64_t o = 0; o < outputs; ++o) {
      FillEmpty(context, y + o * y_step, row.lanes, 1);
    }
    return;
  }
  WindowJob job;
  job.x = row.x + span.position * plan.x_stride[kW];
  job.y = y;
  job.lanes = row.lanes;
  job.outputs = outputs;
  job.x_output_step = plan.axes[2].stride * plan.x_stride[kW];
  job.y_output_step = y_step;
  job.taps[0] = row.d.taps;
  job.taps[1] = row.h.taps;
  job.taps[2] = span.taps;
  for (int i = 0; i < 3; ++i) job.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  job.divisor = DivisorOf(
      context, Counted(context, row.d) * Counted(context, row.h) * Counted(context, span));
  if (!context.kernels.window[context.reducer](job)) {
    context.kernels.window[context.exact_reducer](job);
  }
}

}  // namespace

void RunColumns(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w_axis = plan.axes[2];
  OutputRow row;
  row.lanes = item.c_end - item.c_begin;
  row.d = ClipWindow(plan.axes[0], item.d);
  for (int64_t h = item.h_begin; h < item.h_end; ++h) {
    row.h = ClipWindow(plan.axes[1], h);
    const bool taps = row.d.taps > 0 && row.h.taps > 0;
    row.x = context.x + item.n * plan.x_stride[kN] + item.c_begin;
    if (taps) row.x += row.d.position * plan.x_stride[kD] + row.h.position * plan.x_stride[kH];
    row.y = context.y + item.n * plan.y_stride[kN] + item.c_begin + item.d * plan.y_stride[kD] +
            h * plan.y_stride[kH];
    for (int64_t w = 0; w < w_axis.lead; ++w) {
      RunWindows(context, row, w, 1, ClipWindow(w_axis, w));
    }
    if (w_axis.lead < w_axis.interior_end) {
      RunWindows(context, row, w_axis.lead, w_axis.interior_end - w_axis.lead,
                 ClipWindow(w_axis, w_axis.lead));
    }
    for (int64_t w = w_axis.interior_end; w < w_axis.output; ++w) {
      RunWindows(context, row, w, 1, ClipWindow(w_axis, w));
    }
  }
}

}  // namespace lanepool
