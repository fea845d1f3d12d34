// Which loop walks the windows, and how the work is cut into items. Looks at op, type, sizes and
// strides, never at the CPU.
#ifndef LANEPOOL_SRC_STRATEGY_H_
#define LANEPOOL_SRC_STRATEGY_H_

#include <stdint.h>

#include "kernel_table.h"
#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// De-interleaving loads serve strides up to this.
constexpr int64_t kInterleaved = 4;

// Channels that wide windows of Loop::kColumns fold side by side at least: whole cache lines.
constexpr int64_t kWideLanes = 16;
// Output rows of an item of Loop::kPlanes at most.
constexpr int64_t kPlaneRows = 256;
// Tensors of more bytes than this do not stay in a cache: 32 MiB, what a group of cores shares at
// most machines, or less.
constexpr int64_t kCachedBytes = int64_t{32} << 20;

// Fills plan->strategy. May exchange or merge spatial axes of the plan where that changes no result
// but the order of float additions. False if the scratch it needs would leave 64 bits.
bool ChooseStrategy(const lanepool_params& params, Plan* plan);

// The work of a plan is a grid of items; an item is a block of channels and a block of output rows.
struct ItemGrid {
  int64_t batches, channel_blocks, depths, row_blocks;
};
ItemGrid GridOf(const lanepool_params& params, const Plan& plan);
int64_t WorkItems(const lanepool_params& params, const Plan& plan);

// Loop::kRows: whether all windows of a row are computed, also those that begin between the
// outputs, and the outputs picked from them. Pixels of several channels would make a vector each,
// and other strides than 1, 2 and 4 are slow to gather.
bool PicksOutputs(const Plan& plan);

// Lanes from one output of a row to the next, where positions along W are lanes: between those that
// are picked are the windows of the positions between. The only output of a row has none behind it.
int64_t LanesApart(const Plan& plan);

const char* LoopName(Loop loop);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_STRATEGY_H_
