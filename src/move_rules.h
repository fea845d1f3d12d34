// Which jobs go by loops that move lanes to the outputs that they are taps of.
#ifndef LANEPOOL_SRC_MOVE_RULES_H_
#define LANEPOOL_SRC_MOVE_RULES_H_

#include <stdint.h>

#include "plan.h"
#include "runner_context.h"

namespace lanepool {

// Axes of the plan along which rows follow each other and lanes do.
struct MovedAxes {
  int rows, lanes;
};

// Whether blocks, where planes are channels, leave a quarter of their vectors' lanes empty.
bool LeavesChannels(int64_t planes);

// Whether blocks of maxima of 16 bits have so many rows of taps in common, or so few outputs along
// W, that to move lanes takes longer: on AMD's Zen 4, which loads one whole vector at a time.
bool SharesManyRows(const Context& context);

// Whether lanes along these axes can be moved at all. `formula_taps`: along an axis at most, where
// results are formulas of several kinds of windows.
bool CanMove(const Context& context, MovedAxes axes, int64_t formula_taps);

// Whether rows go by Kernels::moved.
bool PrefersMoves(const Context& context);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_MOVE_RULES_H_
