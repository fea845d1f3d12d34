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

// As Run, in code without branches for each number of vectors; of several rows only planes of 7x7.
// Several windows are written out, as what a window takes is less than what a loop over them does.
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
  // Vectors of a window: at most those of a plane of 7x7, in which many networks end. With four
  // lanes fewer would be too many variants.
  static constexpr int64_t kMost = kLanes == 8 ? 7 : 13;
  static constexpr int64_t kLeast = kLanes == 8 ? 1 : kMost;

 public:
  // Four lanes where nothing is longer: it is not worth its code for CPUs without AVX2.
  static constexpr bool kKnown = (kLanes == 8 || (kLanes == 4 && HWY_ARCH_ARM)) && !kCompact;

  static bool Fits(const FoldRunJob& job) {
    const int64_t vectors = Vectors(job);
    if (vectors < kLeast || vectors > kMost || (job.outputs != 1 && job.rows > 1)) return false;
    return OneRow(job) || (kRowsKnown && vectors == kMost);
  }

  explicit ShortRun(const FoldRunJob& job) : job_(job), elem_(job.rules), results_(job) {}

  HWY_INLINE bool Run() const {
    if constexpr (kRowsKnown) {
      if (!OneRow(job_)) return Windows<kMost, true>();
    }
    return RunFrom<kLeast>(Vectors(job_));
  }

 private:
  static constexpr bool kRowsKnown = kAccumulators == 4;

  static int64_t Vectors(const FoldRunJob& job) { return (job.length - 1) / kLanes + 1; }
  static bool OneRow(const FoldRunJob& job) { return job.taps[0] == 1 && job.taps[1] == 1; }

  template <int64_t kVectors>
  HWY_INLINE bool RunFrom(int64_t vectors) const {
    if constexpr (kVectors < kMost) {
      if (vectors != kVectors) return RunFrom<kVectors + 1>(vectors);
    }
    return Windows<kVectors, false>();
  }

  template <int64_t kVectors, bool kRows>
  HWY_INLINE bool Windows() const {
    HWY_ALIGN Lane folds[Results::kFolds];
    S state = Reduce::Start(D()), other = state;  // of every other window: neither waits for all
    const int64_t step = job_.outputs == 1 ? job_.x_row_step : job_.x_output_step;
    const size_t part = static_cast<size_t>(job_.length - (kVectors - 1) * kLanes);
    const T* x = static_cast<const T*>(job_.x);
    Y* y = static_cast<Y*>(job_.y);
    for (int64_t left = job_.outputs * HWY_MAX(job_.rows, 1); left > 0; left -= kLanes) {
      const int64_t some = HWY_MIN(left, kLanes);
      if (some == kLanes) {
        Four<kVectors, kRows>(x, step, part, folds, state, other);
        if constexpr (kLanes > 4) {
          Four<kVectors, kRows>(x + 4 * step, step, part, folds + 4 * kLanes, state, other);
        }
      } else {
        for (int64_t i = 0; i < some; ++i) {
          Window<kVectors, kRows>(x + i * step, part, folds + i * kLanes, state);
        }
      }
      results_.Put(folds, some, y, state);
      x += kLanes * step;
      y += some * job_.y_output_step;
    }
    return Reduce::Clean(D(), state, job_.divisor) && Reduce::Clean(D(), other, job_.divisor);
  }

  template <int64_t kVectors, bool kRows>
  HWY_INLINE void Four(const T* x, int64_t step, size_t part, Lane* folds, S& state,
                       S& other) const {
    Window<kVectors, kRows>(x, part, folds, state);
    Window<kVectors, kRows>(x + step, part, folds + kLanes, other);
    Window<kVectors, kRows>(x + 2 * step, part, folds + 2 * kLanes, state);
    Window<kVectors, kRows>(x + 3 * step, part, folds + 3 * kLanes, other);
  }

  template <int64_t kVectors, bool kRows>
  HWY_INLINE void Window(const T* x, size_t part, Lane* fold, S& state) const {
    const D d;
    if constexpr (kRows) {
      hn::Store(Rows<kVectors>(x, part, state), d, fold);
    } else {
      // One accumulator begins as all do: a sum of zeros is +0.
      const V v = Halves<kVectors, 0, 1>(x, part, state);
      hn::Store(Reduce::Combine(Reduce::Identity(d), v), d, fold);
    }
  }

  // Windows of several rows.
  template <int64_t kVectors>
  HWY_INLINE V Rows(const T* x, size_t part, S& state) const {
    static_assert(kVectors > kAccumulators, "each accumulator has taps");
    V a = Reduce::Identity(D()), b = a, c = a, e = a;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const T* row = x + depth * job_.x_tap[0];
      for (int64_t left = job_.taps[1]; left > 0; --left, row += job_.x_tap[1]) {
        a = More<kVectors, 0>(row, part, a, state);
        b = More<kVectors, 1>(row, part, b, state);
        c = More<kVectors, 2>(row, part, c, state);
        e = More<kVectors, 3>(row, part, e, state);
      }
    }
    return Reduce::Combine(Reduce::Combine(a, c), Reduce::Combine(b, e));
  }
  // The taps of a row that go to one accumulator.
  template <int64_t kVectors, int64_t kFirst>
  HWY_INLINE V More(const T* row, size_t part, V acc, S& state) const {
    const V v = Taps<kVectors, kFirst>(row, part);
    acc = Reduce::Combine(acc, v);
    if constexpr (kFirst + kAccumulators < kVectors) {
      const V w = Taps<kVectors, kFirst + kAccumulators>(row, part);
      state = Reduce::Watch(state, v, w);
      return Reduce::Combine(acc, w);
    } else {
      state = Reduce::Watch(state, v);
      return acc;
    }
  }

  // Windows of one row: of accumulators kFirst, kFirst + kStep and so on those that have taps,
  // combined in halves.
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
