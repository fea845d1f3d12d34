#include "scratch.h"

#include "quantization.h"

namespace lanepool {
namespace {

constexpr int64_t kStageBytes = sizeof(StageScratch);

// Of the loop, in whole lines.
bool LineBytes(int64_t bytes, int64_t* lines) {
  if (__builtin_add_overflow(bytes, kBlockLineBytes - 1, lines)) return false;
  *lines -= *lines % kBlockLineBytes;
  return true;
}

// Also where the plan has no stage, a channel may have no formula, see RunItems.
bool HasStage(const lanepool_params& p, const Plan& plan) {
  const Loop loop = plan.strategy.loop;
  if (loop == Loop::kNothing || loop == Loop::kScatter) return false;
  return plan.quantization.stage != Stage::kNone || IsPerChannel(p);
}

}  // namespace

bool RowScratch(int64_t tile, int64_t stride, int64_t reach, int64_t group, int64_t lane_bytes,
                int64_t* bytes) {
  const int64_t slack_bytes = kScratchSlack * lane_bytes;  // for vectors that read behind a row
  return !__builtin_mul_overflow(tile - 1, stride, bytes) &&
         !__builtin_add_overflow(*bytes, reach, bytes) &&
         !__builtin_mul_overflow(*bytes, group * lane_bytes, bytes) &&
         !__builtin_add_overflow(*bytes, slack_bytes, bytes);
}

bool WorkspaceBytes(const lanepool_params& p, const Plan& plan, int64_t* bytes) {
  *bytes = 0;
  const int64_t of_loop = plan.strategy.scratch_bytes;
  const int64_t of_stage = HasStage(p, plan) ? kStageBytes : 0;
  if (of_loop == 0 && of_stage == 0) return true;
  return LineBytes(of_loop, bytes) && !__builtin_add_overflow(*bytes, of_stage, bytes) &&
         !__builtin_add_overflow(*bytes, kBlockLineBytes - 1, bytes);  // to align what is given
}

char* LoopScratch(void* workspace) {
  const uintptr_t beyond = reinterpret_cast<uintptr_t>(workspace) % kBlockLineBytes;
  return static_cast<char*>(workspace) + (beyond == 0 ? 0 : kBlockLineBytes - beyond);
}

StageScratch* StageScratchOf(const Plan& plan, void* workspace) {
  int64_t of_loop = 0;
  LineBytes(plan.strategy.scratch_bytes, &of_loop);  // as planned: no overflow
  return reinterpret_cast<StageScratch*>(LoopScratch(workspace) + of_loop);
}

}  // namespace lanepool
