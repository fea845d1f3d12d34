#include "mean.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact_sum.h"

namespace oracle {
namespace {

// The exponent of the lowest bit that is set.
int LowestBit(double finite) {
  int exponent;
  const double significand = std::ldexp(std::frexp(finite, &exponent), 53);
  return exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(std::fabs(significand)));
}

Real UnitOf(const Format& format) { return ldexp(Real(1), -format.precision); }

// Any order of additions is a right one, and one of them may overflow where another does not.
// Partial sums of m terms are off by less than m roundings of their magnitude.
struct Reach {
  bool to_positive_infinity, to_negative_infinity, to_finite;
};

Reach ReachOf(const Mean& mean, const Format& sum_format) {
  const Real overflow = OverflowOf(sum_format);
  const Real slack = static_cast<Real>(mean.taps) * UnitOf(sum_format);
  const Real drift = slack * (mean.positive_sum + mean.negative_sum);
  const Real sum = mean.positive_sum - mean.negative_sum;
  return {
      mean.has_positive_infinity || mean.positive_sum + drift >= overflow,
      mean.has_negative_infinity || mean.negative_sum + drift >= overflow,
      !mean.has_positive_infinity && !mean.has_negative_infinity && fabs(sum) - drift < overflow};
}

// The bound of section 4, and half of the smallest subnormal for quotients that small; rounded up,
// also by what `exact` is off itself.
Real BoundOf(const Mean& mean, const Format& sum) {
  const Real u = UnitOf(sum);
  const auto m = static_cast<Real>(mean.taps);
  const Real magnitude = mean.positive_sum + mean.negative_sum;
  const Real summing = (m - 1) * u * magnitude / (static_cast<Real>(mean.divisor) * (1 - m * u));
  const Real least = ldexp(Real(1), sum.min_exponent - sum.precision);
  const Real bound = summing + u * fabs(mean.exact) + least;
  return bound * (1 + ldexp(Real(1), -40)) + fabs(mean.exact) * ldexp(Real(1), -62);
}

}  // namespace

double RoundOnce(const Format& format, double value) {
  if (format.precision == kBinary64.precision) return value;
  return static_cast<double>(static_cast<float>(value));
}

Mean MeanOf(const std::vector<double>& taps, uint64_t divisor, const Format& sum_format) {
  Mean mean;
  ExactSum positive, negative;
  int lowest_bit = std::numeric_limits<int>::max() / 2;
  for (const double tap : taps) {
    if (std::isfinite(tap) && tap != 0) lowest_bit = std::min(lowest_bit, LowestBit(tap));
    if (std::isnan(tap)) {
      mean.has_nan = true;
    } else if (std::isinf(tap)) {
      (tap > 0 ? mean.has_positive_infinity : mean.has_negative_infinity) = true;
    } else {
      (tap > 0 ? positive : negative).Add(std::fabs(tap));
    }
  }
  mean.taps = static_cast<int64_t>(taps.size());
  mean.divisor = divisor;
  mean.positive_sum = positive.DividedBy(1, kWide);
  mean.negative_sum = negative.DividedBy(1, kWide);
  const bool below_zero = ExactSum::Compare(positive, negative) < 0;
  const ExactSum sum = below_zero ? ExactSum::Difference(negative, positive)
                                  : ExactSum::Difference(positive, negative);
  const int sign = below_zero ? -1 : 1;
  mean.exact = sign * sum.DividedBy(divisor, kWide);
  mean.quotient = static_cast<double>(sign * sum.DividedBy(divisor, sum_format));
  const Real magnitude = mean.positive_sum + mean.negative_sum;
  mean.sums_exactly = mean.taps == 1 || magnitude == 0 ||
                      magnitude <= ldexp(Real(1), lowest_bit + sum_format.precision);
  return mean;
}

uint64_t RoundedDivisor(const Format& sum, int64_t divisor) {
  return static_cast<uint64_t>(RoundTo(sum, static_cast<Real>(divisor)));
}

Allowed AllowedMean(const Arithmetic& arithmetic, const std::vector<double>& taps,
                    uint64_t divisor) {
  const Mean mean = MeanOf(taps, divisor, arithmetic.sum);
  const Reach reach = ReachOf(mean, arithmetic.sum);
  Allowed allowed;
  if (!mean.has_nan && reach.to_finite) {
    const Real bound = BoundOf(mean, arithmetic.sum);
    const auto quotient = static_cast<Real>(mean.quotient);
    allowed = mean.sums_exactly ? Between(arithmetic, quotient, quotient)
                                : Between(arithmetic, mean.exact - bound, mean.exact + bound);
  }
  allowed.nan = mean.has_nan || (reach.to_positive_infinity && reach.to_negative_infinity);
  if (mean.has_nan || (mean.has_positive_infinity && mean.has_negative_infinity)) return allowed;
  if (reach.to_positive_infinity && !mean.has_negative_infinity) allowed.positive_infinity = true;
  if (reach.to_negative_infinity && !mean.has_positive_infinity) allowed.negative_infinity = true;
  return allowed;
}

double SumInOrder(const Format& sum_format, const std::vector<double>& taps) {
  double sum = 0;
  for (const double tap : taps) sum = RoundOnce(sum_format, sum + tap);
  return sum;
}

double MeanInOrder(const Arithmetic& arithmetic, const std::vector<double>& taps,
                   uint64_t divisor) {
  const double sum = SumInOrder(arithmetic.sum, taps);
  const double quotient = RoundOnce(arithmetic.sum, sum / static_cast<double>(divisor));
  return RoundTo(arithmetic.result, static_cast<Real>(quotient));
}

}  // namespace oracle
