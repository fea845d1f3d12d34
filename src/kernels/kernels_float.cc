// The kernels of f32: which element, reducer and finisher make each operation.
#include <stdint.h>

#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_float.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/rows-inl.h"
#include "kernels/run-inl.h"
#include "kernels/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

struct AverageF32 {
  using Elem = ElemF32;
  using Reduce = SumOf;
  using Finish = DivideF32;
};
struct MaxF32 {
  using Elem = ElemF32;
  using Reduce = MaxOf;
  using Finish = FinishMax;
};
struct MaxPropagateF32 {
  using Elem = ElemF32;
  using Reduce = MaxPropagateNan;
  using Finish = FinishMaxNan;
};
struct MaxIgnoreF32 {
  using Elem = ElemF32;
  using Reduce = MaxIgnoreNan;
  using Finish = FinishMaxNan;
};

const KernelTable* TableFloat() {
  static constexpr KernelTable kTable = {
      {&Window<AverageF32>, &Window<MaxF32>, &Window<MaxPropagateF32>, &Window<MaxIgnoreF32>},
      {&FoldRows<AverageF32>, &FoldRows<MaxF32>, &FoldRows<MaxPropagateF32>,
       &FoldRows<MaxIgnoreF32>},
      {&SlideRows<AverageF32>, &SlideRows<MaxF32>, &SlideRows<MaxPropagateF32>,
       &SlideRows<MaxIgnoreF32>},
      {&FoldRun<AverageF32>, &FoldRun<MaxF32>, &FoldRun<MaxPropagateF32>, &FoldRun<MaxIgnoreF32>},
  };
  return &kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanepool {

HWY_EXPORT(TableFloat);

const KernelTable* KernelsFloat(int64_t target) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)target;
  return HWY_STATIC_DISPATCH(TableFloat)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(target);
  return HWY_DISPATCH_TABLE(TableFloat)[chosen.GetIndex()]();
#endif
}

}  // namespace lanepool
#endif  // HWY_ONCE
