// Two rows of windows of 3 x 3 taps that step by two along both axes: they share one of five input
// rows. Pixel by pixel, all channels of each, see window_whole-inl.h. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/window_one-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The folds of three rows, and of three from the last of those on, of which neighbours lie `row`
// elements apart: from the first to the last, as every sum of floats. kVectors: one (a and c) or
// two (b and e as well).
template <class Reduce, int kVectors, class Elem, class D, class V, class S>
HWY_INLINE void FoldFiveRows(const Elem& elem, D d, const typename Elem::Memory* p, int64_t row,
                             V& a, V& b, V& c, V& e, S& state) {
  V none = hn::Zero(d);
  LoadFour<Reduce, kVectors>(elem, d, p, a, b, none, none, state);
  AddFour<Reduce, kVectors>(elem, d, p + row, a, b, none, none, state);
  LoadFour<Reduce, kVectors>(elem, d, p + 2 * row, c, e, none, none, state);
  CombineFour<Reduce, kVectors>(a, b, none, none, c, e, none, none);
  AddFour<Reduce, kVectors>(elem, d, p + 3 * row, c, e, none, none, state);
  AddFour<Reduce, kVectors>(elem, d, p + 4 * row, c, e, none, none, state);
}

// The folds of a column along H that windows share with the next ones are kept on the stack.
template <class Op>
class PixelsOfTwoRows {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

  static constexpr int64_t kMostLanes = 1024;

 public:
  static bool Fits(const WindowJob& job) { return job.lanes <= kMostLanes; }

  static HWY_NOINLINE bool Run(const WindowJob& job) {
    HWY_ALIGN Lane kept[2 * (kMostLanes + HWY_MAX_LANES_D(D))];
    const PixelsOfTwoRows rows(job);
    S state = Reduce::Start(D());
    const T* x = static_cast<const T*>(job.x);
    Y* y = static_cast<Y*>(job.y);
    rows.First(x, kept, state);
    for (int64_t o = job.outputs; o != 0; --o) {
      x += rows.steps_.w;
      rows.Next(x, y, kept, state);
      x += rows.steps_.w;
      y += rows.steps_.y_output_step;
    }
    return Reduce::Clean(D(), state, job.divisor);
  }

 private:
  explicit PixelsOfTwoRows(const WindowJob& job)
      : steps_(job),
        y_row_step_(job.y_row_step),
        lanes_(job.lanes),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules) {}

  HWY_INLINE void First(const T* x, Lane* kept, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    V a = hn::Zero(d), b = a, c = a, e = a;
    int64_t lane = 0;
    for (; lane + 2 * n <= lanes_; lane += 2 * n) {
      FoldFiveRows<Reduce, 2>(elem_, d, x + lane, steps_.h, a, b, c, e, state);
      KeepFour(d, a, b, c, e, kept + 2 * lane);
    }
    for (; lane < lanes_; lane += n) {
      const int64_t at = HWY_MIN(lane, lanes_ - n);
      FoldFiveRows<Reduce, 1>(elem_, d, x + at, steps_.h, a, b, c, e, state);
      KeepFour<2>(d, a, c, a, c, kept + 2 * lane);
    }
  }
  // The windows whose second column is at x.
  HWY_INLINE void Next(const T* x, Y* y, Lane* kept, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    int64_t lane = 0;
    for (; lane + 2 * n <= lanes_; lane += 2 * n) {
      V a = hn::Zero(d), b = a, c = a, e = a;
      Fold<2>(x + lane, kept + 2 * lane, a, b, c, e, state);
      state = WatchFolds<Reduce>(state, a, b, c, e);
      FinishFour(finish_, a, b, c, e, state, 0);
      out_.Store2(d, a, b, y + lane);
      out_.Store2(d, c, e, y + y_row_step_ + lane);
    }
    // The last vector overlaps the one before; what is kept of it has a place of its own.
    for (; lane < lanes_; lane += n) {
      const int64_t at = HWY_MIN(lane, lanes_ - n);
      V a = hn::Zero(d), b = a, c = a, e = a;
      Fold<1>(x + at, kept + 2 * lane, a, b, c, e, state);
      state = WatchFold<Reduce>(WatchFold<Reduce>(state, a), c);
      out_.Store(d, finish_.Apply(a, state), y + at);
      out_.Store(d, finish_.Apply(c, state), y + y_row_step_ + at);
    }
  }
  // Windows of kVectors vectors: what is kept, the column at x and the next one, which is kept.
  template <int kVectors>
  HWY_INLINE void Fold(const T* x, Lane* kept, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    if (kVectors == 2) {
      KeptFour(d, kept, a, b, c, e);
    } else {
      KeptFour<2>(d, kept, a, c, b, e);
    }
    FoldFiveRows<Reduce, kVectors>(elem_, d, x, steps_.h, a1, b1, c1, e1, state);
    CombineFour<Reduce, kVectors>(a, b, c1, e1, a1, b1, c1, e1);
    CombineFour<Reduce, kVectors>(c, e, a1, b1, c1, e1, a1, b1);
    FoldFiveRows<Reduce, kVectors>(elem_, d, x + steps_.w, steps_.h, a1, b1, c1, e1, state);
    if (kVectors == 2) {
      KeepFour(d, a1, b1, c1, e1, kept);
    } else {
      KeepFour<2>(d, a1, c1, b1, e1, kept);
    }
    CombineFour<Reduce, kVectors>(a, b, c1, e1, a1, b1, c1, e1);
    CombineFour<Reduce, kVectors>(c, e, a1, b1, c1, e1, a1, b1);
  }

  const WindowSteps steps_;
  const int64_t y_row_step_;
  const int64_t lanes_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
