// The kernels of f16 and bf16 averages, and of all that is compared as integers of 16 bits.
#include <stdint.h>

#include "compiled_in.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_half.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/chained_rows-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/half-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/packed_rows-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/window_ring-inl.h"
#include "kernels/window_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

// Planes finish one vector at a time, for which dividing is faster than asking whether it needs to.
template <HalfType kType>
struct DivideHalf : DivideBy<DivideMended<kType == kBfloat16>> {
  using DivideBy<DivideMended<kType == kBfloat16>>::DivideBy;
  using Planes = DivideBy<DivideExact>::Planes;
};

template <HalfType kType>
struct AverageOfHalf {
  static constexpr bool kWide = true;
  static constexpr bool kPairs = false;
  static constexpr bool kSmall = true;  // fewer loops of their own for special windows
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesMany = true;  // other windows than of 3 taps
  // Where there is no ring, or partial folds fit the registers.
  static constexpr bool kSlidesEven = !kKeepsRing || kManyRegisters;
  using Elem = ElemHalf<kType>;
  using Out = OutHalf<kType>;
  using Reduce = SumPlain;
  using Finish = DivideHalf<kType>;
  using EdgeFinish = Finish;
};

// Two rows of 3 x 3 taps convert each element twice where single rows would do it three times.
template <class Op>
bool WindowOfHalf(const WindowJob& job) {
  Slide slide;
  return SlidesThreeByThree(job, &slide) ? ThreeByThree<Op>(job, slide) : Window<Op>(job);
}

template <HalfType kType>
constexpr Kernels KernelsOfHalf() {
  using Op = AverageOfHalf<kType>;
  return WithRing<Op, true>({&WindowOfHalf<Op>,
                             &FoldRows<Op>,
                             &SlideRows<Op>,
                             &FoldRun<Op>,
                             &Planes<Op>,
                             &PlanesByTwo<Op>,
                             {kType == kFloat16 ? kBlockF16Sums : kBlockBf16Sums, kBlockSumsF32,
                              kType == kFloat16 ? kBlockF16Averages : kBlockBf16Averages},
                             false,
                             true,
                             true,
                             true,
                             0,
                             0,
                             0,
                             nullptr,
                             MovedOf<Op>(),
                             PackedOf<Op>(),
                             ChainedOf<Op>()});
}

const Kernels* TableHalf() {
  // In the order of enum HalfType.
  static constexpr Kernels kTable[kHalfTypes] = {
      Compiled(ops::kSums, types::kF16) ? KernelsOfHalf<kFloat16>() : kNoKernels,
      Compiled(ops::kSums, types::kBf16) ? KernelsOfHalf<kBfloat16>() : kNoKernels};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const Kernels*, KernelsHalf, TableHalf)
}  // namespace lanepool
#endif  // HWY_ONCE
