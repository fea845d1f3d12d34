// Exchanges and merges axes of a plan where that changes no result but the order of float
// additions.
#ifndef LANEPOOL_SRC_PLAN_AXES_H_
#define LANEPOOL_SRC_PLAN_AXES_H_

#include <stdint.h>

#include "axis.h"
#include "plan.h"

namespace lanepool {

// A stride that means nothing (one element) counts as contiguous.
inline bool Contiguous(int64_t size, int64_t stride, int64_t step) {
  return size == 1 || stride == step;
}

// Whether neighbours along D, H or W are neighbours in x and y.
bool LanesAlong(const Plan& plan, int spatial);

void SwapAxes(int a, int b, Plan* plan);

// Whether windows are single elements, none of which is left out.
bool AreElementsAlone(const Plan& plan);

bool CoveredByOneWindow(const Axis<int64_t>& axis);

// The only window of an axis, if it has all of the input and positions of pads besides, becomes as
// long as the input: where no divisor counts what it loses.
void TrimWindows(const lanepool_params& params, Plan* plan);

// The windows of an image that have whole rows of it become those of one long row, where images and
// planes have that one row then.
void FlattenRows(const lanepool_params& params, Plan* plan);

// A single row of positions of so many channels lies as if others followed it.
void LayRow(int64_t channels, Plan* plan);

// Where one window covers whole rows and the rows follow each other, they are one longer row.
void MergeCoveredRows(Plan* plan);

// Where windows are single elements, rows that follow each other are one longer row.
void MergeRowsAsTheyAre(Plan* plan);

// Planes of several images that follow each other in x and y are taken as one image's: no loop has
// few of them because an image has few.
void MergeImages(const lanepool_params& params, Plan* plan);

// Images whose pixels follow each other and have one window are taken as the windows of one row,
// channels being lanes.
void MergeImagesAlongW(const lanepool_params& params, Plan* plan);

// Images that have one row of windows each, or one window of short pixels, are taken as the rows of
// one image, channels being lanes.
void MergeImagesAlongH(const lanepool_params& params, Plan* plan);

// Windows that slide, but not along W, which has one output: the axis of the sliding and W exchange
// their parts, so that what neighbours share is folded once.
void SlideAlongW(Plan* plan);

// The same where W has a few outputs, hardly any of them with all taps: along H there are more.
void SlideAlongH(Plan* plan);

// Windows that are a column, one below the other, and do not slide: they become a row.
void TakeColumnAsRow(Plan* plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PLAN_AXES_H_
