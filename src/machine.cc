#include "machine.h"

#if LANEPOOL_HAVE_CPUINFO
#include <cpuinfo.h>
#endif

namespace lanepool {
namespace {

// A small core of a phone, and what nearly every server has at least.
constexpr Machine kDefaults = {32 * 1024, 512 * 1024, 0, 1, false};

}  // namespace

Machine DetectMachine() {
  Machine machine = kDefaults;
#if LANEPOOL_HAVE_CPUINFO
  // cpuinfo keeps its own state and is safe to initialise from several threads.
  if (!cpuinfo_initialize()) return machine;
  const struct cpuinfo_cache* l1d = cpuinfo_get_l1d_caches();
  const struct cpuinfo_cache* l2 = cpuinfo_get_l2_caches();
  const struct cpuinfo_cache* l3 = cpuinfo_get_l3_caches();
  if (l1d != nullptr && cpuinfo_get_l1d_caches_count() > 0) machine.l1d_bytes = l1d[0].size;
  if (l2 != nullptr && cpuinfo_get_l2_caches_count() > 0) machine.l2_bytes = l2[0].size;
  if (l3 != nullptr && cpuinfo_get_l3_caches_count() > 0) machine.l3_bytes = l3[0].size;
  machine.cores = cpuinfo_get_cores_count();
  machine.detected = true;
#endif
  return machine;
}

}  // namespace lanepool
