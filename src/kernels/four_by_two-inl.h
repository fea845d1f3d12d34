// Whole planes with lanes along W, windows of 4 x 4 taps that step by 2 and lack at most one row
// and one column at either end: each row is read once. Also of 1 x 4 taps, the pools of
// one-dimensional networks. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FOUR_BY_TWO_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FOUR_BY_TWO_INL_H_
#undef LANEPOOL_SRC_KERNELS_FOUR_BY_TWO_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FOUR_BY_TWO_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/neighbours-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The outputs of one vector of lanes in all rows of all planes. Two vectors of columns begin at the
// second column of the windows, and have two taps of each; the first tap and the last one are
// neighbours', and those of the windows at the ends are columns of their own.
template <class Op, class D>
class FourByTwoStrip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish::Planes;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  FourByTwoStrip(const PlanesJob& job, int64_t lane)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        depths_(job.taps_d),
        lane_(lane),
        span_(2 * static_cast<int64_t>(hn::Lanes(D())) + 1),
        has_before_(job.w_first + 2 * lane >= 0),
        has_behind_(job.w_first + 2 * lane + span_ < job.w_input),
        watches_before_(has_before_ && lane == 0),
        watches_behind_(has_behind_ && 2 * lane + span_ == 2 * job.lanes + 1) {}

  HWY_INLINE bool Run(const EdgeRows& edges) const {
    const D d;
    V finish_a = hn::Zero(d), finish_b = finish_a;
    const FinishOfRows<Finish, D> finish(job_, edges, lane_, finish_a, finish_b);
    const int64_t x_step = job_.h_tap * job_.x_row_step, y_step = job_.y_row_step;
    const int64_t rows = job_.rows - edges.first - edges.last;
    const int64_t from =
        job_.w_first + 2 * lane_ + (job_.h_first + edges.first * job_.h_tap) * job_.x_row_step;
    const bool fetches = job_.far && lane_ == 0;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step + from;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      // The first two rows of a window, of the first one maybe only its second row.
      V a, b, before, behind;
      Row(x, a, b, before, behind, state);
      if (edges.first == 0) {
        x += x_step;
        AddRow(x, a, b, before, behind, state);
      } else {
        out_.Store(d, finish.First(NextTwo(x, x_step, a, b, before, behind, state), state), y);
        x += 2 * x_step;
        y += y_step;
      }
      for (int64_t row = 0; row < rows; ++row) {
        if (fetches) FetchRows(job_, x, 2);
        const V fold = NextTwo(x, x_step, a, b, before, behind, state);
        out_.Store(d, finish.Inner(fold, finish_a, finish_b, state), y);
        x += 2 * x_step;
        y += y_step;
      }
      if (edges.last != 0) {
        AddRow(x + x_step, a, b, before, behind, state);
        out_.Store(d, finish.Last(AlongW(a, b, before, behind), state), y);
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  // Windows of a row each, all of which are there.
  HWY_INLINE bool RunAlone() const {
    const D d;
    V finish_a = hn::Zero(d), finish_b = finish_a;
    const FinishOfRows<Finish, D> finish(job_, {0, 0}, lane_, finish_a, finish_b);
    const int64_t x_step = job_.h_stride * job_.x_row_step, y_step = job_.y_row_step;
    const int64_t from = job_.w_first + 2 * lane_ + job_.h_first * job_.x_row_step;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step + from;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      for (int64_t left = job_.rows; left > 0; --left, x += x_step, y += y_step) {
        V a, b, before, behind;
        Row(x, a, b, before, behind, state);
        out_.Store(d, finish.Inner(AlongW(a, b, before, behind), finish_a, finish_b, state), y);
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // The windows whose second row is at x. Their last two rows are the first ones of the next.
  HWY_INLINE V NextTwo(const T* x, int64_t x_step, V& a, V& b, V& before, V& behind,
                       S& state) const {
    V e, f, g, h, e1, f1, g1, h1;
    Row(x + x_step, e, f, g, h, state);
    Add(e, f, g, h, a, b, before, behind);
    Row(x + 2 * x_step, e1, f1, g1, h1, state);
    Add(e1, f1, g1, h1, a, b, before, behind);
    const V fold = AlongW(a, b, before, behind);
    a = e, b = f, before = g, behind = h;
    Add(e1, f1, g1, h1, a, b, before, behind);
    return fold;
  }
  HWY_INLINE void AddRow(const T* x, V& a, V& b, V& before, V& behind, S& state) const {
    V e, f, g, h;
    Row(x, e, f, g, h, state);
    Add(e, f, g, h, a, b, before, behind);
  }
  // The folds along D of the row whose first tap of the first window is at x. All lanes of `before`
  // are alike, and all of `behind`.
  HWY_INLINE void Row(const T* x, V& a, V& b, V& before, V& behind, S& state) const {
    Columns(x, a, b, before, behind, state);
    for (int64_t depth = 1; depth < depths_; ++depth) {
      V e, f, g, h;
      x += job_.x_tap_d;
      Columns(x, e, f, g, h, state);
      Add(e, f, g, h, a, b, before, behind);
    }
  }
  // What is before and behind is in the a or b of another strip, but at the row's ends.
  HWY_INLINE void Columns(const T* x, V& a, V& b, V& before, V& behind, S& state) const {
    const D d;
    a = elem_.Load(d, x + 1);
    b = elem_.Load(d, x + 1 + hn::Lanes(d));
    state = WatchLoaded<Reduce>(state, a, b);
    before = has_before_ ? elem_.LoadToAll(d, x) : Reduce::Identity(d);
    behind = has_behind_ ? elem_.LoadToAll(d, x + span_) : Reduce::Identity(d);
    if (watches_before_) state = Reduce::Watch(state, before);
    if (watches_behind_) state = Reduce::Watch(state, behind);
  }
  static HWY_INLINE void Add(V e, V f, V g, V h, V& a, V& b, V& before, V& behind) {
    a = Reduce::Combine(a, e);
    b = Reduce::Combine(b, f);
    before = Reduce::Combine(before, g);
    behind = Reduce::Combine(behind, h);
  }
  static HWY_INLINE V AlongW(V a, V b, V before, V behind) {
    const D d;
    const V even = hn::ConcatEven(d, b, a), odd = hn::ConcatOdd(d, b, a);
    const V two = Reduce::Combine(LaneBefore(d, before, odd), even);
    return Reduce::Combine(Reduce::Combine(two, odd), LaneBehind(d, even, behind));
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const int64_t depths_, lane_;
  const int64_t span_;  // columns from the first window's first tap to the last window's last one
  const bool has_before_, has_behind_;
  const bool watches_before_, watches_behind_;
};

// Outputs [lane, end); the last vector overlaps the one before.
template <class Op, class D>
HWY_NOINLINE bool AllFourByTwo(D d, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                               int64_t end) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - n);
    const FourByTwoStrip<Op, D> strip(job, lane);
    if (!(job.taps_h == 1 ? strip.RunAlone() : strip.Run(edges))) return false;
  }
  return true;
}

// In vectors of D, or of less where a row has no more. `edges` is for windows of 4 rows, of others
// all rows are there. False: no job for FourByTwoStrip.
template <class Op, class D>
HWY_INLINE bool TakeFourByTwo(D d, const PlanesJob& job, const EdgeRows& edges, bool* clean) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), last = job.w_first + 2 * job.lanes;
  if (job.lanes < n) {
    if constexpr (MayShorten<Op, D>()) {
      return TakeFourByTwo<Op>(hn::Half<D>(), job, edges, clean);
    }
    return false;
  }
  if (job.w_first < -1 || last + 1 > job.w_input) return false;
  int64_t whole = job.lanes;
  if constexpr (MayHalve<D>()) {
    whole = WholeVectors(d, job.lanes);
    *clean = AllFourByTwo<Op>(hn::Half<D>(), job, edges, whole, job.lanes);
    if (!*clean) return true;
  }
  *clean = AllFourByTwo<Op>(d, job, edges, 0, whole);
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
