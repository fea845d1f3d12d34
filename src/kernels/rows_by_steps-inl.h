// Windows that step by 3 or 4 along W and have no more taps than that, all of them whole: row after
// row, lanes along W. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_
#undef LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/whole_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns are folded where they lie, kStep vectors of them for one of outputs.
template <class Op, class D, int kStep>
class RowsBySteps {
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Op::Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  // A row has at least a vector of outputs.
  explicit RowsBySteps(const PlanesJob& job)
      : job_(job), columns_(job), out_(job.rules), finish_(job.divisor, job.rules) {}

  HWY_INLINE bool All() const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    // Few outputs at the end of a row are a vector of half the lanes.
    using DEnd = std::conditional_t<MayHalve<D>(), hn::Half<D>, D>;
    const RowsBySteps<Op, DEnd, kStep> end(job_);
    const int64_t whole = MayHalve<D>() ? WholeVectors(d, lanes) : lanes;
    const int64_t n_end = static_cast<int64_t>(hn::Lanes(DEnd()));
    auto end_state = Reduce::Start(DEnd());
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
                   job_.h_first * job_.x_row_step + job_.w_first;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step;
      for (int64_t row = 0; row < job_.rows; ++row) {
        for (int64_t i = 0; i < whole; i += n) {
          const int64_t at = HWY_MIN(i, lanes - n);  // the last vector overlaps the one before
          Put(x + kStep * at, y + at, state);
        }
        if (whole < lanes) end.Put(x + kStep * (lanes - n_end), y + lanes - n_end, end_state);
        x += job_.h_stride * job_.x_row_step;
        y += job_.y_row_step;
      }
    }
    return Reduce::Clean(d, state, job_.divisor) && Reduce::Clean(DEnd(), end_state, job_.divisor);
  }

  // A vector of outputs, the first window of which begins at x.
  HWY_INLINE void Put(const T* x, Y* y, S& state) const { out_.Store(D(), Outputs(x, state), y); }

 private:
  HWY_INLINE V Outputs(const T* x, S& state) const {
    const V zero = hn::Zero(D());
    V a = zero, b = zero, c = zero, e = zero;
    columns_.template Fold<false>(x, a, b, c, e, state);
    TakeApart(a, b, c, e);
    const int64_t taps = job_.taps_w;
    if (taps > 1) a = Reduce::Combine(a, b);
    if (taps > 2) a = Reduce::Combine(a, c);
    if (kStep > 3 && taps > 3) a = Reduce::Combine(a, e);
    return finish_.Apply(a, state);
  }

  // From columns in the order of memory to the first, second, third and fourth ones of all windows.
  static HWY_INLINE void TakeApart(V& a, V& b, V& c, V& e) {
    const D d;
    if constexpr (kStep == 3) {
      HWY_ALIGN hn::TFromD<D> lanes[3 * HWY_MAX_LANES_D(D)];
      const size_t n = hn::Lanes(d);
      hn::Store(a, d, lanes);
      hn::Store(b, d, lanes + n);
      hn::Store(c, d, lanes + 2 * n);
      hn::LoadInterleaved3(d, lanes, a, b, c);
    } else {
      const V even = hn::ConcatEven(d, b, a), odd = hn::ConcatOdd(d, b, a);
      const V even_2 = hn::ConcatEven(d, e, c), odd_2 = hn::ConcatOdd(d, e, c);
      a = hn::ConcatEven(d, even_2, even);
      b = hn::ConcatEven(d, odd_2, odd);
      c = hn::ConcatOdd(d, even_2, even);
      e = hn::ConcatOdd(d, odd_2, odd);
    }
  }

  const PlanesJob& job_;
  const WholeColumns<Op, D, kStep> columns_;
  const Out out_;
  const typename Op::Finish finish_;
};

template <class Op, class D>
class RowsByThreeOrFour {
 public:
  explicit RowsByThreeOrFour(const PlanesJob& job) : job_(job) {}

  HWY_INLINE bool All() const {
    return job_.w_stride == 3 ? RowsBySteps<Op, D, 3>(job_).All()
                              : RowsBySteps<Op, D, 4>(job_).All();
  }

 private:
  const PlanesJob& job_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
