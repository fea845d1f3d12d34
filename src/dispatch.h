// CPU choice and forced instruction sets. Targets are Highway's bits, opaque to everyone else.
#ifndef LANEPOOL_SRC_DISPATCH_H_
#define LANEPOOL_SRC_DISPATCH_H_

#include <stdint.h>

#include <atomic>

namespace lanepool {

uint64_t CompiledTargets();
// Compiled in and supported by this CPU.
uint64_t SupportedTargets();
// The best supported target among `mask` (0: all); 0 if there is none.
uint64_t BestTarget(uint64_t mask);
// The best of those that are not as good as `target`; 0 if there is none.
uint64_t NextTarget(uint64_t mask, uint64_t target);
const char* TargetName(uint64_t target);

// Whether this CPU is one of Intel's, for which other walks through memory are faster: see
// docs/decisions/0040. Every result is the same.
#if defined(__x86_64__) || defined(__i386__)
enum class Intel : uint8_t { kNotAsked, kNo, kYes };
// Kept: to ask takes long in a virtual machine. The answer is always the same, so racing calls are
// harmless.
extern std::atomic<Intel> intel;
Intel AskForIntel();
inline bool IsIntel() {
  const Intel answer = intel.load(std::memory_order_relaxed);
  return (answer == Intel::kNotAsked ? AskForIntel() : answer) == Intel::kYes;
}
#else
inline bool IsIntel() { return false; }
#endif

// Stores that went past the caches are done before those that follow, on all CPUs.
void FinishStreams();

}  // namespace lanepool

#endif  // LANEPOOL_SRC_DISPATCH_H_
