// The kernels that finish what a stage holds.
#include <stdint.h>

#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_finish.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/finish_stage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

const FinishKernels* TableFinish() {
  static constexpr FinishKernels kTable = {&Widen, &SumsToBytes, &SumsToFloats, &FloatsToBytes};
  return &kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lanepool {

HWY_EXPORT(TableFinish);

const FinishKernels* KernelsFinish(int64_t target) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)target;
  return HWY_STATIC_DISPATCH(TableFinish)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(target);
  return HWY_DISPATCH_TABLE(TableFinish)[chosen.GetIndex()]();
#endif
}

}  // namespace lanepool
#endif  // HWY_ONCE
