#include "block_rules.h"

#include "blocks.h"
#include "compiled_in.h"
#include "cost_rules.h"
#include "direct_rules.h"
#include "kernel_table.h"
#include "level_rules.h"
#include "plan_axes.h"
#include "plane_rules.h"
#include "quantization.h"
#include "short_rows.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Effective kernels along W at most, and kernels along H: scratch stays small.
constexpr int64_t kMostReach = 4096;
// Bytes of lanes of a plane that become channels, at most, and of averages of bytes: 64 of those
// planes fit a second cache of 2 MiB.
constexpr int64_t kMostTurned = 8192, kMostTurnedMeans = 32768;
// Planes of bytes so far apart share one set of the first cache, or a few.
constexpr int64_t kPage = 4096, kQuarterPage = 1024;
// Rows of outputs that are summed along W first, at least; and of all planes, if they are short.
constexpr int64_t kSummedRows = 8, kFewSummedRows = 200;
// Lanes of averages of bytes that are turned together, at least a line.
constexpr int64_t kLanesTogether = 16;
// Channels of planes that fill lines of scratch as well as more would.
constexpr int64_t kManyTurned = 4096;
// Divisors are products of two numbers that f32 holds.
constexpr int64_t kMostFactor = int64_t{1} << 24;
// Channels of a pixel that are lanes enough, or channels of the pixels from one window to the next;
// and the latter of maxima of bytes. Measured.
constexpr int64_t kManyChannels = 8;
constexpr int64_t kManyLanes = 14;
constexpr int64_t kManyByteLanes = 20;
// Taps along W, outputs along each axis, and rows of f32 and of 16-bit types, from which on few
// rows of maxima are transposed. Measured.
constexpr int64_t kFewestShared = 4, kFewestOutputs = 14, kFewestRows = 32, kFewestRows16 = 192;
// Positions of a row up to which averages of bytes of three taps that step are better turned, if
// all windows are whole; and up to which windows that hardly share a tap are. Measured.
constexpr int64_t kLongestWhole = 20, kMeansTurned = 40;
// The same of sums of 16-bit types of two taps. Measured.
constexpr int64_t kLongestPairs = 7;
// The same of four and of five taps that step by 1, if planes have no more positions than its
// square. Measured.
constexpr int64_t kLongestOfFour = 25, kLongestOfFive = 30;
// Positions of a row up to which maxima that step by 1 are better turned with the planes of all
// images, of bytes with few taps and others. Measured.
constexpr int64_t kFewTapsRow = 12, kManyTapsRow = 40;
// Outputs of a row below which maxima of bytes that slide along H are better turned. Measured.
constexpr int64_t kTurnedSlid = 24;
// Taps of maxima of bytes, and outputs of a row of more of them, up to which they are transposed.
constexpr int64_t kFewDoubled = 16;
constexpr int64_t kTurnedDoubled = 128;
// Positions of planes that other loops take together, and of rows that are very short or long.
constexpr int64_t kTinyPlane = 9, kShortestRow = 3, kLongRow = 32;  // measured
// Windows of so many taps are as well not shared where sharing costs more than usual. Measured.
constexpr int64_t kFewTaps = 16;
// Rows times taps of averages of bytes up to which transposing the rows does not pay. Measured.
constexpr int64_t kMostRowTaps = 2560;
// Positions of a row, and channels of a pixel, from which on averages of bytes are shared.
// Measured.
constexpr int64_t kMeansRow = 20, kMeansLongRow = 40, kMeansGroup = 16;
// Lanes of rows of averages of bytes that fill vectors, and rows of groups of few channels that do.
constexpr int64_t kMeansLanes = 80, kMeansRows = 24;
// Rows of windows from which on they have a ring, and outputs of a row, see SlidesHalves. Measured.
constexpr int64_t kRingRows = 5, kSlidRow = 16;

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

