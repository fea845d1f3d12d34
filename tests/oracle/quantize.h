// Quantized numbers and other integers: section 7 of the semantics, in exact rationals.
#ifndef LANEPOOL_TESTS_ORACLE_QUANTIZE_H_
#define LANEPOOL_TESTS_ORACLE_QUANTIZE_H_

#include <cstdint>
#include <vector>

#include "int128.h"
#include "oracle.h"
#include "types.h"

namespace oracle {

// The params of one channel: its entries of the arrays in place of the values of the tensor.
lanepool_params ParamsOfChannel(const lanepool_params& params, const PerChannel& arrays,
                                int64_t channel);

// numerator / denominator * 2^exponent, with |numerator| < 2^88 and 1 <= denominator < 2^88. The
// exponents of two scales can be 277 bits apart.
struct Ratio {
  Int128 numerator;
  Int128 denominator;
  int exponent;
};
Ratio RatioOf(double finite);

// sum * x_scale / divisor.
Ratio RatioOfSum(const lanepool_params& params, int64_t sum, int64_t divisor);

// The y of a real number: in units of y_scale, rounded, saturated, clamped.
int32_t Quantize(const lanepool_params& params, const Ratio& real);

// The same for a float: infinities saturate, NaN is 0.
int32_t QuantizeFloat(const lanepool_params& params, double real);

// sum / divisor, rounded, saturated, clamped: the average of u16 and s16.
int32_t IntegerMean(const lanepool_params& params, int64_t sum, int64_t divisor);

// An integer of y_type, clamped: maxima and minima that pass as they are.
int32_t ClampInteger(const lanepool_params& params, int64_t value);

// The y of a window whose taps inside, x_zero_point subtracted from each, add up to `sum`; for MAX
// and MIN the one difference of the result, with divisor 1. An f32 y is the nearest one.
double ResultOfSum(const lanepool_params& params, int64_t sum, int64_t divisor);

// The integer y of a window without taps.
int32_t EmptyInteger(const lanepool_params& params);

// ResultOfSum for every sum that `taps` bytes can have as they are stored, from the lowest byte
// times `taps` on.
std::vector<double> ResultsOfSums(const lanepool_params& params, int64_t taps, int64_t divisor);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_QUANTIZE_H_
