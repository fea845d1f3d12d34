// Windows that are long runs of contiguous lanes, one output each. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kRunWidth accumulators whatever the vector length, so that the order of additions is the same
// too.
template <class Op>
class Run {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::CappedTag<Lane, static_cast<size_t>(kRunWidth)>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  explicit Run(const FoldRunJob& job) : job_(job) {}

  HWY_INLINE bool All() const {
    const D d;
    S state = Reduce::Start(d);
    bool finished = true;
    for (int64_t o = 0; o < job_.outputs; ++o) {
      finished &= One(static_cast<const T*>(job_.x) + o * job_.x_output_step,
                      static_cast<T*>(job_.y) + o * job_.y_output_step, state);
    }
    return Reduce::Clean(d, state, job_.divisor) && finished;
  }

 private:
  HWY_INLINE bool One(const T* x, T* y, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    HWY_ALIGN Lane acc[static_cast<size_t>(kRunWidth)];
    // One vector of accumulators at a time takes its lanes of all rows.
    for (int64_t i = 0; i < kRunWidth; i += n) {
      V sum = Reduce::Identity(d);
      for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
        for (int64_t h = 0; h < job_.taps[1]; ++h) {
          const T* row = x + depth * job_.x_tap[0] + h * job_.x_tap[1];
          int64_t at = i;
          for (; at + n <= job_.length; at += kRunWidth) {
            const V v = Elem::Load(d, row + at);
            state = Reduce::Watch(state, v, v);
            sum = Reduce::Combine(sum, v);
          }
          if (at < job_.length) {
            const V v = Elem::LoadN(d, row + at, static_cast<size_t>(job_.length - at),
                                    Reduce::Identity(d));
            state = Reduce::Watch(state, v, v);
            sum = Reduce::Combine(sum, v);
          }
        }
      }
      hn::Store(sum, d, acc + i);
    }
    for (int64_t half = kRunWidth / 2; half >= 1; half /= 2) Halve(half, acc);
    const hn::CappedTag<Lane, 1> d1;
    auto last = Reduce::Start(d1);
    const auto result = Op::Finish::Apply(hn::Load(d1, acc), hn::Set(d1, job_.divisor.divisor),
                                          hn::Set(d1, job_.divisor.reciprocal), last);
    Elem::StoreN(d1, result, y, 1);
    return Reduce::Clean(d1, last, job_.divisor);
  }

  static HWY_INLINE void Halve(int64_t half, Lane* HWY_RESTRICT acc) {
    const hn::CappedTag<Lane, 4> d4;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d4));
    if (half >= n) {
      for (int64_t i = 0; i < half; i += n) {
        const auto sum = Reduce::Combine(hn::LoadU(d4, acc + i), hn::LoadU(d4, acc + half + i));
        hn::StoreU(sum, d4, acc + i);
      }
    } else {
      const hn::CappedTag<Lane, 1> d1;
      for (int64_t i = 0; i < half; ++i) {
        const auto sum = Reduce::Combine(hn::LoadU(d1, acc + i), hn::LoadU(d1, acc + half + i));
        hn::StoreU(sum, d1, acc + i);
      }
    }
  }

  const FoldRunJob& job_;
};

template <class Op>
bool FoldRun(const FoldRunJob& job) {
  return Run<Op>(job).All();
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
