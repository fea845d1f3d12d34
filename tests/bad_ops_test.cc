// Bad params of indices, output sizes, flags, MAX_UNPOOL and Lp, as bad_input_test.cc has it for
// shapes and policies; and what is valid all the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "refusals.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random.h"

namespace {

using refusals::ExpectAccepted;
using refusals::ExpectRefused;
using refusals::Good;
using support::Average;
using support::Max;
using support::MaxUnpool;
using support::Params;

constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();
constexpr int32_t kF32 = LANEPOOL_TYPE_FLOAT;
constexpr int32_t kU8 = LANEPOOL_TYPE_UINT8;
constexpr int32_t kS8 = LANEPOOL_TYPE_INT8;
constexpr int32_t kU16 = LANEPOOL_TYPE_UINT16;
constexpr int32_t kS16 = LANEPOOL_TYPE_INT16;
constexpr int32_t kF16 = LANEPOOL_TYPE_FLOAT16;
constexpr int32_t kBf16 = LANEPOOL_TYPE_BFLOAT16;
constexpr int32_t kF64 = LANEPOOL_TYPE_DOUBLE;
constexpr int32_t kS32 = LANEPOOL_TYPE_INT32;
constexpr int32_t kS64 = LANEPOOL_TYPE_INT64;

lanepool_params WithOp(const lanepool_params& params, int32_t op) {
  lanepool_params other = params;
  other.op = op;
  return other;
}

// --- types ---------------------------------------------------------------------------------------

TEST(Types, OfTheOps) {
  for (const int32_t op : {LANEPOOL_OP_SUM, LANEPOOL_OP_LP}) {
    for (const int32_t type : {kU8, kS8, kU16, kS16, kS32, kS64}) {
      ExpectRefused(WithOp(Good().Type(type), op), LANEPOOL_TYPE, {"x_type", std::to_string(type)});
    }
    ExpectRefused(WithOp(Good().Types(kF32, kU8), op), LANEPOOL_TYPE, {"type"});
  }
  ExpectRefused(Good().Type(kS32), LANEPOOL_TYPE, {"x_type"});  // no average of s32
  ExpectRefused(Max({9}).Kernel({3}).Type(kS64), LANEPOOL_TYPE, {"x_type"});
  ExpectRefused(Good().Types(kU16, kU8), LANEPOOL_TYPE, {"y_type"});
  ExpectRefused(Good().Types(kF16, kF32), LANEPOOL_TYPE, {"y_type"});
  ExpectRefused(Good().Types(kF32, kF64), LANEPOOL_TYPE, {"y_type"});
  ExpectRefused(MaxUnpool({4}).OutputSize({8}).Types(kU8, kS8), LANEPOOL_TYPE, {"y_type"});
}

TEST(Types, OfIndices) {
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MIN, LANEPOOL_OP_SUM, LANEPOOL_OP_LP}) {
    ExpectRefused(WithOp(Good().Index(kS64), op), LANEPOOL_TYPE, {"index_type"});
  }
  for (const int32_t type : {kF32, kU8, kS16, -1, 8, 12, 1000}) {
    ExpectRefused(Max({9}).Kernel({3}).Index(type), LANEPOOL_TYPE,
                  {"index_type", std::to_string(type)});
  }
  ExpectRefused(MaxUnpool({4}).OutputSize({8}).Index(LANEPOOL_TYPE_NONE), LANEPOOL_TYPE,
                {"index_type"});
  for (const int32_t type : {kS32, kS64}) {
    for (int32_t mode = LANEPOOL_INDEX_NCHW; mode <= LANEPOOL_INDEX_WINDOW; ++mode) {
      ExpectAccepted(Max({9}).Kernel({3}).Index(type, mode, LANEPOOL_STORAGE_COLUMN_MAJOR));
    }
  }
}

// --- indices -------------------------------------------------------------------------------------

// The greatest possible index is the last position of the index space.
TEST(Indices, BeyondInt32) {
  constexpr int64_t kLimit = int64_t{1} << 31;
  const Params row = Max({kLimit}).Kernel({1}).Index(kS32);
  ExpectAccepted(row);
  ExpectRefused(Max({kLimit + 1}).Kernel({1}).Index(kS32), LANEPOOL_OVERFLOW, {"index_type"});
  ExpectRefused(Params(row).Channels(2), LANEPOOL_OVERFLOW, {"index_type"});
  ExpectRefused(Params(row).Batch(2), LANEPOOL_OVERFLOW, {"index_type"});
  ExpectRefused(Params(row).Batch(2).Index(kS32, LANEPOOL_INDEX_NHWC), LANEPOOL_OVERFLOW,
                {"index_type"});
  ExpectAccepted(Params(row).Batch(2).Index(kS32, LANEPOOL_INDEX_PLANE));
  ExpectAccepted(Params(row).Batch(2).Index(kS32, LANEPOOL_INDEX_WINDOW));
  ExpectAccepted(Params(row).Batch(2).Index(kS64));
  // An index that is read fits its type.
  ExpectAccepted(MaxUnpool({4}).Channels(2).OutputSize({kLimit}).Index(kS32));
}

