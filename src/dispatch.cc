#include "dispatch.h"

#include <atomic>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "hwy/targets.h"
#include "lanepool/lanepool.h"

namespace lanepool {
namespace {

// 0 until the first call. Detection always finds the same, so racing calls are harmless.
std::atomic<uint64_t> supported{0};

}  // namespace

uint64_t CompiledTargets() { return static_cast<uint64_t>(HWY_TARGETS); }

uint64_t SupportedTargets() {
  uint64_t targets = supported.load(std::memory_order_relaxed);
  if (targets == 0) {
    targets = static_cast<uint64_t>(hwy::SupportedTargets()) & CompiledTargets();
    supported.store(targets, std::memory_order_relaxed);
  }
  return targets;
}

uint64_t BestTarget(uint64_t mask) {
  const uint64_t targets = mask == 0 ? SupportedTargets() : SupportedTargets() & mask;
  return targets & (~targets + 1);  // Highway gives better targets lower bits
}

const char* TargetName(uint64_t target) {
  const bool one = target != 0 && (target & (target - 1)) == 0;
  if (!one || (target & CompiledTargets()) == 0) return "?";
  return hwy::TargetName(static_cast<int64_t>(target));
}

void FinishStreams() { hwy::FlushStream(); }

}  // namespace lanepool
