// Windows that share no work with their neighbours, over pixels of fewer channels than a vector
// has lanes. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_FEW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_FEW_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_FEW_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_FEW_INL_H_
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

// Such calls are short: a function of their own spares them what wider pixels prepare.
template <class Op>
class FewLanes {
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
    return job.lanes < static_cast<int64_t>(hn::Lanes(D()));
  }

  static HWY_NOINLINE bool All(const WindowJob& job) {
    const FewLanes windows(job);
    const int64_t square = job.taps[0] == 1 && job.taps[1] == job.taps[2] ? job.taps[1] : 0;
    const T* x = static_cast<const T*>(job.x);
    Y* y = static_cast<Y*>(job.y);
    S state = Reduce::Start(D());
    for (int64_t row = job.rows;;) {
      state = square == 2   ? windows.template Squares<2>(x, y, state)
              : square == 3 ? windows.template Squares<3>(x, y, state)
                            : windows.Row(x, y, state);
      if (--row <= 0) break;
      x += job.x_row_step;
      y += job.y_row_step;
    }
    return Reduce::Clean(D(), state, job.divisor);
  }

 private:
  explicit FewLanes(const WindowJob& job)
      : job_(job), elem_(job.rules), out_(job.rules), finish_(job.divisor, job.rules) {}

  HWY_INLINE S Row(const T* x, Y* y, S state) const {
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
          V of_row = Load(p, lanes, state);
          for (int64_t t = 1; t < taps; ++t) {
            p += step;
            of_row = Reduce::Combine(of_row, Load(p, lanes, state));
          }
          of_plane = j == 0 ? of_row : Reduce::Combine(of_plane, of_row);
        }
        all = i == 0 ? of_plane : Reduce::Combine(all, of_plane);
      }
      state = WatchFold<Reduce>(state, all);
      out_.StoreN(d, finish_.Apply(all, state), y, lanes);
      x += x_step;
      y += y_step;
    }
    return state;
  }
  // A row of windows of kTaps x kTaps.
  template <int kTaps>
  HWY_INLINE S Squares(const T* x, Y* y, S state) const {
    const D d;
    const size_t lanes = static_cast<size_t>(job_.lanes);
    const int64_t h = job_.x_tap[1], w = job_.x_tap[2];
    const int64_t x_step = job_.x_output_step, y_step = job_.y_output_step;
    const auto column = [&](const T* p, S& s) HWY_ATTR __attribute__((always_inline)) {
      V fold = Reduce::Combine(Load(p, lanes, s), Load(p + h, lanes, s));
      if (kTaps > 2) fold = Reduce::Combine(fold, Load(p + 2 * h, lanes, s));
      return fold;
    };
    for (int64_t o = job_.outputs; o != 0; --o) {
      V all = Reduce::Combine(column(x, state), column(x + w, state));
      if (kTaps > 2) all = Reduce::Combine(all, column(x + 2 * w, state));
      state = WatchFold<Reduce>(state, all);
      out_.StoreN(d, finish_.Apply(all, state), y, lanes);
      x += x_step;
      y += y_step;
    }
    return state;
  }
  HWY_INLINE V Load(const T* p, size_t lanes, S& state) const {
    const D d;
    V v = elem_.LoadN(d, p, lanes, hn::Zero(d));
    if constexpr (!Reduce::kFoldTells) state = WatchLoaded<Reduce>(state, v);
    return v;
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
