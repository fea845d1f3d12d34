#include "plane_rules.h"

#include <stdint.h>

#include <initializer_list>

#include "blocks.h"
#include "compiled_in.h"
#include "kernel_table.h"
#include "pixel_rules.h"
#include "plan_axes.h"
#include "quantization.h"
#include "scratch.h"
#include "short_rows.h"
#include "strategy.h"
#include "tile_rules.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Windows of Loop::kByTwo, of averages of bytes one less.
constexpr int64_t kStepTaps = 4;
// Positions of a row of which a vector has several, see AreRowsOfPairs.
constexpr int64_t kLongestOfPairs = 20;
// Of averages of bytes that have more taps along W: those at most, outputs of a row at least, of
// many taps where windows lack some more, and windows at either end that do so at most. Measured.
constexpr int64_t kMostSummedByTwo = 8, kFewestSummedByTwo = 8;
constexpr int64_t kManySummedByTwo = 6, kLongSummedByTwo = 64, kMostEndsByTwo = 2;
// Outputs of one tap along W, averages of bytes, at least.
constexpr int64_t kOneTapBytes = 8;
// The same of f32, and maxima of bytes, that slide along H, and positions of their rows: of f32 a
// vector of eight, or at least that and what the last tap of the first ones lacks.
constexpr int64_t kSlidTaps = 6;
constexpr int64_t kMostSlidTaps = 7;
constexpr int64_t kSlidVector = 8;
constexpr int64_t kShortestSlid = 11;
// Outputs of a row of bytes, and of taps that lie apart. Measured.
constexpr int64_t kFewestSlid = 8;
constexpr int64_t kFewestSlidApart = 24;
// Outputs along H of pixels, and of dilated windows for each row that they step over. Measured.
constexpr int64_t kFewestRows = 2, kFewestRowsApart = 5;
// Rows, planes and tensors of so many bytes are far from each other, or from the caches. Measured.
constexpr double kFarRow = 2 << 10;
constexpr double kFarPlane = 1 << 20;
constexpr double kFarTensor = 8 << 20;
// Bytes after which lines share a set of the first cache, and how many more or less do so as well.
// Measured.
constexpr int64_t kPage = 4096, kNearPage = 4;
// Outputs of the only row of a plane, at least.
constexpr int64_t kLoneFlatRow = 80;
// Positions of the only row of a plane that is long, and its windows that reach beyond it at most
// of others. Measured.
constexpr int64_t kLongLoneRow = 64, kFewEnds = 3;
// Taps of rows that are walked one by one, of other types.
constexpr int64_t kMostTapsAlone = 7;
constexpr int64_t kFewestShortsAlone = 128;
// Positions of rows that have all taps, of a plane, at least: a vector and what its taps reach.
constexpr int64_t kFlatWhole = 68;
// Positions of a row of four or five of them that is no longer too short, see FlatRows.
constexpr int64_t kShortestFlat = 8;
// Single positions that are taken as pixels: taps along W at least, and outputs of bytes.
constexpr int64_t kFarTaps = 3;
constexpr int64_t kFarBytes = 16;
constexpr int64_t kFarShared = 4;  // windows along H with a row of short elements in common
// Lanes of a row of averages of halves, and of maxima of 16 bits, of four and five taps along each
// axis, at least; and rows of outputs that share rows. Measured.
constexpr int64_t kFewestHalves = 20, kFewestHalfMaxima = 36, kFewestHalfRows = 4;
// Outputs of 16-bit lanes that read behind their row, at least; or one vector of the shortest.
constexpr int64_t kShortsByThree = 24, kShortsByFour = 16;
// Whether rows of 16-bit elements are long enough for a loop of four or five taps along each axis,
// and follow each other.
bool HasRowsOfHalves(const lanepool_params& p, const Plan& plan) {
  if (kCompact || ElementBytes(p.x_type) != 2 || plan.axes[2].stride > 1) return false;
  const Phases phases = PhasesOf(plan.axes[1]);
  const int64_t lanes = plan.axes[2].output * plan.strategy.group;
  return phases.stride == 1 && plan.axes[1].output / phases.phases >= kFewestHalfRows &&
         lanes >= (IsExtreme(p.op) ? kFewestHalfMaxima : kFewestHalves);
}

