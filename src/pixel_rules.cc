#include "pixel_rules.h"

#include "compiled_in.h"
#include "kernel_table.h"
#include "plan_axes.h"
#include "plane_rules.h"
#include "quantization.h"
#include "scratch.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Taps along W of windows of pixels that step, of single positions and of more channels.
constexpr int64_t kPixelTaps = 16;
constexpr int64_t kMostPixelTaps = 128;
// The same for pixels of two of the shortest vectors, and where windows share columns; and for
// pixels of three, of windows that share columns.
constexpr int64_t kMostColumns = 7, kMostJoined = 12;
constexpr int64_t kMostShared = 5;
// Bytes of a row of kManyPixels of their outputs at least, and of fewer.
constexpr int64_t kPixelRow = 32, kShortPixelRow = 48;
// Bytes of a row of taps of windows that are worth it however few there are.
constexpr int64_t kPixelWindow = 48;
// Taps of windows that all loops add in the same order.
constexpr int64_t kAlikeTaps = 9;
// Outputs along W of which there are enough, see PrefersSteps; and in a single image, of which rows
// of channels are begun sooner.
constexpr int64_t kSomeOutputs = 2, kSomeOfOneImage = 4;
// Outputs along W up to which averages of three taps are better taken as they lie. Measured.
constexpr int64_t kShortRow = 14, kShortRowOfBytes = 8;
// Outputs along H of which there are enough, see PrefersWholeRows.
constexpr int64_t kSomeRows = 6;
// The same of pixels of more channels: rows that one after the other has a tap of.
constexpr int64_t kManyRows = 12;
// Bytes of a row of outputs that are few, and those of taps that lie three apart and more; and of a
// pixel that is small, of taps side by side and of others. Measured.
constexpr int64_t kFewBytes = 512, kFewBytesApart = 1280;
constexpr int64_t kSmallPixel = 192, kSmallPixelApart = 128;
// Channels of pixels that are walked as rows, at most; bytes of the outputs of a plane that is best
// walked with those of other images; and of a pixel that fills a vector. Measured.
constexpr int64_t kMostChannels = 127, kSmallPlane = 4096, kLinePixel = 64;
// The same of pixels of which a vector has so many that images of one window pay as rows.
constexpr int64_t kTinyPixel = 8;
// Taps along each axis of small windows of pixels, at most.
constexpr int64_t kMostTaps = 5;
// Outputs along W of averages of bytes from which on 3x3 taps have a loop of their own where
// channels are lanes: of windows that step by 1, and of others; of those of pixels of 16 bytes,
// which are quick as they lie.
constexpr int64_t kManyOutputs = 12, kManySteps = 16, kManyStepsOf16 = 40;
// The same of two taps of halves of so many channels, which fill more of a vector; and those of
// bytes in whole windows of two taps. Measured.
constexpr int64_t kSomeSteps = 8, kMoreHalves = 13, kMoreBytes = 25;
// Whole windows that share no columns: taps along an axis, at most, and of those that all loops add
// in the same order; outputs of an image of which there are many; channels of averages of bytes, of
// f32, and of averages of halves. Measured.
constexpr int64_t kMostSideApart = 5, kAlikeSide = 3, kManyApart = 64, kFewestBytes = 17;
constexpr int64_t kFewestFloats = 4, kFewestSkipped = 5, kMostFloats = 8, kFewestHalves = 8,
                  kMostHalves = 16;
// Taps along H of windows that have all of a row, of short elements that are few, and of others;
// and taps of them that are some, of maxima, and few, of averages. Measured.
constexpr int64_t kSideOfFew = 3, kSideOfSome = 4, kSomeTaps = 25, kFewTaps = 12;
// Taps of a column from which on it is slid from row to row: of windows that step by one, by two,
// and by more. Measured.
constexpr int64_t kColumn = 6, kColumnByTwo = 9, kColumnBySteps = 9, kSumColumnBySteps = 14;
// Taps of windows of one column at most, and bytes of a pixel that is too wide, to be lanes of
// rows.
constexpr int64_t kMostOfColumn = 12, kWideColumn = 256;
// Images of a batch of which there are few.
constexpr int64_t kFewImages = 4;

