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

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_BLOCK_ROWS_H_
