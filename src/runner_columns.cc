// Loop::kColumns: lanes are channels. An output row is cut into lead, interior and trail; the
// windows of the interior are alike and go in one job.
#include <stdint.h>

#include "blocks.h"
#include "compiled_in.h"
#include "dispatch.h"
#include "runner_context.h"
#include "scratch.h"
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

Finishing FinishingOf(const Context& context, const OutputRow& row, const Span64& w) {
  return FinishingOf(context, row.channel, row.d, row.h, w);
}

// So many outputs from `begin` on, `apart` outputs from one to the next, all with the taps of
// `span` along W: those of `begin`.
struct Windows {
  int64_t begin, outputs, apart;
  Span64 span;

  int64_t end() const { return begin + outputs * apart; }
};

// The job without its edges, all other fields set: to clear it first takes longer than a small job.
// `requant` is what its rules point to.
void SetJob(const Context& context, const OutputRow& row, const Windows& windows,
            const Requant** requant, WindowJob* set) {
  WindowJob& job = *set;
  const Plan& plan = context.plan;
  const Finishing finishing = FinishingOf(context, row, windows.span);
  *requant = finishing.requant;
  job.x = row.x + windows.span.position * plan.x_stride[kW] * context.x_size;
  job.y = context.Y(row.y + windows.begin * context.y_stride[kW]);
  job.lanes = row.lanes;
  job.outputs = windows.outputs;
  job.x_output_step = windows.apart * plan.axes[2].stride * plan.x_stride[kW];
  job.y_output_step = windows.apart * context.y_stride[kW];
  const int64_t taps[3] = {row.d.taps, row.h.taps, windows.span.taps};
  for (int i = 0; i < 3; ++i) {
    const int level = plan.strategy.tile == kByRows ? 2 - i : i;
    job.taps[level] = taps[i];
    job.x_tap[level] = plan.axes[i].dilation * plan.x_stride[kD + i];
  }
  job.divisor = finishing.divisor;
  job.rules = RulesOf(context, requant);
  job.lead.exists = job.trail.exists = false;
  job.edge_row.which = EdgeRow::kNone;
  job.rows = 1;
  job.x_row_step = plan.axes[1].stride * plan.x_stride[kH];
  job.y_row_step = context.y_stride[kH];
  job.streams = context.streams;
  job.in_registers = PrefersRegisters();
  job.by_lines = context.by_lines;
  job.by_fours = ReadsByFours();
  job.far = context.far;
}

void RunWindows(const Context& context, const OutputRow& row, const Windows& windows) {
  if (row.d.taps == 0 || row.h.taps == 0 || windows.span.taps == 0) {
    for (int64_t o = windows.begin; o < windows.end(); o += windows.apart) {
      char* const y = context.Y(row.y + o * context.y_stride[kW]);
      FillEmpty(context, row.channel, y, row.lanes, 1);
    }
    return;
  }
  const Requant* requant = nullptr;
  WindowJob job;
  SetJob(context, row, windows, &requant, &job);
  if (!context.kernels->window(job)) context.exact_kernels->window(job);
}

