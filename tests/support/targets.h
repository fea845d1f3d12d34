// The instruction sets that this machine can run.
#ifndef LANEPOOL_TESTS_SUPPORT_TARGETS_H_
#define LANEPOOL_TESTS_SUPPORT_TARGETS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace support {

struct Target {
  uint64_t mask;
  std::string name;
};

// One entry for each, the best one first. Never empty. No other than the best if the environment
// has LANEPOOL_ONLY_BEST.
std::vector<Target> SupportedTargets();

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_TARGETS_H_
