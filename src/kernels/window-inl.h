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

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How the columns of neighbouring outputs overlap.
enum class Slide {
  kNone,       // fold every window by itself
  kTwo,        // two columns, the next window begins at the second
  kThree,      // three columns, the next window begins at the second
  kThreeByTwo  // three columns, the next window begins at the third
};

HWY_INLINE Slide SlideOf(const WindowJob& job) {
  const int64_t columns = job.taps[2];
  if (job.outputs > 1 && job.x_output_step == job.x_tap[2]) {
    if (columns == 2) return Slide::kTwo;
    if (columns == 3) return Slide::kThree;
  }
  if (job.outputs > 1 && job.x_output_step == 2 * job.x_tap[2] && columns == 3) {
    return Slide::kThreeByTwo;
  }
  return Slide::kNone;
}

// One vector of lanes (kPartial: the first `n` of them) over all outputs of the job.
template <class Op, bool kPartial>
class OneVector {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;

 public:
  OneVector(const WindowJob& job, int64_t lane, size_t n)
      : job_(job),
        x_(static_cast<const T*>(job.x) + lane),
        y_(static_cast<T*>(job.y) + lane),
        n_(n) {}

  // False when a watched reducer met what it cannot handle.
  HWY_INLINE bool Run(Slide slide) const {
    const D d;
    M watch = hn::MaskFalse(d);
    switch (slide) {
      case Slide::kNone:
        for (int64_t o = 0; o < job_.outputs; ++o) {
          const T* p = x_ + o * job_.x_output_step;
          V acc = Column(p, watch);
          for (int64_t w = 1; w < job_.taps[2]; ++w) {
            acc = Reduce::Combine(acc, Column(p + w * job_.x_tap[2], watch));
          }
          Put(o, acc);
        }
        break;
      case Slide::kTwo: {
        V last = Column(x_, watch);
        for (int64_t o = 0; o < job_.outputs; ++o) {
          const V next = Column(x_ + (o + 1) * job_.x_tap[2], watch);
          Put(o, Reduce::Combine(last, next));
          last = next;
        }
        break;
      }
      case Slide::kThree: {
        V last = Column(x_ + job_.x_tap[2], watch);
        V pair = Reduce::Combine(Column(x_, watch), last);
        for (int64_t o = 0; o < job_.outputs; ++o) {
          const V next = Column(x_ + (o + 2) * job_.x_tap[2], watch);
          Put(o, Reduce::Combine(pair, next));
          pair = Reduce::Combine(last, next);
          last = next;
        }
        break;
      }
      case Slide::kThreeByTwo: {
        V first = Column(x_, watch);
        for (int64_t o = 0; o < job_.outputs; ++o) {
          const T* p = x_ + o * job_.x_output_step;
          const V middle = Column(p + job_.x_tap[2], watch);
          const V last = Column(p + 2 * job_.x_tap[2], watch);
          Put(o, Reduce::Combine(Reduce::Combine(first, middle), last));
          first = last;
        }
        break;
      }
    }
    return !Reduce::kWatches || hn::AllFalse(d, watch);
  }

 private:
  HWY_INLINE V Load(const T* p) const {
    const D d;
    if (kPartial) return Elem::LoadN(d, p, n_, hn::Zero(d));
    return Elem::Load(d, p);
  }
  HWY_INLINE V Column(const T* p, M& watch) const {
    V acc = Load(p);
    watch = Reduce::Watch(watch, acc, acc);
    int64_t h = 1;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      for (; h < job_.taps[1]; ++h) {
        const V v = Load(p + h * job_.x_tap[1]);
        watch = Reduce::Watch(watch, v, v);
        acc = Reduce::Combine(acc, v);
      }
      h = 0;
      p += job_.x_tap[0];
    }
    return acc;
  }
  HWY_INLINE void Put(int64_t o, V acc) const {
    const D d;
    const V result = Op::Finish::One(job_.divisor, acc);
    T* y = y_ + o * job_.y_output_step;
    if (kPartial) {
      Elem::StoreN(d, result, y, n_);
    } else {
      Elem::Store(d, result, y);
    }
  }

  const WindowJob& job_;
  const T* x_;
  T* y_;
  size_t n_;
};

// Four vectors side by side: neighbouring cache lines, and one test for irregular values.
template <class Op>
class FourVectors {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;

 public:
  FourVectors(const WindowJob& job, int64_t lane)
      : job_(job), x_(static_cast<const T*>(job.x) + lane), y_(static_cast<T*>(job.y) + lane) {}