TEST(Indices, Views) {
  const Params params = Max({9, 9}).Kernel({3, 3}).Index(kS64);  // 7x7
  const auto with = [&params](const std::vector<int64_t>& strides) {
    lanepool_params p = params;
    std::copy(strides.begin(), strides.end(), p.index_strides);
    return p;
  };
  ExpectRefused(with({49, 1, -7, 1}), LANEPOOL_VIEW, {"index_strides[2]", "-7"});
  ExpectRefused(with({49, 1, 6, 1}), LANEPOOL_VIEW, {"index_strides[2]", "6"});
  ExpectRefused(with({49, 1, 7, 0}), LANEPOOL_VIEW, {"index_strides[3]", "0"});
  ExpectRefused(with({49, 1, kMax64 / 4, 1}), LANEPOOL_OVERFLOW, {"index_strides"});
  ExpectRefused(with({49, 1, 7, 1, 5}), LANEPOOL_RANK, {"index_strides[4]", "5"});
  ExpectAccepted(with({0, 0, 8, 1}));
}

// --- windows from an output size -----------------------------------------------------------------

TEST(Adaptive, LeavesNothingElseToChoose) {
  const Params adaptive = Average({5, 6}).Adaptive({3, 2});
  ExpectAccepted(adaptive);
  ExpectAccepted(Params(adaptive).OutputSize({5, 100}));
  ExpectRefused(Params(adaptive).Kernel({0, 6}), LANEPOOL_KERNEL, {"kernel[1]", "6"});
  ExpectRefused(Params(adaptive).Strides({1, 2}), LANEPOOL_STRIDE, {"strides[1]", "2"});
  ExpectRefused(Params(adaptive).Dilations({2, 1}), LANEPOOL_DILATION, {"dilations[0]", "2"});
  ExpectRefused(Params(adaptive).Pads({0, 0, 0, 1}), LANEPOOL_PAD, {"pads_end[1]", "1"});
  ExpectRefused(Params(adaptive).AutoPad(LANEPOOL_AUTO_PAD_VALID), LANEPOOL_AUTO_PAD, {"auto_pad"});
  ExpectRefused(Params(adaptive).Flag(LANEPOOL_FLAG_GLOBAL), LANEPOOL_FLAG, {"flags"});
  for (const int64_t size : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
    ExpectRefused(Params(adaptive).OutputSize({2, size}), LANEPOOL_DIM,
                  {"output_size[1]", std::to_string(size)});
  }
}

TEST(Adaptive, OutputSizeOfOtherJobs) {
  for (const int64_t size : {1, 7, -1}) {
    ExpectRefused(Good().OutputSize({0, size}), LANEPOOL_DIM, {"output_size[1]"});
    ExpectRefused(Average({5}).Global().OutputSize({size}), LANEPOOL_DIM, {"output_size[0]"});
  }
}

// --- flags ---------------------------------------------------------------------------------------

TEST(Flags, AccumulateF64) {
  const uint32_t flag = LANEPOOL_FLAG_ACCUMULATE_F64;
  for (const int32_t type : {kF64, kF16, kBf16, kU8, kS16}) {
    ExpectRefused(Good().Type(type).Flag(flag), LANEPOOL_FLAG, {"flags"});
  }
  ExpectRefused(Good().Types(kU8, kF32).Flag(flag), LANEPOOL_FLAG, {"flags"});
  ExpectRefused(WithOp(Good().Flag(flag), LANEPOOL_OP_MAX), LANEPOOL_FLAG, {"flags"});
  ExpectRefused(WithOp(Good().Flag(flag), LANEPOOL_OP_MIN), LANEPOOL_FLAG, {"flags"});
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_SUM, LANEPOOL_OP_LP}) {
    ExpectAccepted(WithOp(Good().Flag(flag), op));
    ExpectAccepted(WithOp(Good().Flag(flag | LANEPOOL_FLAG_STRICT_ORDER), op));
  }
}

// Without effect on what is exact in every order.
TEST(Flags, StrictOrder) {
  const uint32_t flag = LANEPOOL_FLAG_STRICT_ORDER;
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX, LANEPOOL_OP_MIN}) {
    for (const int32_t type : {kF32, kU8, kF64, kS16}) {
      ExpectAccepted(WithOp(Good().Type(type).Flag(flag), op));
    }
  }
  ExpectAccepted(Good().Types(kU8, kF32).Flag(flag));
}

