// Windows of bytes that share nothing and lie side by side along W, see FoldsBeside.
#ifndef LANEPOOL_SRC_BESIDE_RULES_H_
#define LANEPOOL_SRC_BESIDE_RULES_H_

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Whether they are averages and have whole eighths of each row: Loop::kRuns.
bool AreRunsSideBySide(const lanepool_params& params, const Plan& plan);

// Whether they are averages or maxima of any few bytes of each row, and go by a loop that takes
// longer than one for which a CPU lays them out by one instruction, see MoveKernels.
bool AreRunsLaidOut(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_BESIDE_RULES_H_
