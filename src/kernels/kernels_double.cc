// The kernels of f64: averages, divided by the divider, and maxima.
#include <stdint.h>

#include "compiled_in.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_double.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/window_ring-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class R, class F, BlockFold kFold>
struct OpF64 {
  static constexpr bool kWide = true;  // worth a loop over four vectors at a time
  static constexpr bool kPairs = false;
  static constexpr bool kSmall = true;  // fewer loops of their own for special windows
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesMany = false;  // other windows than of 3 taps
  static constexpr bool kSlidesEven = false;
  using Elem = ElemPlain<double>;
  using Out = ElemPlain<double>;
  using Reduce = R;
  using Finish = F;
  using EdgeFinish = F;
  static constexpr BlocksOf kBlocks = {kFold, kFold, kNoBlocks};
};
using AverageF64 = OpF64<SumPlain, DivideBy<DivideExact, double>, kBlockSumsF64>;
using MaxF64 = OpF64<MaxOf, PlainZero, kNoBlocks>;

const Kernels* TableDouble() {
  // In the order of enum DoubleFold.
  static constexpr Kernels kTable[kDoubleFolds] = {
      Compiled(ops::kSums, types::kF64) ? WithRing<AverageF64>(KernelsOf<AverageF64>())
                                        : kNoKernels,
      Compiled(ops::kMax, types::kF64) ? WithRing<MaxF64>(KernelsOf<MaxF64>()) : kNoKernels};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const Kernels*, KernelsDouble, TableDouble)
}  // namespace lanepool
#endif  // HWY_ONCE
