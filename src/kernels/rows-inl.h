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

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ------------------------------------------------------------------ fold along D and H

// Folds one vector of lanes; kN: only the first n lanes exist. kStrided: they lie apart.
template <class Op, bool kN, bool kStrided, class D = hn::ScalableTag<typename Op::Elem::Lane>>
HWY_INLINE hn::VFromD<D> FoldTaps(const FoldRowsJob& job, const typename Op::Elem::Memory* p,
                                  size_t n, hn::MFromD<D>& watch) {
  using Reduce = typename Op::Reduce;
  const D d;
  const auto load = [&](const typename Op::Elem::Memory* q) HWY_ATTR {
    if (kStrided) return Op::Elem::LoadStrided(d, q, job.x_lane_step, n, hn::Zero(d));
    if (kN) return Op::Elem::LoadN(d, q, n, hn::Zero(d));
    return Op::Elem::Load(d, q);
  };
  hn::VFromD<D> acc = load(p);
  watch = Reduce::Watch(watch, acc, acc);
  int64_t h = 1;
  for (int64_t depth = 0; depth < job.taps[0]; ++depth) {
    for (; h < job.taps[1]; ++h) {
      const hn::VFromD<D> v = load(p + h * job.x_tap[1]);
      watch = Reduce::Watch(watch, v, v);
      acc = Reduce::Combine(acc, v);
    }
    h = 0;
    p += job.x_tap[0];
  }
  return acc;
}

template <class Op>
bool FoldRows(const FoldRowsJob& job) {
  using Reduce = typename Op::Reduce;
  using T = typename Op::Elem::Memory;
  using Lane = typename Op::Elem::Lane;
  const hn::ScalableTag<Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const auto identity = Reduce::Identity(d);
  const Lane margin = hn::GetLane(identity);
  auto watch = hn::MaskFalse(d);
  for (int64_t row = 0; row < job.rows; ++row) {
    const T* x = static_cast<const T*>(job.x) + row * job.x_row_step;
    Lane* out = static_cast<Lane*>(job.scratch) + row * job.pitch;
    for (int64_t i = 0; i < job.left; ++i) out[i] = margin;
    out += job.left;
    int64_t i = 0;
    if (job.x_lane_step != 1) {
      for (; i < job.lanes; i += n) {
        const size_t some = static_cast<size_t>(HWY_MIN(n, job.lanes - i));
        hn::StoreN(FoldTaps<Op, true, true>(job, x + i * job.x_lane_step, some, watch), d, out + i,
                   some);
      }
    } else {
      for (; i + n <= job.lanes; i += n) {
        hn::StoreU(FoldTaps<Op, false, false>(job, x + i, 0, watch), d, out + i);
      }
      if (i < job.lanes && i > 0) {
        i = job.lanes - n;
        hn::StoreU(FoldTaps<Op, false, false>(job, x + i, 0, watch), d, out + i);
      } else if (i < job.lanes) {
        const size_t some = static_cast<size_t>(job.lanes);
        hn::StoreN(FoldTaps<Op, true, false>(job, x, some, watch), d, out, some);
      }
    }
    for (int64_t k = 0; k < job.right; ++k) out[job.lanes + k] = margin;
  }
  return !Reduce::kWatches || hn::AllFalse(d, watch);
}

// ------------------------------------------------------------------ fold along W

// Every kStride-th lane from p on; kStride 0: any stride.
template <int kStride, class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LoadEvery(D d, const Lane* p, int64_t stride) {
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
      return hn::GatherIndex(d, p,
                             hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<Index>(stride))));
    }
  }
}

// Folds the windows of one vector of outputs, the first of which begins at p.
template <class Reduce, int kStride, class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> FoldAlong(D d, const SlideRowsJob& job, const Lane* p) {
  hn::VFromD<D> acc;
  int64_t tap = 1;
  if (kStride == 2 && job.tap_step == 1 && job.taps >= 2) {
    // One de-interleaving load serves two taps.
    hn::VFromD<D> even, odd;
    hn::LoadInterleaved2(d, p, even, odd);
    acc = Reduce::Combine(even, odd);
    for (tap = 2; tap + 2 <= job.taps; tap += 2) {
      hn::LoadInterleaved2(d, p + tap, even, odd);
      acc = Reduce::Combine(Reduce::Combine(acc, even), odd);
    }
  } else {
    acc = LoadEvery<kStride>(d, p, job.stride);
  }
  for (; tap < job.taps; ++tap) {
    acc = Reduce::Combine(acc, LoadEvery<kStride>(d, p + tap * job.tap_step, job.stride));
  }
  return acc;
}

template <class Op, int kStride>
void SlideRowsBy(const SlideRowsJob& job) {
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish;
  using Elem = typename Op::Elem;
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  const hn::ScalableTag<Lane> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  typename Finish::template PerLane<Lane> per_lane;
  per_lane.Prepare(d, job);
  for (int64_t row = 0; row < job.rows; ++row) {
    const Lane* p = static_cast<const Lane*>(job.scratch) + row * job.pitch;
    T* y = static_cast<T*>(job.y) + row * job.y_row_step;

    const auto fold = [&](int64_t i) HWY_ATTR {
      return FoldAlong<Reduce, kStride>(d, job, p + i * job.stride);
    };
    // Lanes [i, i + count) of one vector.
    const auto finish = [&](int64_t i, int64_t count, V v) HWY_ATTR {
      const bool uniform = i >= job.uniform_begin && i + count <= job.uniform_end;
      return uniform ? Finish::One(job.divisor, v) : per_lane.Finish(d, job, i, v);
    };
    if (job.lanes < n) {
      // What lies behind the lanes may never have been written.
      const size_t some = static_cast<size_t>(job.lanes);
      const V v = hn::IfThenElseZero(hn::FirstN(d, some), fold(0));
      Elem::StoreN(d, finish(0, job.lanes, v), y, some);
      continue;
    }
    int64_t i = 0;
    while (i + n <= job.lanes) {
      if (!Reduce::kRare && i >= job.uniform_begin && i + 4 * n <= job.uniform_end) {
        V a = fold(i);
        V b = fold(i + n);
        V c = fold(i + 2 * n);
        V e = fold(i + 3 * n);
        Finish::Four(job.divisor, a, b, c, e);
        Elem::Store(d, a, y + i);
        Elem::Store(d, b, y + i + n);
        Elem::Store(d, c, y + i + 2 * n);
        Elem::Store(d, e, y + i + 3 * n);
        i += 4 * n;
      } else {
        Elem::Store(d, finish(i, n, fold(i)), y + i);
        i += n;
      }
    }
    if (i < job.lanes) {
      i = job.lanes - n;
      Elem::Store(d, finish(i, n, fold(i)), y + i);
    }
  }
}

template <class Op>
void SlideRows(const SlideRowsJob& job) {
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
