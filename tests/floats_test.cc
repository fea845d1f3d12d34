// Numbers of each floating type, one by one: conversions, quotients, powers. Every instruction set
// has conversions of its own for the 16-bit types.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/types.h"
#include "support/check_job.h"
#include "support/fill.h"
#include "support/job.h"
#include "support/pack.h"
#include "support/params_text.h"
#include "support/targets.h"

namespace {

using support::Bytes;
using support::Data;
using support::Params;
using support::Random;
using support::RandomCase;

constexpr int32_t kF16 = LANEPOOL_TYPE_FLOAT16;
constexpr int32_t kBf16 = LANEPOOL_TYPE_BFLOAT16;
constexpr int32_t kF32 = LANEPOOL_TYPE_FLOAT;
constexpr int32_t kF64 = LANEPOOL_TYPE_DOUBLE;
const std::vector<int32_t> kFloats = {kF32, kF64, kF16, kBf16};

// Right on the best target, and the same bytes on all others.
void CheckOnEveryTarget(const lanepool_params& params, const Bytes& x) {
  SCOPED_TRACE(support::ParamsText(params));
  Bytes expected;
  for (const support::Target& target : support::SupportedTargets()) {
    const support::Planned planned = support::Plan(params, target.mask);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    const Bytes y = support::RunOnce(planned.desc, x);
    std::string why;
    ASSERT_TRUE(!expected.empty() || oracle::Agrees(params, x.data(), y.data(), &why)) << why;
    if (expected.empty()) expected = y;
    ASSERT_EQ(support::Difference(y, expected, oracle::ElementBytes(params.y_type)), "")
        << target.name;
  }
}

// The same elements along W and along C, in jobs with windows of `taps`.
void CheckBothLayouts(int32_t op, int32_t type, int64_t taps, const Bytes& x,
                      const std::vector<Params (*)(Params)>& variants) {
  const int64_t outputs = static_cast<int64_t>(x.size()) / oracle::ElementBytes(type) / taps;
  const Params rows = Params(op, {outputs * taps})
                          .Kernel({taps})
                          .Strides({taps})
                          .Layout(LANEPOOL_LAYOUT_NCHW)
                          .Type(type);
  const Params pixels = Params(op, {taps}).Kernel({taps}).Channels(outputs).Type(type);
  for (const Params& params : {rows, pixels}) {
    for (Params (*const variant)(Params) : variants) {
      CheckOnEveryTarget(variant(params), x);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

Params Plain(Params params) { return params; }
Params Strict(Params params) { return params.Flag(LANEPOOL_FLAG_STRICT_ORDER); }
Params IgnoringNan(Params params) { return params.NanRule(LANEPOOL_NAN_IGNORE); }
Params Clamped(Params params) { return params.Clamp(-1e30, 3.3); }
Params Absolute(Params params) { return params.LpOrder(1); }
Params Largest(Params params) { return params.LpOrder(std::numeric_limits<double>::infinity()); }

const std::vector<int32_t> kOps = {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX, LANEPOOL_OP_MIN,
                                   LANEPOOL_OP_SUM, LANEPOOL_OP_LP};

// All 65,536 of them through windows of one tap.
TEST(Floats, EverySixteenBitNumber) {
  Bytes x(2 << 16);
  for (uint32_t bits = 0; bits < 1u << 16; ++bits) {
    const auto element = static_cast<uint16_t>(bits);
    std::memcpy(x.data() + 2 * bits, &element, sizeof element);
  }
  for (const int32_t type : {kF16, kBf16}) {
    for (const int32_t op : kOps) {
      CheckBothLayouts(op, type, 1, x, {Plain, IgnoringNan, Clamped});
      if (op == LANEPOOL_OP_LP) CheckBothLayouts(op, type, 1, x, {Absolute, Largest});
      if (HasFatalFailure()) return;
    }
  }
}

// Pairs of neighbours whose sums and averages lie between two numbers of the type, ties among them.
TEST(Floats, TiesOfSixteenBitNumbers) {
  for (const int32_t type : {kF16, kBf16}) {
    const oracle::Format format = oracle::FormatOf(type);
    std::vector<double> values;
    Random random(11);
    for (int i = 0; i < 20000; ++i) {
      const auto significand = static_cast<double>(random.Between(0, (2 << format.precision) - 1));
      const int exponent =
          static_cast<int>(random.Between(format.min_exponent - 1, format.max_exponent - 2));
      const double sign = random.Percent(50) ? -1 : 1;
      const auto number = [&](double value) {
        return oracle::RoundTo(format, static_cast<oracle::Real>(value));
      };
      const double large = number(std::ldexp(significand, exponent - format.precision));
      const double part =
          std::ldexp(static_cast<double>(random.Between(0, 8)), exponent - format.precision - 2);
      values.push_back(sign * large);
      values.push_back(number(random.Percent(50) ? part : -part));
    }
    const Bytes x = support::Pack(type, values);
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_SUM, LANEPOOL_OP_LP}) {
      CheckBothLayouts(op, type, 2, x, {Plain, Strict});
      if (HasFatalFailure()) return;
    }
  }
}

// One tap and a divisor: the quotient of every kind of number is the one of IEEE 754, rounded once
// more for 16 bits. differential_test.cc has more of them for f32.
TEST(Floats, QuotientsAreCorrectlyRounded) {
  std::vector<int64_t> divisors = {(1 << 24) + 1, int64_t{1} << 40, (int64_t{1} << 53) + 1,
                                   999999937,     INT64_MAX,        1 << 16};
  for (int64_t divisor = 1; divisor <= 100; ++divisor) divisors.push_back(divisor);
  for (const int32_t type : kFloats) {
    for (const int64_t divisor : divisors) {
      Random random(static_cast<uint64_t>(divisor));
      constexpr int64_t kCount = 700;
      Bytes x(static_cast<size_t>(kCount * oracle::ElementBytes(type)));
      support::FillFloats(&random, Data::kMagnitudes, type, x.data(), kCount);
      for (const uint32_t flag : {0u, LANEPOOL_FLAG_ACCUMULATE_F64}) {
        if (flag != 0 && type != kF32) continue;
        const Params params = Params(LANEPOOL_OP_AVERAGE, {1})
                                  .Kernel({1})
                                  .Channels(kCount)
                                  .Type(type)
                                  .Flag(flag)
                                  .Divisor(LANEPOOL_DIVISOR_CONSTANT, divisor);
        CheckOnEveryTarget(params, x);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Windows that share taps, of which each holds one number that is not zero: its quotient. All
// numbers of a job are of a kind, as those divided by shared reciprocals are, or some are rare.
TEST(Floats, QuotientsOfWindowsThatShareTaps) {
  constexpr int64_t kTaps = 11, kWidth = 77, kRows = 3, kChannels = 70;
  struct Exponents {
    uint32_t least, count;  // as f32 has them
  };
  const Exponents all[] = {{100, 60}, {60, 30}, {70, 10}, {1, 60}, {0, 2}, {200, 56}, {0, 256}};
  // Even ones: quotients of tiny sums may be ties.
  const int64_t divisors[] = {0, 6, 10, (1 << 24) - 2, 3 * (int64_t{1} << 40), INT64_MAX};
  for (const Exponents& exponents : all) {
    for (const int64_t divisor : divisors) {
      Random random(exponents.least * 8u + static_cast<uint64_t>(divisor % 7));
      std::vector<float> x(static_cast<size_t>(kRows * kWidth * kChannels));
      for (int64_t i = 0; i < kRows * kWidth * kChannels; ++i) {
        const uint32_t exponent =
            exponents.least + static_cast<uint32_t>(random.Bits() % exponents.count);
        const uint32_t bits = (static_cast<uint32_t>(random.Bits()) & 0x807FFFFFu) | exponent << 23;
        if (i / kChannels % kTaps == 5) std::memcpy(&x[static_cast<size_t>(i)], &bits, 4);
      }
      Bytes bytes(x.size() * sizeof(float));
      std::memcpy(bytes.data(), x.data(), bytes.size());
      Params params =
          Params(LANEPOOL_OP_AVERAGE, {kRows, kWidth}).Kernel({1, kTaps}).Channels(kChannels);
      if (divisor != 0) params.Divisor(LANEPOOL_DIVISOR_CONSTANT, divisor);
      CheckOnEveryTarget(params, bytes);
      if (HasFatalFailure()) return;
    }
  }
}

// Windows that share taps, each cut by borders to another size: all hold the pixel in the middle,
// whose numbers are the only ones that are not zero. Quotients by one of those sizes are as near to
// a tie as an f32 can be. Divisors beyond 65,536 are divided by in another way.
TEST(Floats, QuotientsOfWindowsOfEverySize) {
  constexpr int64_t kChannels = 67;
  for (const int64_t side : {21, 101, 261}) {
    Random random(static_cast<uint64_t>(side));
    const int64_t middle = side / 2, pixels = side * side;
    std::vector<float> numbers;
    for (int64_t c = 0; c < kChannels; ++c) {
      const int64_t h = random.Between(middle + 1, side), w = random.Between(middle + 1, side);
      const int64_t tie = (1 << 24) + 2 * random.Between(0, (1 << 23) - 1) + 1;
      numbers.push_back(static_cast<float>(static_cast<double>(tie * h * w)));
    }
    for (const int32_t layout : {LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT_NCHW}) {
      const bool last = layout == LANEPOOL_LAYOUT_NHWC;
      const auto at = [&](int64_t c, int64_t pixel) {
        return static_cast<size_t>(last ? pixel * kChannels + c : c * pixels + pixel);
      };
      std::vector<float> x(static_cast<size_t>(kChannels * pixels)), y(x.size());
      for (int64_t c = 0; c < kChannels; ++c) {
        const float number = numbers[static_cast<size_t>(c)];
        x[at(c, pixels / 2)] = number;
        for (int64_t pixel = 0; pixel < pixels; ++pixel) {
          const int64_t h = side - std::abs(pixel / side - middle);
          const int64_t w = side - std::abs(pixel % side - middle);
          y[at(c, pixel)] = number / static_cast<float>(h * w);
        }
      }
      const auto* const x_bytes = reinterpret_cast<const uint8_t*>(x.data());
      const auto* const y_bytes = reinterpret_cast<const uint8_t*>(y.data());
      const size_t size = x.size() * sizeof(float);
      const Params params = Params(LANEPOOL_OP_AVERAGE, {side, side})
                                .Kernel({side, side})
                                .Pads({middle, middle, middle, middle})
                                .Channels(kChannels)
                                .Layout(layout);
      for (const support::Target& target : support::SupportedTargets()) {
        const support::Planned planned = support::Plan(params, target.mask);
        ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
        const Bytes got = support::RunOnce(planned.desc, Bytes(x_bytes, x_bytes + size));
        ASSERT_EQ(support::Difference(got, Bytes(y_bytes, y_bytes + size), sizeof(float)), "")
            << target.name << ", " << side << (last ? " NHWC" : " NCHW");
      }
    }
  }
}

// Rows whose last outputs are too few for a vector behind the tiles before, with a NaN of an
// unusual payload near the end: what gives a vector up is repeated as a whole.
TEST(Floats, NanNearTheEndOfARowOfTiles) {
  constexpr int64_t kPlaces = 20;
  for (const int32_t type : kFloats) {
    const size_t size = static_cast<size_t>(oracle::ElementBytes(type));
    for (const int64_t outputs : {129, 130, 131, 141, 513, 515}) {
      for (const int64_t stride : {2, 3, 4, 5}) {
        for (int64_t place = outputs - kPlaces; place < outputs; ++place) {
          const int64_t rows = outputs > 500 ? 2 : 1, taps = place % 2 == 0 ? 1 : stride;
          Bytes x(static_cast<size_t>(rows * outputs * stride) * size);
          std::memset(x.data() + static_cast<size_t>(place * stride) * size, 0xFF, size);
          const int32_t op = place % 4 < 2 ? LANEPOOL_OP_MAX : LANEPOOL_OP_AVERAGE;
          CheckOnEveryTarget(Params(op, {rows, outputs * stride})
                                 .Kernel({1, taps})
                                 .Strides({1, stride})
                                 .Layout(LANEPOOL_LAYOUT_NCHW)
                                 .Type(type),
                             x);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// The last taps of rows that lack none are no window's first ones.
TEST(Floats, NanAtTheEndOfARowAlone) {
  for (const int32_t type : kFloats) {
    const size_t size = static_cast<size_t>(oracle::ElementBytes(type));
    for (const int64_t taps : {2, 3, 5, 7}) {
      for (int64_t width = taps; width < 300; width += 1 + width / 3) {
        for (int64_t place = width - taps; place < width; ++place) {
          for (const int64_t stride : {1, 2}) {
            const int32_t op = place % 2 == 0 ? LANEPOOL_OP_MAX : LANEPOOL_OP_AVERAGE;
            Bytes x(static_cast<size_t>(width) * size);
            std::memset(x.data() + static_cast<size_t>(place) * size, 0xFF, size);
            CheckOnEveryTarget(Params(op, {1, width})
                                   .Kernel({1, taps})
                                   .Strides({1, stride})
                                   .Layout(LANEPOOL_LAYOUT_NCHW)
                                   .Type(type),
                               x);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// Maxima over whole planes with one NaN, in each plane and anywhere in it.
TEST(Floats, NanInAnyPlane) {
  constexpr int64_t kPlanes = 19;
  for (const int32_t type : kFloats) {
    const size_t size = static_cast<size_t>(oracle::ElementBytes(type));
    for (const int64_t taps : {9, 16, 25, 33, 49, 64, 130, 1089}) {
      for (int64_t plane = 0; plane < kPlanes; ++plane) {
        const int64_t place = plane * taps + (plane * 7 + 5) * (taps > 64 ? 8 : 1) % taps;
        Bytes x(static_cast<size_t>(kPlanes * taps) * size);
        std::memset(x.data() + static_cast<size_t>(place) * size, 0xFF, size);
        CheckOnEveryTarget(Params(LANEPOOL_OP_MAX, {1, taps})
                               .Channels(kPlanes)
                               .Kernel({1, taps})
                               .Layout(LANEPOOL_LAYOUT_NCHW)
                               .Type(type),
                           x);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Orders from 1 to far beyond what a power of f32 can hold.
TEST(Floats, OrdersOfLp) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double order :
       {1.0,  1.0 + 0x1p-52, 1.0001, 1.5,  2.0,  2.0 + 0x1p-51, 2.5,    3.0,    4.0, 5.0,     7.0,
        11.0, 16.0,          16.5,   31.0, 64.0, 100.0,         127.25, 1000.0, 1e6, infinity}) {
    for (const int32_t type : kFloats) {
      for (const Data data :
           {Data::kIntegers, Data::kUniform, Data::kMagnitudes, Data::kZeros, Data::kEverything}) {
        for (const uint32_t flags :
             {0u, LANEPOOL_FLAG_STRICT_ORDER, LANEPOOL_FLAG_ACCUMULATE_F64}) {
          if (flags == LANEPOOL_FLAG_ACCUMULATE_F64 && type != kF32) continue;
          const RandomCase item = {
              support::Lp({3, 40}).Channels(5).Kernel({2, 2}).Type(type).Flag(flags).LpOrder(order),
              data};
          Random random(3);
          CheckOnEveryTarget(item.params, support::MakeX(&random, item));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
