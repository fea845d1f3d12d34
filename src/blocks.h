// Loop::kBlocks: windows of many taps. How outputs are grouped, and what scratch that takes.
// Follows from sizes and strides, as all of a strategy does.
#ifndef LANEPOOL_SRC_BLOCKS_H_
#define LANEPOOL_SRC_BLOCKS_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "phases.h"
#include "plan.h"

namespace lanepool {

// Bytes of a lane of scratch.
int32_t BlockLaneBytes(const lanepool_params& params, const Plan& plan);

// The scratch of an item, in bytes, all of them whole cache lines.
struct BlockScratch {
  // Folds along D and H; position lanes: the results, once those are columns; kRowSums: those.
  int64_t rows;
  // Position lanes: the rows as columns; kRowSums: see RowSumsJob; else a row of folds along W.
  int64_t columns;
  int64_t taps;                   // taps of a block along H that are not lanes in x
  int64_t kept;                   // see BlocksJob; kRowSums: its factors
  int64_t w_counts, lane_counts;  // divisors of floats
  int64_t pointers;               // position lanes: where rows are
  int64_t turned_x, turned_y;     // planes that become channels
  int64_t total;
};
BlockScratch ScratchOf(const lanepool_params& params, const Plan& plan);

// Behind that scratch: the stage of an item's tile, with room for elements of 8 bytes and for as
// many again where terms are counted.
uint64_t* BlockStage(const lanepool_params& params, const Plan& plan, void* workspace);

// Rows that are transposed for so many, see TransposeJob.
int64_t PaddedRows(const lanepool_params& params, const Plan& plan, int64_t rows);

// Lanes from one row of folds to the next, for rows of so many.
int64_t FoldPitch(const Strategy& strategy, int64_t lanes);

// Lanes from one column to the next, for so many rows, padded ones included.
int64_t ColumnStep(const Strategy& strategy, int64_t rows);

// Where sums along W come first: the planes whose sums are in scratch together, and the lanes from
// one row of them to the next.
int64_t PlanesTogether(const Plan& plan);
int64_t RowSumPitch(int64_t outputs);

// Whether windows are worth it, and the strategy if they are. `channel_lanes`: lanes are channels.
bool ChooseBlockLoop(const lanepool_params& params, bool channel_lanes, Plan* plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_BLOCKS_H_
