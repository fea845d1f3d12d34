// Loop::kRows: lanes are positions along W, times `group` channels. Output rows are taken in tiles
// along W and batches along H: fold each batch along D and H into scratch rows whose margins hold
// the identity, then fold the scratch along W.
#include <stdint.h>

#include "runner_context.h"
#include "strategy.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Clamp(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

// Outputs [begin, end) along W, and what of the input they need.
struct Tile {
  int64_t begin, end;
  int64_t first,
      last;  // input positions [first, last) from the first to the last tap, pads included
  int64_t taps;
};

struct Scratch {
  float* rows;
  int64_t lanes;
  float counts[kTileLanes + kCountSlack];
  float strided_y[kTileLanes];
  alignas(64) float stack[kStackLanes + kScratchSlack];
};

// `rows` output rows, the first one `h` of channel c; their windows have the same taps along H.
// They follow each other along H or along C.
struct Batch {
  int64_t c, h, rows;
  int64_t x_row_step, y_row_step;
};

struct RowsOfItem {
  const Context& context;
  const Item& item;
  Scratch& scratch;
  Span64 d;

  void RunTile(const Tile& tile);
  void RunBatch(const Tile& tile, const SlideRowsJob& prepared, const Batch& batch);
  void PrepareCounts(const Tile& tile, SlideRowsJob* job);
  void MendEmptyWindows(const Tile& tile, float* y);
};

// Divisor extents along W of the tile's lanes, and the lanes where they are the whole kernel.
void RowsOfItem::PrepareCounts(const Tile& tile, SlideRowsJob* job) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t group = context.plan.strategy.group;
  job->counts = scratch.counts;
  job->uniform_begin = 0;
  job->uniform_end = job->lanes;
  if (context.reducer != kSum || DivisorIsFixed(context)) return;
  bool before = true;
  for (int64_t o = tile.begin; o < tile.end; ++o) {
    const int64_t lane = (o - tile.begin) * group;
    const bool interior = o >= w.lead && o < w.interior_end;
    const int64_t count = interior ? w.kernel : Counted(context, ClipWindow(w, o));
    for (int64_t g = 0; g < group; ++g) {
      scratch.counts[lane + g] = static_cast<float>(count == 0 ? 1 : count);
    }
    if (count == w.kernel) {
      if (before) job->uniform_begin = lane;
      before = false;
      job->uniform_end = lane + group;
    } else if (before) {
      job->uniform_begin = job->uniform_end = lane + group;
    }
  }
}

void RowsOfItem::MendEmptyWindows(const Tile& tile, float* y) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  for (int64_t o = tile.begin; o < tile.end; ++o) {
    const bool interior = o >= w.lead && o < w.interior_end;
    if (interior || ClipWindow(w, o).taps > 0) continue;
    FillEmpty(context, y + (o - tile.begin) * plan.y_stride[kW], plan.strategy.group, 1);
  }
}

void RowsOfItem::RunBatch(const Tile& tile, const SlideRowsJob& prepared, const Batch& batch) {
  const Plan& plan = context.plan;
  const Span64 h_span = ClipWindow(plan.axes[1], batch.h);
  const int64_t group = plan.strategy.group;
  float* y = context.y + item.n * plan.y_stride[kN] + batch.c * plan.y_stride[kC] +
             item.d * plan.y_stride[kD] + batch.h * plan.y_stride[kH] +
             tile.begin * plan.y_stride[kW];
  if (d.taps == 0 || h_span.taps == 0) {
    for (int64_t row = 0; row < batch.rows; ++row) {
      for (int64_t o = 0; o < tile.end - tile.begin; ++o) {
        FillEmpty(context, y + row * batch.y_row_step + o * plan.y_stride[kW], group, 1);
      }
    }
    return;
  }

  const int64_t begin = Clamp(0, tile.first, tile.last);
  const int64_t end = Clamp(plan.axes[2].input, begin, tile.last);
  FoldRowsJob fold;
  fold.x = context.x + item.n * plan.x_stride[kN] + batch.c * plan.x_stride[kC] +
           d.position * plan.x_stride[kD] + h_span.position * plan.x_stride[kH] +
           (end > begin ? begin * plan.x_stride[kW] : 0);
  fold.rows = batch.rows;
  fold.x_row_step = batch.x_row_step;
  fold.lanes = (end - begin) * group;
  fold.x_lane_step = group == 1 ? plan.x_stride[kW] : 1;
  fold.taps[0] = d.taps;
  fold.taps[1] = h_span.taps;
  for (int i = 0; i < 2; ++i) fold.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  fold.scratch = scratch.rows;
  fold.pitch = prepared.pitch;
  fold.left = (begin - tile.first) * group;
  fold.right = (tile.last - end) * group;
  Reducer reducer = context.reducer;
  if (!context.kernels.fold_rows[reducer](fold)) {
    reducer = context.exact_reducer;
    context.kernels.fold_rows[reducer](fold);
  }

  SlideRowsJob slide = prepared;
  const int64_t other_count = Counted(context, d) * Counted(context, h_span);
  slide.rows = batch.rows;
  slide.divisor = DivisorOf(context, other_count * plan.axes[2].kernel);
  slide.other_count = static_cast<float>(other_count);
  const bool strided_y = group == 1 && plan.y_stride[kW] != 1;
  slide.y = strided_y ? scratch.strided_y : y;
  slide.y_row_step = batch.y_row_step;
  if (!context.kernels.slide_rows[reducer](slide)) {
    context.kernels.slide_rows[context.exact_reducer](slide);
  }
  if (strided_y) {
    for (int64_t i = 0; i < slide.lanes; ++i) y[i * plan.y_stride[kW]] = scratch.strided_y[i];
  }
  if (!HasEmptyWindow(plan.axes[2])) return;
  for (int64_t row = 0; row < batch.rows; ++row) {
    MendEmptyWindows(tile, y + row * batch.y_row_step);
  }
}

