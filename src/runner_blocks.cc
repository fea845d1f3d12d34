// Loop::kBlocks: windows of many taps. Rows of an item are folded along D and H into scratch, and
// those along W: in blocks again, of columns where lanes are positions, or by doubling.
#include <stdint.h>

#include "block_rules.h"
#include "blocks.h"
#include "runner_block_item.h"
#include "runner_block_rows.h"
#include "runner_context.h"
#include "scratch.h"
#include "types.h"

namespace lanepool {
namespace {

// Sums of a row, and of all rows, from which on rows are slid in turn: fewer stay in the first
// cache as they are, and each row takes a call. Measured.
constexpr int64_t kLongRow = 1024, kManySums = 32 * 1024;

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }
int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b > 0); }

}  // namespace

BlocksOfItem::BlocksOfItem(const Context& context, const Item& item)
    : context_(context),
      plan_(context.plan),
      item_(item),
      d_(ClipWindow(context.plan.axes[0], item.d)),
      requant_(context.requants),
      rules_(RulesOf(context, &requant_)),
      blocks_(*KernelsBlocks(context.target)),
      divisor_(DivisorOf(context, Counted(context, d_) * context.plan.axes[1].kernel *
                                      context.plan.axes[2].kernel)) {
  UseMeans(context, &means_, &rules_);
  const BlockScratch& parts = *context.blocks;
  rows_ = LoopScratch(context.workspace);
  columns_ = rows_ + parts.rows;
  taps_ = columns_ + parts.columns;
  kept_ = taps_ + parts.taps;
  w_counts_ = reinterpret_cast<float*>(kept_ + parts.kept);
  lane_counts_ = w_counts_ + parts.w_counts / sizeof(float);
  pointers_ = reinterpret_cast<void**>(lane_counts_ + parts.lane_counts / sizeof(float));
  turned_x_ = reinterpret_cast<char*>(pointers_) + parts.pointers;
  turned_y_ = turned_x_ + parts.turned_x;
  TakeStrides();
}

void BlocksOfItem::Run() {
  const Axis<int64_t>& h = plan_.axes[1];
  const Strategy& s = plan_.strategy;
  const int64_t phases = Min(PhasesOf(h).phases, h.output);
  // Channels of a group are lanes, all at once.
  const int64_t planes = s.planes <= 0 || s.group > 1 ? item_.c_end - item_.c_begin : s.planes;
  for (int64_t w = item_.w_begin; w < item_.w_end; w += s.tile) {
    for (int64_t phase = 0; phase < phases; ++phase) {
      Part part = {SequenceOf(h, phase, s.block[0], item_.h_begin, item_.h_end), w,
                   Min(w + s.tile, item_.w_end), 0, 0};
      if (part.rows.outputs == 0) continue;
      for (int64_t c = item_.c_begin; c < item_.c_end; c += planes) {
        part.c_begin = c;
        part.c_end = Min(c + planes, item_.c_end);
        if (!Fold(*context_.kernels, part)) Fold(*context_.exact_kernels, part);
      }
    }
  }
}

void BlocksOfItem::TakeStrides() {
  for (int i = 0; i < kDims; ++i) {
    x_stride_[i] = plan_.x_stride[i];
    y_stride_[i] = context_.y_stride[i];
  }
}

bool BlocksOfItem::Fold(const Kernels& kernels, const Part& part) {
  const int32_t planes = plan_.strategy.planes;
  return planes == 0  ? FoldChannels(kernels, part)
         : planes > 0 ? FoldPositions(kernels, part)
                      : FoldPlanes(kernels, part);
}

BlocksOfItem::Reach BlocksOfItem::ReachOf(const Part& part) const {
  const Axis<int64_t>& w = plan_.axes[2];
  const int64_t begin = Min(w.input, Max(0, WindowStart(w, part.w_begin)));
  const int64_t end = WindowStart(w, part.w_end - 1) + EffectiveKernel(w);
  return {begin, Max(begin, Min(w.input, end))};
}

bool BlocksOfItem::FoldsNothing(const Kernels& kernels) const {
  return kernels.lanes_are_elements && d_.taps == 1 && plan_.axes[1].kernel == 1;
}

BlocksJob BlocksOfItem::FoldJob(const Part& part, const Reach& reach) const {
  BlocksJob job = {};
  job.x = X(part.c_begin, part.rows.residue, reach.begin);
  job.x_step = PhasesOf(plan_.axes[1]).dilation * x_stride_[kH];
  job.positions = part.rows.positions;
  job.first = part.rows.first;
  job.stride = part.rows.stride;
  job.taps = plan_.axes[1].kernel;
  job.outputs = part.rows.outputs;
  job.block = plan_.strategy.block[0];
  job.skip = part.rows.skip;
  job.rules = rules_;
  return job;
}

