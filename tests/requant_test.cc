// Requantization against exact rationals: every sum of windows up to 257 taps, the steps and their
// surroundings beyond.
#include "requant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "int128.h"
#include "requant_oracle.h"
#include "requant_steps.h"
#include "support/random.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace lanepool {
namespace {

using requant_oracle::Oracle;
using support::Random;

constexpr int kKinds = 9;
constexpr int32_t kRoundings[] = {
    LANEPOOL_ROUND_HALF_EVEN, LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT, LANEPOOL_ROUND_HALF_AWAY};
constexpr int64_t kTaps16[] = {1,  2,  3,  4,  5,   6,   7,   8,   9,   12,  16,  18,  25,  27, 32,
                               36, 49, 64, 81, 100, 121, 128, 144, 169, 196, 225, 243, 256, 257};
constexpr int64_t kTapsWide[] = {258,   289,     324,      400,      784,       3136,
                                 65536, 1000000, 16843009, 16843010, UINT32_MAX};

static_assert(sizeof(Requant) <= 56, "a plan holds several");
static_assert(std::is_trivially_copyable<Requant>::value, "part of a sealed desc");
static_assert(std::has_unique_object_representations<Requant>::value, "compared byte by byte");

// Equal scales, both zero points in the middle, u8, no clamp.
RequantRule Rule(int64_t taps) {
  return {0.1f, 0.1f, 128, 128, 0, 255, 0, LANEPOOL_ROUND_HALF_EVEN, taps, taps};
}

std::string Describe(const RequantRule& r) {
  std::ostringstream text;
  text << std::hexfloat << "x_scale " << r.x_scale << " y_scale " << r.y_scale << " x_zero_point "
       << r.x_zero_point << " y_zero_point " << r.y_zero_point << " y " << r.y_least << ".."
       << r.y_most << " y_low " << r.y_low << " rounding " << r.rounding << " taps " << r.taps
       << " divisor " << r.divisor;
  return text.str();
}

uint64_t SumMost(const RequantRule& rule) { return 255 * static_cast<uint64_t>(rule.taps); }

// ------------------------------------------------------------------------- random rules

struct Scales {
  const char* name;
  float x, y;  // 0: random, and see below
};
constexpr float kSpanning = -1;  // random, so that the averages span some of the outputs
constexpr float kFarApart = -2;  // random, any ratio from 2^-70 to 2^70

constexpr Scales kScales[] = {
    {"equal", 0.1f, 0.1f},
    {"one", 1.f, 1.f},
    {"double", 0.5f, 0.25f},
    {"half", 0.25f, 0.5f},
    {"eighth", 1.f, 8.f},
    {"times_64", 64.f, 1.f},
    {"three_halves", 3.f, 2.f},
    {"five_sixteenths", 5.f, 16.f},
    {"29_32nds", 29.f, 32.f},  // ties that only long multipliers take
    {"random", 0, 0},
    {"random_far", kFarApart, kFarApart},
    {"spanning", 0, kSpanning},
    {"spanning_from_subnormal", 1.1e-41f, kSpanning},
    {"near_equal", 0.1f, 0.10000001f},
    {"subnormal_equal", 1e-41f, 1e-41f},
    {"subnormal_thirds", 2e-45f, 5e-45f},
    {"subnormal_to_normal", 9e-39f, 2e-38f},
    {"normal_to_subnormal", 2e-38f, 9e-39f},
    {"ratio_1e15", 1e12f, 1e-3f},
    {"ratio_1e-15", 1e-3f, 1e12f},
    {"ratio_1e76", 1e38f, 1e-38f},
    {"ratio_1e-76", 1e-38f, 1e38f},
    {"widest", FLT_MAX, 1.4e-45f},
    {"narrowest", 1.4e-45f, FLT_MAX},
};

// Uniform in [low, high) on 24 bits, times a power of two.
float RandomScale(Random* random, int least_exponent, int most_exponent) {
  const auto mantissa = static_cast<float>(random->Between(1 << 23, (1 << 24) - 1));
  return std::ldexp(mantissa,
                    static_cast<int>(random->Between(least_exponent, most_exponent)) - 24);
}

void SetScales(const Scales& scales, Random* random, RequantRule* rule) {
  const auto scale = [&](float fixed) {
    if (fixed == kFarApart) return RandomScale(random, -35, 35);
    return fixed != 0 ? fixed : RandomScale(random, -6, 0);
  };
  rule->x_scale = scale(scales.x);
  rule->y_scale = scale(scales.y);
  if (scales.y == kSpanning) {
    const double one_output = static_cast<double>(rule->x_scale) * static_cast<double>(rule->taps) /
                              static_cast<double>(rule->divisor);
    const double outputs = static_cast<double>(RandomScale(random, -6, 2));
    rule->y_scale = std::max(static_cast<float>(one_output / outputs), FLT_TRUE_MIN);
  }
}

int64_t RandomDivisor(int64_t taps, Random* random) {
  const int choice = static_cast<int>(random->Between(0, 9));
  if (choice < 6) return taps;
  if (choice < 7) return taps + random->Between(0, 2 * taps);  // a fuller kernel
  if (choice < 8) return random->Between(1, 300);
  if (choice < 9) return int64_t{1} << random->Between(0, 62);
  return random->Between(INT64_MAX - 5, INT64_MAX);
}

void SetPointsAndClamp(Random* random, RequantRule* rule) {
  const auto byte = [&] { return static_cast<int32_t>(random->Between(0, 255)); };
  rule->x_zero_point = random->Percent(60) ? random->Pick({0, 1, 127, 128, 255}) : byte();
  rule->y_zero_point = random->Percent(60) ? random->Pick({0, 1, 127, 128, 255}) : byte();
  rule->y_low = random->Pick({0, -128});
  rule->y_least = 0;
  rule->y_most = 255;
  if (random->Percent(40)) {
    rule->y_least = random->Percent(50) ? rule->y_zero_point : byte();
    rule->y_most = random->Percent(30) ? 255 : byte();
    if (rule->y_least > rule->y_most) std::swap(rule->y_least, rule->y_most);
  }
}

RequantRule RandomRule(int64_t taps, const Scales& scales, int32_t rounding, Random* random) {
  RequantRule rule = Rule(taps);
  rule.rounding = rounding;
  rule.divisor = RandomDivisor(taps, random);
  SetScales(scales, random, &rule);
  SetPointsAndClamp(random, &rule);
  return rule;
}

// ------------------------------------------------------------------------- comparison

struct Tally {
  int64_t rules[kKinds] = {};
  int64_t plain = 0, sums = 0;

