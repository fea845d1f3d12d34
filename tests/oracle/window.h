// The windows of a pooling job, one output at a time: section 2 of the semantics.
#ifndef LANEPOOL_TESTS_ORACLE_WINDOW_H_
#define LANEPOOL_TESTS_ORACLE_WINDOW_H_

#include <cstdint>
#include <vector>

#include "oracle.h"

namespace oracle {

// One spatial axis. Axes at and beyond the rank have one tap at the only place.
struct Axis {
  int64_t input, kernel, stride, dilation, pad_begin, pad_end;
};

// The attributes of spatial axis i < rank as the params give them: auto_pad is not resolved.
Axis AxisOf(const lanepool_params& params, int i);

// Everything has three spatial axes here.
struct Job {
  Axis axes[3];
  Tensor x, y;
};
Job JobOf(const lanepool_params& params, const Shape& shape);

// The taps of one output that lie in the input, in row-major order, and how many lie in the input
// or in the pads: neither the overhang of ceil_mode nor anything beyond it is counted.
struct Taps {
  std::vector<double> values;
  int64_t inside_pads;
};

// A position in a tensor: N, C, D1, D2, D3.
using Position = int64_t[5];

int64_t Offset(const Tensor& tensor, const Position& at);

// Every type of up to 32 bits, and double, is exact as a double.
double Load(int32_t type, const void* base, int64_t index);

Taps TapsOf(const Job& job, const Position& at, int32_t type, const void* x);

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