// Whether there is a loop over planes for just these windows, of as many taps along H as along W:
// one for any would take longer than to go through scratch.
bool HasPlanesLoop(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const int64_t taps = h.kernel;
  if (taps != plan.axes[2].kernel || IsRareMaximum(p)) return false;
  // Types with more loops than others.
  const bool many = IsByte(p.x_type) || p.x_type == LANEPOOL_TYPE_FLOAT;
  const int64_t step = PhasesOf(h).stride;  // in taps
  if (taps == 4 || taps == 5) {
    return (many || HasRowsOfHalves(p, plan)) && step <= 2 && plan.axes[0].kernel == 1;
  }
  if (taps >= kSlidTaps) return SlidesManyTaps(p, plan);
  const bool lacks_one = LacksOneTap(h);
  if (step > 1 || plan.axes[2].stride > 1) return many && taps == 3 && step <= 2 && lacks_one;
  return (taps == 3 || (taps == 2 && (many || ElementBytes(p.x_type) == 2))) && lacks_one;
}

// Windows of 5x5 taps, see FiveByTwoStrip.
bool TakesFiveByTwo(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  return !kCompact && ElementBytes(p.x_type) <= 4 && w.kernel == 5 && h.kernel == 5 &&
         PhasesOf(h).stride == 2 && w.output >= 8;
}

// Windows that step by 2 along W, see StripByTwo.
bool StepsByTwo(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (w.stride != 2 || (w.dilation != 1 && w.kernel != 1) || IsRareMaximum(p)) return false;
  if (IsSumOfBytes(p)) {
    const int64_t least = w.kernel == 1 ? kOneTapBytes : 1;
    if (w.kernel > 3) return SumsManyByTwo(p, plan);
    return w.output >= least && h.kernel <= 3 && plan.axes[0].kernel == 1 &&
           (h.dilation == 1 || h.kernel == 1);
  }
  // Short rows of halves are faster taken many at a time, but for squares of taps, and for pairs of
  // columns that are whole. Measured.
  const bool square = w.kernel >= 3 && w.kernel == h.kernel;
  const bool pairs = w.kernel == 2 && HasWholeWindows(p, plan);
  const bool halves = p.op == LANEPOOL_OP_AVERAGE && ElementBytes(p.x_type) == 2;
  if (!kCompact && halves && w.output < (square || pairs ? 4 : 8)) return false;
  if (TakesFiveByTwo(p, plan)) return true;
  return w.kernel <= kStepTaps && h.kernel <= kStepTaps;
}

// Whether what rows of windows have behind them is read as well, see RunRowsBySteps: it is in the
// next row.
bool ReadsBehind(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const int64_t step = plan.axes[2].stride;
  return plan.axes[0].kernel <= kCopiedTaps && plan.axes[0].kernel * h.kernel <= kCopiedTaps &&
         (h.output == 1 || plan.x_stride[kH] >= step) && plan.x_stride[kC] >= step;
}

// Windows that step by 3 or 4, see RowsBySteps.
bool StepsByMore(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  const int64_t least = IsSumOfBytes(p) ? 2 : ElementBytes(p.x_type);
  const bool shorts = IsSumOfBytes(p) || (least == 2 && IsExtreme(p.op));  // lanes of 16 bits
  const bool few = shorts && (w.stride == 3 ? w.output < kShortsByThree
                                            : w.output > 8 && w.output < kShortsByFour);
  return (w.stride == 3 || w.stride == 4) && w.kernel <= w.stride &&
         w.output * least >= kShortestVector && HasWholeWindows(p, plan) &&
         (AreFollowed(w) || (!few && ReadsBehind(plan)));
}

// Single positions that step by so much that no loop takes them apart but by lookups: as pixels.
// Fewer taps than half a step are better gathered, and short rows are faster in batches. Rows that
// many windows share are better folded by scratch, which slides, but for floats.
bool StepsFar(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const int64_t bytes = ElementBytes(p.x_type), least = bytes == 1 ? kFarBytes : kManyPixels;
  const bool shares = bytes < 4 && (h.kernel - 1) / kFarShared >= h.stride;
  return bytes <= 4 && !shares && w.stride > kInterleaved && w.kernel >= kFarTaps &&
         w.output >= least && HasPixelsLoop(p, plan, 1) && w.stride <= 2 * w.kernel;
}

