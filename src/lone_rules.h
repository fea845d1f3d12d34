// Which calls are one small job, so that runner_lone.cc makes it straight from the plan.
#ifndef LANEPOOL_SRC_LONE_RULES_H_
#define LANEPOOL_SRC_LONE_RULES_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Lanes along W and outputs along H of planes that are, at most.
constexpr int64_t kLoneLanes = 64, kLoneRows = 16;

// Strategy::lone of Loop::kColumns, kPlanes and kByTwo, all else being chosen.
bool IsLone(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_LONE_RULES_H_
