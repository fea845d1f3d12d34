// Two output rows at a time: windows of 3 x 3 taps on rows that follow each other share two of
// their three input rows, or one if they step by two. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/slide-inl.h"
#include "kernels/window-inl.h"
#include "kernels/window_one-inl.h"
#include "kernels/window_whole-inl.h"
#include "kernels/window_whole_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether four vectors of channels go in two rows: of f32, where there are registers for them.
template <class Op>
constexpr bool FourInTwoRows() {
  return kManyRegisters && std::is_same<typename Op::Elem::Memory, float>::value;
}

// Two vectors of channels, or two and two; a and b are their folds in the first row, c and e in the
// second. Four vectors are not faster by themselves, but where positions of x lie whole pages apart
// the first cache keeps only few of them: what it fetches ahead must be used at once.
// kApart: taps along H from a row to the next, one or two. kWhich: see EdgeRow.
template <class Op, bool kFour, int kApart, EdgeRow::Which kWhich>
class TwoRows {
  static_assert(kApart == 1 || kWhich == EdgeRow::kNone, "edge rows are one tap apart");
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  TwoRows(const WindowJob& job, int64_t lane)
      : job_(job),
        steps_(job),
        y_row_step_(job.y_row_step),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules),
        edge_finish_(kWhich == EdgeRow::kNone ? Divisor() : job.edge_row.divisor, job.rules),
        x_(static_cast<const T*>(job.x) + lane),
        y_(static_cast<Y*>(job.y) + lane) {}

  // kFour: unless WatchesTiny, for which there are no registers left.
  HWY_INLINE bool Run(const Slide& slide) const {
    const D d;
    const bool tiny = kFour && WatchesTiny(finish_);
    HWY_ASSUME(!tiny);
    S state = Reduce::Start(d);
    const V zero = hn::Zero(d);
    V a1 = zero, a2 = zero, b1 = zero, b2 = zero, c1 = zero, c2 = zero, e1 = zero, e2 = zero;
    V f1 = zero, f2 = zero, g1 = zero, g2 = zero, h1 = zero, h2 = zero, i1 = zero, i2 = zero;
    const int64_t total = slide.total, step = slide.step;
    const int64_t pair = 2 * static_cast<int64_t>(hn::Lanes(d));
    int64_t complete = slide.taps - 1;
    const T* x = x_;
    Y* y = y_;
    for (int64_t t = 0; t < (kSparesInstructions ? 2 : total); ++t, x += steps_.w) {
      const bool completes = t == complete;
      Pair(x, completes, y, a1, a2, b1, b2, c1, c2, e1, e2, state);
      if (kFour) Pair(x + pair, completes, y + pair, f1, f2, g1, g2, h1, h2, i1, i2, state);
      if (t == 1 && job_.lead.exists) {
        Y* const edge = y - steps_.y_output_step;
        const Divisor& of_row = job_.edge_row.lead;
        state = PutEdge(job_, job_.lead, of_row, edge, a2, b2, c2, e2, state);
        if (kFour) state = PutEdge(job_, job_.lead, of_row, edge + pair, f2, g2, h2, i2, state);
      }
      if (completes) {
        y += steps_.y_output_step;
        complete += step;
      }
    }
    if constexpr (kSparesInstructions) {
      if (step == 1) {
        Turns<1>(x, y, a1, a2, b1, b2, c1, c2, e1, e2, f1, f2, g1, g2, h1, h2, i1, i2, state);
      } else {
        Turns<2>(x, y, a1, a2, b1, b2, c1, c2, e1, e2, f1, f2, g1, g2, h1, h2, i1, i2, state);
      }
    }
    if (job_.trail.exists) {
      const Divisor& of_row = job_.edge_row.trail;
      state = PutEdge(job_, job_.trail, of_row, y, a2, b2, c2, e2, state);
      if (kFour) state = PutEdge(job_, job_.trail, of_row, y + pair, f2, g2, h2, i2, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // The next column, and the windows that it completes.
  HWY_INLINE void Pair(const T* x, bool completes, Y* y, V& a1, V& a2, V& b1, V& b2, V& c1, V& c2,
                       V& e1, V& e2, S& state) const {
    V a, b, c, e;
    V unused = hn::Zero(D());
    Column(x, a, b, c, e, state);
    const V fold_a = Advance<3, Reduce>(a, a1, a2, unused, unused, unused, unused);
    const V fold_b = Advance<3, Reduce>(b, b1, b2, unused, unused, unused, unused);
    const V fold_c = Advance<3, Reduce>(c, c1, c2, unused, unused, unused, unused);
    const V fold_e = Advance<3, Reduce>(e, e1, e2, unused, unused, unused, unused);
    if (!completes) return;
    Put(kWhich == EdgeRow::kFirst ? edge_finish_ : finish_,
        kWhich == EdgeRow::kSecond ? edge_finish_ : finish_, out_, y, y_row_step_, fold_a, fold_b,
        fold_c, fold_e, state);
  }
  // The windows, kStep columns apart, from the third column on.
  template <int kStep>
  HWY_INLINE void Turns(const T* x, Y*& y, V& a1, V& a2, V& b1, V& b2, V& c1, V& c2, V& e1, V& e2,
                        V& f1, V& f2, V& g1, V& g2, V& h1, V& h2, V& i1, V& i2, S& state) const {
    const int64_t w = steps_.w, y_step = steps_.y_output_step;
    const int64_t pair = 2 * static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t left = job_.outputs; left > 0; left -= 3 - kStep) {
      Pair(x, true, y, a1, a2, b1, b2, c1, c2, e1, e2, state);
      if (kFour) Pair(x + pair, true, y + pair, f1, f2, g1, g2, h1, h2, i1, i2, state);
      x += w;
      y += y_step;
      if (left == 1) return;
      Pair(x, kStep == 1, y, a1, a2, b1, b2, c1, c2, e1, e2, state);
      if (kFour) Pair(x + pair, kStep == 1, y + pair, f1, f2, g1, g2, h1, h2, i1, i2, state);
      x += w;
      if (kStep == 1) y += y_step;
    }
  }
  HWY_INLINE void Column(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    if constexpr (kApart == 2) {
      FoldFiveRows<Reduce, 2>(elem_, D(), p, steps_.h, a, b, c, e, state);
    } else {
      ColumnOfFour(p, a, b, c, e, state);
    }
  }
  HWY_INLINE void ColumnOfFour(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    const int64_t h = steps_.h;
    V a1, b1, a2, b2;
    const T* const shared = kWhich == EdgeRow::kFirst ? p : p + h;
    elem_.Load2(d, shared, a1, b1);
    elem_.Load2(d, shared + h, a2, b2);
    if constexpr (kManyRegisters) KeepInRegisters(a1, b1, a2, b2);
    state = WatchTaps<Reduce>(state, a1, b1, a2, b2);
    const V shared_a = Reduce::Combine(a1, a2);
    const V shared_b = Reduce::Combine(b1, b2);
    if constexpr (kWhich == EdgeRow::kNone) {
      elem_.Load2(d, p, a, b);
      elem_.Load2(d, shared + 2 * h, c, e);
      state = WatchTaps<Reduce>(state, a, b, c, e);
    } else if constexpr (kWhich == EdgeRow::kFirst) {
      elem_.Load2(d, shared + 2 * h, c, e);
      state = WatchTaps<Reduce>(state, c, e);
    } else {
      elem_.Load2(d, p, a, b);
      state = WatchTaps<Reduce>(state, a, b);
    }
    c = kWhich == EdgeRow::kSecond ? shared_a : Reduce::Combine(shared_a, c);
    e = kWhich == EdgeRow::kSecond ? shared_b : Reduce::Combine(shared_b, e);
    if constexpr (kWhich == EdgeRow::kFirst) {
      a = shared_a;
      b = shared_b;
    } else if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      // From the first row to the last, as every sum of floats.
      a = Reduce::Combine(Reduce::Combine(a, a1), a2);
      b = Reduce::Combine(Reduce::Combine(b, b1), b2);
    } else {
      a = Reduce::Combine(a, shared_a);
      b = Reduce::Combine(b, shared_b);
    }
  }
  // `first` and `second`: of the rows.
  template <class Finish>
  static HWY_INLINE void Put(const Finish& first, const Finish& second, const Out& out, Y* y,
                             int64_t y_row_step, V a, V b, V c, V e, S& state) {
    state = WatchFolds<Reduce>(state, a, b, c, e);
    if constexpr (kWhich == EdgeRow::kNone) {
      FinishFour(first, a, b, c, e, state, 0);
    } else {
      a = first.Apply(a, state);
      b = first.Apply(b, state);
      c = second.Apply(c, state);
      e = second.Apply(e, state);
    }
    const D d;
    out.Store2(d, a, b, y);
    out.Store2(d, c, e, y + y_row_step);
  }
  // `of_row`: the divisor in the row that lacks taps.
  static HWY_NOINLINE S PutEdge(const WindowJob& job, const EdgeWindow& edge, const Divisor& of_row,
                                Y* y, V a, V b, V c, V e, S state) {
    const ElementRules rules = EdgeRules(job.rules, edge);
    const Divisor& first = kWhich == EdgeRow::kFirst ? of_row : edge.divisor;
    const Divisor& second = kWhich == EdgeRow::kSecond ? of_row : edge.divisor;
    using Finish = typename Op::EdgeFinish;
    Put(Finish(first, rules), Finish(second, rules), Out(rules), y, job.y_row_step, a, b, c, e,
        state);
    return state;
  }

  const WindowJob& job_;
  const WindowSteps steps_;
  const int64_t y_row_step_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_, edge_finish_;
  const T* const x_;
  Y* const y_;
};

