#include "direct_rules.h"

#include <stdint.h>

#include "blocks.h"
#include "compiled_in.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

// Outputs of a row that are few.
constexpr int64_t kFewOutputs = 5;
// Taps from which on few planes, and pixels of a few channels, have them shared that have no number
// of their own.
constexpr int64_t kUsualOfFew = 11;
// Channels that fill vectors: whole lines, or so many bytes.
constexpr int64_t kWholeLine = 64, kManyChannelBytes = 512;
// Rows of few planes, and outputs along H, from which on transposing them pays: for eight taps, for
// fewer, and where windows step by two. Measured.
constexpr int64_t kFewestColumns = 33, kFewestRows = 16;
constexpr int64_t kManyColumns = 48, kManyRows = 24;
constexpr int64_t kColumnsByTwo = 64, kRowsByTwo = 32;
// Outputs of a row of pixels of few channels at least. Measured.
constexpr int64_t kFewestOfPixels = 16;
// Taps along W at most of windows that have taps in one row of the input, and in two. Measured.
constexpr int64_t kMostOfOneRow = 14, kMostOfTwoRows = 12, kMostOfTwoRowsOfBytes = 8;
// Bytes of a pixel of maxima that step by three and more, and their taps along an axis at most,
// where others are slower than each window by itself. Measured.
constexpr int64_t kFewPicked = 8, kMostPicked = 12, kPickedTaps = 16;
// Bytes of the taps of a lane of all rows that such pixels have at most, see HasFewTaps.
constexpr int64_t kMostTapBytes = 352;

bool IsMaximum(const lanepool_params& p) { return IsExtreme(p.op) || IsLargestMagnitude(p); }

bool AreShorts(const lanepool_params& p, const Plan& plan) {
  return AreSums(p, plan, 2) || AreMaxima(p, 2);
}
bool FillsVectors(const lanepool_params& p) {
  const int64_t bytes = ElementBytes(p.x_type);
  return p.channels * bytes % kWholeLine == 0 || p.channels >= kManyChannelBytes / bytes;
}

// `taps` if windows have at least that, or the usual number, along each axis side by side. Other
// windows have no better number than the usual one.
int64_t OfSquares(const Plan& plan, int64_t taps, int64_t usual) {
  const int64_t least = taps < usual ? taps : usual;
  if (plan.axes[0].kernel > 1) return usual;
  for (int i = 1; i < 3; ++i) {
    if (plan.axes[i].kernel < least || plan.axes[i].dilation > 1) return usual;
  }
  return taps;
}

// Whether averages of bytes have more taps than slide in registers, which RunningSumsOfLine adds
// and takes away, in rows of which those that lack taps are a third at most. Measured.
bool HasLongLines(const Plan& plan, int64_t taps) {
  constexpr int64_t kFewest = 8, kMost = 128, kOutputs = 8;
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t inner = w.interior_end - w.lead;
  return taps >= kFewest && taps <= kMost && inner / PhasesOf(w).phases >= kOutputs &&
         w.output - inner <= inner / 2;
}

// With channels last. Measured.
bool IsDirectOfChannels(const lanepool_params& p, const Plan& plan, int64_t taps, int64_t stride) {
  const int64_t bytes = ElementBytes(p.x_type);
  if (bytes == 8) return taps <= (!IsMaximum(p) ? 12 : stride == 1 ? 8 : 10);
  if (!IsMaximum(p)) {
    if (bytes == 4) return taps <= (stride == 1 ? 8 : stride == 2 ? 9 : 12);
    if (bytes == 1) return stride == 1 && HasLongLines(plan, taps);
    return bytes == 2 && taps <= (stride <= 2 ? 7 : 9);
  }
  if (bytes == 4) return taps <= (stride == 1 ? 6 : stride == 2 ? 7 : 8);
  if (bytes > 2) return false;
  if (stride > 1) return taps <= (bytes == 1 && stride > 2 ? 12 : 7);
  // Blocks share more of even numbers of taps.
  return taps == 5 || taps == 7 || (bytes == 1 && taps == 4);
}

// Of planes, where fewer taps have loops of their own. Measured.
bool IsDirectOfPlanes(const lanepool_params& p, int64_t taps, int64_t stride) {
  const int64_t bytes = ElementBytes(p.x_type);
  if (taps < 5 || stride > 2) return false;
  if (bytes == 8) return taps <= (IsMaximum(p) && stride == 1 ? 8 : 10);
  if (IsMaximum(p)) {
    if (bytes == 1) return stride == 1 ? taps >= 6 && taps <= 9 : taps <= 6;
    return bytes == 2 && stride == 1 && taps >= 7 && taps <= 9;
  }
  if (bytes == 1) return stride == 1 && taps <= 6;
  if (bytes == 2) return taps <= (stride == 1 ? 5 : 6);
  return bytes == 4 && taps <= (stride == 1 ? 7 : 6);
}

}  // namespace

bool AreSums(const lanepool_params& p, const Plan& plan, int64_t bytes) {
  return !kCompact && !IsMaximum(p) && IsFloating(p.x_type) && ElementBytes(p.x_type) == bytes &&
         plan.quantization.stage != Stage::kMapped;
}

bool AreMaxima(const lanepool_params& p, int64_t bytes) {
  if (kCompact || !IsExtreme(p.op) || ElementBytes(p.x_type) != bytes) return false;
  return bytes <= 2 || (p.op == LANEPOOL_OP_MAX && IsFloating(p.x_type));
}

bool HasFewTaps(const lanepool_params& p, const Plan& plan, int64_t taps) {
  const int64_t bytes = ElementBytes(p.x_type), sum = bytes == 1 ? 2 : bytes;
  const int64_t rows = plan.axes[1].output / PhasesOf(plan.axes[1]).phases;
  return taps < kMostTapBytes && rows < kMostTapBytes && rows * taps * sum < kMostTapBytes;
}

