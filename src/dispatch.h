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
// What KernelsMoves has for `target`: another one for the best, if this CPU moves bytes so, which
// an unknown one is not asked for.
int64_t MovesTarget(int64_t target);
// Bytes of the vectors that packs of short rows have on `target`, if there are any, of lanes of so
// many bytes.
int64_t PackBytes(int64_t target, int64_t lane_size);

// Whose core this is, as far as other walks through memory are faster on it: see
// docs/decisions/0040. Every result is the same. kZen4: AMD's Zen 3 and 4; kZen5: Zen 5 and
// later.
enum class Core : uint8_t { kNotAsked, kOther, kIntel, kZen4, kZen5 };
#if defined(__x86_64__) || defined(__i386__)
// Kept: to ask takes long in a virtual machine. The answer is always the same, so racing calls are
// harmless.
extern std::atomic<Core> core;
Core AskForCore();
inline Core CoreOfCpu() {
  const Core answer = core.load(std::memory_order_relaxed);
  return answer == Core::kNotAsked ? AskForCore() : answer;
}
#else
inline Core CoreOfCpu() { return Core::kOther; }
#endif
inline bool IsIntel() { return CoreOfCpu() == Core::kIntel; }
// Whether large windows that share no work are faster in registers, see WindowJob.
inline bool PrefersRegisters() { return CoreOfCpu() == Core::kIntel || CoreOfCpu() == Core::kZen4; }
// Whether such windows of large inputs are read by lines, see WindowJob.
inline bool ReadsByLines() { return CoreOfCpu() == Core::kZen4; }
// Whether long pixels are read four vectors at a time, see WindowJob.
inline bool ReadsByFours() { return CoreOfCpu() == Core::kZen5; }

// Stores that went past the caches are done before those that follow, on all CPUs.
void FinishStreams();

}  // namespace lanepool

#endif  // LANEPOOL_SRC_DISPATCH_H_
