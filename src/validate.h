// Checks of single fields of params, in the order that docs/semantics.md gives.
#ifndef LANEPOOL_SRC_VALIDATE_H_
#define LANEPOOL_SRC_VALIDATE_H_

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Rank, codes, flags, types, kernel, strides, dilations, pads, sizes: all that needs no arithmetic.
int32_t ValidateParams(const lanepool_params& params, lanepool_error* error);

// Scales, zero points, clamp bounds.
int32_t ValidateQuantization(const lanepool_params& params, lanepool_error* error);

bool FiniteAndPositive(float scale);

// LANEPOOL_UNSUPPORTED for valid params that this version has no kernel for. `plan` has axes.
int32_t CheckSupported(const lanepool_params& params, const Plan& plan, lanepool_error* error);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_VALIDATE_H_
