// Which rows go by Kernels::packed where its vectors have 32 bytes: moves take several instructions
// there, so that loops of whole rows are faster more often.
#ifndef LANEPOOL_SRC_SMALL_PACK_RULES_H_
#define LANEPOOL_SRC_SMALL_PACK_RULES_H_

#include "kernel_moves.h"
#include "move_rules.h"
#include "runner_context.h"

namespace lanepool {

// Whether packs of rows along these axes may be faster than the loop of the plan: cheap, as most
// jobs end here.
bool MaySmallPacksPay(const Context& context, MovedAxes axes);

// Whether they are, of those that may.
bool IsSlowerThanSmallPacks(const Context& context, MovedAxes axes, const Packs& packs);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_SMALL_PACK_RULES_H_
