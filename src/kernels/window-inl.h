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

  // False: the job is given up, see Reducer. `slide` may be null.
  HWY_INLINE bool Run(const Slide* slide) const {
    const D d;
    S state = Reduce::Start(d);
    if (slide != nullptr) {
      V last = hn::Zero(d);
      V pair = last;  // the last two columns
      V sum = last;
      int64_t complete = slide->taps - 1;  // the column that completes the next window
      int64_t o = 0;
      for (int64_t t = 0; t < slide->total; ++t) {
        const V v = Column(x_ + t * job_.x_tap[2], state);
        if (slide->taps == 3) {
          sum = Reduce::Combine(pair, v);
          pair = Reduce::Combine(last, v);
        } else {
          sum = slide->taps == 2 ? Reduce::Combine(last, v) : v;
        }
        last = v;
        if (t == complete) {
          Put(o++, sum, state);
          complete += slide->step;
        }
      }
    } else {
      for (int64_t o = 0; o < job_.outputs; ++o) {
        const T* p = x_ + o * job_.x_output_step;
        V sum = hn::Zero(d);
        for (int64_t w = 0; w < job_.taps[2]; ++w) {
          const V v = Column(p + w * job_.x_tap[2], state);
          sum = w == 0 ? v : Reduce::Combine(sum, v);
        }
        Put(o, sum, state);
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

  HWY_INLINE bool Run(const Slide* slide) const {
    const D d;
    S state = Reduce::Start(d);
    V a = hn::Zero(d), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    if (slide != nullptr) {
      V a2 = a, b2 = a, c2 = a, e2 = a;
      int64_t complete = slide->taps - 1;
      int64_t o = 0;
      // a .. e: the last column; a1 .. e1: the last two; a2 .. e2: the new one.
      for (int64_t t = 0; t < slide->total; ++t) {
        Column(x_ + t * job_.x_tap[2], a2, b2, c2, e2, state);
        if (slide->taps == 3) {
          if (t == complete) {
            Combine(a1, b1, c1, e1, a2, b2, c2, e2);
            Put(o++, a1, b1, c1, e1, state);
            complete += slide->step;
          }
          Combine(a, b, c, e, a2, b2, c2, e2);
          a1 = a, b1 = b, c1 = c, e1 = e;
        } else if (t == complete) {
          if (slide->taps == 2) {
            Combine(a, b, c, e, a2, b2, c2, e2);
          } else {
            a = a2, b = b2, c = c2, e = e2;
          }
          Put(o++, a, b, c, e, state);
          complete += slide->step;
        }
        a = a2, b = b2, c = c2, e = e2;
      }
    } else {
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

template <class Op>
bool Window(const WindowJob& job) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  constexpr bool kRare = Op::Reduce::kRare;
  Slide slides;
  const bool sliding =
      !kRare && job.outputs > 1 &&
      Slide::Make(job.outputs, job.taps[2], job.x_output_step, job.x_tap[2], &slides);
  const Slide* slide = sliding ? &slides : nullptr;
  if (job.lanes < n) {
    return OneVector<Op, true>(job, 0, static_cast<size_t>(job.lanes)).Run(slide);
  }
  int64_t lane = 0;
  for (; !kRare && lane + 4 * n <= job.lanes; lane += 4 * n) {
    if (!FourVectors<Op>(job, lane).Run(slide)) return false;
  }
  for (; lane + n <= job.lanes; lane += n) {
    if (!OneVector<Op, false>(job, lane, 0).Run(slide)) return false;
  }
  // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
  return lane == job.lanes || OneVector<Op, false>(job, job.lanes - n, 0).Run(slide);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
