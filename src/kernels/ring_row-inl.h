// One row of windows over a ring of rows, see window_ring-inl.h. Per-target include guard.
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
#include "kernels/fours-inl.h"
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

// Some outputs of a row: so many that lack their first taps, so many others, and so many that lack
// their last.
struct RingTile {
  int64_t lead, inner, trail;

  int64_t columns(int64_t taps) const { return inner + taps - 1; }
};

// Taps along D.
struct RingDepths {
  int64_t taps, step;
};

// The rows of a ring, the oldest first. It gives way to the next row of x.
template <class Lane>
struct RingRows {
  Lane *a, *b, *c, *e;
};

// Which rows of taps there are: those of the ring from `first` on, and the one at x.
struct RingTaps {
  int64_t first;
  bool fresh;
};

// kVectors of channels, 1, 2 or 4; kTaps of 2 to 5.
template <class Elem, class Out, class Reduce, int kVectors, int kTaps>
class RingRow {
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

  static constexpr int64_t kInner = RingJob::kInner;
  static constexpr int kKept = kTaps - 1;  // rows of the ring
  static constexpr int64_t kAhead = 4;     // outputs, see RingJob::fetches
  static constexpr uintptr_t kLine = 64;

 public:
  using Rows = RingRows<Lane>;

  // Lanes of a column of the ring.
  static HWY_INLINE int64_t Step() { return kVectors * static_cast<int64_t>(hn::Lanes(D())); }

  // A row of x to a row of the ring.
  static HWY_INLINE S Fill(const RingJob& job, const RingTile& tile, const T* x, Lane* to,
                           S state) {
    const int64_t x_step = job.x_tap[2];
    const RingDepths depths = {job.taps_d, job.x_tap[0]};
    const Elem elem(job.rules);
    V a = hn::Zero(D()), b = a, c = a, e = a;
    for (int64_t i = tile.columns(kTaps); i > 0; --i, x += x_step, to += Step()) {
      Fresh(elem, depths, x, a, b, c, e, state);
      KeepFour<kVectors>(D(), a, b, c, e, to);
    }
    return state;
  }

  // A row of windows with all their taps, of which there is one along D. The last row of taps is at
  // x.
  template <class Finish, class EdgeFinish>
  static HWY_INLINE S PutInner(const RingJob& job, const RingTile& tile, const T* x,
                               const Rows& ring, Y* y, S state) {
    return Put<Finish, EdgeFinish>(job, tile, kInner, {0, true}, {1, 0}, x, ring, y, state);
  }
  // Any row, smaller code for rows of which there are few. `place`: see RingJob.
  template <class Finish>
  static HWY_NOINLINE S PutAny(const RingJob& job, const RingTile& tile, int64_t place, const T* x,
                               const Rows& ring, Y* y, S state) {
    const RingDepths depths = {job.taps_d, job.x_tap[0]};
    const int64_t lacks = place < kInner ? kInner - place : place - kInner;
    const RingTaps taps = {place > kInner ? lacks - 1 : lacks, place <= kInner};
    return Put<Finish, Finish>(job, tile, place, taps, depths, x, ring, y, state);
  }

 private:
  // Partial folds of a vector, see Advance.
  struct Partial {
    V p1, p2, p3, p4;

    // Of the last `taps` columns, kMost at most.
    template <int kMost>
    HWY_INLINE V Of(int64_t taps) const {
      if (kMost > 3 && taps == 4) return p4;
      if (kMost > 2 && taps == 3) return p3;
      return kMost > 1 && taps == 2 ? p2 : p1;
    }
  };

