// What windows along two axes cost each by itself and in blocks, which share their taps:
// docs/decisions/0079-where-blocks-begin.md.
#ifndef LANEPOOL_SRC_COST_RULES_H_
#define LANEPOOL_SRC_COST_RULES_H_

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// What the lanes of blocks are: positions of a plane, those of small planes that become channels
// (see TurnsPlanes), or channels.
enum class LaneKind { kPositions, kTurned, kChannels };

// Whether they are clearly cheaper alone, as far as that was measured: not windows of few taps, or
// along one axis, or of rare types.
bool AreCheaperAlone(const lanepool_params& params, const Plan& plan, LaneKind lanes);

// Whether they are averages of so many bytes that sums of 16 bits do not hold them, in pixels of a
// few channels, and share nothing: as blocks of one window each, whose rows are summed first, they
// take half as long.
bool AreLongSums(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_COST_RULES_H_
