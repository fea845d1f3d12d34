// The kernels of u8 and s8: which element, reducer and finisher make each operation.
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_bytes.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/bytes-inl.h"
#include "kernels/bytes_by_two-inl.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/flat-inl.h"
#include "kernels/flat_rows-inl.h"
#include "kernels/flat_small-inl.h"
#include "kernels/flat_whole-inl.h"
#include "kernels/loops-inl.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/packed_rows-inl.h"
#include "kernels/pixels_by_steps-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/requant-inl.h"
#include "kernels/rows_by_steps-inl.h"
#include "kernels/run_bytes-inl.h"
#include "kernels/short_maxima-inl.h"
#include "kernels/tile_sums-inl.h"
#include "kernels/whole_rows-inl.h"
#include "kernels/window_bytes-inl.h"
#include "kernels/window_pixels-inl.h"
#include "kernels/window_ring-inl.h"
#include "kernels/window_rows-inl.h"
#include "kernels/window_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class F>
struct Sum16By {
  static constexpr bool kWide = !kCompact;
  static constexpr bool kPairs = true;  // two vectors are loaded together
  static constexpr bool kSmall = kCompact;
  static constexpr bool kSlides = !kCompact;
  static constexpr bool kSlidesMany = kSlides;
  static constexpr bool kSlidesEven = false;
  using Elem = ElemByteSum<uint16_t>;
  using Out = OutByte16;
  using Reduce = SumPlain;
  using Finish = F;
  using EdgeFinish = RequantSum;
};
using Sum16 = Sum16By<RequantSum>;

// Of u8, for loops that only load what is there.
struct PlainSum16 : Sum16 {
  static bool Fits(const ElementRules& rules) { return rules.x_flip == 0; }

  using Elem = ElemPlainByteSum<uint16_t>;
};

// Calls run(job) for each row.
template <class Run>
HWY_INLINE void ForRows(const WindowJob& job, const Run& run) {
  if (job.rows <= 1) return run(job);
  WindowJob row = job;
  row.rows = 1;
  for (int64_t i = 0; i < job.rows; ++i) {
    run(row);
    row.x = static_cast<const uint8_t*>(row.x) + job.x_row_step;
    row.y = static_cast<uint8_t*>(row.y) + job.y_row_step;
  }
}

// The hottest windows have loops of their own for the commonest formulas.
inline bool WindowOfSums(const WindowJob& job) {
  if (SumsOfPairs::Fits(job)) {
    ForRows(job, [](const WindowJob& row) HWY_ATTR { SumsOfPairs(row).Run(); });
    return true;
  }
  Slide slide;
  if (SlidesThreeByThree(job, &slide)) {
    const RequantKind kind = job.rules.requants[0]->kind;
    if (kind == RequantKind::kMul16) {
      return ThreeByThree<Sum16By<RequantSumBy<RequantKind::kMul16>>>(job, slide);
    }
    if (kind == RequantKind::kMul16x32) {
      return ThreeByThree<Sum16By<RequantSumBy<RequantKind::kMul16x32>>>(job, slide);
    }
  }
  const bool slides = job.outputs > 1 && Slide::Make(job.outputs, job.taps[2], job.x_output_step,
                                                     job.x_tap[2], &slide);
  if (slides || RunningSumsOfLine::Fits(job)) {
    ForRows(job, [](const WindowJob& row) HWY_ATTR { SlidingSums(row).Run(); });
    return true;
  }
  return DirectWindows<Sum16>(job);
}

bool RingOfSums(const RingJob& job) {
  if constexpr (kKeepsRing) {
    const Requant& requant = *job.endings[RingJob::kInner][RingJob::kInner].requant;
    const RequantKind kind = requant.kind;
    const int32_t bits = RequantBits(kind);
    if (bits != 16 && bits != 32) return false;
    switch (job.taps) {
      case 2:
        return RingOf<Sum16, 2>(job);
      case 3:
        break;
      case 4:
        return RingOf<Sum16, 4>(job);
      default:
        return RingOf<Sum16, 5>(job);
    }
    // As for WindowOfSums.
    if (requant.rounded != 0) return Ring<Sum16By<RequantSumRounded>>(job);
    if (kind == RequantKind::kMul16) return Ring<Sum16By<RequantSumBy<RequantKind::kMul16>>>(job);
    if (kind == RequantKind::kMul16x32)
      return Ring<Sum16By<RequantSumBy<RequantKind::kMul16x32>>>(job);
  }
  return false;
}

// Large windows, and results that are finished in another place.
struct Sum32 {
  static constexpr bool kWide = false;
  static constexpr bool kPairs = false;
  static constexpr bool kSmall = kCompact;
  static constexpr bool kSlides = !kCompact;
  static constexpr bool kSlidesMany = kSlides;
  static constexpr bool kSlidesEven = false;
  using Elem = ElemByteSum<uint32_t>;
  using Out = LaneOf<Elem>;
  using Reduce = SumPlain;
  using Finish = Unfinished;
  using EdgeFinish = Unfinished;
  static constexpr BlocksOf kBlocks = {kNoBlocks, kBlockSums32, kBlockSums32};
};

