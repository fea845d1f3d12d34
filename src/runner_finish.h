// From the lanes of a stage to y.
#ifndef LANEPOOL_SRC_RUNNER_FINISH_H_
#define LANEPOOL_SRC_RUNNER_FINISH_H_

#include <stdint.h>

#include "runner_context.h"
#include "scratch.h"

namespace lanepool {

// Taps of a window inside the input, and those that count in its divisor.
struct WindowSize {
  int64_t taps, counted;
};

// Rows of lanes of a stage, all from windows of one size. Steps in elements.
struct StagedLanes {
  const void* from;
  const void* counts;  // beside the sums, of terms that are not NaN; or null
  char* y;
  int64_t lanes, rows;  // together at most kStageLanes
  int64_t from_row_step;
  int64_t y_step, y_row_step;
  int64_t channel;          // of the first lane
  bool lanes_are_channels;  // else they are all of that channel, or channels are alike
  WindowSize size;          // taps > 0
  // Where lanes differ along W; then `size` is their common factor.
  LaneExtents extents = {nullptr, nullptr};
  const float* taps = nullptr;  // the same for quotients
  const float* counted = nullptr;
};

// The steps of one requantization, for those without a formula.
class StepCounter {
 public:
  explicit StepCounter(uint64_t (&steps)[kMostSteps]) : steps_(steps) {}

  // Makes the steps of `rule` unless they are there: `channel` and `key` identify it.
  void Prepare(const RequantRule& rule, int64_t channel, const WindowKey& key);

  // The result for a sum, as unsigned byte.
  int32_t operator()(uint64_t sum) const;

 private:
  int64_t channel_ = -1;  // none yet
  WindowKey key_ = {};
  int32_t y_least_ = 0;
  int32_t count_ = 0;
  uint64_t (&steps_)[kMostSteps];
};

class Finisher {
 public:
  explicit Finisher(const StagedCall& call);

  // From u32 sums, maxima in bytes, or f32, as the plan says.
  void Finish(const StagedLanes& lanes);
  // From u64 sums.
  void FinishWide(const StagedLanes& lanes);

 private:
  // Where a kernel finds the lanes, and where it puts results.
  struct Places {
    const void* from;
    int64_t from_step;
    void* to;
    int64_t to_step;
  };
  FinishJob JobOf(const StagedLanes& lanes, const Places& places) const;
  void SumsToBytes(const StagedLanes& lanes, const Places& places);
  void Quotients(const StagedLanes& lanes, const Places& places) const;
  void SumsToFloats(const StagedLanes& lanes, const Places& places) const;
  void SumsToShorts(const StagedLanes& lanes, const Places& places) const;
  void MeansOfTerms(const StagedLanes& lanes, const Places& places) const;
  void FloatsToBytes(const StagedLanes& lanes, const Places& places) const;
  // The lanes from `begin` to `end`, one by one, where there is no formula.
  void CountSteps(const StagedLanes& lanes, const Places& places, int64_t begin, int64_t end);

  // Whether a lane is quantized otherwise than the next one.
  bool PerLane(const StagedLanes& lanes) const;
  WindowKey Key(const StagedLanes& lanes) const;
  RequantRule Rule(const StagedLanes& lanes, int64_t lane) const;
  // Of the tensor, or of the channel of the first lane where channels have their own.
  Requant RequantOfLanes(const StagedLanes& lanes, int32_t key) const;

  const Context& context_;
  const ChannelTable& table_;
  const FinishKernels& kernels_;
  StageScratch& scratch_;
  const bool takes_quotients_;
  StepCounter steps_;
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_FINISH_H_
