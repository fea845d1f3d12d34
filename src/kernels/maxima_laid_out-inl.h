// Maxima of bytes in windows that lie side by side and have few bytes of each row: columns first,
// of as many windows as fit in a vector, then twice as many neighbours at each step. Only for
// vectors of 64 bytes that can be moved by one instruction. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_MAXIMA_LAID_OUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_MAXIMA_LAID_OUT_INL_H_
#undef LANEPOOL_SRC_KERNELS_MAXIMA_LAID_OUT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_MAXIMA_LAID_OUT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/laid_out_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Runs of FoldsBeside, see there.
class MaximaLaidOut {
  using D = hn::ScalableTag<uint8_t>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using Some = WindowsOfVector;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);

 public:
  using Lane = uint8_t;
  static constexpr int64_t Parts() { return 1; }

  explicit MaximaLaidOut(const FoldRunJob& job)
      : job_(job), at_once_(kLanes / job.length), flip_(job.rules.order_flip) {
    for (int64_t i = 0; i < kLanes; ++i) {
      first_[i] = static_cast<uint8_t>(i < at_once_ ? i * job.length : 0);
    }
  }

  // Of so many windows in each of some rows.
  HWY_INLINE void Folds(const uint8_t* x, int64_t rows, int64_t windows, Lane* to) const {
    LaidOutWalk<Lane>(job_, at_once_).Run(x, rows, windows, to, *this);
  }

  template <int kVectors>
  HWY_INLINE void Of(Some s0, Some s1, Some s2, Some s3, Lane* to) const {
    const D d;
    const auto mask = [&](Some some) HWY_ATTR {
      return hn::FirstN(d, static_cast<size_t>(some.windows * job_.length));
    };
    const M m0 = mask(s0), m1 = mask(s1), m2 = mask(s2), m3 = mask(s3);
    const V flip = hn::Set(d, flip_);
    const auto add = [&](const uint8_t* p, M lanes, V v) HWY_ATTR {
      AskAhead(p, job_.x_row_step);
      return hn::Max(v, hn::Xor(hn::MaskedLoad(lanes, d, p), flip));
    };
    V a = hn::Zero(d), b = a, c = a, e = a;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      int64_t at = depth * job_.x_tap[0];
      for (int64_t h = 0; h < job_.taps[1]; ++h, at += job_.x_tap[1]) {
        a = add(s0.x + at, m0, a);
        if (kVectors > 1) b = add(s1.x + at, m1, b);
        if (kVectors > 2) c = add(s2.x + at, m2, c);
        if (kVectors > 3) e = add(s3.x + at, m3, e);
      }
    }
    // A lane has the maximum of `taps` from it on. What it has of the next window does not matter
    // in lanes that are first.
    const auto fold = [&](int64_t behind) HWY_ATTR {
      const V lanes = hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<uint8_t>(behind)));
      const auto from = hn::IndicesFromVec(d, hn::And(lanes, hn::Set(d, kLanes - 1)));
      a = hn::Max(a, hn::TableLookupLanes(a, from));
      if (kVectors > 1) b = hn::Max(b, hn::TableLookupLanes(b, from));
      if (kVectors > 2) c = hn::Max(c, hn::TableLookupLanes(c, from));
      if (kVectors > 3) e = hn::Max(e, hn::TableLookupLanes(e, from));
    };
    int64_t taps = 1;
    for (; 2 * taps < job_.length; taps *= 2) fold(taps);
    fold(job_.length - taps);
    const auto first = hn::IndicesFromVec(d, hn::LoadU(d, first_));
    const auto store = [&](V v, Lane* p) HWY_ATTR {
      hn::StoreU(hn::Xor(hn::TableLookupLanes(v, first), flip), d, p);
    };
    store(a, to);
    if (kVectors > 1) store(b, to + s0.windows);
    if (kVectors > 2) store(c, to + s0.windows + s1.windows);
    if (kVectors > 3) store(e, to + s0.windows + s1.windows + s2.windows);
  }

 private:
  const FoldRunJob& job_;
  const int64_t at_once_;  // windows in a vector
  const uint8_t flip_;
  uint8_t first_[kLanes];  // lanes of windows
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