bool IsBlockAxis(const Axis64& axis) { return !IsAdaptive(axis) && !HasEmptyWindow(axis); }

// So few planes, and so few rows of all planes together, have few lanes to transpose.
bool HasFewRows(const lanepool_params& p, const Plan& plan) {
  return p.channels < 8 || p.channels * plan.axes[1].output < 64;
}

bool StepsByOne(const Axis64& axis) { return axis.stride == 1 && axis.dilation == 1; }

// Whether maxima of those share so many taps with their neighbours that rows are better transposed.
bool SharesFewRows(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || plan.strategy.group > 1 || !StepsByOne(h) || !StepsByOne(w)) return false;
  if (h.kernel == 1 || w.kernel < kFewestShared || Min(h.output, w.output) < kFewestOutputs) {
    return false;
  }
  const int64_t rows = p.channels * h.output;
  if (p.x_type == LANEPOOL_TYPE_FLOAT) return p.op == LANEPOOL_OP_MAX && rows >= kFewestRows;
  return ElementBytes(p.x_type) == 2 && rows >= kFewestRows16;
}

// Averages of bytes that other loops requantize where they are, while blocks would stage their
// sums.
bool RequantizesAtOnce(const lanepool_params& p, const Plan& plan) {
  return plan.quantization.stage == Stage::kNone && !IsPerChannel(p) && !DividesMeans(p, plan);
}

// The longest rows of planes that are better turned, for windows of 2, 3, 4 and 5 taps along an
// axis that step by one, or by more. Measured.
struct TurnedRows {
  static constexpr int64_t kFewest = 2, kMost = 5;
  static constexpr int16_t kAny = INT16_MAX;
  int16_t of_taps[kMost - kFewest + 1];
};

TurnedRows TurnedRowsOf(const lanepool_params& p, bool steps) {
  constexpr int16_t kAny = TurnedRows::kAny;
  const bool sums = !IsExtreme(p.op) && !IsLargestMagnitude(p);
  switch (ElementBytes(p.x_type)) {
    case 1:
      if (sums) return steps ? TurnedRows{{7, 31, kAny, kAny}} : TurnedRows{{9, 0, kAny, kAny}};
      return steps ? TurnedRows{{0, 8, 32, 56}} : TurnedRows{{3, 7, 14, 16}};
    case 2:
      if (sums) return steps ? TurnedRows{{11, 6, 13, 24}} : TurnedRows{{3, 3, 22, 23}};
      return steps ? TurnedRows{{18, 8, 15, 48}} : TurnedRows{{10, 8, 45, 40}};
    case 4:
      return steps ? TurnedRows{{0, 4, 7, 16}} : TurnedRows{{0, 0, 5, 7}};
    default:
      return steps ? TurnedRows{{0, 0, 0, 8}} : TurnedRows{{0, 0, 3, 3}};
  }
}

// Whether no window reaches beyond the input, so that all are requantized alike.
bool AreWhole(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  return h.lead == 0 && h.interior_end == h.output && w.lead == 0 && w.interior_end == w.output;
}

// Whether maxima are better turned with the planes of all images.
bool TurnsImagesOfMaxima(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  if (!IsExtreme(p.op) || ElementBytes(p.x_type) > 2) return false;
  if (w.stride > 1 || w.output == 1) return true;
  const bool few = IsByte(p.x_type) && w.kernel <= TurnedRows::kMost;
  const bool tiny = plan.axes[1].input * w.input <= kTinyPlane;
  return w.kernel >= 4 && !tiny && w.input <= (few ? kFewTapsRow : kManyTapsRow);
}

// Planes that become channels together: those of all images, where results are the same whatever
// the batch is.
int64_t TurnedChannels(const lanepool_params& p, const Plan& plan) {
  const bool means = IsByte(p.x_type) && DividesMeans(p, plan);
  const bool images = !kCompact && (means || TurnsImagesOfMaxima(p, plan));
  return images ? PlanesOf(p, plan).channels : p.channels;
}

