// The windows of a pooling job, one output at a time: section 2 of the semantics.
#ifndef LANEPOOL_TESTS_ORACLE_WINDOW_H_
#define LANEPOOL_TESTS_ORACLE_WINDOW_H_

#include <cstdint>
#include <vector>

#include "oracle.h"
#include "types.h"

namespace oracle {

// One spatial axis. Axes at and beyond the rank have one tap at the only place. With
// adaptive_outputs, which is else 0, each output has a window of its own.
struct Axis {
  int64_t input, kernel, stride, dilation, pad_begin, pad_end;
  int64_t adaptive_outputs;
};

// The attributes of spatial axis i < rank as the params give them: auto_pad is not resolved.
Axis AxisOf(const lanepool_params& params, int i);

// The taps of one output along one axis: start, start + dilation, .. kernel of them.
struct Window {
  int64_t start, kernel, dilation;
};
Window WindowOf(const Axis& axis, int64_t output);

// Everything has three spatial axes here. For MAX_UNPOOL the axes do not matter.
struct Job {
  Axis axes[3];
  Tensor x, y;
};
Job JobOf(const lanepool_params& params, const Shape& shape);

// The taps of one output that lie in the input: along each axis the window, the first of its taps
// that does, and how many do.
struct TapRange {
  int64_t first, taps;
};
struct InsideTaps {
  Window windows[3];
  TapRange axes[3];

  int64_t All() const;
};

// The values of these taps, in row-major order, how many lie in the input or in the pads (neither
// the overhang of ceil_mode nor anything beyond it is counted), and how many the window has.
struct Taps {
  std::vector<double> values;
  int64_t inside_pads;
  int64_t all;
  int64_t skipped = 0;  // NaN that were taken out of `values`
};

// A position in a tensor: N, C, D1, D2, D3.
using Position = int64_t[5];

int64_t Offset(const Tensor& tensor, const Position& at);

InsideTaps InsideTapsOf(const Job& job, const Position& at);

Taps TapsOf(const Job& job, const Position& at, int32_t type, const void* x);

// Where a tap is: its position in the plane and its number in the window, both row major.
struct Place {
  int64_t t[3];
  int64_t number;
};
Place PlaceOfTap(const InsideTaps& inside, size_t tap);

// For NAN_IGNORE with AVERAGE, SUM and LP: NaN taps are taken out, unless there is nothing else.
// Otherwise the taps as they are.
Taps WithoutNans(const lanepool_params& params, Taps taps);

// Calls visit(position, offset in y) for every output.
template <typename Visit>
void ForEachOutput(const Tensor& y, const Visit& visit) {
  int64_t at[5];
  for (at[0] = 0; at[0] < y.sizes[0]; ++at[0]) {
    for (at[1] = 0; at[1] < y.sizes[1]; ++at[1]) {
      for (at[2] = 0; at[2] < y.sizes[2]; ++at[2]) {
        for (at[3] = 0; at[3] < y.sizes[3]; ++at[3]) {
          for (at[4] = 0; at[4] < y.sizes[4]; ++at[4]) visit(at, Offset(y, at));
        }
      }
    }
  }
}

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_WINDOW_H_
