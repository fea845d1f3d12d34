// The oracle against numbers worked out by hand and against definitions still plainer than it: what
// judges the library is judged here. Quantized numbers are in oracle_quantize_test.cc, the table of
// edge cases in cases_test.cc.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "oracle/exact_sum.h"
#include "oracle/mean.h"
#include "oracle/oracle.h"
#include "oracle/window.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random.h"

namespace {

using oracle::ExactSum;
using oracle::kBinary32;
using oracle::kBinary64;
using support::Average;
using support::Max;

ExactSum SumOf(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.Add(value);
  return sum;
}

TEST(ExactSum, RoundsOnceToNearestEven) {
  const double ulp = std::ldexp(1.0, -23);  // of f32 at 1
  EXPECT_EQ(SumOf({1, ulp / 2}).DividedBy(1, kBinary32), 1);
  EXPECT_EQ(SumOf({1, ulp, ulp / 2}).DividedBy(1, kBinary32), 1 + 2 * ulp);
  EXPECT_EQ(SumOf({1, ulp / 2, DBL_TRUE_MIN}).DividedBy(1, kBinary32), 1 + ulp);
  EXPECT_EQ(SumOf({1}).DividedBy(3, kBinary32), static_cast<double>(1.0f / 3.0f));
  EXPECT_EQ(SumOf({1}).DividedBy(3, kBinary64), 1.0 / 3.0);
  EXPECT_EQ(SumOf({}).DividedBy(7, kBinary32), 0);
}

TEST(ExactSum, Subnormals) {
  const auto least = static_cast<double>(FLT_TRUE_MIN);
  EXPECT_EQ(SumOf({least}).DividedBy(2, kBinary32), 0);  // a tie, to even
  EXPECT_EQ(SumOf({least, least, least}).DividedBy(2, kBinary32), 2 * least);
  EXPECT_EQ(SumOf({least, least}).DividedBy(3, kBinary32), least);
  EXPECT_EQ(SumOf({DBL_TRUE_MIN}).DividedBy(2, kBinary64), 0);
  EXPECT_EQ(SumOf({3 * DBL_TRUE_MIN}).DividedBy(2, kBinary64), 2 * DBL_TRUE_MIN);
}

TEST(ExactSum, Overflow) {
  const auto largest = static_cast<double>(FLT_MAX);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(SumOf({largest}).DividedBy(1, kBinary32), largest);
  EXPECT_EQ(SumOf({largest, largest}).DividedBy(2, kBinary32), largest);
  EXPECT_EQ(SumOf({largest, std::ldexp(1.0, 102)}).DividedBy(1, kBinary32), largest);
  EXPECT_EQ(SumOf({largest, std::ldexp(1.0, 103)}).DividedBy(1, kBinary32), infinity);
  EXPECT_EQ(SumOf({DBL_MAX, DBL_MAX}).DividedBy(1, kBinary64), infinity);
  EXPECT_EQ(SumOf({DBL_MAX, DBL_MAX, DBL_MAX}).DividedBy(3, kBinary64), DBL_MAX);
}

// Sums of integers that 128 bits hold, at every scale.
TEST(ExactSum, AgreesWithIntegers) {
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    support::Random random(seed);
    const int exponent = static_cast<int>(random.Between(-1000, 900));
    const int64_t divisor = random.Between(1, 1000);
    int64_t total = 0;
    ExactSum sum;
    for (int i = 0; i < 5; ++i) {
      const int64_t value = random.Between(0, (1 << 24) - 1);
      total += value;
      sum.Add(std::ldexp(static_cast<double>(value), exponent));
    }
    const double expected = static_cast<double>(total) / static_cast<double>(divisor);
    ASSERT_EQ(sum.DividedBy(static_cast<uint64_t>(divisor), kBinary64),
              std::ldexp(expected, exponent));
  }
}

TEST(Mean, CancelsExactly) {
  const oracle::Mean mean = oracle::MeanOf({3e38, 1, -3e38, FLT_TRUE_MIN}, 1);
  EXPECT_EQ(mean.quotient, 1);
  EXPECT_EQ(mean.positive_sum, 3e38);
  EXPECT_EQ(mean.negative_sum, 3e38);
  EXPECT_FALSE(mean.sums_exactly);
  EXPECT_TRUE(oracle::MeanOf({1, 2, -3.5}, 3).sums_exactly);
  EXPECT_FALSE(oracle::MeanOf({1 << 24, 1}, 2).sums_exactly);
}

bool AllowsAverage(const std::vector<float>& taps, float y) {
  const auto size = static_cast<int64_t>(taps.size());
  std::string why;
  return oracle::Agrees(Average({size}).Kernel({size}), taps.data(), &y, &why);
}

