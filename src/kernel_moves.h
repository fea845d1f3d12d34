// What the runner asks of kernels that move lanes by one instruction, see kernel_table.h.
#ifndef LANEPOOL_SRC_KERNEL_MOVES_H_
#define LANEPOOL_SRC_KERNEL_MOVES_H_

#include <stdint.h>

#include "kernel_table.h"

namespace lanepool {

// Taps along W of a PlanesJob for Kernels::moved at most. Each window has one that is there along
// W, and one along H.
constexpr int64_t kMovedTaps = 16;
// Positions from the first to the last tap of a window at most: each, before the row or behind it,
// has a number that is told from those of the row by 8 bits with a sign.
constexpr int64_t kMovedReach = 128;
// Outputs of windows of so many columns at a step, whose columns are in one or two vectors of so
// many lanes but the last: at most a vector, 0 if not one.
constexpr int64_t MovedOutputs(int64_t vectors, int64_t lanes, int64_t window, int64_t step) {
  const int64_t more = vectors * lanes - 1 - window;
  return more < 0 ? 0 : more / step + 1 < lanes ? more / step + 1 : lanes;
}

// The same of maxima of bytes, and rows of those. Null where bytes do not move so.
struct MoveKernels {
  bool (*maxima)(const PlanesJob&);
  bool (*double_rows)(const DoublingJob&);  // false: these rows are not short
};

const MoveKernels* KernelsMoves(int64_t target);  // for MovesTarget of another

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_MOVES_H_
