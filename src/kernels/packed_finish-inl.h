// What the outputs of several rows of a PlanesJob divide by, or are requantized with, in the lanes
// of one vector. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_
#undef LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_
#endif

#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Finishers know lanes and rows apart: lanes of a pack are those of a row of its own. A class of
// bytes there has that of the row and that of the lane in it.
template <class Op>
class FinishOfPack {
  using Planes = typename Op::Finish::Planes;
  using Lane = typename Op::Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  static constexpr bool kAlike = std::is_same<Planes, AlikePlanes<typename Op::Finish>>::value;
  static constexpr bool kClasses = sizeof(Lane) == 2;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);

 public:
  // Of `rows` rows of the job from `first` on, the same again after `period` of them.
  void Make(const PlanesJob& job, int64_t first, int64_t rows, int64_t period) {
    if constexpr (!kAlike) {
      const D d;
      PlanesJob pack = job;
      float counts[kLanes + kCountSlack];
      uint8_t classes[kLanes + kCountSlack];
      int64_t lane = 0;
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t row = first + (i < period ? i : i % period);
        for (int64_t o = 0; o < job.lanes; ++o, ++lane) {
          if constexpr (kClasses) {
            classes[lane] =
                static_cast<uint8_t>(job.h_classes[row] * job.class_count + job.w_classes[o]);
          } else {
            counts[lane] = job.h_counts[row] * job.w_counts[o];
          }
        }
      }
      for (; lane < kLanes; ++lane) {
        counts[lane] = 1;
        classes[lane] = kClasses ? classes[0] : 0;
      }
      pack.w_counts = counts;
      pack.w_classes = classes;
      pack.h_counts = &kOne;
      pack.h_classes = &kFirst;
      Planes finish(pack);
      V of_lanes = hn::Zero(d), a = of_lanes, b = of_lanes;
      finish.Begin(d, 0, of_lanes);
      finish.BeginPlane();
      finish.Row(d, 0, of_lanes, a, b);
      hn::Store(of_lanes, d, lanes_);
      hn::Store(a, d, a_);
      hn::Store(b, d, b_);
    }
  }

  // Makes `packs` a job whose rows are packs of those of `job`.
  static void Begin(const PlanesJob& job, PlanesJob* packs) {
    if constexpr (!kAlike && kClasses) {
      int32_t most = 0;
      for (int64_t row = 0; row < job.rows; ++row) {
        most = HWY_MAX(most, int32_t{job.h_classes[row]});
      }
      packs->class_count = (most + 1) * job.class_count;
      packs->h_classes = &kFirst;
    }
  }
  static Planes Of(const PlanesJob& packs) {
    Planes finish(packs);
    if constexpr (!kAlike) {
      const D d;
      V lanes = hn::Zero(d), a = lanes, b = lanes;
      finish.Row(d, 0, lanes, a, b);
    }
    return finish;
  }

  template <class S>
  HWY_INLINE V Apply(const Planes& finish, V v, S& state) const {
    const D d;
    if constexpr (kAlike) {
      const V none = hn::Zero(d);
      return finish.Apply(v, none, none, none, state);
    } else {
      return finish.Apply(v, hn::Load(d, lanes_), hn::Load(d, a_), hn::Load(d, b_), state);
    }
  }

 private:
  static constexpr float kOne = 1;
  static constexpr uint8_t kFirst = 0;

  HWY_ALIGN Lane lanes_[kLanes], a_[kLanes], b_[kLanes];
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
