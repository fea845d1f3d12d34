// Windows whose lanes are channels: direct folds, and slides along the row that fold each column
// once. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/slide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The job's numbers, out of reach of stores to y.
struct WindowSteps {
  explicit WindowSteps(const WindowJob& job)
      : outputs(job.outputs),
        x_output_step(job.x_output_step),
        y_output_step(job.y_output_step),
        taps_d(job.taps[0]),
        taps_h(job.taps[1]),
        taps_w(job.taps[2]),
        d(job.x_tap[0]),
        h(job.x_tap[1]),
        w(job.x_tap[2]) {}

  const int64_t outputs, x_output_step, y_output_step;
  const int64_t taps_d, taps_h, taps_w;
  const int64_t d, h, w;  // distance of neighbouring taps
};

HWY_INLINE ByteRules EdgeRules(const ByteRules& rules, const EdgeWindow& edge) {
  return {rules.x_flip, rules.y_flip, edge.requant == nullptr ? nullptr : &edge.requant};
}

// kRows of the functions below: 0, or that there is one tap along D and so many along H.

// One vector of lanes (kPartial: the first `n` of them) over all outputs of the job.
template <class Op, bool kPartial>
class OneVector {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  OneVector(const WindowJob& job, int64_t lane, size_t n)
      : job_(job),
        steps_(job),
        elem_(job.bytes),
        out_(job.bytes),
        finish_(job.divisor, job.bytes),
        x_(static_cast<const T*>(job.x) + lane),
        y_(static_cast<Y*>(job.y) + lane),
        n_(n) {}

