// Loop::kBlocks, averages of bytes whose sums along W come first, of rows as they lie: nothing is
// transposed. Those along H are folded from there to y.
#include <stdint.h>

#include "blocks.h"
#include "runner_block_counts.h"
#include "runner_context.h"
#include "scratch.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

class RowSumsOfItem {
 public:
  RowSumsOfItem(const Context& context, const Item& item)
      : context_(context),
        plan_(context.plan),
        item_(item),
        d_(ClipWindow(context.plan.axes[0], item.d)),
        rules_(context.rules),
        blocks_(*KernelsBlocks(context.target)) {
    UseMeans(context, &means_, &rules_);
    const BlockScratch& parts = *context.blocks;
    sums_ = LoopScratch(context.workspace);
    prefixes_ = sums_ + parts.rows;
    factors_ = reinterpret_cast<float*>(prefixes_ + parts.columns);
    column_counts_ = factors_ + parts.kept / sizeof(float);
    row_counts_ = column_counts_ + parts.w_counts / sizeof(float);
  }

  void Run() {
    const Strategy& s = plan_.strategy;
    const Axis<int64_t>& w = plan_.axes[2];
    for (int64_t w_begin = item_.w_begin; w_begin < item_.w_end; w_begin += s.tile) {
      const int64_t w_end = Min(w_begin + s.tile, item_.w_end);
      const Sequence columns = SequenceOf(w, 0, 1, w_begin, w_end);
      FillColumnCounts(context_, columns, column_counts_);
      // What is no output has the divisor of the one before.
      float* const behind = column_counts_ + (w_end - w_begin);
      for (int64_t i = 0; i < kCountSlack; ++i) behind[i] = behind[-1];
      const int64_t phases = Min(PhasesOf(plan_.axes[1]).phases, plan_.axes[1].output);
      for (int64_t phase = 0; phase < phases; ++phase) {
        const Sequence rows =
            SequenceOf(plan_.axes[1], phase, s.block[0], item_.h_begin, item_.h_end);
        if (rows.outputs > 0) FoldRows(rows, w_begin, w_end);
      }
    }
  }

 private:
  void FoldRows(const Sequence& rows, int64_t w_begin, int64_t w_end) {
    const Axis<int64_t>& h = plan_.axes[1];
    const Axis<int64_t>& w = plan_.axes[2];
    FillRowCounts(context_, d_, rows, row_counts_);
    // Rows and columns that have windows.
    const int64_t from = Max(0, rows.first);
    const int64_t to =
        Min(rows.positions, rows.first + (rows.outputs - 1) * rows.stride + h.kernel);
    const int64_t begin = Max(0, WindowStart(w, w_begin));
    const int64_t end = Min(w.input, WindowStart(w, w_end - 1) + w.kernel);
    const int64_t row_step = PhasesOf(h).dilation * plan_.x_stride[kH];
    const int64_t row = rows.residue + from * PhasesOf(h).dilation;

    RowSumsJob sums;
    sums.x_row_step = row_step;
    const bool dense = h.input == 1 || plan_.x_stride[kH] == w.input;
    sums.x_room = dense ? (h.input - row) * w.input - begin : 0;
    sums.rows = to - from;
    sums.positions = end - begin;
    sums.first = WindowStart(w, w_begin) - begin;
    sums.taps = w.kernel;
    sums.outputs = w_end - w_begin;
    sums.x_plane_step = plan_.x_stride[kC];
    sums.y = reinterpret_cast<uint16_t*>(sums_);
    sums.y_row_step = RowSumPitch(sums.outputs);
    sums.scratch = reinterpret_cast<uint16_t*>(prefixes_);
    sums.scratch_pitch = SumRowPitch(sums.positions, sums.taps, sums.outputs);
    sums.x_flip = rules_.x_flip;

    BlocksJob fold = {};
    fold.x = sums_;
    fold.x_step = sums.y_row_step;
    fold.positions = sums.rows;
    fold.first = rows.first - from;
    fold.stride = rows.stride;
    fold.taps = h.kernel;
    fold.outputs = rows.outputs;
    fold.lanes = sums.outputs;
    fold.y_step = rows.step * context_.y_stride[kH];
    fold.kept = prefixes_;  // all is near
    fold.factors = factors_;
    fold.padded = true;
    fold.counts = row_counts_;
    fold.lane_counts = column_counts_;
    fold.y_flip = rules_.y_flip;
    fold.small = w.kernel < kMostTaps16 / 2;
    fold.rules = rules_;

    const BlockFold to_y = context_.kernels->blocks.to_y;
    const int64_t at_once = PlanesTogether(plan_);
    fold.x_line_step = sums.rows * sums.y_row_step;
    fold.y_line_step = context_.y_stride[kC];
    for (int64_t c = item_.c_begin; c < item_.c_end; c += at_once) {
      fold.lines = Min(at_once, item_.c_end - c);
      sums.planes = fold.lines;
      sums.x = reinterpret_cast<const uint8_t*>(
          context_.X(item_.n * plan_.x_stride[kN] + c * plan_.x_stride[kC] +
                     d_.position * plan_.x_stride[kD] + row * plan_.x_stride[kH] + begin));
      blocks_.sum_rows(sums);
      fold.y = context_.Y(item_.n * context_.y_stride[kN] + c * context_.y_stride[kC] +
                          item_.d * context_.y_stride[kD] + rows.output * context_.y_stride[kH] +
                          w_begin);
      blocks_.fold[to_y](fold);
    }
  }

  const Context& context_;
  const Plan& plan_;
  const Item& item_;
  const Span64 d_;
  ElementRules rules_;
  MeansOfBlocks means_;
  const BlockKernels& blocks_;
  char* sums_;      // along W
  char* prefixes_;  // see RowSumsJob::scratch
  float* factors_;  // see BlocksJob
  float *column_counts_, *row_counts_;
};

}  // namespace

void RunRowSums(const Context& context, const Item& item) { RowSumsOfItem(context, item).Run(); }

}  // namespace lanepool
