// Whole planes with lanes along W, windows of 5 x 5 taps that step by 2 and lack at most two rows
// and two columns at either end: each row is read once. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FIVE_BY_TWO_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FIVE_BY_TWO_INL_H_
#undef LANEPOOL_SRC_KERNELS_FIVE_BY_TWO_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FIVE_BY_TWO_INL_H_
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

// Taps along H that the first window of a plane lacks, and the last one: up to two.
struct LackedRows {
  int64_t first, last;
};
// False: windows are not of 5 x 5 taps, do not step by two taps along H, or lack more.
HWY_INLINE bool FindLackedRows(const PlanesJob& job, LackedRows* lacked) {
  if (job.taps_w != 5 || job.taps_h != 5 || job.h_stride != 2 * job.h_tap) return false;
  const int64_t tap = job.h_tap;
  const int64_t end = job.h_first + (job.rows - 1) * job.h_stride + 4 * tap;  // the last tap's row
  if (job.h_first + 2 * tap < 0 || end - 2 * tap >= job.h_input) return false;
  lacked->first = job.h_first >= 0 ? 0 : job.h_first + tap >= 0 ? 1 : 2;
  lacked->last = end < job.h_input ? 0 : end - tap < job.h_input ? 1 : 2;
  return (lacked->first > 0 ? 1 : 0) + (lacked->last > 0 ? 1 : 0) <= job.rows;
}

