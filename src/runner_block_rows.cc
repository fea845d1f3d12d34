#include "runner_block_rows.h"

#include <stdint.h>

#include "block_rules.h"
#include "dispatch.h"
#include "kernel_moves.h"
#include "level_rules.h"
#include "runner_block_counts.h"
#include "runner_context.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

class FoldOfRows {
 public:
  FoldOfRows(const Context& context, const Span64& d, char* taps)
      : context_(context),
        plan_(context.plan),
        d_(d),
        taps_(taps),
        blocks_(*KernelsBlocks(context.target)) {}

  bool Run(const Kernels& kernels, const BlocksJob& job) const {
    if (job.block == 1) return FoldEach(kernels, job);
    const BlockFold from_x = FoldFromX(kernels);
    if (from_x != kNoBlocks && d_.taps == 1) {
      BlocksJob direct = job;
      direct.far = context_.far;
      return blocks_.fold[from_x](direct);
    }
    for (int64_t begin = 0; begin < job.outputs;) {
      const int64_t end = Min(begin + job.block - (begin + job.skip) % job.block, job.outputs);
      for (int64_t line = 0; line < job.lines; ++line) {
        for (int64_t lane = 0; lane < job.lanes; lane += TapLanes()) {
          if (!FoldTaps(kernels, job, begin, end, line, lane)) return false;
        }
      }
      begin = end;
    }
    return true;
  }

 private:
  // Folds of x, where x need not become lanes first.
  BlockFold FoldFromX(const Kernels& kernels) const {
    // Terms that are the elements.
    const TapRules* const terms = context_.rules.taps;
    const bool plain = terms != nullptr && terms->kind == TapRules::kPlain && !terms->skip_nan &&
                       !terms->count && context_.x_size == context_.lane_size;
    return plain ? kernels.blocks.lanes : kernels.blocks.from_x;
  }

  FoldRowsJob RowsJob(const BlocksJob& job, int64_t position, int64_t line, int64_t lane) const {
    FoldRowsJob rows = {};
    rows.x = At(job.x, position * job.x_step + line * job.x_line_step + lane, context_.x_size);
    rows.x_lane_step = 1;
    rows.taps[0] = d_.taps;
    rows.taps[1] = 1;
    rows.x_tap[0] = plan_.axes[0].dilation * plan_.x_stride[kD];
    rows.x_tap[1] = job.x_step;
    rows.rules = job.rules;
    return rows;
  }

  // Each output by itself; those that lack no taps together.
  bool FoldEach(const Kernels& kernels, const BlocksJob& job) const {
    for (int64_t line = 0; line < job.lines; ++line) {
      for (int64_t o = 0, outputs = 1; o < job.outputs; o += outputs) {
        const int64_t start = job.first + o * job.stride;
        const int64_t from = Max(0, start), to = Min(start + job.taps, job.positions);
        outputs = 1;
        if (to - from == job.taps) {
          outputs = Min(job.outputs - o, (job.positions - to) / job.stride + 1);
        }
        FoldRowsJob rows = RowsJob(job, from, line, 0);
        rows.rows = outputs;
        rows.x_row_step = job.stride * job.x_step;
        rows.lanes = job.lanes;
        rows.taps[1] = to - from;
        rows.scratch = Lanes(job.y, o * job.y_step + line * job.y_line_step);
        rows.pitch = job.y_step;
        if (!kernels.fold_rows(rows)) return false;
      }
    }
    return true;
  }

  // Lanes at a time in `taps_`.
  int64_t TapLanes() const { return 4 * kBlockLineBytes / context_.lane_size; }

  // A block of outputs [begin, end), from `lane` on.
  bool FoldTaps(const Kernels& kernels, const BlocksJob& whole, int64_t begin, int64_t end,
                int64_t line, int64_t lane) const {
    BlocksJob job = whole;
    const int64_t start = job.first + begin * job.stride;
    const int64_t from = Max(0, start);
    FoldRowsJob rows = RowsJob(job, from, line, lane);
    rows.rows = Min(job.first + (end - 1) * job.stride + job.taps, job.positions) - from;
    rows.x_row_step = job.x_step;
    rows.lanes = Min(job.lanes - lane, TapLanes());
    rows.scratch = taps_;
    rows.pitch = TapLanes();
    if (!kernels.fold_rows(rows)) return false;
    job.x = taps_;
    job.x_step = rows.pitch;
    job.positions = rows.rows;
    job.first = start - from;
    job.outputs = end - begin;
    job.skip = 0;
    job.kept = nullptr;  // taps_ are near, and so are these rows
    // Lanes are in order already.
    static constexpr OrderRules kInOrder = {};
    job.rules.order_flip = 0;
    job.rules.order = &kInOrder;
    job.lanes = rows.lanes;
    job.lines = 1;
    job.y = Lanes(whole.y, begin * job.y_step + line * job.y_line_step + lane);
    return blocks_.fold[kernels.blocks.lanes](job);
  }

  static const char* At(const void* p, int64_t offset, int64_t size) {
    return static_cast<const char*>(p) + offset * size;
  }
  char* Lanes(void* p, int64_t offset) const {
    return static_cast<char*>(p) + offset * context_.lane_size;
  }

  const Context& context_;
  const Plan& plan_;
  const Span64 d_;
  char* const taps_;
  const BlockKernels& blocks_;
};

// Outputs of a row, the first of which begins at position `first`.
struct PartOfRow {
  int64_t first, outputs;
};

// Planes whose rows follow each other on both sides, as one. Rows of sums have counts of their own.
RowsOfFolds JoinPlanes(RowsOfFolds from, const RowsOfResults& to) {
  const int64_t others = from.rows - 1;
  if (from.planes == 1 || from.plane_step - others * from.row_step != from.row_step ||
      to.plane_step - others * to.row_step != to.row_step) {
    return from;
  }
  from.rows *= from.planes;
  from.planes = 1;
  return from;
}

