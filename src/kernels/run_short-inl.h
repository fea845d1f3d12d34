// Windows that are one run each, of a few vectors, evenly spaced: small planes of global pooling.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_SHORT_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_SHORT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_SHORT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/run_results-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As Run, in code without branches for each number of vectors. Several windows are written out, as
// what a window takes is less than what a loop over them does.
template <class Op, int64_t kLanes>
class ShortRun {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Op::Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::CappedTag<Lane, static_cast<size_t>(kLanes)>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  using Results = RunResults<Op, kLanes>;
  static constexpr int64_t kAccumulators = kRunWidth / kLanes;
  // Vectors of a window at most. Those of one more wait for memory anyway.
  static constexpr int64_t kMost = 7;

 public:
  // With shorter vectors there would be too many variants.
  static constexpr bool kKnown = kAccumulators == 4 && !kCompact;

  static bool Fits(const FoldRunJob& job) {
    return job.length <= kMost * kLanes && (job.outputs == 1 || job.rows <= 1);
  }

  explicit ShortRun(const FoldRunJob& job) : job_(job), elem_(job.rules), results_(job) {}

  HWY_INLINE bool Run() const {
    switch ((job_.length - 1) / kLanes) {
      case 0:
        return Windows<1>();
      case 1:
        return Windows<2>();
      case 2:
        return Windows<3>();
      case 3:
        return Windows<4>();
      case 4:
        return Windows<5>();
      case 5:
        return Windows<6>();
      default:
        return Windows<kMost>();
    }
  }

 private:
  template <int64_t kVectors>
  HWY_INLINE bool Windows() const {
    HWY_ALIGN Lane folds[Results::kFolds];
    S state = Reduce::Start(D());
    const int64_t step = job_.outputs == 1 ? job_.x_row_step : job_.x_output_step;
    const size_t part = static_cast<size_t>(job_.length - (kVectors - 1) * kLanes);
    const T* x = static_cast<const T*>(job_.x);
    Y* y = static_cast<Y*>(job_.y);
    for (int64_t left = job_.outputs * HWY_MAX(job_.rows, 1); left > 0; left -= kLanes) {
      const int64_t some = HWY_MIN(left, kLanes);
      if (some == kLanes) {
        Four<kVectors>(x, step, part, folds, state);
        Four<kVectors>(x + 4 * step, step, part, folds + 4 * kLanes, state);
      } else {
        for (int64_t i = 0; i < some; ++i) {
          Window<kVectors>(x + i * step, part, folds + i * kLanes, state);
        }
      }
      results_.Put(folds, some, y, state);
      x += kLanes * step;
      y += some * job_.y_output_step;
    }
    return Reduce::Clean(D(), state, job_.divisor);
  }

  template <int64_t kVectors>
  HWY_INLINE void Four(const T* x, int64_t step, size_t part, Lane* folds, S& state) const {
    Window<kVectors>(x, part, folds, state);
    Window<kVectors>(x + step, part, folds + kLanes, state);
    Window<kVectors>(x + 2 * step, part, folds + 2 * kLanes, state);
    Window<kVectors>(x + 3 * step, part, folds + 3 * kLanes, state);
  }

  // The accumulators of a window, combined in halves. One of them begins as an accumulator does: a
  // sum of zeros is +0.
  template <int64_t kVectors>
  HWY_INLINE void Window(const T* x, size_t part, Lane* fold, S& state) const {
    const D d;
    const V v = Halves<kVectors, 0, 1>(x, part, state);
    hn::Store(Reduce::Combine(Reduce::Identity(d), v), d, fold);
  }
  // Accumulators kFirst, kFirst + kStep and so on, of those that have taps.
  template <int64_t kVectors, int64_t kFirst, int64_t kStep>
  HWY_INLINE V Halves(const T* x, size_t part, S& state) const {
    constexpr bool kOne = kFirst + kStep >= kVectors;
    if constexpr (kStep == kAccumulators) {
      const V a = Taps<kVectors, kFirst>(x, part);
      if constexpr (kOne) {
        state = Reduce::Watch(state, a);
        return a;
      } else {
        const V b = Taps<kVectors, kFirst + kStep>(x, part);
        state = Reduce::Watch(state, a, b);
        return Reduce::Combine(a, b);
      }
    } else {
      const V a = Halves<kVectors, kFirst, 2 * kStep>(x, part, state);
      if constexpr (kOne) {
        return a;
      } else {
        return Reduce::Combine(a, Halves<kVectors, kFirst + kStep, 2 * kStep>(x, part, state));
      }
    }
  }
  // Vector kIndex; what is behind the window is nothing.
  template <int64_t kVectors, int64_t kIndex>
  HWY_INLINE V Taps(const T* x, size_t part) const {
    const D d;
    if constexpr (kIndex + 1 < kVectors) {
      return elem_.Load(d, x + kIndex * kLanes);
    } else {
      return elem_.LoadN(d, x + kIndex * kLanes, part, Reduce::Identity(d));
    }
  }

  const FoldRunJob& job_;
  const Elem elem_;
  const Results results_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
