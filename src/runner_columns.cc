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
  const char* x;  // position (first tap along D and H, 0 along W), first channel
  int64_t y;      // offset of output 0, first channel
  int64_t channel, lanes;
  Span64 d, h;
};

// The windows' key of a row, given the span along W.
WindowKey KeyOfWindow(const Context& context, const OutputRow& row, const Span64& w) {
  const WindowKey dh = Times(AxisKey(context, 0, row.d), AxisKey(context, 1, row.h));
  return Times(dh, AxisKey(context, 2, w));
}

// `outputs` windows from output w on, all with the taps of `span` along W.
void RunWindows(const Context& context, const OutputRow& row, int64_t w, int64_t outputs,
                const Span64& span) {
  const Plan& plan = context.plan;
  const int64_t y_step = context.y_stride[kW];
  char* const y = context.Y(row.y + w * y_step);
  if (row.d.taps == 0 || row.h.taps == 0 || span.taps == 0) {
    for (int64_t o = 0; o < outputs; ++o) {
      FillEmpty(context, row.channel, y + o * y_step * context.y_size, row.lanes, 1);
    }
    return;
  }
  WindowJob job;
  job.x = row.x + span.position * plan.x_stride[kW] * context.x_size;
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
  const Requant* requant = nullptr;
  if (context.requants != nullptr) {
    requant = RequantOf(context, row.channel, KeyOfWindow(context, row, span));
  }
  job.bytes = RulesOf(context, &requant);
  if (!context.kernels->window(job)) context.exact_kernels->window(job);
}

// Outputs [begin, end) along W of wide windows, for `lanes` channels from `lane` on: each input
// column is folded along D and H once, into scratch, and the windows are folded along W from there.
void RunThroughScratch(const Context& context, const OutputRow& row, int64_t begin, int64_t end,
                       int64_t lane, int64_t lanes) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t first = Max(0, WindowStart(w, begin));
  const int64_t last = Min(w.input, WindowStart(w, end - 1) + EffectiveKernel(w));
  alignas(64) char scratch[(kStackLanes + kScratchSlack) * sizeof(float)];
  FoldRowsJob fold = {};
  fold.x = row.x + (lane + first * plan.x_stride[kW]) * context.x_size;
  fold.rows = last - first;
  fold.x_row_step = plan.x_stride[kW];
  fold.lanes = lanes;
  fold.x_lane_step = 1;
  fold.taps[0] = row.d.taps;
  fold.taps[1] = row.h.taps;
  for (int i = 0; i < 2; ++i) fold.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  fold.scratch = scratch;
  fold.pitch = lanes;
  fold.bytes = {context.x_flip, context.y_flip, nullptr};
  const Kernels* kernels = context.kernels;
  if (!kernels->fold_rows(fold)) {
    kernels = context.exact_kernels;
    kernels->fold_rows(fold);
  }

  // A job per run of windows with the same taps: the rows of the job are outputs.
  SlideRowsJob slide = {};
  slide.pitch = w.stride * lanes;
  slide.y_row_step = context.y_stride[kW];
  slide.lanes = slide.uniform_end = lanes;
  slide.stride = 1;
  slide.tap_step = w.dilation * lanes;
  for (int64_t o = begin; o < end; o += slide.rows) {
    const Span64 span = ClipWindow(w, o);
    const bool interior = o >= w.lead && o < w.interior_end;
    slide.rows = interior ? Min(w.interior_end, end) - o : 1;
    slide.scratch = scratch + (span.position - first) * lanes * context.lane_size;
    slide.y = context.Y(row.y + lane + o * context.y_stride[kW]);
    slide.taps = span.taps;
    slide.divisor = DivisorOf(
        context, Counted(context, row.d) * Counted(context, row.h) * Counted(context, span));
    const Requant* requant = nullptr;
    if (context.requants != nullptr) {
      requant = RequantOf(context, row.channel, KeyOfWindow(context, row, span));
    }
    slide.bytes = RulesOf(context, &requant);
    if (!kernels->slide_rows(slide)) context.exact_kernels->slide_rows(slide);
  }
}

// Outputs [begin, end) of the row in tiles that fit the scratch, block of channels by block.
void RunWideRow(const Context& context, const OutputRow& row, int64_t begin, int64_t end) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t reach = EffectiveKernel(w);
  const int64_t positions = kStackLanes / kWideLanes;
  const int64_t tile = (positions - reach) / w.stride + 1;
  const int64_t outputs = end - begin;
  const int64_t used = tile < outputs ? positions : (outputs - 1) * w.stride + reach;
  const int64_t block = Min(kStackLanes / used / kWideLanes * kWideLanes, kTileLanes);
  for (int64_t lane = 0; lane < row.lanes; lane += block) {
    const int64_t lanes = Min(row.lanes - lane, block);
    for (int64_t o = begin; o < end; o += tile) {
      RunThroughScratch(context, row, o, Min(o + tile, end), lane, lanes);
    }
  }
}

}  // namespace

void RunColumns(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w_axis = plan.axes[2];
  OutputRow row;
  row.channel = item.c_begin;
  row.lanes = item.c_end - item.c_begin;
  row.d = ClipWindow(plan.axes[0], item.d);
  for (int64_t h = item.h_begin; h < item.h_end; ++h) {
    row.h = ClipWindow(plan.axes[1], h);
    const bool taps = row.d.taps > 0 && row.h.taps > 0;
    int64_t x = item.n * plan.x_stride[kN] + item.c_begin;
    if (taps) x += row.d.position * plan.x_stride[kD] + row.h.position * plan.x_stride[kH];
    row.x = context.X(x);
    row.y = item.n * context.y_stride[kN] + item.c_begin * context.y_stride[kC] +
            item.d * context.y_stride[kD] + h * context.y_stride[kH];
    if (taps && plan.strategy.tile > 1) {
      RunWideRow(context, row, item.w_begin, item.w_end);
      continue;
    }
    const int64_t lead_end = Min(w_axis.lead, item.w_end);
    const int64_t interior = Max(w_axis.lead, item.w_begin);
    const int64_t interior_end = Min(w_axis.interior_end, item.w_end);
    for (int64_t w = item.w_begin; w < lead_end; ++w) {
      RunWindows(context, row, w, 1, ClipWindow(w_axis, w));
    }
    if (interior < interior_end) {
      RunWindows(context, row, interior, interior_end - interior, ClipWindow(w_axis, interior));
    }
    for (int64_t w = Max(w_axis.interior_end, item.w_begin); w < item.w_end; ++w) {
      RunWindows(context, row, w, 1, ClipWindow(w_axis, w));
    }
  }
}

}  // namespace lanepool
