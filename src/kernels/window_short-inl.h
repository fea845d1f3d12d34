// Windows that share no work with their neighbours: squares of two or three taps a side, tap by tap
// without a loop; and any, over pixels of less than a vector. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes of a pixel: less than a vector, which takes any windows; one; or more, of which the last
// may overlap the one before.
enum class PixelLanes { kLess, kOne, kMore };

// By a function of its own, which spares short calls what other windows prepare.
template <class Op, PixelLanes kPixel>
class ShortWindows {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  static HWY_INLINE bool Fits(const WindowJob& job) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    if (kPixel == PixelLanes::kLess) return job.lanes < n;
    if (job.streams || Square(job) == 0) return false;
    if (kPixel == PixelLanes::kOne) return job.lanes == n;
    // Elements that grow are loaded four vectors at a time.
    return job.lanes > n &&
           (!kManyRegisters || sizeof(T) == sizeof(typename Elem::Lane) || job.lanes < 4 * n);
  }

  static HWY_NOINLINE bool All(const WindowJob& job) {
    const ShortWindows windows(job);
    const int64_t square = Square(job);
    const T* x = static_cast<const T*>(job.x);
    Y* y = static_cast<Y*>(job.y);
    S state = Reduce::Start(D());
    for (int64_t row = job.rows;;) {
      if (square == 2) {
        state = windows.template Squares<2>(x, y, state);
      } else if (kWhole || square == 3) {
        state = windows.template Squares<3>(x, y, state);
      } else {
        if constexpr (!kWhole) state = windows.Any(x, y, state);
      }
      if (--row <= 0) break;
      x += job.x_row_step;
      y += job.y_row_step;
    }
    return Reduce::Clean(D(), state, job.divisor);
  }

 private:
  static constexpr bool kWhole = kPixel != PixelLanes::kLess;

  // The taps of a side of windows that have functions of their own, or 0.
  static HWY_INLINE int64_t Square(const WindowJob& job) {
    const int64_t taps = job.taps[1];
    return job.taps[0] == 1 && taps == job.taps[2] && (taps == 2 || taps == 3) ? taps : 0;
  }

  explicit ShortWindows(const WindowJob& job)
      : job_(job), elem_(job.rules), out_(job.rules), finish_(job.divisor, job.rules) {}

  // A row of windows of any taps.
  HWY_INLINE S Any(const T* x, Y* y, S state) const {
    const D d;
    const size_t lanes = static_cast<size_t>(job_.lanes);
    // Inner levels of one tap are no loops.
    const int first = job_.taps[0] != 1 ? 0 : job_.taps[1] != 1 ? 1 : 2;
    const int64_t taps = job_.taps[first], step = job_.x_tap[first];
    const int64_t rows = first == 2 ? 1 : job_.taps[first + 1];
    const int64_t row_step = first == 2 ? 0 : job_.x_tap[first + 1];
    const int64_t planes = first == 0 ? job_.taps[2] : 1, plane_step = job_.x_tap[2];
    const int64_t x_step = job_.x_output_step, y_step = job_.y_output_step;
    for (int64_t o = job_.outputs; o != 0; --o) {
      V all = hn::Zero(d);
      const T* plane = x;
      for (int64_t i = 0; i < planes; ++i, plane += plane_step) {
        V of_plane = all;
        const T* row = plane;
        for (int64_t j = 0; j < rows; ++j, row += row_step) {
          const T* p = row;
          V of_row = Load(p, lanes);
          state = Watch(state, of_row);
          for (int64_t t = 1; t < taps; ++t) {
            p += step;
            V tap = Load(p, lanes);
            state = Watch(state, tap);
            of_row = Reduce::Combine(of_row, tap);
          }
          of_plane = j == 0 ? of_row : Reduce::Combine(of_plane, of_row);
        }
        all = i == 0 ? of_plane : Reduce::Combine(all, of_plane);
      }
      Put(all, y, lanes, state);
      x += x_step;
      y += y_step;
    }
    return state;
  }
  // A row of windows of kTaps x kTaps.
  template <int kTaps>
  HWY_INLINE S Squares(const T* x, Y* y, S state) const {
    const size_t lanes = static_cast<size_t>(job_.lanes);
    const int64_t h = job_.x_tap[1], w = job_.x_tap[2];
    const int64_t x_step = job_.x_output_step, y_step = job_.y_output_step;
    const auto window = [&](const T* from, Y* to) HWY_ATTR __attribute__((always_inline)) {
      const auto tap = [&](int64_t at) HWY_ATTR
          __attribute__((always_inline)) { return Load(from + at, lanes); };
      V a = tap(0), b = tap(h), c = tap(w), e = tap(w + h);
      state = Watch(state, a, b, c, e);
      V first = Reduce::Combine(a, b), second = Reduce::Combine(c, e), third = first;
      if constexpr (kTaps == 3) {
        V a2 = tap(2 * h), c2 = tap(w + 2 * h), u = tap(2 * w), v = tap(2 * w + h);
        V u2 = tap(2 * w + 2 * h);
        state = Watch(Watch(state, a2, c2, u, v), u2);
        first = Reduce::Combine(first, a2), second = Reduce::Combine(second, c2);
        third = Reduce::Combine(Reduce::Combine(u, v), u2);
      }
      V all = Reduce::Combine(first, second);
      if constexpr (kTaps == 3) all = Reduce::Combine(all, third);
      Put(all, to, lanes, state);
    };
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    constexpr bool kMore = kPixel == PixelLanes::kMore;
    const int64_t last = kMore ? job_.lanes - n : 0;
    for (int64_t o = job_.outputs; o != 0; --o) {
      if constexpr (kMore) {
        for (int64_t lane = 0; lane < last; lane += n) window(x + lane, y + lane);
      }
      window(x + last, y + last);
      x += x_step;
      y += y_step;
    }
    return state;
  }
  HWY_INLINE V Load(const T* p, size_t lanes) const {
    const D d;
    if constexpr (kWhole) return elem_.Load(d, p);
    return elem_.LoadN(d, p, lanes, hn::Zero(d));
  }
  template <class... Vs>
  static HWY_INLINE S Watch(S state, Vs&... taps) {
    if constexpr (!Reduce::kFoldTells) return WatchLoaded<Reduce>(state, taps...);
    return state;
  }
  HWY_INLINE void Put(V fold, Y* y, size_t lanes, S& state) const {
    const D d;
    state = WatchFold<Reduce>(state, fold);
    const V v = finish_.Apply(fold, state);
    if constexpr (kWhole) {
      out_.Store(d, v, y);
    } else {
      out_.StoreN(d, v, y, lanes);
    }
  }

  const WindowJob& job_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
