// Loop::kColumns: lanes are channels. An output row is cut into lead, interior and trail; the
// windows of the interior are alike and go in one job.
#include <stdint.h>

#include "runner_context.h"
#include "strategy.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

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

// Outputs [begin, end) along W of wide windows, for `lanes` channels from `lane` on: each input
// column is folded along D and H once, into scratch, and the windows are folded along W from there.
void RunThroughScratch(const Context& context, const OutputRow& row, int64_t begin, int64_t end,
                       int64_t lane, int64_t lanes) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t first = Max(0, WindowStart(w, begin));
  const int64_t last = Min(w.input, WindowStart(w, end - 1) + EffectiveKernel(w));
  alignas(64) float scratch[kStackLanes + kScratchSlack];
  FoldRowsJob fold = {};
  fold.x = row.x + lane + first * plan.x_stride[kW];
  fold.rows = last - first;
  fold.x_row_step = plan.x_stride[kW];
  fold.lanes = lanes;
  fold.x_lane_step = 1;
  fold.taps[0] = row.d.taps;
  fold.taps[1] = row.h.taps;
  for (int i = 0; i < 2; ++i) fold.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  fold.scratch = scratch;
  fold.pitch = lanes;
  Reducer reducer = context.reducer;
  if (!context.kernels.fold_rows[reducer](fold)) {
    reducer = context.exact_reducer;
    context.kernels.fold_rows[reducer](fold);
  }

  // A job per run of windows with the same taps: the rows of the job are outputs.
  SlideRowsJob slide = {};
  slide.pitch = w.stride * lanes;
  slide.y_row_step = plan.y_stride[kW];
  slide.lanes = slide.uniform_end = lanes;
  slide.stride = 1;
  slide.tap_step = w.dilation * lanes;
  for (int64_t o = begin; o < end; o += slide.rows) {
    const Span64 span = ClipWindow(w, o);
    const bool interior = o >= w.lead && o < w.interior_end;
    slide.rows = interior ? Min(w.interior_end, end) - o : 1;
    slide.scratch = scratch + (span.position - first) * lanes;
    slide.y = row.y + lane + o * plan.y_stride[kW];
    slide.taps = span.taps;
    slide.divisor = DivisorOf(
        context, Counted(context, row.d) * Counted(context, row.h) * Counted(context, span));
    if (!context.kernels.slide_rows[reducer](slide)) {
      context.kernels.slide_rows[context.exact_reducer](slide);
    }
  }
}

// Tiles of the row that fit the scratch, block of channels by block.
void RunWideRow(const Context& context, const OutputRow& row) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t reach = EffectiveKernel(w);
  const int64_t positions = kStackLanes / kWideLanes;
  const int64_t tile = (positions - reach) / w.stride + 1;
  const int64_t used = tile < w.output ? positions : (w.output - 1) * w.stride + reach;
  const int64_t block = Min(kStackLanes / used / kWideLanes * kWideLanes, kTileLanes);
  for (int64_t lane = 0; lane < row.lanes; lane += block) {
    const int64_t lanes = Min(row.lanes - lane, block);
    for (int64_t o = 0; o < w.output; o += tile) {
      RunThroughScratch(context, row, o, Min(o + tile, w.output), lane, lanes);
    }
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
    if (taps && plan.strategy.tile > 1) {
      RunWideRow(context, row);
      continue;
    }
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