inline bool WindowOfSums32(const WindowJob& job) {
  if (kCompact || !SumsOfPixels::Fits(job)) return Window<Sum32>(job);
  SumsOfPixels(job).All();
  return true;
}

struct SumShorts : Sum32 {
  using Elem = ElemShortSum;
  using Out = LaneOf<Elem>;
};

struct MaxOfBytes {
  static constexpr bool kWide = !kCompact;
  static constexpr bool kPairs = false;
  static constexpr bool kSmall = kCompact;
  static constexpr bool kSlides = !kCompact;
  static constexpr bool kSlidesMany = kSlides;
  static constexpr bool kSlidesEven = false;
  using Elem = ElemByteFlipped;
  using Out = ElemPlain<uint8_t>;
  using Reduce = std::conditional_t<kCompact, MaxIntegerRare, MaxInteger>;
  using Finish = RequantMax;
  using EdgeFinish = RequantMax;
  static constexpr BlocksOf kBlocks = {kBlockMaxBytes, kBlockMaxBytes, kBlockMaxBytes};
};

bool PlanesOfMaxima(const PlanesJob& job) {
  if constexpr (!kCompact) {
    if (TakeShortMaxima<MaxOfBytes, 3, 1>(job)) return true;
  }
  return Planes<MaxOfBytes>(job);
}

bool MaximaByTwo(const PlanesJob& job) {
  if constexpr (!kCompact) {
    if (job.w_stride == 2) {
      if (TakeShortMaxima<MaxOfBytes, 3, 2>(job)) return true;
      if (TakeShortMaxima<MaxOfBytes, 2, 2>(job)) return true;
    }
  }
  return PlanesByTwo<MaxOfBytes>(job);
}

constexpr Kernels KernelsOfMaxima() {
  Kernels kernels = WithRing<MaxOfBytes>(KernelsOf<MaxOfBytes>());
  kernels.planes = &PlanesOfMaxima;
  kernels.planes_by_two = &MaximaByTwo;
  return kernels;
}

bool PlanesOfSums(const PlanesJob& job) {
  if (!kCompact && !IsFlat(job)) {
    if (!RunFlatWhole(job) && (!AreFlat(job) || !RunFlatRows(job))) RunTileSums(job);
  } else if (kCompact || (!RunSmallPlanes(job) && !RunFlatWhole(job) && !RunFlatRows(job))) {
    RunFlatPlanes(job);
  }
  return true;
}

bool SumsBySteps(const PlanesJob& job) {
  if (!kCompact && (job.group > 1 || job.w_stride > kMostBySteps)) return RunPixels<Sum16>(job);
  if (!kCompact && job.w_stride > 2) return RunRowsBySteps<Sum16>(job);
  return SumsByTwo(job);
}

constexpr Kernels KernelsOfSum16() {
  return {kCompact ? &Window<Sum16> : &WindowOfSums,
          &FoldRows<Sum16>,
          &SlideRows<Sum16>,
          &FoldRunSums16,
          &PlanesOfSums,
          &SumsBySteps,
          Sum32::kBlocks,
          false,
          Sum16::kSlides,
          Sum16::kSlides,
          !kCompact,
          kKeepsRing ? 0x3C : 0,
          0,
          kKeepsRing ? HWY_MAX_LANES_D(hwy::HWY_NAMESPACE::ScalableTag<uint16_t>) : 0,
          kKeepsRing ? &RingOfSums : nullptr,
          MovedOf<Sum16, PlainSum16>(),
          PackedOf<Sum16, PlainSum16>()};
}

constexpr Kernels KernelsOfSum32() {
  Kernels kernels = KernelsWithoutPlanes<Sum32>();
  kernels.window = &WindowOfSums32;
  kernels.fold_run = &FoldRunBytes;
  kernels.many_rows = false;
  return kernels;
}

// Sums along D and H fit 16 bits, those of windows 32.
constexpr Kernels KernelsOfMeans(BlockFold to_y) {
  Kernels kernels = {};
  kernels.fold_rows = &FoldRows<Sum16>;
  kernels.blocks = {kBlockByteSums, kBlockSums16, to_y};
  return kernels;
}

const Kernels* TableBytes() {
  constexpr bool kMeans = Compiled(ops::kAverage, types::kBytes);
  // In the order of enum ByteReducer.
  static constexpr Kernels kTable[kByteReducers] = {
      kMeans ? KernelsOfSum16() : kNoKernels,
      kMeans ? KernelsOfSum32() : kNoKernels,
      Compiled(ops::kOrdered, types::kBytes) ? KernelsOfMaxima() : kNoKernels,
      Compiled(ops::kAverage, types::kShorts) ? KernelsWithoutPlanes<SumShorts>() : kNoKernels,
      kMeans ? KernelsOfMeans(kBlockMeans) : kNoKernels,
      kMeans && !kCompact ? KernelsOfMeans(kBlockQuotients) : kNoKernels,
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const Kernels*, KernelsBytes, TableBytes)
}  // namespace lanepool
#endif  // HWY_ONCE
