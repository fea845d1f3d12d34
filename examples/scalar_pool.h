// Pooling as one writes it without a library: the yardstick of the photograph example.
#ifndef LANEPOOL_EXAMPLES_SCALAR_POOL_H_
#define LANEPOOL_EXAMPLES_SCALAR_POOL_H_

#include "lanepool/lanepool.h"

// Average (padding not counted) or maximum of a dense 2-D f32 tensor of either layout. Sizes come
// from `params`, output size and pads from `desc`.
void ScalarPool(const lanepool_params& params, const lanepool_desc& desc, const float* x, float* y);

#endif  // LANEPOOL_EXAMPLES_SCALAR_POOL_H_
