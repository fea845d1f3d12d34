// What loops over planes share whose windows have as many taps along H as along W and lack at most
// one row at either end. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_EDGE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_EDGE_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_EDGE_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_EDGE_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows of y whose windows lack the first tap along H, and those that lack the last one: 0 or 1.
struct EdgeRows {
  int64_t first, last;
};

// False: windows are not of taps x taps, do not step by `step` taps along H, or lack more.
HWY_INLINE bool FindEdgeRows(const PlanesJob& job, int64_t taps, int64_t step, EdgeRows* edges) {
  if (job.taps_w != taps || job.taps_h != taps || job.h_stride != step * job.h_tap) return false;
  const int64_t reach = (taps - 1) * job.h_tap;
  const int64_t last = job.h_first + (job.rows - 1) * job.h_stride;  // where the last window begins
  edges->first = job.h_first < 0 ? 1 : 0;
  edges->last = last + reach < job.h_input ? 0 : 1;
  return job.h_first + job.h_tap >= 0 && last + reach - job.h_tap < job.h_input &&
         edges->first + edges->last <= job.rows;
}

// The finisher of a vector of lanes, for the first row, the last one and those between: what it
// keeps of the latter is in a and b.
template <class Finish, class D>
class FinishOfRows {
  using V = hn::VFromD<D>;
  using Lane = hn::TFromD<D>;

 public:
  HWY_INLINE FinishOfRows(const PlanesJob& job, const EdgeRows& edges, int64_t lane, V& a, V& b)
      : finish_(job) {
    const D d;
    V lanes = hn::Zero(d);
    finish_.Begin(d, lane, lanes);
    finish_.BeginPlane();
    finish_.Row(d, 0, lanes, a, b);
    hn::Store(a, d, first_a_);
    hn::Store(b, d, first_b_);
    finish_.Row(d, job.rows - 1, lanes, a, b);
    hn::Store(a, d, last_a_);
    hn::Store(b, d, last_b_);
    if (edges.first < job.rows) finish_.Row(d, edges.first, lanes, a, b);
  }

  // Both halves of the vector are the same lanes of y.
  HWY_INLINE void Repeat(V& a, V& b) {
    const D d;
    a = hn::ConcatLowerLower(d, a, a);
    b = hn::ConcatLowerLower(d, b, b);
    for (Lane* lanes : {first_a_, first_b_, last_a_, last_b_}) {
      const V v = hn::Load(d, lanes);
      hn::Store(hn::ConcatLowerLower(d, v, v), d, lanes);
    }
  }

  template <class S>
  HWY_INLINE V First(V v, S& state) const {
    const D d;
    return finish_.Apply(v, v, hn::Load(d, first_a_), hn::Load(d, first_b_), state);
  }
  template <class S>
  HWY_INLINE V Inner(V v, V a, V b, S& state) const {
    return finish_.Apply(v, v, a, b, state);
  }
  template <class S>
  HWY_INLINE V Last(V v, S& state) const {
    const D d;
    return finish_.Apply(v, v, hn::Load(d, last_a_), hn::Load(d, last_b_), state);
  }

 private:
  Finish finish_;
  HWY_ALIGN Lane first_a_[HWY_MAX_LANES_D(D)];
  HWY_ALIGN Lane first_b_[HWY_MAX_LANES_D(D)];
  HWY_ALIGN Lane last_a_[HWY_MAX_LANES_D(D)];
  HWY_ALIGN Lane last_b_[HWY_MAX_LANES_D(D)];
};

// PlanesJob::far: where rows are walked in strips, the first strip asks for `rows` rows that will
// be read some rows later, in the order of memory. Maybe outside of the input: only addresses.
template <class T>
HWY_INLINE void FetchRows(const PlanesJob& job, const T* x, int64_t rows) {
  constexpr int64_t kRowsAhead = 8, kLine = 64;
  constexpr int64_t kSize = sizeof(T);
  const uintptr_t at = reinterpret_cast<uintptr_t>(x) +
                       static_cast<uintptr_t>(kRowsAhead * job.h_tap * job.x_row_step * kSize);
  for (int64_t line = 0; line < rows * job.w_input * kSize; line += kLine) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): may lie behind x
    hwy::Prefetch(reinterpret_cast<const T*>(at + static_cast<uintptr_t>(line)));
  }
}
// One plane at a time, so that all strips find there what the first one has asked for.
template <class Op>
HWY_NOINLINE bool EachPlane(const PlanesJob& job, bool (*run)(const PlanesJob&)) {
  PlanesJob one = job;
  one.planes = 1;
  for (int64_t plane = 0; plane < job.planes; ++plane) {
    one.x = static_cast<const typename Op::Elem::Memory*>(job.x) + plane * job.x_plane_step;
    one.y = static_cast<typename Op::Out::Memory*>(job.y) + plane * job.y_plane_step;
    if (!run(one)) return false;
  }
  return true;
}

// Whether two vectors of half the lanes are faster than one that is not full.
template <class D>
constexpr bool MayHalve() {
  return !HWY_HAVE_SCALABLE && HWY_MAX_LANES_D(D) * sizeof(hn::TFromD<D>) > 32;
}
// Whether rows of so many lanes, more than half a vector, have no more, so that masks are one step.
template <class D>
HWY_INLINE bool FillsMost(D d, int64_t lanes) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  return n / 2 < lanes && lanes < n;
}
// Of so many lanes, those for vectors of D; the others are for halves.
template <class D>
HWY_INLINE int64_t WholeVectors(D d, int64_t lanes) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), rest = lanes % n;
  return rest <= n / 2 || lanes < n ? lanes - rest : lanes;
}

// Whether rows of fewer lanes than a vector are taken in one half as long, in steps of two.
template <class Op, class D>
constexpr bool MayShorten() {
  return !HWY_HAVE_SCALABLE && !kCompact && D().MaxLanes() > 4 &&
         D().MaxBytes() > (Op::kSmall ? 16 : 8);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