// Output w of so many rows from `row` on, whose windows have the same taps along D and H.
void RunWindow(const Context& context, OutputRow row, int64_t w, int64_t rows) {
  const Windows windows = {w, 1, 1, ClipWindow(context.plan.axes[2], w)};
  const bool empty = row.d.taps == 0 || row.h.taps == 0 || windows.span.taps == 0;
  if (rows > 1 && !empty && context.kernels->many_rows) {
    const Requant* requant = nullptr;
    WindowJob job;
    SetJob(context, row, windows, &requant, &job);
    if (!IsThreeByThree(job)) {
      job.rows = rows;
      if (!context.kernels->window(job)) context.exact_kernels->window(job);
      return;
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    RunWindows(context, row, windows);
    row.x += context.plan.axes[1].stride * context.plan.x_stride[kH] * context.x_size;
    row.y += context.y_stride[kH];
  }
}

// The job of the windows that are whole along W, for rows of the same taps.
class Interior {
 public:
  // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): SetJob fills job_
  Interior(const Context& context, const Item& item, const Windows& windows)
      : context_(context), item_(item), windows_(windows) {}

  // Runs it in up to `rows` rows whose windows are whole along H, of which the first is `row`; or
  // in that row, whatever its windows. Returns in how many.
  int64_t Run(const OutputRow& row, int64_t rows) {
    leads_ = trails_ = 0;
    if (row.d.taps == 0 || row.h.taps == 0) {
      RunWindows(context_, row, windows_);
      return 1;
    }
    if (row.h.taps != taps_ || row.h.counted != counted_) Prepare(row);
    job_.x = row.x + x_offset_;
    job_.y = context_.Y(row.y + y_offset_);
    job_.rows = Max(1, Min(rows, most_rows_));
    if (context_.kernels->window(job_)) {
      leads_ = job_.lead.exists ? 1 : 0;
      trails_ = job_.trail.exists ? 1 : 0;
    } else if (job_.rows > 1) {
      context_.exact_kernels->window(job_);
    } else {
      RunWindows(context_, row, windows_);
    }
    return job_.rows;
  }

  // Runs it in row `h` and the next, of which one lacks its first or its last taps along H, if
  // there are such, and kernels for them. Returns in how many.
  int64_t RunWithEdgeRow(const OutputRow& row, int64_t h) {
    leads_ = trails_ = 0;
    const Axis<int64_t>& axis = context_.plan.axes[1];
    const bool first = h + 1 == axis.lead && h + 1 < axis.interior_end;
    const bool second = h >= axis.lead && h + 1 == axis.interior_end;
    if (kCompact || (!first && !second)) return 0;
    const int64_t lanes = context_.kernels->edge_row_lanes;
    if (lanes == 0 || row.lanes < lanes || context_.streams || h + 1 >= item_.h_end) return 0;
    if (axis.kernel != 3 || axis.stride != axis.dilation || row.d.taps != 1) return 0;
    OutputRow whole = row, edge = row;
    (first ? whole : edge).h = ClipWindow(axis, h + 1);
    if (edge.h.taps != 2) return 0;
    if (whole.h.taps != taps_ || whole.h.counted != counted_) Prepare(whole);
    if (!IsThreeByThree(job_)) return 0;
    const Axis<int64_t>& w = context_.plan.axes[2];
    const auto divisor = [&](const Span64& span) {
      return FinishingOf(context_, edge, span).divisor;
    };
    job_.edge_row = {first ? EdgeRow::kFirst : EdgeRow::kSecond, divisor(windows_.span), {}, {}};
    if (job_.lead.exists) {
      job_.edge_row.lead = divisor(ClipWindow(w, windows_.begin - windows_.apart));
    }
    if (job_.trail.exists) job_.edge_row.trail = divisor(ClipWindow(w, windows_.end()));
    job_.x = row.x + x_offset_;
    job_.y = context_.Y(row.y + y_offset_);
    job_.rows = 2;
    const bool done = context_.kernels->window(job_);
    job_.edge_row.which = EdgeRow::kNone;
    if (!done) return 0;
    leads_ = job_.lead.exists ? 1 : 0;
    trails_ = job_.trail.exists ? 1 : 0;
    return 2;
  }

  // Does the last run again, in so many images that follow. Only if it was of whole windows.
  void Repeat(int64_t images) {
    for (int64_t i = 0; i < images; ++i) {
      job_.x = static_cast<const char*>(job_.x) + context_.plan.x_stride[kN] * context_.x_size;
      job_.y = static_cast<char*>(job_.y) + context_.y_stride[kN] * context_.y_size;
      if (!context_.kernels->window(job_)) context_.exact_kernels->window(job_);
    }
  }

  // What the last run has done of these rows, with windows beside it that lack one tap of it.
  int64_t begin() const { return windows_.begin - leads_ * windows_.apart; }
  int64_t end() const { return windows_.end() + trails_ * windows_.apart; }

 private:
  void Prepare(const OutputRow& row) {
    taps_ = row.h.taps;
    counted_ = row.h.counted;
    SetJob(context_, row, windows_, &requant_, &job_);
    const int64_t first = windows_.span.position;
    x_offset_ = first * context_.plan.x_stride[kW] * context_.x_size;
    y_offset_ = windows_.begin * context_.y_stride[kW];
    most_rows_ = MostRows(*context_.kernels, job_, context_.plan.axes[1]);
    if (context_.plan.strategy.tile != kByColumns || !context_.kernels->edges || !IsEdged(job_)) {
      return;
    }
    const int64_t apart = windows_.apart;
    const int64_t behind = first + job_.outputs * apart * context_.plan.axes[2].stride;
    if (windows_.begin - apart >= item_.w_begin) {
      AddEdge(row, windows_.begin - apart, first, &job_.lead);
    }
    if (windows_.end() < item_.w_end) AddEdge(row, windows_.end(), behind, &job_.trail);
  }

  void AddEdge(const OutputRow& row, int64_t output, int64_t position, EdgeWindow* edge) const {
    const Span64 span = ClipWindow(context_.plan.axes[2], output);
    if (span.taps != 2 || span.position != position) return;
    const Finishing finishing = FinishingOf(context_, row, span);
    *edge = {true, finishing.divisor, finishing.requant};
  }

  const Context& context_;
  const Item& item_;
  const Windows& windows_;
  int64_t leads_ = 0, trails_ = 0;
  int64_t taps_ = -1, counted_ = -1;     // along H, of the job; -1: there is none yet
  int64_t x_offset_ = 0, y_offset_ = 0;  // of its first output in a row
  int64_t most_rows_ = 1;
  const Requant* requant_ = nullptr;
  WindowJob job_;
};

// Outputs [begin, end) along W of wide windows, for `lanes` channels from `lane` on: each input
// column is folded along D and H once, into scratch, and the windows are folded along W from there.
void RunThroughScratch(const Context& context, const OutputRow& row, int64_t begin, int64_t end,
                       int64_t lane, int64_t lanes) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t first = Max(0, WindowStart(w, begin));
  const int64_t last = Min(w.input, WindowStart(w, end - 1) + EffectiveKernel(w));
  char* const scratch = LoopScratch(context.workspace);
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
  fold.rules = context.rules;
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
    const Finishing finishing = FinishingOf(context, row, span);
    slide.divisor = finishing.divisor;
    slide.rules = RulesOf(context, &finishing.requant);
    if (!kernels->slide_rows(slide)) context.exact_kernels->slide_rows(slide);
  }
}

