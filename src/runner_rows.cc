// Loop::kRows: lanes are positions along W, times `group` channels. Output rows are taken in tiles
// along W and batches along H: fold each batch along D and H into scratch rows whose margins hold
// the identity, then fold the scratch along W.
#include <stdint.h>
#include <string.h>

#include "compiled_in.h"
#include "pick_outputs.h"
#include "runner_context.h"
#include "scratch.h"
#include "strategy.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }
int64_t Clamp(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

// Keys along W of windows that have taps, and one for those that have none.
constexpr int32_t kMostClasses = kMostRequants + 1;

// Outputs [begin, end) along W, and what of the input they need.
struct Tile {
  int64_t begin, end;
  int64_t first,
      last;  // input positions [first, last) from the first to the last tap, pads included
  int64_t taps;
};

struct Scratch {
  char* rows;
  int64_t lanes;
  // Floats have counts, bytes have classes: one for each lane of the tile.
  union {
    float counts[kTileLanes + kCountSlack];
    uint8_t classes[kTileLanes + kCountSlack];
  };
  int32_t class_count;
  WindowKey class_keys[kMostClasses];                    // along W
  alignas(8) char results[kTileLanes * sizeof(double)];  // not as they lie in y
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
  int64_t margined;  // rows of scratch that have their margins, of the tile

  void RunTile(const Tile& tile);
  void RunBatch(const Tile& tile, const SlideRowsJob& prepared, const Batch& batch);
  void PrepareCounts(const Tile& tile, SlideRowsJob* job);
  void PrepareClasses(const Tile& tile, SlideRowsJob* job);
  uint8_t ClassOf(const WindowKey& key);
  // Whether results lie otherwise in y than the loops leave them.
  bool PlacesResults() const {
    const Plan& plan = context.plan;
    return PicksOutputs(plan) || (plan.strategy.group == 1 && context.y_stride[kW] != 1);
  }
  // Whether lanes are outputs already once they are folded along D and H, all of the same taps.
  bool FoldsAreOutputs() const {
    const Axis<int64_t>& w = context.plan.axes[2];
    const Plan& plan = context.plan;
    const bool in_order = plan.strategy.group > 1 || (w.stride == 1 && plan.x_stride[kW] == 1);
    return w.kernel == 1 && w.lead == 0 && w.interior_end == w.output && plan.strategy.tile > 0 &&
           in_order;
  }
  // Whether rows of x, folded along D and H already, can be folded along W where they lie: nothing
  // is missing, nothing else is read, and nobody looks for NaN on the way.
  bool FoldsInPlace(const FoldRowsJob& fold, const SlideRowsJob& slide) const {
    const bool apart = slide.stride > 1 && slide.stride <= kInterleaved && slide.tap_step == 1;
    const bool exact = slide.stride == 1 || (apart && slide.taps % slide.stride == 0);
    return fold.taps[0] == 1 && fold.taps[1] == 1 && fold.x_lane_step == 1 && fold.left == 0 &&
           fold.right == 0 && slide.lanes >= kCountSlack && exact && context.divides &&
           context.kernels->lanes_are_elements;
  }
  void RunWindows(const FoldRowsJob& fold, const SlideRowsJob& slide);
  void PlaceResults(const SlideRowsJob& slide, const Batch& batch, char* y);
  void MendEmptyWindows(const Tile& tile, int64_t channel, char* y);
};

// The lanes of interior windows, which divide alike, and the divisor extents along W of the others.
// A vector may have lanes of both.
void RowsOfItem::PrepareCounts(const Tile& tile, SlideRowsJob* job) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t apart = LanesApart(context.plan);
  job->counts = scratch.counts;
  if (!context.divides || DivisorIsFixed(context.params)) return;
  const int64_t interior = Clamp(w.lead, tile.begin, tile.end);
  const int64_t interior_end = Clamp(w.interior_end, interior, tile.end);
  const auto lane_of = [&](int64_t o) { return Min((o - tile.begin) * apart, job->lanes); };
  const auto fill = [&](int64_t begin, int64_t end, int64_t count) {
    for (int64_t i = begin; i < end; ++i) scratch.counts[i] = static_cast<float>(count);
  };
  const auto fill_edge = [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o) {
      const int64_t count = Counted(context, ClipWindow(w, o));
      fill(lane_of(o), lane_of(o + 1), count == 0 ? 1 : count);
    }
  };
  fill_edge(tile.begin, interior);
  fill_edge(interior_end, tile.end);
  const int64_t begin = job->uniform_begin = lane_of(interior);
  const int64_t end = job->uniform_end = lane_of(interior_end);
  // What lies behind the lanes otherwise may be subnormal, and take long to divide by.
  if (!kCompact && end - begin < job->lanes) fill(job->lanes, job->lanes + kCountSlack, 1);
  if (begin > 0) fill(begin, Min(end, begin + kCountSlack), w.kernel);
  if (end < job->lanes) fill(begin < end - kCountSlack ? end - kCountSlack : begin, end, w.kernel);
}

