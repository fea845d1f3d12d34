// From work items to jobs: integers and pointers only. No allocation, no state, no vectors.
#ifndef LANEPOOL_SRC_RUNNER_H_
#define LANEPOOL_SRC_RUNNER_H_

#include <stdint.h>

#include "desc.h"

namespace lanepool {

// Checked buffers of a call.
struct CallBuffers {
  const void* x;
  void* y;
  void* index;        // or null
  void* workspace;    // WorkspaceBytes bytes of any alignment; null when that is 0
  const void* table;  // of per-channel quantization, or null
  int64_t x_bytes, y_bytes;
};

// Work items [begin, end) of a valid plan, on one Highway target bit that is supported.
// LANEPOOL_INDEX for a wrong index of MAX_UNPOOL; nothing is written then.
int32_t RunItems(const Sealed& sealed, int64_t target, const CallBuffers& buffers, int64_t begin,
                 int64_t end);

// The same for Loop::kScatter.
int32_t ScatterItems(const Sealed& sealed, const CallBuffers& buffers, int64_t begin, int64_t end);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_H_
