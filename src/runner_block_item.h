// Loop::kBlocks: an item, part by part.
#ifndef LANEPOOL_SRC_RUNNER_BLOCK_ITEM_H_
#define LANEPOOL_SRC_RUNNER_BLOCK_ITEM_H_

#include <stdint.h>

#include "blocks.h"
#include "quantization.h"
#include "runner_block_counts.h"
#include "runner_context.h"
#include "types.h"

namespace lanepool {

class BlocksOfItem {
 public:
  BlocksOfItem(const Context& context, const Item& item);
  void Run();

 private:
  // Outputs that are folded together.
  struct Part {
    Sequence rows;
    int64_t w_begin, w_end, c_begin, c_end;
  };
  // Input positions along W.
  struct Reach {
    int64_t begin, end;
  };

  void TakeStrides();
  bool Fold(const Kernels& kernels, const Part& part);
  bool FoldChannels(const Kernels& kernels, const Part& part);
  // The same row by row, of sums of bytes: `fold` and `slide` are all of them.
  bool FitsInTurn(const Kernels& kernels, const Part& part, const BlocksJob& fold) const;
  bool SlideInTurn(const Kernels& kernels, const Part& part, const BlocksJob& fold,
                   const BlocksJob& slide);
  // Small planes become channels of scratch, and those the planes of y.
  bool FoldPlanes(const Kernels& kernels, const Part& part);

  // In runner_block_positions.cc.
  bool FoldPositions(const Kernels& kernels, const Part& part);
  bool FitsByPlanes(const Kernels& kernels, const Part& part) const;
  bool FoldByPlanes(const Kernels& kernels, const Part& part);
  bool AreTogether(const Part& part, int64_t planes) const;

  Reach ReachOf(const Part& part) const;
  // Whether the rows of x are the folds along D and H already.
  bool FoldsNothing(const Kernels& kernels) const;
  // Along D and H. The caller adds lanes, lines, and where they go.
  BlocksJob FoldJob(const Part& part, const Reach& reach) const;
  // Along W, from columns of `prepared`'s lanes, column_step apart: element 0 is position
  // reach.begin. y, of elements of y_size, is that of output part.w_begin, y_step to the next
  // output. One phase of those along W, which may have no outputs. Fills w_counts_ for it.
  BlocksJob SlideJob(const Part& part, const Reach& reach, int64_t phase, int64_t column_step,
                     const BlocksJob& prepared, int64_t y_size);
  // All phases.
  bool Slide(BlockFold fold, const Part& part, const Reach& reach, int64_t column_step,
             const BlocksJob& prepared, int64_t y_size);
  // Whether folds along W are results at once.
  BlockFold FoldToY(const Kernels& kernels) const {
    return rules_.requants == nullptr ? kernels.blocks.to_y : kNoBlocks;
  }
  // Folds of outputs [w_begin, w_end) along W, `step` lanes from one to the next, on their way to
  // y. `lanes` of them have one count, `count`, or those of lane_counts_.
  bool Finish(const Kernels& kernels, const Part& part, const char* folds, int64_t step,
              int64_t lanes, const float* count, char* y, int64_t y_step) const;

  const char* X(int64_t c, int64_t h, int64_t w) const {
    const int64_t offset = c * x_stride_[kC] + h * x_stride_[kH] + w * x_stride_[kW];
    if (is_turned_) return At(turned_x_, offset, context_.x_size);
    return context_.X(item_.n * x_stride_[kN] + d_.position * x_stride_[kD] + offset);
  }
  char* Y(int64_t c, int64_t h, int64_t w) const {
    const int64_t offset = c * y_stride_[kC] + h * y_stride_[kH] + w * y_stride_[kW];
    if (is_turned_) return turned_y_ + offset * context_.y_size;
    return context_.Y(item_.n * y_stride_[kN] + item_.d * y_stride_[kD] + offset);
  }
  // Bits of y to flip: maxima of bytes are turned back, means are signed.
  uint8_t YFlip() const {
    return IsExtreme(context_.params.op) ? rules_.order_flip : rules_.y_flip;
  }
  static const char* At(const void* p, int64_t offset, int64_t size) {
    return static_cast<const char*>(p) + offset * size;
  }

  // The rows of all planes, for a transposition.
  static void PointAt(const char* first, int64_t planes, int64_t plane_step, int64_t rows,
                      int64_t row_step, void** pointer) {
    for (int64_t plane = 0; plane < planes; ++plane) {
      const char* const of_plane = first + plane * plane_step;
      for (int64_t i = 0; i < rows; ++i) *pointer++ = const_cast<char*>(of_plane + i * row_step);
    }
  }

  const Context& context_;
  const Plan& plan_;
  const Item& item_;
  const Span64 d_;
  const Requant* const requant_;
  ElementRules rules_;
  MeansOfBlocks means_;
  const BlockKernels& blocks_;
  const Divisor divisor_;
  char *rows_, *taps_, *kept_;
  char* columns_;  // lanes are channels: a line of folds along W
  float *w_counts_, *lane_counts_;
  void** pointers_;
  char *turned_x_, *turned_y_;  // planes as channels
  bool is_turned_ = false;      // x and y are those
  const void* soon_ = nullptr;  // y of those
  int64_t x_stride_[kDims], y_stride_[kDims];
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_BLOCK_ITEM_H_