uint8_t RowsOfItem::ClassOf(const WindowKey& key) {
  for (int32_t i = 0; i < scratch.class_count; ++i) {
    const WindowKey& known = scratch.class_keys[i];
    if (known.taps == key.taps && known.counted == key.counted) return static_cast<uint8_t>(i);
  }
  scratch.class_keys[scratch.class_count] = key;
  return static_cast<uint8_t>(scratch.class_count++);
}

// Classes of the tile's lanes. Class 0 is that of the first window, or of the interior ones if
// there are any in the tile.
void RowsOfItem::PrepareClasses(const Tile& tile, SlideRowsJob* job) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t apart = LanesApart(context.plan);
  job->classes = scratch.classes;
  scratch.class_count = 0;
  const int64_t interior = Clamp(w.lead, tile.begin, tile.end);
  const int64_t interior_end = Clamp(w.interior_end, interior, tile.end);
  const int64_t alike = interior < interior_end ? interior : tile.begin;
  ClassOf(AxisKey(context, 2, ClipWindow(w, alike)));
  int64_t alike_end = interior < interior_end ? interior_end : tile.begin + 1;
  for (int64_t o = tile.begin; o < tile.end; ++o) {
    const bool inside = o >= interior && o < interior_end;
    const uint8_t own = inside ? 0 : ClassOf(AxisKey(context, 2, ClipWindow(w, o)));
    const int64_t lane = (o - tile.begin) * apart, next = Min(lane + apart, job->lanes);
    for (int64_t i = lane; i < next; ++i) scratch.classes[i] = own;
    if (own == 0 && o == alike_end) ++alike_end;
  }
  memset(scratch.classes + job->lanes, 0, kCountSlack);
  job->uniform_begin = (alike - tile.begin) * apart;
  job->uniform_end = Min((alike_end - tile.begin) * apart, job->lanes);
  job->class_count = scratch.class_count;
}

// Both jobs in one.
void RowsOfItem::RunWindows(const FoldRowsJob& fold, const SlideRowsJob& slide) {
  WindowJob window = {};
  window.x = fold.x;
  window.y = slide.y;
  window.lanes = fold.lanes;
  window.outputs = fold.rows;
  window.x_output_step = fold.x_row_step;
  window.y_output_step = slide.y_row_step;
  window.taps[0] = 1;
  for (int i = 0; i < 2; ++i) {
    window.taps[i + 1] = fold.taps[i];
    window.x_tap[i + 1] = fold.x_tap[i];
  }
  window.divisor = slide.divisor;
  window.rules = slide.rules;
  window.rows = 1;
  if (!context.kernels->window(window)) context.exact_kernels->window(window);
}

void RowsOfItem::PlaceResults(const SlideRowsJob& slide, const Batch& batch, char* y) {
  PickOutputs(context, {scratch.results, y, slide.lanes, batch.rows, context.y_stride[kW],
                        batch.y_row_step});
}

