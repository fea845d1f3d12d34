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

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/load_inside-inl.h"
#include "kernels/slide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Taps of a walk along H.
struct PlaneSlide : Slide {
  // Those that complete a window with all taps inside.
  int64_t inner_begin, inner_end;
};

HWY_INLINE PlaneSlide SlideOf(const PlanesJob& job) {
  const int64_t step = job.h_stride / job.h_tap;
  const int64_t total = (job.rows - 1) * step + job.taps_h;
  const int64_t before = HWY_MAX(-job.h_first, 0);
  const int64_t begin = (before + job.h_tap - 1) / job.h_tap + job.taps_h - 1;
  const int64_t end = (job.h_input - job.h_first + job.h_tap - 1) / job.h_tap;
  return {{job.taps_h, step, total}, begin, HWY_MAX(begin, HWY_MIN(end, total))};
}

// A strip: the outputs of one vector of lanes [lane, lane + count) in all rows of all planes.
// kEdge: some of its taps lie outside the row. kTaps: 3 taps along W and up to 3 along H, or 2
// along each, none along D; 5 for 4 or 5 along each, none along D; 0: any along W and D, up to 3
// along H, 4 and 5 too where there is nothing else.
template <class Op, class D, bool kEdge, int kTaps>
class Strip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Reduce::template State<D>;
  // No other loop takes the windows of 4 x 4 and 5 x 5 taps.
  static constexpr bool AnyTaps() { return kTaps == 0 && (Reduce::kRare || Op::kSmall); }

 public:
  Strip(const PlanesJob& job, int64_t lane, int64_t count)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        finish_(job),
        first_(job.w_first + lane),
        lane_(lane),
        count_(static_cast<size_t>(count)) {}

  HWY_INLINE bool Run(const PlaneSlide& slide) {
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
  HWY_INLINE void Plane(const PlaneSlide& slide, const T* x, Y* y, V lanes, M a, M b, M c, M e, M f,
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
      if (kTaps == 3 && slide.taps != 2 && slide.step == 1 && t == slide.inner_begin &&
          slide.inner_begin < slide.inner_end) {
        finish_.Row(d, row, lanes, finish_a, finish_b);
        const int64_t rows = slide.inner_end - t;
        const T* const from = x + (job_.h_first + t * job_.h_tap) * job_.x_row_step;
        if (!Op::kSmall && slide.taps == 3 && job_.taps_d == 1) {
          Inner<true>(from, y, rows, a, b, c, lanes, finish_a, finish_b, p1, p2, state);
        } else {
          InnerRarely(from, y, rows, a, b, c, lanes, finish_a, finish_b, p1, p2, state);
        }
        y += rows * job_.y_row_step;
        t += rows - 1;
        row += rows;
        complete += rows;
        continue;
      }
      const V v = Row(x, job_.h_first + t * job_.h_tap, is_four, a, b, c, e, f, state);
      if (kTaps == 5 && is_four) {
        sum = Advance<4, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else if (kTaps == 5 || (AnyTaps() && slide.taps == 5)) {
        sum = Advance<5, Reduce>(v, p1, p2, p3, p4, p5, p6);
      } else if (AnyTaps() && slide.taps == 4) {
        sum = Advance<4, Reduce>(v, p1, p2, p3, p4, p5, p6);
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
        out_.StoreN(d, result, y, count_);
      } else {
        out_.Store(d, result, y);
      }
      y += job_.y_row_step;
    }
  }

  // `rows` outputs of three rows each, or one, all inside; the row at x completes the first one.
  // kPlain: three rows each, one tap along D, which is all that is asked often.
  template <bool kPlain>
  HWY_INLINE void Inner(const T* x, Y* y, int64_t rows, M a, M b, M c, V lanes, V finish_a,
                        V finish_b, V& p1_ref, V& p2_ref, S& state_ref) {
    const D d;
    const int64_t x_step = job_.h_tap * job_.x_row_step, y_step = job_.y_row_step;
    const int64_t tap = job_.w_tap, first = first_;
    const bool far_apart = 2 * tap > static_cast<int64_t>(hn::Lanes(d));
    const int64_t depths = kPlain ? 1 : job_.taps_d;
    const bool slides = kPlain || job_.taps_h == 3;
    const size_t count = count_;
    const bool partial = count < hn::Lanes(d);
    const auto finish = finish_;
    V p1 = p1_ref, p2 = p2_ref;
    S state = state_ref;
    for (int64_t i = 0; i < rows; ++i) {
      V va = Load(x, first, a), vb = Load(x, first + tap, b), vc = Load(x, first + 2 * tap, c);
      // Unless taps are far apart, these are all elements.
      state = Reduce::Watch(state, va, vc);
      if (far_apart) state = Reduce::Watch(state, vb, vb);
      const T* p = x;
      for (int64_t depth = 1; depth < depths; ++depth) {
        p += job_.x_tap_d;
        const V da = Load(p, first, a), db = Load(p, first + tap, b);
        const V dc = Load(p, first + 2 * tap, c);
        state = Reduce::Watch(state, da, dc);
        if (far_apart) state = Reduce::Watch(state, db, db);
        va = Reduce::Combine(va, da);
        vb = Reduce::Combine(vb, db);
        vc = Reduce::Combine(vc, dc);
      }
      const V v = Reduce::Combine(Reduce::Combine(va, vb), vc);
      V sum = v;
      if (slides) {
        sum = Reduce::Combine(p2, v);
        p2 = Reduce::Combine(p1, v);
        p1 = v;
      }
      const V result = finish.Apply(sum, lanes, finish_a, finish_b, state);
      if (partial) {
        out_.StoreN(d, result, y, count);
      } else {
        out_.Store(d, result, y);
      }
      x += x_step;
      y += y_step;
    }
    p1_ref = p1;
    p2_ref = p2;
    state_ref = state;
  }

  // Out of line: what is hot keeps its registers.
  HWY_NOINLINE void InnerRarely(const T* x, Y* y, int64_t rows, M a, M b, M c, V lanes, V finish_a,
                                V finish_b, V& p1, V& p2, S& state) {
    Inner<false>(x, y, rows, a, b, c, lanes, finish_a, finish_b, p1, p2, state);
  }

  // The fold along D and W of input row h. a .. f: the lanes of the first five taps that are
  // inside.
  HWY_INLINE V Row(const T* x, int64_t h, bool is_four, M a, M b, M c, M e, M f, S& state) const {
    const D d;
    if (h < 0 || h >= job_.h_input) return Reduce::Identity(d);
    const T* row = x + h * job_.x_row_step;
    if (kTaps == 3 && job_.taps_d == 1) {
      const V va = Load(row, first_, a);
      const V vb = Load(row, first_ + job_.w_tap, b);
      state = Reduce::Watch(state, va, vb);
      if (job_.taps_w == 2) return Reduce::Combine(va, vb);
      const V vc = Load(row, first_ + 2 * job_.w_tap, c);
      state = Reduce::Watch(state, vc, vc);
      return Reduce::Combine(Reduce::Combine(va, vb), vc);
    }
    if (kTaps == 5) {
      const V va = Load(row, first_, a);
      const V vb = Load(row, first_ + job_.w_tap, b);
      const V vc = Load(row, first_ + 2 * job_.w_tap, c);
      const V ve = Load(row, first_ + 3 * job_.w_tap, e);
      state = Reduce::Watch(Reduce::Watch(state, va, vb), vc, ve);
      const V four = Reduce::Combine(Reduce::Combine(Reduce::Combine(va, vb), vc), ve);
      if (is_four) return four;
      const V vf = Load(row, first_ + 4 * job_.w_tap, f);
      state = Reduce::Watch(state, vf, vf);
      return Reduce::Combine(four, vf);
    }
    return kTaps == 0 ? RowOfAny(row, a, b, c, state) : RowRarely(row, a, b, c, state);
  }
  HWY_NOINLINE V RowRarely(const T* row, M a, M b, M c, S& state) const {
    return RowOfAny(row, a, b, c, state);
  }
  HWY_INLINE V RowOfAny(const T* row, M a, M b, M c, S& state) const {
    const D d;
    V acc = Reduce::Identity(d);
    for (int64_t tap = 0; tap < job_.taps_w; ++tap) {
      V column = acc;
      for (int64_t depth = 0; depth < job_.taps_d; ++depth) {
        const M inside = tap == 0 ? a : tap == 1 ? b : tap == 2 ? c : Inside(tap);
        const V v = Load(row + depth * job_.x_tap_d, first_ + tap * job_.w_tap, inside);
        state = Reduce::Watch(state, v, v);
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
    return LoadInside(elem_, d, row, at, job_.w_input, inside, Reduce::Identity(d));
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  typename Op::Finish::Planes finish_;
  int64_t first_;
  int64_t lane_;
  size_t count_;
};

// Outputs [lane, lane + count), at most a vector of D.
template <class Op, int kTaps, class D>
HWY_INLINE bool RunStrip(D d, const PlanesJob& job, const PlaneSlide& slide, int64_t lane,
                         int64_t count) {
  constexpr bool kRare = Op::Reduce::kRare;
  const int64_t reach = (job.taps_w - 1) * job.w_tap + static_cast<int64_t>(hn::Lanes(d));
  const int64_t first = job.w_first + lane;
  const bool edge = kRare || first < 0 || first + reach > job.w_input;
  return edge ? Strip<Op, D, true, kTaps>(job, lane, count).Run(slide)
              : Strip<Op, D, kRare, kTaps>(job, lane, count).Run(slide);
}

// kHalves: where half a vector is enough, it is faster.
template <class Op, int kTaps, bool kHalves>
bool PlanesOf(const PlanesJob& job, const PlaneSlide& slide) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const hn::Half<decltype(d)> half;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t lane = 0; lane < job.lanes; lane += n) {
    // The last strip overlaps the one before.
    if (kHalves && job.lanes - lane <= n / 2) {
      const int64_t count = HWY_MIN(n / 2, job.lanes);
      return Strip<Op, decltype(half), true, kTaps>(job, job.lanes - count, count).Run(slide);
    }
    const int64_t count = HWY_MIN(n, job.lanes);
    lane = HWY_MIN(lane, job.lanes - count);
    if (!RunStrip<Op, kTaps>(d, job, slide, lane, count)) return false;
  }
  return true;
}

template <class Op>
bool Planes(const PlanesJob& job) {
  const PlaneSlide slide = SlideOf(job);
  if constexpr (!Op::Reduce::kRare) {
    constexpr bool kHalves = !Op::kSmall && HWY_MAX_BYTES > 32;
    const bool two = job.taps_w == 2 && job.taps_h == 2 && job.taps_d == 1;
    if (two || (job.taps_w == 3 && job.taps_h <= 3)) {
      return PlanesOf<Op, 3, kHalves>(job, slide);
    }
    if constexpr (!Op::kSmall) {
      if (job.taps_w >= 4 && job.taps_h >= 4 && job.taps_d == 1) {
        return PlanesOf<Op, 5, kHalves>(job, slide);
      }
    }
  }
  return PlanesOf<Op, 0, false>(job, slide);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
