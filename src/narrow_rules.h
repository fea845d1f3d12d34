// Which jobs are faster with vectors half as long as the longest.
#ifndef LANEPOOL_SRC_NARROW_RULES_H_
#define LANEPOOL_SRC_NARROW_RULES_H_

#include "runner_context.h"

namespace lanepool {

// Whether the kernels of the next best target are. Every result is the same.
bool IsNarrow(const Context& context);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_NARROW_RULES_H_