  int64_t All() const {
    int64_t all = 0;
    for (int64_t n : rules) all += n;
    return all;
  }
};

void Print(const std::string& title, const Tally& tally) {
  const auto all = static_cast<double>(tally.All());
  std::printf("%22s: %6lld rules, %9lld sums;", title.c_str(), static_cast<long long>(tally.All()),
              static_cast<long long>(tally.sums));
  for (int k = 0; k < kKinds; ++k) {
    const double share = 100.0 * static_cast<double>(tally.rules[k]) / all;
    std::printf(" %s %.1f%%", RequantName(static_cast<RequantKind>(k)), share);
  }
  std::printf("; plain %.1f%%\n", 100.0 * static_cast<double>(tally.plain) / all);
}

// The limits that kernels rely on: no lane wraps for any d that the clamp lets through.
void CheckLanes(const Requant& q, const RequantRule& rule) {
  using Wide = Uint128;
  const int32_t bits = RequantBits(q.kind);
  if (bits == 0 || q.multiplier == 0) return;
  const Wide d = q.sum_most - q.sum_least;
  ASSERT_LE(q.sum_least, q.sum_most);
  ASSERT_LE(q.sum_most, SumMost(rule));
  const bool halves = q.kind == RequantKind::kMul16x32 || q.kind == RequantKind::kMul16x32Even;
  ASSERT_TRUE(halves || q.add <= q.add_high);
  ASSERT_LE(q.flip, 1);
  ASSERT_TRUE(RequantIsEven(q.kind) || q.add == q.add_high);
  ASSERT_EQ(q.plain, q.sum_least == 0 && q.sum_most == SumMost(rule));
  ASSERT_TRUE(q.slack == 0 ? q.span == 0 : q.kind == RequantKind::kMul64);
  ASSERT_LE(q.span, rule.y_most - rule.y_least);
  if (bits == 16) {
    ASSERT_LE(SumMost(rule), 65535u);
    ASSERT_LE(q.shift, 15);
    if (halves) {
      // What wraps besides is checked where it does not, in the same formula of 32 bits.
      for (const uint64_t add : {q.add, q.add_high}) {
        ASSERT_LE(d + (add & 0xFFFF), Wide{65535});
        ASSERT_EQ(add >> 32, 0u);
      }
      ASSERT_EQ(q.pre_shift, 0);
      return;
    }
    ASSERT_LE(q.multiplier, 65535u);
    ASSERT_LE((d << q.pre_shift) + q.add_high, Wide{65535});
    return;
  }
  ASSERT_EQ(q.pre_shift, 0);
  ASSERT_LT(q.shift, bits);
  ASSERT_EQ((d * q.multiplier + q.add_high) >> bits, Wide{0});
}

// One rule and all that MakeRequant made of it.
class Checked {
 public:
  explicit Checked(const RequantRule& rule)
      : oracle_(rule),
        rule_(rule),
        requant_(MakeRequant(rule)),
        wide32_(WidenRequant(requant_, 32)),
        wide64_(WidenRequant(requant_, 64)),
        reached_(RequantSteps(rule, steps_)) {}