  // Every window by itself. False: the job is given up, see Reducer.
  HWY_INLINE bool Direct() const {
    const D d;
    S state = Reduce::Start(d);
    for (int64_t o = 0; o < steps_.outputs; ++o) {
      const T* p = x_ + o * steps_.x_output_step;
      V sum = hn::Zero(d);
      for (int64_t w = 0; w < steps_.taps_w; ++w) {
        const V v = Column<0>(p + w * steps_.w, state);
        sum = w == 0 ? v : Reduce::Combine(sum, v);
      }
      Put(o, sum, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  template <int kTaps, int kRows>
  HWY_INLINE bool Sliding(const Slide& slide) const {
    const D d;
    S state = Reduce::Start(d);
    const V zero = hn::Zero(d);
    V p1 = zero, p2 = zero, p3 = zero, p4 = zero, p5 = zero, p6 = zero;
    const int64_t total = slide.total, step = slide.step;
    int64_t complete = slide.taps - 1;  // the column that completes the next window
    int64_t o = 0;
    for (int64_t t = 0; t < total; ++t) {
      const V v = Column<kRows>(x_ + t * steps_.w, state);
      const V fold = Advance<kTaps, Reduce>(v, p1, p2, p3, p4, p5, p6);
      if (kTaps == 3 && t == 1 && job_.lead.exists) {
        state = PutEdge(job_, job_.lead, y_ - steps_.y_output_step, n_, p2, state);
      }
      if (t == complete) {
        Put(o++, fold, state);
        complete += step;
      }
    }
    if (kTaps == 3 && job_.trail.exists) {
      state = PutEdge(job_, job_.trail, y_ + o * steps_.y_output_step, n_, p2, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE V Load(const T* p) const {
    const D d;
    if (kPartial) return elem_.LoadN(d, p, n_, hn::Zero(d));
    return elem_.Load(d, p);
  }
  HWY_INLINE V Fresh(const T* p, S& state) const {
    const V v = Load(p);
    state = Reduce::Watch(state, v, v);
    return v;
  }
  HWY_INLINE V Depth(const T* p, S& state) const {
    V acc = Fresh(p, state);
    for (int64_t d = 1; d < steps_.taps_d; ++d) {
      acc = Reduce::Combine(acc, Fresh(p + d * steps_.d, state));
    }
    return acc;
  }
  template <int kRows>
  HWY_INLINE V Column(const T* p, S& state) const {
    if constexpr (kRows > 0) {
      V acc = Fresh(p, state);
      if (kRows > 1) acc = Reduce::Combine(acc, Fresh(p + steps_.h, state));
      if (kRows > 2) acc = Reduce::Combine(acc, Fresh(p + 2 * steps_.h, state));
      return acc;
    }
    V acc = Depth(p, state);
    for (int64_t h = 1; h < steps_.taps_h; ++h) {
      acc = Reduce::Combine(acc, Depth(p + h * steps_.h, state));
    }
    return acc;
  }
  HWY_INLINE void Put(int64_t o, V acc, S& state) const {
    PutTo(out_, y_ + o * steps_.y_output_step, n_, finish_.Apply(acc, state));
  }
  static HWY_INLINE void PutTo(const Out& out, Y* y, size_t n, V result) {
    const D d;
    if (kPartial) {
      out.StoreN(d, result, y, n);
    } else {
      out.Store(d, result, y);
    }
  }
  // Not a member that knows `this`, and the state by value: both would have to be in memory.
  static HWY_NOINLINE S PutEdge(const WindowJob& job, const EdgeWindow& edge, Y* y, size_t n, V acc,
                                S state) {
    const ByteRules rules = EdgeRules(job.bytes, edge);
    const typename Op::EdgeFinish finish(edge.divisor, rules);
    PutTo(Out(rules), y, n, finish.Apply(acc, state));
    return state;
  }

  const WindowJob& job_;
  const WindowSteps steps_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
  const T* const x_;
  Y* const y_;
  const size_t n_;
};

// Four vectors side by side: neighbouring cache lines, independent chains of additions. kTwo: only
// the first two of the four.
template <class Op, bool kTwo>
class FourVectors {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  FourVectors(const WindowJob& job, int64_t lane)
      : job_(job),
        steps_(job),
        elem_(job.bytes),
        out_(job.bytes),
        finish_(job.divisor, job.bytes),
        x_(static_cast<const T*>(job.x) + lane),
        y_(static_cast<Y*>(job.y) + lane) {}

  HWY_INLINE bool Direct() const {
    const D d;
    S state = Reduce::Start(d);
    V a = hn::Zero(d), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    for (int64_t o = 0; o < steps_.outputs; ++o) {
      const T* p = x_ + o * steps_.x_output_step;
      for (int64_t w = 0; w < steps_.taps_w; ++w) {
        Column<0>(p + w * steps_.w, a1, b1, c1, e1, state);
        if (w == 0) {
          a = a1, b = b1, c = c1, e = e1;
        } else {
          Combine(a, b, c, e, a1, b1, c1, e1);
        }
      }
      Put(o, a, b, c, e, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  template <int kTaps, int kRows>
  HWY_INLINE bool Sliding(const Slide& slide) const {
    const D d;
    S state = Reduce::Start(d);
    const V zero = hn::Zero(d);
    V a1 = zero, a2 = zero, a3 = zero, a4 = zero, a5 = zero, a6 = zero;
    V b1 = zero, b2 = zero, b3 = zero, b4 = zero, b5 = zero, b6 = zero;
    V c1 = zero, c2 = zero, c3 = zero, c4 = zero, c5 = zero, c6 = zero;
    V e1 = zero, e2 = zero, e3 = zero, e4 = zero, e5 = zero, e6 = zero;
    V a = zero, b = zero, c = zero, e = zero;
    const int64_t total = slide.total, step = slide.step;
    int64_t complete = slide.taps - 1;
    int64_t o = 0;
    for (int64_t t = 0; t < total; ++t) {
      Column<kRows>(x_ + t * steps_.w, a, b, c, e, state);
      const V fold_a = Advance<kTaps, Reduce>(a, a1, a2, a3, a4, a5, a6);
      const V fold_b = Advance<kTaps, Reduce>(b, b1, b2, b3, b4, b5, b6);
      V fold_c = zero, fold_e = zero;
      if (!kTwo) {
        fold_c = Advance<kTaps, Reduce>(c, c1, c2, c3, c4, c5, c6);
        fold_e = Advance<kTaps, Reduce>(e, e1, e2, e3, e4, e5, e6);
      }
      if (kTaps == 3 && t == 1 && job_.lead.exists) {
        state = PutEdge(job_, job_.lead, y_ - steps_.y_output_step, a2, b2, c2, e2, state);
      }
      if (t == complete) {
        Put(o++, fold_a, fold_b, fold_c, fold_e, state);
        complete += step;
      }
    }
    if (kTaps == 3 && job_.trail.exists) {
      state = PutEdge(job_, job_.trail, y_ + o * steps_.y_output_step, a2, b2, c2, e2, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    if constexpr (kTwo) {
      elem_.Load2(D(), p, a, b);
      state = Reduce::Watch(state, a, b);
    } else {
      elem_.Load4(D(), p, a, b, c, e);
      state = Reduce::Watch(Reduce::Watch(state, a, b), c, e);
    }
  }
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    V a1 = a, b1 = b, c1 = c, e1 = e;
    Load(p, a1, b1, c1, e1, state);
    Combine(a, b, c, e, a1, b1, c1, e1);
  }
  HWY_INLINE void Depth(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    Load(p, a, b, c, e, state);
    for (int64_t d = 1; d < steps_.taps_d; ++d) More(p + d * steps_.d, a, b, c, e, state);
  }
  template <int kRows>
  HWY_INLINE void Column(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    if constexpr (kRows > 0) {
      Load(p, a, b, c, e, state);
      if (kRows > 1) More(p + steps_.h, a, b, c, e, state);
      if (kRows > 2) More(p + 2 * steps_.h, a, b, c, e, state);
      return;
    }
    Depth(p, a, b, c, e, state);
    for (int64_t h = 1; h < steps_.taps_h; ++h) {
      V a1 = a, b1 = b, c1 = c, e1 = e;
      Depth(p + h * steps_.h, a1, b1, c1, e1, state);
      Combine(a, b, c, e, a1, b1, c1, e1);
    }
  }
  static HWY_INLINE void Combine(V& a, V& b, V& c, V& e, V a1, V b1, V c1, V e1) {
    a = Reduce::Combine(a, a1);
    b = Reduce::Combine(b, b1);
    if (kTwo) return;
    c = Reduce::Combine(c, c1);
    e = Reduce::Combine(e, e1);
  }
  HWY_INLINE void Put(int64_t o, V a, V b, V c, V e, S& state) const {
    PutBy(finish_, out_, y_ + o * steps_.y_output_step, a, b, c, e, state);
  }
  template <class Finish>
  static HWY_INLINE void PutBy(const Finish& finish, const Out& out, Y* y, V a, V b, V c, V e,
                               S& state) {
    a = finish.Apply(a, state);
    b = finish.Apply(b, state);
    if constexpr (kTwo) {
      out.Store2(D(), a, b, y);
    } else {
      c = finish.Apply(c, state);
      e = finish.Apply(e, state);
      out.Store4(D(), a, b, c, e, y);
    }
  }
  static HWY_NOINLINE S PutEdge(const WindowJob& job, const EdgeWindow& edge, Y* y, V a, V b, V c,
                                V e, S state) {
    const ByteRules rules = EdgeRules(job.bytes, edge);
    PutBy(typename Op::EdgeFinish(edge.divisor, rules), Out(rules), y, a, b, c, e, state);
    return state;
  }

  const WindowJob& job_;
  const WindowSteps steps_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
  const T* const x_;
  Y* const y_;
};

// Vector registers are 32 but on x86 before AVX-512: four vectors of long windows would spill.
constexpr int kFourTaps = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX3 ? 7 : 3;

// All lanes of the job. kTaps: sliding windows of so many taps; 0: every window by itself.
template <class Op, int kTaps, int kRows>
bool WindowLanes(const WindowJob& job, const Slide& slide) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const auto run = [&](const auto& vectors) HWY_ATTR {
    if constexpr (kTaps == 0) {
      return vectors.Direct();
    } else {
      return vectors.template Sliding<kTaps, kRows>(slide);
    }
  };
  if (job.lanes < n) {
    // Of few lanes, only windows that can have edges slide: less code.
    if constexpr (kTaps == 0 || kTaps == 3) {
      return run(OneVector<Op, true>(job, 0, static_cast<size_t>(job.lanes)));
    } else {
      return WindowLanes<Op, 0, 0>(job, slide);
    }
  }
  int64_t lane = 0;
  if constexpr (kTaps <= (Op::kWide ? kFourTaps : 0) && Op::kSlides) {
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) {
      if (!run(FourVectors<Op, false>(job, lane))) return false;
    }
  }
  if constexpr (Op::kPairs) {
    for (; lane + 2 * n <= job.lanes; lane += 2 * n) {
      if (!run(FourVectors<Op, true>(job, lane))) return false;
    }
  }
  while (lane < job.lanes) {
    // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
    if (!run(OneVector<Op, false>(job, HWY_MIN(lane, job.lanes - n), 0))) return false;
    lane += n;
  }
  return true;
}

// Whether windows of 3 taps along W and H slide.
HWY_INLINE bool IsThreeByThree(const WindowJob& job, Slide* slide) {
  return job.outputs > 1 && job.taps[0] == 1 && job.taps[1] == 3 && job.taps[2] == 3 &&
         Slide::Make(job.outputs, job.taps[2], job.x_output_step, job.x_tap[2], slide);
}

template <class Op>
bool Window(const WindowJob& job) {
  Slide slide = {};
  if constexpr (Op::kSlides) {
    const bool slides = job.outputs > 1 && Slide::Make(job.outputs, job.taps[2], job.x_output_step,
                                                       job.x_tap[2], &slide);
    const bool flat = job.taps[0] == 1;
    switch (slides ? slide.taps : 0) {
      case 2:
        return WindowLanes<Op, 2, 0>(job, slide);
      case 3:
        if constexpr (Op::kWide) {
          if (flat && job.taps[1] == 3) return WindowLanes<Op, 3, 3>(job, slide);
        }
        return WindowLanes<Op, 3, 0>(job, slide);
      case 5:
        return WindowLanes<Op, 5, 0>(job, slide);
      case 7:
        return WindowLanes<Op, 7, 0>(job, slide);
      default:
        break;
    }
    if constexpr (Op::kSlidesEven) {
      if (slides && slide.taps == 4) return WindowLanes<Op, 4, 0>(job, slide);
      if (slides && slide.taps == 6) return WindowLanes<Op, 6, 0>(job, slide);
    }
  }
  return WindowLanes<Op, 0, 0>(job, slide);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
