// One row of windows of 3 x 3 taps over a ring of two rows, see window_ring-inl.h. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_RING_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RING_ROW_INL_H_
#undef LANEPOOL_SRC_KERNELS_RING_ROW_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RING_ROW_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/slide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two vectors in the order of lanes that elements have for pairs, if they have one.
template <class Elem, class D, class V>
HWY_INLINE auto LoadTwo(const Elem& elem, D d, const typename Elem::Memory* p, V& a, V& b, int)
    -> decltype(elem.Load2(d, p, a, b)) {
  elem.Load2(d, p, a, b);
}
template <class Elem, class D, class V>
HWY_INLINE void LoadTwo(const Elem& elem, D d, const typename Elem::Memory* p, V& a, V& b, ...) {
  a = elem.Load(d, p);
  b = elem.Load(d, p + hn::Lanes(d));
}
template <class Out, class D, class V>
HWY_INLINE auto StoreTwo(const Out& out, D d, V a, V b, typename Out::Memory* p, int)
    -> decltype(out.Store2(d, a, b, p)) {
  out.Store2(d, a, b, p);
}
template <class Out, class D, class V>
HWY_INLINE void StoreTwo(const Out& out, D d, V a, V b, typename Out::Memory* p, ...) {
  out.Store(d, a, p);
  out.Store(d, b, p + hn::Lanes(d));
}

HWY_INLINE ElementRules EndingRules(const RingJob& job, const RingJob::Ending& ending) {
  ElementRules rules = job.rules;
  rules.requants = &ending.requant;
  return rules;
}

// Some outputs of a row, and whether the first and the last are edge windows.
struct RingTile {
  bool lead, trail;
  int64_t inner;  // outputs between those
};

// Taps along D.
struct RingDepths {
  int64_t taps, step;
};

// kVectors of channels, 1, 2 or 4.
template <class Elem, class Out, class Reduce, int kVectors>
class RingRow {
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  using Place = RingJob::Place;

 public:
  // Lanes of a column of the ring.
  static HWY_INLINE int64_t Step() { return kVectors * static_cast<int64_t>(hn::Lanes(D())); }

  // A row of x to a row of the ring.
  static HWY_INLINE S Fill(const RingJob& job, const RingTile& tile, const T* x, Lane* to,
                           S state) {
    const int64_t x_step = job.x_tap[2];
    const RingDepths depths = {job.taps_d, job.x_tap[0]};
    const Elem elem(job.rules);
    V a = hn::Zero(D()), b = a, c = a, e = a;
    for (int64_t i = 0; i < tile.inner + 2; ++i, x += x_step, to += Step()) {
      Fresh(elem, depths, x, a, b, c, e, state);
      Keep(a, b, c, e, to);
    }
    return state;
  }

  // A row of windows with all their taps, of which there is one along D. The last row of taps is at
  // x; it takes the place of the older.
  template <class Finish, class EdgeFinish>
  static HWY_INLINE S PutInner(const RingJob& job, const RingTile& tile, const T* x, Lane* older,
                               const Lane* newer, Y* y, S state) {
    return Put<Finish, EdgeFinish>(job, tile, RingJob::kInner, {1, 0}, x, older, newer, y, state);
  }
  // Any row: kFirst is without the older row of taps, kLast without one at x. Smaller code, for
  // rows of which there are few.
  template <class Finish>
  static HWY_NOINLINE S PutAny(const RingJob& job, const RingTile& tile, Place row, const T* x,
                               Lane* older, const Lane* newer, Y* y, S state) {
    const RingDepths depths = {job.taps_d, job.x_tap[0]};
    return Put<Finish, Finish>(job, tile, row, depths, x, older, newer, y, state);
  }

