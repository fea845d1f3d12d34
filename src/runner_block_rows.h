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

// Rows of folds along D and H, or of x where it is those. Steps are in elements.
struct RowsOfFolds {
  const char* x;  // the first position
  int64_t plane_step, row_step;
  int64_t planes, rows, lanes;
};
// Where their windows along W go.
struct RowsOfResults {
  char* y;
  int64_t plane_step, row_step;
};
// What is free meanwhile.
struct ScratchOfRows {
  char* lanes;
  int64_t bytes;
};
// Maxima along W, outputs [w_begin, w_end) at a stride of 1, from rows of which the first position
// is x_begin, without making columns of them: see DoublingJob and LevelsJob. to_y tells what they
// are.
Grown GrowBlockRows(const Context& context, BlockFold to_y, const RowsOfFolds& from,
                    int64_t w_begin, int64_t w_end, int64_t x_begin, const ScratchOfRows& scratch,
                    const RowsOfResults& to);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_
