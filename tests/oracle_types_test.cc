// The oracle's element types, powers, indices and windows from an output size: against the
// compiler's own types, numbers worked out by hand and definitions still plainer than the oracle.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "oracle/indices.h"
#include "oracle/lp.h"
#include "oracle/mean.h"
#include "oracle/oracle.h"
#include "oracle/types.h"
#include "support/job.h"
#include "support/random.h"

namespace {

using oracle::kBfloat16;
using oracle::kBinary16;
using oracle::kBinary32;
using oracle::kBinary64;
using support::Average;
using support::Max;

constexpr double kInf = std::numeric_limits<double>::infinity();

oracle::Real Long(double value) { return value; }

float FloatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Every 16-bit number is loaded, and stored as the same bits; NaN as the one that results have.
void CheckAllBits(int32_t type, double (*value_of)(uint16_t)) {
  for (uint32_t bits = 0; bits < 1u << 16; ++bits) {
    const auto from = static_cast<uint16_t>(bits);
    const double value = oracle::Load(type, &from, 0);
    uint16_t to = 0;
    oracle::Store(type, &to, 0, value);
    const double expected = value_of(from);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_EQ(to, oracle::QuietNan(type));
    } else {
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(to, from);
    }
  }
}

TEST(Types, EveryBfloat) {
  CheckAllBits(LANEPOOL_TYPE_BFLOAT16, [](uint16_t bits) {
    return static_cast<double>(FloatOfBits(static_cast<uint32_t>(bits) << 16));
  });
}

// By the definition of the format: sign, 5 bits of exponent, 10 of the fraction.
TEST(Types, EveryHalf) {
  CheckAllBits(LANEPOOL_TYPE_FLOAT16, [](uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    const double sign = bits >> 15 != 0 ? -1 : 1;
    if (exponent == 31) return fraction == 0 ? sign * kInf : std::nan("");
    if (exponent == 0) return sign * fraction * 0x1p-24;
    return sign * std::ldexp(1 + fraction / 1024.0, exponent - 15);
  });
}

TEST(Types, RoundsToNearestEven) {
  EXPECT_EQ(oracle::RoundTo(kBinary16, 2049), 2048);
  EXPECT_EQ(oracle::RoundTo(kBinary16, 2051), 2052);
  EXPECT_EQ(oracle::RoundTo(kBinary16, 2049.0 + 0x1p-40), 2050);
  EXPECT_EQ(oracle::RoundTo(kBinary16, 65519.99), 65504);
  EXPECT_EQ(oracle::RoundTo(kBinary16, 65520), kInf);
  EXPECT_EQ(oracle::RoundTo(kBinary16, -65520), -kInf);
  EXPECT_EQ(oracle::RoundTo(kBinary16, 0x1p-25), 0);
  EXPECT_EQ(oracle::RoundTo(kBinary16, 0x1.8p-25), 0x1p-24);
  EXPECT_EQ(oracle::RoundTo(kBfloat16, 257), 256);
  EXPECT_EQ(oracle::RoundTo(kBfloat16, 259), 260);
  EXPECT_EQ(oracle::RoundTo(kBfloat16, Long(FLT_MAX)), kInf);
  EXPECT_TRUE(std::signbit(oracle::RoundTo(kBfloat16, -0.0)));
}

// The compiler's conversions are the reference for f32 and f64.
TEST(Types, RoundsAsTheCompilerDoes) {
  for (uint64_t seed = 1; seed <= 100000; ++seed) {
    support::Random random(seed);
    const auto significand = static_cast<double>(static_cast<int64_t>(random.Bits()) >> 3);
    const double value = std::ldexp(significand, static_cast<int>(random.Between(-220, 80)));
    const auto expected = static_cast<double>(static_cast<float>(value));
    ASSERT_EQ(oracle::RoundTo(kBinary32, Long(value)), expected);
    ASSERT_EQ(oracle::RoundTo(kBinary64, Long(value)), value);
    const double down = oracle::RoundDown(kBinary32, Long(value));
    const double up = oracle::RoundUp(kBinary32, Long(value));
    ASSERT_TRUE(down <= value && value <= up);
    ASSERT_TRUE(expected == down || expected == up || std::isinf(expected));
    ASSERT_EQ(down, static_cast<double>(static_cast<float>(down)));
    const float next = std::nextafter(static_cast<float>(down), static_cast<float>(kInf));
    ASSERT_TRUE(up == down || up == static_cast<double>(next));
  }
  EXPECT_EQ(oracle::RoundDown(kBinary32, 0x1p200), static_cast<double>(FLT_MAX));
  EXPECT_EQ(oracle::RoundUp(kBinary32, -0x1p200), static_cast<double>(-FLT_MAX));
}

