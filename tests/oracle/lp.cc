#include "lp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mean.h"

namespace oracle {
namespace {

const Real kInfinity = HUGE_VAL;

// Half of what f64 results may be off: once for the powers, once for the root.
const Real kWideError = 0.5e-12;

// Both ends included; infinite where powers or sums overflow.
struct Range {
  Real low, high;
};

std::vector<double> Magnitudes(const std::vector<double>& taps) {
  std::vector<double> magnitudes;
  for (const double tap : taps) magnitudes.push_back(std::fabs(tap));
  return magnitudes;
}

bool IsWide(const Arithmetic& arithmetic) {
  return arithmetic.sum.precision == kBinary64.precision;
}

Real Unit(const Arithmetic& arithmetic) { return ldexp(Real(1), -arithmetic.sum.precision); }

// The relative error that one power may have.
Real PowerError(const Arithmetic& arithmetic, double order) {
  const auto p = static_cast<Real>(order);
  const Real u = Unit(arithmetic);
  if (order == 2) return u;
  if (IsWide(arithmetic)) return p * kWideError;
  return order == std::floor(order) ? (p - 1) * u : p * (p + 4) * u;
}

// magnitude^order by products that need no rounding; false if one would.
bool PowerExactly(const Format& format, double magnitude, double order, double* power) {
  if (order != std::floor(order) || order > 8) return false;
  *power = magnitude;
  for (int i = 1; i < static_cast<int>(order); ++i) {
    const double product = *power * magnitude;
    const bool exact = std::fma(*power, magnitude, -product) == 0 &&
                       RoundTo(format, static_cast<Real>(product)) == product;
    if (!exact) return false;
    *power = product;
  }
  return true;
}

// Powers and sums of them that are all numbers of the format: no order of additions rounds.
bool SumExactly(const Arithmetic& arithmetic, const std::vector<double>& magnitudes, double order,
                Range* sum) {
  if (IsWide(arithmetic) && order != 2) return false;
  std::vector<double> powers;
  for (const double magnitude : magnitudes) {
    double power;
    if (!PowerExactly(arithmetic.sum, magnitude, order, &power)) return false;
    powers.push_back(power);
  }
  const Mean mean = MeanOf(powers, 1, arithmetic.sum);
  const Real total = mean.exact < OverflowOf(arithmetic.sum) ? mean.exact : kInfinity;
  *sum = {total, total};
  return mean.sums_exactly;
}

Range SumBetween(const Arithmetic& arithmetic, const std::vector<double>& magnitudes,
                 double order) {
  const Real error = PowerError(arithmetic, order);
  const Real least =
      ldexp(static_cast<Real>(order), arithmetic.sum.min_exponent - arithmetic.sum.precision + 1);
  const Real overflow = OverflowOf(arithmetic.sum);
  const auto finite = [overflow](Real value) { return value < overflow ? value : kInfinity; };
  Range sum = {0, 0};
  for (const double magnitude : magnitudes) {
    const Real power = pow(static_cast<Real>(magnitude), static_cast<Real>(order));
    if (power == 0 && magnitude == 0) continue;
    sum.low += finite(std::max(Real(0), power * (1 - error) - least));
    sum.high += finite(power * (1 + error) + least);
  }
  const auto m = static_cast<Real>(magnitudes.size());
  const Real adding = (m - 1) * Unit(arithmetic) + m * ldexp(Real(1), -62);
  return {finite(sum.low * (1 - adding)), finite(sum.high * (1 + 2 * adding))};
}

// The sum of x * x or x * x * x as a loop forms it.
Range SumOfProducts(const Arithmetic& arithmetic, const std::vector<double>& magnitudes,
                    double order) {
  std::vector<double> powers = magnitudes;
  for (size_t i = 0; i < powers.size(); ++i) {
    for (int k = 1; k < static_cast<int>(order); ++k) {
      powers[i] = RoundOnce(arithmetic.sum, powers[i] * magnitudes[i]);
    }
  }
  const auto sum = static_cast<Real>(SumInOrder(arithmetic.sum, powers));
  return {sum, sum};
}

// The root of one number of the sum's format. An IEEE square root has one value; the others are
// computed in f64.
Range RootOf(const Arithmetic& arithmetic, Real sum, double order) {
  if (isinf(sum) || sum == 0) return {sum, sum};
  if (order == 2) {
    const auto root =
        static_cast<Real>(RoundOnce(arithmetic.sum, std::sqrt(static_cast<double>(sum))));
    return {root, root};
  }
  const Real root = pow(sum, 1 / static_cast<Real>(order));
  const Real error = IsWide(arithmetic) ? kWideError : ldexp(Real(1), -48);
  return {root * (1 - error), root * (1 + error)};
}

// The results of f64 roots between the ends: rounded once, or once more on the way to 16 bits.
Allowed RoundedBetween(const Arithmetic& arithmetic, const Range& root) {
  const auto round = [&](Real value, bool twice) {
    const Real once = twice ? static_cast<Real>(RoundTo(arithmetic.sum, value)) : value;
    return RoundTo(arithmetic.result, once);
  };
  const double low = std::min(round(root.low, true), round(root.low, false));
  const double high = std::max(round(root.high, true), round(root.high, false));
  Allowed allowed;
  allowed.positive_infinity = std::isinf(high);
  allowed.finite = std::isfinite(low);
  allowed.low = low;
  allowed.high = std::min(high, LargestOf(arithmetic.result));
  return allowed;
}

}  // namespace

double LpOf(const Arithmetic& arithmetic, const std::vector<double>& taps, double order) {
  const std::vector<double> magnitudes = Magnitudes(taps);
  Real sum = 0;
  double largest = 0;
  for (const double magnitude : magnitudes) {
    if (std::isnan(magnitude)) return magnitude;
    largest = std::max(largest, magnitude);
    if (std::isinf(order)) continue;
    sum += pow(static_cast<Real>(magnitude), static_cast<Real>(order));
  }
  if (sum >= OverflowOf(arithmetic.sum)) sum = kInfinity;  // powers are below the sum
  const Real root =
      std::isinf(order) ? static_cast<Real>(largest) : pow(sum, 1 / static_cast<Real>(order));
  const double once = RoundTo(arithmetic.sum, root);
  return RoundTo(arithmetic.result, static_cast<Real>(once));
}

Allowed AllowedLp(const Arithmetic& arithmetic, const std::vector<double>& taps, double order,
                  bool in_order) {
  const std::vector<double> magnitudes = Magnitudes(taps);
  for (const double magnitude : magnitudes) {
    if (std::isnan(magnitude)) return Exactly(magnitude);
  }
  const double largest = *std::max_element(magnitudes.begin(), magnitudes.end());
  if (std::isinf(order) || std::isinf(largest)) return Exactly(largest);
  if (order == 1) {
    return in_order ? Exactly(MeanInOrder(arithmetic, magnitudes, 1))
                    : AllowedMean(arithmetic, magnitudes, 1);
  }
  Range sum;
  const bool as_products = order == 2 || (order == 3 && !IsWide(arithmetic));
  if (in_order && as_products) {
    sum = SumOfProducts(arithmetic, magnitudes, order);
  } else if (!SumExactly(arithmetic, magnitudes, order, &sum)) {
    sum = SumBetween(arithmetic, magnitudes, order);
    // Ends that are numbers of the format, as the sum is.
    if (isfinite(sum.low)) sum.low = RoundUp(arithmetic.sum, sum.low);
    if (isfinite(sum.high)) sum.high = RoundDown(arithmetic.sum, sum.high);
  }
  return RoundedBetween(arithmetic, {RootOf(arithmetic, sum.low, order).low,
                                     RootOf(arithmetic, sum.high, order).high});
}

}  // namespace oracle
