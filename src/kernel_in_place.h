// Kernels that requantize maxima where they lie.
#ifndef LANEPOOL_SRC_KERNEL_IN_PLACE_H_
#define LANEPOOL_SRC_KERNEL_IN_PLACE_H_

#include <stdint.h>

#include "requant.h"

namespace lanepool {

// Bytes of x that lie side by side become bytes of y. The flips are those of ElementRules.
struct RequantJob {
  uint8_t* y;
  int64_t lanes;
  const Requant* requant;  // any kind but kSteps
  uint8_t x_flip, y_flip;
};

using RequantInPlace = void(const RequantJob&);

RequantInPlace* KernelInPlace(int64_t target);  // for one Highway target that is compiled in

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_IN_PLACE_H_
