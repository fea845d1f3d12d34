// Params as an enemy would make them, out of the bytes of a fuzzer.
#ifndef LANEPOOL_FUZZ_HOSTILE_PARAMS_H_
#define LANEPOOL_FUZZ_HOSTILE_PARAMS_H_

#include "lanepool/lanepool.h"
#include "support/random.h"

namespace fuzz {

// Fields that are mostly plausible: codes that exist, small sizes; among them numbers at the ends
// of their types, anything at all, and reserved fields that are not 0.
lanepool_params HostileParams(support::Random* random);

}  // namespace fuzz

#endif  // LANEPOOL_FUZZ_HOSTILE_PARAMS_H_