void RowsOfItem::MendEmptyWindows(const Tile& tile, int64_t channel, char* y) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  for (int64_t o = tile.begin; o < tile.end; ++o) {
    const bool interior = o >= w.lead && o < w.interior_end;
    if (interior || ClipWindow(w, o).taps > 0) continue;
    FillEmpty(context, channel, y + (o - tile.begin) * context.y_stride[kW] * context.y_size,
              plan.strategy.group, 1);
  }
}

void RowsOfItem::RunBatch(const Tile& tile, const SlideRowsJob& prepared, const Batch& batch) {
  const Plan& plan = context.plan;
  const Span64 h_span = ClipWindow(plan.axes[1], batch.h);
  const int64_t group = plan.strategy.group;
  const int64_t y_step = context.y_stride[kW] * context.y_size;
  const int64_t y_row_step = batch.y_row_step * context.y_size;
  char* y = context.Y(item.n * context.y_stride[kN] + batch.c * context.y_stride[kC] +
                      item.d * context.y_stride[kD] + batch.h * context.y_stride[kH] +
                      tile.begin * context.y_stride[kW]);
  if (d.taps == 0 || h_span.taps == 0) {
    for (int64_t row = 0; row < batch.rows; ++row) {
      for (int64_t o = 0; o < tile.end - tile.begin; ++o) {
        FillEmpty(context, batch.c, y + row * y_row_step + o * y_step, group, 1);
      }
    }
    return;
  }

  const int64_t begin = Clamp(0, tile.first, tile.last);
  const int64_t end = Clamp(plan.axes[2].input, begin, tile.last);
  FoldRowsJob fold;
  fold.x = context.X(item.n * plan.x_stride[kN] + batch.c * plan.x_stride[kC] +
                     d.position * plan.x_stride[kD] + h_span.position * plan.x_stride[kH] +
                     (end > begin ? begin * plan.x_stride[kW] : 0));
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
  if (!kCompact) fold.margined = margined;
  fold.rules = context.rules;
  SlideRowsJob slide = prepared;
  const int64_t other_count = Counted(context, d) * Counted(context, h_span);
  slide.rows = batch.rows;
  slide.divisor = DivisorOf(context, other_count * plan.axes[2].kernel);
  slide.other_count = static_cast<float>(other_count);
  const Requant* requants[kMostClasses] = {};
  if (context.requants != nullptr) {
    const WindowKey dh = Times(AxisKey(context, 0, d), AxisKey(context, 1, h_span));
    for (int32_t i = 0; i < scratch.class_count; ++i) {
      // Windows without taps have none; any will do.
      const WindowKey& along_w = scratch.class_keys[i];
      const bool taps = along_w.taps > 0;
      requants[i] = taps ? RequantOf(context, batch.c, Times(dh, along_w)) : context.requants;
    }
  }
  slide.rules = RulesOf(context, requants);
  const bool places = PlacesResults();
  slide.y = places ? scratch.results : y;
  slide.y_row_step = places ? slide.lanes : batch.y_row_step;
  if (FoldsAreOutputs()) {
    RunWindows(fold, slide);
    if (places) PlaceResults(slide, batch, y);
    return;
  }

  const Kernels* kernels = context.kernels;
  if (FoldsInPlace(fold, slide)) {
    slide.scratch = fold.x;
    slide.pitch = fold.x_row_step;
  } else if (!kernels->fold_rows(fold)) {
    kernels = context.exact_kernels;
    if (!kCompact) fold.margined = margined = 0;  // others may have other margins
    kernels->fold_rows(fold);
  } else if (!kCompact) {
    margined = Max(margined, batch.rows);
  }
  if (!kernels->slide_rows(slide)) context.exact_kernels->slide_rows(slide);
  if (places) PlaceResults(slide, batch, y);
  if (!HasEmptyWindow(plan.axes[2])) return;
  for (int64_t row = 0; row < batch.rows; ++row)
    MendEmptyWindows(tile, batch.c, y + row * y_row_step);
}

