// What the runner asks of the kernels for windows of many taps, see kernel_table.h.
#ifndef LANEPOOL_SRC_KERNEL_BLOCKS_H_
#define LANEPOOL_SRC_KERNEL_BLOCKS_H_

#include <stdint.h>

#include "kernel_rules.h"

namespace lanepool {

// Windows of one axis that overlap, in blocks: output o has the taps from position first + o *
// stride on, `taps` of them, of which those in [0, positions) exist. Blocks have `block` outputs,
// the first one less by `skip`; all windows of a block contain the first tap of the last one. Each
// window is the sum of the taps before that one, added from there backwards, and of the others; of
// integers it is the one before, less what has left it, and what has entered it.
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
  bool far;                  // whether x is to be fetched from beyond the caches
  bool small;                // of sums of 16 bits: whether all are below 2^15
  // Of sums of 16 bits: whether there are kBlockLineBytes of them, zeros where lanes are not, and
  // as many lane_counts.
  bool padded;
  // Of averages of bytes whose lanes differ: room for 4 * kBlockLineBytes for each output whose
  // count is not that of the one before it. Null: none.
  float* factors;
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
  int64_t bytes;     // of an element
  bool far = false;  // whether rows are to be fetched from beyond the caches
};

// Maxima of bytes along rows: output o of a row has `taps` taps, tap_step apart, from position
// first + o on, of which those in [0, positions) exist. All are lanes as kBlockMaxBytes has them.
struct DoublingJob {
  const uint8_t* x;  // position 0 of a row
  int64_t x_row_step;
  uint8_t* y;
  int64_t y_row_step;
  int64_t rows, outputs;
  int64_t first, positions;
  int64_t taps, tap_step;
  uint8_t y_flip;
  // Room for a row with its taps, and 2 * kBlockLineBytes; several rows are faster. Null: none.
  uint8_t* scratch;
  int64_t scratch_bytes;
};

// Maxima along rows of output o's `taps` taps from position first + o on, of which those in
// [0, positions) exist. All are lanes of one type.
struct LevelsJob {
  const void* x;  // position 0 of a row
  int64_t x_row_step;
  void* y;
  int64_t y_row_step;
  int64_t rows, outputs;
  int64_t first, positions, taps;
  ElementRules rules;
};
// kNot: windows are not of a kind that is faster so, here. kGaveUp: see kBlockMaxF32.
enum class Grown { kNot, kDone, kGaveUp };

// Sums of bytes along rows: output o of a row has `taps` taps from position first + o on, at most
// kMostTaps16 of which those in [0, positions) exist, one at least.
struct RowSumsJob {
  const uint8_t* x;  // position 0 of the first row
  int64_t x_row_step;
  int64_t x_room;  // bytes from there on that may be read, or 0 for those of the rows alone
  int64_t rows;
  int64_t planes, x_plane_step;  // the same again; those of y follow each other
  int64_t positions, first, taps, outputs;
  uint16_t* y;  // rows of whole vectors, zeros behind outputs
  int64_t y_row_step;
  uint16_t* scratch;  // kSumRows rows of so many
  int64_t scratch_pitch;
  uint8_t x_flip;
};
constexpr int64_t kSumRows = 8;
// Elements of one of those rows.
constexpr int64_t SumRowPitch(int64_t positions, int64_t taps, int64_t outputs) {
  constexpr int64_t kLine = kBlockLineBytes / sizeof(uint16_t);
  return ((positions > outputs ? positions : outputs) + 2 * taps + 4 * kLine) / kLine * kLine;
}

struct BlockKernels {
  bool (*fold[kBlockFolds])(const BlocksJob&);  // by BlockFold
  void (*rows_to_columns)(const TransposeJob&);
  void (*columns_to_rows)(const TransposeJob&);
  bool (*double_rows)(const DoublingJob&);  // false: these rows take scratch
  // Maxima as BlockFold has them of f32, and of 16 and 32 bits to y.
  Grown (*level_floats)(const LevelsJob&);
  Grown (*level_16)(const LevelsJob&);
  Grown (*level_32)(const LevelsJob&);
  void (*sum_rows)(const RowSumsJob&);
};

const BlockKernels* KernelsBlocks(int64_t target);  // for one Highway target that is compiled in

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_BLOCKS_H_
