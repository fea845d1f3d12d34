// The seam between integers and vectors: what the runner asks of the kernels. Kernels know these
// jobs and nothing of plans; the runner knows these tables and nothing of vectors.
//
// Pointers are to elements of the job's type; steps and strides are in elements. A window is folded
// axis by axis, first tap first: along D for each (h, w), then along H for each w, then along W, if
// a job says nothing else. The order belongs to the job: every vector length gives the same bits.
#ifndef LANEPOOL_SRC_KERNEL_TABLE_H_
#define LANEPOOL_SRC_KERNEL_TABLE_H_

#include <stdint.h>

#include "kernel_blocks.h"
#include "kernel_rules.h"
#include "kernel_windows.h"
#include "requant.h"

namespace lanepool {

// What is folded from f32. kSum and kMax are fast and give up on rare values (NaN; for sums also
// infinities and quotients near the subnormal numbers): such a job returns false, its output is
// worthless, and the caller repeats it with kSumExact or KernelsOrdered, which never give up.
enum Reducer : int32_t { kSum, kMax, kSumExact, kReducers };

// What is folded from f64. Averages never give up; of maxima, see kMax.
enum DoubleFold : int32_t { kDoubleSum, kDoubleMax, kDoubleFolds };

// f16 and bf16, summed and divided in f32. These never give up, nor do the kernels below.
enum HalfType : int32_t { kFloat16, kBfloat16, kHalfTypes };

// Maxima of elements of 16, 32 or 64 bits that are compared as integers, see OrderRules.
enum OrderedBits : int32_t { kOrdered16, kOrdered32, kOrdered64, kOrderedSizes };

// Sums of elements that are mapped by TapRules. Results are the sums themselves, f32 or f64.
enum MappedSum : int32_t { kHalfToF32, kF32ToF32, kF64ToF64, kF32ToF64, kMappedSums };

// Folds taps along D and H of whole rows: row r, lane i of scratch is the fold of
// x[r * x_row_step + i * x_lane_step + taps]. `left` and `right` lanes beside it are filled with
// the reducer's identity, so that windows that hang over the edge need no special case.
struct FoldRowsJob {
  const void* x;
  int64_t rows;
  int64_t x_row_step;
  int64_t lanes;
  int64_t x_lane_step;
  int64_t taps[2];  // D, H
  int64_t x_tap[2];
  void* scratch;  // row r: left + lanes + right accumulators at r * pitch
  int64_t pitch;
  int64_t left, right;  // margins; of the first `margined` rows they are there
  int64_t margined;
  ElementRules rules;
};

// Folds along W what FoldRowsJob made: y[r * y_row_step + i] is the fold over j of
// scratch[r * pitch + i * stride + j * tap_step], then the division. Reads up to kScratchSlack
// lanes behind the last row.
struct SlideRowsJob {
  const void* scratch;
  int64_t pitch;
  int64_t rows;
  void* y;
  int64_t y_row_step;
  int64_t lanes;
  int64_t stride;
  int64_t taps;
  int64_t tap_step;
  // Sums: lanes [uniform_begin, uniform_end) divide by `divisor`, the others by counts[i] *
  // other_count, which is less. Up to kCountSlack counts behind the lanes are read.
  Divisor divisor;
  int64_t uniform_begin, uniform_end;
  const float* counts;
  float other_count;
  // Bytes: lanes [uniform_begin, uniform_end) are of class 0, the others of classes[i], below
  // class_count. Up to kCountSlack classes behind the lanes are read.
  ElementRules rules;
  const uint8_t* classes;
  int32_t class_count;
};

// Whole planes of contiguous rows; what a window has outside the input counts as identity.
// Kernels::planes: windows that step by 1 along W, folded along D, then W, then H. planes_by_two:
// windows that step by more, of those that have a loop, folded along D, then H, then W.
struct PlanesJob {
  const void* x;  // first position of the first plane
  void* y;        // first output row of the first plane
  int64_t planes;
  int64_t x_plane_step, y_plane_step;
  int64_t taps_d, x_tap_d;  // all inside x
  int64_t rows;             // outputs along H; window r begins at row h_first + r * h_stride
  int64_t x_row_step, y_row_step;
  int64_t h_input, h_first, h_stride, taps_h, h_tap;
  int64_t lanes;  // outputs along W; window i begins at position w_first + i * (the step)
  int64_t w_input, w_first, taps_w, w_tap, w_stride, group;  // group: lanes of a position
  // Sums divide by w_counts[lane] * h_counts[row], up to divisor.divisor. Up to kCountSlack of
  // w_counts behind the lanes are read, and are 1.
  const float* w_counts;
  const float* h_counts;
  Divisor divisor;
  // Bytes: the class of an output is h_classes[row] * class_count + w_classes[lane]. Up to
  // kCountSlack of w_classes behind the lanes are read. Of more than kSumsOfTile lanes only the
  // first kFlatEnds are there, and behind them the last ones.
  ElementRules rules;
  const uint8_t* w_classes;
  const uint8_t* h_classes;
  int32_t class_count;  // along W
  bool across_first;    // Kernels::packed: sums are folded along W, then H
  bool far;             // whether x is to be fetched from beyond the caches
  bool by_lines;  // whether rows are walked in wider strips, so that x is read in longer pieces
};

// One long window per output: `length` contiguous lanes, times taps along D and H. Lane i of each
// run goes to accumulator i mod kRunWidth, and the accumulators are combined in halves.
struct FoldRunJob {
  const void* x;
  void* y;
  int64_t outputs;
  int64_t x_output_step;
  int64_t y_output_step;
  // More than 1: so many rows of outputs, x_row_step apart, that follow each other in y without
  // gaps. Only for Kernels::many_rows, and of sums of bytes only where windows AreSideBySide or are
  // laid out, see MoveKernels.
  int64_t rows;
  int64_t x_row_step;
  // The same of planes of such rows. Only of bytes that are laid out, and of sums of such windows.
  int64_t planes;
  int64_t x_plane_step;
  int64_t length;
  int64_t taps[2];
  int64_t x_tap[2];
  Divisor divisor;
  ElementRules rules;
  bool far;  // whether x is to be fetched from beyond the second cache
};

// Windows of bytes that lie side by side and have whole eighths of each row, of so many bytes at
// most; of one row of less than a run, which is as fast by itself. Measured.
constexpr int64_t kMostEighths = 2048, kRunOfEighths = 32;
constexpr bool AreSideBySide(const FoldRunJob& job) {
  const bool rows = job.taps[0] > 1 || job.taps[1] > 1;
  return job.outputs > 1 && job.x_output_step == job.length && job.length % 8 == 0 &&
         job.length <= (rows ? kMostEighths : kRunOfEighths - 1);
}

constexpr int64_t kTileLanes = 256;    // SlideRowsJob::lanes at most
constexpr int64_t kSumsOfTile = 512;   // lanes of a PlanesJob of sums of bytes at most
constexpr int64_t kFlatLanes = 65536;  // the same of rows for FlatRows, which are at most so many
constexpr int64_t kFlatReach = 256;    // with what their windows reach beyond them
constexpr int64_t kFlatEnds = 4;
constexpr int64_t kPixelColumns = 1024;  // lanes of the positions of a PlanesJob with a group
constexpr int64_t kShortRows = 64;       // rows of a plane for ShortMaxima at most
constexpr int64_t kCountSlack = 64;
constexpr int64_t kScratchSlack = 256;
constexpr int64_t kRunWidth = 32;

// The kernels that fold in one way, on one instruction set. A false result: see Reducer. Kernels
// that no plan can ask for are null.
struct Kernels {
  bool (*window)(const WindowJob&);
  bool (*fold_rows)(const FoldRowsJob&);
  bool (*slide_rows)(const SlideRowsJob&);
  bool (*fold_run)(const FoldRunJob&);
  bool (*planes)(const PlanesJob&);
  bool (*planes_by_two)(const PlanesJob&);
  BlocksOf blocks;
  bool lanes_are_elements;       // x may be scratch of `slide_rows`
  bool edges;                    // whether `window` takes jobs with edge windows
  bool two_rows;                 // and jobs of two rows, see IsThreeByThree
  bool many_rows;                // and of several rows, as `fold_run` does but of sums of bytes
  uint8_t ring_taps;             // sets of RingJob::taps that `ring` knows: 1 << taps
  int32_t edge_row_lanes;        // that `window` needs for an EdgeRow; 0: it takes none
  int32_t ring_lanes;            // that `ring` needs
  bool (*ring)(const RingJob&);  // null: none; false also of a requantization it does not know
  bool (*moved)(const PlanesJob&) = nullptr;    // see kernel_moves.h; null: there is none
  bool (*packed)(const PlanesJob&) = nullptr;   // the same of short rows
  bool (*chained)(const PlanesJob&) = nullptr;  // the same of rows that AreChained
};
constexpr Kernels kNoKernels{};  // of what is left out of a library

// Windows of a row that differ along W: lane i has so many times the taps that the job names, and
// its divisor so many times the job's. Null: all lanes are alike.
struct LaneExtents {
  const double* taps;
  const double* counted;
};

// Results of folds on their way to y: lanes of a stage become lanes of y. `per_lane`: each lane has
// entries of its own in the arrays below, else they have one entry for all.
struct FinishJob {
  const void* from;
  void* to;
  int64_t lanes;
  int64_t rows;  // of lanes, all alike
  int64_t from_step, to_step;
  bool per_lane;
  uint8_t x_flip;  // widen
  // From sums: the function of the sum in its 64-bit form, see WidenRequant.
  struct Steps64 {
    const uint32_t* multiplier;
    const uint32_t* sum_least;
    const uint32_t* sum_most;
    const uint32_t* shapes;  // shift | flip << 8 | y_offset << 16
    const uint32_t* caps;    // slack | (slack + span) << 16; 0xFFFF0000 without slack
    const uint32_t* add32;   // where `narrow`
    const uint32_t* add_high32;
    const uint64_t* add;
    const uint64_t* add_high;
    bool narrow;  // 32-bit lanes are enough for all entries, and none has slack
  } steps;
  // Between floats and bytes. A real number is scale * (q - zero_point).
  const float* scales;
  const int32_t* zero_points;  // bytes as they are, signed or not
  double taps;                 // sums: how many zero points a sum contains, x being unsigned
  double divisor;
  int32_t y_least, y_most;  // floats to bytes; as y is, signed or not
  int32_t rounding;         // LANEPOOL_ROUND_*
  uint8_t y_flip;
  double x_offset;      // sums to shorts: what each of `taps` elements was raised by
  LaneExtents extents;  // sums to shorts
};

// Sums of KernelsMapped, in rows, on their way to y.
struct MeanJob {
  const void* sums;    // f32 or f64
  const void* counts;  // terms that are not NaN, as floats too; null: all
  void* to;
  int64_t lanes, rows;
  int64_t from_step, to_step;
  bool doubles;  // sums are f64
  enum To : int32_t { kF32, kF64, kF16, kBf16 } type;
  double divisor;
  double taps;         // with counts: what the counts are held against,
  bool counts_divide;  // and whether missing terms leave the divisor
  double root;         // > 1: the root of this order is taken
  LaneExtents extents;
};

// Sums of bytes on their way to bytes, by any divisor: with d = sum - bias the output is the
// integer nearest to d * factor, plus zero_point, between limits. Where lanes differ, the bias is
// so many times `taps` of the lane, and the factor is divided by its `counted`.
struct QuotientJob {
  const uint32_t* from;
  uint8_t* to;
  int64_t lanes, rows;
  int64_t from_step, to_step;
  float factor;
  int32_t bias;  // below 2^31, as are all sums
  const float* taps;
  const float* counted;  // null: all lanes are alike
  int32_t zero_point, y_least, y_most;
  uint8_t y_flip;
  // Lanes whose output is uncertain, to be set by the kernel, row * lanes + lane: so close to the
  // middle of two integers that the arithmetic cannot tell the nearest.
  uint16_t* doubtful;
};

// Lanes of y between two limits, in place.
struct ClampJob {
  void* y;
  int64_t lanes, step;
  int32_t bytes;            // of an element: 2, 4 or 8
  const OrderRules* order;  // of y; NaN stays
  int64_t low, high;        // as elements compare
};

struct FinishKernels {
  void (*widen)(const FinishJob&);            // bytes to u32, s8 as x + 128
  void (*sums_to_bytes)(const FinishJob&);    // u32 to bytes
  int64_t (*quotients)(const QuotientJob&);   // the same, returns how many are doubtful
  void (*sums_to_floats)(const FinishJob&);   // u32 to f32
  void (*sums_to_shorts)(const FinishJob&);   // u32 to u16 or s16
  void (*floats_to_bytes)(const FinishJob&);  // f32 to bytes
  void (*means)(const MeanJob&);
  void (*clamp)(const ClampJob&);
};

// Windows whose taps are taken one after the other, row-major: D, H, W. Lanes are outputs:
// channels, or positions along W.
struct TapsJob {
  const void* x;  // first tap along D and H, position 0 along W, first channel
  int64_t lanes;
  int64_t x_lane_step;
  int64_t taps[3];
  int64_t x_tap[3];
  // Tap t of lane i is at position w_first + i * w_step + t * w_tap along W, and there if that is
  // at least 0 and below w_input.
  int64_t w_first, w_step, w_tap, w_input;
  int64_t x_w_step;  // distance of neighbouring positions along W
  void* y;           // sums: f32 or f64; positions: u32 or, of elements of 64 bits, u64
  // Positions: tap (d, h, w) is d * steps[0] + h * steps[1] + w * steps[2]; all bits set where no
  // tap is there.
  int64_t steps[3];
  ElementRules rules;
};

// Rows of positions on their way to `index`.
struct IndicesJob {
  const void* places;  // as TapsJob gives them
  bool wide_places;    // u64
  void* to;
  bool wide;  // int64
  int64_t to_step;
  int64_t lanes;
  int64_t base, lane_step;  // the index of lane i is base + i * lane_step + its place, or -1
};

// Elements among which TapsKernels find the maximum.
enum Placing : int32_t { kPlace8, kPlace16, kPlace32, kPlace64, kPlaceF32, kPlacings };

struct TapsKernels {
  // One accumulator, by MappedSum.
  void (*sums[kMappedSums])(const TapsJob&);
  // Of the first tap that no later one is above.
  void (*positions[kPlacings])(const TapsJob&);
  void (*indices)(const IndicesJob&);
};

// The kernels for `target`, one Highway target bit that is compiled in.
const Kernels* KernelsFloat(int64_t target);    // by Reducer
const Kernels* KernelsDouble(int64_t target);   // by DoubleFold
const Kernels* KernelsHalf(int64_t target);     // by HalfType
const Kernels* KernelsOrdered(int64_t target);  // by OrderedBits
const Kernels* KernelsMapped(int64_t target);   // by MappedSum
const Kernels* KernelsBytes(int64_t target);    // by ByteReducer
const TapsKernels* KernelsTaps(int64_t target);
const FinishKernels* KernelsFinish(int64_t target);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_TABLE_H_
