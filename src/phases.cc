#include "phases.h"

#include <stdint.h>

#include "axis.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Outputs of a block at most: beyond, they would cost more scratch than they save.
constexpr int64_t kMostBlock = 128;

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }
int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }  // NOLINT: b >= 1

int64_t Gcd(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace

Phases PhasesOf(const Axis64& axis) {
  // Divisions are slow, and most windows are not dilated. A single tap has no neighbours.
  if (axis.kernel == 1 || axis.dilation == 1) return {1, axis.stride, 1};
  const int64_t common = Gcd(axis.stride, axis.dilation);
  // Of more phases than outputs only some are there. Two at least: windows are dilated.
  const int64_t phases = Min(axis.dilation / common, Max(axis.output, 2));
  return {phases, axis.stride / common, axis.dilation};
}

Sequence SequenceOf(const Axis64& axis, int64_t phase, int64_t block, int64_t begin, int64_t end) {
  const Phases phases = PhasesOf(axis);
  const int64_t dilation = phases.dilation;
  if (dilation == 1) {
    const int64_t first = WindowStart(axis, begin);
    const int64_t skip = begin == 0 ? 0 : begin % block;
    return {begin, 1, Max(0, end - begin), 0, axis.input, first, axis.stride, skip};
  }
  const int64_t from = CeilDiv(Max(0, begin - phase), phases.phases);
  const int64_t to = CeilDiv(Max(0, end - phase), phases.phases);
  Sequence s;
  s.output = phase + from * phases.phases;
  s.step = phases.phases;
  s.outputs = Max(0, to - from);
  const int64_t start = WindowStart(axis, phase);
  s.residue = start % dilation + (start % dilation < 0 ? dilation : 0);
  s.positions = axis.input <= s.residue ? 0 : (axis.input - 1 - s.residue) / dilation + 1;
  s.first = (start - s.residue) / dilation + from * phases.stride;
  s.stride = phases.stride;
  s.skip = from % block;
  return s;
}

int16_t BlockOf(const Axis64& axis) {
  const Phases phases = PhasesOf(axis);
  const int64_t outputs = CeilDiv(axis.output, phases.phases);
  const int64_t sharing = Min(Min(outputs, (axis.kernel - 1) / phases.stride + 1), kMostBlock);
  const int64_t block = CeilDiv(outputs, CeilDiv(outputs, sharing));
  // Taps to load for each output, and the folds that wait.
  const int64_t taps = axis.kernel + (block - 1) * phases.stride;
  return static_cast<int16_t>(taps + 2 * block <= axis.kernel * block ? block : 1);
}

}  // namespace lanepool
