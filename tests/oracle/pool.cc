// What one window gives: sections 3 to 7 of the semantics.
#include <algorithm>
#include <cmath>
#include <limits>

#include "exact_sum.h"
#include "quantize.h"
#include "reduce.h"

namespace oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// MAX, or MIN as the maximum of the negated taps.
double MaxOf(const std::vector<double>& taps, double sign, int32_t nan_rule) {
  double best = -kInfinity;
  size_t nans = 0;
  for (const double tap : taps) {
    if (std::isnan(tap)) {
      ++nans;
    } else if (sign * tap > best) {
      best = sign * tap;
    }
  }
  if (nans > 0 && (nan_rule == LANEPOOL_NAN_PROPAGATE || nans == taps.size())) return kNan;
  return best == 0 ? 0 : sign * best;  // the sign of a zero does not depend on the taps
}

double LpOf(const std::vector<double>& taps, double order) {
  long double sum = 0;
  long double largest = 0;
  for (const double tap : taps) {
    if (std::isnan(tap)) return kNan;
    largest = std::max<long double>(largest, std::fabs(tap));
    if (!std::isinf(order)) sum += std::pow(std::fabs(static_cast<long double>(tap)), order);
  }
  return static_cast<double>(std::isinf(order) ? largest : std::pow(sum, 1.0L / order));
}

int64_t KernelTaps(const Job& job) {
  return job.axes[0].kernel * job.axes[1].kernel * job.axes[2].kernel;
}

// The average of a window without taps: 0 divided by the pads that count, or what the policy says
// of the mean of nothing.
double EmptyMean(const lanepool_params& params) {
  const bool nothing_counts =
      params.op == LANEPOOL_OP_AVERAGE && params.divisor == LANEPOOL_DIVISOR_EXCLUDE_PAD;
  return nothing_counts && params.empty_window == LANEPOOL_EMPTY_NAN ? kNan : 0;
}

// The exponent of the lowest bit that is set.
int LowestBit(double finite) {
  int exponent;
  const double significand = std::ldexp(std::frexp(finite, &exponent), 53);
  return exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(std::fabs(significand)));
}

double SumInTapOrder(const std::vector<double>& taps, int32_t type) {
  double sum = 0;
  for (const double tap : taps) {
    sum = type == LANEPOOL_TYPE_DOUBLE ? sum + tap : static_cast<float>(sum + tap);
  }
  return sum;
}

double AverageOf(const lanepool_params& params, const Job& job, const Taps& taps) {
  if (taps.values.empty()) return EmptyMean(params);
  const double in_order = SumInTapOrder(taps.values, params.x_type);
  if (!std::isfinite(in_order)) return in_order;
  const uint64_t divisor = RoundedDivisor(params.x_type, DivisorOf(params, job, taps));
  const Mean mean = MeanOf(taps.values, divisor);
  return params.y_type == LANEPOOL_TYPE_DOUBLE ? mean.exact : mean.in_f32;
}

double FloatResultOf(const lanepool_params& params, const Job& job, const Taps& taps) {
  switch (params.op) {
    case LANEPOOL_OP_MAX:
      return MaxOf(taps.values, 1, params.nan_rule);
    case LANEPOOL_OP_MIN:
      return MaxOf(taps.values, -1, params.nan_rule);
    case LANEPOOL_OP_LP:
      return LpOf(taps.values, params.lp_order);
    default:
      return AverageOf(params, job, taps);
  }
}

// From bytes, to bytes or f32. The sums are integers far below 2^53.
double ByteResultOf(const lanepool_params& params, const Job& job, const Taps& taps) {
  if (params.op == LANEPOOL_OP_MAX) {
    const double most = *std::max_element(taps.values.begin(), taps.values.end());
    return ResultOfSum(params, static_cast<int64_t>(most) - params.x_zero_point, 1);
  }
  int64_t sum = 0;
  for (const double tap : taps.values) sum += static_cast<int64_t>(tap) - params.x_zero_point;
  return ResultOfSum(params, sum, DivisorOf(params, job, taps));
}

void Store(int32_t type, void* base, int64_t index, double value) {
  if (std::isnan(value)) value = kNan;  // the sign and the payload are zero
  switch (type) {
    case LANEPOOL_TYPE_DOUBLE:
      static_cast<double*>(base)[index] = value;
      break;
    case LANEPOOL_TYPE_UINT8:
      static_cast<uint8_t*>(base)[index] = static_cast<uint8_t>(value);
      break;
    case LANEPOOL_TYPE_INT8:
      static_cast<int8_t*>(base)[index] = static_cast<int8_t>(value);
      break;
    default:
      static_cast<float*>(base)[index] = static_cast<float>(value);
  }
}

}  // namespace

int64_t DivisorOf(const lanepool_params& params, const Job& job, const Taps& taps) {
  return DivisorOf(params, job, static_cast<int64_t>(taps.values.size()), taps.inside_pads);
}

int64_t DivisorOf(const lanepool_params& params, const Job& job, int64_t inside,
                  int64_t inside_pads) {
  if (params.op == LANEPOOL_OP_SUM) return 1;
  switch (params.divisor) {
    case LANEPOOL_DIVISOR_INCLUDE_PAD:
      return inside_pads;
    case LANEPOOL_DIVISOR_FULL_KERNEL:
      return KernelTaps(job);
    case LANEPOOL_DIVISOR_CONSTANT:
      return params.divisor_value;
    default:
      return inside;
  }
}

uint64_t RoundedDivisor(int32_t type, int64_t divisor) {
  return type == LANEPOOL_TYPE_DOUBLE ? static_cast<uint64_t>(static_cast<double>(divisor))
                                      : static_cast<uint64_t>(static_cast<float>(divisor));
}

double ResultOf(const lanepool_params& params, const Job& job, const Taps& taps) {
  if (IsByte(params.y_type) && taps.values.empty()) return QuantizedEmpty(params);
  if (IsByte(params.x_type) && !taps.values.empty()) return ByteResultOf(params, job, taps);
  const double real = FloatResultOf(params, job, taps);
  return IsByte(params.y_type) ? QuantizeFloat(params, real) : real;
}

Mean MeanOf(const std::vector<double>& taps, uint64_t divisor) {
  Mean mean;
  ExactSum positive, negative;
  int lowest_bit = std::numeric_limits<int>::max();
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
  mean.positive_sum = positive.DividedBy(1, kBinary64);
  mean.negative_sum = negative.DividedBy(1, kBinary64);
  const bool below_zero = ExactSum::Compare(positive, negative) < 0;
  const ExactSum sum = below_zero ? ExactSum::Difference(negative, positive)
                                  : ExactSum::Difference(positive, negative);
  const double sign = below_zero ? -1 : 1;
  mean.exact = sign * sum.DividedBy(divisor, kBinary64);
  mean.in_f32 = sign * sum.DividedBy(divisor, kBinary32);
  const double magnitude = mean.positive_sum + mean.negative_sum;
  mean.sums_exactly = mean.taps == 1 || magnitude == 0 ||
                      magnitude <= std::ldexp(1.0, lowest_bit + kBinary32.precision);
  return mean;
}

void Pool(const lanepool_params& params, const void* x, void* y, const PerChannel& arrays) {
  const Job job = JobOf(params, ResolveShape(params));
  ForEachOutput(job.y, [&](const Position& at, int64_t offset) {
    const Taps taps = TapsOf(job, at, params.x_type, x);
    Store(params.y_type, y, offset, ResultOf(ParamsOfChannel(params, arrays, at[1]), job, taps));
  });
}

}  // namespace oracle
