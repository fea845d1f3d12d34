// From the integer sum of a window to the nearest f32.
#ifndef LANEPOOL_SRC_DEQUANT_H_
#define LANEPOOL_SRC_DEQUANT_H_

#include <stdint.h>

namespace lanepool {

// The f32 nearest to (sum - bias) * scale / divisor, ties to even, computed in integers. sum and
// bias are below 2^40, scale is finite and positive, divisor is positive. 0 is +0.
float Dequantize(uint64_t sum, int64_t bias, float scale, int64_t divisor);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_DEQUANT_H_
