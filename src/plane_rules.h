// Loop::kPlanes and kByTwo: for which windows they are. Thresholds are measured.
#ifndef LANEPOOL_SRC_PLANE_RULES_H_
#define LANEPOOL_SRC_PLANE_RULES_H_

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Maxima for which few loops are built.
bool IsRareMaximum(const lanepool_params& params);

// Windows that step by 1 along W, or pixels of a group of channels, and are walked without scratch.
// Each row is read once per tap along W; along H the partial folds of a few taps slide in
// registers.
bool SmallWindows(const lanepool_params& params, const Plan& plan);

// Windows that step by 2 along W, see StripByTwo.
bool StepsByTwo(const lanepool_params& params, const Plan& plan);

// Planes that are walked as one row, see FlatPlanes: rows as long as each other without gaps.
bool IsFlat(const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PLANE_RULES_H_
