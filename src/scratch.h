// What a call keeps in the caller's workspace: scratch of the loop, and behind it that of a stage.
// Nothing large lies on the stack. Sizes follow from the plan, never from the CPU.
#ifndef LANEPOOL_SRC_SCRATCH_H_
#define LANEPOOL_SRC_SCRATCH_H_

#include <stdint.h>

#include "kernel_table.h"
#include "lanepool/lanepool.h"
#include "plan.h"
#include "requant.h"

namespace lanepool {

// Accumulators of scratch rows, of 4 bytes, unless windows want more.
constexpr int64_t kUsualLanes = 2048;
constexpr int64_t kUsualBytes = (kUsualLanes + kScratchSlack) * 4;
// The same of 4 or 8 bytes.
constexpr int64_t UsualLanes(int64_t lane_bytes) {
  return kUsualBytes / lane_bytes - kScratchSlack;
}

// Lanes that are finished from a stage together at most.
constexpr int64_t kStageLanes = 512;

struct alignas(kBlockLineBytes) StageScratch {
  union Extents {
    double doubles[kStageLanes / 2];
    float floats[kStageLanes / 2];
  };
  uint64_t stage[kStageLanes];    // Loop::kBlocks has a stage of its own
  uint64_t results[kStageLanes];  // that do not lie side by side in y
  uint32_t wide[kStageLanes];     // maxima of bytes, or means before they are quantized
  Extents taps, counted;          // along W
  uint64_t steps[kMostSteps];     // see StepCounter
};

// Strategy::scratch_bytes for rows of ((tile - 1) * stride + reach) * group lanes. False if they
// would leave 64 bits.
bool RowScratch(int64_t tile, int64_t stride, int64_t reach, int64_t group, int64_t lane_bytes,
                int64_t* bytes);

// Bytes of the workspace, of any alignment. False if they would leave 64 bits.
bool WorkspaceBytes(const lanepool_params& params, const Plan& plan, int64_t* bytes);

// The parts of it, aligned to kBlockLineBytes.
char* LoopScratch(void* workspace);
StageScratch* StageScratchOf(const Plan& plan, void* workspace);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_SCRATCH_H_
