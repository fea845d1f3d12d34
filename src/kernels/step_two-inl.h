// Windows of one to five taps along W that step by 2, lanes along W: columns are folded where they
// lie, then even and odd ones are taken apart. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_STEP_TWO_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_STEP_TWO_INL_H_
#undef LANEPOOL_SRC_KERNELS_STEP_TWO_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_STEP_TWO_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/five_by_two-inl.h"
#include "kernels/four_by_two-inl.h"
#include "kernels/gather_by_steps-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/neighbours-inl.h"
#include "kernels/pixels_by_steps-inl.h"
#include "kernels/rows_by_steps-inl.h"
#include "kernels/step_two_rows-inl.h"
#include "kernels/step_two_short-inl.h"
#include "kernels/three_alone-inl.h"
#include "kernels/three_by_two-inl.h"
#include "kernels/whole_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Output rows whose windows lie inside along H.
struct InnerRows {
  int64_t begin, end;
};

HWY_INLINE InnerRows InnerRowsOf(const PlanesJob& job) {
  const int64_t stride = job.h_stride;
  const int64_t last = job.h_input - 1 - (job.taps_h - 1) * job.h_tap - job.h_first;
  const int64_t begin = (HWY_MAX(-job.h_first, 0) + stride - 1) / stride;
  const int64_t end = last < 0 ? 0 : HWY_MIN(last / stride + 1, job.rows);
  return {begin, end};
}

HWY_INLINE bool CIsBefore(const PlanesJob& job) { return job.taps_w == 3 && job.w_first % 2 != 0; }
// The position of the columns of which the windows from `lane` on have two each.
HWY_INLINE int64_t FirstColumn(const PlanesJob& job, int64_t lane) {
  return job.w_first + 2 * lane + (CIsBefore(job) ? 1 : 0);
}

// A strip: the outputs of one vector of lanes [lane, lane + count) in all rows of all planes.
// It loads whole vectors of columns from an even position on: a and b, of which the windows have
// two taps each; of three taps the first one, where windows begin at odd positions, or the last one
// is a neighbour's, which takes a vector more: c. Windows of four and five taps begin with a
// wherever it is, and have two and three of neighbours. kTwo: of at most two taps, which is left to
// be found out where there is little code.
template <class Op, class D, bool kTwo>
class StripByTwo {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  StripByTwo(const PlanesJob& job, int64_t lane, int64_t count)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        input_(ReadableOf<T>(job)),
        rows_end_(RowsEnd<Y>(job)),
        finish_(job),
        taps_(job.taps_w),
        before_(CIsBefore(job)),
        first_(FirstColumn(job, lane)),
        c_(before_ ? first_ - static_cast<int64_t>(hn::Lanes(D()))
                   : first_ + 2 * static_cast<int64_t>(hn::Lanes(D()))),
        lane_(lane),
        count_(static_cast<size_t>(count)),
        depths_(job.taps_d),
        watch_c_(before_ ? lane == 0 : lane + count == job.lanes) {}

