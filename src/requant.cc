#include "requant.h"

#include "requant_search.h"
#include "requant_steps.h"

namespace lanepool {
namespace {

constexpr int64_t kMost16 = UINT16_MAX;
constexpr int64_t kMost32 = UINT32_MAX;

// Of 2 and more.
int32_t Log2Ceil(int64_t value) { return 64 - __builtin_clzll(value - 1); }
int32_t Log2Floor(int64_t value) { return 63 - __builtin_clzll(value); }

// Sums in [0, sum_most] reach the steps into the outputs y_least + first + 1 .. y_least + last.
struct Reach {
  int64_t sum_most;
  int32_t first, last;
};

// How many of the steps between the clamp bounds lie at `sum` or below.
int32_t StepsUpTo(const RequantStairs& stairs, int64_t sum) {
  int32_t low = 0, high = stairs.count - 2;
  while (low < high) {
    const int32_t middle = low + (high - low + 1) / 2;
    if (stairs.at[middle] <= sum) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

Reach ReachOf(const RequantRule& rule, const RequantStairs& stairs) {
  const int64_t sum_most = 255 * rule.taps;
  return {sum_most, StepsUpTo(stairs, 0), StepsUpTo(stairs, sum_most)};
}

// The sums that a formula has to tell apart; others are clamped to them.
struct SumRange {
  int64_t least, most;
};

// From the last sum before the first step to the last step.
SumRange TightRange(const RequantStairs& stairs, const Reach& reach) {
  return {stairs.at[reach.first + 1] - 1, stairs.at[reach.last]};
}

// The same, and all sums besides on a side where no clamp bound holds the output back.
SumRange NaturalRange(const RequantStairs& stairs, const Reach& reach) {
  SumRange range = TightRange(stairs, reach);
  if (stairs.at[reach.first] <= 0) range.least = 0;
  if (stairs.at[reach.last + 1] > reach.sum_most) range.most = reach.sum_most;
  return range;
}

// Whether the exact ties alone rule out one line for all steps: where ties that go up, down and up
// again (or down, up and down) lie on the exact line, any other line misses one of the three.
bool TiesAlternate(const RequantStairs& stairs, const Reach& reach) {
  if (!stairs.has_ties) return false;
  int32_t changes = 0;
  Tie previous = Tie::kNone;
  for (int32_t i = reach.first + 1; i <= reach.last; ++i) {
    if (stairs.tie[i] == Tie::kNone) continue;
    if (previous != Tie::kNone && stairs.tie[i] != previous) ++changes;
    previous = stairs.tie[i];
  }
  return changes >= 2;
}

// Tries formulas for one staircase.
class Maker {
 public:
  Maker(const RequantStairs& stairs, const Reach& reach) : stairs_(stairs), reach_(reach) {}

  // Whether a formula of this kind exists for sums of this range; fills all but the sums of a
  // requant of zeros. `slack`: see Requant.
  bool Try(const SumRange& range, RequantKind kind, int32_t slack, Requant* requant) {
    slack_ = slack;
    staircase_ = {stairs_.at + reach_.first, range.least, range.most - range.least,
                  reach_.last - reach_.first};
    classes_ = RequantIsEven(kind) ? 2 : 1;
    requant->kind = kind;
    return RequantBits(kind) == 16 ? Try16(requant) : TryWide(RequantBits(kind), requant);
  }

  // The multiplier of a line that rounds to the nearest and takes every step, see Requant, or 0.
  // For the range of the last Try, from 0 on.
  uint16_t Rounded() const {
    const int64_t guess = Guess(15);
    if (IsRounded(guess)) return static_cast<uint16_t>(guess);
    return IsRounded(guess + 1) ? static_cast<uint16_t>(guess + 1) : uint16_t{0};
  }

  // By how much a line that rises by more than 1 per sum can pass its ends; 0 if it does not, or
  // so steeply that there are hardly any results between the ends.
  int32_t Slack() const {
    constexpr int64_t kSteep = 1000;
    const int64_t rise = Guess(0);
    return rise < 1 || rise > kSteep ? 0 : static_cast<int32_t>(rise) + 1;
  }

 private:
  // (d << pre_shift) + add and the multiplier fit 16 bits, so the product fits 32. Both are made as
  // long as they may be: what works with fewer bits works with everything doubled. But the largest
  // pre_shift can leave too little room for the offset, hence the second.
  // Only for sums that fit 16 bits.
  bool Try16(Requant* requant) {
    const int32_t widest = Log2Floor(kMost16 / staircase_.last);
    for (int32_t pre = widest; pre >= 0 && pre >= widest - 1; --pre) {
      int32_t shift = 32 - Log2Ceil(staircase_.count + 1);
      while (shift > 16 && Guess(shift - pre) >= kMost16) --shift;
      const LineFormat format = {pre, shift, kMost16, true, kMost16 - (staircase_.last << pre), 0};
      if (!Find(format, false, requant)) continue;
      requant->pre_shift = static_cast<uint8_t>(pre);
      requant->shift = static_cast<uint8_t>(shift - 16);
      return true;
    }
    return false;
  }

  // Nothing wraps, since all before the shift is below (count + 1 + 2 * slack) * 2^shift <= 2^bits.
  // A line that steep at most has a multiplier below 2^bits / last, which must fit 32 bits; and the
  // search wants two bits of a signed 64-bit integer to spare.
  bool TryWide(int32_t lane_bits, Requant* requant) {
    const int32_t reachable = 32 + Log2Floor(staircase_.last);
    int32_t bits = lane_bits == 32 ? 32 : 62;
    if (bits > reachable) bits = reachable;
    const int32_t shift = bits - Log2Ceil(staircase_.count + 1 + 2 * slack_);
    const bool halves = lane_bits == 32 && reach_.sum_most <= kMost16;
    if (!Find({0, shift, kMost32, false, 0, slack_}, halves, requant)) return false;
    requant->shift = static_cast<uint8_t>(RequantBits(requant->kind) == 16 ? shift - 16 : shift);
    requant->slack = static_cast<uint16_t>(slack_);
    requant->span = static_cast<uint16_t>(slack_ == 0 ? 0 : staircase_.count);
    return true;
  }

  bool IsRounded(int64_t multiplier) const {
    const auto result = [&](int64_t sum) { return (sum * multiplier + (1 << 14)) >> 15; };
    const int64_t last = staircase_.last;
    if (multiplier < 1 || multiplier > INT16_MAX || last > INT16_MAX) return false;
    for (int32_t j = 1; j <= staircase_.count; ++j) {
      const int64_t at = staircase_.at[j];
      if (result(at) < j || result(at - 1) >= j) return false;
    }
    return result(last) <= staircase_.count;
  }

  // The exact slope in units of 2^-shift, rounded down.
  int64_t Guess(int32_t shift) const {
    const int32_t drop = stairs_.slope_shift - shift;
    if (drop >= 64) return 0;
    return drop <= 0 ? INT64_MAX : static_cast<int64_t>(stairs_.slope >> drop);
  }

  // `halves`: a formula of 32 bits may become one of 16.
  bool Find(const LineFormat& format, bool halves, Requant* requant) {
    Line line;
    const int64_t guess = Guess(format.shift - format.pre_shift);
    if (!FindLine(staircase_, format, classes_, guess, &witnesses_, &line)) return false;
    requant->multiplier = static_cast<uint32_t>(line.multiplier);
    const int64_t result = int64_t{1} << format.shift;
    Halves both[2] = {};
    if (halves && FindHalves(line, &both)) return SetHalves(line, both, result, requant);
    if (classes_ == 2) {
      return SetEven(line, format.whole_units ? result / line.multiplier : result, requant);
    }
    requant->add = requant->add_high = static_cast<uint64_t>(line.least[0]);
    return true;
  }

  // An offset in [least, most] that is `low` multipliers and a multiple of 2^16. Then
  //   d * multiplier + offset >> 16  ==  ((d + low) * multiplier >> 16) + high,
  // where high, and the products' upper bits, may wrap as long as the result fits 16 bits.
  struct Halves {
    int64_t offset, low, high;
    uint64_t Add() const { return static_cast<uint64_t>((high & kMost16) << 16 | low); }
  };
  bool FindHalves(const Line& line, int32_t c, Halves* halves) const {
    constexpr int64_t kTries = 512;
    const int64_t room = kMost16 - staircase_.last;
    for (int64_t low = 0; low <= room && low < kTries; ++low) {
      const int64_t product = low * line.multiplier;
      const int64_t high = (line.most[c] - product) >> 16;
      *halves = {product + high * (int64_t{1} << 16), low, high};
      if (halves->offset >= line.least[c]) return true;
    }
    return false;
  }
  bool FindHalves(const Line& line, Halves (*halves)[2]) const {
    for (int32_t c = 0; c < classes_; ++c) {
      if (!FindHalves(line, c, &(*halves)[c])) return false;
    }
    return true;
  }
  // See SetEven, but offsets are any that have halves.
  bool SetHalves(const Line& line, const Halves (&halves)[2], int64_t result,
                 Requant* requant) const {
    if (classes_ == 1) {
      requant->kind = RequantKind::kMul16x32;
      requant->add = requant->add_high = halves[0].Add();
      return true;
    }
    const int32_t upper = line.least[1] >= line.least[0] ? 1 : 0;
    requant->kind = RequantKind::kMul16x32Even;
    requant->flip = static_cast<uint8_t>(1 - upper);
    requant->add = halves[1 - upper].Add();
    requant->add_high = halves[upper].Add();
    return halves[upper].offset - halves[1 - upper].offset <= result;
  }

  // One multiplier, two offsets, the larger one becoming add_high; `result` is what makes one
  // result more. Why that takes every step at its sum:
  //
  // low and high are results of one non-decreasing formula with add <= add_high <= add + result,
  // so low <= high <= low + 1. The output is non-decreasing too: where low stays, its parity and so
  // the choice stay; where low grows, output <= low_before + 1 <= low_after <= output_after.
  // Steps j whose class uses add, so that low == j - 1 selects low: at the step low >= j; one
  // before it low <= j - 1, and is selected or else output <= low + 1 <= j - 1.
  // Steps j whose class uses add_high, so that low == j - 1 selects high: at the step high >= j,
  // hence low >= j, or low == j - 1 and high is selected; one before it output <= high <= j - 1.
  static bool SetEven(const Line& line, int64_t result, Requant* requant) {
    // The larger of the least offsets, and the other class's offset as near to it as it may be. One
    // offset for both would make one line of them, which TiesAlternate has ruled out.
    const int32_t upper = line.least[1] >= line.least[0] ? 1 : 0;
    const int64_t add_high = line.least[upper];
    const int64_t add = line.most[1 - upper];
    // Class 1 is the steps into even results, that is, out of odd ones.
    requant->flip = static_cast<uint8_t>(1 - upper);
    requant->add = static_cast<uint64_t>(add);
    requant->add_high = static_cast<uint64_t>(add_high);
    return add_high - add <= result;
  }

  const RequantStairs& stairs_;
  const Reach reach_;
  Staircase staircase_ = {};
  int32_t slack_ = 0;
  int32_t classes_ = 1;
  Witnesses witnesses_ = {};
};

// Multiplier 0 and one offset: right for every sum.
Requant ConstantRequant(RequantKind kind, int32_t y) {
  Requant requant = {};
  requant.kind = kind;
  requant.y_offset = static_cast<uint8_t>(y);
  requant.plain = 1;
  return requant;
}

}  // namespace

Requant MakeRequant(const RequantRule& rule) {
  RequantStairs stairs;
  FindRequantStairs(rule, &stairs);
  const Reach reach = ReachOf(rule, stairs);
  const bool fits16 = reach.sum_most <= kMost16;
  if (reach.first == reach.last) {
    const RequantKind kind = fits16 ? RequantKind::kMul16 : RequantKind::kMul32;
    return ConstantRequant(kind, rule.y_least + reach.first);
  }
  const SumRange tight = TightRange(stairs, reach);
  const SumRange ranges[] = {NaturalRange(stairs, reach), tight, tight};  // the last with slack
  const bool same = ranges[0].least == ranges[1].least && ranges[0].most == ranges[1].most;
  const bool even = TiesAlternate(stairs, reach);
  Maker maker(stairs, reach);
  const int32_t slack = maker.Slack();
  Requant requant;
  const auto make = [&](const SumRange& range, RequantKind kind, int32_t with_slack) {
    requant = {};
    if (!maker.Try(range, kind, with_slack, &requant)) return false;
    requant.y_offset = static_cast<uint8_t>(rule.y_least + reach.first);
    requant.sum_least = static_cast<uint32_t>(range.least);
    requant.sum_most = static_cast<uint32_t>(range.most);
    requant.plain = range.least == 0 && range.most == reach.sum_most ? 1 : 0;
    if (kind == RequantKind::kMul16 && requant.plain != 0) requant.rounded = maker.Rounded();
    return true;
  };
  constexpr RequantKind kKinds[] = {RequantKind::kMul16, RequantKind::kMul16Even,
                                    RequantKind::kMul32, RequantKind::kMul32Even,
                                    RequantKind::kMul64, RequantKind::kMul64Even};
  for (const RequantKind kind : kKinds) {
    if (reach.sum_most > kMost32 || RequantIsEven(kind) != even) continue;
    if (RequantBits(kind) == 16 && !fits16) continue;
    const bool slackens = kind == RequantKind::kMul64 && slack > 0;
    for (int32_t r = same ? 1 : 0; r < (slackens ? 3 : 2); ++r) {
      if (make(ranges[r], kind, r == 2 ? slack : 0)) return requant;
    }
  }
  return ConstantRequant(RequantKind::kSteps, rule.y_least);
}

}  // namespace lanepool
