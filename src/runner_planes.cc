// Loop::kPlanes: small windows that step by 1 along W, whole planes at a time, no scratch.
#include <stdint.h>

#include "runner_context.h"
#include "strategy.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

// Divisor extents of outputs [begin, end) of an axis, times `others`; `others` alone where the
// divisor does not depend on the window.
void FillCounts(const Context& context, const Axis<int64_t>& axis, int64_t begin, int64_t end,
                float others, float* counts) {
  const bool fixed = DivisorIsFixed(context);
  for (int64_t o = begin; o < end; ++o) {
    const bool interior = o >= axis.lead && o < axis.interior_end;
    const int64_t count = interior ? axis.kernel : Counted(context, ClipWindow(axis, o));
    counts[o - begin] = fixed ? others : static_cast<float>(count) * others;
  }
}

}  // namespace

void RunPlanes(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  float* y = context.y + item.n * plan.y_stride[kN] + item.c_begin * plan.y_stride[kC] +
             item.d * plan.y_stride[kD] + item.h_begin * plan.y_stride[kH];
  const int64_t rows = item.h_end - item.h_begin;
  if (d.taps == 0) {
    for (int64_t c = 0; c < item.c_end - item.c_begin; ++c) {
      for (int64_t row = 0; row < rows; ++row) {
        FillEmpty(context, y + c * plan.y_stride[kC] + row * plan.y_stride[kH], w.output, 1);
      }
    }
    return;
  }

  float w_counts[kTileLanes + kCountSlack];
  float h_counts[kPlaneRows];
  PlanesJob job;
  job.x = context.x + item.n * plan.x_stride[kN] + item.c_begin * plan.x_stride[kC] +
          d.position * plan.x_stride[kD];
  job.planes = item.c_end - item.c_begin;
  job.x_plane_step = plan.x_stride[kC];
  job.y_plane_step = plan.y_stride[kC];
  job.taps_d = d.taps;
  job.x_tap_d = plan.axes[0].dilation * plan.x_stride[kD];
  job.rows = rows;
  job.x_row_step = plan.x_stride[kH];
  job.y_row_step = plan.y_stride[kH];
  job.h_input = h.input;
  job.h_first = WindowStart(h, item.h_begin);
  job.h_stride = h.stride;
  job.taps_h = h.kernel;
  job.h_tap = h.kernel == 1 ? h.stride : h.dilation;
  job.w_input = w.input;
  job.taps_w = w.kernel;
  job.w_tap = w.dilation;
  job.w_counts = w_counts;
  job.h_counts = h_counts;
  const int64_t d_count = Counted(context, d);
  job.divisor = DivisorOf(context, d_count * h.kernel * w.kernel);
  const bool divides = context.reducer == kSum;
  if (divides) {
    const float others =
        DivisorIsFixed(context) ? job.divisor.divisor : static_cast<float>(d_count);
    FillCounts(context, h, item.h_begin, item.h_end, others, h_counts);
  }
  for (int64_t o = 0; o < w.output; o += kTileLanes) {
    const int64_t end = Min(o + kTileLanes, w.output);
    job.y = y + o;
    job.lanes = end - o;
    job.w_first = WindowStart(w, o);
    if (divides) FillCounts(context, w, o, end, 1.0f, w_counts);
    if (!context.kernels.planes[context.reducer](job)) {
      context.kernels.planes[context.exact_reducer](job);
    }
  }
}

}  // namespace lanepool
