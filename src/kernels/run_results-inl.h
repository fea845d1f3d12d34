// The results of windows that are runs. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_RESULTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_RESULTS_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_RESULTS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_RESULTS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Of kLanes windows at a time.
template <class Op, int64_t kLanes>
class RunResults {
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Y = typename Out::Memory;
  using Lane = typename Op::Elem::Lane;
  using D = hn::CappedTag<Lane, static_cast<size_t>(kLanes)>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  // Maxima of short lanes have no order.
  static constexpr bool kOrdered = sizeof(Lane) >= 4;
  // A vector of accumulators for each window.
  static constexpr int64_t kFolds = kLanes * kLanes;

  explicit RunResults(const FoldRunJob& job)
      : job_(job), out_(job.rules), finish_(job.divisor, job.rules) {}

  // Of the first `some` windows; those behind are overwritten.
  HWY_INLINE void Put(Lane* folds, int64_t some, Y* y, S& state) const {
    if constexpr (!kOrdered) {
      if (kCompact || some < kFew) {
        return Store(finish_.Apply(OneByOne(folds, some), state), y, some);
      }
    }
    // Lanes that do not count must not give the job up.
    if (some < kLanes) {
      hwy::ZeroBytes(folds + some * kLanes, (kLanes - some) * kLanes * sizeof(Lane));
    }
    Store(finish_.Apply(Transposed<1>(folds), state), y, some);
  }

 private:
  // Windows up to which most of Transposed would be of no use.
  static constexpr int64_t kFew = kLanes / 3;

  // The folds of so many windows.
  static HWY_INLINE V OneByOne(const Lane* folds, int64_t some) {
    const D d;
    HWY_ALIGN Lane lanes[kLanes] = {};
    for (int64_t i = 0; i < some; ++i) lanes[i] = hn::ReduceMax(d, hn::Load(d, folds + i * kLanes));
    return hn::Load(d, lanes);
  }
  // From kLanes vectors, each of the accumulators of one output, to one vector of their folds:
  // kDistance lanes apart is what was combined last. A level before the last keeps twice as many
  // accumulators of every other output.
  template <int64_t kDistance>
  static HWY_INLINE V Transposed(const Lane* folds) {
    if constexpr (kDistance == kLanes) {
      return hn::Load(D(), folds);
    } else {
      const V a = Transposed<2 * kDistance>(folds);
      const V b = Transposed<2 * kDistance>(folds + kDistance * kLanes);
      return Pairs<kDistance>(a, b);
    }
  }

  // Lanes kDistance apart are combined: those of a go where that bit of the lane's number is 0,
  // those of b where it is 1.
  template <int64_t kDistance>
  static HWY_INLINE V Pairs(V a, V b) {
    const D d;
    if constexpr (kDistance == 1) {
      return Reduce::Combine(hn::InterleaveEven(d, a, b), hn::InterleaveOdd(d, a, b));
    } else if constexpr (kDistance * sizeof(Lane) <= 8) {
      const hn::Repartition<hwy::UnsignedFromSize<kDistance * sizeof(Lane)>, D> dw;
      const auto wa = hn::BitCast(dw, a), wb = hn::BitCast(dw, b);
      return Reduce::Combine(hn::BitCast(d, hn::InterleaveEven(dw, wa, wb)),
                             hn::BitCast(d, hn::InterleaveOdd(dw, wa, wb)));
    } else {
      static_assert(2 * kDistance == kLanes, "halves of two blocks");
      return Reduce::Combine(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
    }
  }

  // The first `count` lanes.
  HWY_INLINE void Store(V result, Y* y, int64_t count) const {
    const D d;
    if (job_.y_output_step == 1) {
      out_.StoreN(d, result, y, static_cast<size_t>(count));
      return;
    }
    HWY_ALIGN Y lanes[kLanes];
    out_.Store(d, result, lanes);
    for (int64_t i = 0; i < count; ++i) y[i * job_.y_output_step] = lanes[i];
  }

  const FoldRunJob& job_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
