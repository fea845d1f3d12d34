// Rows whose lanes are positions along W: fold the taps along D and H into a scratch row with
// identity margins, then fold along W from there. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ------------------------------------------------------------------ fold along D and H

// The fold along D and H is a window that steps along H, its lanes positions along W.
template <class Op>
struct FoldOf {
  static constexpr bool kWide = false;  // rows of scratch are short
  using Elem = typename Op::Elem;
  using Out = LaneOf<typename Op::Elem>;
  using Reduce = typename Op::Reduce;
  using Finish = Unfinished;
};

// Lanes that lie x_lane_step apart.
template <class Op>
bool FoldStridedRow(const FoldRowsJob& job, const typename Op::Elem::Memory* x,
                    typename Op::Elem::Lane* out) {
  using Reduce = typename Op::Reduce;
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  auto state = Reduce::Start(d);
  for (int64_t i = 0; i < job.lanes; i += n) {
    const size_t some = static_cast<size_t>(HWY_MIN(n, job.lanes - i));
    V acc = hn::Zero(d);
    for (int64_t h = 0; h < job.taps[1]; ++h) {
      V column = hn::Zero(d);
      for (int64_t depth = 0; depth < job.taps[0]; ++depth) {
        const V v = Op::Elem::LoadStrided(
            d, x + i * job.x_lane_step + depth * job.x_tap[0] + h * job.x_tap[1], job.x_lane_step,
            some);
        state = Reduce::Watch(state, v, v);
        column = depth == 0 ? v : Reduce::Combine(column, v);
      }
      acc = h == 0 ? column : Reduce::Combine(acc, column);
    }
    hn::StoreN(acc, d, out + i, some);
  }
  return Reduce::Clean(d, state, Divisor());
}

template <class Op>
bool FoldRows(const FoldRowsJob& job) {
  using T = typename Op::Elem::Memory;
  using Lane = typename Op::Elem::Lane;
  const Lane margin = hn::GetLane(Op::Reduce::Identity(hn::ScalableTag<Lane>()));
  Lane* scratch = static_cast<Lane*>(job.scratch);
  for (int64_t row = 0; row < job.rows; ++row) {
    Lane* out = scratch + row * job.pitch;
    for (int64_t i = 0; i < job.left; ++i) out[i] = margin;
    for (int64_t i = 0; i < job.right; ++i) out[job.left + job.lanes + i] = margin;
  }
  if (job.lanes == 0) return true;
  if (job.x_lane_step != 1) {
    for (int64_t row = 0; row < job.rows; ++row) {
      if (!FoldStridedRow<Op>(job, static_cast<const T*>(job.x) + row * job.x_row_step,
                              scratch + row * job.pitch + job.left)) {
        return false;
      }
    }
    return true;
  }
  WindowJob window = {};
  window.x = job.x;
  window.y = scratch + job.left;
  window.lanes = job.lanes;
  window.outputs = job.rows;
  window.x_output_step = job.x_row_step;
  window.y_output_step = job.pitch;
  window.taps[0] = 1;
  window.taps[1] = job.taps[0];
  window.taps[2] = job.taps[1];
  window.x_tap[1] = job.x_tap[0];
  window.x_tap[2] = job.x_tap[1];
  return Window<FoldOf<Op>>(window);
}

// ------------------------------------------------------------------ fold along W

// Every kStride-th lane from p on. kStride 0: any stride, but then only the first `count` lanes:
// the others may lie far behind the scratch.
template <int kStride, class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LoadEvery(D d, const Lane* p, int64_t stride, size_t count) {
  hn::VFromD<D> a, b, c, e;
  switch (kStride) {
    case 1:
      return hn::LoadU(d, p);
    case 2:
      hn::LoadInterleaved2(d, p, a, b);
      return a;
    case 3:
      hn::LoadInterleaved3(d, p, a, b, c);
      return a;
    case 4:
      hn::LoadInterleaved4(d, p, a, b, c, e);
      return a;
    default: {
      const hn::RebindToSigned<D> di;
      using Index = hn::TFromD<decltype(di)>;
      const auto index = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<Index>(stride)));
      return hn::GatherIndexN(d, p, index, count);
    }
  }
}