// Whether windows of planes that can be turned are better folded so.
bool PrefersTurned(const lanepool_params& p, const Plan& plan, int64_t taps, int64_t stride) {
  const bool sums = !IsExtreme(p.op) && !IsLargestMagnitude(p);
  const bool bytes = sums && IsByte(p.x_type);
  if (kCompact || (bytes && !DividesMeans(p, plan))) return taps > (stride > 1 || bytes ? 4 : 5);
  if (taps < TurnedRows::kFewest || taps > TurnedRows::kMost) return taps > TurnedRows::kMost;
  if (AreShortMaxima(p, plan)) return false;
  int64_t longest = TurnedRowsOf(p, stride > 1).of_taps[taps - TurnedRows::kFewest];
  const bool two_scales = bytes && p.x_scale != p.y_scale;
  // Where they lie, other windows take as many calls a plane as there are kinds of them.
  if (bytes && taps == 3 && stride > 1 && AreWhole(plan)) longest = kLongestWhole;
  const bool even = plan.axes[1].input % 2 == 0 && plan.axes[2].input % 2 == 0;
  if (bytes && even && AreRowsOfPairs(plan)) longest = 0;
  // Where they lie, whole pairs of columns fill vectors of halves.
  const bool pairs = ElementBytes(p.x_type) == 2 && plan.axes[2].kernel == 2;
  if (pairs && taps == 2 && stride == 2 && AreWhole(plan)) longest = sums ? kLongestPairs : 0;
  // Three bytes along W are fast as they lie, and two scales take longer in blocks.
  if (bytes && plan.axes[2].kernel == 3 && stride == 1) longest = Min(longest, 7 * (taps - 1));
  if (two_scales && taps == 4) longest = Min(longest, 28);
  if (taps >= 4 && AreFlatRows(p, plan)) {
    longest = taps == 4 ? kLongestOfFour : kLongestOfFive;
    const bool small = plan.axes[1].input * plan.axes[2].input <= longest * longest;
    if (small) longest = TurnedRows::kAny;
  }
  if (two_scales && stride == 1 && KernelTaps(plan) < kFewTaps) return false;
  // Two scales take longer as they lie, too.
  if (AreWholeFlatRows(p, plan) && !(two_scales && taps >= 4)) return false;
  const int64_t row = plan.axes[2].input;
  if (row > longest) return false;
  // Sums of columns alone are fast as they lie.
  if (sums && plan.axes[2].kernel == 1 && ElementBytes(p.x_type) != 2) return false;
  // Lanes that are not there cost as much as others, but short maxima of three taps and more that
  // step cost more as they lie.
  if (!sums && stride > 1 && taps > 2 && ElementBytes(p.x_type) <= 2) return true;
  const int64_t channels = TurnedChannels(p, plan);
  const int64_t used = Min(channels, kManyTurned) * ElementBytes(p.x_type);
  const int64_t line = bytes && used > kBlockLineBytes ? kLanesTogether : kBlockLineBytes;
  const int64_t lines = (used + line - 1) / line * line;
  return 4 * used >= 3 * lines || row * lines <= longest * used;
}

// Whether averages of halves, of four or five taps that step by one, are better slid than shared:
// there is a ring for them, see runner_ring.cc, or rows are long and columns have few taps.
bool SlidesHalves(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (w.kernel < 4) return true;
  if (h.kernel == w.kernel) return h.output >= kRingRows;
  return h.kernel < 4 && w.output >= kSlidRow;
}

// Taps along an axis from which on averages of bytes that blocks divide are better shared, if
// windows have the square of that in all: with channels as lanes, pixels of many channels, or
// positions. Measured.
int64_t DirectMeans(const lanepool_params& p, const Plan& plan, bool channel_lanes,
                    int64_t stride) {
  const bool same = p.x_scale == p.y_scale;
  if (channel_lanes) return stride == 2 && same ? 5 : 6;
  if (plan.strategy.group > 1) return stride == 1 ? 7 : 9;
  return stride > 2 ? 7 : stride == 2 || plan.axes[2].input < kMeansRow ? 6 : same ? 4 : 5;
}