bool AreRowsFarApart(const lanepool_params& p, const Plan& plan) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (kCompact || plan.axes[0].kernel > 1 || plan.strategy.group > 1 || w.stride > 2) return false;
  if (h.dilation == 1 || h.kernel <= 2 || (h.input - 1) / h.dilation > 1) return false;
  if (!IsMaximum(p) && !IsFloating(p.x_type) && !IsByte(p.x_type)) return false;
  if (IsByte(p.x_type) && plan.quantization.stage != Stage::kNone) return false;
  if (h.input <= h.dilation) return w.kernel <= kMostOfOneRow;
  if (!IsByte(p.x_type)) return w.kernel <= kMostOfTwoRows;
  return IsMaximum(p) && w.kernel <= kMostOfTwoRowsOfBytes;
}

bool IsDirectRow(const lanepool_params& p, const Plan& plan, bool channel_lanes, int64_t taps,
                 int64_t stride) {
  if (kCompact || plan.axes[0].kernel > 1 || plan.axes[1].kernel > 1) return false;
  if (!IsMaximum(p) && !IsFloating(p.x_type) && !IsByte(p.x_type)) return false;
  if (IsByte(p.x_type) && plan.quantization.stage != Stage::kNone) return false;
  if (channel_lanes) return IsDirectOfChannels(p, plan, taps, stride);
  // Phases of windows that are dilated lie apart where they lie.
  return plan.strategy.group == 1 && plan.axes[2].dilation == 1 &&
         IsDirectOfPlanes(p, taps, stride);
}

int64_t DirectMaxima(const lanepool_params& p, const Plan& plan, int64_t stride) {
  const int64_t bytes = ElementBytes(p.x_type);
  if (stride > 1 && plan.axes[2].output < kFewOutputs) return stride == 2 ? 6 : 7;
  // Steps may be those of the dilation.
  if (bytes == 1) return stride == 2 || (stride == 1 && plan.axes[2].stride > 1) ? 5 : 4;
  if (bytes == 2) return 4;
  const int64_t usual = stride > 1 || AreMaxima(p, 4) ? (stride == 3 ? 7 : 6) : 5;
  if (!FillsVectors(p) || !AreMaxima(p, 8)) return usual;
  return OfSquares(plan, stride == 1 ? 6 : stride == 2 ? 7 : 11, usual);
}

int64_t DirectSums(const lanepool_params& p, const Plan& plan, int64_t stride) {
  constexpr int64_t kFew = 6;
  if (!FillsVectors(p)) return kFew;
  if (AreSums(p, plan, 8)) return OfSquares(plan, stride == 1 ? 7 : stride == 2 ? 9 : 11, kFew);
  if (AreSums(p, plan, 4)) return OfSquares(plan, stride == 1 ? 6 : stride == 2 ? 7 : 8, kFew);
  const bool few = stride > 2 && plan.axes[2].output <= kFewOutputs;
  return few && AreSums(p, plan, 2) ? OfSquares(plan, 7, kFew) : kFew;
}

int64_t DirectOfPlanes(const lanepool_params& p, const Plan& plan, int64_t stride) {
  const int64_t usual = !IsMaximum(p) && p.x_type == LANEPOOL_TYPE_FLOAT ? 10 : 8;
  if (AreSums(p, plan, 8)) return OfSquares(plan, stride > 2 ? 9 : 12, usual);
  if (AreMaxima(p, 8)) return OfSquares(plan, stride > 2 ? 9 : 11, usual);
  if (AreSums(p, plan, 4)) return OfSquares(plan, 8, usual);
  if (AreMaxima(p, 4) && stride > 1) return OfSquares(plan, 7, usual);
  if (AreSums(p, plan, 2) && stride == 2) return OfSquares(plan, 7, usual);
  if (stride == 1 && AreShorts(p, plan)) return OfSquares(plan, 6, usual);
  return AreMaxima(p, 1) && stride == 2 ? OfSquares(plan, 7, usual) : usual;
}

int64_t DirectOfFewPlanes(const lanepool_params& p, const Plan& plan, int64_t stride) {
  const int64_t columns = plan.axes[2].input, rows = plan.axes[1].output;
  const bool shorts = AreShorts(p, plan);
  if (!shorts && !AreSums(p, plan, 4) && !AreMaxima(p, 4)) return kUsualOfFew;
  if (stride == 1 && columns >= kFewestColumns && rows >= kFewestRows) {
    const bool many = columns >= kManyColumns && rows >= kManyRows;
    return OfSquares(plan, shorts && many ? 6 : 8, kUsualOfFew);
  }
  if (stride == 2 && columns >= kColumnsByTwo && rows >= kRowsByTwo) {
    const int64_t taps = IsMaximum(p) ? (shorts ? 10 : 7) : shorts ? 7 : 9;
    return OfSquares(plan, taps, kUsualOfFew);
  }
  return kUsualOfFew;
}

int64_t DirectOfPixels(const lanepool_params& p, const Plan& plan, int64_t stride) {
  // Some bytes of a pixel and steps of some pixels are fast to pick.
  const int64_t group = plan.strategy.group;
  if (AreMaxima(p, 1) && stride > 2 && group >= kFewPicked && group <= kMostPicked) {
    return kPickedTaps + 1;
  }
  const bool floats = AreSums(p, plan, 4) || AreMaxima(p, 4) || AreSums(p, plan, 2);
  if (!floats || stride > 1 || plan.axes[2].output < kFewestOfPixels) return kUsualOfFew;
  return OfSquares(plan, 7, kUsualOfFew);
}

}  // namespace lanepool
