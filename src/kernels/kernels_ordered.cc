// The kernels of maxima of elements that are compared as integers: 16 bits in full, the wider ones,
// which are rarer, built for size.
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_ordered.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/chained_rows-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/ordered-inl.h"
#include "kernels/packed_rows-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/short_maxima-inl.h"
#include "kernels/window_ring-inl.h"
#include "kernels/window_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class T>
struct MaxOrdered {
  static constexpr bool kOften = sizeof(T) == 2;
  static constexpr bool kWide = kOften;
  static constexpr bool kPairs = false;
  static constexpr bool kSmall = true;  // fewer loops of their own for special windows
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesMany = kOften;  // other windows than of 3 taps
  static constexpr bool kSlidesEven = false;
  using Elem = ElemOrdered<T>;
  using Out = OutOrdered<T>;
  using Reduce = std::conditional_t<kOften, MaxInteger, MaxIntegerRare>;
  using Finish = Unfinished;
  using EdgeFinish = Unfinished;
  static constexpr BlockFold kFold = sizeof(T) == 2   ? kBlockMax16
                                     : sizeof(T) == 4 ? kBlockMax32
                                                      : kBlockMax64;
  static constexpr BlockFold kToY = sizeof(T) == 2   ? kBlockMax16ToY
                                    : sizeof(T) == 4 ? kBlockMax32ToY
                                                     : kBlockMax64ToY;
  static constexpr BlocksOf kBlocks = {kFold, kFold, kToY};
};

using Max16 = MaxOrdered<int16_t>;
bool Max16ByTwo(const PlanesJob& job) {
  if constexpr (!kCompact) {
    if (job.w_stride == 2 && TakeShortMaxima<Max16, 3, 2>(job)) return true;
  }
  return PlanesByTwo<Max16>(job);
}

constexpr Kernels KernelsOfMax16() {
  Kernels kernels = WithRing<Max16, true>(KernelsOf<Max16>());
  kernels.window = &WindowByTwo<Max16>;
  kernels.planes_by_two = &Max16ByTwo;
  kernels.moved = MovedOf<Max16>();
  kernels.packed = PackedOf<Max16>();
  kernels.chained = ChainedOf<Max16>();
  return kernels;
}

const Kernels* TableOrdered() {
  // In the order of enum OrderedBits.
  static constexpr Kernels kTable[kOrderedSizes] = {
      Compiled(ops::kOrdered, types::kHalf | types::kShorts) ? KernelsOfMax16() : kNoKernels,
      Compiled(ops::kOrdered, types::kF32 | types::kS32) ? KernelsOf<MaxOrdered<int32_t>>()
                                                         : kNoKernels,
      Compiled(ops::kOrdered, types::kF64) ? KernelsOf<MaxOrdered<int64_t>>() : kNoKernels};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const Kernels*, KernelsOrdered, TableOrdered)
}  // namespace lanepool
#endif  // HWY_ONCE
