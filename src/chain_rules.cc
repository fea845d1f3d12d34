#include "chain_rules.h"

#include <stdint.h>

#include "axis.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "plan.h"
#include "strategy.h"
#include "turn_rules.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Positions of all planes of an item from which on masks pay for themselves, for rows that have
// a vector and less, for others, and for those that gain most. Planes of windows of several rows,
// which have masks of their own. Measured, as is all below.
constexpr int64_t kMany = 16384, kSome = 4096, kFew = 2048, kFewest = 1024, kLeastPlanes = 16;
// Rows of such planes, and positions of planes of bytes.
constexpr int64_t kSomeRows = 13, kManyBytes = 700;

// Windows of one row each, `taps` of them in rows of `width` positions, so many in all.
bool PaysForBytes(int64_t width, int64_t taps, int64_t all) {
  if (width > 64) return all >= kFewest;
  if (taps <= 3) return all >= (width <= 31 ? kFew : kSome);
  return taps <= 5 && width <= 56 && all >= kMany;
}
bool PaysForShortMaxima(int64_t width, int64_t taps, int64_t all) {
  if (width > 64 || (width > 32 && taps <= 3)) return all >= kFewest;
  if (all < kSome) return false;
  if (width > 32) return taps <= 5 || width <= 48;
  return taps <= 3 ? width > 10 && width <= 24 : taps <= 5 && width > 16 && width <= 20;
}
bool PaysForMaximaOfFloats(int64_t width, int64_t taps, int64_t all) {
  if (taps <= 3) return all >= (width > 16 ? kFewest : kFew);
  if (taps <= 5) return width > 16 ? all >= kFew : width >= 10 && width <= 13 && all >= kSome;
  const bool wastes = (width > 16 && width <= 20) || (width > 32 && width <= 36);
  return all >= kSome && (wastes || (width > 48 && width <= 320));
}
bool PaysForAverages(int64_t width, int64_t taps, int64_t all, int64_t least) {
  if (width < 10) return taps <= 3 && all >= kSome;
  if (all < least) return false;
  return taps > 5 ? width <= 48 : width <= (taps % 2 == 0 ? 60 : 100);
}

// The same of windows of several rows, in planes of so many.
bool PaysForPlanesOfBytes(int64_t rows, int64_t width, int64_t taps) {
  if (taps > 5 || width <= 10) return false;
  const bool wastes = (width > 32 && width <= 40) || (width > 64 && width <= 70);
  return wastes ? rows >= kSomeRows : width <= 32 && rows * width >= kManyBytes;
}
bool PaysForPlanesOfShortMaxima(int64_t rows, int64_t width, int64_t taps) {
  if (taps > 5 || rows < kSomeRows) return false;
  if (taps > 3) return width >= (taps == 4 ? 10 : 16);
  return (width >= 12 && width <= 17) || (width > 32 && width <= (taps == 2 ? 40 : 48));
}
bool PaysForPlanesOfHalves(int64_t rows, int64_t width, int64_t taps) {
  if (taps > 5 || rows < kSomeRows) return false;
  if (taps > 3) return width > 16 && width <= 48;
  return taps == 3 && ((width > 16 && width <= 24) || (width > 32 && width <= 40));
}

bool IsHalf(const lanepool_params& p) {
  return p.x_type == LANEPOOL_TYPE_FLOAT16 || p.x_type == LANEPOOL_TYPE_BFLOAT16;
}

// Whether there is a loop for the windows, whose lanes have so many bytes.
bool CanChain(const lanepool_params& p, const Plan& plan, int64_t lane_bytes) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (plan.strategy.group != 1 || plan.axes[0].kernel != 1) return false;
  if (IsAdaptive(h) || IsAdaptive(w) || HasEmptyWindow(h) || HasEmptyWindow(w)) return false;
  if (h.stride != 1 || w.stride != 1 || w.output != w.input || w.kernel == 1) return false;
  if (h.kernel > kChainedTaps || w.kernel > 2 * kChainedBeside + 1) return false;
  const int64_t reach = EffectiveKernel(h) - 1, most = kChainedBytes / lane_bytes;
  if (w.input > most || reach >= most || most / w.input <= reach) return false;
  if (!IsExtreme(p.op) && w.input > kTileLanes) return false;  // divisors have no more
  if (w.dilation > ChainedReach(lane_bytes)) return false;
  if (w.pad_begin % w.dilation != 0) return false;
  const int64_t lead = w.pad_begin / w.dilation, trail = w.kernel - 1 - lead;
  const int64_t beside = lead > trail ? lead : trail;
  if (beside > kChainedBeside) return false;
  return beside * w.dilation <= ChainedReach(lane_bytes) && plan.x_stride[kW] == 1 &&
         plan.y_stride[kW] == 1 && plan.x_stride[kH] == w.input && plan.y_stride[kH] == w.output;
}

// Whether sums of the loop of the plan are those of chained rows: see docs/decisions/0003.
bool HasLoop(const lanepool_params& p, const Plan& plan) {
  const Loop loop = LoopOf(plan);
  if (loop == Loop::kPlanes || loop == Loop::kRows) return true;
  return IsExtreme(p.op) && loop == Loop::kBlocks;
}

}  // namespace

bool AreChained(const lanepool_params& p, const Plan& plan) {
  const bool is_max = IsExtreme(p.op), is_half = IsHalf(p);
  const int64_t bytes = ElementBytes(p.x_type);
  const bool is_float = is_half || p.x_type == LANEPOOL_TYPE_FLOAT;
  if (bytes < 1 || bytes > 4 || !(is_max || (p.op == LANEPOOL_OP_AVERAGE && is_float)))
    return false;
  if (!HasLoop(p, plan) || !CanChain(p, plan, is_max ? bytes : 4)) return false;
  const int64_t rows = plan.axes[1].output, width = plan.axes[2].input;
  const int64_t taps = plan.axes[2].kernel;
  const int64_t planes = PlanesOfItem(plan, PlanesOf(p, plan).channels);
  if (plan.axes[1].kernel == 1) {
    // More of them are as many.
    const int64_t in_all = planes < kMany && rows < kMany ? planes * rows : kMany;
    const int64_t all = in_all < kMany ? in_all * width : kMany;
    if (!is_max) return PaysForAverages(width, taps, all, is_half ? kFew : kSome);
    return bytes == 1   ? PaysForBytes(width, taps, all)
           : bytes == 2 ? PaysForShortMaxima(width, taps, all)
                        : PaysForMaximaOfFloats(width, taps, all);
  }
  if (ChainsAlone(bytes) || planes < kLeastPlanes || plan.axes[1].kernel > taps) return false;
  if (!is_max) return PaysForPlanesOfHalves(rows, width, taps);
  return bytes == 1 ? PaysForPlanesOfBytes(rows, width, taps)
                    : PaysForPlanesOfShortMaxima(rows, width, taps);
}

int64_t ChainedRowsOf(const Plan& plan, int64_t lane_bytes) {
  const int64_t reach = EffectiveKernel(plan.axes[1]) - 1;
  const int64_t rows = kChainedBytes / lane_bytes / plan.axes[2].input - reach;
  return reach == 0 || rows > kPlaneRows ? kPlaneRows : rows;
}

}  // namespace lanepool
