#include "dispatch.h"

#include <atomic>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "hwy/targets.h"
#include "lanepool/lanepool.h"

#if HWY_ARCH_X86 && HWY_COMPILER_GCC
#include <cpuid.h>
#endif

namespace lanepool {
namespace {

// 0 until the first call. Detection always finds the same, so racing calls are harmless.
std::atomic<uint64_t> supported{0};

uint64_t TargetsOfCpu() {
  uint64_t targets = supported.load(std::memory_order_relaxed);
  if (targets == 0) {
    targets = static_cast<uint64_t>(hwy::SupportedTargets());
    supported.store(targets, std::memory_order_relaxed);
  }
  return targets;
}

}  // namespace

uint64_t CompiledTargets() { return static_cast<uint64_t>(HWY_TARGETS); }

uint64_t SupportedTargets() { return TargetsOfCpu() & CompiledTargets(); }

uint64_t BestTarget(uint64_t mask) {
  const uint64_t targets = mask == 0 ? SupportedTargets() : SupportedTargets() & mask;
  return targets & (~targets + 1);  // Highway gives better targets lower bits
}

uint64_t NextTarget(uint64_t mask, uint64_t target) {
  const uint64_t worse = (mask == 0 ? SupportedTargets() : mask) & ~(target | (target - 1));
  return worse == 0 ? 0 : BestTarget(worse);
}

int64_t MovesTarget(int64_t target) {
#if HWY_ARCH_X86
  const bool knows_core = CoreOfCpu() != Core::kOther;
  if (target == HWY_AVX3 && knows_core && (TargetsOfCpu() & HWY_AVX3_DL) != 0) return HWY_AVX3_DL;
#endif
  return target;
}

int64_t PackBytes(int64_t target, int64_t lane_size) {
#if HWY_ARCH_X86
  // KernelsMoves has for AVX3 itself what it has for AVX2.
  const bool as_avx2 = target == HWY_AVX3 && lane_size == 1 && MovesTarget(target) == target;
  if (target == HWY_AVX2 || as_avx2) return 32;
#endif
  (void)target, (void)lane_size;
  return 64;
}

const char* TargetName(uint64_t target) {
  const bool one = target != 0 && (target & (target - 1)) == 0;
  if (!one || (target & CompiledTargets()) == 0) return "?";
  return hwy::TargetName(static_cast<int64_t>(target));
}

#if HWY_ARCH_X86
std::atomic<Core> core{Core::kNotAsked};

Core AskForCore() {
  Core answer = Core::kOther;
#if HWY_COMPILER_GCC
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) != 0) {
    const bool amd = b == signature_AMD_ebx;
    if (b == signature_INTEL_ebx) answer = Core::kIntel;
    // Both parts of the family, 0x19 and 0x1A; later ones are taken to be like the latest.
    constexpr unsigned kFamily = 0xFF00F00, kZen4 = 0xA00F00, kZen5 = 0xB00F00;
    if (amd && __get_cpuid(1, &a, &b, &c, &d) != 0) {
      if ((a & kFamily) == kZen4) answer = Core::kZen4;
      if ((a & kFamily) >= kZen5) answer = Core::kZen5;
    }
  }
#endif
  core.store(answer, std::memory_order_relaxed);
  return answer;
}
#endif

void FinishStreams() { hwy::FlushStream(); }

}  // namespace lanepool