void RowsOfItem::RunTile(const Tile& tile) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h_axis = plan.axes[1];
  const int64_t group = plan.strategy.group;
  if (!kCompact) margined = 0;
  SlideRowsJob slide = {};
  slide.scratch = scratch.rows;
  slide.pitch = (tile.last - tile.first) * group;
  slide.lanes = (tile.end - tile.begin - 1) * LanesApart(plan) + group;
  slide.stride = PicksOutputs(plan) ? 1 : plan.axes[2].stride;
  slide.taps = tile.taps;
  slide.tap_step = plan.axes[2].dilation * group;
  slide.uniform_end = slide.lanes;
  if (FoldsAreOutputs()) {
    scratch.class_count = 0;
    ClassOf(AxisKey(context, 2, ClipWindow(plan.axes[2], tile.begin)));
  } else if (context.requants != nullptr) {
    PrepareClasses(tile, &slide);
  } else {
    PrepareCounts(tile, &slide);
  }

  int64_t most_rows = slide.pitch == 0 ? 1 : Clamp(scratch.lanes / slide.pitch, 1, scratch.lanes);
  if (FoldsAreOutputs()) most_rows = scratch.lanes;
  if (PlacesResults()) {
    const int64_t results = int64_t{sizeof scratch.results} / context.y_size;
    most_rows = Min(most_rows, results / slide.lanes);
  }
  const int64_t c_end = item.c_begin + PlanesOfItem(plan, item.c_end - item.c_begin);
  const bool alike = context.requants_per_channel == 0 && context.table == nullptr;
  const int64_t interior_begin = Clamp(h_axis.lead, item.h_begin, item.h_end);
  const int64_t interior_end = Clamp(h_axis.interior_end, interior_begin, item.h_end);
  // Interior rows follow each other along H. Of small planes, and outside the interior, rows of
  // several channels make longer batches.
  const int64_t planes = Min(c_end - item.c_begin, plan.strategy.channel_block);
  const bool by_channel = alike && planes > interior_end - interior_begin;
  const int64_t x_row_step = h_axis.stride * plan.x_stride[kH];
  for (int64_t h = item.h_begin; h < item.h_end; ++h) {
    const bool interior = h >= interior_begin && h < interior_end;
    if (interior && !by_channel) continue;
    const int64_t most = alike ? most_rows : 1;
    for (int64_t c = item.c_begin; c < c_end; c += most) {
      RunBatch(tile, slide, {c, h, Min(c_end - c, most), plan.x_stride[kC], context.y_stride[kC]});
    }
  }
  if (by_channel) return;
  for (int64_t c = item.c_begin; c < c_end; ++c) {
    for (int64_t h = interior_begin; h < interior_end; h += most_rows) {
      RunBatch(tile, slide,
               {c, h, Min(interior_end - h, most_rows), x_row_step, context.y_stride[kH]});
    }
  }
}

}  // namespace

void RunRows(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  const Strategy& s = plan.strategy;
  Scratch scratch;
  scratch.rows = LoopScratch(context.workspace);
  scratch.lanes = s.scratch_bytes / s.lane_bytes - kScratchSlack;
  RowsOfItem rows = {context, item, scratch, ClipWindow(plan.axes[0], item.d), 0};
  if (s.tile > 0) {
    const bool whole = rows.FoldsAreOutputs() && !rows.PlacesResults();
    const int64_t tile = whole ? item.w_end - item.w_begin : s.tile;
    for (int64_t o = item.w_begin; o < item.w_end; o += tile) {
      const int64_t end = Min(o + tile, item.w_end);
      const int64_t first = WindowStart(w, o);
      const int64_t last = WindowStart(w, end - 1) + EffectiveKernel(w);
      rows.RunTile({o, end, first, last, w.kernel});
    }
    return;
  }
  // Windows far wider than the input: only their taps inside it are folded, one output at a time.
  for (int64_t o = item.w_begin; o < item.w_end; ++o) {
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
