// Loop::kBlocks where lanes are positions: rows of folds are transposed, and the results back.
#include <stdint.h>

#include "blocks.h"
#include "runner_block_counts.h"
#include "runner_block_item.h"
#include "runner_block_rows.h"
#include "runner_context.h"
#include "types.h"

namespace lanepool {
namespace {

// What a plane may have in scratch to stay in a first cache of 48 KiB, near enough.
constexpr int64_t kNearBytes = 42 * 1024;
// Four lines of cache, which kernels take at once: an eighth of them may be of no use. Short rows.
constexpr int64_t kFourLines = 4 * kBlockLineBytes;
constexpr int64_t kShortRow = 2 * kBlockLineBytes;

}  // namespace

bool BlocksOfItem::FoldPositions(const Kernels& kernels, const Part& part) {
  if (FitsByPlanes(kernels, part)) return FoldByPlanes(kernels, part);
  const Strategy& s = plan_.strategy;
  const Reach reach = ReachOf(part);
  const int64_t planes = s.group > 1 ? 1 : part.c_end - part.c_begin;
  const int64_t outputs = part.rows.outputs, rows = planes * outputs;
  const int64_t padded = PaddedRows(context_.params, plan_, rows);
  const int64_t column = ColumnStep(s, padded);
  BlocksJob fold = FoldJob(part, reach);
  fold.lanes = (reach.end - reach.begin) * s.group;
  fold.lines = planes;
  fold.x_line_step = x_stride_[kC];
  fold.y = rows_;
  fold.y_step = FoldPitch(s, fold.lanes);
  fold.y_line_step = outputs * fold.y_step;
  RowsOfFolds from = {rows_,   fold.y_line_step, fold.y_step, planes,
                      outputs, fold.lanes,       nullptr,     fold.x_step};
  // The first row of x that the rows of windows behind these need and these do not.
  const int64_t next = fold.first + (outputs - 1) * fold.stride + fold.taps;
  const bool is_there = next >= 0 && next + outputs <= fold.positions;
  if (context_.far && planes == 1 && fold.stride == 1 && is_there) {
    from.soon = static_cast<const char*>(fold.x) + next * fold.x_step * context_.x_size;
  }
  const RowsOfResults to = {Y(part.c_begin, part.rows.output, part.w_begin), y_stride_[kC],
                            part.rows.step * y_stride_[kH]};
  const BlockFold to_y = FoldToY(kernels);
  if (FoldsNothing(kernels)) {
    from.x = At(fold.x, fold.first * fold.x_step, context_.x_size);
    from.plane_step = fold.x_line_step;
    from.row_step = fold.stride * fold.x_step;
  } else {
    if (!FoldBlockRows(context_, kernels, d_, taps_, fold)) return false;
  }
  const Grown grown =
      GrowBlockRows(context_, to_y, {d_, part.rows, part.w_begin, part.w_end, reach.begin}, from,
                    {columns_, taps_ - columns_, lane_counts_, w_counts_}, to);
  if (grown != Grown::kNot) return grown == Grown::kDone;
  PointAt(from.x, planes, from.plane_step * context_.lane_size, outputs,
          from.row_step * context_.lane_size, pointers_);
  TransposeJob transpose = {pointers_,         rows, padded, fold.lanes, columns_, column,
                            context_.lane_size};
  transpose.far = FoldsNothing(kernels);
  blocks_.rows_to_columns(transpose);

  BlocksJob slide = {};
  slide.x = columns_;
  slide.lanes = padded * s.group;
  slide.lines = 1;
  slide.y = rows_;
  slide.y_step = column * s.group;
  slide.kept = kept_;
  slide.lane_counts = lane_counts_;
  if (context_.divides) {
    FillLaneCounts(context_, d_, part.rows, planes, padded, lane_counts_);
  }
  char* results = rows_;
  if (to_y != kNoBlocks) {
    slide.y_flip = YFlip();
    if (context_.large && AreTogether(part, planes)) slide.soon = to.y;
    if (!Slide(to_y, part, reach, slide.y_step, slide, context_.y_size)) return false;
  } else {
    results = columns_;
    if (!Slide(kernels.blocks.lanes, part, reach, slide.y_step, slide, context_.lane_size) ||
        !Finish(kernels, part, rows_, slide.y_step, slide.lanes, nullptr, results, slide.y_step)) {
      return false;
    }
  }
  PointAt(to.y, planes, to.plane_step * context_.y_size, outputs, to.row_step * context_.y_size,
          pointers_);
  transpose = {pointers_, rows,   padded,          (part.w_end - part.w_begin) * s.group,
               results,   column, context_.y_size, true};
  blocks_.columns_to_rows(transpose);
  return true;
}

// Whether the rows of y of so many planes follow each other.
bool BlocksOfItem::AreTogether(const Part& part, int64_t planes) const {
  if (plan_.strategy.group > 1 || part.rows.step > 1) return false;
  return y_stride_[kH] == part.w_end - part.w_begin &&
         (planes == 1 || y_stride_[kC] == part.rows.outputs * y_stride_[kH]);
}

// Whether planes are long enough to be folded one by one, and small enough to gain by that.
bool BlocksOfItem::FitsByPlanes(const Kernels& kernels, const Part& part) const {
  const Strategy& s = plan_.strategy;
  const BlockFold to_y = FoldToY(kernels);
  if (kCompact || part.c_end - part.c_begin == 1 || s.group > 1 || to_y == kNoBlocks) return false;
  if (FoldsNothing(kernels) || PhasesOf(plan_.axes[2]).phases > 1) return false;
  const Reach reach = ReachOf(part);
  const int64_t padded = PaddedRows(context_.params, plan_, part.rows.outputs);
  const int64_t lanes = reach.end - reach.begin;
  const int64_t used = part.rows.outputs * s.lane_bytes;
  const int64_t lines = (used + kFourLines - 1) / kFourLines * kFourLines;
  if (8 * used < 7 * lines || lanes * s.lane_bytes <= kShortRow) return false;
  const int64_t folds = part.rows.outputs * FoldPitch(s, lanes);
  const int64_t columns = lanes * ColumnStep(s, padded);
  return (folds + columns) * s.lane_bytes <= kNearBytes && !GrowsRows(context_, to_y);
}

// The part of a plane is in the first cache until it is written, and y is when that is written.
bool BlocksOfItem::FoldByPlanes(const Kernels& kernels, const Part& part) {
  const Strategy& s = plan_.strategy;
  const BlockFold to_y = FoldToY(kernels);
  const Reach reach = ReachOf(part);
  const int64_t outputs = part.rows.outputs;
  const int64_t padded = PaddedRows(context_.params, plan_, outputs);
  const int64_t column = ColumnStep(s, padded);
  BlocksJob fold = FoldJob(part, reach);
  fold.lanes = reach.end - reach.begin;
  fold.lines = 1;
  fold.y = rows_;
  fold.y_step = FoldPitch(s, fold.lanes);

  BlocksJob slide = {};
  slide.x = columns_;
  slide.lanes = padded;
  slide.lines = 1;
  slide.y = rows_;
  slide.y_step = column;
  slide.y_flip = YFlip();
  slide.kept = context_.y_size == context_.lane_size ? nullptr : kept_;
  slide.lane_counts = lane_counts_;
  if (context_.divides) FillLaneCounts(context_, d_, part.rows, 1, padded, lane_counts_);
  slide = SlideJob(part, reach, 0, column, slide, context_.y_size);

  void** const to = pointers_ + outputs;  // there are those of two planes at least
  PointAt(rows_, 1, 0, outputs, fold.y_step * context_.lane_size, pointers_);
  const TransposeJob there = {pointers_, outputs,           padded, fold.lanes, columns_,
                              column,    context_.lane_size};
  const TransposeJob back = {to,    outputs, padded,          part.w_end - part.w_begin,
                             rows_, column,  context_.y_size, true};
  const bool asks = context_.large && AreTogether(part, 1);
  for (int64_t c = part.c_begin; c < part.c_end; ++c) {
    fold.x = X(c, part.rows.residue, reach.begin);
    if (!FoldBlockRows(context_, kernels, d_, taps_, fold)) return false;
    blocks_.rows_to_columns(there);
    char* const y = Y(c, part.rows.output, part.w_begin);
    if (asks) slide.soon = y;
    if (!blocks_.fold[to_y](slide)) return false;
    PointAt(y, 1, 0, outputs, part.rows.step * y_stride_[kH] * context_.y_size, to);
    blocks_.columns_to_rows(back);
  }
  return true;
}

}  // namespace lanepool
