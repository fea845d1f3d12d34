// Bad params: a status for each cause, a sentence that names field, axis and value, and a desc that
// is not written. The first part is the catalogue of what has crashed other libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "refusals.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random.h"

namespace {

using refusals::Entry;
using refusals::ExpectAccepted;
using refusals::ExpectRefused;
using refusals::Good;
using refusals::Untouched;
using support::Average;
using support::Max;

constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
constexpr int64_t kTwoTo62 = int64_t{1} << 62;

// Every axis of every rank, and what must be refused there.
void ExpectRefusedPerAxis(int64_t (lanepool_params::*field)[3], const char* name, int32_t status,
                          const std::vector<int64_t>& values) {
  for (int rank = 1; rank <= 3; ++rank) {
    for (int axis = 0; axis < rank; ++axis) {
      for (const int64_t value : values) {
        lanepool_params params = Good(rank);
        (params.*field)[axis] = value;
        ExpectRefused(params, status, {Entry(name, axis), std::to_string(value)});
      }
    }
  }
}

// --- the catalogue -------------------------------------------------------------------------------

// CVE-2021-41196: pool size 0 or negative. CVE-2022-35941: a negative one ends the process.
TEST(Catalogue, KernelZeroOrNegative) {
  ExpectRefusedPerAxis(&lanepool_params::kernel, "kernel", LANEPOOL_KERNEL, {0, -1, kMin64});
}

// CVE-2021-29586 and many more: stride 0 divides by zero; strides of -1.
TEST(Catalogue, StrideZeroOrNegative) {
  ExpectRefusedPerAxis(&lanepool_params::strides, "strides", LANEPOOL_STRIDE, {0, -1, kMin64});
}

TEST(Catalogue, DilationZeroOrNegative) {
  ExpectRefusedPerAxis(&lanepool_params::dilations, "dilations", LANEPOOL_DILATION,
                       {0, -1, kMin64});
}

TEST(Catalogue, PadsNegative) {
  ExpectRefusedPerAxis(&lanepool_params::pads_begin, "pads_begin", LANEPOOL_PAD, {-1, kMin64});
  ExpectRefusedPerAxis(&lanepool_params::pads_end, "pads_end", LANEPOOL_PAD, {-1, kMin64});
}

// CVE-2021-29573: all dimensions 0.
TEST(Catalogue, DimensionsZeroOrNegative) {
  ExpectRefusedPerAxis(&lanepool_params::input, "input", LANEPOOL_DIM, {0, -1, kMin64});
  lanepool_params params = Good();
  params.batch = params.channels = params.input[0] = params.input[1] = 0;
  ExpectRefused(params, LANEPOOL_DIM, {"input[0]", "0"});
  ExpectRefused(Good().Batch(-1), LANEPOOL_DIM, {"batch", "-1"});
  ExpectRefused(Good().Channels(-1), LANEPOOL_DIM, {"channels", "-1"});
}

// CVE-2021-29550, CVE-2022-21735: an output of size 0 that is divided by. pytorch#4986: a kernel
// larger than the input corrupted the heap.
TEST(Catalogue, KernelBeyondInput) {
  ExpectRefused(Average({9, 4}).Kernel({3, 5}), LANEPOOL_EMPTY_OUTPUT, {"kernel[1]", "5"});
  ExpectRefused(Average({9, 4}).Kernel({3, 3}).Dilations({1, 2}), LANEPOOL_EMPTY_OUTPUT,
                {"kernel[1]"});
  ExpectRefused(Average({3}).Kernel({kMax64}), LANEPOOL_EMPTY_OUTPUT,
                {"kernel[0]", std::to_string(kMax64)});
  // Sizes that divide toward zero leave one window while less than a stride is missing.
  const support::Params truncated = Average({4}).Kernel({6}).Oversize(LANEPOOL_OVERSIZE_TRUNCATE);
  ExpectRefused(truncated, LANEPOOL_EMPTY_OUTPUT, {"kernel[0]"});
  ExpectAccepted(support::Params(truncated).Strides({3}));
}

// tensorflow#89848, #61605, #61579: a kernel of 2^63-1. pytorch#142454, #73190, #73191: the
// effective kernel wraps to a positive size. ORT 1.30: dilation 2^62 gives a dimension of -9.2e18.
TEST(Catalogue, EffectiveKernelOverflows) {
  ExpectRefused(Average({9}).Kernel({3}).Dilations({kTwoTo62}), LANEPOOL_OVERFLOW, {"kernel[0]"});
  ExpectRefused(Average({9}).Kernel({kMax64}).Dilations({2}), LANEPOOL_OVERFLOW, {"kernel[0]"});
  ExpectRefused(Average({9}).Kernel({8600000000000000000}).Dilations({1250000000000}),
                LANEPOOL_OVERFLOW, {"kernel[0]", "8600000000000000000"});
  ExpectRefused(Average({9}).Kernel({(int64_t{1} << 32) + 1}).Dilations({int64_t{1} << 32}),
                LANEPOOL_OVERFLOW, {"kernel[0]"});
  ExpectAccepted(Average({9}).Kernel({1}).Dilations({kMax64}));
}

// pytorch#136719, #189664: 32-bit quotients and loop counters beside 64-bit sizes.
TEST(Catalogue, AttributesBeyond32Bits) {
  const int64_t int_max = std::numeric_limits<int32_t>::max();
  ExpectAccepted(Average({9}).Kernel({3}).Dilations({int_max}).Pads({int_max, int_max}));
  ExpectAccepted(Average({9}).Kernel({2}).Dilations({int_max * 4}).Pads({0, int_max * 4}));
  ExpectAccepted(Average({9}).Kernel({3}).Strides({kTwoTo62}));  // one output
  ExpectAccepted(Average({9}).Kernel({3}).Strides({int_max + 2}));
  EXPECT_EQ(support::Plan(Average({9}).Kernel({3}).Strides({kTwoTo62})).desc.output[0], 1);
}

TEST(Catalogue, PaddedInputOverflows) {
  ExpectRefused(Average({9}).Kernel({3}).Pads({kMax64, 0}), LANEPOOL_OVERFLOW, {"pads"});
  ExpectRefused(Average({9}).Kernel({3}).Pads({0, kMax64}), LANEPOOL_OVERFLOW, {"pads"});
  ExpectRefused(Average({kMax64}).Kernel({3}).Pads({1, 1}), LANEPOOL_OVERFLOW, {});
}

// pytorch#94698, #94696: a shape with 0 and 2.7e18 in it.
TEST(Catalogue, ProductOfDimensionsOverflows) {
  const int64_t huge = 2700000000000000000;
  ExpectRefused(Average({huge, 4}).Kernel({1, 1}), LANEPOOL_OVERFLOW, {});
  ExpectRefused(Average({huge, 4}).Kernel({1, 1}).Batch(0), LANEPOOL_OVERFLOW, {});
  ExpectRefused(Average({huge, 4}).Kernel({1, 1}).Channels(0), LANEPOOL_OVERFLOW, {});
  ExpectRefused(Average({9, 9}).Kernel({1, 1}).Channels(huge), LANEPOOL_OVERFLOW, {});
  ExpectRefused(Average({9, 9}).Kernel({1, 1}).Batch(kMax64), LANEPOOL_OVERFLOW, {});
  // The elements can be counted, the bytes cannot.
  ExpectRefused(Average({kTwoTo62}).Kernel({1}), LANEPOOL_OVERFLOW, {});
  // x is small, y is not.
  ExpectRefused(Average({9}).Kernel({1}).Pads({kTwoTo62, 0}), LANEPOOL_OVERFLOW, {});
}

TEST(Catalogue, ViewOffsetsOverflow) {
  lanepool_params params = Good();
  const int64_t strides[5] = {kMax64, 1, kMax64, 1, 0};
  std::memcpy(params.x_strides, strides, sizeof strides);
  ExpectRefused(params, LANEPOOL_OVERFLOW, {"x_strides"});
  params = Good();
  std::memcpy(params.y_strides, strides, sizeof strides);
  ExpectRefused(params, LANEPOOL_OVERFLOW, {"y_strides"});
  // Two elements as far apart as can be leave no stride for others.
  params = Good();
  params.batch = params.channels = 2;
  for (int i = 0; i < 4; ++i) params.y_strides[i] = kMax64;
  ExpectRefused(params, LANEPOOL_OVERFLOW, {"y_strides"});
}

// onnx PR 7764, 8051, ORT PR 21507, 29579: ranks that do not agree.
TEST(Catalogue, RankOutsideAndEntriesBeyondIt) {
  for (const int32_t rank :
       {0, -1, 4, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    lanepool_params params = Good();
    params.rank = rank;
    ExpectRefused(params, LANEPOOL_RANK, {"rank", std::to_string(rank)});
  }
  const struct {
    int64_t (lanepool_params::*field)[3];
    const char* name;
  } arrays[] = {{&lanepool_params::input, "input"},
                {&lanepool_params::kernel, "kernel"},
                {&lanepool_params::strides, "strides"},
                {&lanepool_params::dilations, "dilations"},
                {&lanepool_params::pads_begin, "pads_begin"},
                {&lanepool_params::pads_end, "pads_end"},
                {&lanepool_params::output_size, "output_size"}};
  for (const auto& array : arrays) {
    for (int rank = 1; rank <= 2; ++rank) {
      lanepool_params params = Good(rank);
      (params.*array.field)[rank] = 7;
      ExpectRefused(params, LANEPOOL_RANK, {Entry(array.name, rank), "7"});
    }
  }
  lanepool_params params = Good(1);
  params.x_strides[3] = 5;
  ExpectRefused(params, LANEPOOL_RANK, {"x_strides[3]", "5"});
}

// ORT 1.30 ignores one of the two.
TEST(Catalogue, PadsWithAutoPad) {
  for (const int32_t auto_pad :
       {LANEPOOL_AUTO_PAD_VALID, LANEPOOL_AUTO_PAD_SAME_UPPER, LANEPOOL_AUTO_PAD_SAME_LOWER}) {
    ExpectRefused(Good().AutoPad(auto_pad).Pads({0, 1, 0, 0}), LANEPOOL_AUTO_PAD,
                  {"pads_begin[1]", "1"});
    ExpectRefused(Good().AutoPad(auto_pad).Pads({0, 0, 2, 0}), LANEPOOL_AUTO_PAD,
                  {"pads_end[0]", "2"});
    ExpectAccepted(Good().AutoPad(auto_pad));
  }
}

// --- every field ---------------------------------------------------------------------------------

struct CodeField {
  int32_t lanepool_params::* field;
  const char* name;
  int32_t first, last;
  int32_t status;
};

const std::vector<CodeField> kCodeFields = {
    {&lanepool_params::op, "op", 1, 6, LANEPOOL_OP},
    {&lanepool_params::layout, "layout", 1, 2, LANEPOOL_LAYOUT},
    {&lanepool_params::auto_pad, "auto_pad", 0, 3, LANEPOOL_AUTO_PAD},
    {&lanepool_params::ceil_mode, "ceil_mode", 0, 2, LANEPOOL_POLICY},
    {&lanepool_params::valid_ceil, "valid_ceil", 0, 1, LANEPOOL_POLICY},
    {&lanepool_params::oversize_kernel, "oversize_kernel", 0, 1, LANEPOOL_POLICY},
    {&lanepool_params::divisor, "divisor", 0, 3, LANEPOOL_POLICY},
    {&lanepool_params::empty_window, "empty_window", 0, 2, LANEPOOL_POLICY},
    {&lanepool_params::nan_rule, "nan_rule", 0, 1, LANEPOOL_POLICY},
    {&lanepool_params::rounding, "rounding", 0, 2, LANEPOOL_POLICY},
    {&lanepool_params::index_mode, "index_mode", 0, 3, LANEPOOL_POLICY},
    {&lanepool_params::storage_order, "storage_order", 0, 1, LANEPOOL_POLICY},
    {&lanepool_params::x_type, "x_type", 1, 16, LANEPOOL_TYPE},
    {&lanepool_params::y_type, "y_type", 1, 16, LANEPOOL_TYPE},
    {&lanepool_params::index_type, "index_type", 0, 7, LANEPOOL_TYPE},
};

TEST(EveryField, UnknownCodes) {
  for (const CodeField& code : kCodeFields) {
    for (const int32_t value :
         {code.first - 1, code.last + 1, 1000, std::numeric_limits<int32_t>::max(),
          std::numeric_limits<int32_t>::min()}) {
      lanepool_params params = Good();
      params.*code.field = value;
      ExpectRefused(params, code.status, {code.name, std::to_string(value)});
    }
  }
  for (const int32_t type : {8, 9, 12, 13, 14, 15}) {  // strings, bool, complex ...
    lanepool_params params = Good();
    params.x_type = type;
    ExpectRefused(params, LANEPOOL_TYPE, {"x_type", std::to_string(type)});
  }
}

TEST(EveryField, Flags) {
  for (uint32_t bit = 32; bit != 0; bit <<= 1) {
    lanepool_params params = Good();
    params.flags = bit;
    ExpectRefused(params, LANEPOOL_FLAG, {"flags"});
  }
  lanepool_params params = Good();
  params.kernel[0] = params.kernel[1] = 0;
  params.flags = LANEPOOL_FLAG_GLOBAL | LANEPOOL_FLAG_ADAPTIVE;
  ExpectRefused(params, LANEPOOL_FLAG, {"flags"});
}

TEST(EveryField, GlobalLeavesNothingToChoose) {
  const support::Params global = Average({5, 6}).Global();
  ExpectAccepted(global);
  ExpectRefused(support::Params(global).Kernel({5, 6}), LANEPOOL_KERNEL, {"kernel[0]", "5"});
  ExpectRefused(support::Params(global).Strides({1, 2}), LANEPOOL_STRIDE, {"strides[1]", "2"});
  ExpectRefused(support::Params(global).Dilations({2, 1}), LANEPOOL_DILATION,
                {"dilations[0]", "2"});
  ExpectRefused(support::Params(global).Pads({0, 0, 0, 1}), LANEPOOL_PAD, {"pads_end[1]", "1"});
  ExpectRefused(support::Params(global).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER), LANEPOOL_AUTO_PAD,
                {"auto_pad"});
}

TEST(EveryField, ArgumentsOfPolicies) {
  ExpectRefused(Good().Divisor(LANEPOOL_DIVISOR_CONSTANT, 0), LANEPOOL_POLICY,
                {"divisor_value", "0"});
  ExpectRefused(Good().Divisor(LANEPOOL_DIVISOR_CONSTANT, -3), LANEPOOL_POLICY,
                {"divisor_value", "-3"});
  ExpectRefused(Good().Divisor(LANEPOOL_DIVISOR_EXCLUDE_PAD, 9), LANEPOOL_POLICY,
                {"divisor_value", "9"});
  ExpectAccepted(Good().Divisor(LANEPOOL_DIVISOR_CONSTANT, kMax64));
  for (const double order : {0.0, 0.5, -1.0, std::nan("")}) {
    ExpectRefused(support::Lp({9}).Kernel({3}).LpOrder(order), LANEPOOL_POLICY, {"lp_order"});
  }
  lanepool_params params = Good();
  params.flags = LANEPOOL_FLAG_CLAMP;
  params.clamp_low = 2;
  params.clamp_high = 1;
  ExpectRefused(params, LANEPOOL_SCALE, {"clamp"});
}

TEST(EveryField, EmptyWindowsRejected) {
  ExpectRefused(
      Average({9, 2}).Kernel({3, 2}).Pads({0, 2, 0, 0}).EmptyWindow(LANEPOOL_EMPTY_REJECT),
      LANEPOOL_EMPTY_WINDOW, {"[1]"});
  ExpectRefused(Max({2}).Kernel({2}).Dilations({3}).Pads({1, 1}).EmptyWindow(LANEPOOL_EMPTY_REJECT),
                LANEPOOL_EMPTY_WINDOW, {"[0]"});
}

TEST(EveryField, Views) {
  lanepool_params params = Good();  // y is 7x7
  const int64_t negative[5] = {81, 1, -9, 1, 0};
  std::memcpy(params.x_strides, negative, sizeof negative);
  ExpectRefused(params, LANEPOOL_VIEW, {"x_strides[2]", "-9"});
  params = Good();
  std::memcpy(params.y_strides, negative, sizeof negative);
  ExpectRefused(params, LANEPOOL_VIEW, {"y_strides[2]", "-9"});
  params = Good();
  const int64_t overlapping[5] = {49, 1, 6, 1, 0};  // rows of 7 at a distance of 6
  std::memcpy(params.y_strides, overlapping, sizeof overlapping);
  ExpectRefused(params, LANEPOOL_VIEW, {"y_strides[2]", "6"});
  std::memcpy(params.x_strides, overlapping, sizeof overlapping);
  std::memset(params.y_strides, 0, sizeof params.y_strides);
  ExpectAccepted(params);  // x may
  params = Good();
  const int64_t repeated[5] = {49, 1, 7, 0, 0};
  std::memcpy(params.y_strides, repeated, sizeof repeated);
  ExpectRefused(params, LANEPOOL_VIEW, {"y_strides[3]", "0"});
  const int64_t alike[5] = {49, 1, 7, 7, 0};
  std::memcpy(params.y_strides, alike, sizeof alike);
  ExpectRefused(params, LANEPOOL_VIEW, {"y_strides[3]", "7"});  // the later of them
}

TEST(EveryField, Reserved) {
  for (int i = 0; i < 4; ++i) {
    lanepool_params params = Good();
    params.reserved[i] = 1;
    EXPECT_NE(support::Plan(params).status, LANEPOOL_OK);
  }
}

TEST(EveryField, TargetMask) {
  uint64_t unknown = ~lanepool_targets(LANEPOOL_TARGETS_COMPILED);
  unknown &= ~unknown + 1;
  lanepool_params params = Good();
  params.target_mask = unknown;
  ExpectRefused(params, LANEPOOL_TARGET, {"target_mask"});
  params.target_mask = unknown | lanepool_targets(LANEPOOL_TARGETS_BEST);
  ExpectAccepted(params);
}

TEST(EveryField, PointersAndStructSize) {
  lanepool_params params = Good();
  Untouched untouched;
  lanepool_error error;
  EXPECT_EQ(lanepool_plan(nullptr, &untouched.desc, &error), LANEPOOL_NULL);
  EXPECT_EQ(error.status, LANEPOOL_NULL);
  EXPECT_TRUE(untouched.Holds());
  EXPECT_EQ(lanepool_plan(&params, nullptr, &error), LANEPOOL_NULL);
  EXPECT_EQ(lanepool_plan(nullptr, nullptr, nullptr), LANEPOOL_NULL);
  for (const uint32_t size : {0u, 4u, 8u, 1u << 30, ~0u}) {
    params.struct_size = size;
    ExpectRefused(params, LANEPOOL_STRUCT_SIZE, {"struct_size", std::to_string(size)});
  }
}

// --- numbers that are as large as they get -------------------------------------------------------

// The int64 fields of one axis, the sizes, and the strides of views.
std::vector<size_t> WideFieldOffsets() {
  std::vector<size_t> offsets = {offsetof(lanepool_params, batch),
                                 offsetof(lanepool_params, channels),
                                 offsetof(lanepool_params, divisor_value)};
  for (size_t at = offsetof(lanepool_params, input); at < offsetof(lanepool_params, x_scale);
       at += sizeof(int64_t)) {
    offsets.push_back(at);
  }
  return offsets;
}

int64_t Extreme(support::Random* random) {
  const int64_t powers = int64_t{1} << random->Between(0, 62);
  return random->Pick<int64_t>({kMax64, kMin64, kMax64 - 1, kMin64 + 1, kTwoTo62, powers,
                                powers - 1, -powers, int64_t{1} << 31, int64_t{1} << 32, 0, -1, 1,
                                2, 3});
}

// Whatever is in the fields: an answer, no desc without an OK, and the oracle's opinion where it
// has one.
void ExpectAnAnswer(const lanepool_params& params) {
  Untouched untouched;
  lanepool_error error = {};
  const int32_t status = lanepool_plan(&params, &untouched.desc, &error);
  ASSERT_EQ(error.status, status);
  ASSERT_FALSE(support::ErrorText(error).empty());
  if (status != LANEPOOL_OK) {
    ASSERT_TRUE(untouched.Holds());
    return;
  }
  const oracle::Shape shape = oracle::ResolveShape(params);
  ASSERT_EQ(shape.status, LANEPOOL_OK);
  for (int i = 0; i < params.rank; ++i) {
    ASSERT_EQ(untouched.desc.output[i], shape.output[i]);
    ASSERT_EQ(untouched.desc.pads_begin[i], shape.pads_begin[i]);
    ASSERT_EQ(untouched.desc.pads_end[i], shape.pads_end[i]);
  }
}

// More phases of dilated windows than there are outputs.
TEST(Extremes, DilationFarBeyondTheOutputs) {
  lanepool_params params;
  lanepool_params_init(&params, sizeof params, LANEPOOL_DIALECT_ONNX);
  params.op = LANEPOOL_OP_AVERAGE;
  params.layout = LANEPOOL_LAYOUT_NCHW;
  params.rank = 2;
  params.x_type = params.y_type = LANEPOOL_TYPE_UINT16;
  params.channels = 40;
  params.input[0] = params.input[1] = 21;
  params.kernel[0] = 5;
  params.kernel[1] = 9;
  params.dilations[0] = 113868790578454019;
  params.auto_pad = LANEPOOL_AUTO_PAD_SAME_UPPER;
  const support::Planned planned = support::Plan(params);
  ASSERT_EQ(planned.status, LANEPOOL_OK);
  EXPECT_GE(planned.desc.workspace_bytes, 0);
  EXPECT_LT(planned.desc.workspace_bytes, 1 << 20);
}

TEST(Extremes, OneField) {
  const std::vector<int64_t> values = {
      kMin64,           kMin64 + 1,       -kTwoTo62, -1,         0,     1,
      int64_t{1} << 31, int64_t{1} << 32, kTwoTo62,  kMax64 - 1, kMax64};
  for (int rank = 1; rank <= 3; ++rank) {
    for (const size_t offset : WideFieldOffsets()) {
      for (const int64_t value : values) {
        lanepool_params params = Good(rank);
        std::memcpy(reinterpret_cast<char*>(&params) + offset, &value, sizeof value);
        SCOPED_TRACE("offset " + std::to_string(offset) + ": " + support::ParamsText(params));
        ExpectAnAnswer(params);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Indices, windows from an output size, MAX_UNPOOL: the same fields, other arithmetic.
void ChangeOp(support::Random* random, lanepool_params* p) {
  const bool unpool = random->Percent(50);
  p->op = unpool ? LANEPOOL_OP_MAX_UNPOOL : LANEPOOL_OP_MAX;
  p->index_type = random->Pick({LANEPOOL_TYPE_INT32, LANEPOOL_TYPE_INT64});
  p->index_mode = random->Pick({LANEPOOL_INDEX_NCHW, LANEPOOL_INDEX_NHWC, LANEPOOL_INDEX_PLANE});
  if (unpool) p->auto_pad = LANEPOOL_AUTO_PAD_NOTSET;
  const bool sized = random->Percent(50);
  if (sized && !unpool) {
    p->flags |= LANEPOOL_FLAG_ADAPTIVE;
    p->auto_pad = LANEPOOL_AUTO_PAD_NOTSET;
  }
  for (int i = 0; i < p->rank && sized; ++i) {
    p->kernel[i] = 0;
    p->output_size[i] = random->Between(1, 20);
  }
}

TEST(Extremes, SeveralFields) {
  const std::vector<size_t> offsets = WideFieldOffsets();
  for (uint64_t seed = 1; seed <= 60000 && !HasFatalFailure(); ++seed) {
    support::Random random(seed);
    lanepool_params params = Good(static_cast<int>(random.Between(1, 3)));
    params.auto_pad = random.Pick({0, 0, 0, 1, 2, 3});
    params.ceil_mode = random.Pick({0, 1, 2});
    params.oversize_kernel = random.Pick({0, 1});
    if (random.Percent(50)) ChangeOp(&random, &params);
    for (int64_t i = random.Between(1, 4); i > 0; --i) {
      const size_t offset =
          offsets[static_cast<size_t>(random.Between(0, static_cast<int64_t>(offsets.size()) - 1))];
      const int64_t value = Extreme(&random);
      std::memcpy(reinterpret_cast<char*>(&params) + offset, &value, sizeof value);
    }
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + support::ParamsText(params));
    ExpectAnAnswer(params);
  }
}

// Sizes and attributes of any magnitude that are valid by themselves: then the statuses agree.
TEST(Extremes, ShapesAgreeWithTheOracle) {
  int64_t agreed = 0;
  for (uint64_t seed = 1; seed <= 60000; ++seed) {
    support::Random random(seed * 77);
    lanepool_params params = Good(1);
    const auto size = [&random](int64_t least) {
      return std::max(least, static_cast<int64_t>(random.Bits() >> random.Between(1, 63)));
    };
    params.input[0] = size(1);
    params.kernel[0] = size(1);
    params.strides[0] = size(1);
    params.dilations[0] = random.Percent(50) ? 1 : size(1);
    params.auto_pad = random.Pick({0, 0, 1, 2, 3});
    params.ceil_mode = random.Pick({0, 1, 2});
    params.oversize_kernel = random.Pick({0, 1});
    if (params.auto_pad == 0) params.pads_begin[0] = size(0);
    if (params.auto_pad == 0) params.pads_end[0] = size(0);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + support::ParamsText(params));
    const oracle::Shape shape = oracle::ResolveShape(params);
    const support::Planned planned = support::Plan(params);
    if (planned.status == LANEPOOL_OVERFLOW && shape.near_overflow) continue;
    ++agreed;
    ASSERT_STREQ(lanepool_status_name(planned.status), lanepool_status_name(shape.status))
        << support::ErrorText(planned.error);
    if (shape.status != LANEPOOL_OK) continue;
    ASSERT_EQ(planned.desc.output[0], shape.output[0]);
    ASSERT_EQ(planned.desc.pads_begin[0], shape.pads_begin[0]);
    ASSERT_EQ(planned.desc.pads_end[0], shape.pads_end[0]);
    // As far as the oracle looks.
    if (shape.pads_begin[0] / params.strides[0] >= oracle::kMostWindows) continue;
    ASSERT_EQ(planned.desc.has_empty_windows, shape.has_empty_windows ? 1 : 0);
  }
  EXPECT_GT(agreed, 30000);
}

// --- the order of the checks ---------------------------------------------------------------------

struct Fault {
  int32_t status;
  int stage;  // of the order that lanepool.h promises
  std::function<void(lanepool_params*)> apply;
};

std::vector<Fault> Faults() {
  return {
      {LANEPOOL_STRUCT_SIZE, 0, [](lanepool_params* p) { p->struct_size = 3; }},
      {LANEPOOL_RANK, 1, [](lanepool_params* p) { p->rank = 4; }},
      {LANEPOOL_OP, 1, [](lanepool_params* p) { p->op = 99; }},
      {LANEPOOL_LAYOUT, 1, [](lanepool_params* p) { p->layout = 99; }},
      {LANEPOOL_POLICY, 1, [](lanepool_params* p) { p->rounding = 99; }},
      {LANEPOOL_FLAG, 1, [](lanepool_params* p) { p->flags = 1u << 31; }},
      {LANEPOOL_FLAG, 1, [](lanepool_params* p) { p->flags |= 17; }},  // GLOBAL and ADAPTIVE
      {LANEPOOL_TYPE, 2, [](lanepool_params* p) { p->y_type = 99; }},
      {LANEPOOL_TYPE, 2, [](lanepool_params* p) { p->index_type = LANEPOOL_TYPE_INT64; }},
      {LANEPOOL_KERNEL, 3, [](lanepool_params* p) { p->kernel[0] = 0; }},
      {LANEPOOL_STRIDE, 3, [](lanepool_params* p) { p->strides[1] = 0; }},
      {LANEPOOL_DILATION, 3, [](lanepool_params* p) { p->dilations[1] = 0; }},
      {LANEPOOL_PAD, 3, [](lanepool_params* p) { p->pads_end[1] = -1; }},
      {LANEPOOL_DIM, 4, [](lanepool_params* p) { p->batch = -1; }},
      {LANEPOOL_OVERFLOW, 5, [](lanepool_params* p) { p->channels = kMax64; }},
      {LANEPOOL_OVERFLOW, 5, [](lanepool_params* p) { p->pads_begin[2] = kMax64; }},
      {LANEPOOL_EMPTY_OUTPUT, 6, [](lanepool_params* p) { p->kernel[1] = 100; }},
      {LANEPOOL_EMPTY_WINDOW, 7,
       [](lanepool_params* p) {
         p->pads_begin[0] = 3;
         p->empty_window = LANEPOOL_EMPTY_REJECT;
       }},
      {LANEPOOL_VIEW, 8, [](lanepool_params* p) { p->y_strides[0] = -1; }},
      {LANEPOOL_SCALE, 9,
       [](lanepool_params* p) {
         p->x_type = p->y_type = LANEPOOL_TYPE_UINT8;
         p->x_scale = 0;
       }},
      {LANEPOOL_ZERO_POINT, 9, [](lanepool_params* p) { p->x_zero_point = -1000; }},
      {LANEPOOL_TARGET, 10,
       [](lanepool_params* p) { p->target_mask = ~lanepool_targets(LANEPOOL_TARGETS_COMPILED); }},
      {LANEPOOL_UNSUPPORTED, 11,
       [](lanepool_params* p) {
         p->nan_rule = LANEPOOL_NAN_IGNORE;  // too many taps to count in f32
         p->input[2] = p->kernel[2] = (1 << 24) + 1;
       }},
  };
}

// Two things wrong: the earlier check answers.
TEST(Order, IsAsTheHeaderSays) {
  const std::vector<Fault> faults = Faults();
  for (const Fault& fault : faults) {
    lanepool_params params = Good(3);
    fault.apply(&params);
    EXPECT_STREQ(lanepool_status_name(support::Plan(params).status),
                 lanepool_status_name(fault.status));
  }
  for (const Fault& early : faults) {
    for (const Fault& late : faults) {
      if (early.stage >= late.stage) continue;
      lanepool_params params = Good(3);
      late.apply(&params);
      early.apply(&params);
      EXPECT_STREQ(lanepool_status_name(support::Plan(params).status),
                   lanepool_status_name(early.status))
          << "together with " << lanepool_status_name(late.status);
    }
  }
}

}  // namespace
