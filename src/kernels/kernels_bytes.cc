// The kernels of u8 and s8: which element, reducer and finisher make each operation.
#include <stdint.h>

#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_bytes.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/bytes-inl.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/flat-inl.h"
#include "kernels/planes-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/requant-inl.h"
#include "kernels/rows-inl.h"
#include "kernels/run-inl.h"
#include "kernels/run_bytes-inl.h"
#include "kernels/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

template <class F>
struct Sum16By {
  static constexpr bool kWide = true;
  static constexpr bool kPairs = true;  // two vectors are loaded together
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesEven = false;
  using Elem = ElemByteSum<uint16_t>;
  using Out = OutByte16;
  using Reduce = SumInteger;
  using Finish = F;
  using EdgeFinish = RequantSum;
};
using Sum16 = Sum16By<RequantSum>;

// The hottest windows have loops of their own for the commonest formulas.
bool WindowOfSums(const WindowJob& job) {
  Slide slide;
  if (IsThreeByThree(job, &slide)) {
    const RequantKind kind = job.bytes.requants[0]->kind;
    if (kind == RequantKind::kMul16) {
      return WindowLanes<Sum16By<RequantSumBy<RequantKind::kMul16>>, 3, 3>(job, slide);
    }
    if (kind == RequantKind::kMul32) {
      return WindowLanes<Sum16By<RequantSumBy<RequantKind::kMul32>>, 3, 3>(job, slide);
    }
  }
  return Window<Sum16>(job);
}

// Large windows, and results that are finished in another place.
struct Sum32 {
  static constexpr bool kWide = false;
  static constexpr bool kPairs = false;
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesEven = false;
  using Elem = ElemByteSum<uint32_t>;
  using Out = LaneOf<Elem>;
  using Reduce = SumInteger;
  using Finish = Unfinished;
  using EdgeFinish = Unfinished;
};

template <class T>
struct MaxOfByte {
  static constexpr bool kWide = true;
  static constexpr bool kPairs = false;
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesEven = false;
  using Elem = ElemPlain<T>;
  using Out = ElemPlain<T>;
  using Reduce = MaxInteger;
  using Finish = RequantMax;
  using EdgeFinish = RequantMax;
};

bool FlatPlanesOfSums(const PlanesJob& job) {
  FlatPlanes(job).Run();
  return true;
}

template <class Op>
constexpr Kernels KernelsOf() {
  return {&Window<Op>, &FoldRows<Op>, &SlideRows<Op>, &FoldRun<Op>, &Planes<Op>};
}

const Kernels* TableBytes() {
  // In the order of enum ByteReducer.
  static constexpr Kernels kTable[kByteReducers] = {
      {&WindowOfSums, &FoldRows<Sum16>, &SlideRows<Sum16>, nullptr, &FlatPlanesOfSums},
      {&Window<Sum32>, &FoldRows<Sum32>, &SlideRows<Sum32>, &FoldRunBytes, nullptr},
      KernelsOf<MaxOfByte<uint8_t>>(),
      KernelsOf<MaxOfByte<int8_t>>(),
  };
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanepool {

HWY_EXPORT(TableBytes);

const Kernels* KernelsBytes(int64_t target) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)target;
  return HWY_STATIC_DISPATCH(TableBytes)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(target);
  return HWY_DISPATCH_TABLE(TableBytes)[chosen.GetIndex()]();
#endif
}

}  // namespace lanepool
#endif  // HWY_ONCE