TEST(Flags, GoWithQuantizedResults) {
  for (const int32_t y_type : {kU8, kS8}) {
    const Params params = Good().Types(kF32, y_type);
    ExpectAccepted(Params(params).Flag(LANEPOOL_FLAG_STRICT_ORDER));
    ExpectAccepted(Params(params).Flag(LANEPOOL_FLAG_ACCUMULATE_F64));
    ExpectAccepted(Params(params).NanRule(LANEPOOL_NAN_IGNORE));
    ExpectAccepted(WithOp(Params(params).NanRule(LANEPOOL_NAN_IGNORE), LANEPOOL_OP_MAX));
    ExpectAccepted(WithOp(Params(params).NanRule(LANEPOOL_NAN_IGNORE), LANEPOOL_OP_MIN));
  }
}

// All that is valid and has no kernel. Limits of 32-bit lanes: as many taps as f32 can count, as
// many positions as 32 bits can.
TEST(Flags, WindowsBeyondTheLanes) {
  constexpr int64_t kMostCounted = 1 << 24;
  const auto skipping = [](int64_t taps) {
    return Average({taps}).Global().NanRule(LANEPOOL_NAN_IGNORE);
  };
  for (const int32_t type : {kF32, kF16, kBf16}) {
    ExpectAccepted(skipping(kMostCounted).Type(type));
    ExpectRefused(skipping(kMostCounted + 1).Type(type), LANEPOOL_UNSUPPORTED, {"nan_rule"});
  }
  ExpectAccepted(skipping(kMostCounted + 1).Type(kF64));
  ExpectAccepted(skipping(kMostCounted + 1).Flag(LANEPOOL_FLAG_ACCUMULATE_F64));
  ExpectAccepted(skipping(kMostCounted + 1).NanRule(LANEPOOL_NAN_PROPAGATE));
  ExpectAccepted(WithOp(skipping(kMostCounted + 1), LANEPOOL_OP_MAX));

  const auto indexed = [](int64_t input) { return Max({input}).Global().Index(kS64); };
  constexpr int64_t kMostPositions = UINT32_MAX;
  ExpectAccepted(indexed(kMostPositions));
  ExpectRefused(indexed(kMostPositions + 1), LANEPOOL_UNSUPPORTED, {"index_type"});
  ExpectAccepted(indexed(kMostPositions + 1).Type(kF64));
  ExpectAccepted(Max({kMostPositions + 9}).Kernel({5}).Index(kS64));  // windows count, not planes
}

// --- Lp ------------------------------------------------------------------------------------------

TEST(Lp, Orders) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double order : {0.0, 0.999999, -1.0, -2.0, -infinity, std::nan("")}) {
    ExpectRefused(support::Lp({9}).Kernel({3}).LpOrder(order), LANEPOOL_POLICY, {"lp_order"});
  }
  for (const double order : {1.0, 1.000001, 2.0, 3.5, 1e6, infinity}) {
    ExpectAccepted(support::Lp({9}).Kernel({3}).LpOrder(order));
  }
  ExpectAccepted(Good().LpOrder(0));  // of another op: not looked at
}

// --- MAX_UNPOOL ----------------------------------------------------------------------------------

TEST(Unpool, KernelOrOutputSize) {
  const Params sized = MaxUnpool({4, 5}).OutputSize({8, 9});
  const Params windowed = MaxUnpool({4, 5}).Kernel({2, 3}).Strides({2, 1});
  ExpectAccepted(sized);
  ExpectAccepted(windowed);
  ExpectAccepted(Params(windowed).OutputSize({9, 9}));
  ExpectAccepted(Params(windowed).Pads({1, 0, 0, 2}));
  ExpectRefused(MaxUnpool({4, 5}), LANEPOOL_DIM, {"output_size[0]", "0"});
  ExpectRefused(MaxUnpool({4, 5}).OutputSize({8, 0}), LANEPOOL_DIM, {"output_size[1]", "0"});
  ExpectRefused(Params(sized).OutputSize({8, -1}), LANEPOOL_DIM, {"output_size[1]", "-1"});
  ExpectRefused(Params(windowed).OutputSize({-3, 9}), LANEPOOL_DIM, {"output_size[0]", "-3"});
  ExpectRefused(Params(windowed).Kernel({2, 0}), LANEPOOL_KERNEL, {"kernel"});
  ExpectRefused(Params(windowed).Kernel({2, -1}), LANEPOOL_KERNEL, {"kernel[1]", "-1"});
  ExpectRefused(Params(windowed).Strides({0, 1}), LANEPOOL_STRIDE, {"strides[0]", "0"});
  ExpectRefused(Params(windowed).Pads({0, 0, -1, 0}), LANEPOOL_PAD, {"pads_end[0]", "-1"});
}