BlocksJob BlocksOfItem::SlideJob(const Part& part, const Reach& reach, int64_t phase,
                                 int64_t column_step, const BlocksJob& prepared, int64_t y_size) {
  const Axis<int64_t>& w = plan_.axes[2];
  const Phases phases = PhasesOf(w);
  BlocksJob job = prepared;
  job.taps = w.kernel;
  job.block = plan_.strategy.block[1];
  job.counts = w_counts_;
  job.rules = rules_;
  job.rules.order_flip = 0;
  job.small = d_.taps * plan_.axes[1].kernel < kMostTaps16 / 2;
  job.x_step = phases.dilation * column_step;
  job.y_step = phases.phases * prepared.y_step;
  const Sequence s = SequenceOf(w, phase, job.block, part.w_begin, part.w_end);
  job.outputs = s.outputs;
  if (s.outputs == 0) return job;
  // The positions of the sequence that are there.
  const int64_t from = CeilDiv(Max(0, reach.begin - s.residue), phases.dilation);
  const int64_t to = CeilDiv(Max(0, reach.end - s.residue), phases.dilation);
  const int64_t column = s.residue + from * phases.dilation - reach.begin;
  job.x = At(prepared.x, column * column_step, context_.lane_size);
  job.positions = to - from;
  job.first = s.first - from;
  job.stride = s.stride;
  job.skip = s.skip;
  job.y = const_cast<char*>(At(prepared.y, (s.output - part.w_begin) * prepared.y_step, y_size));
  if (context_.divides) FillColumnCounts(context_, s, w_counts_);
  return job;
}

bool BlocksOfItem::Slide(BlockFold fold, const Part& part, const Reach& reach, int64_t column_step,
                         const BlocksJob& prepared, int64_t y_size) {
  const Axis<int64_t>& w = plan_.axes[2];
  const int64_t phases = Min(PhasesOf(w).phases, w.output);
  for (int64_t phase = 0; phase < phases; ++phase) {
    const BlocksJob job = SlideJob(part, reach, phase, column_step, prepared, y_size);
    if (job.outputs > 0 && !blocks_.fold[fold](job)) return false;
  }
  return true;
}

bool BlocksOfItem::Finish(const Kernels& kernels, const Part& part, const char* folds, int64_t step,
                          int64_t lanes, const float* count, char* y, int64_t y_step) const {
  const Axis<int64_t>& w = plan_.axes[2];
  SlideRowsJob job = {};
  job.pitch = step;
  job.y_row_step = y_step;
  job.stride = job.taps = job.tap_step = 1;
  job.rules = rules_;
  job.class_count = 1;
  job.divisor = divisor_;
  for (int64_t o = part.w_begin, outputs = 1; o < part.w_end; o += outputs) {
    outputs = part.w_end - o;
    if (context_.divides) {
      const bool interior = o >= w.lead && o < w.interior_end;
      outputs = interior ? Min(outputs, w.interior_end - o) : 1;
      job.other_count = ColumnCount(context_, o);
      if (count != nullptr) {
        job.divisor.divisor = *count * job.other_count;
        job.divisor.reciprocal = 1.0f / job.divisor.divisor;
      }
    }
    job.rows = outputs;
    for (int64_t lane = 0; lane < lanes; lane += kTileLanes) {
      job.lanes = Min(lanes - lane, kTileLanes);
      job.uniform_end = count != nullptr || !context_.divides ? job.lanes : 0;
      job.counts = lane_counts_ + lane;
      job.scratch = At(folds, (o - part.w_begin) * step + lane, context_.lane_size);
      job.y = const_cast<char*>(At(y, (o - part.w_begin) * y_step + lane, context_.y_size));
      if (!kernels.slide_rows(job)) return false;
    }
  }
  return true;
}

bool BlocksOfItem::FoldChannels(const Kernels& kernels, const Part& part) {
  const Reach reach = ReachOf(part);
  const int64_t lanes = part.c_end - part.c_begin, columns = reach.end - reach.begin;
  BlocksJob slide = {};
  slide.lanes = lanes;
  slide.lines = part.rows.outputs;
  slide.y = Y(part.c_begin, part.rows.output, part.w_begin);
  slide.y_step = y_stride_[kW];
  slide.y_line_step = part.rows.step * y_stride_[kH];
  slide.y_flip = YFlip();
  slide.kept = kept_;
  slide.line_counts = lane_counts_;
  slide.soon = soon_;
  if (context_.divides) FillRowCounts(context_, d_, part.rows, lane_counts_);
  BlocksJob fold = FoldJob(part, reach);
  int64_t column_step = lanes;
  // A row of x may be a window of nothing but padding only where all are.
  if (FoldsNothing(kernels)) {
    slide.x = At(fold.x, fold.first * fold.x_step, context_.x_size);
    slide.x_line_step = fold.stride * fold.x_step;
    column_step = x_stride_[kW];
    slide.far = context_.far;
  } else {
    fold.lanes = lanes;
    fold.lines = columns;
    fold.x_line_step = x_stride_[kW];
    fold.y_line_step = lanes;
    fold.y = rows_;
    fold.y_step = FoldPitch(plan_.strategy, columns * lanes);
    fold.kept = kept_;  // lines of x and of rows_ may share a few sets of the cache
    if (x_stride_[kW] == lanes) {
      fold.lanes *= fold.lines;
      fold.lines = 1;
    }
    slide.x = rows_;
    slide.x_line_step = fold.y_step;
    if (FitsInTurn(kernels, part, fold)) return SlideInTurn(kernels, part, fold, slide);
    if (!FoldBlockRows(context_, kernels, d_, taps_, fold)) return false;
  }
  const BlockFold to_y = FoldToY(kernels);
  if (to_y != kNoBlocks) return Slide(to_y, part, reach, column_step, slide, context_.y_size);
  // Line by line, by way of `columns_`.
  BlocksJob line = slide;
  line.lines = 1;
  line.y = columns_;
  line.y_step = lanes;
  line.y_flip = 0;
  line.soon = nullptr;
  for (int64_t i = 0; i < slide.lines; ++i) {
    line.x = At(slide.x, i * slide.x_line_step, context_.lane_size);
    if (!Slide(kernels.blocks.lanes, part, reach, column_step, line, context_.lane_size) ||
        !Finish(kernels, part, columns_, lanes, lanes, lane_counts_ + i,
                static_cast<char*>(slide.y) + i * slide.y_line_step * context_.y_size,
                slide.y_step)) {
      return false;
    }
  }
  return true;
}

