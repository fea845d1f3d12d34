// Windows that step by 3 or 4 along W and have no more taps than that, all of them whole: row after
// row, lanes along W. What they step over behind the last one need not be there. Per-target include
// guard.
#if defined(LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_
#undef LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ROWS_BY_STEPS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
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

// The last outputs of a row, as many as the shortest vector has, from a copy of their columns but
// `over` that lie behind the row. The job is of one row, maybe of less than that at its end.
template <class Op>
HWY_NOINLINE bool RowFromCopies(const PlanesJob& row, int64_t over) {
  using T = typename Op::Elem::Memory;
  constexpr int64_t kOutputs = 16 / sizeof(typename Op::Elem::Lane);
  HWY_ALIGN T copy[kCopiedTaps * kMostBySteps * kOutputs] = {};
  const int64_t done = row.lanes - kOutputs, columns = kOutputs * row.w_stride;
  PlanesJob job = row;
  job.x = copy;
  job.y = static_cast<typename Op::Out::Memory*>(row.y) + done;
  job.lanes = kOutputs;
  job.w_input = columns;
  job.h_first = job.w_first = 0;
  job.h_tap = 1;
  job.x_row_step = columns;
  job.x_tap_d = row.taps_h * columns;
  const T* const x = static_cast<const T*>(row.x) + row.h_first * row.x_row_step + row.w_first +
                     done * row.w_stride;
  for (int64_t i = 0; i < row.taps_d * row.taps_h; ++i) {
    const int64_t depth = i / row.taps_h, tap = i % row.taps_h;
    hwy::CopyBytes(x + depth * row.x_tap_d + tap * row.h_tap * row.x_row_step, copy + i * columns,
                   static_cast<size_t>(columns - over) * sizeof(T));
  }
  return RunWholeRows<Op, RowsByThreeOrFour>(job);
}

// What a vector has of the last window of a row beyond its taps may lie behind the row. Behind the
// last row there may be nothing to read: all that is before its last outputs goes first.
template <class Op>
HWY_NOINLINE bool RunRowsBySteps(const PlanesJob& job) {
  const int64_t over = job.w_first + job.w_stride * job.lanes - job.w_input;
  if (over <= 0 || job.taps_d * job.taps_h > kCopiedTaps) {
    return RunWholeRows<Op, RowsByThreeOrFour>(job);
  }
  using T = typename Op::Elem::Memory;
  using Y = typename Op::Out::Memory;
  PlanesJob part = job;
  part.planes = job.planes - 1;
  if (part.planes > 0 && !RunWholeRows<Op, RowsByThreeOrFour>(part)) return false;
  part.x = static_cast<const T*>(job.x) + part.planes * job.x_plane_step;
  part.y = static_cast<Y*>(job.y) + part.planes * job.y_plane_step;
  part.planes = 1;
  part.rows = job.rows - 1;
  if (part.rows > 0 && !RunWholeRows<Op, RowsByThreeOrFour>(part)) return false;
  part.h_first += part.rows * job.h_stride;
  part.y = static_cast<Y*>(part.y) + part.rows * job.y_row_step;
  part.rows = 1;
  if (!RowFromCopies<Op>(part, over)) return false;
  constexpr int64_t kShort = 16 / sizeof(typename Op::Elem::Lane);
  part.lanes = HWY_MAX(job.lanes - kShort, kShort);  // may overlap
  return job.lanes <= kShort || RunWholeRows<Op, RowsByThreeOrFour>(part);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
