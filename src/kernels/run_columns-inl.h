// What the rows of windows add up to, position by position. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_COLUMNS_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_COLUMNS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_COLUMNS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The taps along D and H of a job, folded in order.
template <class Elem, class Reduce, class D>
class RunColumns {
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  explicit RunColumns(const FoldRunJob& job) : job_(job), elem_(job.rules) {}

  // Of `span` positions from x on. Eight vectors of each row at a time, so that x is read in the
  // order in which it lies. A whole vector of sums is written, even where the span is shorter.
  // kAsks: what will be read soon is asked for.
  template <bool kAsks>
  HWY_INLINE S Sum(const T* x, int64_t span, Lane* sums, S state) const {
    const int64_t lanes = Lanes(), group = 4 * lanes;
    if (span < lanes) return Column(x, static_cast<size_t>(span), sums, state);
    int64_t i = 0;
    for (; span - i > group; i += 2 * group) state = Strip<true, kAsks>(x, i, span, sums, state);
    if (i < span) state = Strip<false, kAsks>(x, i, span, sums, state);
    return state;
  }

 private:
  // Known to the compiler but where vectors are scalable.
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  HWY_INLINE S Column(const T* x, size_t lanes, Lane* sums, S state) const {
    const D d;
    V acc = Reduce::Identity(d);
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const T* p = x + depth * job_.x_tap[0];
      for (int64_t h = 0; h < job_.taps[1]; ++h, p += job_.x_tap[1]) {
        const V v = elem_.LoadN(d, p, lanes, Reduce::Identity(d));
        state = Reduce::Watch(state, v);
        acc = Reduce::Combine(acc, v);
      }
    }
    hn::StoreU(acc, d, sums);
    return state;
  }
  // Positions of the span from i on, at most one group or, kTwo, two. Vectors that would go beyond
  // the span overlap those before.
  template <bool kTwo, bool kAsks>
  HWY_INLINE S Strip(const T* x, int64_t i, int64_t span, Lane* sums, S state) const {
    const D d;
    const int64_t lanes = Lanes(), last = span - lanes;
    const int64_t at_a = HWY_MIN(i, last), at_b = HWY_MIN(i + lanes, last);
    const int64_t at_c = HWY_MIN(i + 2 * lanes, last), at_e = HWY_MIN(i + 3 * lanes, last);
    const int64_t at_f = HWY_MIN(i + 4 * lanes, last), at_g = HWY_MIN(i + 5 * lanes, last);
    const int64_t at_h = HWY_MIN(i + 6 * lanes, last), at_k = HWY_MIN(i + 7 * lanes, last);
    V a = Reduce::Identity(d), b = a, c = a, e = a, f = a, g = a, h = a, k = a;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const T* row = x + depth * job_.x_tap[0];
      for (int64_t left = job_.taps[1]; left > 0; --left, row += job_.x_tap[1]) {
        if (kAsks) Ask(row + i, (kTwo ? 8 : 4) * lanes);
        Add(row + at_a, row + at_b, row + at_c, row + at_e, a, b, c, e, state);
        if (kTwo) Add(row + at_f, row + at_g, row + at_h, row + at_k, f, g, h, k, state);
      }
    }
    hn::StoreU(a, d, sums + at_a);
    hn::StoreU(b, d, sums + at_b);
    hn::StoreU(c, d, sums + at_c);
    hn::StoreU(e, d, sums + at_e);
    if (!kTwo) return state;
    hn::StoreU(f, d, sums + at_f);
    hn::StoreU(g, d, sums + at_g);
    hn::StoreU(h, d, sums + at_h);
    hn::StoreU(k, d, sums + at_k);
    return state;
  }
  // For as many lines as `lanes` positions are, some rows ahead. Maybe outside of x: only
  // addresses.
  static HWY_INLINE void Ask(const T* row, int64_t lanes) {
    constexpr int64_t kAhead = 8192, kLine = 64, kSize = sizeof(T);
    const uintptr_t at = reinterpret_cast<uintptr_t>(row) + kAhead;
    for (int64_t line = 0; line < lanes * kSize; line += kLine) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): may lie behind x
      hwy::Prefetch(reinterpret_cast<const T*>(at + static_cast<uintptr_t>(line)));
    }
  }
  HWY_INLINE void Add(const T* at_a, const T* at_b, const T* at_c, const T* at_e, V& a, V& b, V& c,
                      V& e, S& state) const {
    const D d;
    V va = elem_.Load(d, at_a), vb = elem_.Load(d, at_b);
    V vc = elem_.Load(d, at_c), ve = elem_.Load(d, at_e);
    state = WatchLoaded<Reduce>(state, va, vb, vc, ve);
    a = Reduce::Combine(a, va);
    b = Reduce::Combine(b, vb);
    c = Reduce::Combine(c, vc);
    e = Reduce::Combine(e, ve);
  }

  const FoldRunJob& job_;
  const Elem elem_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
