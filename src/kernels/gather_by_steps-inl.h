// Windows that step by 2 and more along W, for jobs that are rare, in little code: taps are
// gathered one by one. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_GATHER_BY_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_GATHER_BY_STEPS_INL_H_
#undef LANEPOOL_SRC_KERNELS_GATHER_BY_STEPS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_GATHER_BY_STEPS_INL_H_
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

template <class Op>
bool GatherBySteps(const PlanesJob& job) {
  using Reduce = typename Op::Reduce;
  using T = typename Op::Elem::Memory;
  using Y = typename Op::Out::Memory;
  using Lane = typename Op::Elem::Lane;
  const hn::ScalableTag<Lane> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const typename Op::Elem elem(job.rules);
  const typename Op::Out out(job.rules);
  typename Op::Finish::Planes finish(job);
  auto state = Reduce::Start(d);
  const V identity = Reduce::Identity(d);
  // What `count` outputs from `lane` on have at tap `w`; what is outside of the row is identity.
  const int64_t group = kCompact ? 1 : job.group, between = kCompact ? 1 : job.w_stride - 1;
  const auto load = [&](const T* row, int64_t lane, int64_t count, int64_t w) HWY_ATTR {
    HWY_ALIGN T lanes[HWY_MAX_LANES_D(decltype(d))] = {};
    HWY_ALIGN Lane inside[HWY_MAX_LANES_D(decltype(d))] = {};
    for (int64_t i = lane; i < lane + count; ++i) {
      const int64_t at = job.w_first + i + i / group * between * group + w * job.w_tap;
      if (at < 0 || at >= job.w_input) continue;
      lanes[i - lane] = row[at];
      inside[i - lane] = Lane{1};
    }
    const auto is_inside = hn::Ne(hn::Load(d, inside), hn::Zero(d));
    return hn::IfThenElse(is_inside, elem.Load(d, lanes), identity);
  };
  const auto window = [&](const T* x, int64_t row, int64_t lane, int64_t count) HWY_ATTR {
    V fold = identity;
    for (int64_t w = 0; w < job.taps_w; ++w) {
      V column = identity;
      for (int64_t tap = 0; tap < job.taps_h; ++tap) {
        const int64_t h = job.h_first + row * job.h_stride + tap * job.h_tap;
        V depths = identity;
        for (int64_t i = 0; i < job.taps_d && h >= 0 && h < job.h_input; ++i) {
          const V v = load(x + h * job.x_row_step + i * job.x_tap_d, lane, count, w);
          depths = i == 0 ? v : Reduce::Combine(depths, v);
        }
        column = tap == 0 ? depths : Reduce::Combine(column, depths);
      }
      fold = w == 0 ? column : Reduce::Combine(fold, column);
    }
    return fold;
  };
  for (int64_t lane = 0; lane < job.lanes; lane += n) {
    const int64_t count = HWY_MIN(n, job.lanes - lane);
    V lanes = hn::Zero(d);
    finish.Begin(d, lane, lanes);
    for (int64_t plane = 0; plane < job.planes; ++plane) {
      const T* x = static_cast<const T*>(job.x) + plane * job.x_plane_step;
      Y* y = static_cast<Y*>(job.y) + plane * job.y_plane_step + lane;
      finish.BeginPlane();
      V a = lanes, b = lanes;
      for (int64_t row = 0; row < job.rows; ++row, y += job.y_row_step) {
        finish.Row(d, row, lanes, a, b);
        const V fold = window(x, row, lane, count);
        out.StoreN(d, finish.Apply(fold, lanes, a, b, state), y, static_cast<size_t>(count));
      }
    }
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