 private:
  template <class Finish, class EdgeFinish>
  static HWY_INLINE S Put(const RingJob& job, const RingTile& tile, Place row, RingDepths depths,
                          const T* x, Lane* older, const Lane* newer, Y* y, S state) {
    const int64_t x_step = job.x_tap[2], y_step = job.y_output_step, step = Step();
    const RingJob::Ending* const endings = job.endings[row];
    const ElementRules rules = EndingRules(job, endings[RingJob::kInner]);
    const Elem elem(rules);
    const Out out(rules);
    const Finish finish(endings[RingJob::kInner].divisor, rules);
    // See Ring.
    const bool tiny = row == RingJob::kInner && WatchesTiny(finish);
    HWY_ASSUME(!tiny);
    const V zero = hn::Zero(D());
    V a1 = zero, b1 = zero, c1 = zero, e1 = zero, a2 = zero, b2 = zero, c2 = zero, e2 = zero;
    V a = zero, b = zero, c = zero, e = zero;
    for (int64_t t = 0; t < 2; ++t, x += x_step, older += step, newer += step) {
      Column(elem, row, depths, x, older, newer, a, b, c, e, state);
      Slides(a, b, c, e, a1, b1, c1, e1, a2, b2, c2, e2);
    }
    if (tile.lead) {
      state = PutWindow<EdgeFinish>(job, endings[RingJob::kFirst], y, a2, b2, c2, e2, state);
      y += y_step;
    }
    for (int64_t left = tile.inner; left > 0; --left) {
      Column(elem, row, depths, x, older, newer, a, b, c, e, state);
      Slides(a, b, c, e, a1, b1, c1, e1, a2, b2, c2, e2);
      Store(finish, out, y, a, b, c, e, state);
      x += x_step;
      older += step;
      newer += step;
      y += y_step;
    }
    if (tile.trail) {
      state = PutWindow<EdgeFinish>(job, endings[RingJob::kLast], y, a2, b2, c2, e2, state);
    }
    return state;
  }
  // The fold of a column; what is new of it takes the place of what is oldest.
  static HWY_INLINE void Column(const Elem& elem, Place row, RingDepths depths, const T* x,
                                Lane* older, const Lane* newer, V& a, V& b, V& c, V& e, S& state) {
    const V zero = hn::Zero(D());
    V a1 = zero, b1 = zero, c1 = zero, e1 = zero;
    if (row == RingJob::kFirst) {
      Kept(newer, a, b, c, e);
    } else {
      Kept(older, a, b, c, e);
      Kept(newer, a1, b1, c1, e1);
      Combine(a, b, c, e, a1, b1, c1, e1);
    }
    if (row == RingJob::kLast) return;
    Fresh(elem, depths, x, a1, b1, c1, e1, state);
    Keep(a1, b1, c1, e1, older);
    Combine(a, b, c, e, a1, b1, c1, e1);
  }
  // From the fold of a column to that of the window which it completes.
  static HWY_INLINE void Slides(V& a, V& b, V& c, V& e, V& a1, V& b1, V& c1, V& e1, V& a2, V& b2,
                                V& c2, V& e2) {
    V none = hn::Zero(D());
    a = Advance<3, Reduce>(a, a1, a2, none, none, none, none);
    if (kVectors > 1) b = Advance<3, Reduce>(b, b1, b2, none, none, none, none);
    if (kVectors > 2) c = Advance<3, Reduce>(c, c1, c2, none, none, none, none);
    if (kVectors > 2) e = Advance<3, Reduce>(e, e1, e2, none, none, none, none);
  }
  static HWY_INLINE void Combine(V& a, V& b, V& c, V& e, V a1, V b1, V c1, V e1) {
    a = Reduce::Combine(a, a1);
    if (kVectors > 1) b = Reduce::Combine(b, b1);
    if (kVectors > 2) c = Reduce::Combine(c, c1);
    if (kVectors > 2) e = Reduce::Combine(e, e1);
  }
  // Elements of x, folded along D.
  static HWY_INLINE void Fresh(const Elem& elem, RingDepths depths, const T* x, V& a, V& b, V& c,
                               V& e, S& state) {
    Load(elem, x, a, b, c, e, state);
    for (int64_t depth = 1; depth < depths.taps; ++depth) {
      V a1 = a, b1 = b, c1 = c, e1 = e;
      x += depths.step;
      Load(elem, x, a1, b1, c1, e1, state);
      Combine(a, b, c, e, a1, b1, c1, e1);
    }
  }
  static HWY_INLINE void Load(const Elem& elem, const T* x, V& a, V& b, V& c, V& e, S& state) {
    const D d;
    if constexpr (kVectors == 4) {
      elem.Load4(d, x, a, b, c, e);
#if HWY_ARCH_X86  // or GCC loads each once more for every use
      __asm__("" : "+v"(a.raw), "+v"(b.raw), "+v"(c.raw), "+v"(e.raw));
#endif
      state = WatchTaps<Reduce>(state, a, b, c, e);
    } else if constexpr (kVectors == 2) {
      LoadTwo(elem, d, x, a, b, 0);
      state = WatchTaps<Reduce>(state, a, b);
    } else {
      a = elem.Load(d, x);
      state = WatchTaps<Reduce>(state, a);
    }
  }
  static HWY_INLINE void Keep(V a, V b, V c, V e, Lane* to) {
    const D d;
    const size_t n = hn::Lanes(d);
    hn::Store(a, d, to);
    if (kVectors > 1) hn::Store(b, d, to + n);
    if (kVectors > 2) hn::Store(c, d, to + 2 * n);
    if (kVectors > 2) hn::Store(e, d, to + 3 * n);
  }
  static HWY_INLINE void Kept(const Lane* from, V& a, V& b, V& c, V& e) {
    const D d;
    const size_t n = hn::Lanes(d);
    a = hn::Load(d, from);
    if (kVectors > 1) b = hn::Load(d, from + n);
    if (kVectors > 2) c = hn::Load(d, from + 2 * n);
    if (kVectors > 2) e = hn::Load(d, from + 3 * n);
  }

  template <class Finish>
  static HWY_INLINE void Store(const Finish& finish, const Out& out, Y* y, V a, V b, V c, V e,
                               S& state) {
    const D d;
    if constexpr (kVectors == 4) {
      state = WatchFolds<Reduce>(state, a, b, c, e);
      FinishFour(finish, a, b, c, e, state, 0);
      out.Store4(d, a, b, c, e, y);
    } else if constexpr (kVectors == 2) {
      state = WatchFold<Reduce>(WatchFold<Reduce>(state, a), b);
      a = finish.Apply(a, state);
      b = finish.Apply(b, state);
      StoreTwo(out, d, a, b, y, 0);
    } else {
      state = WatchFold<Reduce>(state, a);
      out.Store(d, finish.Apply(a, state), y);
    }
  }
  template <class Finish>
  static HWY_NOINLINE S PutWindow(const RingJob& job, const RingJob::Ending& ending, Y* y, V a, V b,
                                  V c, V e, S state) {
    const ElementRules rules = EndingRules(job, ending);
    Store(Finish(ending.divisor, rules), Out(rules), y, a, b, c, e, state);
    return state;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
