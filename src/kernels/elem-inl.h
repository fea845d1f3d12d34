// Elements: how lanes travel between memory and registers. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ELEM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ELEM_INL_H_
#undef LANEPOOL_SRC_KERNELS_ELEM_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ELEM_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// f32 in memory, f32 in registers.
struct ElemF32 {
  using Memory = float;
  using Lane = float;

  template <class D>
  static HWY_INLINE hn::VFromD<D> Load(D d, const float* p) {
    return hn::LoadU(d, p);
  }
  // The first n lanes, n < Lanes(d); the others are `other`. Reads nothing behind them.
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadN(D d, const float* p, size_t n, hn::VFromD<D> other) {
    return hn::LoadNOr(other, d, p, n);
  }
  // n <= Lanes(d) lanes that lie `step` apart; the others are 0.
  template <class D>
  static HWY_INLINE hn::VFromD<D> LoadStrided(D d, const float* p, int64_t step, size_t n) {
    HWY_ALIGN float lanes[HWY_MAX_LANES_D(D)];
    hn::Store(hn::Zero(d), d, lanes);
    for (size_t i = 0; i < n; ++i) lanes[i] = p[static_cast<int64_t>(i) * step];
    return hn::Load(d, lanes);
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::VFromD<D> v, float* p) {
    hn::StoreU(v, d, p);
  }
  template <class D>
  static HWY_INLINE void StoreN(D d, hn::VFromD<D> v, float* p, size_t n) {
    hn::StoreN(v, d, p, n);
  }
};

// The scratch form of an element: accumulators as they are.
template <class Elem>
struct LaneOf {
  using Memory = typename Elem::Lane;
  using Lane = typename Elem::Lane;

  template <class D>
  static HWY_INLINE void Store(D d, hn::VFromD<D> v, Lane* p) {
    hn::StoreU(v, d, p);
  }
  template <class D>
  static HWY_INLINE void StoreN(D d, hn::VFromD<D> v, Lane* p, size_t n) {
    hn::StoreN(v, d, p, n);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