// Whether rows of averages of bytes fill vectors once they are transposed. Groups of few channels
// are slow to transpose, which many rows amortise. Measured.
bool HasRowsOfMeans(const lanepool_params& p, const Plan& plan) {
  const int64_t rows = plan.axes[1].output, group = plan.strategy.group;
  if (group == 1 && !AreWhole(plan) && TakesRowSums(p, plan)) return true;
  if (group == 1) return rows >= kMeansLanes || rows * PlanesOf(p, plan).channels >= kMeansLanes;
  return rows >= kMeansRows || (group >= kManyChannels && rows * group >= kMeansLanes);
}

// Taps along an axis that are better folded each by itself, or slid in registers. Measured; smaller
// windows have loops of their own in some types.
bool IsDirect(const lanepool_params& p, bool channel_lanes, const Plan& plan, int64_t taps,
              int64_t stride) {
  const bool sums = !IsExtreme(p.op) && !IsLargestMagnitude(p);
  if (sums && IsByte(p.x_type) && RequantizesAtOnce(p, plan)) return taps <= kFewTaps;
  if (!channel_lanes && SumsManyByTwo(p, plan)) return true;
  if (IsDirectRow(p, plan, channel_lanes, taps, stride)) return true;
  const bool means = !kCompact && sums && IsByte(p.x_type) && DividesMeans(p, plan);
  const int64_t direct = DirectMeans(p, plan, channel_lanes, stride);
  const bool many =
      means && KernelTaps(plan) >= direct * direct && (channel_lanes || HasRowsOfMeans(p, plan));
  if (channel_lanes && many) return taps < direct;
  if (channel_lanes && means && p.x_scale != p.y_scale) return taps < kFewTaps;
  if (channel_lanes && sums && IsByte(p.x_type)) return taps < 6 || taps == 7;
  if (channel_lanes) {
    if (!sums) return taps < DirectMaxima(p, plan, stride);
    const bool halves = !kCompact && ElementBytes(p.x_type) == 2 && !IsShort(p.x_type);
    if (halves && stride == 1 && !SlidesHalves(plan)) return taps < 4;
    return taps < DirectSums(p, plan, stride);
  }
  if (AreRowsFarApart(p, plan)) return true;
  const bool turned = TurnsPlanes(p, plan, p.x_type);
  const bool slides = SlidesManyTaps(p, plan);
  if (slides && !(turned && IsByte(p.x_type) && plan.axes[2].output < kTurnedSlid)) return true;
  // A pixel of a few channels, or a few planes, have few lanes to transpose. The type of y has no
  // part in it: bytes from f32 are the f32 of the same order of additions.
  if (turned) return IsLoneRow(p, plan) || !PrefersTurned(p, plan, taps, stride);
  if (stride == 1 && PrefersLevels(p, plan, taps)) return false;
  if (AreFlatRows(p, plan) || GrowsByDoubling(p, plan)) return taps < 6;
  if (many && (plan.strategy.group == 1 || plan.strategy.group >= kMeansGroup)) {
    return taps < direct;
  }
  if (means && plan.strategy.group > 1) {
    if (stride == 1 && plan.axes[2].input >= kMeansLongRow && many) return taps < 8;
    if (plan.quantization.stage != Stage::kNone) return taps < 10;
  }
  if (plan.strategy.group > 1 || HasFewRows(p, plan)) {
    const int64_t few = plan.strategy.group > 1 ? DirectOfPixels(p, plan, stride)
                                                : DirectOfFewPlanes(p, plan, stride);
    if (!sums && SharesFewRows(p, plan)) return taps < Min(few, 8);
    const bool bytes = sums && IsByte(p.x_type);
    const bool staged = plan.quantization.stage != Stage::kNone || IsPerChannel(p);
    const bool grouped = plan.strategy.group > 1;
    const bool transposes = !kCompact && grouped && plan.strategy.group < kManyChannels;
    if (transposes && !(bytes && staged) && HasFewTaps(p, plan, taps)) return true;
    if (bytes && staged && grouped && HasManyLanes(p, plan)) return taps < 10;
    if (taps < few || !bytes || staged || (grouped && HasManyLanes(p, plan))) return taps < few;
    // Few rows have few lanes to transpose. What is staged anyway is better transposed.
    const int64_t rows = plan.axes[1].input * (grouped ? 1 : p.channels);
    return taps <= kFewTaps && rows <= kMostRowTaps / taps;
  }
  return taps < DirectOfPlanes(p, plan, stride);
}

