// Maxima in short rows, of which ShortMaxima folds several at once.
#ifndef LANEPOOL_SRC_SHORT_ROWS_H_
#define LANEPOOL_SRC_SHORT_ROWS_H_

#include "axis.h"
#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Whether no window lacks more than its first tap, or its last one.
bool LacksOneTap(const Axis<int64_t>& axis);

// Whether these are maxima or minima of 3 x 3 bytes, or of 3 x 3 elements of 16 bits that step by
// 2, in rows that fit the shortest vector and planes that are not narrow: other loops are hardly
// ever faster for them, however small they are.
bool AreShortMaxima(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_SHORT_ROWS_H_
