// Which windows have so few taps along an axis that each is better folded by itself than in blocks,
// which share them: docs/decisions/0068-windows-along-one-row.md.
#ifndef LANEPOOL_SRC_DIRECT_RULES_H_
#define LANEPOOL_SRC_DIRECT_RULES_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Floats of so many bytes whose sums are theirs, not those of terms.
bool AreSums(const lanepool_params& params, const Plan& plan, int64_t bytes);
// Elements of so many bytes that are compared by loops of many types.
bool AreMaxima(const lanepool_params& params, int64_t bytes);

// Whether windows of `taps` along an axis have so few of them, in so few rows, that pixels of few
// channels are better not transposed.
bool HasFewTaps(const lanepool_params& params, const Plan& plan, int64_t taps);

// Whether rows of taps lie so far apart that windows over planes have one or two in the input, and
// too few along W to share.
bool AreRowsFarApart(const lanepool_params& params, const Plan& plan);

// Of windows along one row, by the distance of those of a phase, see PhasesOf.
bool IsDirectRow(const lanepool_params& params, const Plan& plan, bool channel_lanes, int64_t taps,
                 int64_t stride);

// Taps from which on sharing is faster, docs/decisions/0079-where-blocks-begin.md. Of maxima and of
// other sums than those of bytes, with channels last.
int64_t DirectMaxima(const lanepool_params& params, const Plan& plan, int64_t stride);
int64_t DirectSums(const lanepool_params& params, const Plan& plan, int64_t stride);
// Of many planes.
int64_t DirectOfPlanes(const lanepool_params& params, const Plan& plan, int64_t stride);
// Of few planes, and of pixels of a few channels.
int64_t DirectOfFewPlanes(const lanepool_params& params, const Plan& plan, int64_t stride);
int64_t DirectOfPixels(const lanepool_params& params, const Plan& plan, int64_t stride);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_DIRECT_RULES_H_