// Planes that are walked as one row, see FlatPlanes: rows as long as each other without gaps.
// Longer ones if no output is far from its taps, see FlatRows.
bool IsFlat(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool near = AreNearTaps(w), lone = near && h.input == 1 && w.output >= kLoneFlatRow;
  const int64_t reach = EffectiveKernel(h);  // its double may be no number
  const bool is_long = near && (lone || h.input >= reach);
  const int64_t most = is_long ? kFlatLanes : kTileLanes;
  return h.kernel * w.kernel > 1 && plan.axes[0].kernel == 1 && h.stride == 1 &&
         ((h.input > 1 && h.output > 1) || lone) && w.stride == 1 && w.output == w.input &&
         w.kernel <= kFlatTaps && h.kernel <= kFlatTaps && w.input <= most &&
         EffectiveKernel(w) <= kTileLanes && plan.x_stride[kH] == w.input &&
         plan.y_stride[kH] == w.output;
}

// Windows with all their taps along W, in rows that follow each other, see FlatWhole: of a plane,
// or of all of them, if windows have all their taps along H as well.
bool AreFlatWhole(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || plan.axes[0].kernel > 1 || h.stride > 1 || w.stride > 1) return false;
  if (h.kernel > kFlatTaps || w.kernel > kFlatTaps || h.kernel * w.kernel == 1) return false;
  if ((w.dilation > 1 && w.kernel > 1) || w.pad_begin != 0 || w.output == 1) return false;
  if (w.output != w.input - w.kernel + 1 || plan.x_stride[kH] != w.input) return false;
  const int64_t rows = h.interior_end - h.lead;
  const bool goes_on = rows == h.output && plan.x_stride[kC] == h.input * w.input;
  int64_t lanes = rows < 1 ? 0 : 1;
  for (const int64_t some : {rows, w.input, goes_on ? PlanesOf(p, plan).channels : 1}) {
    lanes *= some < kFlatWhole ? some : kFlatWhole;
  }
  return lanes >= kFlatWhole;
}

// Rows that are walked as they lie, see RowsAlone.
bool AreRowsAlone(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool common = p.op == LANEPOOL_OP_AVERAGE || p.op == LANEPOOL_OP_MAX;
  // Scratch that holds many short rows of 16-bit lanes is as fast.
  const bool shorts = ElementBytes(p.x_type) == 2 && IsExtreme(p.op);
  if (shorts && w.output * plan.strategy.group < kFewestShortsAlone) return false;
  return !kCompact && common && !IsRareMaximum(p) && !IsSumOfBytes(p) && plan.axes[0].kernel == 1 &&
         h.kernel == 1 && h.dilation == 1 && w.stride == 1 && w.kernel > 1 &&
         w.kernel <= kMostTapsAlone;
}

}  // namespace

bool IsRareMaximum(const lanepool_params& p) {
  const bool maximum = IsExtreme(p.op) || IsLargestMagnitude(p);
  const bool floats = p.x_type == LANEPOOL_TYPE_FLOAT || p.x_type == LANEPOOL_TYPE_DOUBLE;
  const bool common = p.op == LANEPOOL_OP_MAX && floats;
  return maximum && ElementBytes(p.x_type) >= 4 && !common;
}

bool IsSumOfBytes(const lanepool_params& p) {
  return IsByte(p.x_type) && p.op == LANEPOOL_OP_AVERAGE;
}

bool SumsManyByTwo(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || !IsSumOfBytes(p) || plan.strategy.group > 1) return false;
  if (plan.quantization.stage != Stage::kNone || IsPerChannel(p)) return false;
  if (w.stride != 2 || w.dilation > 1 || w.kernel <= 3 || w.kernel > kMostSummedByTwo) return false;
  // Windows that lack taps are summed byte by byte.
  const int64_t behind = w.output - w.interior_end;
  const bool many = w.kernel >= kManySummedByTwo && (w.lead > 0 || behind > 0);
  return h.kernel == 1 && plan.axes[0].kernel == 1 && AreWholeRows(plan, 1) &&
         w.output >= (many ? kLongSummedByTwo : kFewestSummedByTwo) && w.lead <= kMostEndsByTwo &&
         behind <= kMostEndsByTwo;
}

