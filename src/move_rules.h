// Which jobs go by loops that move lanes to the outputs that they are taps of.
#ifndef LANEPOOL_SRC_MOVE_RULES_H_
#define LANEPOOL_SRC_MOVE_RULES_H_

#include "runner_context.h"

namespace lanepool {

// Axes of the plan along which rows follow each other and lanes do.
struct MovedAxes {
  int rows, lanes;
};
MovedAxes MovedAxesOf(const Context& context);

// Whether rows go by Kernels::packed: they are so short that several are best taken at a time.
bool PrefersPacks(const Context& context);

// Whether rows go by Kernels::moved.
bool PrefersMoves(const Context& context);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_MOVE_RULES_H_
