#include "cost_rules.h"

#include <stdint.h>

#include "axis.h"
#include "compiled_in.h"
#include "direct_rules.h"
#include "kernel_rules.h"
#include "plan_axes.h"
#include "plane_rules.h"
#include "quantization.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Taps along both axes of windows whose limits are in direct_rules.cc and block_rules.cc, and along
// either of those that are always shared.
constexpr int64_t kFewTaps = 5, kManyTaps = 32;
// Bytes of channels, and of a row, at least: less does not fill vectors.
constexpr int64_t kFewestOfChannels = 64, kFewestOfRow = 32;
// What costs are counted in: so many are what a tap takes. Sixteenths.
constexpr int64_t kTap = 16;
// The part of a cost that numbers like these are wrong by.
constexpr int64_t kDoubt = 5;
// Channels of averages whose sums are long, see AreLongSums. Measured.
constexpr int64_t kFewestSummed = 4, kMostSummed = 24;
// Numbers that have room for products of costs.
constexpr int64_t kRoom = int64_t{1} << 36;

// An axis, for each of its outputs, in sixteenths.
struct PerOutput {
  int64_t taps;       // that are there
  int64_t positions;  // that have one
};

PerOutput PerOutputOf(const Axis64& axis) {
  const int64_t outputs = axis.output, edges = outputs - (axis.interior_end - axis.lead);
  // Windows at the edges lack fewer and fewer taps: half of what the first one does.
  const int64_t lacks = axis.kernel - ClipWindow(axis, int64_t{0}).taps;
  const int64_t most = kTap * lacks / (outputs == 1 ? 1 : 2);
  const int64_t mean = edges < kRoom ? edges * most / outputs : most;
  const int64_t begin = WindowStart(axis, int64_t{0}), last = WindowStart(axis, outputs - 1);
  const int64_t behind = last + EffectiveKernel(axis);
  const int64_t end = behind < axis.input ? behind : axis.input;
  const int64_t positions = end - (begin > 0 ? begin : 0);
  const int64_t scale = 1 + positions / kRoom;
  const int64_t some = outputs < scale ? 1 : outputs / scale;
  return {kTap * axis.kernel - mean, kTap * (positions / scale) / some};
}

// What is dearer than a tap along H, in taps: a tap along W; in blocks a column, a column of a
// plane's only row of outputs, less where there are more, and an output. Fitted, see the note.
struct Costs {
  int8_t tap_w, column, lone_column, output;
};
enum Kind { kBytes, kShorts, kFloats, kDoubles, kKinds };

// Rows are as LaneKind: positions, turned, channels.
constexpr Costs kSums[3][kKinds] = {
    {{2, 8, 60, 6}, {2, 4, 60, 12}, {2, 8, 30, 12}, {2, 4, 60, 40}},
    {{1, 0, 10, 8}, {1, 1, 10, 8}, {2, 8, 20, 2}, {1, 3, 10, 25}},
    {{5, 10, 20, 2}, {5, 12, 5, 4}, {4, 10, 0, 12}, {2, 16, 20, 6}},
};
constexpr Costs kMaxima[3][kKinds] = {
    {{2, 8, 30, 6}, {1, 4, 60, 6}, {2, 4, 30, 16}, {3, 16, 60, 30}},
    {{1, 1, 10, 8}, {1, 2, 20, 2}, {1, 4, 10, 4}, {2, 12, 60, 16}},
    {{5, 12, 0, 6}, {4, 10, 10, 0}, {4, 10, 5, 4}, {3, 16, 60, 0}},
};

Kind KindOf(int64_t bytes) {
  return bytes == 1 ? kBytes : bytes == 2 ? kShorts : bytes == 4 ? kFloats : kDoubles;
}

// Null: not measured.
const Costs* CostsOf(const lanepool_params& p, const Plan& plan, LaneKind lanes) {
  const int64_t bytes = ElementBytes(p.x_type);
  const int row = static_cast<int>(lanes);
  const Kind kind = KindOf(bytes);
  // Steps of three have loops that some instruction sets are slow in.
  const bool threes = lanes != LaneKind::kChannels && plan.axes[2].stride == 3;
  if (IsExtreme(p.op)) {
    return AreMaxima(p, bytes) && !(threes && bytes <= 2) ? &kMaxima[row][kind] : nullptr;
  }
  const bool sums = bytes == 1 ? DividesMeans(p, plan) && !threes : AreSums(p, plan, bytes);
  return sums ? &kSums[row][kind] : nullptr;
}

}  // namespace

bool AreLongSums(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || !IsSumOfBytes(p) || IsPerChannel(p) || plan.axes[0].kernel > 1) return false;
  if (h.output == 1 || w.output == 1 || p.channels < kFewestSummed || p.channels > kMostSummed)
    return false;
  return KernelTaps(plan) > kMostTaps16 && h.dilation == 1 && w.dilation == 1 &&
         h.stride >= h.kernel && w.stride >= w.kernel;
}

bool AreCheaperAlone(const lanepool_params& p, const Plan& plan, LaneKind lanes) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || plan.axes[0].kernel > 1 || h.kernel == 1 || plan.strategy.group > 1) return false;
  if (h.kernel <= kFewTaps && w.kernel <= kFewTaps) return false;
  if (h.kernel >= kManyTaps || w.kernel >= kManyTaps) return false;
  const int64_t lane = lanes == LaneKind::kChannels ? p.channels : w.input;
  const int64_t least = lanes == LaneKind::kChannels ? kFewestOfChannels : kFewestOfRow;
  if (lane * ElementBytes(p.x_type) < least) return false;
  if (lanes != LaneKind::kChannels && w.output == 1) return false;
  const Costs* const costs = CostsOf(p, plan, lanes);
  if (costs == nullptr) return false;
  const PerOutput along_h = PerOutputOf(h), along_w = PerOutputOf(w);
  // An output takes this many columns, which are folded along H.
  const int64_t columns = along_w.positions;
  const int64_t alone = along_h.taps * columns + costs->tap_w * kTap * along_w.taps;
  const int64_t column =
      along_h.positions + kTap * costs->column + kTap * costs->lone_column / h.output;
  const int64_t blocks = column * columns + kTap * kTap * costs->output;
  return alone < blocks - blocks / kDoubt;
}

}  // namespace lanepool
