// Results of the folds of positions that are taken as one row.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_CHAINED_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_CHAINED_FINISH_INL_H_
#undef LANEPOOL_SRC_KERNELS_CHAINED_FINISH_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_CHAINED_FINISH_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish-inl.h"
#include "kernels/moved_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_MOVES_LANES
template <class Op, int64_t kPositions>
class ChainedFinish {
  using Out = typename Op::Out;
  using Planes = typename Op::Finish::Planes;
  using Y = typename Out::Memory;
  using Lane = typename Op::Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Op::Reduce::template State<D>;
  static constexpr bool kAlike = std::is_same<Planes, AlikePlanes<typename Op::Finish>>::value;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);

  // Whether quotients are made of reciprocals as well.
  static constexpr bool kReciprocals =
      !kAlike && !std::is_same<Planes, typename DivideBy<DivideExact>::Planes>::value;

 public:
  explicit ChainedFinish(const PlanesJob& job) : out_(job.rules), finish_(job) {}

  // Of so many rows. All windows of one row are alike along H.
  void Set(const PlanesJob& job, int64_t rows) {
    if constexpr (!kAlike) {
      const D d;
      Planes finish = finish_;
      int64_t i = 0;
      for (int64_t row = 0; row < rows; ++row, i += job.lanes) {
        for (int64_t lane = 0; lane < job.lanes; lane += kLanes) {
          V counts = hn::Zero(d), a = counts, b = counts;
          finish.Begin(d, lane, counts);
          finish.BeginPlane();
          finish.Row(d, job.taps_h == 1 ? 0 : row, counts, a, b);
          hn::StoreU(a, d, divisors_ + i + lane);
          if constexpr (kReciprocals) hn::StoreU(b, d, reciprocals_ + i + lane);
        }
      }
    }
  }

  // The folds v of n positions from i on become results in y.
  HWY_INLINE void Put(V v, int64_t i, size_t n, Y* y, S& state) const {
    const D d;
    if constexpr (kAlike) {
      v = finish_.Apply(v, v, v, v, state);
    } else {
      V a = hn::LoadU(d, divisors_ + i), b = a;
      if constexpr (kReciprocals) b = hn::LoadU(d, reciprocals_ + i);
      if (n < kLanes) {
        // The others must not give the job up.
        const M counts = hn::FirstN(d, n);
        const V one = hn::Set(d, Lane{1});
        v = hn::IfThenElseZero(counts, v);
        a = hn::IfThenElse(counts, a, one);
        b = hn::IfThenElse(counts, b, one);
      }
      v = finish_.Apply(v, v, a, b, state);
    }
    if (n < kLanes) {
      out_.StoreN(d, v, y + i, n);
    } else {
      out_.Store(d, v, y + i);
    }
  }

 private:
  const Out out_;
  const Planes finish_;
  HWY_ALIGN Lane divisors_[kAlike ? 1 : kPositions + kLanes];
  HWY_ALIGN Lane reciprocals_[kReciprocals ? kPositions + kLanes : 1];
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
