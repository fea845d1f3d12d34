// The kernels of f32: which element, reducer and finisher make each operation.
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_float.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/chained_rows-inl.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/packed_rows-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/window_ring-inl.h"
#include "kernels/window_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class R, class F, BlockFold kFold, BlockFold kToY>
struct OpF32 {
  static constexpr bool kWide = true;        // worth a loop over four vectors at a time
  static constexpr bool kPairs = !R::kRare;  // and two
  static constexpr bool kSmall = R::kRare;   // fewer loops of their own for special windows
  static constexpr bool kSlides = !R::kRare;
  static constexpr bool kSlidesMany = kSlides;      // other windows than of 3 taps
  static constexpr bool kSlidesEven = kSlidesMany;  // windows of 4 and 6 taps too
  using Elem = ElemPlain<float>;
  using Out = ElemPlain<float>;
  using Reduce = R;
  using Finish = F;
  using EdgeFinish = F;
  static constexpr BlocksOf kBlocks = {kFold, kFold, kToY};
};
using Average = OpF32<SumOf, DivideBy<DivideF32>, kBlockSumsF32, kBlockAverages>;
using AverageOfWindows = std::conditional_t<
    kManyRegisters,
    OpF32<SumByRemainder, DivideBy<DivideByRemainder>, kBlockSumsF32, kBlockAverages>, Average>;
using AverageExact = OpF32<SumExact, DivideBy<DivideExact>, kBlockSumsF32, kBlockAverages>;
using Max = OpF32<MaxOf, PlainZero, kBlockMaxF32, kBlockMaxF32>;

// Windows of 3 x 3 taps on two rows load four input rows where single rows would load six.
template <class Op>
bool WindowOfFloats(const WindowJob& job) {
  Slide slide;
  return SlidesThreeByThree(job, &slide) ? ThreeByThree<Op>(job, slide) : Window<Op>(job);
}

template <class Op, class OfWindows = Op>
constexpr Kernels KernelsInPairs() {
  Kernels kernels = KernelsOf<Op>();
  kernels.window = &WindowOfFloats<OfWindows>;
  kernels.two_rows = true;
  using D = hwy::HWY_NAMESPACE::ScalableTag<float>;
  kernels.edge_row_lanes = FourInTwoRows<OfWindows>() ? 4 * HWY_MAX_LANES_D(D) : 0;
  kernels.moved = MovedOf<Op>();
  kernels.packed = PackedOf<Op>();
  kernels.chained = ChainedOf<Op>();
  return WithRing<OfWindows, true>(kernels);
}

const Kernels* TableFloat() {
  constexpr bool kSums = Compiled(ops::kSums, types::kF32);
  // In the order of enum Reducer.
  static constexpr Kernels kTable[kReducers] = {
      !kSums     ? kNoKernels
      : kCompact ? KernelsOf<AverageExact>()
                 : KernelsInPairs<Average, AverageOfWindows>(),
      kComparesFloats ? KernelsInPairs<Max>() : kNoKernels,
      kSums ? KernelsOf<AverageExact>() : kNoKernels,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const Kernels*, KernelsFloat, TableFloat)
}  // namespace lanepool
#endif  // HWY_ONCE
