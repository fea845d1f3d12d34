// Rows with lanes along W, windows of 1 x 3 taps that step by 2: the pools of one-dimensional
// networks. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_THREE_ALONE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_THREE_ALONE_INL_H_
#undef LANEPOOL_SRC_KERNELS_THREE_ALONE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_THREE_ALONE_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/neighbours-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The outputs of one vector of lanes in all rows of all planes, as ThreeByTwoStrip has them; but
// which columns are outside of the row is found out for each row: that costs little here.
template <class Op, class D, bool kSecond>
class ThreeAloneStrip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish::Planes;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  static HWY_NOINLINE bool Run(const PlanesJob& job, int64_t lane) {
    // A local one: its numbers are out of reach of stores to y.
    return ThreeAloneStrip(job, lane).All();
  }

 private:
  ThreeAloneStrip(const PlanesJob& job, int64_t lane)
      : job_(job), elem_(job.rules), out_(job.rules), lane_(lane) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t first = job.w_first + 2 * lane;
    const bool lacks_last = first + 2 * n >= job.w_input;
    has_c_ = kSecond ? first >= 0 : !lacks_last;
    has_b_ = !kSecond || !lacks_last;
    watches_c_ = has_c_ && (kSecond ? lane == 0 : lane + n == job.lanes);
  }

  HWY_INLINE bool All() const {
    const D d;
    S state = Reduce::Start(d);
    V finish_a = hn::Zero(d), finish_b = finish_a;
    const FinishOfRows<Finish, D> finish(job_, {0, 0}, lane_, finish_a, finish_b);
    const int64_t x_step = job_.h_stride * job_.x_row_step, y_step = job_.y_row_step;
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
                   job_.h_first * job_.x_row_step + job_.w_first + 2 * lane_;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      for (int64_t left = job_.rows; left > 0; --left, x += x_step, y += y_step) {
        out_.Store(d, finish.Inner(Fold(x, state), finish_a, finish_b, state), y);
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  // Of the windows of which the first one begins at x. It or the last one may lack a tap.
  HWY_INLINE V Fold(const T* x, S& state) const {
    V a, b, c;
    Columns(x, a, b, c, state);
    for (int64_t depth = 1; depth < job_.taps_d; ++depth) {
      V e, f, g;
      x += job_.x_tap_d;
      Columns(x, e, f, g, state);
      a = Reduce::Combine(a, e);
      b = Reduce::Combine(b, f);
      c = Reduce::Combine(c, g);
    }
    const D d;
    const V even = hn::ConcatEven(d, b, a), odd = hn::ConcatOdd(d, b, a);
    if (kSecond) return Reduce::Combine(Reduce::Combine(LaneBefore(d, c, odd), even), odd);
    return Reduce::Combine(Reduce::Combine(even, odd), LaneBehind(d, even, c));
  }
  HWY_INLINE void Columns(const T* x, V& a, V& b, V& c, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), at = kSecond ? 1 : 0;
    a = elem_.Load(d, x + at);
    if (HWY_LIKELY(has_b_)) {
      b = elem_.Load(d, x + at + n);
    } else {
      b = LaneBehind(d, elem_.Load(d, x + n), Reduce::Identity(d));
    }
    state = WatchLoaded<Reduce>(state, a, b);
    c = Reduce::Identity(d);
    if (HWY_LIKELY(has_c_)) c = elem_.LoadToAll(d, x + (kSecond ? 0 : 2 * n));
    // Otherwise another strip has it in a or b.
    if (watches_c_) state = Reduce::Watch(state, c);
  }

  const PlanesJob job_;
  const Elem elem_;
  const Out out_;
  const int64_t lane_;
  bool has_b_;  // the last lane of b is inside of the row
  bool has_c_, watches_c_;
};

// In vectors of D, or of less where a row has no more; the last one overlaps the one before. False:
// rows are shorter than the shortest vector, or windows lack more than a tap.
template <class Op, class D>
HWY_NOINLINE bool TakeThreeAlone(D d, const PlanesJob& job, bool* clean) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  if (job.lanes < n) {
    if constexpr (MayShorten<Op, D>()) {
      return TakeThreeAlone<Op>(hn::Half<D>(), job, clean);
    }
    return false;
  }
  if (job.w_first < -1 || job.w_first + 2 * job.lanes > job.w_input) return false;
  *clean = true;
  for (int64_t lane = 0; *clean && lane < job.lanes; lane += n) {
    const int64_t from = HWY_MIN(lane, job.lanes - n);
    *clean = job.w_first % 2 != 0 ? ThreeAloneStrip<Op, D, true>::Run(job, from)
                                  : ThreeAloneStrip<Op, D, false>::Run(job, from);
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