int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

// Whether rows of so few outputs step, and so many reach beyond the input, that where channels are
// lanes the calls for the ends of rows are most of the work. Taps that are shared by many windows,
// in lanes of which a vector has many, are better folded in blocks.
bool HasShortEnds(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  if (plan.axes[1].kernel == 1 || w.output == 1 || !AreWholeRows(plan, p.channels)) return false;
  const int64_t bytes = ElementBytes(p.x_type), pixel = p.channels * bytes;
  if (pixel > (w.dilation > 1 ? kSmallPixelApart : kSmallPixel)) return false;
  if (bytes < 4 && w.dilation == 1 && w.kernel / 3 >= w.stride) return false;
  const int64_t ends = w.output - Max(w.interior_end - w.lead, 0);
  const auto has = [&](int64_t most, int64_t part) {
    return w.output <= most && w.output * pixel <= most && part * ends >= w.output;
  };
  return has(kFewBytes, 5) || (w.dilation > 2 && has(kFewBytesApart, 4));
}

// Whether whole windows of two taps along W, and of one or two along H, are so far apart that there
// are pixels between them, which other loops would read.
bool SkipsPixels(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (plan.axes[0].kernel > 1 || w.kernel != 2 || h.kernel > 2 || w.stride < 3) return false;
  return IsWhole(h) && IsWhole(w) && EffectiveKernel(w) <= w.stride;
}

// Whether averages of short elements whose lanes fill most of a vector, in small windows that step,
// have rows that are long enough to begin with channels as lanes.
bool StepsOverMost(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (p.op != LANEPOOL_OP_AVERAGE || IsShort(p.x_type) || plan.axes[0].kernel > 1) return false;
  const bool two = w.kernel == 2 && h.kernel <= kAlikeTaps / 2;
  if (w.stride < 2 || !(two || (w.kernel == 3 && h.kernel <= 3))) return false;
  if (IsByte(p.x_type)) {
    const bool whole = two && IsWhole(h) && IsWhole(w);
    return p.channels >= (whole ? kMoreBytes : kFewestBytes) && w.output >= kManySteps;
  }
  if (ElementBytes(p.x_type) != 2 || p.channels > kMostHalves) return false;
  if (p.channels < kMoreHalves) return two && p.channels > kFewestHalves && w.output >= kManySteps;
  return two ? w.output >= kSomeSteps : w.output >= kManySteps && w.dilation <= 2;
}

}  // namespace

bool AreFollowed(const Axis64& w) {
  // Where a window after the last one would begin may be no number of 64 bits.
  return WindowStart(w, w.output - 1) <= w.input - w.stride;
}

bool HasPixelsLoop(const lanepool_params& p, const Plan& plan, int64_t group) {
  const Axis64& w = plan.axes[2];
  const bool common = p.op == LANEPOOL_OP_AVERAGE || p.op == LANEPOOL_OP_MAX;
  const int64_t most_positions = kPixelColumns / group;
  const int64_t most_taps = group > 1 ? kMostPixelTaps : kPixelTaps;
  return !kCompact && common && !IsRareMaximum(p) && w.kernel <= most_taps &&
         w.stride <= most_positions && EffectiveKernel(w) <= most_positions - w.stride;
}

bool PixelsStep(const lanepool_params& p, const Plan& plan, int64_t group) {
  const Axis64& w = plan.axes[2];
  if (w.stride == 1 || !HasPixelsLoop(p, plan, group)) return false;
  const int64_t bytes = ElementBytes(p.x_type), pixel = group * bytes;
  const int64_t lane = IsSumOfBytes(p) ? 2 : IsExtreme(p.op) || bytes != 2 ? bytes : 4;
  // Of few taps, pixels of more than two vectors are better taken as they are, and copied of one.
  if (w.kernel <= 2 && group * lane > 2 * kShortestVector) return false;
  if (KernelTaps(plan) == 1 && bytes < 4 && pixel > kShortestVector) return false;
  // Of windows that share nothing columns are most of the work.
  if (group > 1 && EffectiveKernel(w) <= w.stride && w.kernel * pixel >= kPixelWindow) return true;
  const int64_t row = (w.output < kShortPixelRow ? w.output : kShortPixelRow) * pixel;
  if (w.output > 1 && row >= (w.output >= kManyPixels ? kPixelRow : kShortPixelRow)) return true;
  const int64_t least = IsSumOfBytes(p) ? 2 : bytes;  // of a lane
  const int64_t most = bytes == 2 ? 4 : least;        // some halves have lanes of 32 bits
  return w.stride == 2 && w.kernel <= 2 && group * most <= kShortestVector &&
         w.output * group * least >= kShortestVector && HasWholeWindows(p, plan) && AreFollowed(w);
}

