// u16, s16 and s32: sums at the ends of 16, 32 and 64 bits, ties of every rounding, maxima of the
// ends. The random jobs are in kinds_test.cc and matrix_test.cc.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "oracle/types.h"
#include "support/check_job.h"
#include "support/job.h"
#include "support/pack.h"

namespace {

using support::Average;
using support::Bytes;
using support::IntegerData;
using support::Params;
using support::Random;
using support::RandomCase;

constexpr int32_t kU16 = LANEPOOL_TYPE_UINT16;
constexpr int32_t kS16 = LANEPOOL_TYPE_INT16;
constexpr int32_t kS32 = LANEPOOL_TYPE_INT32;

void CheckJob(const Params& params, IntegerData data, uint64_t seed) {
  RandomCase item = {params, support::Data::kIntegers};
  item.integers = data;
  SCOPED_TRACE(item.Text());
  Random random(seed);
  const Bytes x = support::MakeX(&random, item);
  ASSERT_EQ(support::JobFault(item, x, &random), "");
}

// Windows of as many taps as it takes: 65,537 of 65,535 leave 32 bits, and so do 65,537 of -32,768.
TEST(Integers, SumsBeyond32Bits) {
  for (const int64_t taps : {32767, 32768, 32769, 65535, 65536, 65537, 65538, 131075}) {
    for (const int32_t type : {kU16, kS16}) {
      for (const int64_t channels : {1, 3, 33}) {
        for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
          const Params params =
              Average({taps}).Global().Channels(channels).Layout(layout).Type(type);
          if (channels == 33 && taps != 65537) continue;
          CheckJob(params, IntegerData::kConstant, 2);
          CheckJob(params, IntegerData::kEnds, 3);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// All taps at one end of the type: the greatest and the least sum of each number of taps.
TEST(Integers, EndsOfTheType) {
  for (const int32_t type : {kU16, kS16}) {
    for (const int64_t taps : {1, 2, 3, 9, 255, 256, 257, 513, 1000, 40000}) {
      for (const bool high : {false, true}) {
        const Params params = Average({taps, 2}).Kernel({taps, 1}).Channels(2).Type(type);
        const auto end =
            static_cast<double>(high ? oracle::HighestInteger(type) : oracle::LowestInteger(type));
        const std::vector<double> values(static_cast<size_t>(4 * taps), end);
        const Bytes x = support::Pack(type, values);
        const RandomCase item = {params, support::Data::kIntegers};
        SCOPED_TRACE(item.Text());
        Random random(1);
        ASSERT_EQ(support::JobFault(item, x, &random), "");
        const Bytes expected = support::Pack(type, {end, end, end, end});
        EXPECT_EQ(support::RunOnce(support::Plan(params).desc, x), expected);
      }
    }
  }
}

// Every remainder of every small divisor, on both sides of zero, with each rounding.
TEST(Integers, EveryRemainder) {
  for (const int32_t rounding :
       {LANEPOOL_ROUND_HALF_EVEN, LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT,
        LANEPOOL_ROUND_HALF_AWAY}) {
    for (const int32_t type : {kU16, kS16}) {
      for (int64_t divisor = 1; divisor <= 70; ++divisor) {
        const int64_t low = oracle::LowestInteger(type) == 0 ? 0 : -3 * divisor;
        const int64_t count = 6 * divisor + 1;
        const Params params =
            Average({1}).Kernel({1}).Channels(count).Type(type).Rounding(rounding).Divisor(
                LANEPOOL_DIVISOR_CONSTANT, divisor);
        std::vector<double> values(static_cast<size_t>(count));
        std::iota(values.begin(), values.end(), static_cast<double>(low));
        const Bytes x = support::Pack(type, values);
        const RandomCase item = {params, support::Data::kIntegers};
        SCOPED_TRACE(item.Text());
        Random random(1);
        ASSERT_EQ(support::JobFault(item, x, &random), "");
      }
    }
  }
}

// Divisors that are no number of taps, up to the largest.
TEST(Integers, LargeDivisors) {
  for (const int64_t divisor : {65535, 65536, 131071, 1 << 24, INT32_MAX, 1 << 30}) {
    for (const int64_t scale : {int64_t{1}, int64_t{1} << 31}) {
      for (const int32_t type : {kU16, kS16}) {
        const Params params =
            Average({40000}).Kernel({20000}).Strides({20000}).Channels(3).Type(type).Divisor(
                LANEPOOL_DIVISOR_CONSTANT, divisor * scale);
        CheckJob(params, IntegerData::kEnds, 7);
        CheckJob(params, IntegerData::kConstant, 2);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Neighbours that f32 cannot tell apart.
TEST(Integers, ExtremesOf32Bits) {
  for (const int32_t op : {LANEPOOL_OP_MAX, LANEPOOL_OP_MIN}) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
      for (const IntegerData data : {IntegerData::kFew, IntegerData::kEnds, IntegerData::kRandom}) {
        for (uint64_t seed = 1; seed <= 8; ++seed) {
          const Params params = Params(op, {9, 37})
                                    .Kernel({3, 3})
                                    .Pads({1, 1, 1, 1})
                                    .Channels(19)
                                    .Layout(layout)
                                    .Type(kS32);
          CheckJob(params, data, seed);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
