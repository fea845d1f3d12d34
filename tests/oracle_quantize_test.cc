// The quantized part of the oracle against numbers worked out by hand and plainer arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/pool_dense.h"
#include "oracle/quantize.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random.h"
#include "support/random_case.h"

namespace {

using support::Average;

support::Params Bytes(float x_scale, float y_scale) {
  return Average({1}).Kernel({1}).Type(LANEPOOL_TYPE_UINT8).Scales(x_scale, y_scale);
}

TEST(Quantize, TiesOfEachRounding) {
  const struct {
    int32_t rounding, y_zero_point;
    std::vector<double> results;  // of -5/2, -3/2, -1/2, 1/2, 3/2, 5/2
  } rows[] = {
      {LANEPOOL_ROUND_HALF_EVEN, 0, {-2, -2, 0, 0, 2, 2}},
      {LANEPOOL_ROUND_HALF_EVEN, 1, {-1, -1, 1, 1, 3, 3}},
      {LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT, 0, {-2, -2, 0, 0, 2, 2}},
      {LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT, 1, {-2, 0, 0, 2, 2, 4}},
      {LANEPOOL_ROUND_HALF_AWAY, 0, {-3, -2, -1, 1, 2, 3}},
      {LANEPOOL_ROUND_HALF_AWAY, 1, {-2, -1, 1, 2, 3, 4}},
  };
  for (const auto& row : rows) {
    const lanepool_params params =
        Bytes(1, 1).Type(LANEPOOL_TYPE_INT8).Rounding(row.rounding).ZeroPoints(0, row.y_zero_point);
    for (size_t i = 0; i < row.results.size(); ++i) {
      EXPECT_EQ(oracle::ResultOfSum(params, 2 * static_cast<int64_t>(i) - 5, 2), row.results[i])
          << support::ParamsText(params) << " " << i;
    }
  }
}

// One unit of the sum decides, at every magnitude of the scales: k + 1/2 is a tie, anything more is
// above it.
TEST(Quantize, OneUnitDecides) {
  for (int exponent = -149; exponent <= 100; exponent += 3) {
    const float scale = std::ldexp(1.0f, exponent);
    const lanepool_params params = Bytes(scale, scale).ZeroPoints(0, 100);
    const int64_t half = (int64_t{1} << 40) / 2;
    for (int64_t k = -100; k < 155; ++k) {
      const int64_t sum = 2 * k * half + half;
      EXPECT_EQ(oracle::ResultOfSum(params, sum, 2 * half), 100 + k + (k % 2 == 0 ? 0 : 1));
      EXPECT_EQ(oracle::ResultOfSum(params, sum + 1, 2 * half), 101 + k);
      EXPECT_EQ(oracle::ResultOfSum(params, sum - 1, 2 * half), 100 + k);
    }
  }
}

TEST(Quantize, ScalesFarApart) {
  const lanepool_params up = Bytes(FLT_MAX, FLT_TRUE_MIN).ZeroPoints(0, 7);
  EXPECT_EQ(oracle::ResultOfSum(up, 1, INT64_MAX), 255);
  EXPECT_EQ(oracle::ResultOfSum(up, -1, INT64_MAX), 0);
  EXPECT_EQ(oracle::ResultOfSum(up, 0, 1), 7);
  const lanepool_params down = Bytes(FLT_TRUE_MIN, FLT_MAX).ZeroPoints(0, 7);
  EXPECT_EQ(oracle::ResultOfSum(down, int64_t{1} << 55, 1), 7);
  EXPECT_EQ(oracle::ResultOfSum(down, -(int64_t{1} << 55), 1), 7);
}

TEST(Quantize, FloatsAreNearest) {
  const auto nearest = [](float x_scale, int64_t sum, int64_t divisor) {
    return oracle::ResultOfSum(Bytes(x_scale, 1).Types(LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_FLOAT),
                               sum, divisor);
  };
  EXPECT_EQ(nearest(0.1f, 7, 3), static_cast<double>(static_cast<float>(0.1f * 7.0 / 3)));
  EXPECT_EQ(nearest(1, -5, 2), -2.5);
  EXPECT_EQ(nearest(FLT_TRUE_MIN, 3, 2), 2 * static_cast<double>(FLT_TRUE_MIN));
  EXPECT_EQ(nearest(FLT_TRUE_MIN, 1, 2), 0);
  EXPECT_EQ(nearest(FLT_MAX, 2, 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(nearest(FLT_MAX, 1000, 1000), static_cast<double>(FLT_MAX));
  // 2^24 + 1 is a tie, and the tap that is added to 2^40 times it breaks it.
  const int64_t tie = (int64_t{1} << 24) + 1;
  EXPECT_EQ(nearest(1, tie, 1), 16777216);
  EXPECT_EQ(nearest(1, (tie << 30) + 1, int64_t{1} << 30), 16777218);
}

TEST(Quantize, OfFloats) {
  const lanepool_params params =
      Bytes(1, 0.5f).Types(LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_INT8).ZeroPoints(0, -3);
  EXPECT_EQ(oracle::QuantizeFloat(params, std::nan("")), -3);
  EXPECT_EQ(oracle::QuantizeFloat(params, HUGE_VAL), 127);
  EXPECT_EQ(oracle::QuantizeFloat(params, -HUGE_VAL), -128);
  EXPECT_EQ(oracle::QuantizeFloat(params, 0.25), -3);
  EXPECT_EQ(oracle::QuantizeFloat(params, std::nextafter(0.25, 1.0)), -2);
  EXPECT_EQ(oracle::QuantizeFloat(params, -1e-300), -3);
  EXPECT_EQ(oracle::QuantizeFloat(params, static_cast<double>(FLT_MAX)), 127);
}

// Rationals of 64 bits, for scales that are small fractions.
TEST(Quantize, AgreesWithIntegers) {
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    support::Random random(seed);
    const int64_t x_scale = random.Between(1, 64);  // in eighths
    const int64_t y_scale = random.Between(1, 64);
    const int64_t divisor = random.Between(1, 300);
    const int64_t sum = random.Between(-20000, 20000);
    const auto y_zero_point = static_cast<int32_t>(random.Between(0, 255));
    const lanepool_params params =
        Bytes(static_cast<float>(x_scale) / 8, static_cast<float>(y_scale) / 8)
            .ZeroPoints(0, y_zero_point)
            .Rounding(LANEPOOL_ROUND_HALF_AWAY);
    // Half away from zero, after the zero point: one division of magnitudes.
    const int64_t denominator = divisor * y_scale;
    const int64_t numerator = sum * x_scale + y_zero_point * denominator;
    const int64_t magnitude = (2 * std::abs(numerator) + denominator) / (2 * denominator);
    const int64_t expected = std::min<int64_t>(255, numerator < 0 ? 0 : magnitude);
    ASSERT_EQ(oracle::ResultOfSum(params, sum, divisor), static_cast<double>(expected))
        << support::ParamsText(params) << " sum " << sum << " divisor " << divisor;
  }
}

TEST(Quantize, ClampsToTheIntegersInside) {
  const lanepool_params params = Bytes(1, 1).Clamp(2.5, 9.5);
  EXPECT_EQ(oracle::ResultOfSum(params, 0, 1), 3);
  EXPECT_EQ(oracle::ResultOfSum(params, 5, 1), 5);
  EXPECT_EQ(oracle::ResultOfSum(params, 200, 1), 9);
  EXPECT_EQ(oracle::EmptyInteger(params), 3);
  EXPECT_EQ(oracle::ResultOfSum(Bytes(1, 1).Clamp(-HUGE_VAL, HUGE_VAL), 300, 1), 255);
}

TEST(PerChannel, EveryChannelHasItsOwn) {
  const lanepool_params params =
      Average({2}).Kernel({2}).Channels(3).Type(LANEPOOL_TYPE_UINT8).ScaleCounts(3, 3);
  const oracle::PerChannel arrays = {{1, 2, 0.5f}, {1, 1, 2}, {0, 4, 0}, {9, 0, 0}};
  const std::vector<unsigned char> x = {2, 6, 100, 4, 8, 60};  // averages 3, 7, 80
  std::vector<unsigned char> y(3);
  oracle::Pool(params, x.data(), y.data(), arrays);
  EXPECT_EQ(y, (std::vector<unsigned char>{9 + 3, (7 - 4) * 2, 20}));
  std::string why;
  EXPECT_TRUE(oracle::Agrees(params, x.data(), y.data(), &why, arrays)) << why;
  EXPECT_FALSE(oracle::Agrees(params, x.data(), y.data(), &why));
}

// A quantized average of floats is right if some order of additions gives it.
TEST(Agrees, QuantizedAveragesOfFloats) {
  const float tiny = std::ldexp(1.0f, -24);
  const std::vector<float> x = {1, tiny, tiny};  // adds up to 1 or 1 + 2 tiny
  const auto allows = [&x](float y_scale, unsigned char y) {
    const lanepool_params params =
        Average({3}).Kernel({3}).Types(LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_UINT8).Scales(1, y_scale);
    std::string why;
    return oracle::Agrees(params, x.data(), &y, &why);
  };
  EXPECT_TRUE(allows(0.01f, 33));
  EXPECT_FALSE(allows(0.01f, 34));
  const float third = 1.0f / 3.0f;
  EXPECT_TRUE(allows(2 * third, 0));  // a tie for one order, above it for the other
  EXPECT_TRUE(allows(2 * third, 1));
  EXPECT_FALSE(allows(2 * third, 2));
}

TEST(IsQuantized, FollowsTheFloatsGiven) {
  const lanepool_params params =
      Average({4}).Kernel({2}).Types(LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_INT8).ZeroPoints(0, 5);
  const std::vector<float> real = {1.5f, std::nanf(""), -400};
  std::string why;
  const std::vector<int8_t> right = {7, 5, -128};
  EXPECT_TRUE(oracle::IsQuantized(params, real.data(), right.data(), &why)) << why;
  const std::vector<int8_t> wrong = {7, 5, -127};
  EXPECT_FALSE(oracle::IsQuantized(params, real.data(), wrong.data(), &why));
  EXPECT_NE(why.find("got -127, expected -128"), std::string::npos) << why;
}

// The quick way to the results of bytes is the plain one.
TEST(PoolDense, IsPool) {
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    support::Random random(seed);
    support::RandomCase item = support::MakeDenseRandomCase(&random);
    support::Quantize(&random, support::Arrays::kPerTensor, &item);
    const std::vector<unsigned char> x = support::MakeX(&random, item);
    std::vector<unsigned char> y(oracle::PoolDense(item.params, x.data()).size());
    oracle::Pool(item.params, x.data(), y.data());
    ASSERT_EQ(oracle::PoolDense(item.params, x.data()), y) << item.Text();
  }
}

}  // namespace