// Whether windows share so many taps that their folds are better shared, by numbers of taps alone.
bool SharesTaps(const lanepool_params& p, bool channel_lanes, const Plan& plan,
                const Axis64& axis) {
  const Phases phases = PhasesOf(axis);
  // Planes that are turned have full vectors, whether windows share taps or not.
  const bool few = phases.stride == 2 && axis.kernel <= TurnedRows::kMost;
  // Steps of 4 are taken apart as they are loaded.
  const bool half = phases.stride == axis.kernel - axis.kernel / 2 && phases.stride != kInterleaved;
  const bool means = half && DividesMeans(p, plan) && plan.axes[2].input <= kMeansTurned;
  const bool some = !kCompact && (few || means) && !channel_lanes;
  const bool turned = some && TurnsPlanes(p, plan, p.x_type);
  return !IsDirect(p, channel_lanes, plan, axis.kernel, phases.stride) &&
         (turned || phases.stride <= axis.kernel / 2) && axis.output > phases.phases;
}

// Few taps of rows that are pixels apart, see SlideAlongH: folded one pixel at a time.
bool IsShortFold(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  return plan.x_stride[kW] != p.channels && h.kernel > 1 && h.input <= kShortestRow &&
         BlockOf(h) == 1 && plan.axes[2].kernel <= kFewTaps;
}

}  // namespace

bool TurnsPlanes(const lanepool_params& p, const Plan& plan, int32_t y_type) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const int64_t bytes = BlockLaneBytes(p, plan), x_bytes = ElementBytes(p.x_type);
  const int64_t least = Min(bytes, Min(x_bytes, ElementBytes(y_type)));
  if (plan.strategy.group > 1 || plan.axes[0].input > 1 || plan.axes[0].output > 1) return false;
  if (AddsByLevels(p, plan)) return false;
  if (h.input > kMostTurned || w.input > kMostTurned) return false;
  if (h.output > kMostTurned || w.output > kMostTurned) return false;
  const int64_t x = h.input * w.input, y = h.output * w.output;
  const bool means = !kCompact && IsByte(p.x_type) && DividesMeans(p, plan);
  const int64_t most = means ? kMostTurnedMeans : kMostTurned;
  if (x * bytes > most || y * bytes > most) return false;
  // Lanes that are not there cost as much as others: half a line of them at most, or more where
  // rows are so short that other loops take longer.
  const int64_t channels = TurnedChannels(p, plan);
  if (channels < kBlockLineBytes) {
    const bool few = 2 * channels * least < kBlockLineBytes;
    if (means ? 4 * w.input > (few ? 3 : 5) * channels : few) return false;
  }
  // Planes a power of two apart share a few sets of the cache: long rows are better transposed each
  // by itself. (The distance of a single plane could be any number.)
  const int64_t sets = means ? kPage : kQuarterPage;
  if (w.input >= kLongRow && plan.x_stride[kC] * x_bytes % sets == 0) return false;
  const auto dense = [](const int64_t* stride, int64_t rows, int64_t lanes) {
    return (lanes == 1 || stride[kW] == 1) && (rows == 1 || stride[kH] == lanes);
  };
  return PhasesOf(h).phases == 1 && dense(plan.x_stride, h.input, w.input) &&
         dense(plan.y_stride, h.output, w.output);
}

