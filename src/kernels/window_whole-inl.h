// A row of windows of 3 x 3 taps that step by two, pixel by pixel, all channels of each, so that x
// and y are walked as they lie. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_WHOLE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/slide-inl.h"
#include "kernels/window_one-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where four vectors of channels are so short a piece of a pixel that x is read in jumps,
// docs/decisions/0054. With 512 bits they are longer: averages of f32 and bytes lose there.
template <class Op>
constexpr bool HasWholePixels() {
  using T = typename Op::Elem::Memory;
  constexpr bool kLong =
      kManyRegisters && (sizeof(T) == 1 || (sizeof(T) == 4 && !Op::Reduce::kWatchesTaps));
  return HWY_ARCH_X86 && !kCompact && Op::kWide && !kLong && !Op::Reduce::kRare;
}

// The fold of a column along H that a window shares with the next one is kept on the stack.
template <class Op>
class WholePixels {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

  static constexpr int64_t kMostLanes = sizeof(Lane) == 8 ? 1024 : 2048;

 public:
  static bool Fits(const WindowJob& job, const Slide& slide) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    return slide.step == 2 && job.lanes > 4 * n && job.lanes <= kMostLanes;
  }

  static HWY_NOINLINE bool Run(const WindowJob& job) {
    HWY_ALIGN Lane kept[kMostLanes + HWY_MAX_LANES_D(D)];
    const WholePixels row(job);
    S state = Reduce::Start(D());
    const T* x = static_cast<const T*>(job.x);
    Y* y = static_cast<Y*>(job.y);
    row.First(x, kept, state);
    for (int64_t o = job.outputs; o != 0; --o) {
      x += row.steps_.w;
      row.Next(x, y, kept, state);
      x += row.steps_.w;
      y += row.steps_.y_output_step;
    }
    return Reduce::Clean(D(), state, job.divisor);
  }

 private:
  explicit WholePixels(const WindowJob& job)
      : steps_(job),
        lanes_(job.lanes),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules) {}

  // Vectors go by the same four as in Next: types that are widened may be in another order in four.
  HWY_INLINE void First(const T* x, Lane* kept, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    int64_t lane = 0;
    for (; lane + 4 * n <= lanes_; lane += 4 * n) {
      V a = hn::Zero(d), b = a, c = a, e = a;
      Column(x + lane, a, b, c, e, state);
      KeepFour(d, a, b, c, e, kept + lane);
    }
    for (; lane < lanes_; lane += n) {
      hn::Store(ColumnOfOne(x + HWY_MIN(lane, lanes_ - n), state), d, kept + lane);
    }
  }
  // The windows whose second column is at x.
  HWY_INLINE void Next(const T* x, Y* y, Lane* kept, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), w = steps_.w;
    int64_t lane = 0;
    for (; lane + 4 * n <= lanes_; lane += 4 * n) {
      Lane* const first = kept + lane;
      V a = hn::Zero(d), b = a, c = a, e = a;
      Column(x + lane, a, b, c, e, state);
      V fold_a = a, fold_b = b, fold_c = c, fold_e = e;
      KeptFour(d, first, fold_a, fold_b, fold_c, fold_e);
      CombineFour<Reduce>(fold_a, fold_b, fold_c, fold_e, a, b, c, e);
      Column(x + w + lane, a, b, c, e, state);
      KeepFour(d, a, b, c, e, first);
      CombineFour<Reduce>(fold_a, fold_b, fold_c, fold_e, a, b, c, e);
      FinishAndPut<Reduce>(finish_, out_, steps_.streams, d, fold_a, fold_b, fold_c, fold_e,
                           y + lane, state);
    }
    // The last vector overlaps the one before; what is kept of it has a place of its own.
    for (; lane < lanes_; lane += n) {
      const int64_t at = HWY_MIN(lane, lanes_ - n);
      V fold = Reduce::Combine(hn::Load(d, kept + lane), ColumnOfOne(x + at, state));
      const V last = ColumnOfOne(x + w + at, state);
      hn::Store(last, d, kept + lane);
      fold = Reduce::Combine(fold, last);
      state = WatchFold<Reduce>(state, fold);
      out_.Store(d, finish_.Apply(fold, state), y + at);
    }
  }

  HWY_INLINE V ColumnOfOne(const T* p, S& state) const {
    const D d;
    const int64_t h = steps_.h;
    const V a = elem_.Load(d, p), b = elem_.Load(d, p + h), c = elem_.Load(d, p + 2 * h);
    state = WatchTaps<Reduce>(WatchTaps<Reduce>(state, a, b), c);
    return Reduce::Combine(Reduce::Combine(a, b), c);
  }
  HWY_INLINE void Column(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    LoadFour<Reduce>(elem_, D(), p, a, b, c, e, state);
    HWY_UNROLL(2)
    for (int i = 1; i < 3; ++i) {
      AddFour<Reduce>(elem_, D(), p + i * steps_.h, a, b, c, e, state);
    }
  }

  const WindowSteps steps_;
  const int64_t lanes_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
