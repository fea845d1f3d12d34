// Planes whose windows have several taps along D: what those add up to at each position first.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PLANES_DEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PLANES_DEEP_INL_H_
#undef LANEPOOL_SRC_KERNELS_PLANES_DEEP_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PLANES_DEEP_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/run_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Some planes at a time, or some rows of one, become planes in scratch; from there a job without
// taps along D goes on. Taps along D are the first to be folded in any case.
template <class Op>
class DeepPlanes {
  using T = typename Op::Elem::Memory;
  using Y = typename Op::Out::Memory;
  using Reduce = typename Op::Reduce;
  using D = hn::ScalableTag<typename Op::Elem::Lane>;

  // Of scratch. Pixels that step have their outputs on the stack, too, see RunPicked.
  static constexpr int64_t kBytes = 6144, kBytesOfSteps = 3072;

 public:
  static bool Fits(const PlanesJob& job) {
    return job.taps_d > 1 && job.taps_h * job.taps_w > 1 && job.h_tap == 1 &&
           job.x_row_step == job.w_input && MostRows(job) > 2 * job.taps_h;
  }

  explicit DeepPlanes(const PlanesJob& job) : job_(job) {}

  // run(job) runs a job without taps along D.
  bool Run(bool (*run)(const PlanesJob&)) const {
    return Steps(job_) ? RunIn<kBytesOfSteps>(run) : RunIn<kBytes>(run);
  }

 private:
  static bool Steps(const PlanesJob& job) { return job.group > 1 && job.w_stride > 1; }
  static int64_t Scratch(const PlanesJob& job) {
    return (Steps(job) ? kBytesOfSteps : kBytes) / static_cast<int64_t>(sizeof(T));
  }
  static int64_t MostRows(const PlanesJob& job) { return Scratch(job) / job.w_input; }

  // Out of line: the other one needs no such stack.
  template <int64_t kSize>
  HWY_NOINLINE bool RunIn(bool (*run)(const PlanesJob&)) const {
    HWY_ALIGN T scratch[kSize / sizeof(T) + HWY_MAX_LANES_D(D)];  // see RunColumns::Sum
    return Run(run, scratch);
  }

  HWY_NOINLINE bool Run(bool (*run)(const PlanesJob&), T* scratch) const {
    const int64_t most = (MostRows(job_) - job_.taps_h) / job_.h_stride + 1;
    for (int64_t row = 0; row < job_.rows; row += most) {
      const int64_t rows = HWY_MIN(most, job_.rows - row);
      const int64_t first = job_.h_first + row * job_.h_stride;
      const int64_t begin = HWY_MAX(first, 0);
      const int64_t end = HWY_MIN(first + (rows - 1) * job_.h_stride + job_.taps_h, job_.h_input);
      const int64_t size = HWY_MAX(end - begin, 0) * job_.w_input;
      PlanesJob flat = job_;
      flat.taps_d = 1;
      flat.rows = rows;
      flat.h_first = first - begin;
      flat.h_input = HWY_MAX(end - begin, 0);
      flat.h_counts = job_.h_counts + row;
      flat.h_classes = job_.h_classes + row;
      flat.far = false;
      flat.x = scratch;
      flat.x_plane_step = size;
      const int64_t planes = size == 0 ? job_.planes : Scratch(job_) / size;
      for (int64_t plane = 0; plane < job_.planes; plane += planes) {
        flat.planes = HWY_MIN(planes, job_.planes - plane);
        flat.y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + row * job_.y_row_step;
        if (!Fold(plane, flat.planes, begin, size, scratch) || !run(flat)) return false;
      }
    }
    return true;
  }

  // `size` positions of each of some planes, from row `begin` on.
  HWY_INLINE bool Fold(int64_t plane, int64_t planes, int64_t begin, int64_t size, T* to) const {
    const D d;
    FoldRunJob depths;
    depths.taps[0] = job_.taps_d;
    depths.taps[1] = 1;
    depths.x_tap[0] = job_.x_tap_d;
    depths.x_tap[1] = 0;
    depths.rules = job_.rules;
    const RunColumns<typename Op::Elem, Reduce, D> columns(depths);
    auto state = Reduce::Start(d);
    const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step + begin * job_.w_input;
    for (int64_t i = 0; i < planes && size != 0; ++i, x += job_.x_plane_step, to += size) {
      state = columns.template Sum<false>(x, size, to, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  const PlanesJob& job_;
};

// Out of line: other jobs need no such stack.
template <class Op>
HWY_NOINLINE bool RunDeepPlanes(const PlanesJob& job, bool (*run)(const PlanesJob&)) {
  return DeepPlanes<Op>(job).Run(run);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