  const Requant& Made() const { return requant_; }

  void Count(Tally* tally) const {
    ++tally->rules[static_cast<int>(requant_.kind)];
    tally->plain += requant_.plain;
    tally->sums += sums_;
  }

  // Lane limits, kinds that are allowed for this many taps, the definition of the steps.
  void CheckFacts() const {
    SCOPED_TRACE(Describe(rule_));
    for (const Requant& q : {requant_, wide32_, wide64_}) CheckLanes(q, rule_);
    ASSERT_TRUE(requant_.kind == RequantKind::kSteps || RequantBits(wide32_.kind) >= 32);
    ASSERT_TRUE(requant_.kind == RequantKind::kSteps || RequantBits(wide64_.kind) == 64);
    ASSERT_TRUE(rule_.taps <= 257 || RequantBits(requant_.kind) != 16);
    for (const Requant& q : {wide32_, wide64_}) {
      ASSERT_EQ(RequantIsEven(q.kind), RequantIsEven(requant_.kind));
    }
    // All ties go up.
    const bool one_way = rule_.rounding == LANEPOOL_ROUND_HALF_AWAY && rule_.y_low == 0;
    ASSERT_FALSE(one_way && RequantIsEven(requant_.kind));
    const int32_t count = rule_.y_most - rule_.y_least;
    ASSERT_LE(reached_, count);
    for (int32_t i = 0; i < count; ++i) {
      const int32_t q = rule_.y_least + 1 + i;
      if (i >= reached_) {
        ASSERT_EQ(steps_[i], kNoSum);
        ASSERT_GT(steps_[i], SumMost(rule_));
        ASSERT_LT(oracle_(SumMost(rule_)), q);
        continue;
      }
      ASSERT_LE(steps_[i], SumMost(rule_));
      ASSERT_GE(oracle_(steps_[i]), q) << "step " << steps_[i];
      ASSERT_TRUE(steps_[i] == 0 || oracle_(steps_[i] - 1) < q) << "step " << steps_[i];
    }
  }

  // False at the first sum where a formula and the oracle differ.
  bool CheckSums(uint64_t first, uint64_t last) {
    for (uint64_t sum = first; sum <= last; ++sum) {
      const int32_t expected = oracle_(sum);
      if (Output(requant_, sum) != expected || Output(wide32_, sum) != expected ||
          Output(wide64_, sum) != expected) {
        ADD_FAILURE() << Describe(rule_) << "\n  " << RequantName(requant_.kind) << " sum " << sum
                      << ": expected " << expected << ", is " << Output(requant_, sum)
                      << ", in 32 bits " << Output(wide32_, sum) << ", in 64 bits "
                      << Output(wide64_, sum);
        return false;
      }
      if (sum % 16 == 0 && !CheckNear(sum, expected)) return false;
      if (requant_.rounded != 0 && !CheckRounded(sum, expected)) return false;
    }
    sums_ += static_cast<int64_t>(last - first + 1);
    return true;
  }

  // The steps and two sums on each side, both ends, and random sums.
  bool CheckAroundSteps(Random* random) {
    const uint64_t most = SumMost(rule_);
    const auto around = [&](uint64_t sum) {
      return CheckSums(sum < 2 ? 0 : sum - 2, std::min(most, sum + 2));
    };
    if (!around(0) || !around(most)) return false;
    for (int32_t i = 0; i < reached_; ++i) {
      if (!around(steps_[i])) return false;
    }
    for (int i = 0; i < 200; ++i) {
      const uint64_t sum = random->Bits() % (most + 1);
      if (!CheckSums(sum, sum)) return false;
    }
    return true;
  }

