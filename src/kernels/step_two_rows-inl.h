// Windows of one or two taps along W that step by 2, lanes along W, all of them whole: row after
// row, as memory is best read. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_STEP_TWO_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_STEP_TWO_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_STEP_TWO_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_STEP_TWO_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/whole_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Op, class D>
class WholeRowsByTwo {
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Op::Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  explicit WholeRowsByTwo(const PlanesJob& job)
      : job_(job), columns_(job), out_(job.rules), finish_(job.divisor, job.rules) {}

  // `inner`: all output rows are. A row has at least a vector of outputs.
  static bool Takes(const PlanesJob& job, bool inner) {
    return inner && job.taps_w <= 2 && job.w_first >= 0 &&
           job.w_first + 2 * job.lanes <= job.w_input &&
           job.lanes >= static_cast<int64_t>(hn::Lanes(D()));
  }

  HWY_INLINE bool All() const {
    const bool pair = job_.taps_d == 1 && job_.taps_h == 2 && job_.taps_w == 2;
    const bool ahead = kWide && job_.far && job_.rows > kRowsAhead && job_.h_stride <= kMostStride;
    if (kWide && ahead) return pair ? Rows<true, kWide>() : Rows<false, kWide>();
    return pair ? Rows<true, false>() : Rows<false, false>();
  }

 private:
  // kPair: of two taps along H and W, one along D. kFar: x is fetched ahead.
  template <bool kPair, bool kFar>
  HWY_INLINE bool Rows() const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
                   job_.h_first * job_.x_row_step + job_.w_first;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step;
      for (int64_t row = 0; row < job_.rows; ++row) {
        for (int64_t i = 0; i + n <= lanes; i += n) {
          if (kFar) FetchAhead(x, i);
          Outputs<kPair>(x + 2 * i, y + i, state);
        }
        // The last vector overlaps the one before.
        if (lanes % n != 0) {
          if (kFar) FetchAhead(x, lanes - lanes % n);
          Outputs<kPair>(x + 2 * (lanes - n), y + lanes - n, state);
        }
        x += job_.h_stride * job_.x_row_step;
        y += job_.y_row_step;
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  template <bool kPair>
  HWY_INLINE void Outputs(const T* x, Y* y, S& state) const {
    const D d;
    const V zero = hn::Zero(d);
    V a = zero, b = zero, none = zero;
    columns_.template Fold<kPair>(x, a, b, none, none, state);
    V fold = hn::ConcatEven(d, b, a);
    if (kPair || job_.taps_w == 2) fold = Reduce::Combine(fold, hn::ConcatOdd(d, b, a));
    out_.Store(d, finish_.Apply(fold, state), y);
  }

  // The share of the outputs from i on in the rows that will be read first some output rows later,
  // in the order of memory: they follow each other there. Maybe outside of x: only addresses.
  HWY_INLINE void FetchAhead(const T* x, int64_t i) const {
    constexpr uintptr_t kSize = sizeof(T);
    const int64_t stride = job_.h_stride;
    const uintptr_t bytes = static_cast<uintptr_t>(2 * stride) * hn::Lanes(D()) * kSize;
    const int64_t from = kRowsAhead * stride * job_.x_row_step + 2 * stride * i;
    for (int64_t depth = 0; depth < job_.taps_d; ++depth) {
      const uintptr_t at = reinterpret_cast<uintptr_t>(x) +
                           static_cast<uintptr_t>(from + depth * job_.x_tap_d) * kSize;
      for (uintptr_t line = 0; line < bytes; line += kLine) {
        hwy::Prefetch(reinterpret_cast<const T*>(at + line));  // NOLINT: only an address
      }
    }
  }

  // Rows of less than a vector are not fetched ahead.
  static constexpr bool kWide =
      HWY_HAVE_SCALABLE || D().MaxBytes() == hn::ScalableTag<T>().MaxBytes();
  // One or two would come too late.
  static constexpr int64_t kRowsAhead = 4;
  static constexpr int64_t kMostStride = 4;  // beyond, rows are skipped
  static constexpr uintptr_t kLine = 64;     // of memory, at least

  const PlanesJob& job_;
  const WholeColumns<Op, D, 2> columns_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
