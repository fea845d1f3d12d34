// The kernels of windows of many taps: folds of lanes, and the commonest ways to and from those.
// All others go by way of the rows' kernels.
#include <stdint.h>

#include "kernel_table.h"

// Nothing here gains much from SSE4 over SSE2.
#undef LANEPOOL_SPARED_TARGETS
#define LANEPOOL_SPARED_TARGETS HWY_SSE4
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_blocks.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/blocks-inl.h"
#include "kernels/bytes-inl.h"
#include "kernels/elem-inl.h"
#include "kernels/finish_blocks-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

constexpr bool kWide = HWY_TARGET != HWY_SSE2;

template <class Lane, class Reduce, bool kOften>
constexpr auto FoldLanes() {
  return &FoldBlocks < ElemPlain<Lane>, Reduce, BlockFolds<Lane>, kOften && kWide > ;
}

const BlockKernels* TableBlocks() {
  // In the order of enum BlockFold.
  static constexpr BlockKernels kTable = {
      {
          FoldLanes<float, SumPlain, true>(),
          FoldLanes<double, SumPlain, false>(),
          &FoldBlocks<ElemPlain<float>, MaxOf, BlockMaxima, kWide>,
          FoldLanes<int16_t, MaxInteger, true>(),
          FoldLanes<int32_t, MaxInteger, false>(),
          FoldLanes<int64_t, MaxInteger, false>(),
          &FoldBlocks<ElemByteFlipped, MaxInteger, BlockBytes, kWide>,
          FoldLanes<uint16_t, SumPlain, false>(),
          FoldLanes<uint32_t, SumPlain, false>(),
          &FoldBlocks<ElemByteSum<uint16_t>, SumPlain, BlockFolds<uint16_t>, kWide>,
          &FoldBlocks<ElemPlain<float>, SumPlain, BlockAverages, kWide>,
          &FoldBlocks<ElemShortSum, SumPlain, BlockMeans, kWide>,
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
