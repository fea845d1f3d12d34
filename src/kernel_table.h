// The seam between integers and vectors: what the runner asks of the kernels. Kernels know these
// jobs and nothing of plans; the runner knows these tables and nothing of vectors.
//
// Pointers are to elements of the job's type; steps and strides are in elements. A window is folded
// axis by axis, first tap first: along D for each (h, w), then along H for each w, then along W,
// unless a job says otherwise. The order belongs to the job, so every vector length gives the same
// bits.
#ifndef LANEPOOL_SRC_KERNEL_TABLE_H_
#define LANEPOOL_SRC_KERNEL_TABLE_H_

#include <stdint.h>

namespace lanepool {

// What is folded. kSum and kMax are fast and give up on rare values (NaN; for sums also infinities
// and quotients near the subnormal numbers): such a job returns false, its output is worthless, and
// the caller repeats it with the exact reducer of the same operation, which never gives up.
enum Reducer : int32_t { kSum, kMax, kSumExact, kMaxPropagateNan, kMaxIgnoreNan, kReducers };

// Division of a sum by a positive constant.
struct Divisor {
  float divisor;
  float reciprocal;  // correctly rounded
  // Sums s with min(2 * |bits of s| - 1, ~(2 * |bits of s|)) below this are rare values.
  uint32_t rare_below;
};

// Windows of one output row whose lanes (channels) are contiguous in x and y. All taps are inside
// x.
struct WindowJob {
  const void* x;  // first tap of the first output
  void* y;
  int64_t lanes;
  int64_t outputs;
  int64_t x_output_step;
  int64_t y_output_step;
  int64_t taps[3];   // D, H, W
  int64_t x_tap[3];  // distance of neighbouring taps
  Divisor divisor;   // kSum
};

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
  int64_t left, right;
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
};

// Whole planes of contiguous rows, windows of few taps that step by 1 along W: folded along D, then
// W, then H, in registers. What a window has outside the input counts as identity.
struct PlanesJob {
  const void* x;  // first position of the first plane
  void* y;        // first output row of the first plane
  int64_t planes;
  int64_t x_plane_step, y_plane_step;
  int64_t taps_d, x_tap_d;  // all inside x
  int64_t rows;             // outputs along H; window r begins at row h_first + r * h_stride
  int64_t x_row_step, y_row_step;
  int64_t h_input, h_first, h_stride, taps_h, h_tap;
  int64_t lanes;  // outputs along W; window i begins at position w_first + i
  int64_t w_input, w_first, taps_w, w_tap;
  // Sums divide by w_counts[lane] * h_counts[row], up to divisor.divisor. Up to kCountSlack of
  // w_counts behind the lanes are read.
  const float* w_counts;
  const float* h_counts;
  Divisor divisor;
};

// One long window per output: `length` contiguous lanes, times taps along D and H. Lane i of each
// run goes to accumulator i mod kRunWidth, and the accumulators are combined in halves.
struct FoldRunJob {
  const void* x;
  void* y;
  int64_t outputs;
  int64_t x_output_step;
  int64_t y_output_step;
  int64_t length;
  int64_t taps[2];
  int64_t x_tap[2];
  Divisor divisor;
};

constexpr int64_t kTileLanes = 256;  // SlideRowsJob::lanes at most
constexpr int64_t kCountSlack = 64;
constexpr int64_t kScratchSlack = 256;
constexpr int64_t kRunWidth = 32;

// Kernels of one element type on one instruction set. A false result: see Reducer.
struct KernelTable {
  bool (*window[kReducers])(const WindowJob&);
  bool (*fold_rows[kReducers])(const FoldRowsJob&);
  bool (*slide_rows[kReducers])(const SlideRowsJob&);
  bool (*fold_run[kReducers])(const FoldRunJob&);
  bool (*planes[kReducers])(const PlanesJob&);
};

// The table of f32 for `target`, one Highway target bit that is compiled in.
const KernelTable* KernelsFloat(int64_t target);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_TABLE_H_
