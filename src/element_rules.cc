#include "element_rules.h"

#include <string.h>

#include "quantization.h"
#include "types.h"

namespace lanepool {
namespace {

// Of the floating types, as integers.
struct FloatFormat {
  int significand_bits;  // stored ones
  int exponent_bits;
};

FloatFormat FormatOf(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_FLOAT16:
      return {10, 5};
    case LANEPOOL_TYPE_BFLOAT16:
      return {7, 8};
    case LANEPOOL_TYPE_DOUBLE:
      return {52, 11};
    default:
      return {23, 8};
  }
}

int64_t InfinityOf(int32_t type) {
  const FloatFormat format = FormatOf(type);
  return ((int64_t{1} << format.exponent_bits) - 1) << format.significand_bits;
}

int64_t LeastOf(int64_t bytes) { return INT64_MIN >> (64 - 8 * bytes); }
int64_t MostOf(int64_t bytes) { return INT64_MAX >> (64 - 8 * bytes); }

// Results of maxima that are zero are +0, also where a limit makes them.
int64_t WithoutMinusZero(int64_t bits, int64_t bytes) { return bits == LeastOf(bytes) ? 0 : bits; }

// Powers above this are computed by logarithms: repeated products would round too often.
constexpr double kMostProducts = 64;

}  // namespace

OrderRules OrderOf(const Comparison& c) {
  const int64_t bytes = ElementBytes(c.type);
  const int64_t least = LeastOf(bytes), most = MostOf(bytes);
  const int64_t reverse = c.minimum ? -1 : 0;
  OrderRules rules = {};
  rules.least = least;
  rules.most = most;
  if (!IsFloating(c.type)) {
    rules.flip = (LowestInteger(c.type) == 0 ? least : 0) ^ reverse;
    return rules;
  }
  // NaN of either sign lie beyond the infinities, at both ends. Those of one end go around to the
  // other.
  const int64_t infinity = InfinityOf(c.type);
  const int64_t nans = most - infinity;
  const bool ignore = c.nan_rule == LANEPOOL_NAN_IGNORE;
  rules.nan = infinity | (int64_t{1} << (FormatOf(c.type).significand_bits - 1));
  if (c.magnitude) {
    rules.magnitude = least;  // clears the sign
    rules.add = ignore ? nans : 0;
    rules.least = ignore ? nans : least;
    rules.most = ignore ? most : infinity;
    rules.minus_zero = rules.zero = rules.add;
    return rules;
  }
  rules.magnitude = most;
  rules.flip = reverse;
  rules.add = ignore ? nans : -nans;
  rules.least = ignore ? nans - infinity - 1 : least;
  rules.most = ignore ? most : infinity - nans;
  rules.zero = reverse + rules.add;
  rules.minus_zero = -1 - reverse + rules.add;
  return rules;
}

void SetFlips(const lanepool_params& p, ElementRules* rules) {
  const bool flips = p.x_type == LANEPOOL_TYPE_INT8;
  rules->x_flip = flips ? 0x80 : 0;
  rules->order_flip =
      static_cast<uint8_t>((flips ? 0x80 : 0) ^ (p.op == LANEPOOL_OP_MIN ? 0xFF : 0));
  rules->x_flip16 = p.x_type == LANEPOOL_TYPE_INT16 ? 0x8000 : 0;
}

int64_t SignExtended(uint64_t bits, int64_t bytes) {
  const int unused = static_cast<int>((64 - 8 * bytes) & 63);
  return static_cast<int64_t>(bits << unused) >> unused;
}

int64_t Ordered(const OrderRules& rules, int64_t bits, int64_t bytes) {
  const int64_t turned = bits ^ ((bits < 0 ? -1 : 0) & rules.magnitude) ^ rules.flip;
  return SignExtended(static_cast<uint64_t>(turned) + static_cast<uint64_t>(rules.add), bytes);
}