bool PixelsStepAlone(const lanepool_params& p, const Plan& plan, int64_t group) {
  return p.batch <= kFewImages && plan.axes[2].stride > 1 && HasPixelsLoop(p, plan, group);
}

// Sums of bytes have twice the lanes.
int64_t NarrowBytes(const lanepool_params& p, const Plan& plan) {
  const bool sums = IsByte(p.x_type) && p.op == LANEPOOL_OP_AVERAGE;
  const Axis64& w = plan.axes[2];
  const bool three = plan.axes[1].kernel == 3 && w.kernel == 3 && w.dilation == 1 && w.stride <= 2;
  const int64_t steps = p.channels == kShortestVector ? kManyStepsOf16 : kManySteps;
  const int64_t many = w.stride == 1 ? kManyOutputs : steps;
  const bool channels = !kCompact && sums && three && w.output >= many;
  return channels ? kNarrowPixelBytes / 2 : kNarrowPixelBytes;
}

bool PrefersColumns(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool mean = p.op == LANEPOOL_OP_AVERAGE, floats = p.x_type == LANEPOOL_TYPE_FLOAT;
  const bool halves = mean && ElementBytes(p.x_type) == 2 && !IsShort(p.x_type);
  if (kCompact) return false;
  if (SkipsPixels(plan)) {
    if (halves && p.channels > kFewestHalves && p.channels <= kMostHalves) return true;
    const bool some = p.channels >= kFewestSkipped && p.channels <= kMostFloats;
    if (floats && (mean || p.op == LANEPOOL_OP_MAX) && some) return true;
  }
  if (StepsOverMost(p, plan)) return true;
  if (!HasWholeWindows(p, plan)) return false;
  if (w.kernel < 2 || w.stride < w.kernel || h.dilation > 1 || w.dilation > 1) return false;
  if (w.kernel > kMostSideApart || h.kernel > kMostSideApart || plan.axes[0].kernel > 1)
    return false;
  // Each by itself: the product may be no number.
  const bool many =
      h.output >= kManyApart || w.output >= kManyApart || h.output * w.output >= kManyApart;
  // Small images of f32 in a batch are better walked together, and then all loops are to add alike:
  // no axes are swapped, see SlideAlongH.
  const bool alike = h.kernel <= kAlikeSide && w.kernel <= kAlikeSide && w.output > 1;
  if (mean && IsByte(p.x_type)) return p.channels >= kFewestBytes;
  if (!many && !alike) return false;
  if (halves) return p.channels >= kFewestHalves && p.channels <= kMostHalves;
  if (!many && p.batch > 1) return false;
  return floats && !many && (mean || IsExtreme(p.op)) && p.channels >= kFewestFloats &&
         p.channels <= kMostFloats;
}

bool PrefersColumnAsRow(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || w.input != 1 || w.output != 1 || h.input == 1) return false;
  const int64_t element = ElementBytes(p.x_type), pixel = p.channels * element;
  if (h.output > 1 || pixel >= kNarrowPixelBytes) return true;
  return p.batch > 1 && pixel <= kTinyPixel && element <= (IsExtreme(p.op) ? 2 : 1);
}

