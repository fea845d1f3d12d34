// CPU choice and forced instruction sets. Targets are Highway's bits, opaque to everyone else.
#ifndef LANEPOOL_SRC_DISPATCH_H_
#define LANEPOOL_SRC_DISPATCH_H_

#include <stdint.h>

namespace lanepool {

uint64_t CompiledTargets();
// Compiled in and supported by this CPU.
uint64_t SupportedTargets();
// The best supported target among `mask` (0: all); 0 if there is none.
uint64_t BestTarget(uint64_t mask);
const char* TargetName(uint64_t target);

// Stores that went past the caches are done before those that follow, on all CPUs.
void FinishStreams();

}  // namespace lanepool

#endif  // LANEPOOL_SRC_DISPATCH_H_
