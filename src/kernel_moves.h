// What the runner asks of kernels that move lanes by one instruction, see kernel_table.h.
#ifndef LANEPOOL_SRC_KERNEL_MOVES_H_
#define LANEPOOL_SRC_KERNEL_MOVES_H_

#include <stdint.h>

#include "kernel_table.h"

namespace lanepool {

// Taps along W of a PlanesJob for Kernels::moved at most. Each window has one that is there along
// W, and one along H.
constexpr int64_t kMovedTaps = 16;
// Taps along each of H and W at most where results are formulas of several kinds of windows.
constexpr int64_t kFormulaTaps = 7;
// Positions from the first to the last tap of a window at most: each, before the row or behind it,
// has a number that is told from those of the row by 8 bits with a sign.
constexpr int64_t kMovedReach = 128;
// Outputs of windows of so many columns at a step, whose columns are in one or two vectors of so
// many lanes but the last: at most a vector, 0 if not one.
constexpr int64_t MovedOutputs(int64_t vectors, int64_t lanes, int64_t window, int64_t step) {
  const int64_t more = vectors * lanes - 1 - window;
  return more < 0 ? 0 : more / step + 1 < lanes ? more / step + 1 : lanes;
}

// Rows of a PlanesJob for Kernels::chained: as many outputs as positions, windows that step by one
// and have a tap where their output is, and nothing between rows in x and y. Bytes of lanes of the
// rows of x that a plane's windows have at most, or of one row where each has one.
constexpr int64_t kChainedBytes = 4 << 10;
// Taps along H at most, along W before an output or behind it, and positions to those.
constexpr int64_t kChainedTaps = 8, kChainedBeside = 3;
constexpr int64_t ChainedReach(int64_t lane_bytes) {
  const int64_t lanes = 64 / lane_bytes;
  return lanes < 56 ? lanes : 56;
}
// Whether elements of so many bytes are chained in windows of one row only: of several rows they
// have loops that are faster.
constexpr bool ChainsAlone(int64_t bytes) { return bytes >= 4; }

// Rows of a PlanesJob so short that a vector has the outputs of several: a pack.
struct ShortRows {
  int64_t planes, rows, step;  // rows of x from one output row to the next
  int64_t input, outputs;      // lanes of a row
  bool dense;                  // x and y have nothing between rows
  bool next;                   // planes of y have nothing between them
};

// Packs of the rows of a plane in a PlanesJob for Kernels::packed at most.
constexpr int64_t kMostPacks = 64;

// What a pack has: rows that follow each other in y, from one vector of columns or two. The second
// one has the next rows of the plane, or the same ones of the next plane.
struct Packs {
  int64_t of_vector[2];  // rows; 0 of both: there are no packs
  bool two_planes;
  bool wide;  // one row, whose columns are two vectors

  constexpr int64_t All() const { return of_vector[0] + of_vector[1]; }
  constexpr int64_t Rows() const { return two_planes ? of_vector[0] : All(); }  // of a plane
};

// In vectors of so many outputs, and of so many columns that may be read. `alone`: a pack may have
// one row.
constexpr Packs PacksOf(const ShortRows& r, int64_t lanes, int64_t columns, bool alone = false) {
  constexpr Packs kNone = {{0, 0}, false, false};
  // The last column of two vectors has a number that is no tap's.
  if (r.outputs > lanes || r.input >= lanes + columns) return kNone;
  if (r.input > columns) return alone ? Packs{{1, 0}, false, true} : kNone;
  const int64_t most = lanes / r.outputs;
  int64_t rows = 1;
  if (r.rows > 1 && r.dense && r.step <= columns) rows += (columns - r.input) / (r.step * r.input);
  if (rows >= r.rows && r.planes > 1 && r.next && (r.dense || r.rows == 1) && 2 * r.rows <= most) {
    return {{r.rows, r.rows}, true, false};
  }
  const auto least = [](int64_t a, int64_t b) { return a < b ? a : b; };
  const int64_t one = r.dense ? least(least(rows, most), r.rows) : 1;
  const int64_t two = r.dense ? least(2 * least(rows, most / 2), r.rows) : 0;
  if (two > one) return {{(two + 1) / 2, two / 2}, false, false};
  return one > 1 || alone ? Packs{{one, 0}, false, false} : kNone;
}

// Bytes of a row of a window at most, for MoveKernels that lay them out.
constexpr int64_t kMostLaidOut = 32;

// Taps along W for MoveKernels::pixel_pairs at most.
constexpr int64_t kMostPairTaps = 4;
// Pixels of so many channels that it sums at once, `step` bytes apart, whose windows span so many
// of a row. 0: none.
constexpr int64_t PixelsAtOnce(int64_t group, int64_t step, int64_t span) {
  constexpr int64_t kBytes = 64;
  if (2 * group > kBytes || span > kBytes) return 0;
  if (step > kBytes - span) return 1;
  // Small numbers divide faster.
  const uint32_t fit = uint32_t{kBytes / 2} / static_cast<uint32_t>(group);
  const uint32_t reached = static_cast<uint32_t>(kBytes - span) / static_cast<uint32_t>(step) + 1;
  return fit < reached ? fit : reached;
}

// What moves bytes, null where they do not move so. Kernels::moved and packed of maxima, and rows
// of those; sums of windows side by side; and Kernels::moved of sums of whole windows of pixels.
struct MoveKernels {
  bool (*maxima)(const PlanesJob&);
  bool (*packed)(const PlanesJob&);
  bool (*chained)(const PlanesJob&);
  bool (*double_rows)(const DoublingJob&);  // false: these rows are not short
  bool (*laid_out16)(const FoldRunJob&);    // of KernelsBytes[kSum16], which finishes sums,
  bool (*laid_out32)(const FoldRunJob&);    // and of kSum32, which stores them
  bool (*laid_out_maxima)(const FoldRunJob&);
  bool (*pixel_pairs)(const PlanesJob&);
};

const MoveKernels* KernelsMoves(int64_t target);  // for MovesTarget of another

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_MOVES_H_
