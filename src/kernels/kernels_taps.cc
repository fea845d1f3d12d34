// The kernels that take taps one after the other. Built for size.
#include <stdint.h>

#include "compiled_in.h"
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

using Kernel = void (*)(const TapsJob&);
template <class Memory, class Lane, uint32_t kTypes>
constexpr Kernel SumsOf() {
  return Compiled(ops::kTerms, kTypes) ? &Taps<SumInOrder<ElemMapped<Memory, Lane>>> : nullptr;
}
template <class Memory, class Lane, uint32_t kTypes>
constexpr Kernel PlacesOf() {
  return Compiled(ops::kMax, kTypes) ? &Taps<PlaceOfMax<ElemPlaced<Memory, Lane>>> : nullptr;
}

const TapsKernels* TableTaps() {
  static constexpr TapsKernels kTable = {
      // In the order of enum MappedSum.
      {SumsOf<uint16_t, float, types::kHalf>(), SumsOf<float, float, types::kF32>(),
       SumsOf<double, double, types::kF64>(), SumsOf<float, double, types::kF32>()},
      // In the order of enum Placing.
      {PlacesOf<int8_t, int32_t, types::kBytes>(),
       PlacesOf<int16_t, int32_t, types::kHalf | types::kShorts>(),
       PlacesOf<int32_t, int32_t, types::kS32>(), PlacesOf<int64_t, int64_t, types::kF64>(),
       Compiled(ops::kMax, types::kF32) ? &PlacesOfMaxF32 : nullptr},
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
