#include "quantization.h"

#include <string.h>

#include "compiled_in.h"
#include "kernel_table.h"
#include "types.h"

namespace lanepool {
namespace {

// Clipped windows of an axis that are looked at. Where there are more, the windows are so much
// smaller than the pads that most of them are empty.
constexpr int64_t kMostClipped = 64;

// Scales of x of so many times that of y at most, and the other way round, and fractions of small
// numbers: DividesMeans.
constexpr double kMostRatio = 4;
constexpr double kMostRatioDown = 65536;
constexpr int32_t kMostTerm = 64;
constexpr int64_t kMostSum = int64_t{1} << 24;
constexpr int64_t kMostMeanDivisor = (int64_t{1} << 15) - 1;

// Divisors up to this are the same as f32, which is what jobs name them in.
constexpr int64_t kMostDivisor = int64_t{1} << 24;

// Whether sums are of terms that only KernelsMapped and KernelsTaps know, or have an order that
// only those have.
bool SumsTerms(const lanepool_params& p, const Plan& plan) {
  if (IsExtreme(p.op)) return false;
  if (p.op == LANEPOOL_OP_LP) return !IsLargestMagnitude(p);
  if ((p.flags & LANEPOOL_FLAG_STRICT_ORDER) != 0 || p.nan_rule == LANEPOOL_NAN_IGNORE) return true;
  if (p.x_type != LANEPOOL_TYPE_DOUBLE) return (p.flags & LANEPOOL_FLAG_ACCUMULATE_F64) != 0;
  const bool constant = p.divisor == LANEPOOL_DIVISOR_CONSTANT;
  return KernelTaps(plan) > kMostDivisor || (constant && p.divisor_value > kMostDivisor);
}

// Distinct keys along one axis, or products of such.
struct KeyList {
  WindowKey keys[Quantization::kMostKeys];
  int32_t count = 0;  // -1: too many