// Whether windows of a job slide over 3 x 3 taps.
HWY_INLINE bool SlidesThreeByThree(const WindowJob& job, Slide* slide) {
  return IsThreeByThree(job) && Slide::Make(job.outputs, 3, job.x_output_step, job.x_tap[2], slide);
}

// Two rows of such a job from channel `lane` on, as long as there are channels for all vectors.
// Returns the channel where they end, or -1: the job is given up.
template <class Op, bool kFour, int kApart, EdgeRow::Which kWhich>
HWY_NOINLINE int64_t PairOfRows(const WindowJob& job, const Slide& slide, int64_t lane) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t width = (kFour ? 4 : 2) * static_cast<int64_t>(hn::Lanes(d));
  for (; lane + width <= job.lanes; lane += width) {
    if (!TwoRows<Op, kFour, kApart, kWhich>(job, lane).Run(slide)) return -1;
  }
  return lane;
}

// The same of four vectors, where there are registers for them.
template <class Op, int kApart>
int64_t FourVectorsOfRows(const WindowJob& job, const Slide& slide) {
  using Finish = typename Op::Finish;
  if (WatchesTiny(Finish(job.divisor, job.rules))) return 0;
  const EdgeRow& edge = job.edge_row;
  if constexpr (kApart == 1) {
    if (edge.which == EdgeRow::kFirst) {
      return PairOfRows<Op, true, 1, EdgeRow::kFirst>(job, slide, 0);
    }
    if (edge.which == EdgeRow::kSecond) {
      return PairOfRows<Op, true, 1, EdgeRow::kSecond>(job, slide, 0);
    }
  }
  return PairOfRows<Op, true, kApart, EdgeRow::kNone>(job, slide, 0);
}

