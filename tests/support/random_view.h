// Random strides: crops, channel slices, padded rows, other orders of the axes, repeated axes.
#ifndef LANEPOOL_TESTS_SUPPORT_RANDOM_VIEW_H_
#define LANEPOOL_TESTS_SUPPORT_RANDOM_VIEW_H_

#include "../oracle/oracle.h"
#include "lanepool/lanepool.h"
#include "random.h"

namespace support {

enum class ViewOf { kX, kY };

// Sets x_strides or y_strides of `params` for the dense tensor `dense`; those of y never make two
// outputs overlap.
void RandomView(Random* random, const oracle::Tensor& dense, ViewOf which, lanepool_params* params);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RANDOM_VIEW_H_
