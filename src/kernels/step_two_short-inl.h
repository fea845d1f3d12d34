// Windows of one or two taps along W that step by 2 in rows shorter than a vector, all of them
// whole, of dense planes: columns are folded row by row into a strip of rows without gaps, in which
// even and odd columns are then taken apart as if it were one row. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_STEP_TWO_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_STEP_TWO_SHORT_INL_H_
#undef LANEPOOL_SRC_KERNELS_STEP_TWO_SHORT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_STEP_TWO_SHORT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Op>
class ShortRowsByTwo {
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
  explicit ShortRowsByTwo(const PlanesJob& job)
      : job_(job), elem_(job.rules), out_(job.rules), finish_(job.divisor, job.rules) {}

  // `inner`: all output rows are. The columns of a row are a vector at most.
  static bool Takes(const PlanesJob& job, bool inner) {
    const int64_t columns = 2 * job.lanes, n = static_cast<int64_t>(hn::Lanes(D()));
    return inner && job.taps_w <= 2 && job.taps_d == 1 && job.w_first >= 0 && columns <= n &&
           job.w_first + columns <= job.w_input && job.y_row_step == job.lanes &&
           (job.planes == 1 || job.y_plane_step == job.rows * job.lanes) &&
           job.rows * columns <= kStrip;
  }

  HWY_INLINE bool All() const { return job_.taps_h == 2 ? Planes<true>() : Planes<false>(); }

 private:
  // As many planes at a time as a strip has room for. kPair: of two taps along H.
  template <bool kPair>
  HWY_INLINE bool Planes() const {
    S state = Reduce::Start(D());
    const int64_t columns = job_.rows * 2 * job_.lanes, most = kStrip / columns;
    const T* const x = static_cast<const T*>(job_.x);
    Y* const y = static_cast<Y*>(job_.y);
    HWY_ALIGN Lane strip[kStrip + 2 * HWY_MAX_LANES_D(D)];
    for (int64_t plane = 0; plane < job_.planes; plane += most) {
      const int64_t planes = HWY_MIN(most, job_.planes - plane);
      for (int64_t i = 0; i < planes; ++i) {
        FoldColumns<kPair>(x + (plane + i) * job_.x_plane_step, strip + i * columns, state);
      }
      TakeApart(strip, planes * columns, y + plane * columns / 2, state);
    }
    return Reduce::Clean(D(), state, job_.divisor);
  }

  // Each row is stored with what is behind it, which the next one overwrites. The rows that end too
  // close to the end of the plane have a loop written out: with one function for both, maxima took
  // 10 % longer.
  template <bool kPair>
  HWY_INLINE void FoldColumns(const T* x, Lane* to, S& state_ref) const {
    const D d;
    const int64_t columns = 2 * job_.lanes, rows = job_.rows, taps = kPair ? 2 : job_.taps_h;
    const int64_t step = job_.h_stride * job_.x_row_step, tap = job_.h_tap * job_.x_row_step;
    const size_t count = static_cast<size_t>(columns);
    // The last element of the plane that a vector may begin with.
    const int64_t last =
        (job_.h_input - 1) * job_.x_row_step + job_.w_input - static_cast<int64_t>(hn::Lanes(d));
    S state = state_ref;
    int64_t at = job_.h_first * job_.x_row_step + job_.w_first, row = 0;
    for (; row < rows && at + (taps - 1) * tap <= last; ++row, at += step, to += columns) {
      V fold = elem_.Load(d, x + at);
      if (!kPair) state = WatchLoaded<Reduce>(state, fold);
      for (int64_t i = 1; i < taps; ++i) {
        V v = elem_.Load(d, x + at + i * tap);
        state = kPair ? WatchLoaded<Reduce>(state, fold, v) : WatchLoaded<Reduce>(state, v);
        fold = Reduce::Combine(fold, v);
      }
      hn::StoreU(fold, d, to);
    }
    for (; row < rows; ++row, at += step, to += columns) {
      V fold = elem_.LoadN(d, x + at, count, hn::Zero(d));
      state = Reduce::Watch(state, fold);
      for (int64_t i = 1; i < taps; ++i) {
        const V v = elem_.LoadN(d, x + at + i * tap, count, hn::Zero(d));
        state = Reduce::Watch(state, v);
        fold = Reduce::Combine(fold, v);
      }
      hn::StoreU(fold, d, to);
    }
    state_ref = state;
  }

  // Reads up to two vectors more.
  HWY_INLINE void TakeApart(Lane* strip, int64_t columns, Y* y, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), outputs = columns / 2;
    hn::StoreU(hn::Zero(d), d, strip + columns);
    hn::StoreU(hn::Zero(d), d, strip + columns + n);
    for (int64_t i = 0; i < outputs; i += n) {
      const V a = hn::LoadU(d, strip + 2 * i), b = hn::LoadU(d, strip + 2 * i + n);
      V fold = hn::ConcatEven(d, b, a);
      if (job_.taps_w == 2) fold = Reduce::Combine(fold, hn::ConcatOdd(d, b, a));
      const V result = finish_.Apply(fold, state);
      if (i + n <= outputs) {
        out_.Store(d, result, y + i);
      } else {
        out_.StoreN(d, result, y + i, static_cast<size_t>(outputs - i));
      }
    }
  }

  // Columns of a strip: they stay in the first cache.
  static constexpr int64_t kStrip = 4096 / sizeof(Lane);

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
