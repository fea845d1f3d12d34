// What one window gives: sections 3 to 7 of the semantics.
#ifndef LANEPOOL_TESTS_ORACLE_REDUCE_H_
#define LANEPOOL_TESTS_ORACLE_REDUCE_H_

#include <cstdint>

#include "allowed.h"
#include "window.h"

namespace oracle {

// What the sum of a window is divided by; 0 if nothing is counted. `all` is the number of taps,
// wherever they are.
int64_t DivisorOf(const lanepool_params& params, const Taps& taps);
int64_t DivisorOf(const lanepool_params& params, int64_t inside, int64_t inside_pads, int64_t all);

// In y_type, integers included. The scales and zero points are those of the window's channel.
double ResultOf(const lanepool_params& params, const Taps& taps);

// Whether there is more than one right result: AVERAGE, SUM and LP of floats.
bool IsFloatSum(const lanepool_params& params, const Taps& taps);

// The right results of such a window, before they are clamped or quantized.
Allowed AllowedOf(const lanepool_params& params, const Taps& taps);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_REDUCE_H_
