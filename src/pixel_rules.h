// Which windows of pixels, whose channels lie beside each other, are walked along rows whose lanes
// are positions times channels. Thresholds are measured.
#ifndef LANEPOOL_SRC_PIXEL_RULES_H_
#define LANEPOOL_SRC_PIXEL_RULES_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// Outputs along W of which there are many.
constexpr int64_t kManyPixels = 8;

// Whether windows are followed by as many positions as they step, so that columns fill vectors.
bool AreFollowed(const Axis<int64_t>& w);

// Whether PixelWindows has room for such windows of pixels of `group` channels.
bool HasPixelsLoop(const lanepool_params& params, const Plan& plan, int64_t group);

// Whether windows of pixels of `group` channels step by more than 1 and go to PixelWindows, or to
// PixelsByTwo, which is faster for short rows too.
bool PixelsStep(const lanepool_params& params, const Plan& plan, int64_t group);

// The same of rows that nothing else has a loop for: shorter ones, in so few images that there is
// no batch of them. Averages may ask for the batch here: Loop::kRows adds in the same order.
bool PixelsStepAlone(const lanepool_params& params, const Plan& plan, int64_t group);

// NHWC tensors with fewer bytes per pixel than this are walked along flattened rows: of most jobs
// kNarrowPixelBytes.
constexpr int64_t kNarrowPixelBytes = 32;
int64_t NarrowBytes(const lanepool_params& params, const Plan& plan);

// Whether windows of pixels of less than NarrowBytes, or that would step, are better folded one by
// one, with channels as lanes: a window takes less than what rows prepare.
bool PrefersColumns(const lanepool_params& params, const Plan& plan);

// Whether images of one column are better taken as those of one row: not pixels that have one
// window, whose rows are those of all images, but the narrowest or wide ones.
bool PrefersColumnAsRow(const lanepool_params& params, const Plan& plan);

// Windows that are columns of many taps, channels being lanes: H is slid along as W is.
bool SlidesDownColumns(const lanepool_params& params, const Plan& plan);

// Whether the only windows of rows of narrow pixels stay rows, those of all images together, rather
// than slide along H.
bool KeepsRows(const lanepool_params& params, const Plan& plan);

// Whether pixels of more than a few channels, side by side in memory, are walked as rows of lanes
// all the same: they are no multiple of a vector, so that many vectors would cross cache lines or
// be taken in part, or rows or planes are short. To be asked once SlideAlongW has been called.
bool PrefersWholeRows(const lanepool_params& params, const Plan& plan);

// Whether windows of one column are better walked as rows of pixels, whose lanes need no channels
// to fill vectors. Measured.
bool PrefersRowsOfColumns(const lanepool_params& params, const Plan& plan);

// The same of windows that step by more than 1 along W. Pixels of less than NarrowBytes are walked
// as rows anyway, unless tiles would have few of them.
bool PrefersSteps(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PIXEL_RULES_H_
