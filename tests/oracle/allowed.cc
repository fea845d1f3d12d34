#include "allowed.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "quantize.h"

namespace oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Arithmetic ArithmeticOf(const lanepool_params& params) {
  const bool wide =
      params.x_type == LANEPOOL_TYPE_DOUBLE || (params.flags & LANEPOOL_FLAG_ACCUMULATE_F64) != 0;
  const Format result = IsFloating(params.y_type) ? FormatOf(params.y_type) : kBinary32;
  return {wide ? kBinary64 : kBinary32, result};
}

Real OverflowOf(const Format& format) {
  const Real largest = static_cast<Real>(LargestOf(format));
  return largest + ldexp(Real(1), format.max_exponent - format.precision);
}

Allowed Exactly(double value) {
  Allowed allowed;
  allowed.nan = std::isnan(value);
  allowed.positive_infinity = value == kInfinity;
  allowed.negative_infinity = value == -kInfinity;
  allowed.finite = std::isfinite(value);
  allowed.low = allowed.high = value;
  return allowed;
}

Allowed Between(const Arithmetic& arithmetic, Real low, Real high) {
  Allowed allowed;
  allowed.finite = true;
  // Where the formats are one, nothing is rounded any more.
  allowed.low = RoundUp(arithmetic.sum, low);
  allowed.high = RoundDown(arithmetic.sum, high);
  if (arithmetic.IsOneFormat()) return allowed;
  allowed.low = RoundTo(arithmetic.result, static_cast<Real>(allowed.low));
  allowed.high = RoundTo(arithmetic.result, static_cast<Real>(allowed.high));
  allowed.positive_infinity = allowed.high == kInfinity;
  allowed.negative_infinity = allowed.low == -kInfinity;
  allowed.low = std::max(allowed.low, -LargestOf(arithmetic.result));
  allowed.high = std::min(allowed.high, LargestOf(arithmetic.result));
  allowed.finite = allowed.low <= allowed.high;
  return allowed;
}

double ClampFloat(const lanepool_params& params, double value) {
  if ((params.flags & LANEPOOL_FLAG_CLAMP) == 0 || std::isnan(value)) return value;
  const Format format = FormatOf(params.y_type);
  const double low = RoundTo(format, static_cast<Real>(params.clamp_low));
  const double high = RoundTo(format, static_cast<Real>(params.clamp_high));
  const double limited = std::min(std::max(value, low), high);
  return limited == 0 ? 0 : limited;  // the sign of a zero does not depend on the limits
}

bool Contains(const lanepool_params& params, const Allowed& allowed, double y) {
  const auto finish = [&](double real) -> double {
    return IsByte(params.y_type) ? QuantizeFloat(params, real) : ClampFloat(params, real);
  };
  if (std::isnan(y)) return allowed.nan;
  if (allowed.nan && y == finish(kNan)) return true;
  if (allowed.positive_infinity && y == finish(kInfinity)) return true;
  if (allowed.negative_infinity && y == finish(-kInfinity)) return true;
  return allowed.finite && y >= finish(allowed.low) && y <= finish(allowed.high);
}

}  // namespace oracle
