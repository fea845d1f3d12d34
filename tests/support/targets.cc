#include "targets.h"

#include <cstdio>
#include <cstdlib>

#include "lanepool/lanepool.h"

namespace support {

std::vector<Target> SupportedTargets() {
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  const bool only_best = std::getenv("LANEPOOL_ONLY_BEST") != nullptr;
  std::vector<Target> targets = {{best, lanepool_target_name(best)}};
  for (uint64_t bit = 1; bit != 0 && !only_best; bit <<= 1) {
    if ((supported & bit) != 0 && bit != best) targets.push_back({bit, lanepool_target_name(bit)});
  }
  if (best == 0 || (supported & best) == 0) {
    std::fprintf(stderr, "lanepool_targets names no instruction set to run\n");
    std::abort();
  }
  return targets;
}

}  // namespace support
