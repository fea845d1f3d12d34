// The kernels of windows of many taps: folds of lanes, and the commonest ways to and from those.
// All others go by way of the rows' kernels.
#include <stdint.h>

#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_blocks.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/blocks-inl.h"
#include "kernels/bytes-inl.h"
#include "kernels/elem-inl.h"
#include "kernels/finish_blocks-inl.h"
#include "kernels/half-inl.h"
#include "kernels/ordered-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class Lane, bool kOften>
constexpr auto SumLanes() {
  return &FoldBlocks<ElemPlain<Lane>, SumPlain, BlockFolds<ElemPlain<Lane>>, kOften>;
}
template <class T>
constexpr auto MaxLanes() {
  return &FoldBlocks<ElemOrdered<T>, MaxInteger, BlockFolds<ElemPlain<T>>, (sizeof(T) == 2)>;
}
template <class T>
constexpr auto MaxToY() {
  return &FoldBlocks<ElemPlain<T>, MaxInteger, BlockFolds<OutOrdered<T>>, (sizeof(T) == 2)>;
}
template <class Elem, bool kOften>
constexpr auto SumElements() {
  return &FoldBlocks<Elem, SumPlain, BlockFolds<LaneOf<Elem>>, kOften>;
}
template <class Out>
constexpr auto Averages() {
  return &FoldBlocks<ElemPlain<float>, SumPlain, BlockAverages<Out>, true>;
}

const BlockKernels* TableBlocks() {
  // In the order of enum BlockFold.
  static constexpr BlockKernels kTable = {
      {
          SumLanes<float, true>(),
          SumLanes<double, false>(),
          &FoldBlocks<ElemPlain<float>, MaxOf, BlockMaxima, true>,
          MaxLanes<int16_t>(),
          MaxLanes<int32_t>(),
          MaxLanes<int64_t>(),
          &FoldBlocks<ElemByteFlipped, MaxInteger, BlockBytes, true>,
          SumLanes<uint16_t, false>(),
          SumLanes<uint32_t, false>(),
          SumElements<ElemByteSum<uint16_t>, true>(),
          SumElements<ElemHalf<kFloat16>, true>(),
          SumElements<ElemHalf<kBfloat16>, true>(),
          Averages<ElemPlain<float>>(),
          Averages<OutHalf<kFloat16>>(),
          Averages<OutHalf<kBfloat16>>(),
          &FoldBlocks<ElemShortSum, SumPlain, BlockMeans, true>,
          MaxToY<int16_t>(),
          MaxToY<int32_t>(),
          MaxToY<int64_t>(),
      },
      &Transpose<false>,
      &Transpose<true>,
  };
  return &kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const BlockKernels*, KernelsBlocks, TableBlocks)
}  // namespace lanepool
#endif  // HWY_ONCE