  HWY_INLINE bool Run(const InnerRows& inner) {
    const D d;
    S state = Reduce::Start(d);
    V lanes = hn::Zero(d);
    finish_.Begin(d, lane_, lanes);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      Plane(inner, static_cast<const T*>(job_.x) + plane * job_.x_plane_step,
            static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_, lanes, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE bool HasC() const { return !kTwo && taps_ > 2; }

  HWY_INLINE void Plane(const InnerRows& inner, const T* x, Y* y, V lanes, S& state) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const M in_a = LanesInside(d, first_, job_.w_input);
    const M in_b = LanesInside(d, first_ + n, job_.w_input);
    const M in_c = LanesInside(d, c_, job_.w_input);
    finish_.BeginPlane();
    V finish_a = lanes, finish_b = lanes;
    // The last row of a window is the first one of the next.
    const bool shares = job_.taps_h > 1 && job_.h_stride == (job_.taps_h - 1) * job_.h_tap;
    V a = hn::Zero(d), b = a, c = a;       // columns of the windows
    V last_a = a, last_b = a, last_c = a;  // of their last row
    for (int64_t row = 0; row < job_.rows; ++row) {
      const int64_t h = job_.h_first + row * job_.h_stride;
      if (row == inner.begin && inner.begin < inner.end) {
        if (!shares || row == 0) Row(x, h, in_a, in_b, in_c, last_a, last_b, last_c, state);
        finish_.Row(d, row, lanes, finish_a, finish_b);
        Inner(x + h * job_.x_row_step, y, inner.end - row, shares, in_a, in_b, in_c, lanes,
              finish_a, finish_b, last_a, last_b, last_c, state);
        y += (inner.end - row) * job_.y_row_step;
        row = inner.end - 1;
        continue;
      }
      if (shares && row > 0) {
        a = last_a;
        b = last_b;
        c = last_c;
      } else {
        Row(x, h, in_a, in_b, in_c, a, b, c, state);
      }
      for (int64_t tap = 1; tap < job_.taps_h; ++tap) {
        Row(x, h + tap * job_.h_tap, in_a, in_b, in_c, last_a, last_b, last_c, state);
        a = Reduce::Combine(a, last_a);
        b = Reduce::Combine(b, last_b);
        if (HasC()) c = Reduce::Combine(c, last_c);
      }
      finish_.Row(d, row, lanes, finish_a, finish_b);
      const V result = finish_.Apply(AlongW(a, b, c), lanes, finish_a, finish_b, state);
      if (count_ < hn::Lanes(d)) {
        StoreRow(out_, d, result, y, count_, rows_end_);
      } else {
        out_.Store(d, result, y);
      }
      y += job_.y_row_step;
    }
  }

  // `rows` outputs whose windows lie inside along H, one tap along D; x is the first row of the
  // first of them. If windows share rows, that row is in last_*, and there it is left.
  HWY_INLINE void Inner(const T* x, Y* y, int64_t rows, bool shares, M in_a, M in_b, M in_c,
                        V lanes, V finish_a, V finish_b, V& last_a, V& last_b, V& last_c,
                        S& state_ref) const {
    const D d;
    const int64_t taps = job_.taps_h, x_tap = job_.h_tap * job_.x_row_step;
    const int64_t x_step = job_.h_stride * job_.x_row_step, y_step = job_.y_row_step;
    const size_t count = count_;
    const bool partial = count < hn::Lanes(d);
    const auto finish = finish_;
    V a1 = last_a, b1 = last_b, c1 = last_c;
    S state = state_ref;
    for (int64_t i = 0; i < rows; ++i, x += x_step, y += y_step) {
      V a = a1, b = b1, c = c1;
      if (!shares) {
        InnerRow(x, in_a, in_b, in_c, a, b, c, state);
      }
      const T* p = x;
      for (int64_t tap = 1; tap < taps; ++tap) {
        p += x_tap;
        InnerRow(p, in_a, in_b, in_c, a1, b1, c1, state);
        a = Reduce::Combine(a, a1);
        b = Reduce::Combine(b, b1);
        if (HasC()) c = Reduce::Combine(c, c1);
      }
      const V result = finish.Apply(AlongW(a, b, c), lanes, finish_a, finish_b, state);
      if (partial) {
        StoreRow(out_, d, result, y, count, rows_end_);
      } else {
        out_.Store(d, result, y);
      }
    }
    last_a = a1;
    last_b = b1;
    last_c = c1;
    state_ref = state;
  }

  HWY_INLINE V AlongW(V a, V b, V c) const {
    const D d;
    const V even = hn::ConcatEven(d, b, a);
    const V odd = hn::ConcatOdd(d, b, a);
    if (!HasC()) return taps_ == 1 ? even : Reduce::Combine(even, odd);
    if (before_) return Reduce::Combine(Reduce::Combine(LaneBefore(d, c, odd), even), odd);
    const V three = Reduce::Combine(Reduce::Combine(even, odd), LaneBehind(d, even, c));
    if (taps_ == 3) return three;
    const V four = Reduce::Combine(three, LaneBehind(d, odd, hn::ConcatOdd(d, c, c)));
    if (taps_ == 4) return four;
    const V evens = hn::ConcatEven(d, c, c);
    return Reduce::Combine(four,
                           LaneBehind(d, LaneBehind(d, even, c), LaneBehind(d, evens, evens)));
  }

  // The folds along D of input row h.
  HWY_INLINE void Row(const T* x, int64_t h, M in_a, M in_b, M in_c, V& a, V& b, V& c,
                      S& state) const {
    if (h < 0 || h >= job_.h_input) {
      a = b = c = Reduce::Identity(D());
    } else {
      InnerRow(x + h * job_.x_row_step, in_a, in_b, in_c, a, b, c, state);
    }
  }
  HWY_INLINE void InnerRow(const T* row, M in_a, M in_b, M in_c, V& a, V& b, V& c, S& state) const {
    Three(row, in_a, in_b, in_c, a, b, c, state);
    for (int64_t depth = 1; depth < depths_; ++depth) {
      row += job_.x_tap_d;
      V a1, b1, c1 = c;
      Three(row, in_a, in_b, in_c, a1, b1, c1, state);
      a = Reduce::Combine(a, a1);
      b = Reduce::Combine(b, b1);
      if (HasC()) c = Reduce::Combine(c, c1);
    }
  }
  HWY_INLINE void Three(const T* row, M in_a, M in_b, M in_c, V& a, V& b, V& c, S& state) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    Load(row, first_, in_a, a);
    Load(row, first_ + n, in_b, b);
    state = WatchLoaded<Reduce>(state, a, b);
    if (!HasC()) return;
    Load(row, c_, in_c, c);
    if (watch_c_) state = Reduce::Watch(state, c);
  }
  HWY_INLINE void Load(const T* row, int64_t at, M inside, V& v) const {
    const D d;
    v = LoadInside(elem_, d, input_, row, at, job_.w_input, inside, Reduce::Identity(d));
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const Readable<T> input_;
  const Y* const rows_end_;
  typename Op::Finish::Planes finish_;
  const int64_t taps_;   // along W
  const bool before_;    // c is
  const int64_t first_;  // position of a
  const int64_t c_;      // of c
  const int64_t lane_;
  const size_t count_;
  const int64_t depths_;
  const bool watch_c_;  // other strips have what is used of c in their a or b
};

// Outputs [lane, end); the last strip overlaps the one before.
template <class Op, bool kTwo, class D>
HWY_NOINLINE bool StripsByTwo(D d, const PlanesJob& job, int64_t lane, int64_t end) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), count = HWY_MIN(n, job.lanes);
  const InnerRows inner = InnerRowsOf(job);
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - count);
    if (!StripByTwo<Op, D, kTwo>(job, lane, count).Run(inner)) return false;
  }
  return true;
}