// Whether the oracle takes y for the result of one window over these taps.
template <typename T>
bool Allows(const support::Params& params, const std::vector<T>& taps, T y) {
  std::string why;
  return oracle::Agrees(params, taps.data(), &y, &why);
}

support::Params Whole(int32_t op, size_t taps) {
  return support::Params(op, {static_cast<int64_t>(taps)}).Global();
}

TEST(Agrees, HalfIsRoundedFromTheF32Quotient) {
  const std::vector<uint16_t> taps = {0x6800, 0x6801, 0x6801, 0x6801};  // 2048 2050 2050 2050
  const auto average = Whole(LANEPOOL_OP_AVERAGE, 4).Type(LANEPOOL_TYPE_FLOAT16);
  EXPECT_TRUE(Allows<uint16_t>(average, taps, 0x6801));
  EXPECT_FALSE(Allows<uint16_t>(average, taps, 0x6800));
  EXPECT_FALSE(Allows<uint16_t>(average, taps, 0x6802));
  const std::vector<uint16_t> nan = {0x6800, 0xFC01};
  const auto pair = Whole(LANEPOOL_OP_AVERAGE, 2).Type(LANEPOOL_TYPE_FLOAT16);
  EXPECT_TRUE(Allows<uint16_t>(pair, nan, 0x7E00));
  EXPECT_FALSE(Allows<uint16_t>(pair, nan, 0x7E01));
  EXPECT_FALSE(Allows<uint16_t>(pair, nan, 0xFE00));
}

TEST(Agrees, DoubleIsNotFloat) {
  const auto average = Whole(LANEPOOL_OP_AVERAGE, 3).Type(LANEPOOL_TYPE_DOUBLE);
  const std::vector<double> taps = {1, 2, 4};
  EXPECT_TRUE(Allows(average, taps, 7.0 / 3.0));
  EXPECT_FALSE(Allows(average, taps, std::nextafter(7.0 / 3.0, 9.0)));
  EXPECT_FALSE(Allows(average, taps, static_cast<double>(7.0f / 3.0f)));
}

TEST(Agrees, StrictOrderHasOneResult) {
  const float tiny = std::ldexp(1.0f, -24);
  const auto strict = Whole(LANEPOOL_OP_SUM, 3).Flag(LANEPOOL_FLAG_STRICT_ORDER);
  EXPECT_TRUE(Allows(strict, {1, tiny, tiny}, 1.0f));
  EXPECT_FALSE(Allows(strict, {1, tiny, tiny}, 1.0f + 2 * tiny));
  EXPECT_TRUE(Allows(strict, {tiny, tiny, 1}, 1.0f + 2 * tiny));
  EXPECT_FALSE(Allows(strict, {tiny, tiny, 1}, 1.0f));
  EXPECT_TRUE(Allows(strict, {-0.0f, -0.0f, -0.0f}, 0.0f));
  EXPECT_FALSE(Allows(strict, {-0.0f, -0.0f, -0.0f}, -0.0f));
}

TEST(Agrees, SumsInF64AreRoundedOnce) {
  const float tiny = std::ldexp(1.0f, -24);
  const auto wide = Whole(LANEPOOL_OP_SUM, 3).Flag(LANEPOOL_FLAG_ACCUMULATE_F64);
  EXPECT_TRUE(Allows(wide, {1, tiny, tiny}, 1.0f + 2 * tiny));
  EXPECT_FALSE(Allows(wide, {1, tiny, tiny}, 1.0f));
  EXPECT_TRUE(Allows(wide, {3e38f, 3e38f, -3e38f}, 3e38f));
  EXPECT_FALSE(Allows(wide, {3e38f, 3e38f, -3e38f}, static_cast<float>(kInf)));
}