  template <class Finish, class EdgeFinish>
  static HWY_INLINE S Put(const RingJob& job, const RingTile& tile, int64_t place, RingTaps taps,
                          RingDepths depths, const T* x, const Rows& ring, Y* y, S state) {
    const int64_t x_step = job.x_tap[2], y_step = job.y_output_step;
    const RingJob::Ending* const endings = job.endings[place];
    const ElementRules rules = EndingRules(job, endings[kInner]);
    const Elem elem(rules);
    const Out out(rules);
    const Finish finish(endings[kInner].divisor, rules);
    // See Ring.
    const bool tiny = place == kInner && WatchesTiny(finish);
    HWY_ASSUME(!tiny);
    Rows at = ring;
    const V zero = hn::Zero(D());
    const Partial none = {zero, zero, zero, zero};
    Partial pa = none, pb = none, pc = none, pe = none;
    V a = zero, b = zero, c = zero, e = zero;
    // Those that lack one tap are apart: calls in a loop cost registers.
    constexpr int kFew = kTaps - 2;
    for (int64_t column = 1; column < kTaps; ++column, x += x_step) {
      Column(elem, taps, depths, x, at, a, b, c, e, state);
      Slides(a, b, c, e, pa, pb, pc, pe);
      const int64_t lacks = kTaps - column;
      if (kTaps <= 3 || lacks == 1 || lacks > tile.lead) continue;
      state = PutWindow<EdgeFinish>(job, endings[kInner - lacks], y, pa.template Of<kFew>(column),
                                    pb.template Of<kFew>(column), pc.template Of<kFew>(column),
                                    pe.template Of<kFew>(column), state);
      y += y_step;
    }
    if (tile.lead > 0) {
      state = PutWindow<EdgeFinish>(job, endings[kInner - 1], y, pa.template Of<kKept>(kKept),
                                    pb.template Of<kKept>(kKept), pc.template Of<kKept>(kKept),
                                    pe.template Of<kKept>(kKept), state);
      y += y_step;
    }
    for (int64_t left = tile.inner; left > 0; --left) {
      if (job.fetches) {
        Fetch(x, job.x_tap[1]);
        Fetch(y, kAhead * y_step);
      }
      Column(elem, taps, depths, x, at, a, b, c, e, state);
      Slides(a, b, c, e, pa, pb, pc, pe);
      Store(finish, out, y, a, b, c, e, state);
      x += x_step;
      y += y_step;
    }
    if (tile.trail == 0) return state;
    state = PutWindow<EdgeFinish>(job, endings[kInner + 1], y, pa.template Of<kKept>(kKept),
                                  pb.template Of<kKept>(kKept), pc.template Of<kKept>(kKept),
                                  pe.template Of<kKept>(kKept), state);
    for (int64_t left = kFew; kTaps > 3 && left > kFew + 1 - tile.trail; --left) {
      y += y_step;
      state = PutWindow<EdgeFinish>(job, endings[kInner + kTaps - left], y,
                                    pa.template Of<kFew>(left), pb.template Of<kFew>(left),
                                    pc.template Of<kFew>(left), pe.template Of<kFew>(left), state);
    }
    return state;
  }
  // Asks for a column `ahead` elements on, maybe outside of the tensor: only addresses.
  template <typename E>
  static HWY_INLINE void Fetch(const E* from, int64_t ahead) {
    const uintptr_t at =
        reinterpret_cast<uintptr_t>(from) + static_cast<uintptr_t>(ahead) * sizeof(E);
    const uintptr_t bytes = static_cast<uintptr_t>(Step()) * sizeof(E);
    for (uintptr_t line = 0; line < bytes; line += kLine) {
      hwy::Prefetch(reinterpret_cast<const E*>(at + line));  // NOLINT(performance-no-int-to-ptr)
    }
  }
  // The fold of a column; what is new of it takes the place of what is oldest. On to the next.
  static HWY_INLINE void Column(const Elem& elem, RingTaps taps, RingDepths depths, const T* x,
                                Rows& at, V& a, V& b, V& c, V& e, S& state) {
    const V zero = hn::Zero(D());
    V a1 = zero, b1 = zero, c1 = zero, e1 = zero;
    const auto add = [&](const Lane* from) HWY_ATTR {
      KeptFour<kVectors>(D(), from, a1, b1, c1, e1);
      CombineFour<Reduce, kVectors>(a, b, c, e, a1, b1, c1, e1);
    };
    // Of two taps and more there is always a row in the ring.
    const bool none = kKept == 1 && taps.first > 0;
    if (taps.first == 0) {
      KeptFour<kVectors>(D(), at.a, a, b, c, e);
      if (kKept > 1) add(at.b);
      if (kKept > 2) add(at.c);
      if (kKept > 3) add(at.e);
    } else if (kKept > 1) {
      const Lane* const first = taps.first == 1 ? at.b : taps.first == 2 ? at.c : at.e;
      KeptFour<kVectors>(D(), first, a, b, c, e);
      if (kKept > 2 && taps.first < 2) add(at.c);
      if (kKept > 3 && taps.first < 3) add(at.e);
    }
    if (taps.fresh) {
      Fresh(elem, depths, x, a1, b1, c1, e1, state);
      KeepFour<kVectors>(D(), a1, b1, c1, e1, at.a);
      if (none) {
        a = a1, b = b1, c = c1, e = e1;
      } else {
        CombineFour<Reduce, kVectors>(a, b, c, e, a1, b1, c1, e1);
      }
    }
    at.a += Step();
    if (kKept > 1) at.b += Step();
    if (kKept > 2) at.c += Step();
    if (kKept > 3) at.e += Step();
  }
  // From the fold of a column to that of the window which it completes.
  static HWY_INLINE void Slides(V& a, V& b, V& c, V& e, Partial& pa, Partial& pb, Partial& pc,
                                Partial& pe) {
    V none = hn::Zero(D());
    a = Advance<kTaps, Reduce>(a, pa.p1, pa.p2, pa.p3, pa.p4, none, none);
    if (kVectors > 1) b = Advance<kTaps, Reduce>(b, pb.p1, pb.p2, pb.p3, pb.p4, none, none);
    if (kVectors > 2) c = Advance<kTaps, Reduce>(c, pc.p1, pc.p2, pc.p3, pc.p4, none, none);
    if (kVectors > 2) e = Advance<kTaps, Reduce>(e, pe.p1, pe.p2, pe.p3, pe.p4, none, none);
  }
  // Elements of x, folded along D.
  static HWY_INLINE void Fresh(const Elem& elem, RingDepths depths, const T* x, V& a, V& b, V& c,
                               V& e, S& state) {
    Load(elem, x, a, b, c, e, state);
    for (int64_t depth = 1; depth < depths.taps; ++depth) {
      V a1 = a, b1 = b, c1 = c, e1 = e;
      x += depths.step;
      Load(elem, x, a1, b1, c1, e1, state);
      CombineFour<Reduce, kVectors>(a, b, c, e, a1, b1, c1, e1);
    }
  }
  static HWY_INLINE void Load(const Elem& elem, const T* x, V& a, V& b, V& c, V& e, S& state) {
    const D d;
    if constexpr (kVectors == 4) {
      elem.Load4(d, x, a, b, c, e);
      KeepInRegisters(a, b, c, e);
      state = WatchTaps<Reduce>(state, a, b, c, e);
    } else if constexpr (kVectors == 2) {
      LoadTwo(elem, d, x, a, b, 0);
      state = WatchTaps<Reduce>(state, a, b);
    } else {
      a = elem.Load(d, x);
      state = WatchTaps<Reduce>(state, a);
    }
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
