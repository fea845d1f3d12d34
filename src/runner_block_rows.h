// Loop::kBlocks: rows of x on their way to scratch.
#ifndef LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_
#define LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_

#include "kernel_table.h"
#include "runner_context.h"

namespace lanepool {

// Folds the taps `d` along D, and those of the job, which is along H, to lanes. What has no kernel
// of its own becomes lanes first, a few taps at a time in BlockScratch::taps. False: the kernels
// give up.
bool FoldBlockRows(const Context& context, const Kernels& kernels, const Span64& d, char* taps,
                   const BlocksJob& job);

// Where maxima go, in elements, and what is free meanwhile, in bytes, or null.
struct DoubledRows {
  char* y;
  int64_t y_plane_step, y_row_step;
  char* scratch;
  int64_t scratch_bytes;
};
// Maxima of bytes, outputs [w_begin, w_end) along W at a stride of 1, from the folds that `fold`
// has made, of which the first position is x_begin. See DoublingJob. False: they take scratch, and
// there is none.
bool DoubleBlockRows(const Context& context, const BlocksJob& fold, int64_t w_begin, int64_t w_end,
                     int64_t x_begin, const DoubledRows& to);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_