// Integers whose squares and sums are exact have one root.
TEST(Agrees, SquareRootsAreExactWhereSumsAre) {
  const auto lp = Whole(LANEPOOL_OP_LP, 2);
  const std::vector<float> taps = {2, 3};
  const float root = std::sqrt(13.0f);
  EXPECT_TRUE(Allows(lp, taps, root));
  EXPECT_FALSE(Allows(lp, taps, std::nextafter(root, 0.0f)));
  EXPECT_FALSE(Allows(lp, taps, std::nextafter(root, 9.0f)));
}

TEST(Agrees, KnowsTheBoundOfLp) {
  for (const double order : {2.0, 3.0, 7.0, 1.5, 2.75}) {
    const auto lp = Whole(LANEPOOL_OP_LP, 3).LpOrder(order);
    const std::vector<float> taps = {1.1f, -2.3f, 0.7f};
    double sum = 0;
    for (const float tap : taps) sum += std::pow(std::fabs(static_cast<double>(tap)), order);
    const double exact = std::pow(sum, 1 / order);
    const double bound = (3 + order + 4) * 0x1p-24;
    EXPECT_TRUE(Allows(lp, taps, static_cast<float>(exact))) << order;
    EXPECT_FALSE(Allows(lp, taps, static_cast<float>(exact * (1 + 2 * bound)))) << order;
    EXPECT_FALSE(Allows(lp, taps, static_cast<float>(exact * (1 - 2 * bound)))) << order;
  }
}

// Powers that leave the range of f32 do so in the result.
TEST(Agrees, KnowsWherePowersOverflow) {
  const auto lp = Whole(LANEPOOL_OP_LP, 1);
  const auto infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(Allows(lp, {3e19f}, infinity));
  EXPECT_FALSE(Allows(lp, {3e19f}, 3e19f));
  // Each power is 2^126, without rounding; their sum is too large.
  const std::vector<float> four(4, 0x1p42f);
  EXPECT_TRUE(Allows(Whole(LANEPOOL_OP_LP, 4).LpOrder(3), four, infinity));
  EXPECT_FALSE(Allows(Whole(LANEPOOL_OP_LP, 4).LpOrder(3), four, std::cbrt(4.0f) * 0x1p42f));
  EXPECT_TRUE(Allows(lp, {1e-30f}, 0.0f));
  EXPECT_FALSE(Allows(lp, {1e-15f}, 0.0f));
  EXPECT_TRUE(Allows(support::Params(lp).LpOrder(kInf), {3e19f}, 3e19f));
  EXPECT_TRUE(Allows(support::Params(lp).LpOrder(1), {-3e38f}, 3e38f));
}

// floor and ceil of the exact fractions, in integers.
TEST(Adaptive, WindowsAreThoseOfTheFormula) {
  for (int64_t n = 1; n <= 40; ++n) {
    for (int64_t m = 1; m <= 45; ++m) {
      const lanepool_params params = Average({n}).Adaptive({m});
      const oracle::Shape shape = oracle::ResolveShape(params);
      ASSERT_EQ(shape.output[0], m);
      ASSERT_FALSE(shape.has_empty_windows);
      const oracle::Job job = oracle::JobOf(params, shape);
      for (int64_t o = 0; o < m; ++o) {
        const oracle::Window window = oracle::WindowOf(job.axes[0], o);
        int64_t begin = 0;
        while ((begin + 1) * m <= o * n) ++begin;  // the largest with begin <= o n / m
        int64_t end = 0;
        while (end * m < (o + 1) * n) ++end;
        ASSERT_EQ(window.start, begin);
        ASSERT_EQ(window.start + window.kernel, end);
        ASSERT_GE(window.kernel, 1);
        ASSERT_LE(end, n);
      }
    }
  }
}

