// Bad quantization: a status for each cause, as bad_input_test.cc has it for shapes and policies.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "refusals.h"
#include "support/job.h"

namespace {

using refusals::ExpectAccepted;
using refusals::ExpectRefused;
using refusals::Good;

constexpr int32_t kFloat = LANEPOOL_TYPE_FLOAT;
constexpr int32_t kU8 = LANEPOOL_TYPE_UINT8;
constexpr int32_t kS8 = LANEPOOL_TYPE_INT8;
constexpr int32_t kU16 = LANEPOOL_TYPE_UINT16;
constexpr int32_t kS16 = LANEPOOL_TYPE_INT16;
constexpr int32_t kS32 = LANEPOOL_TYPE_INT32;
constexpr int32_t kF16 = LANEPOOL_TYPE_FLOAT16;
constexpr int32_t kBf16 = LANEPOOL_TYPE_BFLOAT16;
constexpr int32_t kF64 = LANEPOOL_TYPE_DOUBLE;

// CVE-2022-21739: empty quantization parameters; ORT works with a scale of 0, NaN and below 0.
TEST(Quantization, ScalesAndZeroPoints) {
  for (const float scale : {0.0f, -1.0f, std::numeric_limits<float>::infinity(), std::nanf("")}) {
    lanepool_params params = Good().Type(kU8);
    params.x_scale = scale;
    ExpectRefused(params, LANEPOOL_SCALE, {"x_scale"});
    params = Good().Type(kS8);
    params.y_scale = scale;
    ExpectRefused(params, LANEPOOL_SCALE, {"y_scale"});
  }
  for (const int32_t zero_point : {-1, 256}) {
    lanepool_params params = Good().Type(kU8);
    params.x_zero_point = zero_point;
    ExpectRefused(params, LANEPOOL_ZERO_POINT, {"x_zero_point", std::to_string(zero_point)});
  }
  for (const int32_t zero_point : {-129, 128}) {
    lanepool_params params = Good().Type(kS8);
    params.y_zero_point = zero_point;
    ExpectRefused(params, LANEPOOL_ZERO_POINT, {"y_zero_point", std::to_string(zero_point)});
  }
  const float least = std::numeric_limits<float>::denorm_min();
  const float most = std::numeric_limits<float>::max();
  ExpectAccepted(Good().Type(kU8).Scales(least, most).ZeroPoints(255, 0));
  ExpectAccepted(Good().Type(kS8).Scales(most, least).ZeroPoints(-128, 127));
}

// A float has no scale: what is there is not looked at, but a zero point or a count is a mistake.
TEST(Quantization, QuantizationOfAFloatSide) {
  for (const float scale : {0.0f, -1.0f, std::nanf("")}) {
    ExpectAccepted(Good().Types(kFloat, kU8).Scales(scale, 1));
    ExpectAccepted(Good().Types(kS8, kFloat).Scales(1, scale));
    ExpectAccepted(Good().Types(kFloat, kFloat).Scales(scale, scale));
  }
  for (const int32_t zero_point : {-1, 1}) {
    const std::string text = std::to_string(zero_point);
    ExpectRefused(Good().Types(kFloat, kU8).ZeroPoints(zero_point, 0), LANEPOOL_ZERO_POINT,
                  {"x_zero_point", text});
    ExpectRefused(Good().Types(kU8, kFloat).ZeroPoints(0, zero_point), LANEPOOL_ZERO_POINT,
                  {"y_zero_point", text});
    ExpectRefused(Good().ZeroPoints(0, zero_point), LANEPOOL_ZERO_POINT, {"y_zero_point", text});
  }
  const support::Params several = Good().Channels(4);
  ExpectRefused(support::Params(several).Types(kFloat, kU8).ScaleCounts(4, 0), LANEPOOL_SCALE,
                {"x_scale_count", "4"});
  ExpectRefused(support::Params(several).Types(kU8, kFloat).ScaleCounts(0, 4), LANEPOOL_SCALE,
                {"y_scale_count", "4"});
  ExpectRefused(support::Params(several).ScaleCounts(4, 4), LANEPOOL_SCALE, {"x_scale_count"});
}

// Sums of bytes are counted in 64 bits, of which the proofs use 40.
TEST(Quantization, TapsOfAWindow) {
  const int64_t most = std::numeric_limits<uint32_t>::max();
  const auto global = [](int64_t input) { return support::Average({input}).Global().Type(kU8); };
  ExpectAccepted(global(most));
  ExpectRefused(global(most + 1), LANEPOOL_OVERFLOW, {"kernel", std::to_string(most)});
  ExpectAccepted(global(most + 1).Type(kFloat));
  ExpectAccepted(support::Max({most + 1}).Global().Type(kU8));
  ExpectRefused(support::Average({1 << 20, 1 << 20}).Kernel({1 << 16, 1 << 16}).Type(kS8),
                LANEPOOL_OVERFLOW, {"kernel", "4294967296"});
}

TEST(Quantization, ScaleCounts) {
  const support::Params params = Good().Channels(4).Type(kU8);
  for (const int32_t count : {-4, -1, 1, 3, 5, std::numeric_limits<int32_t>::max(),
                              std::numeric_limits<int32_t>::min()}) {
    const std::string text = std::to_string(count);
    ExpectRefused(support::Params(params).ScaleCounts(count, 0), LANEPOOL_SCALE,
                  {"x_scale_count", text});
    ExpectRefused(support::Params(params).ScaleCounts(4, count), LANEPOOL_SCALE,
                  {"y_scale_count", text});
  }
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    for (const auto& counts :
         {std::pair(0, 0), std::pair(4, 0), std::pair(0, 4), std::pair(4, 4)}) {
      lanepool_params accepted = support::Params(params).ScaleCounts(counts.first, counts.second);
      accepted.op = op;
      ExpectAccepted(accepted);
    }
  }
  ExpectAccepted(support::Params(params).Types(kFloat, kU8).ScaleCounts(0, 4));
  ExpectAccepted(support::Params(params).Types(kS8, kFloat).ScaleCounts(4, 0));
}

