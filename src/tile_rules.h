// Which averages of bytes are summed tile by tile along W, where their rows lie.
#ifndef LANEPOOL_SRC_TILE_RULES_H_
#define LANEPOOL_SRC_TILE_RULES_H_

#include <stdint.h>

#include "plan.h"

namespace lanepool {

// Of few taps that step by 1 along W, see TileSums. `group`: lanes of a position.
bool SumsInTiles(const Plan& plan, int64_t group);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_TILE_RULES_H_
