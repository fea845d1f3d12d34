// From work items to jobs: integers and pointers only. No allocation, no state, no vectors.
#ifndef LANEPOOL_SRC_RUNNER_H_
#define LANEPOOL_SRC_RUNNER_H_

#include <stdint.h>

#include "desc.h"
#include "kernel_table.h"

namespace lanepool {

// Work items [begin, end) of a valid plan. Buffers are checked; `workspace` has plan.strategy.
// scratch_bytes bytes of any alignment, and may be null when that is 0.
void RunItems(const Sealed& sealed, const KernelTable& kernels, const void* x, void* y,
              void* workspace, int64_t begin, int64_t end);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_H_
