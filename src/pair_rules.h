// Which averages of bytes go by MoveKernels::pixel_pairs where a CPU has it.
#ifndef LANEPOOL_SRC_PAIR_RULES_H_
#define LANEPOOL_SRC_PAIR_RULES_H_

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Whether windows of pixels are whole, and that is faster than the loop of the plan.
bool AreWholePairs(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PAIR_RULES_H_