// Outputs [begin, end) of the row in tiles that fit the scratch, block of channels by block.
void RunWideRow(const Context& context, const OutputRow& row, int64_t begin, int64_t end) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t reach = EffectiveKernel(w);
  const int64_t usual_lanes = UsualLanes(context.plan.strategy.lane_bytes);
  const int64_t positions = usual_lanes / kWideLanes;
  const int64_t tile = (positions - reach) / w.stride + 1;
  const int64_t outputs = end - begin;
  const int64_t used = tile < outputs ? positions : (outputs - 1) * w.stride + reach;
  const int64_t block = Min(usual_lanes / used / kWideLanes * kWideLanes, kTileLanes);
  for (int64_t lane = 0; lane < row.lanes; lane += block) {
    const int64_t lanes = Min(row.lanes - lane, block);
    for (int64_t o = begin; o < end; o += tile) {
      RunThroughScratch(context, row, o, Min(o + tile, end), lane, lanes);
    }
  }
}

OutputRow RowAt(const Context& context, const Item& item, const Span64& d, int64_t h) {
  const Plan& plan = context.plan;
  OutputRow row;
  row.channel = item.c_begin;
  row.lanes = item.c_end - item.c_begin;
  row.d = d;
  row.h = ClipWindow(plan.axes[1], h);
  int64_t x = item.n * plan.x_stride[kN] + item.c_begin;
  if (row.d.taps > 0 && row.h.taps > 0) {
    x += row.d.position * plan.x_stride[kD] + row.h.position * plan.x_stride[kH];
  }
  row.x = context.X(x);
  row.y = item.n * context.y_stride[kN] + item.c_begin * context.y_stride[kC] +
          item.d * context.y_stride[kD] + h * context.y_stride[kH];
  return row;
}

