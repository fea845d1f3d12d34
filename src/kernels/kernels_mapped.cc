// The kernels of sums that are finished from a stage: Lp, f64, sums in f64 of f32, means without
// NaN. Built for size.
#include <stdint.h>

#include "compiled_in.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_mapped.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/finish-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/mapped-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class Memory, class Lane>
struct SumMapped {
  static constexpr bool kWide = false;
  static constexpr bool kPairs = false;
  static constexpr bool kSmall = true;  // fewer loops of their own for special windows
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesMany = false;  // other windows than of 3 taps
  static constexpr bool kSlidesEven = false;
  using Elem = ElemMapped<Memory, Lane>;
  using Out = LaneOf<Elem>;
  using Reduce = SumPlain;
  using Finish = Unfinished;
  using EdgeFinish = Unfinished;
  static constexpr BlockFold kFold = sizeof(Lane) == 8 ? kBlockSumsF64 : kBlockSumsF32;
  static constexpr BlocksOf kBlocks = {kNoBlocks, kFold, kFold};
};

const Kernels* TableMapped() {
  // In the order of enum MappedSum.
  static constexpr Kernels kTable[kMappedSums] = {
      Compiled(ops::kTerms, types::kHalf) ? KernelsWithoutPlanes<SumMapped<uint16_t, float>>()
                                          : kNoKernels,
      Compiled(ops::kTerms, types::kF32) ? KernelsWithoutPlanes<SumMapped<float, float>>()
                                         : kNoKernels,
      Compiled(ops::kTerms, types::kF64) ? KernelsWithoutPlanes<SumMapped<double, double>>()
                                         : kNoKernels,
      Compiled(ops::kTerms, types::kF32) ? KernelsWithoutPlanes<SumMapped<float, double>>()
                                         : kNoKernels,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const Kernels*, KernelsMapped, TableMapped)
}  // namespace lanepool
#endif  // HWY_ONCE