// Each position has an index of its own, and is found again.
TEST(Indices, PositionsAndBack) {
  for (const int32_t mode : {LANEPOOL_INDEX_NCHW, LANEPOOL_INDEX_NHWC, LANEPOOL_INDEX_PLANE}) {
    for (const int32_t order : {LANEPOOL_STORAGE_ROW_MAJOR, LANEPOOL_STORAGE_COLUMN_MAJOR}) {
      const lanepool_params params =
          Max({2, 3, 4}).Global().Batch(2).Channels(5).Index(LANEPOOL_TYPE_INT64, mode, order);
      const oracle::Shape shape = oracle::ResolveShape(params);
      std::vector<int> seen(2 * 5 * 24);
      for (int64_t i = 0; i < static_cast<int64_t>(seen.size()); ++i) {
        const int64_t place[3] = {i / 12 % 2, i / 4 % 3, i % 4};
        const int64_t n = i / 120;
        const int64_t c = i / 24 % 5;
        const int64_t index = oracle::IndexAt(params, shape, n, c, place);
        seen.at(static_cast<size_t>(index)) += 1;
        int64_t back[3];
        ASSERT_TRUE(oracle::PlaceOf(params, shape, n, c, index, back));
        ASSERT_EQ(std::memcmp(back, place, sizeof back), 0);
        const bool other = mode != LANEPOOL_INDEX_PLANE;
        ASSERT_NE(oracle::PlaceOf(params, shape, 1 - n, c, index, back), other);
      }
      const int times = mode == LANEPOOL_INDEX_PLANE ? 10 : 1;
      for (const int count : seen) ASSERT_TRUE(count == times || (times == 10 && count == 0));
    }
  }
}

TEST(Indices, MustFitTheirType) {
  const auto status = [](const support::Params& params) {
    return oracle::ResolveShape(params).status;
  };
  const support::Params long_row = Max({int64_t{1} << 31}).Kernel({1}).Index(LANEPOOL_TYPE_INT32);
  EXPECT_EQ(status(long_row), LANEPOOL_OK);
  EXPECT_EQ(status(support::Params(long_row).Channels(2)), LANEPOOL_OVERFLOW);
  EXPECT_EQ(status(support::Params(long_row).Channels(2).Index(LANEPOOL_TYPE_INT64)), LANEPOOL_OK);
  EXPECT_EQ(status(support::Params(long_row).Channels(2).Index(LANEPOOL_TYPE_INT32,
                                                               LANEPOOL_INDEX_PLANE)),
            LANEPOOL_OK);
  EXPECT_EQ(
      status(
          Max({(int64_t{1} << 31) + 1}).Global().Index(LANEPOOL_TYPE_INT32, LANEPOOL_INDEX_WINDOW)),
      LANEPOOL_OVERFLOW);
}

TEST(IndicesAgree, RefusesAllButTheFirstMaximum) {
  const std::vector<float> x = {4, 4, 1};
  const lanepool_params params = Max({3}).Kernel({2}).Index(LANEPOOL_TYPE_INT64);
  std::string why;
  const std::vector<std::vector<int64_t>> indices = {{0, 1}, {1, 1}, {0, 0}, {0, 2}, {-1, 1}};
  for (const std::vector<int64_t>& index : indices) {
    EXPECT_EQ(oracle::IndicesAgree(params, x.data(), index.data(), &why), &index == &indices[0]);
  }
}

TEST(UnpoolAgrees, RefusesOtherBits) {
  const lanepool_params params = support::MaxUnpool({2}).OutputSize({3});
  const std::vector<float> x = {4, std::nanf("")};
  const std::vector<int64_t> index = {2, 0};
  const std::vector<uint32_t> good = {0x7FC00000, 0, 0x40800000};
  std::string why;
  EXPECT_TRUE(oracle::UnpoolAgrees(params, x.data(), index.data(), good.data(), &why)) << why;
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<uint32_t> bad = good;
    bad[i] ^= 0x80000000;  // -0 and the other NaN among them
    EXPECT_FALSE(oracle::UnpoolAgrees(params, x.data(), index.data(), bad.data(), &why));
  }
  const std::vector<int64_t> wrong = {3, 0};
  EXPECT_FALSE(oracle::UnpoolAgrees(params, x.data(), wrong.data(), good.data(), &why));
}

TEST(Lp, RootsOfExactPowers) {
  const oracle::Arithmetic f32 = {kBinary32, kBinary32};
  EXPECT_EQ(oracle::LpOf(f32, {3, -4}, 2), 5);
  EXPECT_EQ(oracle::LpOf(f32, {3, -4}, 1), 7);
  EXPECT_EQ(oracle::LpOf(f32, {3, -4}, kInf), 4);
  EXPECT_EQ(oracle::LpOf(f32, {1, 1, 1, 1, 1, 1, 1, 1}, 3), 2);
  EXPECT_EQ(oracle::LpOf({kBinary32, kBinary16}, {3e4, 4e4}, 2), 49984);  // of 32 near 50000
}

}  // namespace