bool SlidesDownColumns(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool sums = p.op == LANEPOOL_OP_AVERAGE && plan.quantization.stage != Stage::kMapped;
  if (kCompact || p.x_type != LANEPOOL_TYPE_FLOAT || !(sums || p.op == LANEPOOL_OP_MAX))
    return false;
  if (plan.axes[0].kernel > 1 || w.kernel > 1 || w.stride > 1 || w.output == 1) return false;
  if (w.output != w.input || IsAdaptive(h) || IsAdaptive(w) || h.dilation > 1) return false;
  if (p.channels * ElementBytes(p.x_type) < kNarrowPixelBytes) return false;
  // Eight terms are neither slid in registers along a row nor shared in blocks.
  if (sums && h.kernel == 8 && h.stride == 1) return false;
  const int64_t more = sums ? kSumColumnBySteps : kColumnBySteps;
  return h.kernel >= (h.stride == 1 ? kColumn : h.stride == 2 ? kColumnByTwo : more);
}

bool KeepsRows(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const int64_t bytes = ElementBytes(p.x_type);
  if (kCompact || w.output != 1 || w.input < 2 || w.kernel > kPixelTaps ||
      (IsByte(p.x_type) && IsPerChannel(p)) || plan.x_stride[kW] != p.channels ||
      p.channels * bytes >= kNarrowPixelBytes) {
    return false;
  }
  if (w.input == 2) return true;
  const bool maximum = IsExtreme(p.op), is_small = h.kernel <= kSideOfFew;
  // The last bits of an average are no matter of the batch.
  if (p.batch > 1 && (maximum || bytes == 1)) return true;
  if (!maximum && bytes == 2) return true;
  if (bytes < 4) return !is_small;
  const int64_t taps = KernelTaps(plan);
  return maximum ? h.kernel > kSideOfSome && taps >= kSomeTaps : taps >= kFewTaps;
}

// Channels of pixels whose rows are walked as such with six taps along an axis, and seven.
// Measured.
int64_t MostOfManyTaps(const lanepool_params& p, int64_t taps) {
  const bool six = taps == 6;
  if (IsByte(p.x_type)) return six ? 96 : 63;
  if (IsExtreme(p.op)) return six ? 24 : 14;
  return six ? 52 : 24;
}

bool PrefersWholeRows(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (kCompact || h.stride != 1 || w.stride != 1) return false;
  const int64_t bytes = ElementBytes(p.x_type), pixel = p.channels * bytes;
  if (p.channels > kMostChannels || !AreWholeRows(plan, p.channels)) return false;
  // Small planes of several images are merged. The last bits of an average are no matter of that.
  const bool maximum = IsExtreme(p.op);
  const bool few = h.output <= kSmallPlane && w.output <= kSmallPlane;  // products are numbers
  const int64_t plane = few ? h.output * w.output * pixel : kSmallPlane + 1;
  const bool merges = maximum && p.batch > 1 && plane <= kSmallPlane;
  if (merges && pixel <= kLinePixel && h.input == 1 && h.output == 1) {
    const bool alone = h.kernel == 1 && w.kernel <= kMostTaps && w.dilation == 1;
    if (alone || plane <= kSmallPlane / 4) return true;
  }
  if (h.kernel > kMostTaps && p.channels > MostOfManyTaps(p, h.kernel)) return false;
  if (!SmallWindows(p, plan, p.channels)) return false;
  if (merges) return true;
  if (h.output < kSomeRows) return false;
  if (bytes == 4 && pixel <= kLinePixel && few && w.output * pixel <= kFewBytes) return true;
  const bool many = h.output * (maximum ? p.batch : 1) / h.dilation >= kManyRows;
  int64_t whole = 1, most = 0;  // channels of pixels that are not ragged, and of those that are
  switch (bytes) {
    case 1:
      if (maximum) whole = w.kernel == 3 ? 32 : 128, most = kMostChannels;
      break;
    case 2:
      if (maximum) whole = 16, most = 24;
      break;
    case 4:
      whole = many ? 16 : 8;
      most = many ? (maximum ? 66 : 52) : w.kernel <= 3 ? 14 : 11;
      break;
    default:
      break;
  }
  return p.channels <= most && p.channels % whole != 0;
}