// Folds the windows of one vector of outputs, the first of which begins at p.
template <class Reduce, int kStride, class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> FoldAlong(D d, const SlideRowsJob& job, const Lane* p, size_t count) {
  // One de-interleaving load serves as many neighbouring taps as it makes vectors.
  hn::VFromD<D> acc;
  int64_t tap = 0;
  if (job.tap_step == 1) {
    hn::VFromD<D> a, b, c, e;
    for (; kStride == 2 && tap + 2 <= job.taps; tap += 2) {
      hn::LoadInterleaved2(d, p + tap, a, b);
      acc = Reduce::Combine(tap == 0 ? a : Reduce::Combine(acc, a), b);
    }
    for (; kStride == 3 && tap + 3 <= job.taps; tap += 3) {
      hn::LoadInterleaved3(d, p + tap, a, b, c);
      acc = Reduce::Combine(Reduce::Combine(tap == 0 ? a : Reduce::Combine(acc, a), b), c);
    }
    for (; kStride == 4 && tap + 4 <= job.taps; tap += 4) {
      hn::LoadInterleaved4(d, p + tap, a, b, c, e);
      acc = Reduce::Combine(Reduce::Combine(tap == 0 ? a : Reduce::Combine(acc, a), b), c);
      acc = Reduce::Combine(acc, e);
    }
  }
  if (tap == 0) {
    acc = LoadEvery<kStride>(d, p, job.stride, count);
    tap = 1;
  }
  for (; tap < job.taps; ++tap) {
    acc = Reduce::Combine(acc, LoadEvery<kStride>(d, p + tap * job.tap_step, job.stride, count));
  }
  return acc;
}

// Divisors of the lanes, prepared once for the rows of a job.
template <class Lane>
class LaneDivisors {
 public:
  template <class D>
  HWY_INLINE void Prepare(D d, const SlideRowsJob& job) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const auto other = hn::Set(d, static_cast<Lane>(job.other_count));
    for (int64_t i = 0; i < job.lanes; i += n) {
      auto divisor = hn::Set(d, job.divisor.divisor);
      auto reciprocal = hn::Set(d, job.divisor.reciprocal);
      const int64_t end = HWY_MIN(i + n, job.lanes);
      if (i < job.uniform_begin || end > job.uniform_end) {
        divisor = hn::Mul(hn::LoadU(d, job.counts + i), other);
        reciprocal = hn::Div(hn::Set(d, Lane{1}), divisor);
      }
      hn::StoreU(divisor, d, divisor_ + i);
      hn::StoreU(reciprocal, d, reciprocal_ + i);
    }
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> Divisor(D d, int64_t i) const {
    return hn::LoadU(d, divisor_ + i);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> Reciprocal(D d, int64_t i) const {
    return hn::LoadU(d, reciprocal_ + i);
  }

 private:
  Lane divisor_[kTileLanes + kCountSlack];
  Lane reciprocal_[kTileLanes + kCountSlack];
};

template <class Op, int kStride>
bool SlideRowsBy(const SlideRowsJob& job) {
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish;
  using Elem = typename Op::Elem;
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  const hn::ScalableTag<Lane> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  LaneDivisors<Lane> divisors;
  if (Finish::kDivides) divisors.Prepare(d, job);
  auto state = Reduce::Start(d);
  for (int64_t i = 0; i < job.lanes;) {
    const int64_t count = HWY_MIN(n, job.lanes);
    if (i + count > job.lanes) i = job.lanes - count;  // overlap the vector before
    const V divisor = Finish::kDivides ? divisors.Divisor(d, i) : hn::Zero(d);
    const V reciprocal = Finish::kDivides ? divisors.Reciprocal(d, i) : hn::Zero(d);
    const Lane* p = static_cast<const Lane*>(job.scratch) + i * job.stride;
    T* y = static_cast<T*>(job.y) + i;
    if (count == n) {
      const size_t all = static_cast<size_t>(n);
      for (int64_t row = 0; row < job.rows; ++row) {
        const V v = FoldAlong<Reduce, kStride>(d, job, p + row * job.pitch, all);
        Elem::Store(d, Finish::Apply(v, divisor, reciprocal, state), y + row * job.y_row_step);
      }
    } else {
      // What lies behind the lanes may never have been written.
      const size_t some = static_cast<size_t>(count);
      const auto valid = hn::FirstN(d, some);
      const V one = hn::Set(d, Lane{1});
      for (int64_t row = 0; row < job.rows; ++row) {
        const V v = FoldAlong<Reduce, kStride>(d, job, p + row * job.pitch, some);
        const V result = Finish::Apply(hn::IfThenElseZero(valid, v),
                                       hn::IfThenElse(valid, divisor, one), reciprocal, state);
        Elem::StoreN(d, result, y + row * job.y_row_step, some);
      }
    }
    i += count;
  }
  return Reduce::Clean(d, state, job.divisor);
}

template <class Op>
bool SlideRows(const SlideRowsJob& job) {
  if (Op::Reduce::kRare) return SlideRowsBy<Op, 0>(job);
  switch (job.stride) {
    case 1:
      return SlideRowsBy<Op, 1>(job);
    case 2:
      return SlideRowsBy<Op, 2>(job);
    case 3:
      return SlideRowsBy<Op, 3>(job);
    case 4:
      return SlideRowsBy<Op, 4>(job);
    default:
      return SlideRowsBy<Op, 0>(job);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
