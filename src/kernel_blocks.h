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
  // What will be written next. Null, or as many elements as all lines make, as they follow each
  // other.
  const void* soon;
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

// Averages of floats along rows, of lanes that are sums: output lane o has the `taps` lanes
// tap_step apart from lane first + o on, of which those in [0, positions) exist. They are added as
// semantics.md has it for rows that are not transposed.
struct LevelSumsJob {
  const float* x;  // lane 0 of the first row
  int64_t x_plane_step, x_row_step;
  float* y;
  int64_t y_plane_step, y_row_step;
  int64_t planes, rows, outputs;
  int64_t first, positions, taps, tap_step;
  // Sums divide by lane_counts[o] * row_counts[row]; the former are whole lines.
  const float* lane_counts;
  const float* row_counts;
  int64_t most_outputs;  // of any such job that has this scratch
  float* scratch;        // of LevelSumsScratch
  bool streams;          // whether lines of y are better written past the caches
  // What will be read next, as many rows as these and as long. Null: nothing is to be asked for.
  const float* soon;
  int64_t soon_row_step;
};
// Lanes of scratch: some rows with sums of 1, 2, 4 and so on taps, of some outputs at a time; the
// divisors of a row, their reciprocals, and those of all lane_counts.
struct LevelSumsScratch {
  static constexpr int64_t kLine = kBlockLineBytes / sizeof(float);
  static constexpr int64_t kOutputs = 512;  // at a time, at least
  static constexpr int64_t kMostRows = 8;
  static constexpr int64_t kMostLanes = 6144;  // of several rows

  constexpr LevelSumsScratch(int64_t taps, int64_t tap_step, int64_t of_outputs) {
    while (taps >> levels > 1) ++levels;
    const int64_t reach = (taps - 1) * tap_step;
    int64_t chunk = reach > kOutputs ? reach : kOutputs;
    // More, if one row of those has room for them: rows are long pieces of memory then.
    const int64_t fit = (kMostLanes / kLine / levels - 5) * kLine - reach;
    if (fit > chunk) chunk = fit;
    outputs = of_outputs < chunk ? of_outputs : chunk;
    // Lines an odd number apart do not share sets of the cache.
    pitch = (((outputs + reach) / kLine + 4) | 1) * kLine;
    while (rows < kMostRows && (rows + 1) * levels * pitch <= kMostLanes) ++rows;
    divisors = rows * levels * pitch;
    reciprocals = divisors + (outputs / kLine + 1) * kLine;
    by_counts = reciprocals + (outputs / kLine + 1) * kLine;
    total = by_counts + (of_outputs / kLine + 1) * kLine;
  }

  int64_t levels = 1;   // that are kept: half of the largest sum at most
  int64_t outputs = 0;  // at a time
  int64_t pitch = 0;    // from a level, or a row of them, to the next
  int64_t rows = 1;     // at a time
  int64_t divisors = 0, reciprocals = 0, by_counts = 0, total = 0;
};

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

// Sums of the taps along H that a row of windows has at each lane, from those of the row before:
// what enters is added, what leaves is subtracted. Either is a row of x, or null.
struct SumsInTurnJob {
  const uint8_t *enters, *leaves;
  uint16_t* sums;  // of each line, side by side
  int64_t lanes;
  int64_t lines, x_line_step;
  uint8_t x_flip;
};

struct BlockKernels {
  bool (*fold[kBlockFolds])(const BlocksJob&);  // by BlockFold
  void (*rows_to_columns)(const TransposeJob&);
  void (*columns_to_rows)(const TransposeJob&);
  bool (*double_rows)(const DoublingJob&);  // false: these rows take scratch
  // Maxima as BlockFold has them of f32, and of 16 and 32 bits to y.
  Grown (*level_floats)(const LevelsJob&);
  Grown (*level_16)(const LevelsJob&);
  Grown (*level_32)(const LevelsJob&);
  void (*level_sums)(const LevelSumsJob&);
  void (*sum_rows)(const RowSumsJob&);
  void (*sums_in_turn)(const SumsInTurnJob&);
};

const BlockKernels* KernelsBlocks(int64_t target);  // for one Highway target that is compiled in

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_BLOCKS_H_
