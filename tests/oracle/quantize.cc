#include "quantize.h"

#include <algorithm>
#include <cmath>

#include "exact_sum.h"

namespace oracle {
namespace {

using Wide = Int128;

// magnitude == mantissa * 2^exponent. Floats and subnormal ones are normal doubles.
int64_t Mantissa(double magnitude, int* exponent) {
  const double fraction = std::frexp(magnitude, exponent);
  *exponent -= 53;
  const auto mantissa = static_cast<int64_t>(std::ldexp(fraction, 53));
  if (mantissa == 0) return 0;
  const int zeros = __builtin_ctzll(static_cast<uint64_t>(mantissa));  // an f32 leaves 24 bits
  *exponent += zeros;
  return mantissa >> zeros;
}

int Length(Wide magnitude) {
  const auto high = static_cast<uint64_t>(magnitude >> 64);
  const auto low = static_cast<uint64_t>(magnitude);
  if (high != 0) return 128 - __builtin_clzll(high);
  return low == 0 ? 0 : 64 - __builtin_clzll(low);
}

// numerator / denominator to an integer. The quotient is taken toward -infinity, so what is left
// lies above it.
Wide Round(Wide numerator, Wide denominator, bool ties_to_even) {
  Wide floor = numerator / denominator;
  Wide left = numerator % denominator;
  if (left < 0) {
    floor -= 1;
    left += denominator;
  }
  if (2 * left != denominator) return 2 * left > denominator ? floor + 1 : floor;
  const bool up = ties_to_even ? floor % 2 != 0 : floor >= 0;
  return up ? floor + 1 : floor;
}

// The integers from clamp_low to clamp_high, as far as y_type has them.
int32_t Saturate(const lanepool_params& params, Wide value) {
  auto low = static_cast<double>(LowestInteger(params.y_type));
  auto high = static_cast<double>(HighestInteger(params.y_type));
  if ((params.flags & LANEPOOL_FLAG_CLAMP) != 0) {
    low = std::max(low, std::ceil(params.clamp_low));
    high = std::min(high, std::floor(params.clamp_high));
  }
  return static_cast<int32_t>(
      std::min<Wide>(std::max<Wide>(value, static_cast<int64_t>(low)), static_cast<int64_t>(high)));
}

constexpr Wide kFarAway = 1 << 20;  // saturates, whatever the zero point

// sum * scale / divisor to the nearest f32. The parts of the sum times the scale are doubles.
double NearestFloat(int64_t sum, float scale, int64_t divisor) {
  ExactSum magnitude;
  uint64_t rest = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  for (int shift = 0; rest != 0; shift += 24, rest >>= 24) {
    const auto part = static_cast<double>(rest & 0xFFFFFF);
    magnitude.Add(std::ldexp(part * static_cast<double>(scale), shift));
  }
  const auto nearest =
      static_cast<double>(magnitude.DividedBy(static_cast<uint64_t>(divisor), kBinary32));
  return sum < 0 ? -nearest : nearest;
}

}  // namespace

lanepool_params ParamsOfChannel(const lanepool_params& params, const PerChannel& arrays,
                                int64_t channel) {
  lanepool_params own = params;
  const auto at = static_cast<size_t>(channel);
  if (!arrays.x_scales.empty()) own.x_scale = arrays.x_scales[at];
  if (!arrays.y_scales.empty()) own.y_scale = arrays.y_scales[at];
  if (!arrays.x_zero_points.empty()) own.x_zero_point = arrays.x_zero_points[at];
  if (!arrays.y_zero_points.empty()) own.y_zero_point = arrays.y_zero_points[at];
  return own;
}

Ratio RatioOf(double finite) {
  int exponent;
  const Wide mantissa = Mantissa(std::fabs(finite), &exponent);
  return {finite < 0 ? -mantissa : mantissa, 1, exponent};
}

Ratio RatioOfSum(const lanepool_params& params, int64_t sum, int64_t divisor) {
  int exponent;
  const Wide mantissa = Mantissa(static_cast<double>(params.x_scale), &exponent);
  return {sum * mantissa, divisor, exponent};
}

int32_t Quantize(const lanepool_params& params, const Ratio& real) {
  int y_exponent;
  const Wide y_mantissa = Mantissa(static_cast<double>(params.y_scale), &y_exponent);
  Wide numerator = real.numerator;
  Wide denominator = real.denominator * y_mantissa;
  const int exponent = real.exponent - y_exponent;

  // Decide what is far from every tie before anything is shifted: 2^(top - 1) <= |numerator| <
  // 2^top and likewise the denominator, so the quotient lies between 2^(top - bottom - 1) and
  // 2^(top - bottom + 1). What is left needs shifts of either side that 128 bits have room for.
  const int top = Length(numerator < 0 ? -numerator : numerator) + std::max(exponent, 0);
  const int bottom = Length(denominator) + std::max(-exponent, 0);
  if (numerator == 0 || top - bottom + 1 <= -1) return Saturate(params, params.y_zero_point);
  if (top - bottom - 1 >= 10) return Saturate(params, numerator < 0 ? -kFarAway : kFarAway);
  numerator *= static_cast<Wide>(1) << std::max(exponent, 0);
  denominator *= static_cast<Wide>(1) << std::max(-exponent, 0);

  if (params.rounding == LANEPOOL_ROUND_HALF_EVEN) {
    return Saturate(params, Round(numerator, denominator, true) + params.y_zero_point);
  }
  const bool ties_to_even = params.rounding == LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT;
  const Wide shifted = numerator + params.y_zero_point * denominator;
  return Saturate(params, Round(shifted, denominator, ties_to_even));
}

int32_t QuantizeFloat(const lanepool_params& params, double real) {
  if (std::isnan(real)) return Saturate(params, params.y_zero_point);
  if (std::isinf(real)) return Saturate(params, real < 0 ? -kFarAway : kFarAway);
  return Quantize(params, RatioOf(real));
}

int32_t IntegerMean(const lanepool_params& params, int64_t sum, int64_t divisor) {
  return Saturate(params, Round(sum, divisor, params.rounding != LANEPOOL_ROUND_HALF_AWAY));
}

int32_t ClampInteger(const lanepool_params& params, int64_t value) {
  return Saturate(params, value);
}

double ResultOfSum(const lanepool_params& params, int64_t sum, int64_t divisor) {
  if (!IsByte(params.y_type)) return NearestFloat(sum, params.x_scale, divisor);
  return Quantize(params, RatioOfSum(params, sum, divisor));
}

int32_t EmptyInteger(const lanepool_params& params) {
  switch (params.op) {
    case LANEPOOL_OP_MAX:
      return Saturate(params, LowestInteger(params.y_type));
    case LANEPOOL_OP_MIN:
      return Saturate(params, HighestInteger(params.y_type));
    default:
      return Saturate(params, params.y_zero_point);
  }
}

std::vector<double> ResultsOfSums(const lanepool_params& params, int64_t taps, int64_t divisor) {
  std::vector<double> results;
  results.reserve(static_cast<size_t>(255 * taps + 1));
  const int64_t least = (LowestInteger(params.x_type) - params.x_zero_point) * taps;
  for (int64_t sum = least; sum <= least + 255 * taps; ++sum) {
    results.push_back(ResultOfSum(params, sum, divisor));
  }
  return results;
}

}  // namespace oracle