 private:
  // From the output itself and from those beside it.
  bool CheckNear(uint64_t sum, int32_t expected) const {
    for (int32_t near = expected - 1; near <= expected + 1; ++near) {
      const int32_t start = std::clamp(near, rule_.y_least, rule_.y_most);
      const int32_t found = OutputNear(rule_, sum, start);
      if (found == expected) continue;
      ADD_FAILURE() << Describe(rule_) << "\n  sum " << sum << " near " << start << ": expected "
                    << expected << ", is " << found;
      return false;
    }
    return true;
  }

  // One multiplication of signed 16-bit lanes that rounds.
  bool CheckRounded(uint64_t sum, int32_t expected) const {
    const int64_t lane = static_cast<int16_t>(sum), factor = static_cast<int16_t>(requant_.rounded);
    const int64_t found = (lane * factor + (1 << 14)) / (1 << 15) + requant_.y_offset;
    if (found == expected && requant_.kind == RequantKind::kMul16 && requant_.plain == 1) {
      return true;
    }
    ADD_FAILURE() << Describe(rule_) << "\n  sum " << sum << " times " << requant_.rounded
                  << ": expected " << expected << ", is " << found;
    return false;
  }

  // ApplyRequant, but without finding the steps anew for each of many sums.
  int32_t Output(const Requant& requant, uint64_t sum) const {
    if (requant.kind != RequantKind::kSteps || sum % 1024 == 0) {
      return ApplyRequant(requant, rule_, sum);
    }
    const auto above = std::upper_bound(steps_, steps_ + reached_, sum);
    return requant.y_offset + static_cast<int32_t>(above - steps_);
  }

