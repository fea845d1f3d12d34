// What the outputs of several rows of a PlanesJob divide by, or are requantized with, in the lanes
// of one vector. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_
#undef LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PACKED_FINISH_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish-inl.h"
#include "kernels/lane_formulas-inl.h"
#include "kernels/pack_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_PACKS_ROWS
// Finishers know lanes and rows apart: lanes of a pack are those of a row of its own. A class of
// bytes there has that of the row and that of the lane in it.
template <class Op>
class FinishOfPacks {
  using Planes = typename Op::Finish::Planes;
  using Lane = typename Op::Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  static constexpr bool kAlike = std::is_same<Planes, AlikePlanes<typename Op::Finish>>::value;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);

  struct Empty {};
  struct Divisors {
    HWY_ALIGN Lane lanes[kLanes], a[kLanes], b[kLanes];
  };
  struct Classes {
    HWY_ALIGN Lane lanes[kLanes];
    const LaneFormulas::Lanes* formulas;  // null: one after the other
  };

  // Those of several classes at once. Many kinds have the same.
  struct Formulas {
    void Begin(const Requant* const* requants, int32_t class_count) {
      at_once = class_count > 1 && all.Make(requants, class_count);
    }
    const LaneFormulas::Lanes* Of(const uint8_t* of_lanes) {
      if (!at_once) return nullptr;
      for (int64_t i = 0; i < count; ++i) {
        if (memcmp(classes[i], of_lanes, sizeof classes[i]) == 0) return &lanes[i];
      }
      if (count == kMost) return nullptr;
      hwy::CopyBytes(of_lanes, classes[count], sizeof classes[count]);
      all.Find(of_lanes, &lanes[count]);
      return &lanes[count++];
    }

    static constexpr int64_t kMost = 4;
    bool at_once;
    int64_t count = 0;
    LaneFormulas all;
    LaneFormulas::Lanes lanes[kMost];
    uint8_t classes[kMost][kLanes];
  };

 public:
  // Whether lanes have classes of windows.
  static constexpr bool kClasses = !kAlike && sizeof(Lane) == 2;

  // What packs have whose lanes are finished alike.
  using Kind = std::conditional_t<kAlike, Empty, std::conditional_t<kClasses, Classes, Divisors>>;

  explicit FinishOfPacks(const PlanesJob& job) : job_(job), packs_(job), finish_(packs_) {
    if constexpr (!kAlike) packs_.h_counts = &kOne;
    if constexpr (kClasses) {
      int32_t most = 0;
      for (int64_t row = 0; row < job.rows; ++row) {
        most = HWY_MAX(most, int32_t{job.h_classes[row]});
      }
      packs_.class_count = (most + 1) * job.class_count;
      packs_.h_classes = &kFirst;
      formulas_.Begin(job.rules.requants, packs_.class_count);
    }
    V a = hn::Zero(D()), b = a;
    finish_.Row(D(), 0, a, a, b);
  }

  // Whether two rows of the job are finished alike.
  bool IsLike(int64_t row, int64_t other) const {
    if constexpr (kClasses) return job_.h_classes[row] == job_.h_classes[other];
    if constexpr (!kAlike && !kClasses) return job_.h_counts[row] == job_.h_counts[other];
    return true;
  }

  // Of `rows` rows of the job from `first` on, the same again after `period` of them; lane by lane
  // in this order.
  void Make(int64_t first, int64_t rows, int64_t period, PackOrder order, Kind* kind) {
    if constexpr (!kAlike) {
      PlanesJob pack = packs_;
      float counts[kLanes + kCountSlack];
      uint8_t classes[kLanes + kCountSlack];
      int64_t lane = 0;
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t row = first + (i < period ? i : i % period);
        for (int64_t o = 0; o < job_.lanes; ++o, ++lane) {
          if constexpr (kClasses) {
            classes[lane] =
                static_cast<uint8_t>(job_.h_classes[row] * job_.class_count + job_.w_classes[o]);
          } else {
            counts[lane] = job_.h_counts[row] * job_.w_counts[o];
          }
        }
      }
      float lane_counts[kLanes + kCountSlack];
      uint8_t lane_classes[kLanes + kCountSlack];
      for (lane = 0; lane < kLanes; ++lane) {
        lane_counts[lane] = kClasses ? 1 : counts[order.Of(lane)];
        lane_classes[lane] = kClasses ? classes[order.Of(lane)] : 0;
      }
      pack.w_counts = lane_counts;
      pack.w_classes = lane_classes;
      const D d;
      Planes finish(pack);
      V of_lanes = hn::Zero(d), a = of_lanes, b = of_lanes;
      finish.Begin(d, 0, of_lanes);
      finish.BeginPlane();
      finish.Row(d, 0, of_lanes, a, b);
      hn::Store(of_lanes, d, kind->lanes);
      if constexpr (kClasses) {
        kind->formulas = formulas_.Of(lane_classes);
      } else {
        hn::Store(a, d, kind->a);
        hn::Store(b, d, kind->b);
      }
    }
  }

  template <class S>
  HWY_INLINE V Apply(const Kind& kind, V v, S& state) const {
    const D d;
    if constexpr (kAlike) {
      const V none = hn::Zero(d);
      return finish_.Apply(v, none, none, none, state);
    } else {
      const V lanes = hn::Load(d, kind.lanes);
      if constexpr (kClasses) {
        if (HWY_LIKELY(kind.formulas != nullptr)) return formulas_.all.Apply(*kind.formulas, v);
        return finish_.Apply(v, lanes, lanes, lanes, state);
      } else {
        return finish_.Apply(v, lanes, hn::Load(d, kind.a), hn::Load(d, kind.b), state);
      }
    }
  }

 private:
  static constexpr float kOne = 1;
  static constexpr uint8_t kFirst = 0;

  const PlanesJob& job_;
  PlanesJob packs_;  // each a row
  Planes finish_;
  std::conditional_t<kClasses, Formulas, Empty> formulas_;
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