  void Add(const WindowKey& key) {
    if (count < 0) return;
    for (int32_t i = 0; i < count; ++i) {
      if (keys[i].taps == key.taps && keys[i].counted == key.counted) return;
    }
    if (count == Quantization::kMostKeys) {
      count = -1;
      return;
    }
    keys[count++] = key;
  }
};

// The interior comes first, so that it is found first.
KeyList KeysOfAxis(const lanepool_params& params, const Axis<int64_t>& axis) {
  KeyList list;
  const auto add = [&](int64_t output) {
    const Span<int64_t> span = ClipWindow(axis, output);
    if (span.taps > 0) list.Add(KeyOf(params, axis.kernel, span.taps, span.counted));
  };
  if (axis.lead < axis.interior_end) add(axis.lead);
  if (axis.lead + (axis.output - axis.interior_end) > kMostClipped) {
    list.count = -1;
    return list;
  }
  for (int64_t output = 0; output < axis.lead; ++output) add(output);
  for (int64_t output = axis.interior_end; output < axis.output; ++output) add(output);
  return list;
}

KeyList Product(const KeyList& a, const KeyList& b) {
  KeyList product;
  if (a.count < 0 || b.count < 0) {
    product.count = -1;
    return product;
  }
  for (int32_t i = 0; i < a.count; ++i) {
    for (int32_t j = 0; j < b.count; ++j) {
      product.Add({a.keys[i].taps * b.keys[j].taps, a.keys[i].counted * b.keys[j].counted});
    }
  }
  return product;
}

// As unsigned byte: 128 more for s8.
int32_t Unsigned(int32_t value, int32_t type) {
  return type == LANEPOOL_TYPE_INT8 ? value + 128 : value;
}

// With denormals-are-zero all subnormal numbers compare equal.
bool SameBits(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

// With denormals-are-zero others would be 0.
bool IsNormal(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits << 1) >> 24 != 0;
}

// A number between the same two integers.
double NotSubnormal(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t magnitude = bits << 1;
  if (magnitude == 0 || magnitude >> 53 != 0) return value;
  return bits >> 63 != 0 ? -0.5 : 0.5;
}

void ListKeys(const lanepool_params& params, Plan* plan) {
  Quantization& q = plan->quantization;
  KeyList list;
  if (IsExtreme(params.op)) {
    list.Add({1, 0});
  } else {
    list = KeysOfAxis(params, plan->axes[2]);
    for (int axis = 1; axis >= 0; --axis) {
      list = Product(KeysOfAxis(params, plan->axes[axis]), list);
    }
  }
  // Kernels need one even if all windows are empty.
  if (list.count == 0) list.Add({1, 0});
  q.key_count = list.count;
  for (int32_t i = 0; i < list.count; ++i) q.keys[i] = list.keys[i];
}

// False if one of them has no formula for a kernel.
bool ListRequants(const lanepool_params& params, Plan* plan) {
  Quantization& q = plan->quantization;
  bool formulas = true;
  for (int32_t i = 0; i < q.key_count && i < kMostRequants; ++i) {
    q.requants[i] = MakeRequant(RuleOf(params, *plan, TensorScales(params), q.keys[i]));
    if (q.requants[i].kind == RequantKind::kSteps) formulas = false;
    ++q.requant_count;
  }
  return formulas;
}

}  // namespace

ChannelScales TensorScales(const lanepool_params& p) {
  return {p.x_scale, p.y_scale, p.x_zero_point, p.y_zero_point};
}

bool IsPerChannel(const lanepool_params& p) { return p.x_scale_count != 0 || p.y_scale_count != 0; }

bool ResultRange(const lanepool_params& p, int32_t* least, int32_t* most) {
  *least = static_cast<int32_t>(LowestInteger(p.y_type));
  *most = static_cast<int32_t>(HighestInteger(p.y_type));
  if ((p.flags & LANEPOOL_FLAG_CLAMP) == 0) return true;
  const double low = NotSubnormal(p.clamp_low), high = NotSubnormal(p.clamp_high);
  if (low > *most || high < *least) return false;
  if (low > *least) {
    *least = static_cast<int32_t>(low);
    if (*least < low) ++*least;
  }
  if (high < *most) {
    *most = static_cast<int32_t>(high);
    if (*most > high) --*most;
  }
  return *least <= *most;
}

bool KeepsBytes(const lanepool_params& p) {
  return IsExtreme(p.op) && p.x_type == p.y_type && SameBits(p.x_scale, p.y_scale) &&
         p.x_zero_point == p.y_zero_point && !IsPerChannel(p) &&
         (p.flags & LANEPOOL_FLAG_CLAMP) == 0;
}

WindowKey KeyOf(const lanepool_params& p, int64_t kernel, int64_t taps, int64_t counted) {
  if (IsExtreme(p.op)) return {taps > 0 ? 1u : 0u, 0};
  if (DivisorRule(p) == LANEPOOL_DIVISOR_EXCLUDE_PAD) return {static_cast<uint32_t>(taps), 0};
  // With the zero point at the lowest byte a missing tap is one more tap that is 0.
  const bool adds_nothing = Unsigned(p.x_zero_point, p.x_type) == 0 && p.x_scale_count == 0;
  return {static_cast<uint32_t>(adds_nothing ? kernel : taps),
          static_cast<uint32_t>(DivisorIsFixed(p) ? 0 : counted)};
}

int32_t FindKey(const Quantization& q, const WindowKey& key) {
  for (int32_t i = 0; i < q.key_count; ++i) {
    if (q.keys[i].taps == key.taps && q.keys[i].counted == key.counted) return i;
  }
  return -1;
}

int32_t DivisorRule(const lanepool_params& p) {
  if (p.op != LANEPOOL_OP_AVERAGE) return LANEPOOL_DIVISOR_CONSTANT;
  const bool adaptive = (p.flags & LANEPOOL_FLAG_ADAPTIVE) != 0;
  if (adaptive && p.divisor != LANEPOOL_DIVISOR_CONSTANT) return LANEPOOL_DIVISOR_EXCLUDE_PAD;
  return p.divisor;
}

bool DivisorIsFixed(const lanepool_params& p) {
  const int32_t rule = DivisorRule(p);
  return rule == LANEPOOL_DIVISOR_FULL_KERNEL || rule == LANEPOOL_DIVISOR_CONSTANT;
}

int64_t DivisorOfWindow(const lanepool_params& p, const Plan& plan, int64_t counted) {
  if (p.op != LANEPOOL_OP_AVERAGE) return 1;
  const int32_t rule = DivisorRule(p);
  if (rule == LANEPOOL_DIVISOR_CONSTANT) return p.divisor_value;
  return rule == LANEPOOL_DIVISOR_FULL_KERNEL ? KernelTaps(plan) : counted;
}

RequantRule RuleOf(const lanepool_params& p, const ChannelScales& scales, int64_t taps,
                   int64_t divisor) {
  int32_t least = 0, most = 0;
  ResultRange(p, &least, &most);
  RequantRule rule;
  rule.x_scale = scales.x_scale;
  rule.y_scale = scales.y_scale;
  rule.x_zero_point = Unsigned(scales.x_zero_point, p.x_type);
  rule.y_zero_point = Unsigned(scales.y_zero_point, p.y_type);
  rule.y_least = Unsigned(least, p.y_type);
  rule.y_most = Unsigned(most, p.y_type);
  rule.y_low = p.y_type == LANEPOOL_TYPE_INT8 ? -128 : 0;
  rule.rounding = p.rounding;
  rule.taps = taps;
  rule.divisor = divisor < 1 ? 1 : divisor;
  return rule;
}

RequantRule RuleOf(const lanepool_params& p, const Plan& plan, const ChannelScales& scales,
                   const WindowKey& key) {
  if (IsExtreme(p.op)) return RuleOf(p, scales, 1, 1);
  const bool exclude = DivisorRule(p) == LANEPOOL_DIVISOR_EXCLUDE_PAD;
  return RuleOf(p, scales, key.taps,
                exclude ? key.taps : DivisorOfWindow(p, plan, int64_t{key.counted}));
}

namespace {

// Whether blocks have a way for averages with such scales.
bool HasRatio(const lanepool_params& p) {
  const double x = p.x_scale, y = p.y_scale;
  return IsNormal(p.x_scale) && IsNormal(p.y_scale) && x <= kMostRatio * y &&
         y <= kMostRatioDown * x;
}

// The ratio of scales as a fraction with which numerators and denominators of blocks fit f32.
bool HasTerms(const lanepool_params& p, const Plan& plan, SmallRatio* terms) {
  *terms = {1, 1};
  if (kCompact || SameBits(p.x_scale, p.y_scale)) return true;
  const bool constant = DivisorRule(p) == LANEPOOL_DIVISOR_CONSTANT;
  const int64_t divisor = constant ? p.divisor_value : KernelTaps(plan);
  return FindSmallRatio(p.x_scale, p.y_scale, kMostTerm, terms) &&
         divisor * terms->under <= kMostMeanDivisor &&
         255 * divisor * (terms->over + terms->under) <= kMostSum;
}

}  // namespace

bool DividesMeans(const lanepool_params& p, const Plan& plan) {
  // Sums are exact in f32, and the quotient's error is small, see BlockMeans.
  if (!IsByte(p.x_type) || !IsByte(p.y_type) || IsExtreme(p.op) || IsPerChannel(p)) return false;
  const int64_t taps = KernelTaps(plan);
  const int32_t rule = DivisorRule(p);
  const int64_t divisor = rule == LANEPOOL_DIVISOR_CONSTANT ? p.divisor_value : taps;
  if (taps > kMostSum / 255 || divisor > kMostMeanDivisor) return false;
  if (!SameBits(p.x_scale, p.y_scale) && (kCompact || divisor < taps || !HasRatio(p))) return false;
  if (plan.axes[0].kernel * plan.axes[1].kernel > kMostTaps16) return false;
  if (rule == LANEPOOL_DIVISOR_EXCLUDE_PAD || Unsigned(p.x_zero_point, p.x_type) == 0) return true;
  // As many zero points in the sum as it is divided by.
  if (divisor != taps) return false;
  for (const Axis<int64_t>& axis : plan.axes) {
    if (axis.lead > 0 || axis.interior_end < axis.output) return false;
  }
  return true;
}

bool SettlesMeans(const lanepool_params& p, const Plan& plan) {
  SmallRatio terms;
  return !HasTerms(p, plan, &terms);
}

bool TakesQuotients(const lanepool_params& p, const Plan& plan) {
  const bool sums = plan.quantization.stage == Stage::kSums && !IsExtreme(p.op);
  if (!sums || !IsByte(p.x_type) || !IsByte(p.y_type) || IsPerChannel(p)) return false;
  return IsNormal(p.x_scale) && IsNormal(p.y_scale) && KernelTaps(plan) <= INT32_MAX / 255;
}

namespace {

int32_t SettleMean(const void* outputs, uint32_t sum, int64_t divisor, int32_t near) {
  return static_cast<const MeanOutputs*>(outputs)->Near(sum, divisor, near);
}

}  // namespace

MeanRules MeanRulesOf(const lanepool_params& p, const Plan& plan, MeanOutputs* outputs) {
  MeanRules rules = {};
  const int64_t x_zero = Unsigned(p.x_zero_point, p.x_type);
  const int32_t y_zero = Unsigned(p.y_zero_point, p.y_type);
  ResultRange(p, &rules.least, &rules.most);
  rules.least = Unsigned(rules.least, p.y_type);
  rules.most = Unsigned(rules.most, p.y_type);
  rules.limited = rules.least != 0 || rules.most != 255;
  SmallRatio terms;
  if (!HasTerms(p, plan, &terms)) {
    const double ratio = double{p.x_scale} / double{p.y_scale};
    rules.times = static_cast<float>(ratio);
    rules.base = static_cast<float>(y_zero - static_cast<double>(x_zero) * ratio);
    rules.settle = &SettleMean;
    *outputs = MeanOutputs(RuleOf(p, TensorScales(p), 1, 1));
    rules.settler = outputs;
    return rules;
  }
  // Quotients are the real output without its zero point, and `up`: where there is nothing to add
  // for that they are means of the bytes as they are, else bytes.
  const bool same = terms.over == terms.under;
  const int64_t up = same ? x_zero : y_zero;
  rules.times = static_cast<float>(terms.over);
  rules.over = static_cast<float>(terms.under);
  rules.base = static_cast<float>(up * terms.under - x_zero * terms.over);
  rules.exceeds =
      !same || (DivisorRule(p) == LANEPOOL_DIVISOR_CONSTANT && p.divisor_value < KernelTaps(plan));
  rules.add = static_cast<int32_t>(y_zero - up);
  // What is rounded is to become even, or not negative, once `up` is taken away and, but for
  // HALF_EVEN, the zero point of y is added.
  const bool after = p.rounding == LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT;
  const int64_t shift = up + (after ? p.y_zero_point : 0);
  rules.ties = shift % 2 == 0 ? MeanRules::kEven : MeanRules::kOdd;
  if (p.rounding == LANEPOOL_ROUND_HALF_AWAY) rules.ties = MeanRules::kUp;
  rules.least_up = static_cast<int32_t>(up - p.y_zero_point);
  return rules;
}

void PlanQuantization(const lanepool_params& p, Plan* plan) {
  Quantization& q = plan->quantization;
  q = {};
  const bool max = IsExtreme(p.op);
  if (p.op == LANEPOOL_OP_MAX_UNPOOL) return;
  if (IsFloating(p.x_type)) {
    q.stage = SumsTerms(p, *plan) ? Stage::kMapped
              : IsByte(p.y_type)  ? Stage::kFloats
                                  : Stage::kNone;
    return;
  }
  const int64_t taps = KernelTaps(*plan);
  if (!max && taps > (IsShort(p.x_type) ? kMostTapsShorts : kMostTaps32)) {
    q.stage = Stage::kWideSums;
    return;
  }
  if (!IsByte(p.x_type)) {
    q.stage = max ? Stage::kNone : Stage::kSums;
    return;
  }
  if (!IsByte(p.y_type)) {
    q.stage = max ? Stage::kMaxima : Stage::kSums;
    return;
  }
  if (KeepsBytes(p)) return;
  ListKeys(p, plan);
  const bool per_channel = IsPerChannel(p);
  const bool formulas = per_channel ? !max : ListRequants(p, plan);
  const bool fused =
      formulas && q.key_count >= 0 && q.key_count <= kMostRequants && (max || taps <= kMostTaps16);
  if (!fused) q.stage = max ? Stage::kMaxima : Stage::kSums;
}

}  // namespace lanepool