TEST(Unpool, SizesThatDoNotExist) {
  ExpectRefused(MaxUnpool({1}).Kernel({3}).Pads({2, 1}), LANEPOOL_EMPTY_OUTPUT, {"[0]"});
  ExpectRefused(MaxUnpool({1}).Kernel({3}).Pads({2, 1}).OutputSize({4}), LANEPOOL_EMPTY_OUTPUT,
                {"[0]"});
  ExpectRefused(MaxUnpool({9}).Kernel({2}).Strides({kMax64 / 4}), LANEPOOL_OVERFLOW, {});
  ExpectRefused(MaxUnpool({9}).Kernel({2}).Strides({kMax64}), LANEPOOL_OVERFLOW, {});
  ExpectRefused(MaxUnpool({2}).Kernel({2}).Strides({kMax64}), LANEPOOL_OVERFLOW, {});
  ExpectRefused(MaxUnpool({9}).Kernel({2}).Pads({kMax64, 0}), LANEPOOL_EMPTY_OUTPUT, {"[0]"});
  ExpectRefused(MaxUnpool({9}).OutputSize({kMax64 / 2}), LANEPOOL_OVERFLOW, {});
  ExpectRefused(MaxUnpool({0}).OutputSize({4}), LANEPOOL_DIM, {"input[0]", "0"});
}

TEST(Unpool, WhatItDoesNotHave) {
  const Params params = MaxUnpool({4, 5}).Kernel({2, 3}).Strides({2, 1});
  ExpectRefused(Params(params).Dilations({1, 2}), LANEPOOL_DILATION, {"dilations[1]", "2"});
  ExpectRefused(Params(params).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER), LANEPOOL_AUTO_PAD,
                {"auto_pad"});
  for (const uint32_t flag : {LANEPOOL_FLAG_STRICT_ORDER, LANEPOOL_FLAG_ACCUMULATE_F64,
                              LANEPOOL_FLAG_GLOBAL, LANEPOOL_FLAG_ADAPTIVE}) {
    ExpectRefused(Params(params).Flag(flag), LANEPOOL_FLAG, {"flags"});
  }
  ExpectAccepted(Params(params).Clamp(0, 6));
  ExpectRefused(Params(params).Index(kS64, LANEPOOL_INDEX_WINDOW), LANEPOOL_POLICY,
                {"index_mode", "3"});
}

// Sizes of any magnitude that are valid by themselves: then the statuses agree.
TEST(Extremes, UnpoolAndAdaptiveAgreeWithTheOracle) {
  int64_t agreed = 0;
  for (uint64_t seed = 1; seed <= 30000; ++seed) {
    support::Random random(seed * 131);
    const auto size = [&random](int64_t least) {
      return std::max(least, static_cast<int64_t>(random.Bits() >> random.Between(1, 63)));
    };
    const bool unpool = random.Percent(60);
    lanepool_params params = Params(unpool ? LANEPOOL_OP_MAX_UNPOOL : LANEPOOL_OP_MAX, {size(1)})
                                 .Index(random.Pick({kS32, kS64}));
    params.index_mode = random.Pick({LANEPOOL_INDEX_NCHW, LANEPOOL_INDEX_PLANE});
    if (!unpool) params.flags = LANEPOOL_FLAG_ADAPTIVE;
    if (!unpool || random.Percent(50)) params.output_size[0] = size(1);
    if (unpool && (params.output_size[0] == 0 || random.Percent(50))) {
      params.kernel[0] = size(1);
      params.strides[0] = size(1);
      params.pads_begin[0] = size(0);
      params.pads_end[0] = size(0);
    }
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + support::ParamsText(params));
    const oracle::Shape shape = oracle::ResolveShape(params);
    const support::Planned planned = support::Plan(params);
    if (planned.status == LANEPOOL_OVERFLOW && shape.near_overflow) continue;
    ++agreed;
    if (planned.status == LANEPOOL_UNSUPPORTED && !unpool) {  // a window beyond 32-bit lanes
      ASSERT_EQ(shape.status, LANEPOOL_OK);
      ASSERT_GE(params.input[0] / params.output_size[0] + 2, int64_t{UINT32_MAX});
      continue;
    }
    ASSERT_STREQ(lanepool_status_name(planned.status), lanepool_status_name(shape.status))
        << support::ErrorText(planned.error);
    if (shape.status == LANEPOOL_OK) {
      ASSERT_EQ(planned.desc.output[0], shape.output[0]);
    }
  }
  EXPECT_GT(agreed, 15000);
}

}  // namespace