void RowsOfItem::RunTile(const Tile& tile) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h_axis = plan.axes[1];
  const int64_t group = plan.strategy.group;
  SlideRowsJob slide;
  slide.scratch = scratch.rows;
  slide.pitch = (tile.last - tile.first) * group;
  slide.lanes = (tile.end - tile.begin) * group;
  slide.stride = plan.axes[2].stride;
  slide.taps = tile.taps;
  slide.tap_step = plan.axes[2].dilation * group;
  PrepareCounts(tile, &slide);

  // Scatters of a strided y go through one row.
  const bool strided_y = group == 1 && plan.y_stride[kW] != 1;
  const int64_t most_rows =
      strided_y || slide.pitch == 0 ? 1 : Clamp(scratch.lanes / slide.pitch, 1, scratch.lanes);
  const int64_t c_end = group == 1 ? item.c_end : item.c_begin + 1;
  const int64_t interior_begin = Clamp(h_axis.lead, item.h_begin, item.h_end);
  const int64_t interior_end = Clamp(h_axis.interior_end, interior_begin, item.h_end);
  if (c_end - item.c_begin > interior_end - interior_begin) {
    // Small planes: one row of many channels.
    for (int64_t h = item.h_begin; h < item.h_end; ++h) {
      for (int64_t c = item.c_begin; c < c_end; c += most_rows) {
        RunBatch(tile, slide,
                 {c, h, Min(c_end - c, most_rows), plan.x_stride[kC], plan.y_stride[kC]});
      }
    }
    return;
  }
  const int64_t x_row_step = h_axis.stride * plan.x_stride[kH];
  for (int64_t c = item.c_begin; c < c_end; ++c) {
    for (int64_t h = item.h_begin; h < item.h_end;) {
      const bool interior = h >= interior_begin && h < interior_end;
      const int64_t rows = interior ? Min(interior_end - h, most_rows) : 1;
      RunBatch(tile, slide, {c, h, rows, x_row_step, plan.y_stride[kH]});
      h += rows;
    }
  }
}

}  // namespace

void RunRows(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  const Strategy& s = plan.strategy;
  Scratch scratch;
  scratch.rows = scratch.stack;
  scratch.lanes = kStackLanes;
  if (s.scratch_bytes > 0) {
    const uintptr_t beyond = reinterpret_cast<uintptr_t>(context.workspace) % 64;
    char* const aligned = static_cast<char*>(context.workspace) + (beyond == 0 ? 0 : 64 - beyond);
    scratch.rows = reinterpret_cast<float*>(aligned);
    scratch.lanes = (s.scratch_bytes - 64) / static_cast<int64_t>(sizeof(float)) - kScratchSlack;
  }
  RowsOfItem rows = {context, item, scratch, ClipWindow(plan.axes[0], item.d)};
  if (s.tile > 0) {
    for (int64_t o = 0; o < w.output; o += s.tile) {
      const int64_t end = Min(o + s.tile, w.output);
      const int64_t first = WindowStart(w, o);
      const int64_t last = WindowStart(w, end - 1) + EffectiveKernel(w);
      rows.RunTile({o, end, first, last, w.kernel});
    }
    return;
  }
  // Windows far wider than the input: only their taps inside it are folded, one output at a time.
  for (int64_t o = 0; o < w.output; ++o) {
    const Span64 span = ClipWindow(w, o);
    const int64_t last = span.position + (span.taps - 1) * w.dilation + 1;
    if (span.taps > 0) {
      rows.RunTile({o, o + 1, span.position, last, span.taps});
    } else {
      rows.RunTile({o, o + 1, 0, 1, 1});  // any tap: the window is mended as an empty one
    }
  }
}

}  // namespace lanepool
