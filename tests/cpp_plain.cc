// Compiled with -fno-exceptions -fno-rtti and every warning on, linked with code that has both.
#include "cpp_plain.h"

#ifdef LANEPOOL_HAS_EXCEPTIONS
#error "to be compiled with -fno-exceptions"
#endif

namespace plain {

lanepool::Result<lanepool::Plan> MakePlan(const lanepool::Axes& kernel) {
  lanepool::Params params(lanepool::Op::average, {1, 1, 4, 4});
  return params.kernel_shape(kernel).strides(kernel).plan<float>();
}

std::string Pool(const lanepool::Plan& plan, const std::vector<float>& x, std::vector<float>* y) {
  std::vector<std::byte> workspace(plan.workspace_bytes());
  const lanepool::Result<> done = plan.run(x, *y, {workspace});
  return done ? "" : done.report().message();
}

}  // namespace plain
