// What the runner asks of the kernels for windows whose lanes are channels, see kernel_table.h.
#ifndef LANEPOOL_SRC_KERNEL_WINDOWS_H_
#define LANEPOOL_SRC_KERNEL_WINDOWS_H_

#include <stdint.h>

#include "kernel_rules.h"
#include "requant.h"

namespace lanepool {

// A window at an end of a row that lacks one tap along W.
struct EdgeWindow {
  bool exists;
  Divisor divisor;
  const Requant* requant;
};

// Of two rows of 3 x 3 taps, the one whose windows lack a row of taps: the first its first, or the
// second its last.
struct EdgeRow {
  enum Which : int32_t { kNone, kFirst, kSecond };
  Which which;
  Divisor divisor, lead, trail;  // of its outputs, and of the windows beside them
};

// Windows of an output row, or two, whose lanes (channels) are contiguous in x and y. All taps are
// inside x.
struct WindowJob {
  const void* x;  // first tap of the first output
  void* y;
  int64_t lanes;
  int64_t outputs;
  int64_t x_output_step;
  int64_t y_output_step;
  int64_t taps[3];     // D, H, W
  int64_t x_tap[3];    // distance of neighbouring taps
  Divisor divisor;     // kSum
  ElementRules rules;  // all outputs are of class 0
  // The windows before the first output and behind the last one: of three taps along W, one window
  // further each, they lack the first or the last. Only for kernels that slide, see IsEdged.
  EdgeWindow lead, trail;
  EdgeRow edge_row;  // of two rows, see Kernels::edge_row_lanes; x is the first tap that there is
  // More than 1: further output rows of the same windows. Only for Kernels::many_rows; but of jobs
  // with IsThreeByThree whose rows begin one tap along H apart, Kernels::two_rows takes no more
  // than 2.
  int64_t rows;
  int64_t x_row_step, y_row_step;
  // Whether y is better written past the caches. y and its steps are multiples of kStreamBytes.
  bool streams;
  // Whether large windows that share no work stay in registers where what they read is near.
  bool in_registers;
  // Whether they are read in shorter pieces: four vectors of channels at a time where others take
  // sixteen, averages of 2x2 taps line by line first. Not where little is read.
  bool by_lines;
  // Whether long pixels are read in longer pieces: four vectors of channels at a time and more
  // where others take one, and of sums of bytes eight where they take four and ask for the next.
  bool by_fours;
  // Whether x is to be fetched from beyond the caches.
  bool far;
};
constexpr int64_t kStreamBytes = 64;

// Whether a job is one of 3 x 3 taps whose windows slide: those may have two rows.
inline bool IsThreeByThree(const WindowJob& job) {
  return job.outputs > 1 && job.taps[0] == 1 && job.taps[1] == 3 && job.taps[2] == 3 &&
         job.x_tap[2] != 0 &&
         (job.x_output_step == job.x_tap[2] || job.x_output_step == 2 * job.x_tap[2]);
}

// Whether a job may have edge windows.
inline bool IsEdged(const WindowJob& job) {
  return job.outputs > 1 && job.taps[2] == 3 && job.x_output_step == job.x_tap[2] &&
         job.x_tap[2] != 0;
}

// Rows of windows of `taps` x `taps` taps, times taps along D, that step by one tap along H and W;
// lanes (channels) are contiguous in x and y. A ring reads each row of x once, bands one and a half
// times. The first windows may lack their first taps, and the last ones their last.
struct RingJob {
  const void* x;  // the first tap that there is
  void* y;        // the first output
  int64_t lanes;  // at least Kernels::ring_lanes
  int64_t rows, outputs;
  int64_t y_row_step, y_output_step;
  int64_t taps, taps_d;
  int64_t x_tap[3];
  bool fetches;  // asks for lines of x and y some time before they are used
  // Where there are bands: of 3 x 3 taps, one along D. Two vectors of lanes at least.
  bool by_bands;
  // Along H, then W: how many lack taps, the first of all and the last of all that many: one, from
  // four taps on two at most, together no more than there are.
  int64_t lead[2], trail[2];
  ElementRules rules;  // without requants
  // What makes results: by the taps that windows lack before kInner, none, behind; so along W too.
  enum Place : int32_t { kInner = 2, kPlaces = 2 * kInner + 1 };
  struct Ending {
    Divisor divisor;
    const Requant* requant;  // null: nothing
  };
  Ending endings[kPlaces][kPlaces];
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_WINDOWS_H_
