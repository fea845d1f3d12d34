// Random strides: crops, channel slices, padded rows, other orders of the axes, repeated axes.
#ifndef LANEPOOL_TESTS_SUPPORT_RANDOM_VIEW_H_
#define LANEPOOL_TESTS_SUPPORT_RANDOM_VIEW_H_

#include "../oracle/oracle.h"
#include "lanepool/lanepool.h"
#include "random.h"

namespace support {

enum class ViewOf { kX, kY, kIndex };

// Sets the strides of one tensor of `params`, which is `dense` now; only those of x ever make two
// elements overlap.
void RandomView(Random* random, const oracle::Tensor& dense, ViewOf which, lanepool_params* params);

// The same of x and y, each in so many of a hundred cases. The shape must resolve.
void RandomViews(Random* random, int x_percent, int y_percent, lanepool_params* params);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RANDOM_VIEW_H_
