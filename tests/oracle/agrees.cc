// Whether a result is a right one: the error bound of section 4 of the semantics, exact equality
// for everything else.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "quantize.h"
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

// The bound of section 4, and half of the smallest subnormal for quotients that small; rounded up.
double BoundOf(const Mean& mean) {
  const double u = std::ldexp(1.0, -24);
  const double m = static_cast<double>(mean.taps);
  const double magnitude = mean.positive_sum + mean.negative_sum;
  const double summing =
      (m - 1) * u * magnitude / (static_cast<double>(mean.divisor) * (1 - m * u));
  const double bound = summing + u * std::fabs(mean.exact) + std::ldexp(1.0, -150);
  return bound * (1 + std::ldexp(1.0, -40));
}

bool WithinBound(const Mean& mean, double y) {
  if (mean.sums_exactly) return y == mean.in_f32;
  const bool in_range = static_cast<double>(mean.taps) < std::ldexp(1.0, 24);
  return in_range && std::fabs(y - mean.exact) <= BoundOf(mean);
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

// Whether some f32 average that is allowed gives y: quantizing keeps the order, so all that lies
// between the results for the ends of the bound is possible.
bool QuantizedMeanAllows(const lanepool_params& params, const Mean& mean, double y) {
  const Reach reach = ReachOf(mean);
  const auto gives = [&](double real) { return y == QuantizeFloat(params, real); };
  const bool to_nan = mean.has_nan || (reach.to_positive_infinity && reach.to_negative_infinity);
  if (to_nan && gives(std::nan(""))) return true;
  if (mean.has_nan) return false;
  if (reach.to_positive_infinity && !mean.has_negative_infinity && gives(kInfinity)) return true;
  if (reach.to_negative_infinity && !mean.has_positive_infinity && gives(-kInfinity)) return true;
  if (!reach.to_finite) return false;
  if (mean.sums_exactly) return gives(mean.in_f32);
  const double bound = BoundOf(mean);
  return y >= QuantizeFloat(params, mean.exact - bound) &&
         y <= QuantizeFloat(params, mean.exact + bound);
}

bool IsFloatMean(const lanepool_params& params, const Taps& taps) {
  return IsMean(params) && !IsByte(params.x_type) && !taps.values.empty();
}

// Whether a result is right; NaN has one bit pattern, and so has the zero of MAX.
bool Allows(const lanepool_params& params, const Job& job, const Taps& taps, double y) {
  if (IsFloatMean(params, taps)) {
    const uint64_t divisor = RoundedDivisor(params.x_type, DivisorOf(params, job, taps));
    const Mean mean = MeanOf(taps.values, divisor);
    return IsByte(params.y_type) ? QuantizedMeanAllows(params, mean, y) : MeanAllows(mean, y);
  }
  const auto expected = static_cast<double>(static_cast<float>(ResultOf(params, job, taps)));
  if (std::isnan(expected)) return std::isnan(y);
  const bool any_zero = IsMean(params) && !taps.values.empty();  // section 4
  return y == expected && (any_zero || std::signbit(y) == std::signbit(expected));
}

std::string Number(const lanepool_params& params, double value) {
  char text[60];
  if (IsByte(params.y_type)) {
    std::snprintf(text, sizeof text, "%g", value);
  } else {
    std::snprintf(text, sizeof text, "%.9g (bits %08X)", value, BitsOf(static_cast<float>(value)));
  }
  return text;
}

std::string Place(const Position& at, double y, double expected, const lanepool_params& params) {
  std::string text = "output n=" + std::to_string(at[0]) + " c=" + std::to_string(at[1]) + " at ";
  for (int i = 2; i < 5; ++i) text += (i > 2 ? "," : "") + std::to_string(at[i]);
  return text + ": got " + Number(params, y) + ", expected " + Number(params, expected);
}

std::string Describe(const lanepool_params& params, const Job& job, const Position& at,
                     const Taps& taps, double y) {
  std::string text = Place(at, y, ResultOf(params, job, taps), params) + "; " +
                     std::to_string(taps.values.size()) + " taps";
  if (IsMean(params)) text += ", divisor " + std::to_string(DivisorOf(params, job, taps));
  for (size_t i = 0; i < std::min<size_t>(taps.values.size(), 16); ++i) {
    char tap[40];
    std::snprintf(tap, sizeof tap, "%s%.9g", i == 0 ? ": " : " ", taps.values[i]);
    text += tap;
  }
  return text;
}

// NaN results have one bit pattern only.
bool IsOtherNan(const lanepool_params& params, const void* y, int64_t offset) {
  if (params.y_type != LANEPOOL_TYPE_FLOAT) return false;
  const float value = static_cast<const float*>(y)[offset];
  return std::isnan(value) && BitsOf(value) != 0x7FC00000u;
}

// Counts what is wrong and keeps the first description.
class Verdict {
 public:
  explicit Verdict(std::string* why) : why_(why) {}

  template <typename MakeText>
  void Count(bool good, const MakeText& text) {
    ++all_;
    if (!good && ++wrong_ == 1) *why_ = text();
  }
  bool Good() const {
    if (wrong_ > 0) *why_ += "; wrong: " + std::to_string(wrong_) + " of " + std::to_string(all_);
    return wrong_ == 0;
  }

 private:
  std::string* why_;
  int64_t wrong_ = 0;
  int64_t all_ = 0;
};

}  // namespace

bool Agrees(const lanepool_params& params, const void* x, const void* y, std::string* why,
            const PerChannel& arrays) {
  const Job job = JobOf(params, ResolveShape(params));
  Verdict verdict(why);
  ForEachOutput(job.y, [&](const Position& at, int64_t offset) {
    const Taps taps = TapsOf(job, at, params.x_type, x);
    const lanepool_params own = ParamsOfChannel(params, arrays, at[1]);
    const double got = Load(params.y_type, y, offset);
    const bool good = !IsOtherNan(params, y, offset) && Allows(own, job, taps, got);
    verdict.Count(good, [&] { return Describe(own, job, at, taps, got); });
  });
  return verdict.Good();
}

bool IsQuantized(const lanepool_params& params, const float* real, const void* y, std::string* why,
                 const PerChannel& arrays) {
  const Job job = JobOf(params, ResolveShape(params));
  Verdict verdict(why);
  ForEachOutput(job.y, [&](const Position& at, int64_t offset) {
    const lanepool_params own = ParamsOfChannel(params, arrays, at[1]);
    const auto a = static_cast<double>(real[offset]);
    const double got = Load(params.y_type, y, offset);
    const int32_t expected = QuantizeFloat(own, a);  // of an empty window too: 0, NaN, -infinity
    verdict.Count(got == expected, [&] { return Place(at, got, expected, own); });
  });
  return verdict.Good();
}

}  // namespace oracle
