// Whether a result is a right one: the error bound of section 4 of the semantics, exact equality
// for everything else.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "reduce.h"

namespace oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Any order of additions is a right one, and one of them may overflow where another does not.
// Partial sums of m terms are off by less than m roundings of their magnitude.
struct Reach {
  bool to_positive_infinity, to_negative_infinity, to_finite;
};

Reach ReachOf(const Mean& mean) {
  const double overflow = std::ldexp(1.0, 128) - std::ldexp(1.0, 103);  // rounds to infinity
  const double slack = static_cast<double>(mean.taps) * std::ldexp(1.0, -24);
  const double drift = slack * (mean.positive_sum + mean.negative_sum);
  const double sum = mean.positive_sum - mean.negative_sum;
  return {mean.has_positive_infinity || mean.positive_sum + drift >= overflow,
          mean.has_negative_infinity || mean.negative_sum + drift >= overflow,
          !mean.has_positive_infinity && !mean.has_negative_infinity &&
              std::fabs(sum) - drift < overflow};
}

// The bound of section 4, and half of the smallest subnormal for quotients that small.
bool WithinBound(const Mean& mean, double y) {
  if (mean.sums_exactly) return y == mean.in_f32;
  const double u = std::ldexp(1.0, -24);
  const double m = static_cast<double>(mean.taps);
  const double magnitude = mean.positive_sum + mean.negative_sum;
  const double summing =
      (m - 1) * u * magnitude / (static_cast<double>(mean.divisor) * (1 - m * u));
  const double bound = summing + u * std::fabs(mean.exact) + std::ldexp(1.0, -150);
  return m * u < 1 && std::fabs(y - mean.exact) <= bound * (1 + std::ldexp(1.0, -40));
}

bool MeanAllows(const Mean& mean, double y) {
  const Reach reach = ReachOf(mean);
  if (mean.has_nan || std::isnan(y)) {
    return std::isnan(y) &&
           (mean.has_nan || (reach.to_positive_infinity && reach.to_negative_infinity));
  }
  if (mean.has_positive_infinity && mean.has_negative_infinity) return false;
  if (y == kInfinity) return reach.to_positive_infinity && !mean.has_negative_infinity;
  if (y == -kInfinity) return reach.to_negative_infinity && !mean.has_positive_infinity;
  return reach.to_finite && WithinBound(mean, y);
}

bool IsMean(const lanepool_params& params) {
  return params.op == LANEPOOL_OP_AVERAGE || params.op == LANEPOOL_OP_SUM;
}

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Whether an f32 result is right; NaN has one bit pattern, and so has the zero of MAX.
bool Allows(const lanepool_params& params, const Job& job, const Taps& taps, float y) {
  if (std::isnan(y) && BitsOf(y) != 0x7FC00000u) return false;
  if (IsMean(params) && !taps.values.empty()) {
    const uint64_t divisor = RoundedDivisor(params.x_type, DivisorOf(params, job, taps));
    return MeanAllows(MeanOf(taps.values, divisor), y);
  }
  const auto expected = static_cast<float>(ResultOf(params, job, taps));
  if (std::isnan(expected)) return std::isnan(y);
  return BitsOf(y) == BitsOf(expected);
}

std::string Describe(const lanepool_params& params, const Job& job, const Position& at,
                     const Taps& taps, float y) {
  const auto expected = static_cast<float>(ResultOf(params, job, taps));
  char text[400];
  std::snprintf(text, sizeof text,
                "output n=%" PRId64 " c=%" PRId64 " at %" PRId64 ",%" PRId64 ",%" PRId64
                ": got %.9g (bits %08X), expected %.9g (bits %08X); %zu taps, divisor %" PRId64,
                at[0], at[1], at[2], at[3], at[4], static_cast<double>(y), BitsOf(y),
                static_cast<double>(expected), BitsOf(expected), taps.values.size(),
                IsMean(params) ? DivisorOf(params, job, taps) : int64_t{0});
  std::string description = text;
  for (size_t i = 0; i < std::min<size_t>(taps.values.size(), 16); ++i) {
    std::snprintf(text, sizeof text, "%s%.9g", i == 0 ? ": " : " ", taps.values[i]);
    description += text;
  }
  return description;
}

}  // namespace

bool Agrees(const lanepool_params& params, const void* x, const void* y, std::string* why) {
  const Job job = JobOf(params, ResolveShape(params));
  int64_t wrong = 0;
  int64_t all = 0;
  ForEachOutput(job.y, [&](const Position& at, int64_t offset) {
    const Taps taps = TapsOf(job, at, params.x_type, x);
    const float got = static_cast<const float*>(y)[offset];
    ++all;
    if (Allows(params, job, taps, got)) return;
    if (++wrong == 1) *why = Describe(params, job, at, taps, got);
  });
  if (wrong > 0) *why += "; wrong: " + std::to_string(wrong) + " of " + std::to_string(all);
  return wrong == 0;
}

}  // namespace oracle
