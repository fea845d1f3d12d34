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
        x_(static_cast<const T*>(job.x) + lane),
        y_(static_cast<Y*>(job.y) + lane),
        n_(n) {}

  // Every window by itself. False: the job is given up, see Reducer.
  HWY_INLINE bool Direct() const {
    const D d;
    S state = Reduce::Start(d);
    for (int64_t o = 0; o < job_.outputs; ++o) {
      const T* p = x_ + o * job_.x_output_step;
      V sum = hn::Zero(d);
      for (int64_t w = 0; w < job_.taps[2]; ++w) {
        const V v = Column(p + w * job_.x_tap[2], state);
        sum = w == 0 ? v : Reduce::Combine(sum, v);
      }
      Put(o, sum, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  template <int kTaps>
  HWY_INLINE bool Sliding(const Slide& slide) const {
    const D d;
    S state = Reduce::Start(d);
    const V zero = hn::Zero(d);
    V p1 = zero, p2 = zero, p3 = zero, p4 = zero, p5 = zero, p6 = zero;
    int64_t complete = slide.taps - 1;  // the column that completes the next window
    int64_t o = 0;
    for (int64_t t = 0; t < slide.total; ++t) {
      const V v = Column(x_ + t * job_.x_tap[2], state);
      const V fold = Advance<kTaps, Reduce>(v, p1, p2, p3, p4, p5, p6);
      if (t == complete) {
        Put(o++, fold, state);
        complete += slide.step;
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE V Load(const T* p) const {
    const D d;
    if (kPartial) return Elem::LoadN(d, p, n_, hn::Zero(d));
    return Elem::Load(d, p);
  }
  HWY_INLINE V Fresh(const T* p, S& state) const {
    const V v = Load(p);
    state = Reduce::Watch(state, v, v);
    return v;
  }
  HWY_INLINE V Depth(const T* p, S& state) const {
    V acc = Fresh(p, state);
    for (int64_t d = 1; d < job_.taps[0]; ++d) {
      acc = Reduce::Combine(acc, Fresh(p + d * job_.x_tap[0], state));
    }
    return acc;
  }
  HWY_INLINE V Column(const T* p, S& state) const {
    V acc = Depth(p, state);
    for (int64_t h = 1; h < job_.taps[1]; ++h) {
      acc = Reduce::Combine(acc, Depth(p + h * job_.x_tap[1], state));
    }
    return acc;
  }
  HWY_INLINE void Put(int64_t o, V acc, S& state) const {
    const D d;
    const V result = Op::Finish::Apply(acc, hn::Set(d, job_.divisor.divisor),
                                       hn::Set(d, job_.divisor.reciprocal), state);
    Y* y = y_ + o * job_.y_output_step;
    if (kPartial) {
      Out::StoreN(d, result, y, n_);
    } else {
      Out::Store(d, result, y);
    }
  }

  const WindowJob& job_;
  const T* x_;
  Y* y_;
  size_t n_;
};

// Four vectors side by side: neighbouring cache lines, independent chains of additions.
template <class Op>
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
      : job_(job), x_(static_cast<const T*>(job.x) + lane), y_(static_cast<Y*>(job.y) + lane) {}

  HWY_INLINE bool Direct() const {
    const D d;
    S state = Reduce::Start(d);
    V a = hn::Zero(d), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    for (int64_t o = 0; o < job_.outputs; ++o) {
      const T* p = x_ + o * job_.x_output_step;
      for (int64_t w = 0; w < job_.taps[2]; ++w) {
        Column(p + w * job_.x_tap[2], a1, b1, c1, e1, state);
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

  template <int kTaps>
  HWY_INLINE bool Sliding(const Slide& slide) const {
    const D d;
    S state = Reduce::Start(d);
    const V zero = hn::Zero(d);
    V a1 = zero, a2 = zero, a3 = zero, a4 = zero, a5 = zero, a6 = zero;
    V b1 = zero, b2 = zero, b3 = zero, b4 = zero, b5 = zero, b6 = zero;
    V c1 = zero, c2 = zero, c3 = zero, c4 = zero, c5 = zero, c6 = zero;
    V e1 = zero, e2 = zero, e3 = zero, e4 = zero, e5 = zero, e6 = zero;
    V a = zero, b = zero, c = zero, e = zero;
    int64_t complete = slide.taps - 1;
    int64_t o = 0;
    for (int64_t t = 0; t < slide.total; ++t) {
      Column(x_ + t * job_.x_tap[2], a, b, c, e, state);
      const V fold_a = Advance<kTaps, Reduce>(a, a1, a2, a3, a4, a5, a6);
      const V fold_b = Advance<kTaps, Reduce>(b, b1, b2, b3, b4, b5, b6);
      const V fold_c = Advance<kTaps, Reduce>(c, c1, c2, c3, c4, c5, c6);
      const V fold_e = Advance<kTaps, Reduce>(e, e1, e2, e3, e4, e5, e6);
      if (t == complete) {
        Put(o++, fold_a, fold_b, fold_c, fold_e, state);
        complete += slide.step;
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    const size_t n = hn::Lanes(d);
    a = Elem::Load(d, p);
    b = Elem::Load(d, p + n);
    c = Elem::Load(d, p + 2 * n);
    e = Elem::Load(d, p + 3 * n);
    state = Reduce::Watch(Reduce::Watch(state, a, b), c, e);
  }
  HWY_INLINE void Depth(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    Load(p, a, b, c, e, state);
    for (int64_t d = 1; d < job_.taps[0]; ++d) {
      V a1, b1, c1, e1;
      Load(p + d * job_.x_tap[0], a1, b1, c1, e1, state);
      Combine(a, b, c, e, a1, b1, c1, e1);
    }
  }
  HWY_INLINE void Column(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    Depth(p, a, b, c, e, state);
    for (int64_t h = 1; h < job_.taps[1]; ++h) {
      V a1, b1, c1, e1;
      Depth(p + h * job_.x_tap[1], a1, b1, c1, e1, state);
      Combine(a, b, c, e, a1, b1, c1, e1);
    }
  }
  static HWY_INLINE void Combine(V& a, V& b, V& c, V& e, V a1, V b1, V c1, V e1) {
    a = Reduce::Combine(a, a1);
    b = Reduce::Combine(b, b1);
    c = Reduce::Combine(c, c1);
    e = Reduce::Combine(e, e1);
  }
  HWY_INLINE void Put(int64_t o, V a, V b, V c, V e, S& state) const {
    const D d;
    const size_t n = hn::Lanes(d);
    Y* y = y_ + o * job_.y_output_step;
    const V divisor = hn::Set(d, job_.divisor.divisor);
    const V reciprocal = hn::Set(d, job_.divisor.reciprocal);
    Out::Store(d, Op::Finish::Apply(a, divisor, reciprocal, state), y);
    Out::Store(d, Op::Finish::Apply(b, divisor, reciprocal, state), y + n);
    Out::Store(d, Op::Finish::Apply(c, divisor, reciprocal, state), y + 2 * n);
    Out::Store(d, Op::Finish::Apply(e, divisor, reciprocal, state), y + 3 * n);
  }

  const WindowJob& job_;
  const T* x_;
  Y* y_;
};

// Vector registers are 32 but on x86 before AVX-512: four vectors of long windows would spill.
constexpr int kFourTaps = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX3 ? 7 : 3;

// All lanes of the job. kTaps: sliding windows of so many taps; 0: every window by itself.
template <class Op, int kTaps>
bool WindowLanes(const WindowJob& job, const Slide& slide) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const auto one = [&](int64_t lane) HWY_ATTR {
    const OneVector<Op, false> vector(job, lane, 0);
    if constexpr (kTaps == 0) return vector.Direct();
    return vector.template Sliding<kTaps>(slide);
  };
  if (job.lanes < n) {
    const OneVector<Op, true> vector(job, 0, static_cast<size_t>(job.lanes));
    if constexpr (kTaps == 0) return vector.Direct();
    return vector.template Sliding<kTaps>(slide);
  }
  int64_t lane = 0;
  if constexpr (kTaps <= (Op::kWide ? kFourTaps : 0) && !Op::Reduce::kRare) {
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) {
      const FourVectors<Op> vectors(job, lane);
      if constexpr (kTaps == 0) {
        if (!vectors.Direct()) return false;
      } else {
        if (!vectors.template Sliding<kTaps>(slide)) return false;
      }
    }
  }
  while (lane < job.lanes) {
    // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
    if (!one(HWY_MIN(lane, job.lanes - n))) return false;
    lane += n;
  }
  return true;
}

template <class Op>
bool Window(const WindowJob& job) {
  Slide slide = {};
  if constexpr (!Op::Reduce::kRare) {
    const bool slides = job.outputs > 1 && Slide::Make(job.outputs, job.taps[2], job.x_output_step,
                                                       job.x_tap[2], &slide);
    switch (slides ? slide.taps : 0) {
      case 2:
        return WindowLanes<Op, 2>(job, slide);
      case 3:
        return WindowLanes<Op, 3>(job, slide);
      case 4:
        return WindowLanes<Op, 4>(job, slide);
      case 5:
        return WindowLanes<Op, 5>(job, slide);
      case 6:
        return WindowLanes<Op, 6>(job, slide);
      case 7:
        return WindowLanes<Op, 7>(job, slide);
      default:
        break;
    }
  }
  return WindowLanes<Op, 0>(job, slide);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