bool BlocksOfItem::FitsInTurn(const Kernels& kernels, const Part& part,
                              const BlocksJob& fold) const {
  const bool sums = kernels.blocks.from_x == kBlockByteSums && FoldToY(kernels) != kNoBlocks;
  if (kCompact || !sums || d_.taps != 1 || fold.stride != 1 || fold.block == 1) return false;
  const int64_t lanes = fold.lanes * fold.lines;
  return lanes >= kLongRow && lanes * part.rows.outputs >= kManySums &&
         PhasesOf(plan_.axes[2]).phases == 1;
}

// Each row is in the first cache until it is results.
bool BlocksOfItem::SlideInTurn(const Kernels& kernels, const Part& part, const BlocksJob& fold,
                               const BlocksJob& slide) {
  BlocksJob first = fold;
  first.outputs = 1;
  if (!FoldBlockRows(context_, kernels, d_, taps_, first)) return false;
  const BlockFold to_y = FoldToY(kernels);
  const int64_t lanes = part.c_end - part.c_begin;
  BlocksJob line = SlideJob(part, ReachOf(part), 0, lanes, slide, context_.y_size);
  line.lines = 1;
  SumsInTurnJob job = {nullptr,      nullptr,    reinterpret_cast<uint16_t*>(rows_),
                       fold.lanes,   fold.lines, fold.x_line_step,
                       rules_.x_flip};
  const auto row = [&](int64_t position) {
    const bool exists = position >= 0 && position < fold.positions;
    return exists ? static_cast<const uint8_t*>(fold.x) + position * fold.x_step : nullptr;
  };
  for (int64_t o = 0; o < fold.outputs; ++o) {
    if (o > 0) {
      const int64_t start = fold.first + o;
      job.enters = row(start + fold.taps - 1);
      job.leaves = row(start - 1);
      blocks_.sums_in_turn(job);
    }
    if (!blocks_.fold[to_y](line)) return false;
    line.y = static_cast<char*>(line.y) + slide.y_line_step * context_.y_size;
    ++line.line_counts;
  }
  return true;
}

bool BlocksOfItem::FoldPlanes(const Kernels& kernels, const Part& part) {
  const int64_t planes = part.c_end - part.c_begin;
  const int64_t padded = PaddedRows(context_.params, plan_, planes);
  const Axis<int64_t>& h = plan_.axes[1];
  const Axis<int64_t>& w = plan_.axes[2];
  PointAt(X(part.c_begin, 0, 0), planes, x_stride_[kC] * context_.x_size, 1, 0, pointers_);
  TransposeJob transpose = {pointers_, planes, padded,          h.input * w.input,
                            turned_x_, padded, context_.x_size, true};
  blocks_.rows_to_columns(transpose);
  PointAt(Y(part.c_begin, 0, 0), planes, y_stride_[kC] * context_.y_size, 1, 0, pointers_);
  transpose.lanes = h.output * w.output;
  transpose.columns = turned_y_;
  transpose.bytes = context_.y_size;
  if (context_.large && y_stride_[kC] == transpose.lanes) soon_ = Y(part.c_begin, 0, 0);
  Part channels = part;
  channels.c_begin = 0;
  channels.c_end = padded;
  is_turned_ = true;
  x_stride_[kC] = y_stride_[kC] = 1;
  x_stride_[kW] = y_stride_[kW] = padded;
  x_stride_[kH] = w.input * padded;
  y_stride_[kH] = w.output * padded;
  const bool done = FoldChannels(kernels, channels);
  is_turned_ = false;
  soon_ = nullptr;
  TakeStrides();
  // There is one sequence of rows, so that they are all there.
  if (done) blocks_.columns_to_rows(transpose);
  return done;
}

void RunBlocks(const Context& context, const Item& item) { BlocksOfItem(context, item).Run(); }

}  // namespace lanepool