TEST(Agrees, RefusesWhatIsOffByOneBit) {
  EXPECT_TRUE(AllowsAverage({1, 2, 4}, 7.0f / 3.0f));
  EXPECT_FALSE(AllowsAverage({1, 2, 4}, std::nextafter(7.0f / 3.0f, 9.0f)));
  EXPECT_FALSE(AllowsAverage({1, 2, 4}, 7.0f * (1.0f / 3.0f)));  // a reciprocal is not a division
  EXPECT_FALSE(AllowsAverage({1}, std::nextafter(1.0f, 0.0f)));
}

TEST(Agrees, KnowsTheBound) {
  const float tiny = std::ldexp(1.0f, -24);
  // 1 + tiny + tiny is 1 or 1 + 2 tiny, as the order may be.
  EXPECT_TRUE(AllowsAverage({1, tiny, tiny}, 1.0f / 3.0f));
  EXPECT_TRUE(AllowsAverage({1, tiny, tiny}, (1.0f + 2 * tiny) / 3.0f));
  EXPECT_FALSE(AllowsAverage({1, tiny, tiny}, (1.0f + 16 * tiny) / 3.0f));
}

TEST(Agrees, KnowsOverflowAndInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(AllowsAverage({3e38f, 3e38f}, infinity));
  EXPECT_FALSE(AllowsAverage({3e38f, 3e38f}, 3e38f));
  EXPECT_FALSE(AllowsAverage({3e38f, 3e38f}, -infinity));
  EXPECT_TRUE(AllowsAverage({3e38f, 3e38f, -3e38f}, infinity));
  EXPECT_TRUE(AllowsAverage({3e38f, 3e38f, -3e38f}, 1e38f));
  EXPECT_FALSE(AllowsAverage({3e38f, 3e38f, -3e38f}, nan));
  EXPECT_TRUE(AllowsAverage({3e38f, 3e38f, -3e38f, -3e38f}, nan));  // inf - inf, in pairs
  EXPECT_TRUE(AllowsAverage({infinity, 1}, infinity));
  EXPECT_FALSE(AllowsAverage({infinity, 1}, nan));
  EXPECT_TRUE(AllowsAverage({infinity, -infinity}, nan));
  EXPECT_FALSE(AllowsAverage({infinity, -infinity}, -nan));  // one bit pattern only
}

TEST(Agrees, MaxIsBitForBit) {
  const std::vector<float> x = {-0.0f, -0.0f, -1};
  const std::vector<std::vector<float>> results = {{0, 0}, {-0.0f, 0}, {0, -0.0f}, {0, -1}};
  for (const std::vector<float>& y : results) {
    std::string why;
    const lanepool_params params = Max({3}).Kernel({2});
    EXPECT_EQ(oracle::Agrees(params, x.data(), y.data(), &why), &y == &results[0]);
    EXPECT_EQ(why.empty(), &y == &results[0]);
  }
}

// The three formulas of the specification for SAME, for every small axis.
TEST(Shape, SameHasThreeFormulas) {
  for (int64_t n = 1; n <= 30; ++n) {
    for (int64_t k = 1; k <= 9; ++k) {
      for (int64_t s = 1; s <= 9; ++s) {
        const oracle::Shape shape = oracle::ResolveShape(
            Average({n}).Kernel({k}).Strides({s}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER));
        EXPECT_EQ(shape.output[0], (n + s - 1) / s);
        EXPECT_EQ(shape.output[0], (n - 1) / s + 1);
        const int64_t pads = shape.pads_begin[0] + shape.pads_end[0];
        EXPECT_EQ(shape.output[0], (n + pads - k) / s + 1);
        EXPECT_TRUE(shape.pads_end[0] == shape.pads_begin[0] ||
                    shape.pads_end[0] == shape.pads_begin[0] + 1);
      }
    }
  }
}

// has_empty_windows against the windows themselves.
TEST(Shape, EmptyWindowsAreThere) {
  int64_t with_empty = 0;
  for (uint64_t seed = 1; seed <= 60000; ++seed) {
    support::Random random(seed);
    const lanepool_params params = Max({random.Between(1, 9)})
                                       .Kernel({random.Between(1, 5)})
                                       .Strides({random.Between(1, 5)})
                                       .Dilations({random.Between(1, 9)})
                                       .Pads({random.Between(0, 25), random.Between(0, 25)})
                                       .Ceil(static_cast<int32_t>(random.Between(0, 2)));
    const oracle::Shape shape = oracle::ResolveShape(params);
    if (shape.status != LANEPOOL_OK) continue;
    const std::vector<float> x(9);
    const oracle::Job job = oracle::JobOf(params, shape);
    bool empty = false;
    oracle::ForEachOutput(job.y, [&](const oracle::Position& at, int64_t) {
      empty |= oracle::TapsOf(job, at, LANEPOOL_TYPE_FLOAT, x.data()).values.empty();
    });
    ASSERT_EQ(shape.has_empty_windows, empty) << support::ParamsText(params);
    with_empty += empty ? 1 : 0;
  }
  EXPECT_GT(with_empty, 1000);
}

}  // namespace
