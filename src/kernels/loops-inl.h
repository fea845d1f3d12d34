// All loops over one composition of element, reducer and finisher. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LOOPS_INL_H_
#undef LANEPOOL_SRC_KERNELS_LOOPS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LOOPS_INL_H_
#endif

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/planes-inl.h"
#include "kernels/rows-inl.h"
#include "kernels/run-inl.h"
#include "kernels/step_two-inl.h"
#include "kernels/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

// Whether the lanes of scratch are elements as they are in memory.
template <class Op>
constexpr bool LanesAreElements() {
  return std::is_same<typename Op::Elem, ElemPlain<typename Op::Elem::Lane>>::value;
}

template <class Op>
constexpr Kernels KernelsOf() {
  return {&Window<Op>,
          &FoldRows<Op>,
          &SlideRows<Op>,
          &FoldRun<Op>,
          &Planes<Op>,
          &PlanesByTwo<Op>,
          Op::kBlocks,
          LanesAreElements<Op>(),
          Op::kSlides,
          false,
          true,
          0,
          0,
          0,
          nullptr};
}

// Without the loop over planes.
template <class Op>
constexpr Kernels KernelsWithoutPlanes() {
  return {&Window<Op>,
          &FoldRows<Op>,
          &SlideRows<Op>,
          &FoldRun<Op>,
          nullptr,
          nullptr,
          Op::kBlocks,
          LanesAreElements<Op>(),
          Op::kSlides,
          false,
          true,
          0,
          0,
          0,
          nullptr};
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
