// Sliding windows: when neighbouring windows share taps along the axis they step along, each tap is
// loaded once and the partial folds move on. Per-target include guard.
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
  static constexpr int64_t kMostTaps = 7;

  int64_t taps;
  int64_t step;
  int64_t total;  // taps of all windows together

  // Taps `tap` apart, windows `stride` apart. False if these windows don't slide: with each tap
  // `taps` - 1 partial folds move on, which pays only where windows overlap by half.
  static HWY_INLINE bool Make(int64_t outputs, int64_t taps, int64_t stride, int64_t tap,
                              Slide* slide) {
    // A broadcast view has distances of 0.
    if (taps < 2 || taps > kMostTaps || tap == 0 || stride < tap) return false;
    const int64_t most = (taps + 1) / 2;
    int64_t step = 1;
    while (step <= most && step * tap != stride) ++step;
    if (step > most) return false;
    *slide = {taps, step, (outputs - 1) * step + taps};
    return true;
  }
};

// The partial folds of windows of kTaps taps: pN is the fold of the last N taps. Returns the fold
// of the window that tap v completes, and moves on.
template <int kTaps, class Reduce, class V>
HWY_INLINE V Advance(V v, V& p1, V& p2, V& p3, V& p4, V& p5, V& p6) {
  V fold = v;
  if (kTaps == 2) fold = Reduce::Combine(p1, v);
  if (kTaps == 3) fold = Reduce::Combine(p2, v);
  if (kTaps == 4) fold = Reduce::Combine(p3, v);
  if (kTaps == 5) fold = Reduce::Combine(p4, v);
  if (kTaps == 6) fold = Reduce::Combine(p5, v);
  if (kTaps == 7) fold = Reduce::Combine(p6, v);
  if (kTaps >= 7) p6 = Reduce::Combine(p5, v);
  if (kTaps >= 6) p5 = Reduce::Combine(p4, v);
  if (kTaps >= 5) p4 = Reduce::Combine(p3, v);
  if (kTaps >= 4) p3 = Reduce::Combine(p2, v);
  if (kTaps >= 3) p2 = Reduce::Combine(p1, v);
  if (kTaps >= 2) p1 = v;
  return fold;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
