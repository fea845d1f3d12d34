// What one window gives: sections 3 to 7 of the semantics.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lp.h"
#include "mean.h"
#include "quantize.h"
#include "reduce.h"

namespace oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool Has(const lanepool_params& params, uint32_t flag) { return (params.flags & flag) != 0; }

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

// A window without taps: the average is 0 divided by the pads that count, or what the policy says
// of the mean of nothing.
double EmptyFloat(const lanepool_params& params) {
  if (params.op == LANEPOOL_OP_MAX) return -kInfinity;
  if (params.op == LANEPOOL_OP_MIN) return kInfinity;
  const bool nothing_counts =
      params.op == LANEPOOL_OP_AVERAGE && params.divisor == LANEPOOL_DIVISOR_EXCLUDE_PAD;
  return nothing_counts && params.empty_window == LANEPOOL_EMPTY_NAN ? kNan : 0;
}

uint64_t FloatDivisorOf(const lanepool_params& params, const Taps& taps) {
  return RoundedDivisor(ArithmeticOf(params).sum, DivisorOf(params, taps));
}

// Rounded as it should be, were there no roundings on the way.
double AverageOf(const lanepool_params& params, const Taps& taps) {
  const Arithmetic arithmetic = ArithmeticOf(params);
  const uint64_t divisor = FloatDivisorOf(params, taps);
  const double in_order = MeanInOrder(arithmetic, taps.values, divisor);
  if (Has(params, LANEPOOL_FLAG_STRICT_ORDER) || !std::isfinite(in_order)) return in_order;
  const Mean mean = MeanOf(taps.values, divisor, arithmetic.sum);
  return RoundTo(arithmetic.result, static_cast<Real>(mean.quotient));
}

double FloatResultOf(const lanepool_params& params, const Taps& taps) {
  if (taps.values.empty()) return EmptyFloat(params);
  switch (params.op) {
    case LANEPOOL_OP_MAX:
      return MaxOf(taps.values, 1, params.nan_rule);
    case LANEPOOL_OP_MIN:
      return MaxOf(taps.values, -1, params.nan_rule);
    case LANEPOOL_OP_LP:
      return LpOf(ArithmeticOf(params), taps.values, params.lp_order);
    default:
      return AverageOf(params, taps);
  }
}

int64_t ExtremeOf(const lanepool_params& params, const std::vector<double>& taps) {
  return static_cast<int64_t>(params.op == LANEPOOL_OP_MAX
                                  ? *std::max_element(taps.begin(), taps.end())
                                  : *std::min_element(taps.begin(), taps.end()));
}

// Sums are integers far below 2^63.
double IntegerResultOf(const lanepool_params& params, const Taps& taps) {
  const bool byte = IsByte(params.x_type);
  const int32_t zero_point = byte ? params.x_zero_point : 0;
  if (params.op == LANEPOOL_OP_MAX || params.op == LANEPOOL_OP_MIN) {
    const int64_t extreme = ExtremeOf(params, taps.values);
    return byte ? ResultOfSum(params, extreme - zero_point, 1) : ClampInteger(params, extreme);
  }
  int64_t sum = 0;
  for (const double tap : taps.values) sum += static_cast<int64_t>(tap) - zero_point;
  const int64_t divisor = DivisorOf(params, taps);
  return byte ? ResultOfSum(params, sum, divisor) : IntegerMean(params, sum, divisor);
}

}  // namespace

int64_t DivisorOf(const lanepool_params& params, const Taps& taps) {
  const auto inside = static_cast<int64_t>(taps.values.size()) + taps.skipped;
  const int64_t divisor = DivisorOf(params, inside, taps.inside_pads, taps.all);
  const bool counts =
      params.op == LANEPOOL_OP_AVERAGE && params.divisor != LANEPOOL_DIVISOR_CONSTANT;
  return counts ? divisor - taps.skipped : divisor;
}

int64_t DivisorOf(const lanepool_params& params, int64_t inside, int64_t inside_pads, int64_t all) {
  if (params.op != LANEPOOL_OP_AVERAGE) return 1;
  switch (params.divisor) {
    case LANEPOOL_DIVISOR_INCLUDE_PAD:
      return inside_pads;
    case LANEPOOL_DIVISOR_FULL_KERNEL:
      return all;
    case LANEPOOL_DIVISOR_CONSTANT:
      return params.divisor_value;
    default:
      return inside;
  }
}

double ResultOf(const lanepool_params& params, const Taps& taps) {
  const bool to_integer = !IsFloating(params.y_type);
  if (taps.values.empty() && to_integer) return EmptyInteger(params);
  if (taps.values.empty() || IsFloating(params.x_type)) {
    const double real = FloatResultOf(params, taps);
    return to_integer ? QuantizeFloat(params, real) : ClampFloat(params, real);
  }
  const double result = IntegerResultOf(params, taps);
  return to_integer ? result : ClampFloat(params, result);
}

bool IsFloatSum(const lanepool_params& params, const Taps& taps) {
  return params.op != LANEPOOL_OP_MAX && params.op != LANEPOOL_OP_MIN &&
         IsFloating(params.x_type) && !taps.values.empty();
}

Allowed AllowedOf(const lanepool_params& params, const Taps& taps) {
  const Arithmetic arithmetic = ArithmeticOf(params);
  const bool in_order = Has(params, LANEPOOL_FLAG_STRICT_ORDER);
  if (params.op == LANEPOOL_OP_LP) {
    return AllowedLp(arithmetic, taps.values, params.lp_order, in_order);
  }
  const uint64_t divisor = FloatDivisorOf(params, taps);
  return in_order ? Exactly(MeanInOrder(arithmetic, taps.values, divisor))
                  : AllowedMean(arithmetic, taps.values, divisor);
}

void Pool(const lanepool_params& params, const void* x, void* y, const PerChannel& arrays) {
  const Job job = JobOf(params, ResolveShape(params));
  ForEachOutput(job.y, [&](const Position& at, int64_t offset) {
    const Taps taps = WithoutNans(params, TapsOf(job, at, params.x_type, x));
    Store(params.y_type, y, offset, ResultOf(ParamsOfChannel(params, arrays, at[1]), taps));
  });
}

}  // namespace oracle