  Oracle oracle_;
  RequantRule rule_;
  uint64_t steps_[255];
  Requant requant_, wide32_, wide64_;
  int32_t reached_;
  int64_t sums_ = 0;
};

int32_t Apply(const RequantRule& rule, uint64_t sum) {
  return ApplyRequant(MakeRequant(rule), rule, sum);
}

std::vector<int32_t> ApplyAll(const RequantRule& rule, std::initializer_list<uint64_t> sums) {
  std::vector<int32_t> outputs;
  for (uint64_t sum : sums) outputs.push_back(Apply(rule, sum));
  return outputs;
}

// ------------------------------------------------------------------------- facts, spelled out

using Outputs = std::vector<int32_t>;

TEST(Requant, LanesOfTheKinds) {
  const int32_t bits[kKinds] = {16, 16, 16, 16, 32, 32, 64, 64, 0};
  for (int k = 0; k < kKinds; ++k) {
    EXPECT_EQ(RequantBits(static_cast<RequantKind>(k)), bits[k]);
    EXPECT_EQ(RequantIsEven(static_cast<RequantKind>(k)), k % 2 == 1);
  }
}

// docs/semantics.md 7.1: the pairs 0,1 | 1,2 | 2,3 | 3,4, both scales 1.
TEST(Requant, TieTable) {
  RequantRule rule = Rule(2);
  rule.x_scale = rule.y_scale = 1;
  rule.x_zero_point = rule.y_zero_point = 0;
  const auto outputs = [&](int32_t rounding, int32_t y_zero_point) {
    rule.rounding = rounding;
    rule.y_zero_point = y_zero_point;
    return ApplyAll(rule, {1, 3, 5, 7});
  };
  EXPECT_EQ(outputs(LANEPOOL_ROUND_HALF_EVEN, 0), (Outputs{0, 2, 2, 4}));
  EXPECT_EQ(outputs(LANEPOOL_ROUND_HALF_EVEN, 1), (Outputs{1, 3, 3, 5}));
  EXPECT_EQ(outputs(LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT, 0), (Outputs{0, 2, 2, 4}));
  EXPECT_EQ(outputs(LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT, 1), (Outputs{2, 2, 4, 4}));
  EXPECT_EQ(outputs(LANEPOOL_ROUND_HALF_AWAY, 0), (Outputs{1, 2, 3, 4}));
  EXPECT_EQ(outputs(LANEPOOL_ROUND_HALF_AWAY, 1), (Outputs{2, 3, 4, 5}));
}

// Away from zero goes by the real value: -0.5, -1.5 and 0.5, 1.5 of s8 with zero points 0.
TEST(Requant, HalfAwayIsSigned) {
  RequantRule rule = Rule(2);
  rule.rounding = LANEPOOL_ROUND_HALF_AWAY;
  rule.y_low = -128;
  EXPECT_EQ(ApplyAll(rule, {256 - 3, 256 - 1, 256, 256 + 1, 256 + 3}),
            (Outputs{128 - 2, 128 - 1, 128, 128 + 1, 128 + 2}));
  rule.y_low = 0;  // the same bytes as u8 with zero points 128: all real outputs are positive
  EXPECT_EQ(ApplyAll(rule, {256 - 3, 256 - 1, 256, 256 + 1, 256 + 3}),
            (Outputs{128 - 1, 128, 128, 128 + 1, 128 + 2}));
}

// Odd numbers of taps have no ties. 32768 / 25 is too far from any integer for as many sums.
TEST(Requant, AveragesThatRound) {
  const auto rounded = [](int64_t taps) { return MakeRequant(Rule(taps)).rounded; };
  EXPECT_EQ(rounded(3), 10922);
  EXPECT_EQ(rounded(9), 3641);
  for (const int64_t taps : {2, 4, 6, 16, 25, 49}) EXPECT_EQ(rounded(taps), 0) << taps;
  RequantRule shifted = Rule(9);  // more outputs than a clamp leaves
  shifted.y_zero_point = 127;
  EXPECT_EQ(MakeRequant(shifted).rounded, 0);
  EXPECT_EQ(WidenRequant(MakeRequant(Rule(9)), 32).rounded, 0);
}

// Rows 51, 53, 55, 56 and 58 of docs/semantics.md section 10.
TEST(Requant, QuantizedRows) {
  RequantRule extreme = Rule(2);
  extreme.x_scale = 1e12f;
  extreme.y_scale = 1e-3f;
  extreme.y_zero_point = 0;
  EXPECT_EQ(ApplyAll(extreme, {510, 0, 256, 257}), (Outputs{255, 0, 0, 255}));

  RequantRule full_kernel = Rule(2);
  full_kernel.x_zero_point = full_kernel.y_zero_point = 0;
  full_kernel.divisor = 3;
  EXPECT_EQ(Apply(full_kernel, 16), 5);

  RequantRule include = Rule(2);
  include.x_scale = include.y_scale = 0.5f;
  include.x_zero_point = include.y_zero_point = 10;
  EXPECT_EQ(ApplyAll(include, {30, 50}), (Outputs{15, 25}));
  include.divisor = 3;
  EXPECT_EQ(ApplyAll(include, {30, 50}), (Outputs{13, 20}));

  RequantRule to_s8 = Rule(2);
  to_s8.x_scale = .1f;
  to_s8.y_scale = .2f;
  to_s8.x_zero_point = 0;
  to_s8.y_zero_point = 255;
  to_s8.y_low = -128;
  EXPECT_EQ(ApplyAll(to_s8, {255, 0}), (Outputs{255, 255}));
}

TEST(Requant, NothingToChooseFrom) {
  RequantRule empty = Rule(0);
  empty.divisor = 9;
  EXPECT_EQ(Apply(empty, 0), 128);
  EXPECT_EQ(MakeRequant(empty).multiplier, 0u);
  EXPECT_EQ(MakeRequant(empty).plain, 1);

  RequantRule one_output = Rule(9);
  one_output.y_least = one_output.y_most = 7;
  EXPECT_EQ(ApplyAll(one_output, {0, 1000, 2295}), (Outputs{7, 7, 7}));
  EXPECT_EQ(MakeRequant(one_output).multiplier, 0u);

  RequantRule narrowest = Rule(65536);  // every average rounds to the zero point
  narrowest.x_scale = 1.4e-45f;
  narrowest.y_scale = FLT_MAX;
  EXPECT_EQ(ApplyAll(narrowest, {0, 16711680}), (Outputs{128, 128}));
  EXPECT_EQ(MakeRequant(narrowest).multiplier, 0u);
}

// 255 * 16843009 is the greatest sum of 32 bits. Its average has steps in all of 255 outputs and
// sums, so that products come as near to the end of their lanes as they do.
TEST(Requant, TheMostTapsOf32Bits) {
  Random random(9);
  for (int32_t rounding : kRoundings) {
    RequantRule rule = Rule(16843009);
    rule.rounding = rounding;
    Checked checked(rule);
    checked.CheckFacts();
    ASSERT_TRUE(checked.CheckAroundSteps(&random));
    EXPECT_NE(checked.Made().kind, RequantKind::kSteps);
    rule.taps = 16843010;
    EXPECT_EQ(MakeRequant(rule).kind, RequantKind::kSteps);
  }
}

// What the usual models need: the cheapest formulas, and no clamp.
TEST(Requant, EqualScalesAreCheap) {
  for (int64_t taps : {4, 9, 16, 25, 49, 64}) {
    for (int32_t rounding : kRoundings) {
      for (int32_t y_low : {0, -128}) {
        RequantRule rule = Rule(taps);
        rule.rounding = rounding;
        rule.y_low = y_low;
        const Requant requant = MakeRequant(rule);
        EXPECT_EQ(RequantBits(requant.kind), 16) << Describe(rule);
        EXPECT_EQ(requant.plain, 1) << Describe(rule);
        const bool ties_to_even = taps % 2 == 0 && rounding != LANEPOOL_ROUND_HALF_AWAY;
        EXPECT_EQ(RequantIsEven(requant.kind), ties_to_even) << Describe(rule);
      }
    }
  }
}

// 255 * 257 is the greatest sum of 16 bits.
TEST(Requant, TheMostTapsOf16Bits) {
  EXPECT_EQ(RequantBits(MakeRequant(Rule(257)).kind), 16);
  EXPECT_NE(RequantBits(MakeRequant(Rule(258)).kind), 16);
}

// Three steps with ties are the fewest that no single line takes: pairs, clamped to few outputs.
TEST(Requant, FewTies) {
  for (int32_t outputs = 1; outputs <= 6; ++outputs) {
    RequantRule rule = Rule(2);
    rule.y_least = 100;
    rule.y_most = 100 + outputs;
    Checked checked(rule);
    checked.CheckFacts();
    ASSERT_TRUE(checked.CheckSums(0, SumMost(rule)));
    EXPECT_EQ(RequantIsEven(checked.Made().kind), outputs >= 3) << outputs;
    EXPECT_EQ(RequantBits(checked.Made().kind), 16);
  }
}

// Searches that meet more contradictions than they remember: one rule in millions.
TEST(Requant, LongSearches) {
  const RequantRule rules[] = {
      {0x1.e6p+9f, 0x1.23p+8f, 25, 128, 0, 255, -128, 1, 128, 256},
      {0x1.c4p+7f, 0x1.1ap+7f, 128, 105, 0, 255, 0, 1, 196, 196},
      {0x1.9cp+6f, 0x1.38p+6f, 213, 128, 0, 255, -128, 0, 130, 130},
      {0x1.8cp+6f, 0x1.4p+4f, 57, 65, 0, 255, -128, 0, 247, 247},
      {0x1.7p+6f, 0x1.4p+6f, 225, 128, 0, 255, 0, 1, 141, 141},
      {0x1.fcp+7f, 0x1.48p+7f, 163, 163, 0, 255, -128, 2, 177, 177},
      {0x1.06p+7f, 0x1.98p+5f, 128, 101, 0, 255, 0, 0, 212, 212},
  };
  for (const RequantRule& rule : rules) {
    Checked checked(rule);
    checked.CheckFacts();
    ASSERT_TRUE(checked.CheckSums(0, SumMost(rule)));
  }
}

// Flush-to-zero and the rounding mode must not reach the plan, nor the outputs.
TEST(Requant, FloatEnvironmentDoesNotMatter) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const RequantRule rule = RandomRule(random.Between(1, 300), kScales[i % std::size(kScales)],
                                        kRoundings[i % 3], &random);
    const Requant expected = MakeRequant(rule);
    for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
      ASSERT_EQ(std::fesetround(mode), 0);
#if defined(__SSE2__)
      _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
      const Requant requant = MakeRequant(rule);
#if defined(__SSE2__)
      _mm_setcsr(_mm_getcsr() & ~0x8040u);
#endif
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(std::memcmp(&requant, &expected, sizeof requant), 0) << Describe(rule);
    }
  }
}

