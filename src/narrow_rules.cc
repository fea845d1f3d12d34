#include "narrow_rules.h"

#include <stdint.h>

#include "axis.h"
#include "kernel_table.h"
#include "plan.h"
#include "types.h"

namespace lanepool {
namespace {

constexpr int64_t kLongest = 64;  // bytes of a vector: those half as long are there too
constexpr int64_t kHalf = kLongest / 2, kTwoAndHalf = 5 * kHalf;
// All measured. Outputs of a plane and of a row of windows in blocks, and rows of them.
constexpr int64_t kBlocksPlane = 18, kBlocksPlaneOfSums = 238, kBlocksRowOfSums = 12;
constexpr int64_t kBlocksRows = 5, kLongRowApart = 64;
// Maxima of bytes: taps along W by two, or rows of outputs; taps by steps, channels, and those of
// long steps.
constexpr int64_t kTapsByTwo = 3, kRowsByTwo = 3;
constexpr int64_t kTapsBySteps = 3, kChannelsBySteps = 16, kLongStep = 4, kFewOfLongStep = 25;
constexpr int64_t kRowBySteps = 8;
// Taps of f64 that are many, and few along W.
constexpr int64_t kManyTaps = 12, kFewTapsOfRow = 2;
// Outputs of short rows of averages of halves.
constexpr int64_t kShortRow = 5, kShortRowEnd = 8;

// Sums of bytes have lanes of their own.
bool AreSumsOfBytes(const Context& context) { return context.x_size == 1 && context.lane_size > 1; }
bool AreMaximaOfBytes(const Context& context) {
  return context.x_size == 1 && context.lane_size == 1;
}
bool AreMeansOfHalves(const Context& context) {
  return context.x_size == 2 && context.lane_size == 4;
}

bool FoldsNarrowColumns(const Context& context, int64_t bytes) {
  const Axis<int64_t>& h = context.plan.axes[1];
  const Axis<int64_t>& w = context.plan.axes[2];
  if (bytes == kHalf) return !AreSumsOfBytes(context) && w.stride <= w.kernel;
  // Two vectors and a half are folded one by one, where four shorter ones go together.
  if (context.lane_size != 8 || bytes != kTwoAndHalf) return false;
  return w.kernel <= kFewTapsOfRow || w.kernel >= kManyTaps || h.kernel >= kManyTaps ||
         h.kernel * w.kernel >= kManyTaps;
}

bool FoldsNarrowBlocks(const Context& context, int64_t bytes) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (plan.strategy.planes != kChannelLanes || bytes != kHalf) return false;
  if (AreMaximaOfBytes(context)) return h.output >= kBlocksRows;
  if (context.lane_size != 4) return false;
  const auto has = [&](int64_t outputs) { return h.output >= (outputs - 1) / w.output + 1; };
  if (IsExtreme(context.params.op)) return has(kBlocksPlane);
  if (w.dilation > 1 && w.output <= kLongRowApart) return false;
  return w.output >= kBlocksRowOfSums || has(kBlocksPlaneOfSums);
}

// Pixels of about half a vector.
bool AreNarrowPixels(const Context& context) {
  const Plan& plan = context.plan;
  const int64_t channels = context.params.channels;
  if (plan.x_stride[kC] != 1 || context.y_stride[kC] != 1) return false;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t bytes = channels * context.lane_size;
  const bool of_bytes =
      AreMaximaOfBytes(context) && bytes <= kHalf && plan.strategy.group == channels;
  switch (plan.strategy.loop) {
    case Loop::kColumns:
      return FoldsNarrowColumns(context, bytes);
    case Loop::kBlocks:
      return FoldsNarrowBlocks(context, bytes);
    case Loop::kByTwo:
      return of_bytes && 2 * bytes > kHalf && (w.kernel <= kTapsByTwo || h.output >= kRowsByTwo);
    case Loop::kBySteps:
      return of_bytes && channels >= kChannelsBySteps && h.kernel <= kTapsBySteps &&
             w.kernel <= kTapsBySteps && w.input >= kRowBySteps &&
             (w.stride < kLongStep || channels <= kFewOfLongStep);
    default:
      return false;
  }
}

// Rows of about half a vector, windows that step by one.
bool AreNarrowRows(const Context& context) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (plan.strategy.loop != Loop::kPlanes || plan.strategy.group > 1) return false;
  if (w.stride != 1 || w.dilation != 1 || w.kernel == 1 || plan.axes[0].kernel > 1) return false;
  if (AreMeansOfHalves(context)) return w.output >= kShortRow && w.output <= kShortRowEnd;
  return AreMaximaOfBytes(context) && w.input == kHalf && w.output == kHalf && h.kernel == 3 &&
         w.kernel == 3 && h.stride == 1;
}

}  // namespace

bool IsNarrow(const Context& context) {
  const Kernels* const kernels = context.kernels;
  if (kernels == nullptr || kernels->ring == nullptr) return false;
  if (kernels->ring_lanes * context.lane_size != kLongest) return false;
  return HasNarrowRing(context) || AreNarrowPixels(context) || AreNarrowRows(context);
}

}  // namespace lanepool
