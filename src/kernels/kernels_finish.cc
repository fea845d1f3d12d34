// The kernels that finish what a stage holds, or y.
#include <stdint.h>

#include "kernel_end.h"
#include "kernel_in_place.h"
#include "kernel_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_finish.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/finish_mean-inl.h"
#include "kernels/finish_quotient-inl.h"
#include "kernels/finish_stage-inl.h"
#include "kernels/in_place-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

const FinishKernels* TableFinish() {
  static constexpr FinishKernels kTable = {&Widen,        &SumsToBytes,   &Quotients, &SumsToFloats,
                                           &SumsToShorts, &FloatsToBytes, &Means,     &Clamp};
  return &kTable;
}

RequantInPlace* TableInPlace() { return &RequantizeInPlace; }

void EmptyUpper() {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2  // or better
  _mm256_zeroupper();
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const FinishKernels*, KernelsFinish, TableFinish)
LANEPOOL_EXPORT_TABLE(RequantInPlace*, KernelInPlace, TableInPlace)
LANEPOOL_EXPORT_TABLE(void, EmptyUpperHalves, EmptyUpper)
}  // namespace lanepool
#endif  // HWY_ONCE