TEST(Quantization, ClampOfAnInteger) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double ranges[][2] = {{2, 1},     {2.2, 2.8},  {-2.8, -2.2},     {std::nan(""), 9},
                              {0, NAN},   {NAN, NAN},  {255.5, 400},     {300, 400},
                              {-400, -1}, {-9, -0.01}, {1e300, infinity}};
  for (const auto& range : ranges) {
    ExpectRefused(Good().Type(kU8).Clamp(range[0], range[1]), LANEPOOL_SCALE, {"clamp"});
    ExpectRefused(Good().Types(kFloat, kU8).Clamp(range[0], range[1]), LANEPOOL_SCALE, {"clamp"});
  }
  ExpectRefused(Good().Type(kS8).Clamp(127.5, 200), LANEPOOL_SCALE, {"clamp"});
  ExpectRefused(Good().Type(kS8).Clamp(-200, -128.5), LANEPOOL_SCALE, {"clamp"});
  const double accepted[][2] = {{2, 2}, {1.5, 2}, {-infinity, infinity}, {-1e300, 0}, {255, 1e300}};
  for (const auto& range : accepted) {
    ExpectAccepted(Good().Type(kU8).Clamp(range[0], range[1]));
  }
  ExpectAccepted(Good().Type(kS8).Clamp(-400, -128));
  // Not looked at without the flag.
  lanepool_params params = Good().Type(kU8).Clamp(2, 1);
  params.flags = 0;
  ExpectAccepted(params);
}

// Whatever the type: the ends must be numbers, and in order.
TEST(Quantization, ClampOfAFloat) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double bad[][2] = {{6, 0}, {infinity, 0}, {std::nan(""), 6}, {0, NAN}, {NAN, NAN}};
  for (const int32_t type : {kFloat, kF64, kF16, kBf16}) {
    for (const auto& range : bad) {
      ExpectRefused(Good().Type(type).Clamp(range[0], range[1]), LANEPOOL_SCALE, {"clamp"});
    }
    const double good[][2] = {
        {0, 6}, {6, 6}, {-infinity, infinity}, {infinity, infinity}, {-1e300, 1e-300}, {0.1, 0.1}};
    for (const auto& range : good) ExpectAccepted(Good().Type(type).Clamp(range[0], range[1]));
  }
  ExpectAccepted(Good().Types(kU8, kFloat).Clamp(0, 6));
  ExpectRefused(Good().Types(kS8, kFloat).Clamp(6, 0), LANEPOOL_SCALE, {"clamp"});
}

TEST(Quantization, ClampOfOtherIntegers) {
  const auto max = [](int32_t type, double low, double high) {
    return support::Max({9}).Kernel({3}).Type(type).Clamp(low, high);
  };
  ExpectRefused(max(kU16, 65535.5, 1e9), LANEPOOL_SCALE, {"clamp"});
  ExpectRefused(max(kU16, -9, -0.5), LANEPOOL_SCALE, {"clamp"});
  ExpectRefused(max(kS16, 0.2, 0.8), LANEPOOL_SCALE, {"clamp"});
  ExpectRefused(max(kS32, 2147483647.5, 1e300), LANEPOOL_SCALE, {"clamp"});
  ExpectRefused(max(kS32, 5, 4), LANEPOOL_SCALE, {"clamp"});
  ExpectAccepted(max(kU16, 65535, 1e9));
  ExpectAccepted(max(kS16, -1e300, -32768));
  ExpectAccepted(max(kS32, 2147483647, 2147483648.0));
}

// Types other than u8 and s8 have no scales: those are not looked at, but a zero point or a count
// is a mistake.
TEST(Quantization, TypesWithoutScales) {
  for (const int32_t type : {kU16, kS16, kS32, kF64, kF16, kBf16}) {
    const support::Params params = support::Max({9}).Kernel({3}).Channels(4).Type(type);
    ExpectAccepted(support::Params(params).Scales(0, -1));
    ExpectAccepted(support::Params(params).Scales(std::nanf(""), 0));
    ExpectRefused(support::Params(params).ZeroPoints(1, 0), LANEPOOL_ZERO_POINT,
                  {"x_zero_point", "1"});
    ExpectRefused(support::Params(params).ZeroPoints(0, -1), LANEPOOL_ZERO_POINT,
                  {"y_zero_point", "-1"});
    ExpectRefused(support::Params(params).ScaleCounts(4, 0), LANEPOOL_SCALE, {"x_scale_count"});
    ExpectRefused(support::Params(params).ScaleCounts(0, 4), LANEPOOL_SCALE, {"y_scale_count"});
  }
}

}  // namespace
