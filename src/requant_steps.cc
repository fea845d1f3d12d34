#include "requant_steps.h"

#include <stdlib.h>
#include <string.h>

#include "int128.h"
#include "lanepool/lanepool.h"

namespace lanepool {
namespace {

using Wide = Int128;

// Beyond every sum and every sum less its zero points: both stay below 255 * 2^32 < 2^40.
constexpr int64_t kFar = int64_t{1} << 41;

// mantissa * 2^exponent, mantissa odd and below 2^24.
struct Dyadic {
  uint32_t mantissa;
  int32_t exponent;
};

// On the bits: arithmetic on a subnormal would depend on the machine's flush-to-zero setting.
Dyadic Decode(float scale) {
  uint32_t bits;
  memcpy(&bits, &scale, sizeof bits);
  const int32_t biased = static_cast<int32_t>((bits >> 23) & 0xFF);
  const uint32_t fraction = bits & 0x7FFFFF;
  const uint32_t mantissa = biased == 0 ? fraction : fraction | 0x800000;
  const int32_t zeros = __builtin_ctz(mantissa);
  return {mantissa >> zeros, (biased == 0 ? 1 : biased) - 150 + zeros};
}

// Of 1 and more.
int32_t Bits(Wide value) {
  const uint64_t high = static_cast<uint64_t>(value >> 64);
  const uint64_t low = static_cast<uint64_t>(value);
  return high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
}

// 2 * v = A * over / under for the exact, unrounded output v of the sum A of x - x_zero_point.
struct Ratio {
  Wide over, under;
};

// The exponents of the scales can differ by up to 2^277. Whether A * over / under reaches an odd
// number h, |h| < 2^10, is decided before the ratio is that far from 1, so both sides are cut:
// - divisor * mantissa < 2^87, so with over >= 2^100 every A > 0 exceeds every h * under, and
//   every A < 0 falls below; equality stays impossible, h being odd and thus not 0.
// - |A| * mantissa < 2^40 * 2^24, so with under >= 2^65 no A at all reaches |h| * under.
// Products h * under stay below 2^10 * 2^110.
Ratio RatioOf(const RequantRule& rule) {
  const Dyadic x = Decode(rule.x_scale);
  const Dyadic y = Decode(rule.y_scale);
  const int32_t exponent = x.exponent - y.exponent + 1;
  Ratio ratio = {x.mantissa, static_cast<Wide>(rule.divisor) * y.mantissa};
  if (exponent >= 0) {
    ratio.over <<= exponent < 100 ? exponent : 100;
  } else if (Bits(ratio.under) - exponent <= 110) {
    ratio.under <<= -exponent;
  } else {
    ratio.under = static_cast<Wide>(1) << 110;
  }
  return ratio;
}

// The leading 62 bits of a value, and how many bits follow them (negative: zeros were appended).
struct Leading {
  uint64_t bits;
  int32_t dropped;
};

Leading LeadingOf(Wide value) {
  const int32_t dropped = Bits(value) - 62;
  return {static_cast<uint64_t>(dropped >= 0 ? value >> dropped : value << -dropped), dropped};
}

// over / (2 * under). Only a starting point for the search of multipliers, so that lower bits do
// not matter.
void SetSlope(const Ratio& ratio, RequantStairs* stairs) {
  const Leading over = LeadingOf(ratio.over);
  const Leading under = LeadingOf(ratio.under);
  const Wide raised = static_cast<Wide>(over.bits) << 62;
  stairs->slope = static_cast<uint64_t>(raised / under.bits);  // NOLINT: under.bits >= 2^61
  stairs->slope_shift = 62 + 1 + under.dropped - over.dropped;
}

// The output reaches q where v reaches q - y_zero_point - 1/2, that is, where A * over reaches
// h * under with h = 2 * (q - y_zero_point) - 1. From one q to the next the quotient grows by the
// same amount: one division serves all.
template <class Int>
void WalkStairs(const RequantRule& rule, Int over, Int under, RequantStairs* stairs) {
  const Int step = 2 * under / over;
  const Int step_rest = 2 * under % over;
  const Int first = (2 * (rule.y_least - rule.y_zero_point) - 1) * under;
  Int floor = first / over;
  Int rest = first % over;
  if (rest < 0) {
    rest += over;
    --floor;
  }
  const TieRule ties(rule);
  const int64_t bias = rule.taps * rule.x_zero_point;
  for (int32_t i = 0; i < stairs->count; ++i) {
    Int least = floor + 1;
    if (rest == 0) {
      const bool up = ties.GoesUp(i);
      if (up) least = floor;
      stairs->tie[i] = up ? Tie::kUp : Tie::kDown;
      stairs->has_ties = true;
    }
    if (least > kFar) least = kFar;
    if (least < -kFar) least = -kFar;
    stairs->at[i] = static_cast<int64_t>(least) + bias;
    floor += step;
    rest += step_rest;
    if (rest >= over) {
      rest -= over;
      ++floor;
    }
  }
}

// Products stay below 2^10 * under, sums of two remainders below 2 * over.
bool FitsInt64(const Ratio& ratio) { return Bits(ratio.under) <= 52 && Bits(ratio.over) <= 61; }

// Whether the output for `sum` is y or more, y_least < y <= y_most.
template <class Int>
bool Reaches(const RequantRule& rule, Int over, Int under, uint64_t sum, int32_t y) {
  const Int height = (2 * (y - rule.y_zero_point) - 1) * under;
  const Int a = static_cast<Int>(sum) - static_cast<Int>(rule.taps * rule.x_zero_point);
  const Int rest = height % over;
  const Int floor = height / over - (rest < 0);
  return rest == 0 && TieRule(rule).GoesUp(y - rule.y_least) ? a >= floor : a > floor;
}

// reaches(y): whether the output is y or more.
template <class Reach>
int32_t FindOutput(int32_t least, int32_t most, const Reach& reaches, int32_t near) {
  int32_t y = near;
  while (y > least && !reaches(y)) --y;
  while (y < most && reaches(y + 1)) ++y;
  return y;
}

}  // namespace

bool FindSmallRatio(float x_scale, float y_scale, int32_t most, SmallRatio* ratio) {
  const Dyadic x = Decode(x_scale), y = Decode(y_scale);
  uint32_t divisor = x.mantissa, rest = y.mantissa;
  while (rest != 0) {
    const uint32_t next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  int64_t over = x.mantissa / divisor, under = y.mantissa / divisor;
  const int32_t exponent = x.exponent - y.exponent;
  if (abs(exponent) > 30) return false;
  if (exponent > 0) over <<= exponent;
  if (exponent < 0) under <<= -exponent;
  if (over > most || under > most) return false;
  *ratio = {static_cast<int32_t>(over), static_cast<int32_t>(under)};
  return true;
}

TieRule::TieRule(const RequantRule& rule) {
  // The number that is rounded is even with i + parity_, and is the real output or that less the
  // zero point. The real output is positive from first_positive_ on.
  const bool after = rule.rounding == LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT;
  parity_ = rule.y_least + (after ? rule.y_low : rule.y_zero_point);
  first_positive_ = 1 - rule.y_low - rule.y_least;
  away_ = rule.rounding == LANEPOOL_ROUND_HALF_AWAY;
}

bool TieRule::GoesUp(int32_t i) const {
  return away_ ? i >= first_positive_ : ((i + parity_) & 1) == 0;
}

int32_t OutputNear(const RequantRule& rule, uint64_t sum, int32_t near) {
  const Ratio ratio = RatioOf(rule);
  const int32_t least = rule.y_least, most = rule.y_most;
  if (FitsInt64(ratio)) {
    const int64_t over = static_cast<int64_t>(ratio.over);
    const int64_t under = static_cast<int64_t>(ratio.under);
    const auto reaches = [&](int32_t y) { return Reaches(rule, over, under, sum, y); };
    return FindOutput(least, most, reaches, near);
  }
  const auto reaches = [&](int32_t y) { return Reaches(rule, ratio.over, ratio.under, sum, y); };
  return FindOutput(least, most, reaches, near);
}

MeanOutputs::MeanOutputs(const RequantRule& rule)
    : ties_(rule),
      x_zero_(rule.x_zero_point),
      y_zero_(rule.y_zero_point),
      least_(rule.y_least),
      most_(rule.y_most) {
  RequantRule single = rule;
  single.divisor = 1;
  const Ratio ratio = RatioOf(single);
  over_ = static_cast<int64_t>(ratio.over);
  under_ = static_cast<int64_t>(ratio.under);
}

int32_t MeanOutputs::Near(uint32_t sum, int64_t divisor, int32_t near) const {
  const Wide reached = (sum - divisor * x_zero_) * static_cast<Wide>(over_);
  const auto reaches = [&](int32_t y) {
    const Wide height = (2 * (y - y_zero_) - 1) * divisor * static_cast<Wide>(under_);
    return reached > height || (reached == height && ties_.GoesUp(y - least_));
  };
  return FindOutput(least_, most_, reaches, near);
}

void FindRequantStairs(const RequantRule& rule, RequantStairs* stairs) {
  const Ratio ratio = RatioOf(rule);
  SetSlope(ratio, stairs);
  stairs->count = rule.y_most - rule.y_least + 2;
  stairs->has_ties = false;
  memset(stairs->tie, 0, sizeof stairs->tie);
  if (FitsInt64(ratio)) {
    WalkStairs<int64_t>(rule, static_cast<int64_t>(ratio.over), static_cast<int64_t>(ratio.under),
                        stairs);
  } else {
    WalkStairs<Wide>(rule, ratio.over, ratio.under, stairs);
  }
}

int32_t RequantSteps(const RequantRule& rule, uint64_t (&steps)[kMostSteps]) {
  RequantStairs stairs = {};
  FindRequantStairs(rule, &stairs);
  const int64_t sum_most = 255 * rule.taps;
  int32_t reached = 0;
  for (int32_t i = 1; i <= rule.y_most - rule.y_least; ++i) {
    const int64_t at = stairs.at[i];
    steps[i - 1] = at > sum_most ? kNoSum : at < 0 ? 0 : static_cast<uint64_t>(at);
    if (at <= sum_most) reached = i;
  }
  return reached;
}

}  // namespace lanepool
