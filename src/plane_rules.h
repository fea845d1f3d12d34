// Which loop walks rows whose lanes are positions along W. Thresholds are measured.
#ifndef LANEPOOL_SRC_PLANE_RULES_H_
#define LANEPOOL_SRC_PLANE_RULES_H_

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Loop::kPlanes, kByTwo or kBySteps, which need no scratch, if there is a loop for these windows;
// else kRows. Not for sums that are staged nor for requantizations per channel.
Loop LoopOfRows(const lanepool_params& params, const Plan& plan);

// Whether these are averages of bytes of four or five taps along W that LoopOfRows has a fast loop
// for.
bool AreFlatRows(const lanepool_params& params, const Plan& plan);

// Whether these are averages of bytes in windows of at most five taps along H and W that have all
// their taps along W, and rows that LoopOfRows has a loop for.
bool AreWholeFlatRows(const lanepool_params& params, const Plan& plan);

// Bytes of the shortest vector that there is.
constexpr int64_t kShortestVector = 16;

// Taps along each axis of planes of bytes that are walked as one row, at most.
constexpr int64_t kFlatTaps = 5;

// Whether windows of two to five taps along W reach so little beyond their rows that FlatRows takes
// long ones.
bool AreNearTaps(const Axis<int64_t>& w);

// Whether the only row of a plane is fast as it lies, of a few taps along W: it is long, or has few
// windows that reach beyond it.
bool IsLoneRow(const lanepool_params& params, const Plan& plan);

// Whether averages of bytes of two by two taps, side by side in short rows, have a loop that takes
// several rows at a time as they lie.
bool AreRowsOfPairs(const Plan& plan);

// Whether these are windows of six or seven taps along H and W that LoopOfRows has a loop for: f32,
// and maxima of bytes.
bool SlidesManyTaps(const lanepool_params& params, const Plan& plan);

// Maxima for which few loops are built.
bool IsRareMaximum(const lanepool_params& params);
bool IsSumOfBytes(const lanepool_params& params);
// Averages of bytes of one row of four taps and more that step by 2, see PlanesOfSumsByTwo.
bool SumsManyByTwo(const lanepool_params& params, const Plan& plan);

// Whether positions along W, or groups of channels, follow each other, and no window is empty.
bool AreWholeRows(const Plan& plan, int64_t group);

// Windows that step by 1 along W, or pixels of a group of channels, and are walked without scratch.
// Each row is read once per tap along W; along H the partial folds of a few taps slide in
// registers.
bool SmallWindows(const lanepool_params& params, const Plan& plan, int64_t group);

// Whether all windows are whole, and there is a loop for such jobs.
bool HasWholeWindows(const lanepool_params& params, const Plan& plan);

// Whether the loops that LoopOfRows has take few rows of a plane at a time. Strips of a vector, or
// of some, that go down many rows which lie pages apart, are read and written piece by piece: no
// hardware follows, and memory takes twice as long.
bool WalksFewRows(const lanepool_params& params, const Plan& plan);

// Whether rows of so many elements of `bytes` lie whole pages apart, or all but that.
bool AreRowsPagesApart(int64_t row, int64_t bytes);

// How many rows of outputs of a plane are walked at a time where rows lie whole pages apart, or
// halves: all lines of a strip share one set of the first cache, or two. kAllRows elsewhere.
constexpr int64_t kAllRows = INT64_MAX / 2;
int64_t RowsPagesApart(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PLANE_RULES_H_