// ------------------------------------------------------------------------- sweeps

// All sums for rules of every kind of scales, rounding, zero points, divisors and clamps; of each
// number of taps rules with so many sums.
void SweepSums(int64_t sums_per_taps, Tally* all) {
  Random random(1);
  for (int64_t taps : kTaps16) {
    Tally tally;
    for (int turn = 0; tally.sums < sums_per_taps && tally.All() < 4000; ++turn) {
      for (const Scales& scales : kScales) {
        const RequantRule rule = RandomRule(taps, scales, kRoundings[turn % 3], &random);
        Checked checked(rule);
        checked.CheckFacts();
        if (!checked.CheckSums(0, SumMost(rule))) return;
        if (testing::Test::HasFatalFailure()) return;
        checked.Count(&tally);
      }
    }
    Print(std::to_string(taps) + " taps", tally);
    for (int k = 0; k < kKinds; ++k) all->rules[k] += tally.rules[k];
    all->plain += tally.plain;
    all->sums += tally.sums;
  }
  Print("all", *all);
  for (int k = 0; k < kKinds; ++k) {
    EXPECT_GT(all->rules[k], 0) << RequantName(static_cast<RequantKind>(k)) << " never occurred";
  }
}

TEST(RequantSweep, EverySum) {
  Tally all;
  SweepSums(4200000, &all);
  EXPECT_GE(all.sums, 100000000);
}