// One row of two, from channel `lane` on.
template <class Op>
bool RowOfTwo(const WindowJob& job, const Slide& slide, int64_t lane, bool second) {
  const EdgeRow& edge = job.edge_row;
  WindowJob row = job;
  row.rows = 1;
  row.lanes = job.lanes - lane;
  const int64_t tap = second && edge.which != EdgeRow::kFirst ? job.x_row_step : 0;
  row.x = static_cast<const typename Op::Elem::Memory*>(job.x) + lane + tap;
  row.y = static_cast<typename Op::Out::Memory*>(job.y) + lane + (second ? job.y_row_step : 0);
  if constexpr (FourInTwoRows<Op>()) {
    if (edge.which == (second ? EdgeRow::kSecond : EdgeRow::kFirst)) {
      row.taps[1] = 2;
      row.divisor = edge.divisor;
      row.lead.divisor = edge.lead;
      row.trail.divisor = edge.trail;
      return SlidingWindows<Op>(row, slide);
    }
  }
  return WindowLanes<Op, 3, 3>(row, slide);
}

// Two rows of such a job.
template <class Op, int kApart>
bool TwoOfThreeByThree(const WindowJob& job, const Slide& slide) {
  int64_t lane = 0;
  // Two rows never ask whether to write past the caches: that takes time, and has none to gain.
  if (!job.streams) {
    if constexpr (FourInTwoRows<Op>()) lane = FourVectorsOfRows<Op, kApart>(job, slide);
    if (lane >= 0 && job.edge_row.which == EdgeRow::kNone) {
      lane = PairOfRows<Op, false, kApart, EdgeRow::kNone>(job, slide, lane);
    }
  }
  if (lane < 0) return false;
  if (lane == job.lanes) return true;
  // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  if (n <= job.lanes) lane = HWY_MIN(lane, job.lanes - n);
  return RowOfTwo<Op>(job, slide, lane, false) && RowOfTwo<Op>(job, slide, lane, true);
}