bool AreWholeRows(const Plan& plan, int64_t group) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  return Contiguous(w.input, plan.x_stride[kW], group) &&
         Contiguous(w.output, plan.y_stride[kW], group) && !IsAdaptive(h) && !IsAdaptive(w) &&
         !HasEmptyWindow(h) && !HasEmptyWindow(w);
}

bool SmallWindows(const lanepool_params& p, const Plan& plan, int64_t group) {
  const Axis64& w = plan.axes[2];
  return (w.stride == 1 || group > 1) && EffectiveKernel(w) <= kUsualLanes / group &&
         plan.axes[1].output > 1 && HasPlanesLoop(p, plan);
}

bool HasWholeWindows(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool common = p.op == LANEPOOL_OP_AVERAGE || p.op == LANEPOOL_OP_MAX;
  if (kCompact || !common || IsRareMaximum(p) || h.kernel > kStepTaps) return false;
  if (IsSumOfBytes(p) && plan.axes[0].kernel != 1) return false;
  return w.lead == 0 && w.interior_end == w.output && h.lead == 0 && h.interior_end == h.output &&
         (w.dilation == 1 || w.kernel == 1);
}

bool IsLoneRow(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  const int64_t inner = w.interior_end - w.lead;
  const bool few_ends = inner > 0 && (w.input >= kLongLoneRow || w.output - inner <= kFewEnds);
  return plan.axes[1].input == 1 && few_ends && AreRowsAlone(p, plan);
}

bool AreNearTaps(const Axis64& w) {
  const int64_t most = w.kernel > 3 ? 2 : 1, trail = w.kernel - 1 - w.pad_begin;
  return !kCompact && w.kernel > 1 && w.dilation == 1 && w.pad_begin <= most && trail >= 0 &&
         trail <= most;
}

bool AreRowsOfPairs(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool are_pairs = h.kernel == 2 && h.stride == 2 && w.kernel == 2 && w.stride == 2;
  return !kCompact && are_pairs && w.input <= kLongestOfPairs && h.lead == 0 && w.lead == 0 &&
         h.interior_end == h.output && w.interior_end == w.output;
}

bool SlidesManyTaps(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool bytes = IsByte(p.x_type) && IsExtreme(p.op);
  const bool sums = (p.op == LANEPOOL_OP_AVERAGE || p.op == LANEPOOL_OP_SUM) &&
                    plan.quantization.stage != Stage::kMapped;
  const bool floats = p.x_type == LANEPOOL_TYPE_FLOAT && (p.op == LANEPOOL_OP_MAX || sums);
  if (kCompact || !(bytes || floats)) return false;
  if (h.kernel != w.kernel || h.kernel < kSlidTaps || h.kernel > kMostSlidTaps) return false;
  const int64_t group = plan.strategy.group;
  const int64_t rows = h.dilation > 1 ? kFewestRowsApart : kFewestRows;
  if (group > 1 && h.output / h.dilation < rows) return false;
  const bool vector = !bytes && w.input == kSlidVector && w.dilation == 1;
  const int64_t row = (bytes ? w.output : w.input) * group;
  const int64_t of_bytes = w.dilation == 1 ? kFewestSlid : kFewestSlidApart;
  return plan.axes[0].kernel == 1 && (vector || row >= (bytes ? of_bytes : kShortestSlid)) &&
         w.stride == 1 && PhasesOf(h).stride == 1 && !HasEmptyWindow(h) && h.interior_end > h.lead;
}

bool AreWholeFlatRows(const lanepool_params& p, const Plan& plan) {
  return IsSumOfBytes(p) && plan.strategy.group == 1 && AreWholeRows(plan, 1) &&
         AreFlatWhole(p, plan);
}

