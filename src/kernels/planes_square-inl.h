// Whole planes with lanes along W, windows of 3 x 3 or 2 x 2 taps that slide along H and lack at
// most one row at either end: each row is read once, and no row asks for anything. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_
#undef LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/square_strip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Out of line: what is hot keeps its registers.
template <class Op, Lacks kLacks, int kTaps, class D>
HWY_NOINLINE bool RunSquare(D, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                            int64_t count) {
  return SquareStrip<Op, D, kLacks, kTaps>(job, lane, count).Run(edges);
}

// Outputs [lane, end); the last strip overlaps the one before.
template <class Op, int kTaps, class D>
HWY_NOINLINE bool SquareStrips(D d, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                               int64_t end) {
  constexpr bool kHalves = MayHalve<D>() && !Op::kSmall;
  constexpr bool kShifts = kTaps == 3 && !Op::kSmall;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), count = HWY_MIN(n, job.lanes);
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - count);
    const int64_t first = job.w_first + lane;
    const int64_t beyond = first + (kTaps - 1) * job.w_tap + n - job.w_input;
    // Of a full vector, one tap of as many windows as lanes are moved.
    const bool one = job.w_tap <= kMostMoved<D> && count == n &&
                     (first >= 0 || first == -job.w_tap) && (beyond <= 0 || beyond == job.w_tap);
    bool clean = false, done = count == n && first >= 0 && beyond <= 0;
    if (done) clean = RunSquare<Op, Lacks::kNothing, kTaps>(d, job, edges, lane, count);
    if constexpr (kShifts) {
      if (!done && one && beyond <= 0) {
        done = true;
        clean = RunSquare<Op, Lacks::kFirst, kTaps>(d, job, edges, lane, count);
      } else if (!done && one && first >= 0) {
        done = true;
        clean = RunSquare<Op, Lacks::kLast, kTaps>(d, job, edges, lane, count);
      } else if (!kHalves && !done && one) {
        done = true;
        clean = RunSquare<Op, Lacks::kBoth, kTaps>(d, job, edges, lane, count);
      }
    }
    if (!done) {
      if constexpr (kHalves) {
        clean = SquareStrips<Op, kTaps>(hn::Half<D>(), job, edges, lane, lane + n);
      } else {
        clean = RunSquare<Op, Lacks::kAny, kTaps>(d, job, edges, lane, count);
      }
    }
    if (!clean) return false;
  }
  return true;
}

// Windows of 3 x 3 taps that step by two along H.
template <class Op, Lacks kLacks, class D>
HWY_NOINLINE bool RunSquareByTwo(D, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                                 int64_t count) {
  return SquareStrip<Op, D, kLacks, 3>(job, lane, count).RunByTwo(edges);
}
template <class Op, class D>
bool SquarePlanesByTwo(D d, const PlanesJob& job, const EdgeRows& edges) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), count = HWY_MIN(n, job.lanes);
  for (int64_t lane = 0; lane < job.lanes; lane += n) {
    lane = HWY_MIN(lane, job.lanes - count);
    const int64_t first = job.w_first + lane;
    const bool inside = count == n && first >= 0 && first + 2 * job.w_tap + n <= job.w_input;
    const bool clean = inside ? RunSquareByTwo<Op, Lacks::kNothing>(d, job, edges, lane, count)
                              : RunSquareByTwo<Op, Lacks::kAny>(d, job, edges, lane, count);
    if (!clean) return false;
  }
  return true;
}

// Whether rows of fewer lanes are faster with shorter vectors, each of them full, than with part of
// one: where vectors cannot be loaded in part.
template <class Op, class D>
constexpr bool MayNarrow() {
  return HWY_MEM_OPS_MIGHT_FAULT && !HWY_HAVE_SCALABLE && !Op::kSmall && D().MaxLanes() > 4 &&
         D().MaxBytes() > 8;
}
// Whether full vectors have nothing to load but full vectors, see SquareStrips.
template <int kTaps>
HWY_INLINE bool LacksOne(const PlanesJob& job) {
  const int64_t lacks = kTaps == 3 ? 1 : 0;
  return job.w_tap == 1 && job.w_first >= -lacks &&
         job.w_first + job.lanes + kTaps - 2 < job.w_input + lacks;
}

// Windows of kTaps x kTaps taps, in vectors of D or less.
template <class Op, int kTaps, class D>
bool SquarePlanes(D d, const PlanesJob& job, const EdgeRows& edges) {
  int64_t whole = job.lanes;
  if constexpr (MayNarrow<Op, D>()) {
    if (job.lanes < static_cast<int64_t>(hn::Lanes(d)) && LacksOne<kTaps>(job)) {
      return SquarePlanes<Op, kTaps>(hn::Half<D>(), job, edges);
    }
  }
  if constexpr (MayHalve<decltype(d)>() && !Op::kSmall) {
    if constexpr (kTaps == 3) {
      const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job.lanes;
      const bool rows = job.w_tap == 1 && job.w_first == -1 && lanes == job.w_input;
      if (rows && lanes > n / 2 && lanes < n) {
        return RunSquare<Op, Lacks::kRow, kTaps>(d, job, edges, 0, lanes);
      }
      if (rows && lanes > n / 4 && lanes <= n / 2 && job.planes > 1) {
        PlanesJob even = job;
        even.planes -= job.planes % 2;
        if (!RunSquare<Op, Lacks::kTwoRows, kTaps>(d, even, edges, 0, lanes)) return false;
        if (job.planes % 2 == 0) return true;
        even.x =
            static_cast<const typename Op::Elem::Memory*>(job.x) + even.planes * job.x_plane_step;
        even.y = static_cast<typename Op::Out::Memory*>(job.y) + even.planes * job.y_plane_step;
        even.planes = 1;
        return SquareStrips<Op, kTaps>(hn::Half<decltype(d)>(), even, edges, 0, lanes);
      }
    }
    if (FillsMost(d, job.lanes)) {
      return RunSquare<Op, Lacks::kAny, kTaps>(d, job, edges, 0, job.lanes);
    }
    whole = WholeVectors(d, job.lanes);
    const hn::Half<decltype(d)> half;
    if (!SquareStrips<Op, kTaps>(half, job, edges, whole, job.lanes)) return false;
  }
  return SquareStrips<Op, kTaps>(d, job, edges, 0, whole);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