bool TakesRowSums(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || plan.strategy.group > 1 || !DividesMeans(p, plan)) return false;
  if (plan.axes[0].kernel > 1 || h.stride > 1 || w.stride > 1 || w.dilation > 1) return false;
  if (w.kernel > kMostTaps16 || h.output < kSummedRows) return false;
  if (!TurnsPlanes(p, plan, p.y_type)) {
    // Many short rows are as well transposed.
    return w.output >= kLongRow || h.output * PlanesOf(p, plan).channels <= kFewSummedRows;
  }
  // Turned planes are as fast, but for those that share a few sets of the cache, and where more of
  // a line of channels than of a row is not there.
  if (w.input >= kBlockLineBytes) return plan.x_stride[kC] % kQuarterPage == 0;
  const int64_t channels = TurnedChannels(p, plan);
  const int64_t lines = (channels + kBlockLineBytes - 1) / kBlockLineBytes;
  return w.output * lines >= channels;
}

bool GrowsByDoubling(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  if (!IsExtreme(p.op) || !IsByte(p.x_type) || w.stride != 1) return false;
  if (plan.strategy.group > 1 || HasFewRows(p, plan)) return true;
  // Beyond sixteen taps there is one more round of them, which short rows are better without.
  return EffectiveKernel(w) <= w.output / 2 &&
         (w.kernel <= kFewDoubled || w.output > kTurnedDoubled);
}

bool HasManyLanes(const lanepool_params& p, const Plan& plan) {
  const int64_t group = plan.strategy.group;
  const int64_t lanes = group * Min(plan.axes[2].stride, kManyByteLanes);
  if (IsExtreme(p.op) && IsByte(p.x_type)) {
    return lanes >= kManyByteLanes && !GrowsByDoubling(p, plan);
  }
  return group >= kManyChannels || lanes >= kManyLanes;
}

bool CanBeBlocks(const Plan& plan, bool channel_lanes) {
  const Axis64& w = plan.axes[2];
  for (const Axis64& axis : plan.axes) {
    if (!IsBlockAxis(axis)) return false;
  }
  if (plan.axes[0].kernel * plan.axes[1].kernel > kMostFactor) return false;
  if (plan.quantization.stage == Stage::kWideSums) return false;
  const bool contiguous = (w.input == 1 || plan.x_stride[kW] == plan.strategy.group) &&
                          (w.output == 1 || plan.y_stride[kW] == plan.strategy.group);
  if (!channel_lanes && !contiguous) return false;
  if (EffectiveKernel(w) > kMostReach || w.stride > kMostReach) return false;
  return plan.axes[1].kernel <= kMostReach;
}

bool AreBlocks(const lanepool_params& p, const Plan& plan, bool channel_lanes) {
  if (!CanBeBlocks(plan, channel_lanes)) return false;
  const Axis64& w = plan.axes[2];
  if (channel_lanes && AreLongSums(p, plan)) return true;
  const bool shares =
      SharesTaps(p, channel_lanes, plan, plan.axes[1]) || SharesTaps(p, channel_lanes, plan, w);
  if (!shares || (channel_lanes && IsShortFold(p, plan))) return false;
  // Less than costs have it: only columns are not summed along rows.
  if (!channel_lanes && w.kernel > 1 && TakesRowSums(p, plan)) return true;
  return !AreCheaperAlone(p, plan,
                          channel_lanes                    ? LaneKind::kChannels
                          : TurnsPlanes(p, plan, p.x_type) ? LaneKind::kTurned
                                                           : LaneKind::kPositions);
}

}  // namespace lanepool
