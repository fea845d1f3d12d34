// Sliding windows: when neighbouring windows share taps along the axis they step along, each tap is
// folded once and the partial folds move on. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_SLIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_SLIDE_INL_H_
#undef LANEPOOL_SRC_KERNELS_SLIDE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_SLIDE_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

// A walk over taps 0, 1, 2, ... of which windows of `taps` begin at every `step`-th.
struct Slide {
  int64_t taps;   // 1, 2 or 3
  int64_t step;   // 1 or 2, at most taps
  int64_t total;  // taps of all windows together

  // Taps `tap` apart, windows `stride` apart. False if these windows don't slide.
  static HWY_INLINE bool Make(int64_t outputs, int64_t taps, int64_t stride, int64_t tap,
                              Slide* slide) {
    const int64_t step = stride == tap ? 1 : stride == 2 * tap ? 2 : 0;
    if (taps > 3 || step == 0 || step > taps) return false;
    *slide = {taps, step, (outputs - 1) * step + taps};
    return true;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