Grown DoubleRows(const Context& context, const RowsOfFolds& from, const PartOfRow& part,
                 const ScratchOfRows& scratch, const RowsOfResults& to) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t group = context.plan.strategy.group;
  DoublingJob job = {};
  job.x_row_step = from.row_step;
  job.y_row_step = to.row_step;
  job.rows = from.rows;
  job.outputs = part.outputs * group;
  job.first = part.first * group;
  job.positions = from.lanes;
  job.taps = w.kernel;
  job.tap_step = w.dilation * group;
  job.y_flip = context.rules.order_flip;
  if (GrowsByDoubling(context.params, context.plan)) {
    job.scratch = reinterpret_cast<uint8_t*>(scratch.lanes);
    job.scratch_bytes = scratch.bytes;
  }
  const auto moves = KernelsMoves(MovesTarget(context.target))->double_rows;
  for (int64_t plane = 0; plane < from.planes; ++plane) {
    job.x = reinterpret_cast<const uint8_t*>(from.x) + plane * from.plane_step;
    job.y = reinterpret_cast<uint8_t*>(to.y) + plane * to.plane_step;
    if (moves != nullptr && moves(job)) continue;
    if (!KernelsBlocks(context.target)->double_rows(job)) return Grown::kNot;
  }
  return Grown::kDone;
}

using Levels = Grown (*)(const LevelsJob&);
Levels LevelsOf(const Context& context, BlockFold to_y) {
  const BlockKernels& kernels = *KernelsBlocks(context.target);
  if (to_y == kBlockMaxF32) return kernels.level_floats;
  if (to_y == kBlockMax16ToY) return kernels.level_16;
  return to_y == kBlockMax32ToY ? kernels.level_32 : nullptr;
}

Grown LevelRows(const Context& context, Levels level, const RowsOfFolds& from,
                const PartOfRow& part, const RowsOfResults& to) {
  LevelsJob job = {};
  job.x_row_step = from.row_step;
  job.y_row_step = to.row_step;
  job.rows = from.rows;
  job.outputs = part.outputs;
  job.first = part.first;
  job.positions = from.lanes;
  job.taps = context.plan.axes[2].kernel;
  job.rules = context.rules;
  for (int64_t plane = 0; plane < from.planes; ++plane) {
    job.x = from.x + plane * from.plane_step * context.lane_size;
    job.y = to.y + plane * to.plane_step * context.y_size;
    const Grown grown = level(job);
    if (grown != Grown::kDone) return grown;
  }
  return Grown::kDone;
}

void AddRows(const Context& context, const OutputsOfRows& outputs, const RowsOfFolds& from,
             const PartOfRow& part, const ScratchOfRows& scratch, const RowsOfResults& to) {
  const Axis<int64_t>& w = context.plan.axes[2];
  const int64_t group = context.plan.strategy.group;
  FillRowCounts(context, outputs.d, outputs.rows, scratch.row_counts);
  FillLanesOfColumns(context, outputs.w_begin, outputs.w_end, scratch.lane_counts);
  LevelSumsJob job = {};
  job.x = reinterpret_cast<const float*>(from.x);
  job.x_plane_step = from.plane_step;
  job.x_row_step = from.row_step;
  job.y = reinterpret_cast<float*>(to.y);
  job.y_plane_step = to.plane_step;
  job.y_row_step = to.row_step;
  job.planes = from.planes;
  job.rows = from.rows;
  job.outputs = part.outputs * group;
  job.first = part.first * group;
  job.positions = from.lanes;
  job.taps = w.kernel;
  job.tap_step = w.dilation * group;
  job.lane_counts = scratch.lane_counts;
  job.row_counts = scratch.row_counts;
  job.most_outputs = context.plan.strategy.tile * group;
  job.scratch = reinterpret_cast<float*>(scratch.lanes);
  job.streams = context.streams;
  job.soon = reinterpret_cast<const float*>(from.soon);
  job.soon_row_step = from.soon_row_step;
  KernelsBlocks(context.target)->level_sums(job);
}

}  // namespace

bool FoldBlockRows(const Context& context, const Kernels& kernels, const Span64& d, char* taps,
                   const BlocksJob& job) {
  return FoldOfRows(context, d, taps).Run(kernels, job);
}

bool GrowsRows(const Context& context, BlockFold to_y) {
  const Axis<int64_t>& w = context.plan.axes[2];
  if (w.stride > 1) return false;
  if (AddsByLevels(context.params, context.plan) || to_y == kBlockMaxBytes) return true;
  return LevelsOf(context, to_y) != nullptr && w.dilation == 1 && context.plan.strategy.group == 1;
}

Grown GrowBlockRows(const Context& context, BlockFold to_y, const OutputsOfRows& outputs,
                    const RowsOfFolds& from, const ScratchOfRows& scratch,
                    const RowsOfResults& to) {
  if (!GrowsRows(context, to_y)) return Grown::kNot;
  const Axis<int64_t>& w = context.plan.axes[2];
  const PartOfRow part = {WindowStart(w, outputs.w_begin) - outputs.x_begin,
                          outputs.w_end - outputs.w_begin};
  if (AddsByLevels(context.params, context.plan)) {
    AddRows(context, outputs, from, part, scratch, to);
    return Grown::kDone;
  }
  const RowsOfFolds rows = JoinPlanes(from, to);
  if (to_y == kBlockMaxBytes) return DoubleRows(context, rows, part, scratch, to);
  return LevelRows(context, LevelsOf(context, to_y), rows, part, to);
}

}  // namespace lanepool
