// Short rows that go by Loop::kBlocks, turned, though their windows share too little. Measured.
#ifndef LANEPOOL_SRC_TURN_RULES_H_
#define LANEPOOL_SRC_TURN_RULES_H_

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Whether rows are so short that Loop::kRows, which would take them, is better left to CPUs that
// move lanes by one instruction: on others lanes become channels. The order of terms is the same.
bool TurnsRows(const lanepool_params& params, const Plan& plan);

// The loop that others are held against when a job runs.
inline Loop LoopOf(const Plan& plan) {
  return plan.strategy.for_rows != 0 ? Loop::kRows : plan.strategy.loop;
}

}  // namespace lanepool

#endif  // LANEPOOL_SRC_TURN_RULES_H_