// In vectors of D, or of less if a row has no more. False: no job for WholeRowsByTwo.
template <class Op, class D>
bool TakeWholeRows(D d, const PlanesJob& job, bool inner, bool* clean) {
  if (WholeRowsByTwo<Op, D>::Takes(job, inner)) {
    *clean = WholeRowsByTwo<Op, D>(job).All();
    return true;
  }
  constexpr bool kHalves = sizeof(typename Op::Elem::Memory) == 2 && !kCompact;
  if constexpr (!HWY_HAVE_SCALABLE && D().MaxBytes() > 16 && (!Op::kSmall || kHalves)) {
    return TakeWholeRows<Op>(hn::Half<D>(), job, inner, clean);
  }
  (void)d;
  return false;
}

// All planes but the first few.
template <class Op>
HWY_NOINLINE bool OtherPlanes(const PlanesJob& job, int64_t planes, bool (*run)(const PlanesJob&)) {
  PlanesJob rest = job;
  rest.planes -= planes;
  rest.x = static_cast<const typename Op::Elem::Memory*>(job.x) + planes * job.x_plane_step;
  rest.y = static_cast<typename Op::Out::Memory*>(job.y) + planes * job.y_plane_step;
  return run(rest);
}

template <class Op, bool kTwo>
bool StripsByTwo(const PlanesJob& job) {
  using T = typename Op::Elem::Memory;
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  constexpr bool kHalves = sizeof(T) == 2 && !kCompact;
  if constexpr (kTwo || (Op::kSmall && (kHalves || hwy::IsFloat<T>()))) {
    const InnerRows inner = InnerRowsOf(job);
    const bool all = inner.begin == 0 && inner.end == job.rows;
    if constexpr (!kCompact) {
      if (ShortRowsByTwo<Op>::Takes(job, all)) return ShortRowsByTwo<Op>(job).All();
    }
    bool clean;
    if (TakeWholeRows<Op>(d, job, all, &clean)) return clean;
  }
  constexpr bool kLong = sizeof(T) == 8 && !kCompact;
  if constexpr ((!Op::kSmall || kHalves || kLong) && !kTwo) {
    EdgeRows edges;
    bool clean = true;
    if constexpr (!kCompact) {
      const InnerRows inner = InnerRowsOf(job);
      const bool alone = job.taps_h == 1 && inner.begin == 0 && inner.end == job.rows;
      if (alone && job.taps_w == 3 && TakeThreeAlone<Op>(d, job, &clean)) return clean;
      // Of two halves of a vector of small elements masks make one.
      const int64_t n = static_cast<int64_t>(hn::Lanes(d));
      const bool masks = kMasksAreFast && kHalves && n / 2 < job.lanes && job.lanes < n;
      const bool four = alone && job.taps_w == 4 && !kLong && !masks;
      if (four && TakeFourByTwo<Op>(d, job, {0, 0}, &clean)) return clean;
    }
    if (FindEdgeRows(job, 3, 2, &edges)) {
      if (!kMasksAreFast && TakeThreeByTwo<Op>(d, job, edges, &clean)) return clean;
      if constexpr (!kCompact && !HWY_HAVE_SCALABLE) {
        const int64_t planes = TakePartOfThreeByTwo<Op>(d, job, edges, &clean);
        if (planes == job.planes || (planes > 0 && !clean)) return clean;
        if (planes > 0) return OtherPlanes<Op>(job, planes, &StripsByTwo<Op, kTwo>);
      }
      if (kMasksAreFast && TakeThreeByTwo<Op>(d, job, edges, &clean)) return clean;
    }
    if constexpr (!kCompact && !kLong) {
      if (FindEdgeRows(job, 4, 2, &edges) && TakeFourByTwo<Op>(d, job, edges, &clean)) return clean;
      LackedRows lacked;
      if (FindLackedRows(job, &lacked) && TakeFiveByTwo<Op>(d, job, lacked, &clean)) return clean;
    }
  }
  int64_t whole = job.lanes;
  if constexpr (MayHalve<decltype(d)>() && !Op::kSmall) {
    whole = WholeVectors(d, job.lanes);
    const hn::Half<decltype(d)> half;
    if (!StripsByTwo<Op, kTwo>(half, job, whole, job.lanes)) return false;
  }
  return StripsByTwo<Op, kTwo>(d, job, 0, whole);
}

template <class Op>
bool PlanesByTwo(const PlanesJob& job) {
  if constexpr (Op::Reduce::kRare) {
    return GatherBySteps<Op>(job);
  } else {
    if constexpr (!kCompact) {
      if (job.group > 1 || job.w_stride > kMostBySteps) return RunPixels<Op>(job);
      if (job.w_stride > 2) return RunRowsBySteps<Op>(job);
    }
    if constexpr (Op::kSmall) {
      return StripsByTwo<Op, false>(job);
    } else {
      if (job.taps_w <= 2) return StripsByTwo<Op, true>(job);
      return job.far && job.taps_h > 1 ? EachPlane<Op>(job, &StripsByTwo<Op, false>)
                                       : StripsByTwo<Op, false>(job);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
