// Whole planes with lanes along W, without scratch: each row is folded along W where it lies, and
// the folds slide along H in registers. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PLANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PLANES_INL_H_
#undef LANEPOOL_SRC_KERNELS_PLANES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PLANES_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/planes_deep-inl.h"
#include "kernels/planes_slide-inl.h"
#include "kernels/planes_square-inl.h"
#include "kernels/rows_alone-inl.h"
#include "kernels/slide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Taps of a walk along H.
HWY_INLINE Slide SlideOf(const PlanesJob& job) {
  const int64_t step = job.h_stride / job.h_tap;
  return {job.taps_h, step, (job.rows - 1) * step + job.taps_h};
}

// A strip: the outputs of one vector of lanes [lane, lane + count) in all rows of all planes.
// kEdge: some of its taps lie outside the row. kFive: 4 or 5 taps along each of W and H, none along
// D; else any along W and D, up to 3 along H, and up to 7 where there is nothing else.
template <class Op, class D, bool kEdge, bool kFive>
class Strip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Reduce::template State<D>;
  // No other loop takes the windows of 4 x 4 to 7 x 7 taps.
  static constexpr bool AnyTaps() { return !kFive && (Reduce::kRare || Op::kSmall); }

 public:
  Strip(const PlanesJob& job, int64_t lane, int64_t count)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        input_(ReadableOf<T>(job)),
        rows_end_(RowsEnd<Y>(job)),
        finish_(job),
        first_(job.w_first + lane),
        lane_(lane),
        count_(static_cast<size_t>(count)),
        far_(4 * job.w_tap > static_cast<int64_t>(hn::Lanes(D()))) {}

  HWY_INLINE bool Run(const Slide& slide) {
    const D d;
    S state = Reduce::Start(d);
    V lanes = hn::Zero(d);
    finish_.Begin(d, lane_, lanes);
    const M a = Inside(0), b = Inside(1), c = Inside(2), e = Inside(3), f = Inside(4);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      Plane(slide, x, y, lanes, a, b, c, e, f, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE void Plane(const Slide& slide, const T* x, Y* y, V lanes, M a, M b, M c, M e, M f,
                        S& state) {
    const D d;
    finish_.BeginPlane();
    V finish_a = lanes, finish_b = lanes;
    int64_t row = 0;
    V p1 = Reduce::Identity(d);  // partial folds, see Advance
    V p2 = p1, p3 = p1, p4 = p1, p5 = p1, p6 = p1;
    V sum = p1;
    int64_t complete = slide.taps - 1;  // the row that completes the next window
    const bool is_four = slide.taps == 4;
    for (int64_t t = 0; t < slide.total; ++t) {
      const V v = Row(x, job_.h_first + t * job_.h_tap, is_four, a, b, c, e, f, state);
      if ((kFive || AnyTaps()) && is_four) {
        sum = Advance<4, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else if (kFive || (AnyTaps() && slide.taps == 5)) {
        sum = Advance<5, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else if (AnyTaps() && !kCompact && slide.taps == 6) {
        sum = Advance<6, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else if (AnyTaps() && !kCompact && slide.taps == 7) {
        sum = Advance<7, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else if (slide.taps == 3) {
        sum = Advance<3, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else if (slide.taps == 2) {
        sum = Advance<2, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else {
        sum = v;
      }
      if (t != complete) continue;
      complete += slide.step;
      finish_.Row(d, row++, lanes, finish_a, finish_b);
      const V result = finish_.Apply(sum, lanes, finish_a, finish_b, state);
      if (count_ < hn::Lanes(d)) {
        StoreRow(out_, d, result, y, count_, rows_end_);
      } else {
        out_.Store(d, result, y);
      }
      y += job_.y_row_step;
    }
  }

  // The fold along D and W of input row h. a .. f: the lanes of the first five taps that are
  // inside.
  HWY_INLINE V Row(const T* x, int64_t h, bool is_four, M a, M b, M c, M e, M f, S& state) const {
    const D d;
    if (h < 0 || h >= job_.h_input) return Reduce::Identity(d);
    const T* row = x + h * job_.x_row_step;
    if (kFive) {
      const V va = Load(row, first_, a);
      const V vb = Load(row, first_ + job_.w_tap, b);
      const V vc = Load(row, first_ + 2 * job_.w_tap, c);
      const V ve = Load(row, first_ + 3 * job_.w_tap, e);
      // Unless taps are far apart, the first one and the last one are all elements.
      if (far_) state = Reduce::Watch(state, va, vb, vc, ve);
      const V four = Reduce::Combine(Reduce::Combine(Reduce::Combine(va, vb), vc), ve);
      if (is_four) {
        state = Reduce::Watch(state, va, ve);
        return four;
      }
      const V vf = Load(row, first_ + 4 * job_.w_tap, f);
      state = Reduce::Watch(state, va, vf);
      return Reduce::Combine(four, vf);
    }
    V acc = Reduce::Identity(d);
    for (int64_t tap = 0; tap < job_.taps_w; ++tap) {
      V column = acc;
      for (int64_t depth = 0; depth < job_.taps_d; ++depth) {
        const M inside = tap == 0 ? a : tap == 1 ? b : tap == 2 ? c : Inside(tap);
        const V v = Load(row + depth * job_.x_tap_d, first_ + tap * job_.w_tap, inside);
        state = Reduce::Watch(state, v);
        column = depth == 0 ? v : Reduce::Combine(column, v);
      }
      acc = tap == 0 ? column : Reduce::Combine(acc, column);
    }
    return acc;
  }
  // Lanes whose tap `tap` along W is inside the row.
  HWY_INLINE M Inside(int64_t tap) const {
    return LanesInside(D(), first_ + tap * job_.w_tap, job_.w_input);
  }
  // Positions [at, at + Lanes) of the row, identity outside it.
  HWY_INLINE V Load(const T* row, int64_t at, M inside) const {
    const D d;
    if (!kEdge) return elem_.Load(d, row + at);
    return LoadInside(elem_, d, input_, row, at, job_.w_input, inside, Reduce::Identity(d));
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const Readable<T> input_;
  const Y* const rows_end_;
  typename Op::Finish::Planes finish_;
  int64_t first_;
  int64_t lane_;
  size_t count_;
  const bool far_;
};

// Outputs [lane, end); the last strip overlaps the one before.
template <class Op, bool kFive, class D>
HWY_NOINLINE bool Strips(D d, const PlanesJob& job, const Slide& slide, int64_t lane, int64_t end) {
  constexpr bool kOnlyEdges = Op::Reduce::kRare || !kFive || HasSlidingPlanes<Op>();  // less code
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), count = HWY_MIN(n, job.lanes);
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - count);
    const int64_t first = job.w_first + lane;
    const bool edge =
        kOnlyEdges || first < 0 || first + (job.taps_w - 1) * job.w_tap + n > job.w_input;
    const bool clean = edge ? Strip<Op, D, true, kFive>(job, lane, count).Run(slide)
                            : Strip<Op, D, kOnlyEdges, kFive>(job, lane, count).Run(slide);
    if (!clean) return false;
  }
  return true;
}

template <class Op>
bool PlanesAsTheyLie(const PlanesJob& job) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  if constexpr (!Op::Reduce::kRare) {
    EdgeRows edges;
    if (FindEdgeRows(job, 3, 1, &edges)) return SquarePlanes<Op, 3>(d, job, edges);
    if constexpr (!Op::kSmall || (sizeof(typename Op::Elem::Memory) == 2 && !kCompact)) {
      if (FindEdgeRows(job, 2, 1, &edges)) return SquarePlanes<Op, 2>(d, job, edges);
    }
  }
  if constexpr (!Op::Reduce::kRare && !Op::kSmall && !kCompact) {
    EdgeRows edges;
    if (FindEdgeRows(job, 3, 2, &edges)) return SquarePlanesByTwo<Op>(d, job, edges);
  }
  if constexpr (HasSlidingPlanes<Op>()) {
    SlidingRows rows;
    if (FindSlidingRows(job, &rows)) return SlidingPlanes<Op>(d, job, rows);
  }
  const Slide slide = SlideOf(job);
  if constexpr (!Op::Reduce::kRare && !Op::kSmall) {
    if (!kCompact || job.taps_w >= 4) {
      int64_t whole = job.lanes;
      if constexpr (MayHalve<decltype(d)>()) {
        if (FillsMost(d, job.lanes)) return Strips<Op, true>(d, job, slide, 0, job.lanes);
        whole = WholeVectors(d, job.lanes);
        const hn::Half<decltype(d)> half;
        if (!Strips<Op, true>(half, job, slide, whole, job.lanes)) return false;
      }
      return Strips<Op, true>(d, job, slide, 0, whole);
    }
  }
  if constexpr (Op::kSmall && sizeof(typename Op::Elem::Memory) == 2 && !kCompact) {
    if (job.taps_w == 4 || job.taps_w == 5) return Strips<Op, true>(d, job, slide, 0, job.lanes);
  }
  if constexpr (Op::Reduce::kRare || Op::kSmall || kCompact) {
    return Strips<Op, false>(d, job, slide, 0, job.lanes);
  }
}

template <class Op>
bool Planes(const PlanesJob& job) {
  if constexpr (!Op::Reduce::kRare && !kCompact) {
    if (job.taps_h == 1) return RowsAlone<Op, hn::ScalableTag<typename Op::Elem::Lane>>::Run(job);
  }
  if constexpr (!Op::Reduce::kRare && hwy::IsFloat<typename Op::Elem::Memory>() && !kCompact) {
    if (DeepPlanes<Op>::Fits(job)) return RunDeepPlanes<Op>(job, &PlanesAsTheyLie<Op>);
  }
  return PlanesAsTheyLie<Op>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
