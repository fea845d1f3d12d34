// Jobs of Loop::kBlocks and their kernels, see kernel_table.h.
#ifndef LANEPOOL_SRC_BLOCK_JOBS_H_
#define LANEPOOL_SRC_BLOCK_JOBS_H_

#include <stdint.h>

#include "kernel_rules.h"

namespace lanepool {

// Windows of one axis that overlap, in blocks: output o has the taps from position first + o *
// stride on, `taps` of them, of which those in [0, positions) exist. Blocks have `block` outputs,
// the first one less by `skip`; all windows of a block contain the first tap of the last one. Each
// window is the sum of the taps before that one, added from there backwards, and of the others.
struct BlocksJob {
  const void* x;  // position 0
  int64_t x_step;
  int64_t positions, first, stride, taps;
  int64_t outputs, block, skip;
  int64_t lanes;
  int64_t lines, x_line_step, y_line_step;  // the same again
  void* y;                                  // whole vectors, unless there is `kept`
  int64_t y_step;
  // 4 * kBlockLineBytes for each output of a block. Null: y has room for folds that wait.
  void* kept;
  // What averages divide by: counts[o] times the line's or the lane's.
  const float* counts;
  const float* line_counts;
  const float* lane_counts;  // null, or lanes are whole vectors
  uint8_t y_flip;            // of bytes
  ElementRules rules;
};
constexpr int64_t kBlockLineBytes = 64;

// Element (r, i) of rows and columns: rows lie anywhere, column i is column_step * i on, and has
// room for padded_rows, at least kBlockLineBytes / bytes and whole vectors of 16 bytes. Those that
// there are not are copies of the last row, and so they must be when they come back.
struct TransposeJob {
  void* const* row;
  int64_t rows, padded_rows;
  int64_t lanes;
  void* columns;
  int64_t column_step;
  int64_t bytes;  // of an element
};

// Folds of blocks.
enum BlockFold : int8_t {
  kNoBlocks = -1,
  // Lanes to lanes of the same type, or elements of it.
  kBlockSumsF32,
  kBlockSumsF64,
  kBlockMaxF32,  // gives up as kMax does; -0 becomes +0
  kBlockMax16,   // by ElementRules::order
  kBlockMax32,
  kBlockMax64,
  kBlockMaxBytes,  // of x ^ ElementRules::order_flip; results ^ BlocksJob::y_flip
  kBlockSums16,    // unsigned integers
  kBlockSums32,
  // Elements to lanes.
  kBlockByteSums,  // u8 or s8 to u16, as ElementRules::x_flip says
  kBlockF16Sums,
  kBlockBf16Sums,
  // Lanes to elements.
  kBlockAverages,  // f32, divided
  kBlockF16Averages,
  kBlockBf16Averages,
  kBlockMeans,     // u16 to bytes, summed in u32, see MeanRules
  kBlockMax16ToY,  // by ElementRules::order
  kBlockMax32ToY,
  kBlockMax64ToY,
  kBlockFolds
};

// The folds of blocks that go with other kernels, from x to lanes of scratch, from those to such,
// and from those to y. kNoBlocks: by way of lanes, from fold_rows or to slide_rows.
struct BlocksOf {
  BlockFold from_x, lanes, to_y;
};

struct BlockKernels {
  bool (*fold[kBlockFolds])(const BlocksJob&);  // by BlockFold
  void (*rows_to_columns)(const TransposeJob&);
  void (*columns_to_rows)(const TransposeJob&);
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_BLOCK_JOBS_H_
