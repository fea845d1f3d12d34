#include "tile_rules.h"

#include <stdint.h>

#include "compiled_in.h"
#include "kernel_table.h"
#include "plan_axes.h"

namespace lanepool {
namespace {

constexpr int64_t kTileTaps = 7;
// Lanes of a row at least, of windows of few taps, and of those without pads. All measured.
constexpr int64_t kFewTaps = 3;
constexpr int64_t kRow = 160, kWholeRow = 80;
// Of more taps; of rows of planes that have so many with all taps, and most; of pixels.
constexpr int64_t kLongRow = 600, kTallRow = 256, kManyRows = 10, kLongPixels = 200;

// Lanes of windows of more than a few taps along an axis.
int64_t LeastOfMany(const Plan& plan, bool is_whole, int64_t group) {
  const Axis<int64_t>& h = plan.axes[1];
  if (group > 1) return kLongPixels;
  if (h.kernel == 1) return is_whole ? kRow : kLongRow;
  const int64_t rows = h.interior_end - h.lead;
  return rows >= kManyRows && rows > h.output / 2 ? kTallRow : kLongRow;
}

}  // namespace

bool SumsInTiles(const Plan& plan, int64_t group) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  if (kCompact || plan.axes[0].kernel > 1 || w.stride > 1 || w.kernel == 1) return false;
  if (h.kernel > kTileTaps || w.kernel > kTileTaps) return false;
  // Scratch slides even numbers of taps of pixels, and single rows, as fast.
  if (group > 1 && (h.kernel == 1 || w.kernel == 4 || w.kernel == 6)) return false;
  const bool is_whole = w.lead == 0 && w.interior_end == w.output;
  const bool few = h.kernel <= kFewTaps && w.kernel <= kFewTaps;
  const int64_t least = !few                    ? LeastOfMany(plan, is_whole, group)
                        : is_whole && group > 1 ? kWholeRow
                                                : kRow;
  return EffectiveKernel(w) - 1 <= kTileLanes / group && w.output >= least / group;
}

}  // namespace lanepool
