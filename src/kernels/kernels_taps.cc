// The kernels that take taps one after the other. Built for size.
#include <stdint.h>

#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_taps.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/mapped-inl.h"
#include "kernels/taps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

const TapsKernels* TableTaps() {
  static constexpr TapsKernels kTable = {
      // In the order of enum MappedSum.
      {&Taps<SumInOrder<ElemMapped<uint16_t, float>>>, &Taps<SumInOrder<ElemMapped<float, float>>>,
       &Taps<SumInOrder<ElemMapped<double, double>>>, &Taps<SumInOrder<ElemMapped<float, double>>>},
      {&Taps<PlaceOfMax<ElemPlaced<int8_t, int32_t>>>,
       &Taps<PlaceOfMax<ElemPlaced<int16_t, int32_t>>>,
       &Taps<PlaceOfMax<ElemPlaced<int32_t, int32_t>>>,
       &Taps<PlaceOfMax<ElemPlaced<int64_t, int64_t>>>, &PlacesOfMaxF32},
      &Indices,
  };
  return &kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const TapsKernels*, KernelsTaps, TableTaps)
}  // namespace lanepool
#endif  // HWY_ONCE
