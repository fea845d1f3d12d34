// Averages of floats whose taps along W are added by levels, see LevelSumsJob: for which windows
// that is. Thresholds are measured.
#ifndef LANEPOOL_SRC_LEVEL_RULES_H_
#define LANEPOOL_SRC_LEVEL_RULES_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Of blocks whose lanes are positions: whether rows are not transposed. A part of the plan, as the
// order of additions is.
bool AddsByLevels(const lanepool_params& params, const Plan& plan);

// Whether that is faster than to slide along an axis, of stride 1, where windows have `taps` taps.
bool PrefersLevels(const lanepool_params& params, const Plan& plan, int64_t taps);

// Whether such rows, and those of maxima of bytes, are walked as long as they are and few at a
// time, because x and y fit no cache: so both are in the order of memory.
bool WalksWholeRows(const lanepool_params& params, const Plan& plan);

// Whether such rows of y are better written past the caches if they fit none: few of their lines
// are written in part.
bool StreamsRows(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_LEVEL_RULES_H_
