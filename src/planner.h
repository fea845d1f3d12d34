// Validation of params, shapes, buffer sizes. Pure integer arithmetic, all of it checked.
#ifndef LANEPOOL_SRC_PLANNER_H_
#define LANEPOOL_SRC_PLANNER_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Everything lanepool_plan promises. `params` has the full size of this version; supported_targets
// are this machine's, bits that mean nothing here. On failure *desc and *plan are in an unspecified
// state. The prefix of *desc is filled, not its sealed part.
int32_t MakePlan(const lanepool_params& params, uint64_t supported_targets, Plan* plan,
                 lanepool_desc* desc, lanepool_error* error);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PLANNER_H_
