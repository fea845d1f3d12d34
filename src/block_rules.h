// Loop::kBlocks: for which windows it is, and with what as lanes. Thresholds are measured.
#ifndef LANEPOOL_SRC_BLOCK_RULES_H_
#define LANEPOOL_SRC_BLOCK_RULES_H_

#include <stdint.h>

#include "axis.h"
#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Whether blocks can be made. `channel_lanes`: lanes are channels.
bool CanBeBlocks(const Plan& plan, bool channel_lanes);

// Whether they are worth it as they share taps.
bool AreBlocks(const lanepool_params& params, const Plan& plan, bool channel_lanes);

// Whether pixels of several channels, a group, have lanes enough, so that nothing is transposed.
bool HasManyLanes(const lanepool_params& params, const Plan& plan);

// Small planes, of which rows are few vectors: lanes become channels for both axes. Only for dense
// planes of one sequence of rows, all of it in one item. y_type: what y is made of.
bool TurnsPlanes(const lanepool_params& params, const Plan& plan, int32_t y_type);

// Averages of bytes whose sums along W come first, so that rows need not be transposed.
bool TakesRowSums(const lanepool_params& p, const Plan& plan);

// Whether rows are better not transposed. What lengthens a row costs as much as the row.
bool GrowsByDoubling(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_BLOCK_RULES_H_
