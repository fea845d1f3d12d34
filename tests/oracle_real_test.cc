// The oracle's own floating-point numbers: against long double where it has 64 bits too, and
// against numbers worked out by hand.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "oracle/soft_real.h"
#include "support/random.h"

namespace {

using oracle::SoftReal;
using support::Random;

constexpr double kInf = HUGE_VAL;

// A double and what it leaves: both conversions are exact.
SoftReal Soft(long double value) {
  const auto high = static_cast<double>(value);
  return SoftReal(high) + SoftReal(static_cast<double>(value - static_cast<long double>(high)));
}

long double Long(const SoftReal& value) {
  const auto high = static_cast<double>(value);
  const auto low = static_cast<double>(value - SoftReal(high));
  return static_cast<long double>(high) + static_cast<long double>(low);
}

// 64 random bits, or few of them, so that ties and zeros are met.
long double RandomNumber(Random& random, int most_exponent) {
  uint64_t bits = random.Bits();
  if (random.Percent(30)) bits &= ~uint64_t{0} << random.Between(1, 63);
  if (random.Percent(30)) bits >>= random.Between(1, 63);
  const int exponent = static_cast<int>(random.Between(-most_exponent, most_exponent));
  const long double magnitude = std::ldexp(static_cast<long double>(bits), exponent);
  return random.Percent(50) ? -magnitude : magnitude;
}

TEST(SoftReal, CalculatesAsLongDouble) {
  if (LDBL_MANT_DIG != 64) GTEST_SKIP() << "long double has " << LDBL_MANT_DIG << " bits here";
  for (uint64_t seed = 1; seed <= 200000; ++seed) {
    Random random(seed);
    const int most_exponent = random.Percent(50) ? 8 : 150;
    const long double a = RandomNumber(random, most_exponent);
    const long double b = RandomNumber(random, most_exponent);
    const SoftReal x = Soft(a), y = Soft(b);
    ASSERT_EQ(Long(x), a) << seed;
    ASSERT_EQ(Long(x + y), a + b) << seed;
    ASSERT_EQ(Long(x - y), a - b) << seed;
    ASSERT_EQ(Long(x * y), a * b) << seed;
    if (b != 0) {
      ASSERT_EQ(Long(x / y), a / b) << seed;
    }
    ASSERT_EQ(static_cast<double>(x), static_cast<double>(a)) << seed;
    ASSERT_EQ(Long(floor(x)), std::floor(a)) << seed;
    ASSERT_EQ(x < y, a < b) << seed;
    ASSERT_EQ(x > y, a > b) << seed;
    ASSERT_EQ(x <= y, a <= b) << seed;
    ASSERT_EQ(x >= y, a >= b) << seed;
    ASSERT_EQ(x == y, a == b) << seed;
    int exponent, soft_exponent;
    const long double fraction = std::frexp(a, &exponent);
    ASSERT_EQ(Long(frexp(x, &soft_exponent)), fraction) << seed;
    ASSERT_EQ(soft_exponent, exponent) << seed;
  }
}

TEST(SoftReal, PowersAreNearThoseOfLongDouble) {
  if (LDBL_MANT_DIG < 64) GTEST_SKIP() << "long double has " << LDBL_MANT_DIG << " bits here";
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    Random random(seed);
    const double base = std::ldexp(static_cast<double>(random.Between(1, 1 << 24)),
                                   static_cast<int>(random.Between(-60, 20)));
    const double power = static_cast<double>(random.Between(1, 8000)) / 1000;
    const auto exact = std::pow(static_cast<long double>(base), static_cast<long double>(power));
    const auto got = Long(pow(SoftReal(base), SoftReal(power)));
    const auto size = 1 + power * std::fabs(std::log2(base));
    ASSERT_LE(std::fabs(got - exact), exact * std::ldexp(static_cast<long double>(size), -62))
        << base << " to the power of " << power;
  }
}

