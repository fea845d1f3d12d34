// Windows that share no work with their neighbours, over pixels of one to two vectors of channels:
// outputs beside each other make up four. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_BESIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_BESIDE_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_BESIDE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_BESIDE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish_blocks-inl.h"
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two outputs of two vectors, which may overlap, or four of one.
template <class Op>
class Beside {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  static bool Fits(const WindowJob& job) {
    const int64_t n = Lanes();
    // Single vectors of lanes of 16 bits gain nothing.
    if (kCompact || job.streams || job.lanes < n || job.lanes > 2 * n) return false;
    return !(sizeof(Lane) == 2 && job.lanes == n) && job.outputs >= AtOnce(job);
  }

  // Taps of three levels, their steps, the innermost first. By an object of its own, which no store
  // to y can change.
  static HWY_NOINLINE bool All(const WindowJob& job, const int64_t* taps, const int64_t* steps) {
    const Beside windows(job, taps, steps);
    const int64_t at_once = AtOnce(job), x_step = job.x_output_step, y_step = job.y_output_step;
    S state = Reduce::Start(D());
    for (int64_t row = 0; row == 0 || row < job.rows; ++row) {
      const T* const x = static_cast<const T*>(job.x) + row * job.x_row_step;
      Y* const y = static_cast<Y*>(job.y) + row * job.y_row_step;
      for (int64_t o = 0; o < job.outputs; o += at_once) {
        // The last ones are some of those before: x and y are apart.
        const int64_t at = HWY_MIN(o, job.outputs - at_once);
        windows.Four(x + at * x_step, y + at * y_step, state);
      }
    }
    return Reduce::Clean(D(), state, job.divisor);
  }

 private:
  Beside(const WindowJob& job, const int64_t* taps, const int64_t* steps)
      : elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules),
        x_(PlacesOf(job, job.x_output_step)),
        y_(PlacesOf(job, job.y_output_step)) {
    for (int i = 0; i < 3; ++i) {
      taps_[i] = taps[i];
      steps_[i] = steps[i];
    }
  }

  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }
  static HWY_INLINE int64_t AtOnce(const WindowJob& job) { return job.lanes > Lanes() ? 2 : 4; }
  static HWY_INLINE FourPlaces PlacesOf(const WindowJob& job, int64_t step) {
    if (job.lanes > Lanes()) return FourPlaces::Of(job.lanes - Lanes(), step);
    return FourPlaces::Of(step, 2 * step);
  }

  HWY_INLINE void Four(const T* x, Y* y, S& state) const {
    V a = hn::Zero(D()), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    V a2 = a, b2 = a, c2 = a, e2 = a;
    for (int64_t i = 0; i < taps_[2]; ++i, x += steps_[2]) {
      const T* row = x;
      for (int64_t j = 0; j < taps_[1]; ++j, row += steps_[1]) {
        const T* p = row;
        Load(p, a, b, c, e, state);
        for (int64_t t = 1; t < taps_[0]; ++t) {
          p += steps_[0];
          V v = a, w = a, u = a, z = a;
          Load(p, v, w, u, z, state);
          CombineFour<Reduce>(a, b, c, e, v, w, u, z);
        }
        Join(j == 0, a1, b1, c1, e1, a, b, c, e);
      }
      Join(i == 0, a2, b2, c2, e2, a1, b1, c1, e1);
    }
    state = WatchFolds<Reduce>(state, a2, b2, c2, e2);
    FinishFour(finish_, a2, b2, c2, e2, state, 0);
    const D d;
    out_.Store(d, a2, y);
    out_.Store(d, b2, y + y_.b);
    out_.Store(d, c2, y + y_.c);
    out_.Store(d, e2, y + y_.e);
  }
  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    a = elem_.Load(d, p);
    b = elem_.Load(d, p + x_.b);
    c = elem_.Load(d, p + x_.c);
    e = elem_.Load(d, p + x_.e);
    state = WatchTaps<Reduce>(state, a, b, c, e);
  }
  static HWY_INLINE void Join(bool begins, V& a, V& b, V& c, V& e, V v, V w, V u, V z) {
    if (begins) {
      a = v, b = w, c = u, e = z;
    } else {
      CombineFour<Reduce>(a, b, c, e, v, w, u, z);
    }
  }

  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
  const FourPlaces x_, y_;
  int64_t taps_[3], steps_[3];
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
