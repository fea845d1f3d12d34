// Params as an enemy would make them, out of the bytes of a fuzzer.
#ifndef LANEPOOL_FUZZ_HOSTILE_PARAMS_H_
#define LANEPOOL_FUZZ_HOSTILE_PARAMS_H_

#include "lanepool/lanepool.h"
#include "support/random.h"

namespace fuzz {

// In as many bytes as a struct_size may claim.
struct HostileParams {
  // Fields that are mostly plausible: codes that exist, small sizes; among them numbers at the ends
  // of their types, anything at all, and reserved fields that are not 0.
  explicit HostileParams(support::Random* random);

  lanepool_params params;
  unsigned char behind[4096 - sizeof(lanepool_params)];  // mostly 0
};

}  // namespace fuzz

#endif  // LANEPOOL_FUZZ_HOSTILE_PARAMS_H_
