// The kernels of windows of many taps: folds of lanes, and the commonest ways to and from those.
// All others go by way of the rows' kernels.
#include <stdint.h>

#include "compiled_in.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_blocks.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/blocks-inl.h"
#include "kernels/blocks_of_sums-inl.h"
#include "kernels/bytes-inl.h"
#include "kernels/doubling-inl.h"
#include "kernels/elem-inl.h"
#include "kernels/finish_block_means-inl.h"
#include "kernels/finish_block_quotients-inl.h"
#include "kernels/finish_blocks-inl.h"
#include "kernels/half-inl.h"
#include "kernels/level_sums-inl.h"
#include "kernels/levels-inl.h"
#include "kernels/ordered-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/row_sums-inl.h"
#include "kernels/sums_in_turn-inl.h"
#include "kernels/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class Lane, bool kOften>
constexpr auto SumLanes() {
  return &FoldBlocks<ElemPlain<Lane>, SumPlain, BlockFolds<ElemPlain<Lane>>, kOften>;
}
template <class Elem, bool kOften>
constexpr auto SumIntegers() {
  return &SumBlocks<Elem, BlockFolds<ElemPlain<typename Elem::Lane>>, kOften>;
}
template <class Finish>
constexpr auto SumsToBytes() {
  return &SumBlocks<ElemWider<uint16_t>, Finish, true>;
}
template <class T>
constexpr auto MaxLanes() {
  return &FoldBlocks<ElemOrdered<T>, MaxInteger, BlockFolds<ElemPlain<T>>, (sizeof(T) == 2)>;
}
template <class T>
constexpr auto MaxToY() {
  return &FoldBlocks<ElemPlain<T>, MaxInteger, BlockFolds<OutOrdered<T>>, (sizeof(T) == 2)>;
}
template <class T>
constexpr auto LevelMax() {
  return &LevelRows<T, MaxInteger, BlockFolds<OutOrdered<T>>>;
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
  using namespace types;  // NOLINT
  using ops::kAverage, ops::kOrdered, ops::kSums, ops::kTerms;
  constexpr uint32_t k16 = kHalf | kShorts, k32 = kF32 | kS32;
  constexpr bool (*kNone)(const BlocksJob&) = nullptr;
  // In the order of enum BlockFold.
  static constexpr BlockKernels kTable = {
      {
          Compiled(kTerms, kF32 | kHalf) ? SumLanes<float, true>() : kNone,
          Compiled(kTerms, kF64 | kF32) ? SumLanes<double, false>() : kNone,
          kComparesFloats ? &FoldBlocks<ElemPlain<float>, MaxOf, BlockMaxima, true> : kNone,
          Compiled(kOrdered, k16) ? MaxLanes<int16_t>() : kNone,
          Compiled(kOrdered, k32) ? MaxLanes<int32_t>() : kNone,
          Compiled(kOrdered, kF64) ? MaxLanes<int64_t>() : kNone,
          Compiled(kOrdered, kBytes) ? &FoldBlocks<ElemByteFlipped, MaxInteger, BlockBytes, true>
                                     : kNone,
          Compiled(kAverage, kBytes) ? SumIntegers<ElemPlain<uint16_t>, false>() : kNone,
          Compiled(kAverage, kBytes | kShorts) ? SumIntegers<ElemPlain<uint32_t>, false>() : kNone,
          Compiled(kAverage, kBytes) ? SumIntegers<ElemWider<uint8_t>, true>() : kNone,
          Compiled(kSums, kF16) ? SumElements<ElemHalf<kFloat16>, true>() : kNone,
          Compiled(kSums, kBf16) ? SumElements<ElemHalf<kBfloat16>, true>() : kNone,
          Compiled(kSums, kF32) ? Averages<ElemPlain<float>>() : kNone,
          Compiled(kSums, kF16) ? Averages<OutHalf<kFloat16>>() : kNone,
          Compiled(kSums, kBf16) ? Averages<OutHalf<kBfloat16>>() : kNone,
          Compiled(kAverage, kBytes) ? SumsToBytes<BlockMeans>() : kNone,
          Compiled(kAverage, kBytes) && !kCompact ? SumsToBytes<BlockQuotients>() : kNone,
          Compiled(kOrdered, k16) ? MaxToY<int16_t>() : kNone,
          Compiled(kOrdered, k32) ? MaxToY<int32_t>() : kNone,
          Compiled(kOrdered, kF64) ? MaxToY<int64_t>() : kNone,
      },
      &Transpose<false>,
      &Transpose<true>,
      Compiled(kOrdered, kBytes) ? &DoubleRows : nullptr,
      kComparesFloats && !kCompact ? &LevelRows<float, MaxOf, BlockMaxima> : nullptr,
      Compiled(kOrdered, k16) && !kCompact ? LevelMax<int16_t>() : nullptr,
      Compiled(kOrdered, k32) && !kCompact ? LevelMax<int32_t>() : nullptr,
      Compiled(kSums, kF32) && !kCompact ? &LevelSums : nullptr,
      Compiled(kAverage, kBytes) && !kCompact ? &SumRows : nullptr,
      Compiled(kAverage, kBytes) && !kCompact ? &SumsInTurn : nullptr,
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
