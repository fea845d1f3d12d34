// Which windows go by Kernels::chained where a CPU has it.
#ifndef LANEPOOL_SRC_CHAIN_RULES_H_
#define LANEPOOL_SRC_CHAIN_RULES_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Whether rows go on in each other, and that is faster than the loop of the plan.
bool AreChained(const lanepool_params& params, const Plan& plan);

// Output rows of a job that chains them, at most.
int64_t ChainedRowsOf(const Plan& plan, int64_t lane_bytes);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_CHAIN_RULES_H_