// Whether rows of such a job go in pairs that are two taps apart. Measured.
template <class Op>
bool GoesInPairs(const WindowJob& job, const Slide& slide) {
  if (slide.step != 2 || job.x_row_step != 2 * job.x_tap[1] || job.streams) return false;
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (HasWholePixels<Op>()) {
    if (WholePixels<Op>::Fits(job, slide)) return PixelsOfTwoRows<Op>::Fits(job);
  }
  return job.lanes >= 2 * n;
}

// Two rows that are two taps apart.
template <class Op>
bool TwoByTwo(const WindowJob& job, const Slide& slide) {
  if constexpr (HasWholePixels<Op>()) {
    if (WholePixels<Op>::Fits(job, slide)) return PixelsOfTwoRows<Op>::Run(job);
  }
  return TwoOfThreeByThree<Op, 2>(job, slide);
}

// Many rows of such a job.
template <class Op>
bool RowsOfThreeByThree(const WindowJob& job, const Slide& slide) {
  const bool in_pairs = GoesInPairs<Op>(job, slide);
  WindowJob part = job;
  for (int64_t left = job.rows; left > 0; left -= part.rows) {
    part.rows = in_pairs && left > 1 ? 2 : 1;
    if (!(part.rows == 2 ? TwoByTwo<Op>(part, slide) : RowOfThreeByThree<Op>(part, slide))) {
      return false;
    }
    part.x = static_cast<const typename Op::Elem::Memory*>(part.x) + part.rows * job.x_row_step;
    part.y = static_cast<typename Op::Out::Memory*>(part.y) + part.rows * job.y_row_step;
  }
  return true;
}

// Such jobs.
template <class Op>
bool ThreeByThree(const WindowJob& job, const Slide& slide) {
  if (job.rows == 1) return RowOfThreeByThree<Op>(job, slide);
  // Of a broadcast view all rows are one, whatever they step by.
  if (job.rows == 2 && job.x_row_step == job.x_tap[1]) return TwoOfThreeByThree<Op, 1>(job, slide);
  return RowsOfThreeByThree<Op>(job, slide);
}

// Windows of which only those that step by two go in pairs of rows.
template <class Op>
bool WindowByTwo(const WindowJob& job) {
  Slide slide;
  if (job.rows > 1 && SlidesThreeByThree(job, &slide) && GoesInPairs<Op>(job, slide)) {
    return RowsOfThreeByThree<Op>(job, slide);
  }
  return Window<Op>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