bool PrefersRowsOfColumns(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const int64_t taps = h.kernel, bytes = ElementBytes(p.x_type), pixel = p.channels * bytes;
  if (kCompact || w.kernel > 1 || w.stride > 1 || plan.axes[0].kernel > 1) return false;
  if (taps == 1 || taps > kMostOfColumn || pixel >= kWideColumn) return false;
  if (p.index_type != LANEPOOL_TYPE_NONE || !AreWholeRows(plan, p.channels)) return false;
  const bool small = pixel < kWideColumn / 2, alone = h.stride == 1;
  if (p.op == LANEPOOL_OP_MAX && !IsRareMaximum(p)) {
    switch (bytes) {
      case 1:
        return small && (h.stride <= 2 || pixel < kWideColumn / 4);
      case 2:
        return taps <= (small ? 8 : 6);
      default:
        return taps >= (small ? 5 : 6) && taps <= 8 && (bytes == 8 || h.stride <= 2);
    }
  }
  // Floats that become bytes are added in the order of those that stay floats.
  const Stage stage = plan.quantization.stage;
  const bool as_floats = stage == Stage::kNone || stage == Stage::kFloats;
  if (p.op != LANEPOOL_OP_AVERAGE || !as_floats) return false;
  switch (p.x_type) {
    case LANEPOOL_TYPE_UINT8:
    case LANEPOOL_TYPE_INT8:
      return small && alone && taps >= 5 && taps <= 10;
    case LANEPOOL_TYPE_BFLOAT16:
      return (small || alone) && taps <= 10;
    case LANEPOOL_TYPE_FLOAT16:
      return small && taps <= 8 && (alone || taps >= 6);
    default:
      return bytes >= 4 && taps >= 6 && taps <= 10;
  }
}

bool PrefersSteps(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const int64_t element = ElementBytes(p.x_type), bytes = p.channels * element;
  // Taps of a window that are a step apart, or several, are columns that its neighbours begin with.
  const bool apart = !IsAdaptive(w) && w.dilation % w.stride != 0;
  const bool maximum = IsExtreme(p.op), overlap = w.kernel > w.stride && apart;
  // Where channels are lanes, a tap of less than a vector takes as long as a whole one, or longer.
  const bool separate = w.kernel > 1 && EffectiveKernel(w) <= w.stride;
  const bool many_taps = bytes == 2 * kShortestVector && w.kernel > kMostColumns &&
                         EffectiveKernel(w) >= w.stride - w.stride / 4 &&
                         (element >= 4 || (element == 1 && maximum));
  if (separate && (bytes < 2 * kShortestVector || many_taps)) {
    return AreWholeRows(plan, p.channels) && PixelsStep(p, plan, p.channels);
  }
  if (apart && HasShortEnds(p, plan)) return PixelsStep(p, plan, p.channels);
  // Columns are folded once for several windows of enough outputs. Only where all loops add few
  // taps in the same order may averages ask for the batch: not where SlideAlongH may swap axes.
  const bool alike = maximum || (KernelTaps(plan) <= kAlikeTaps && w.dilation == 1 &&
                                 h.stride >= EffectiveKernel(h));
  const bool short_rows = element >= 4 || h.output < kSomeRows;
  const bool single = short_rows && (p.batch == 1 || !alike);
  const int64_t least = single ? kSomeOfOneImage : kSomeOutputs;
  if (h.kernel == 1 || w.output < least) return false;
  if (!AreWholeRows(plan, p.channels) || !PixelsStep(p, plan, p.channels)) return false;
  const int64_t most = maximum || element == 1 || element >= 4 ? kMostShared : 4;
  // Averages of three taps are slid in registers, which longer rows gain from.
  const int64_t longest = maximum || w.kernel > 3 || element == 2 ? w.output
                          : element == 1                          ? kShortRowOfBytes
                                                                  : kShortRow;
  if (overlap && w.kernel >= 3 && w.kernel <= most && w.output <= longest) {
    return bytes <= 3 * kShortestVector;
  }
  const bool few = w.kernel > 1 && w.kernel <= (separate ? kMostColumns : kMostJoined) && apart;
  return few && bytes <= 2 * kShortestVector && (maximum || element >= 4);
}

}  // namespace lanepool