// So few that mutation.py has the time.
TEST(RequantSweep, SomeSums) {
  Tally all;
  SweepSums(300000, &all);
  EXPECT_GE(all.sums, 18000000);
}

// More taps than 32 bits hold included: there the steps must still lie where they should.
TEST(RequantSweep, StepsOfWideSums) {
  Random random(2);
  Tally all;
  for (int64_t taps : kTapsWide) {
    Tally tally;
    for (int turn = 0; turn < 12; ++turn) {
      for (const Scales& scales : kScales) {
        Checked checked(RandomRule(taps, scales, kRoundings[turn % 3], &random));
        checked.CheckFacts();
        if (!checked.CheckAroundSteps(&random) || HasFatalFailure()) return;
        checked.Count(&tally);
      }
    }
    Print(std::to_string(taps) + " taps", tally);
    for (int k = 0; k < kKinds; ++k) all.rules[k] += tally.rules[k];
  }
  for (RequantKind kind : {RequantKind::kMul32, RequantKind::kMul32Even, RequantKind::kMul64,
                           RequantKind::kMul64Even, RequantKind::kSteps}) {
    EXPECT_GT(all.rules[static_cast<int>(kind)], 0) << RequantName(kind) << " never occurred";
  }
}

// How often each formula is found for scales that have nothing to do with each other, ratio 1/4 to
// 4, and for equal scales; checked around the steps. The search may become better, not worse: of
// 2400 rules, so many have formulas in 16 bits, those with a multiplier of 16 bits, ones in up to
// 32, and ones that no clamp precedes.
TEST(RequantSweep, SharesOfKinds) {
  struct Shares {
    bool equal;
    int64_t short_lines, bits16, bits32, plain;
  };
  Random random(5);
  for (const Shares& least :
       {Shares{true, 1936, 1967, 2000, 2400}, Shares{false, 954, 1813, 1873, 486}}) {
    Tally all;
    for (int64_t taps : {2, 4, 6, 9, 16, 25, 49, 64, 100, 196, 784, 3136}) {
      Tally tally;
      for (int i = 0; i < 200; ++i) {
        RequantRule rule = Rule(taps);
        SetPointsAndClamp(&random, &rule);
        rule.y_least = 0;
        rule.y_most = 255;
        rule.rounding = kRoundings[i % 3];
        rule.x_scale = RandomScale(&random, 0, 0);
        rule.y_scale = least.equal ? rule.x_scale : RandomScale(&random, -1, 1);
        if (least.equal) rule.y_zero_point = rule.x_zero_point;
        Checked checked(rule);
        if (!checked.CheckAroundSteps(&random)) return;
        checked.Count(&tally);
      }
      Print((least.equal ? "equal, " : "unrelated, ") + std::to_string(taps) + " taps", tally);
      for (int k = 0; k < kKinds; ++k) all.rules[k] += tally.rules[k];
      all.plain += tally.plain;
    }
    const int64_t short_lines = all.rules[0] + all.rules[1];
    const int64_t bits16 = short_lines + all.rules[2] + all.rules[3];
    EXPECT_GE(short_lines, least.short_lines);
    EXPECT_GE(bits16, least.bits16);
    EXPECT_GE(bits16 + all.rules[4] + all.rules[5], least.bits32);
    EXPECT_GE(all.plain, least.plain);
    EXPECT_EQ(all.rules[8], 0) << "steps";
  }
}

}  // namespace
}  // namespace lanepool
