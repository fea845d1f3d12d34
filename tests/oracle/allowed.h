// Results of floats that are right, and the arithmetic that they come from.
#ifndef LANEPOOL_TESTS_ORACLE_ALLOWED_H_
#define LANEPOOL_TESTS_ORACLE_ALLOWED_H_

#include "lanepool/lanepool.h"
#include "types.h"

namespace oracle {

// Sums, powers and quotients are rounded to `sum`, what they come to once more to `result`.
struct Arithmetic {
  Format sum, result;
  bool IsOneFormat() const { return sum.precision == result.precision; }
};
Arithmetic ArithmeticOf(const lanepool_params& params);

// Sums of this magnitude become infinite when they are rounded.
Real OverflowOf(const Format& format);

// NaN, infinities, and all numbers from low to high, both included.
struct Allowed {
  bool nan = false;
  bool positive_infinity = false;
  bool negative_infinity = false;
  bool finite = false;
  double low = 0;
  double high = 0;
};
Allowed Exactly(double value);

// From any number of the sum's format between the ends, rounded to the result's.
Allowed Between(const Arithmetic& arithmetic, Real low, Real high);

// y limited to the clamp range of a floating y_type, whose ends are rounded to it. NaN stays NaN.
double ClampFloat(const lanepool_params& params, double value);

// Whether y is an allowed result after clamping, or quantizing for u8 and s8: neither changes the
// order of numbers, so all that lies between what becomes of the ends is possible.
bool Contains(const lanepool_params& params, const Allowed& allowed, double y);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_ALLOWED_H_