int64_t NearestBits(int32_t type, double value) {
  const FloatFormat format = FormatOf(type);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t magnitude = bits & INT64_MAX;
  const int64_t infinity = InfinityOf(type);
  if (magnitude > static_cast<uint64_t>(InfinityOf(LANEPOOL_TYPE_DOUBLE))) {
    return infinity | (int64_t{1} << (format.significand_bits - 1));
  }
  // In units of the last place that the result has, or would have if it were subnormal.
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  int64_t exponent = static_cast<int64_t>(magnitude >> 52) - 1023 + bias;
  uint64_t significand = magnitude & ((uint64_t{1} << 52) - 1);
  if (magnitude >> 52 != 0) significand |= uint64_t{1} << 52;
  if (magnitude >> 52 == 0) ++exponent;
  int64_t dropped = 52 - format.significand_bits;
  if (exponent < 1) dropped += 1 - exponent;
  if (exponent < 1) exponent = 1;
  int64_t result = 0;
  if (dropped < 64) {
    const uint64_t kept = dropped == 0 ? significand : significand >> dropped;
    const uint64_t rest = significand - (dropped == 0 ? kept : kept << dropped);
    const uint64_t half = dropped == 0 ? 0 : uint64_t{1} << (dropped - 1);
    const bool up = dropped != 0 && (rest > half || (rest == half && kept % 2 != 0));
    // A significand that lost its leading bit lowers the exponent, one that overflows raises it.
    result =
        ((exponent - 1) << format.significand_bits) + static_cast<int64_t>(kept) + (up ? 1 : 0);
  }
  if (result > infinity) result = infinity;
  const int64_t bytes = ElementBytes(type);
  const uint64_t sign = bits >> 63 << (8 * bytes - 1);
  return SignExtended(static_cast<uint64_t>(result) | sign, bytes);
}

Limits ClampLimits(const lanepool_params& p, const OrderRules& order) {
  const int64_t bytes = ElementBytes(p.y_type);
  Limits limits = {};
  if (IsFloating(p.y_type)) {
    limits.low_bits = WithoutMinusZero(NearestBits(p.y_type, p.clamp_low), bytes);
    limits.high_bits = WithoutMinusZero(NearestBits(p.y_type, p.clamp_high), bytes);
  } else {
    int32_t least = 0, most = 0;
    ResultRange(p, &least, &most);
    limits.low_bits = SignExtended(static_cast<uint64_t>(least), bytes);
    limits.high_bits = SignExtended(static_cast<uint64_t>(most), bytes);
  }
  limits.low = Ordered(order, limits.low_bits, bytes);
  limits.high = Ordered(order, limits.high_bits, bytes);
  return limits;
}

TapRules TapRulesOf(const lanepool_params& p, bool count) {
  TapRules rules = {};
  rules.kind = TapRules::kPlain;
  rules.bfloat = p.x_type == LANEPOOL_TYPE_BFLOAT16;
  rules.skip_nan = p.nan_rule == LANEPOOL_NAN_IGNORE;
  rules.count = count;
  if (p.op != LANEPOOL_OP_LP) return rules;
  rules.order = p.lp_order;
  rules.kind = TapRules::kRealPower;
  if (p.lp_order == 1) {
    rules.kind = TapRules::kAbsolute;
  } else if (p.lp_order == 2) {
    rules.kind = TapRules::kSquare;
  } else if (p.lp_order <= kMostProducts &&
             p.lp_order == static_cast<double>(static_cast<int32_t>(p.lp_order))) {
    rules.kind = TapRules::kPower;
    rules.power = static_cast<int32_t>(p.lp_order);
  }
  return rules;
}

MappedSum MappedSumOf(const lanepool_params& p) {
  if (p.x_type == LANEPOOL_TYPE_DOUBLE) return kF64ToF64;
  if (p.x_type != LANEPOOL_TYPE_FLOAT) return kHalfToF32;
  return (p.flags & LANEPOOL_FLAG_ACCUMULATE_F64) != 0 ? kF32ToF64 : kF32ToF32;
}

}  // namespace lanepool
