// What one window gives: sections 3 to 7 of the semantics.
#ifndef LANEPOOL_TESTS_ORACLE_REDUCE_H_
#define LANEPOOL_TESTS_ORACLE_REDUCE_H_

#include <cstdint>

#include "window.h"

namespace oracle {

// What the sum of a window is divided by; 0 if nothing is counted.
int64_t DivisorOf(const lanepool_params& params, const Job& job, const Taps& taps);
int64_t DivisorOf(const lanepool_params& params, const Job& job, int64_t inside,
                  int64_t inside_pads);

// The divisor as the type of the sum holds it: section 4 divides an f32 sum by float(divisor).
uint64_t RoundedDivisor(int32_t type, int64_t divisor);

// In y_type, integers included. The scales and zero points are those of the window's channel.
double ResultOf(const lanepool_params& params, const Job& job, const Taps& taps);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_REDUCE_H_
