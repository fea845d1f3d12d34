// From the lanes of a stage to y.
#ifndef LANEPOOL_SRC_RUNNER_FINISH_H_
#define LANEPOOL_SRC_RUNNER_FINISH_H_

#include <stdint.h>

#include "runner_context.h"

namespace lanepool {

constexpr int64_t kStageLanes = 512;

// Taps of a window inside the input, and those that count in its divisor.
struct WindowSize {
  int64_t taps, counted;
};

// Lanes of a stage that come from windows of one size.
struct StagedLanes {
  const void* from;
  char* y;
  int64_t y_step;   // elements
  int64_t lanes;    // at most kStageLanes
  int64_t channel;  // of the first lane
  bool lanes_are_channels;
  WindowSize size;  // taps > 0
};

class Finisher {
 public:
  explicit Finisher(const StagedCall& call);

  // From u32 sums, maxima in bytes, or f32, as the plan says.
  void Finish(const StagedLanes& lanes);
  // From u64 sums.
  void FinishWide(const StagedLanes& lanes);

 private:
  void SumsToBytes(const StagedLanes& lanes, const uint32_t* sums, uint8_t* to);
  void SumsToFloats(const StagedLanes& lanes, const uint32_t* sums, float* to);
  void FloatsToBytes(const StagedLanes& lanes, const float* from, uint8_t* to);
  // One by one, where there is no formula.
  void CountSteps(const StagedLanes& lanes, const uint32_t* sums, uint8_t* to);

  // Whether a lane is quantized like the next one.
  bool PerLane(const StagedLanes& lanes) const;
  WindowKey Key(const StagedLanes& lanes) const;
  RequantRule Rule(const StagedLanes& lanes, int64_t lane) const;
  // Of the tensor, or of the channel of the first lane where channels have their own.
  Requant RequantOfLanes(const StagedLanes& lanes, int32_t key) const;
  void Write(const StagedLanes& lanes, const void* from) const;

  const Context& context_;
  const ChannelTable& table_;
  const FinishKernels& kernels_;
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_FINISH_H_