[[gnu::noinline]] void RunWideRows(const Context& context, const Item& item) {
  const Span64 d = ClipWindow(context.plan.axes[0], item.d);
  for (int64_t h = item.h_begin; h < item.h_end; ++h) {
    const OutputRow row = RowAt(context, item, d, h);
    if (row.d.taps > 0 && row.h.taps > 0) {
      RunWideRow(context, row, item.w_begin, item.w_end);
    } else {
      RunWindows(context, row, {item.w_begin, item.w_end - item.w_begin, 1, {0, 0, 0}});
    }
  }
}

// Where windows overlap, but not with their neighbours because of a dilation: the windows of every
// so many outputs slide.
int64_t OutputsApart(const Context& context, int64_t outputs) {
  const Axis<int64_t>& w = context.plan.axes[2];
  if (w.dilation == 1 || w.kernel == 1 || context.plan.strategy.tile != kByColumns) return 1;
  const Phases phases = PhasesOf(w);
  const bool slides = phases.stride <= w.kernel / 2 && 2 * phases.phases <= outputs;
  return slides ? phases.phases : 1;
}

// Steps until `distance` is reached.
int64_t UpTo(int64_t distance, int64_t step) {
  if (distance <= 0) return 0;
  return step == 1 ? distance : (distance + step - 1) / step;
}

// The item's outputs `first`, `first` + `apart` and so on along W; also those of `images` images
// that follow, if all of them are the windows of one job. Returns whether they are. Out of line: a
// ring needs the stack.
[[gnu::noinline]] bool RunOutputs(const Context& context, const Item& item, int64_t first,
                                  int64_t apart, int64_t images) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h_axis = plan.axes[1];
  const Axis<int64_t>& w_axis = plan.axes[2];
  const int64_t begin = first + UpTo(w_axis.lead - first, apart) * apart;
  const int64_t outputs = UpTo(Min(w_axis.interior_end, item.w_end) - begin, apart);
  const Windows windows = {begin, outputs, apart, ClipWindow(w_axis, begin)};
  Interior interior(context, item, windows);
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  for (int64_t h = item.h_begin; h < item.h_end;) {
    const OutputRow row = RowAt(context, item, d, h);
    // Rows, and how many of them have the same taps.
    int64_t rows = 0, alike = 1;
    if (outputs > 0) rows = interior.RunWithEdgeRow(row, h);
    if (rows == 0) {
      rows = h < h_axis.lead ? 1 : Max(1, Min(h_axis.interior_end, item.h_end) - h);
      if (outputs > 0) rows = interior.Run(row, rows);
      const bool is_all = outputs == item.w_end - first && rows == item.h_end - item.h_begin;
      if (is_all && row.d.taps > 0 && row.h.taps > 0) {
        interior.Repeat(images);
        return true;
      }
      alike = rows;
    }
    for (int64_t i = 0; i < rows; i += alike) {
      if (first >= interior.begin() && item.w_end <= interior.end()) break;
      const OutputRow each = i == 0 ? row : RowAt(context, item, d, h + i);
      for (int64_t w = first; w < Min(interior.begin(), item.w_end); w += apart) {
        RunWindow(context, each, w, alike);
      }
      for (int64_t w = interior.end(); w < item.w_end; w += apart) {
        RunWindow(context, each, w, alike);
      }
    }
    h += rows;
  }
  return false;
}

}  // namespace

bool RunColumns(const Context& context, const Item& item, int64_t images) {
  if (!kCompact && RunRing(context, item)) return false;
  if (context.plan.strategy.tile == kThroughScratch) {
    RunWideRows(context, item);
    return false;
  }
  const int64_t apart = OutputsApart(context, item.w_end - item.w_begin);
  if (apart == 1) return RunOutputs(context, item, item.w_begin, 1, images);
  for (int64_t i = 0; i < apart; ++i) RunOutputs(context, item, item.w_begin + i, apart, 0);
  return false;
}

}  // namespace lanepool