TEST(SoftReal, RoundsToDoubles) {
  const auto rounded = [](const SoftReal& value) { return static_cast<double>(value); };
  EXPECT_EQ(rounded(SoftReal(uint64_t{1} << 53) + 1), 0x1p53);  // ties, to even
  EXPECT_EQ(rounded(SoftReal((uint64_t{1} << 53) + 3)), 0x1p53 + 4);
  EXPECT_EQ(rounded(SoftReal(~uint64_t{0})), 0x1p64);
  EXPECT_EQ(rounded(ldexp(SoftReal(1), -1074)), DBL_TRUE_MIN);
  EXPECT_EQ(rounded(ldexp(SoftReal(1), -1075)), 0);
  EXPECT_EQ(rounded(ldexp(SoftReal(3), -1076)), DBL_TRUE_MIN);
  EXPECT_EQ(rounded(ldexp(SoftReal(-1), -3000)), 0);
  EXPECT_TRUE(std::signbit(rounded(ldexp(SoftReal(-1), -3000))));
  EXPECT_EQ(rounded(SoftReal(DBL_MAX) + ldexp(SoftReal(1), 970)), kInf);
  EXPECT_EQ(rounded(SoftReal(DBL_MAX) + ldexp(SoftReal(1), 969)), DBL_MAX);
  EXPECT_EQ(rounded(ldexp(SoftReal(-1), 5000)), -kInf);
  EXPECT_EQ(rounded(SoftReal(INT64_MIN)), -0x1p63);
  EXPECT_EQ(rounded(SoftReal(DBL_TRUE_MIN)), DBL_TRUE_MIN);
}

TEST(SoftReal, IsRoundedOnce) {
  const SoftReal large = ldexp(SoftReal(1), 63);
  EXPECT_EQ(large + ldexp(SoftReal(1), -1), large);                                  // a tie
  EXPECT_EQ(large + (ldexp(SoftReal(1), -1) + ldexp(SoftReal(1), -64)), large + 1);  // more
  EXPECT_EQ(large + 1 - large, 1);
  EXPECT_EQ(ldexp(SoftReal(1), 200) - ldexp(SoftReal(1), -200), ldexp(SoftReal(1), 200));
  EXPECT_EQ(SoftReal(1) / 3 * 3, 1);
  EXPECT_EQ(SoftReal(355) / 113, ldexp(SoftReal(uint64_t{0xC90FDBC090FDBC09}), -62));
}

TEST(SoftReal, SpecialNumbers) {
  const SoftReal infinity = kInf, nan = std::nan("");
  const auto is_nan = [](const SoftReal& value) { return value != value; };
  EXPECT_EQ(infinity + 1, infinity);
  EXPECT_EQ(-infinity * 2, -infinity);
  EXPECT_TRUE(is_nan(infinity - infinity));
  EXPECT_TRUE(is_nan(infinity * 0));
  EXPECT_TRUE(is_nan(nan + 1));
  EXPECT_TRUE(is_nan(SoftReal(0) / 0));
  EXPECT_TRUE(std::isnan(static_cast<double>(nan)));
  EXPECT_EQ(SoftReal(1) / 0, infinity);
  EXPECT_EQ(SoftReal(1) / infinity, 0);
  EXPECT_FALSE(nan < 1 || nan > 1 || nan <= 1 || nan >= 1 || nan == nan);
  EXPECT_TRUE(-infinity < -1 && -1 < infinity && SoftReal(DBL_MAX) < infinity);
  EXPECT_TRUE(isinf(infinity) && !isfinite(infinity) && !isinf(nan) && !isfinite(nan));
  EXPECT_TRUE(std::signbit(static_cast<double>(SoftReal(-0.0))));
  EXPECT_FALSE(std::signbit(static_cast<double>(SoftReal(1) - 1)));
  EXPECT_EQ(SoftReal(-0.0), 0);
}

TEST(SoftReal, Powers) {
  EXPECT_EQ(static_cast<double>(pow(SoftReal(25), SoftReal(0.5))), 5);
  EXPECT_EQ(static_cast<double>(pow(SoftReal(3), SoftReal(40))), 12157665459056928801.0);
  EXPECT_EQ(static_cast<double>(pow(SoftReal(0x1p-1000), SoftReal(3)) * pow(SoftReal(2), 3000)), 1);
  EXPECT_EQ(pow(SoftReal(0), SoftReal(3)), 0);
  EXPECT_EQ(pow(SoftReal(kInf), SoftReal(0.5)), SoftReal(kInf));
  EXPECT_EQ(pow(SoftReal(2), SoftReal(1e9)), SoftReal(kInf));
  EXPECT_EQ(pow(SoftReal(0.5), SoftReal(1e9)), 0);
}

}  // namespace
