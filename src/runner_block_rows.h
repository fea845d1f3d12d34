// Loop::kBlocks: rows of x on their way to scratch.
#ifndef LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_
#define LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_

#include "blocks.h"
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
  // x that is folded next, as many rows, if it is far; else null.
  const char* soon;
  int64_t soon_row_step;
};
// Where their windows along W go.
struct RowsOfResults {
  char* y;
  int64_t plane_step, row_step;
};
// What is free meanwhile: lanes, and room for the counts of rows and of lanes.
struct ScratchOfRows {
  char* lanes;
  int64_t bytes;
  float *row_counts, *lane_counts;
};
// Outputs: the rows of a sequence with the taps `d` along D, of those [w_begin, w_end) along W. The
// first position of rows of folds is x_begin.
struct OutputsOfRows {
  Span64 d;
  Sequence rows;
  int64_t w_begin, w_end, x_begin;
};
// Whether those windows may be made as follows.
bool GrowsRows(const Context& context, BlockFold to_y);
// Maxima or averages along W, at a stride of 1, without making columns of rows: see DoublingJob,
// LevelsJob and LevelSumsJob. to_y tells what they are.
Grown GrowBlockRows(const Context& context, BlockFold to_y, const OutputsOfRows& outputs,
                    const RowsOfFolds& from, const ScratchOfRows& scratch, const RowsOfResults& to);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_
