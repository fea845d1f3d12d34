// Reducers: identity, combination, NaN and tie rules. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_REDUCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_REDUCE_INL_H_
#undef LANEPOOL_SRC_KERNELS_REDUCE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_REDUCE_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Combine(acc, v) takes the earlier taps first. Watch collects, from two vectors of fresh taps, the
// reason to distrust the whole job; kWatches says whether there can be one. A kRare reducer only
// repeats such jobs: its loops are built for size.
struct SumOf {
  static constexpr bool kWatches = false;
  static constexpr bool kRare = false;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return hn::Zero(d);
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return hn::Add(acc, v);
  }
  template <class M, class V>
  static HWY_INLINE M Watch(M watch, V, V) {
    return watch;
  }
};

// The native maximum. What it does with NaN differs between instruction sets, so NaN is watched
// for. What it does with +0 and -0 differs too: the finisher makes every zero +0.
struct MaxOf {
  static constexpr bool kWatches = true;
  static constexpr bool kRare = false;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return hn::Neg(hn::Inf(d));
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return hn::Max(v, acc);
  }
  template <class M, class V>
  static HWY_INLINE M Watch(M watch, V a, V b) {
    return hn::Or(watch, hn::IsEitherNaN(a, b));
  }
};

// NaN wins.
struct MaxPropagateNan {
  static constexpr bool kWatches = false;
  static constexpr bool kRare = true;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return MaxOf::Identity(d);
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return hn::IfThenElse(hn::Or(hn::Gt(v, acc), hn::IsNaN(v)), v, acc);
  }
  template <class M, class V>
  static HWY_INLINE M Watch(M watch, V, V) {
    return watch;
  }
};

// NaN loses, so it is the identity; a window of only NaN stays NaN.
struct MaxIgnoreNan {
  static constexpr bool kWatches = false;
  static constexpr bool kRare = true;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return hn::NaN(d);
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return hn::IfThenElse(hn::Or(hn::Gt(v, acc), hn::IsNaN(acc)), v, acc);
  }
  template <class M, class V>
  static HWY_INLINE M Watch(M watch, V, V) {
    return watch;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