// The outputs of one vector of lanes in all rows of all planes. Two vectors of columns begin at the
// third column of the windows, and have two taps of each; the first two taps and the last one are
// neighbours', and those of the windows at the ends are columns of their own.
template <class Op, class D>
class FiveByTwoStrip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish::Planes;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  FiveByTwoStrip(const PlanesJob& job, int64_t lane)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        depths_(job.taps_d),
        lane_(lane),
        span_(2 * static_cast<int64_t>(hn::Lanes(D())) + 2),
        has_first_(job.w_first + 2 * lane >= 0),
        has_second_(job.w_first + 2 * lane + 1 >= 0),
        has_behind_(job.w_first + 2 * lane + span_ < job.w_input),
        lacks_(job.w_first + 2 * lane + span_ > job.w_input),
        watches_before_(lane == 0),
        watches_behind_(2 * lane + span_ == 2 * job.lanes + 2) {}

  HWY_INLINE bool Run(const LackedRows& lacked) const {
    const D d;
    V finish_a = hn::Zero(d), finish_b = finish_a;
    const EdgeRows edges = {lacked.first > 0 ? 1 : 0, lacked.last > 0 ? 1 : 0};
    const FinishOfRows<Finish, D> finish(job_, edges, lane_, finish_a, finish_b);
    const int64_t x_step = job_.h_tap * job_.x_row_step, y_step = job_.y_row_step;
    const int64_t rows = job_.rows - edges.first - edges.last;
    const int64_t from = job_.w_first + 2 * lane_ + job_.h_first * job_.x_row_step + 2 * x_step;
    const bool fetches = job_.far && lane_ == 0;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      // The third row of the first window.
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step + from;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      // The first three rows of a window, and the first one of the next.
      V a, b, first, second, behind, a1, b1, first1, second1, behind1;
      Row(x, a1, b1, first1, second1, behind1, state);
      if (lacked.first == 2) {
        a = a1, b = b1, first = first1, second = second1, behind = behind1;
      } else {
        Row(x - (2 - lacked.first) * x_step, a, b, first, second, behind, state);
        if (lacked.first == 0) AddRow(x - x_step, a, b, first, second, behind, state);
        Add(a1, b1, first1, second1, behind1, a, b, first, second, behind);
      }
      if (edges.first != 0) {
        const V fold = NextTwo(x, x_step, a, b, first, second, behind, a1, b1, first1, second1,
                               behind1, state);
        out_.Store(d, finish.First(fold, state), y);
        x += 2 * x_step;
        y += y_step;
      }
      for (int64_t row = 0; row < rows; ++row) {
        if (fetches) FetchRows(job_, x, 2);
        const V fold = NextTwo(x, x_step, a, b, first, second, behind, a1, b1, first1, second1,
                               behind1, state);
        out_.Store(d, finish.Inner(fold, finish_a, finish_b, state), y);
        x += 2 * x_step;
        y += y_step;
      }
      if (edges.last != 0) {
        if (lacked.last == 1) AddRow(x + x_step, a, b, first, second, behind, state);
        out_.Store(d, finish.Last(AlongW(a, b, first, second, behind), state), y);
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // The windows whose third row is at x. a .. have their first three rows, a1 .. the third one;
  // then those of the next windows.
  HWY_INLINE V NextTwo(const T* x, int64_t x_step, V& a, V& b, V& first, V& second, V& behind,
                       V& a1, V& b1, V& first1, V& second1, V& behind1, S& state) const {
    V e, f, g, h, i;
    Row(x + x_step, e, f, g, h, i, state);
    Add(e, f, g, h, i, a, b, first, second, behind);
    Add(e, f, g, h, i, a1, b1, first1, second1, behind1);
    Row(x + 2 * x_step, e, f, g, h, i, state);
    Add(e, f, g, h, i, a, b, first, second, behind);
    const V fold = AlongW(a, b, first, second, behind);
    Add(e, f, g, h, i, a1, b1, first1, second1, behind1);
    a = a1, b = b1, first = first1, second = second1, behind = behind1;
    a1 = e, b1 = f, first1 = g, second1 = h, behind1 = i;
    return fold;
  }
  HWY_INLINE void AddRow(const T* x, V& a, V& b, V& first, V& second, V& behind, S& state) const {
    V e, f, g, h, i;
    Row(x, e, f, g, h, i, state);
    Add(e, f, g, h, i, a, b, first, second, behind);
  }
  // The folds along D of the row whose first tap of the first window is at x. All lanes of `first`
  // are alike, as are those of `second` and `behind`.
  HWY_INLINE void Row(const T* x, V& a, V& b, V& first, V& second, V& behind, S& state) const {
    Columns(x, a, b, first, second, behind, state);
    for (int64_t depth = 1; depth < depths_; ++depth) {
      V e, f, g, h, i;
      x += job_.x_tap_d;
      Columns(x, e, f, g, h, i, state);
      Add(e, f, g, h, i, a, b, first, second, behind);
    }
  }
  // What is before and behind is in the a or b of another strip, but at the row's ends.
  HWY_INLINE void Columns(const T* x, V& a, V& b, V& first, V& second, V& behind, S& state) const {
    const D d;
    const size_t n = hn::Lanes(d);
    const V none = Reduce::Identity(d);
    a = elem_.Load(d, x + 2);
    b = lacks_ ? elem_.LoadN(d, x + 2 + n, n - 1, none) : elem_.Load(d, x + 2 + n);
    state = WatchLoaded<Reduce>(state, a, b);
    first = has_first_ ? elem_.LoadToAll(d, x) : none;
    second = has_second_ ? elem_.LoadToAll(d, x + 1) : none;
    behind = has_behind_ ? elem_.LoadToAll(d, x + span_) : none;
    if (watches_before_) state = Reduce::Watch(Reduce::Watch(state, first), second);
    if (watches_behind_) state = Reduce::Watch(state, behind);
  }
  static HWY_INLINE void Add(V e, V f, V g, V h, V i, V& a, V& b, V& first, V& second, V& behind) {
    a = Reduce::Combine(a, e);
    b = Reduce::Combine(b, f);
    first = Reduce::Combine(first, g);
    second = Reduce::Combine(second, h);
    behind = Reduce::Combine(behind, i);
  }
  static HWY_INLINE V AlongW(V a, V b, V first, V second, V behind) {
    const D d;
    const V even = hn::ConcatEven(d, b, a), odd = hn::ConcatOdd(d, b, a);
    const V two = Reduce::Combine(LaneBefore(d, first, even), LaneBefore(d, second, odd));
    return Reduce::Combine(Reduce::Combine(Reduce::Combine(two, even), odd),
                           LaneBehind(d, even, behind));
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const int64_t depths_, lane_;
  const int64_t span_;  // columns from the first window's first tap to the last window's last one
  const bool has_first_, has_second_, has_behind_;
  const bool lacks_;  // the last column of b, too
  const bool watches_before_, watches_behind_;
};

// All outputs; the last vector overlaps the one before.
template <class Op, class D>
HWY_NOINLINE bool AllFiveByTwo(D d, const PlanesJob& job, const LackedRows& lacked, int64_t lane,
                               int64_t end) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - n);
    if (!FiveByTwoStrip<Op, D>(job, lane).Run(lacked)) return false;
  }
  return true;
}

// In vectors of D, or of less where a row has no more. False: no job for FiveByTwoStrip.
template <class Op, class D>
HWY_INLINE bool TakeFiveByTwo(D d, const PlanesJob& job, const LackedRows& lacked, bool* clean) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  if (job.lanes < n) {
    if constexpr (MayShorten<Op, D>()) {
      return TakeFiveByTwo<Op>(hn::Half<D>(), job, lacked, clean);
    }
    return false;
  }
  if (job.w_first < -2 || job.w_first + 2 * job.lanes + 1 > job.w_input) return false;
  int64_t whole = job.lanes;
  if constexpr (MayHalve<D>()) {
    whole = WholeVectors(d, job.lanes);
    *clean = AllFiveByTwo<Op>(hn::Half<D>(), job, lacked, whole, job.lanes);
    if (!*clean) return true;
  }
  *clean = AllFiveByTwo<Op>(d, job, lacked, 0, whole);
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