  HWY_INLINE bool Run(Slide slide) const {
    const D d;
    M watch = hn::MaskFalse(d);
    V a, b, c, e;
    switch (slide) {
      case Slide::kNone:
        for (int64_t o = 0; o < job_.outputs; ++o) {
          const T* p = x_ + o * job_.x_output_step;
          Column(p, a, b, c, e, watch);
          for (int64_t w = 1; w < job_.taps[2]; ++w) {
            V a1, b1, c1, e1;
            Column(p + w * job_.x_tap[2], a1, b1, c1, e1, watch);
            Combine(a, b, c, e, a1, b1, c1, e1);
          }
          Put(o, a, b, c, e);
        }
        break;
      case Slide::kTwo:
        Column(x_, a, b, c, e, watch);
        for (int64_t o = 0; o < job_.outputs; ++o) {
          V a1, b1, c1, e1;
          Column(x_ + (o + 1) * job_.x_tap[2], a1, b1, c1, e1, watch);
          Combine(a, b, c, e, a1, b1, c1, e1);
          Put(o, a, b, c, e);
          a = a1, b = b1, c = c1, e = e1;
        }
        break;
      case Slide::kThree: {
        V a1, b1, c1, e1;  // the last column; a .. e: the last two
        Column(x_, a, b, c, e, watch);
        Column(x_ + job_.x_tap[2], a1, b1, c1, e1, watch);
        Combine(a, b, c, e, a1, b1, c1, e1);
        for (int64_t o = 0; o < job_.outputs; ++o) {
          V a2, b2, c2, e2;
          Column(x_ + (o + 2) * job_.x_tap[2], a2, b2, c2, e2, watch);
          Combine(a, b, c, e, a2, b2, c2, e2);
          Put(o, a, b, c, e);
          a = a1, b = b1, c = c1, e = e1;
          Combine(a, b, c, e, a2, b2, c2, e2);
          a1 = a2, b1 = b2, c1 = c2, e1 = e2;
        }
        break;
      }
      case Slide::kThreeByTwo:
        Column(x_, a, b, c, e, watch);
        for (int64_t o = 0; o < job_.outputs; ++o) {
          const T* p = x_ + o * job_.x_output_step;
          V a1, b1, c1, e1;
          Column(p + job_.x_tap[2], a1, b1, c1, e1, watch);
          Combine(a, b, c, e, a1, b1, c1, e1);
          Column(p + 2 * job_.x_tap[2], a1, b1, c1, e1, watch);
          Combine(a, b, c, e, a1, b1, c1, e1);
          Put(o, a, b, c, e);
          a = a1, b = b1, c = c1, e = e1;
        }
        break;
    }
    return !Reduce::kWatches || hn::AllFalse(d, watch);
  }

 private:
  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, M& watch) const {
    const D d;
    const size_t n = hn::Lanes(d);
    a = Elem::Load(d, p);
    b = Elem::Load(d, p + n);
    c = Elem::Load(d, p + 2 * n);
    e = Elem::Load(d, p + 3 * n);
    watch = Reduce::Watch(Reduce::Watch(watch, a, b), c, e);
  }
  HWY_INLINE void Column(const T* p, V& a, V& b, V& c, V& e, M& watch) const {
    Load(p, a, b, c, e, watch);
    int64_t h = 1;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      for (; h < job_.taps[1]; ++h) {
        V a1, b1, c1, e1;
        Load(p + h * job_.x_tap[1], a1, b1, c1, e1, watch);
        Combine(a, b, c, e, a1, b1, c1, e1);
      }
      h = 0;
      p += job_.x_tap[0];
    }
  }
  static HWY_INLINE void Combine(V& a, V& b, V& c, V& e, V a1, V b1, V c1, V e1) {
    a = Reduce::Combine(a, a1);
    b = Reduce::Combine(b, b1);
    c = Reduce::Combine(c, c1);
    e = Reduce::Combine(e, e1);
  }
  HWY_INLINE void Put(int64_t o, V a, V b, V c, V e) const {
    const D d;
    const size_t n = hn::Lanes(d);
    T* y = y_ + o * job_.y_output_step;
    Op::Finish::Four(job_.divisor, a, b, c, e);
    Elem::Store(d, a, y);
    Elem::Store(d, b, y + n);
    Elem::Store(d, c, y + 2 * n);
    Elem::Store(d, e, y + 3 * n);
  }

  const WindowJob& job_;
  const T* x_;
  T* y_;
};

template <class Op>
bool Window(const WindowJob& job) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  constexpr bool kRare = Op::Reduce::kRare;
  const Slide slide = kRare ? Slide::kNone : SlideOf(job);
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
