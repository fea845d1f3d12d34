// The plan: what a desc holds behind its documented prefix. Plain data, no pointers.
#ifndef LANEPOOL_SRC_PLAN_H_
#define LANEPOOL_SRC_PLAN_H_

#include <stdint.h>

#include "axis.h"
#include "lanepool/lanepool.h"

namespace lanepool {

// Internal dimension order, for every layout and rank: missing spatial axes come first, with
// size 1.
enum Dim { kN, kC, kD, kH, kW, kDims };

enum class Loop : int32_t {
  kNothing,  // batch or channels is 0
  kColumns,  // lanes are channels
  kRows,     // lanes are positions along a row, times `group` channels
  kPlanes,   // the same for small windows that step by 1 along W: no scratch
  kRuns,     // a window is one long run of lanes along a row
};

// How the window is walked. Chosen from op, type and sizes only, never from the CPU: the order of
// float additions belongs to the plan.
struct Strategy {
  Loop loop;
  int32_t group;          // kRows: adjacent channels that form one row with W (1: one channel)
  int64_t channel_block;  // channels of one work item
  int64_t row_block;      // output rows (along H) of one work item
  int64_t tile;           // kRows: outputs along W that are folded at a time
  int64_t scratch_bytes;  // kRows: scratch beyond what the runner has on its stack, else 0
};

struct Plan {
  Axis<int64_t> axes[3];    // D, H, W
  int64_t x_stride[kDims];  // elements
  int64_t y_stride[kDims];
  Strategy strategy;
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PLAN_H_
