// Four vectors side by side, or the first kVectors of them: neighbouring cache lines, independent
// chains of additions. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FOURS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FOURS_INL_H_
#undef LANEPOOL_SRC_KERNELS_FOURS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FOURS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Fresh taps: one vector, two, or four in the order of Elem::Load4.
template <class Reduce, int kVectors = 4, class Elem, class D, class V, class S>
HWY_INLINE void LoadFour(const Elem& elem, D d, const typename Elem::Memory* p, V& a, V& b, V& c,
                         V& e, S& state) {
  static_assert(kVectors == 1 || kVectors == 2 || kVectors == 4, "what elements load");
  if constexpr (kVectors == 4) {
    elem.Load4(d, p, a, b, c, e);
    state = WatchTaps<Reduce>(state, a, b, c, e);
  } else if constexpr (kVectors == 2) {
    elem.Load2(d, p, a, b);
    state = WatchTaps<Reduce>(state, a, b);
  } else {
    a = elem.Load(d, p);
    state = WatchTaps<Reduce>(state, a);
  }
}

// a and so on hold the earlier taps.
template <class Reduce, int kVectors = 4, class V>
HWY_INLINE void CombineFour(V& a, V& b, V& c, V& e, V v, V w, V u, V z) {
  a = Reduce::Combine(a, v);
  if (kVectors > 1) b = Reduce::Combine(b, w);
  if (kVectors > 2) c = Reduce::Combine(c, u);
  if (kVectors > 3) e = Reduce::Combine(e, z);
}

// Fresh taps join the earlier ones.
template <class Reduce, int kVectors = 4, class Elem, class D, class V, class S>
HWY_INLINE void AddFour(const Elem& elem, D d, const typename Elem::Memory* p, V& a, V& b, V& c,
                        V& e, S& state) {
  V v = a, w = b, u = c, z = e;
  LoadFour<Reduce, kVectors>(elem, d, p, v, w, u, z, state);
  CombineFour<Reduce, kVectors>(a, b, c, e, v, w, u, z);
}

// Folds to aligned scratch, in whatever order of lanes they are in, and back.
template <int kVectors = 4, class D, class V, class Lane = hn::TFromD<D>>
HWY_INLINE void KeepFour(D d, V a, V b, V c, V e, Lane* to) {
  const size_t n = hn::Lanes(d);
  hn::Store(a, d, to);
  if (kVectors > 1) hn::Store(b, d, to + n);
  if (kVectors > 2) hn::Store(c, d, to + 2 * n);
  if (kVectors > 3) hn::Store(e, d, to + 3 * n);
}
template <int kVectors = 4, class D, class V, class Lane = hn::TFromD<D>>
HWY_INLINE void KeptFour(D d, const Lane* from, V& a, V& b, V& c, V& e) {
  const size_t n = hn::Lanes(d);
  a = hn::Load(d, from);
  if (kVectors > 1) b = hn::Load(d, from + n);
  if (kVectors > 2) c = hn::Load(d, from + 2 * n);
  if (kVectors > 3) e = hn::Load(d, from + 3 * n);
}

// Two vectors of results, or four, to y. Only f32 goes past the caches.
template <class Out>
constexpr bool Streams() {
  return std::is_same<Out, ElemPlain<float>>::value;
}
template <class Out, class D, class V>
HWY_INLINE void PutTwo(const Out& out, bool streams, D d, V a, V b, typename Out::Memory* y) {
  if constexpr (Streams<Out>()) {
    if (streams) return out.Stream2(d, a, b, y);
  }
  out.Store2(d, a, b, y);
}
template <class Out, class D, class V>
HWY_INLINE void PutFour(const Out& out, bool streams, D d, V a, V b, V c, V e,
                        typename Out::Memory* y) {
  if constexpr (Streams<Out>()) {
    if (streams) {
      out.Stream2(d, a, b, y);
      return out.Stream2(d, c, e, y + 2 * hn::Lanes(d));
    }
  }
  out.Store4(d, a, b, c, e, y);
}

// From the folds of windows to their results, and those to y.
template <class Reduce, int kVectors = 4, class Finish, class Out, class D, class V, class S>
HWY_INLINE void FinishAndPut(const Finish& finish, const Out& out, bool streams, D d, V a, V b, V c,
                             V e, typename Out::Memory* y, S& state) {
  static_assert(kVectors == 1 || kVectors == 2 || kVectors == 4, "what elements store");
  if constexpr (kVectors == 4) {
    state = WatchFolds<Reduce>(state, a, b, c, e);
    FinishFour(finish, a, b, c, e, state, 0);
    PutFour(out, streams, d, a, b, c, e, y);
  } else if constexpr (kVectors == 2) {
    state = WatchFold<Reduce>(WatchFold<Reduce>(state, a), b);
    a = finish.Apply(a, state);
    b = finish.Apply(b, state);
    PutTwo(out, streams, d, a, b, y);
  } else {
    state = WatchFold<Reduce>(state, a);
    out.Store(d, finish.Apply(a, state), y);
  }
}

// Calls quad(at, a, b, c, e) for the first four of sixteen vectors, or for each four of them, which
// are `four` lanes apart.
template <bool kAll, class Quad, class V>
HWY_INLINE void EachFour(const Quad& quad, int64_t four, V& a, V& b, V& c, V& e, V& a1, V& b1,
                         V& c1, V& e1, V& a2, V& b2, V& c2, V& e2, V& a3, V& b3, V& c3, V& e3) {
  quad(0, a, b, c, e);
  if (!kAll) return;
  quad(four, a1, b1, c1, e1);
  quad(2 * four, a2, b2, c2, e2);
  quad(3 * four, a3, b3, c3, e3);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