bool AreFlatRows(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  const int64_t trail = w.kernel - 1 - w.pad_begin;
  if (AreWholeFlatRows(p, plan) && w.kernel >= 4) return true;
  if (!IsSumOfBytes(p) || plan.strategy.group > 1 || !AreWholeRows(plan, 1)) return false;
  return !kCompact && IsFlat(plan) && w.kernel >= 4 && w.dilation == 1 && w.input > kShortestFlat &&
         w.pad_begin >= 1 && w.pad_begin <= 2 && trail >= 1 && trail <= 2;
}

Loop LoopOfRows(const lanepool_params& p, const Plan& plan) {
  const int64_t group = plan.strategy.group;
  const bool one = group == 1;
  if (!AreWholeRows(plan, group)) return Loop::kRows;
  if (!one && PixelsStep(p, plan, group)) {
    return plan.axes[2].stride == 2 ? Loop::kByTwo : Loop::kBySteps;
  }
  if (IsSumOfBytes(p) ? (one && (IsFlat(plan) || AreFlatWhole(p, plan))) || SumsInTiles(plan, group)
                      : SmallWindows(p, plan, group) || AreRowsAlone(p, plan)) {
    return Loop::kPlanes;
  }
  if (one && StepsByTwo(p, plan)) return Loop::kByTwo;
  if (!one && PixelsStepAlone(p, plan, group)) {
    return plan.axes[2].stride == 2 ? Loop::kByTwo : Loop::kBySteps;
  }
  return one && (StepsByMore(p, plan) || StepsFar(p, plan)) ? Loop::kBySteps : Loop::kRows;
}

bool AreRowsPagesApart(int64_t row, int64_t bytes) {
  return (row % kPage * bytes + kNearPage) % kPage <= 2 * kNearPage;
}

int64_t RowsPagesApart(const lanepool_params& p, const Plan& plan) {
  const Strategy& s = plan.strategy;
  const int64_t taps = plan.axes[1].kernel, bytes = ElementBytes(p.x_type);
  const bool is_max = IsExtreme(p.op);
  const bool by_two = s.loop == Loop::kByTwo && s.group == 1 && is_max && taps == 3 && bytes != 2;
  if (kCompact || !(s.loop == Loop::kPlanes || by_two)) return kAllRows;
  // Short maxima of three taps are hardly slower.
  if (IsSumOfBytes(p) || taps == 1 || (bytes == 2 && is_max && taps == 3)) return kAllRows;
  // What all but fills a page meets, too, but short rows fill none.
  const int64_t row = plan.x_stride[kH];  // of one row any number
  if (row < kPage && row * bytes < kPage / 2 - kNearPage) return kAllRows;
  const int64_t rows = plan.axes[1].output;
  if (AreRowsPagesApart(row, bytes)) {
    if (taps <= 3) return rows <= 8 ? kAllRows : rows <= 12 ? 6 : 8;
    if (taps <= 5) return rows <= 24 ? kAllRows : 16;
    return rows <= 36 ? kAllRows : 24;
  }
  const int64_t apart = row % kPage * bytes + kNearPage;
  const bool halves = apart % (kPage / 2) <= 2 * kNearPage && taps <= 3 && bytes != 2 && !by_two;
  return halves && rows > 32 ? 16 : kAllRows;
}

bool WalksFewRows(const lanepool_params& p, const Plan& plan) {
  const Strategy& s = plan.strategy;
  const Axis64& h = plan.axes[1];
  // The sums of bytes are walked row by row anyway.
  if (kCompact || s.loop == Loop::kBySteps) return false;
  if (IsByte(p.x_type) && !IsExtreme(p.op)) return false;
  const double row = static_cast<double>(ElementBytes(p.x_type) * s.group) *
                     static_cast<double>(plan.axes[2].input);
  const double plane = row * static_cast<double>(h.input) * static_cast<double>(plan.axes[0].input);
  const int64_t planes = s.group > 1 ? 1 : p.channels;
  const double tensor = plane * static_cast<double>(p.batch) * static_cast<double>(planes);
  if (s.loop == Loop::kByTwo) {
    return h.kernel > h.stride && row >= kFarRow && tensor >= 2 * kFarTensor;
  }
  if (row >= kFarRow) return tensor >= kFarTensor;
  return plan.axes[2].kernel == 3 && plane >= kFarPlane && tensor >= 2 * kFarTensor;
}

}  // namespace lanepool
