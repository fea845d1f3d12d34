// MAX_UNPOOL: worked examples, what indices may be, and that a call with a wrong one writes
// nothing. Random jobs are in kinds_test.cc and matrix_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "oracle/types.h"
#include "oracle/window.h"
#include "support/any_case.h"
#include "support/check_job.h"
#include "support/job.h"
#include "support/pack.h"
#include "support/params_text.h"
#include "support/targets.h"

namespace {

using support::Bytes;
using support::MaxUnpool;
using support::Pack;
using support::PackIndex;
using support::Params;
using support::Random;
using support::RandomCase;

constexpr int32_t kS32 = LANEPOOL_TYPE_INT32;
constexpr int32_t kS64 = LANEPOOL_TYPE_INT64;
constexpr int32_t kF32 = LANEPOOL_TYPE_FLOAT;
constexpr int32_t kNchw = LANEPOOL_LAYOUT_NCHW;
constexpr int32_t kNhwc = LANEPOOL_LAYOUT_NHWC;

// --- worked examples -----------------------------------------------------------------------------

// Through the oracle, and through the library on every target, with both index types.
void ExpectUnpooled(const Params& params, const std::vector<double>& x,
                    const std::vector<int64_t>& index, const std::vector<double>& y) {
  for (const int32_t index_type : {kS32, kS64}) {
    lanepool_params own = params;
    own.index_type = index_type;
    SCOPED_TRACE(support::ParamsText(own));
    const support::Inputs inputs = {Pack(own.x_type, x), PackIndex(index_type, index)};
    const Bytes expected = Pack(own.y_type, y);
    Bytes from_oracle(expected.size());
    ASSERT_TRUE(oracle::Unpool(own, inputs.x.data(), inputs.index.data(), from_oracle.data()));
    EXPECT_EQ(from_oracle, expected);
    for (const support::Target& target : support::SupportedTargets()) {
      const support::Planned planned = support::Plan(own, target.mask);
      ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
      EXPECT_EQ(planned.desc.element_count, static_cast<int64_t>(y.size()));
      EXPECT_EQ(support::RunOnce(planned.desc, inputs).y, expected) << target.name;
    }
  }
}

Params Row(int64_t input, int64_t output) {
  return MaxUnpool({input}).OutputSize({output}).Layout(kNchw);
}

TEST(Unpool, ScattersAndFillsWithZero) {
  ExpectUnpooled(Row(3, 6), {5, 7, 9}, {1, 2, 5}, {0, 5, 7, 0, 0, 9});
}

TEST(Unpool, TheLastOfEqualIndicesWins) {
  ExpectUnpooled(Row(4, 3), {5, 7, 9, 8}, {1, 0, 1, 1}, {7, 8, 0});
}

TEST(Unpool, MinusOneSaysNothing) { ExpectUnpooled(Row(3, 3), {5, 7, 9}, {-1, 2, -1}, {0, 0, 7}); }

TEST(Unpool, NanAndZeroOfX) {
  const double nan = std::nan("");
  ExpectUnpooled(Row(3, 3), {nan, -1, -4}, {2, 0, 1}, {-1, -4, nan});
}

// The example of the ONNX operator: sizes from kernel and strides.
TEST(Unpool, SizesFromTheKernel) {
  ExpectUnpooled(MaxUnpool({2, 2}).Kernel({2, 2}).Strides({2, 2}).Layout(kNchw), {1, 2, 3, 4},
                 {5, 7, 13, 15}, {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4});
}

// The same with an output_shape: indices count in the tensor of the inferred sizes, 4 by 4.
TEST(Unpool, IndicesOfTheInferredSizes) {
  ExpectUnpooled(MaxUnpool({2, 2}).Kernel({2, 2}).Strides({2, 2}).OutputSize({5, 5}).Layout(kNchw),
                 {5, 6, 7, 8}, {5, 7, 13, 15},
                 {0, 0, 0, 0, 0, 0, 5, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 8, 0, 0, 0, 0, 0, 0});
}

TEST(Unpool, PadsTakeSizesBack) {
  ExpectUnpooled(MaxUnpool({3}).Kernel({3}).Strides({2}).Pads({1, 1}).Layout(kNchw), {1, 2, 3},
                 {0, 2, 4}, {1, 0, 2, 0, 3});
}

TEST(Unpool, ChannelsOfBothLayouts) {
  const Params params = MaxUnpool({2}).OutputSize({3}).Channels(2);
  ExpectUnpooled(Params(params).Layout(kNchw), {1, 2, 3, 4}, {2, 0, 3, 4}, {2, 0, 1, 3, 4, 0});
  ExpectUnpooled(params, {1, 3, 2, 4}, {2, 3, 0, 4}, {2, 3, 0, 4, 1, 0});
  ExpectUnpooled(Params(params).Index(kS64, LANEPOOL_INDEX_PLANE), {1, 3, 2, 4}, {2, 0, 0, 1},
                 {2, 3, 0, 4, 1, 0});
  ExpectUnpooled(Params(params).Index(kS64, LANEPOOL_INDEX_NHWC), {1, 3, 2, 4}, {4, 1, 0, 3},
                 {2, 3, 0, 4, 1, 0});
}

TEST(Unpool, ColumnMajor) {
  const Params params = MaxUnpool({1, 2}).OutputSize({2, 3}).Layout(kNchw);
  ExpectUnpooled(Params(params).Index(kS64, LANEPOOL_INDEX_NCHW, LANEPOOL_STORAGE_COLUMN_MAJOR),
                 {8, 9}, {1, 4}, {0, 0, 9, 8, 0, 0});
}

TEST(Unpool, ZeroPointAndClamp) {
  ExpectUnpooled(Row(2, 4).Type(LANEPOOL_TYPE_UINT8).ZeroPoints(7, 7), {1, 200}, {0, 3},
                 {1, 7, 7, 200});
  ExpectUnpooled(Row(2, 4).Clamp(1, 6), {-3, 9}, {0, 3}, {1, 1, 1, 6});
  ExpectUnpooled(Row(2, 3).Type(LANEPOOL_TYPE_INT16), {-32768, 32767}, {2, 1}, {0, 32767, -32768});
}

// Pooling and back: what was a maximum is where it was, the rest is 0.
TEST(Unpool, UndoesPooling) {
  for (const int32_t layout : {kNchw, kNhwc}) {
    const Params pool =
        support::Max({6, 8}).Kernel({2, 2}).Strides({2, 2}).Channels(5).Layout(layout).Index(kS64);
    const Params unpool =
        MaxUnpool({3, 4}).Kernel({2, 2}).Strides({2, 2}).Channels(5).Layout(layout);
    Random random(4);
    const RandomCase item = {pool, support::Data::kUniform};
    const Bytes x = support::MakeX(&random, item);
    const support::Outputs pooled = support::RunOnce(support::Plan(pool).desc, support::Inputs{x});
    const Bytes back = support::RunOnce(support::Plan(unpool).desc, {pooled.y, pooled.index}).y;
    int64_t kept = 0;
    for (int64_t i = 0; i < 6 * 8 * 5; ++i) {
      const double value = oracle::Load(kF32, back.data(), i);
      ASSERT_TRUE(value == 0 || value == oracle::Load(kF32, x.data(), i));
      kept += value != 0 ? 1 : 0;
    }
    EXPECT_EQ(kept, 3 * 4 * 5);
  }
}

// --- wrong indices -------------------------------------------------------------------------------

// The status of a call, and whether it wrote anything.
void ExpectNothingWritten(const lanepool_desc& desc, const support::Inputs& inputs) {
  Bytes y(static_cast<size_t>(desc.y_bytes), support::kPoison);
  Bytes index = inputs.index;
  EXPECT_EQ(support::Run(desc, inputs.x.data(), y.data(), {}, index.data()), LANEPOOL_INDEX);
  EXPECT_EQ(
      support::RunRange(desc, inputs.x.data(), y.data(), 0, desc.work_items, {}, index.data()),
      LANEPOOL_INDEX);
  EXPECT_EQ(y, Bytes(y.size(), support::kPoison)) << "y was written";
  EXPECT_EQ(index, inputs.index) << "index was written";
}

// Every place of the index tensor in turn holds a value that is out of range.
void ExpectRefused(const Params& params, const std::vector<int64_t>& bad) {
  for (const int32_t index_type : {kS32, kS64}) {
    lanepool_params own = params;
    own.index_type = index_type;
    SCOPED_TRACE(support::ParamsText(own));
    const support::Planned planned = support::Plan(own);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    Random random(8);
    const RandomCase item = {own, support::Data::kUniform};
    const support::Inputs good = {support::MakeX(&random, item), support::MakeIndex(&random, own)};
    const int64_t count =
        static_cast<int64_t>(good.index.size()) / oracle::ElementBytes(index_type);
    for (const int64_t value : bad) {
      const bool fits = value == static_cast<int32_t>(value);
      if (index_type == kS32 && !fits) continue;
      for (int64_t at = 0; at < count; ++at) {
        support::Inputs inputs = good;
        oracle::StoreIndex(index_type, inputs.index.data(), at, value);
        SCOPED_TRACE("index " + std::to_string(value) + " at " + std::to_string(at));
        ExpectNothingWritten(planned.desc, inputs);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

const std::vector<int64_t> kNeverRight = {-2,
                                          std::numeric_limits<int64_t>::min(),
                                          std::numeric_limits<int64_t>::max(),
                                          std::numeric_limits<int32_t>::min(),
                                          std::numeric_limits<int32_t>::max(),
                                          int64_t{1} << 32};

std::vector<int64_t> NeverRightAnd(const std::vector<int64_t>& more) {
  std::vector<int64_t> all = kNeverRight;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(WrongIndices, OutsideThePlane) {
  for (const int32_t layout : {kNchw, kNhwc}) {
    const Params one = MaxUnpool({2, 3}).OutputSize({4, 5}).Layout(layout);
    ExpectRefused(one, NeverRightAnd({20, 21}));
    ExpectRefused(Params(one).Index(kS64, LANEPOOL_INDEX_NHWC), NeverRightAnd({20}));
    const Params planes = Params(one).Channels(3).Batch(2);
    ExpectRefused(Params(planes).Index(kS64, LANEPOOL_INDEX_PLANE), NeverRightAnd({20, 119}));
    ExpectRefused(planes, NeverRightAnd({120}));
    ExpectRefused(Params(planes).Index(kS64, LANEPOOL_INDEX_NHWC), NeverRightAnd({120}));
  }
}

// A position of the tensor, but of another image or channel.
TEST(WrongIndices, OfAnotherPlane) {
  for (const int32_t mode : {LANEPOOL_INDEX_NCHW, LANEPOOL_INDEX_NHWC}) {
    for (const int32_t layout : {kNchw, kNhwc}) {
      const lanepool_params params =
          MaxUnpool({2}).OutputSize({4}).Channels(3).Batch(2).Layout(layout).Index(kS64, mode);
      const lanepool_desc desc = support::Plan(params).desc;
      Random random(2);
      const RandomCase item = {params, support::Data::kUniform};
      support::Inputs inputs = {support::MakeX(&random, item), support::MakeIndex(&random, params)};
      for (int64_t value = 0; value < 2 * 3 * 4; ++value) {
        const support::Inputs good = inputs;
        oracle::StoreIndex(kS64, inputs.index.data(), 0, value);
        Bytes y(static_cast<size_t>(desc.y_bytes));
        const bool right = oracle::Unpool(params, inputs.x.data(), inputs.index.data(), y.data());
        EXPECT_EQ(support::Run(desc, inputs.x.data(), y.data(), {}, inputs.index.data()),
                  right ? LANEPOOL_OK : LANEPOOL_INDEX)
            << value;
        inputs = good;
      }
    }
  }
}

// In the index space, but not in y, which is smaller; or the other way round.
TEST(WrongIndices, OutsideY) {
  const Params kernel = MaxUnpool({2, 2}).Kernel({2, 2}).Strides({2, 2}).Layout(kNchw);
  ExpectRefused(Params(kernel).OutputSize({3, 4}), NeverRightAnd({12, 15, 16}));
  ExpectRefused(Params(kernel).OutputSize({4, 3}), NeverRightAnd({3, 7, 15, 16}));
  ExpectRefused(Params(kernel).OutputSize({6, 6}), NeverRightAnd({16, 35}));
}

// Ranges answer for their own indices only.
TEST(WrongIndices, OfSomeWorkItems) {
  for (const int32_t layout : {kNchw, kNhwc}) {
    const lanepool_params params =
        MaxUnpool({5, 6}).OutputSize({9, 9}).Channels(9).Batch(3).Layout(layout);
    const lanepool_desc desc = support::Plan(params).desc;
    Random random(3);
    const RandomCase item = {params, support::Data::kUniform};
    support::Inputs inputs = {support::MakeX(&random, item), support::MakeIndex(&random, params)};
    Bytes expected(static_cast<size_t>(desc.y_bytes));
    ASSERT_TRUE(oracle::Unpool(params, inputs.x.data(), inputs.index.data(), expected.data()));
    oracle::StoreIndex(kS64, inputs.index.data(), 30 * 9 + 17, -7);  // of the second image
    int64_t refused = 0;
    int64_t written = 0;
    for (int64_t work = 0; work < desc.work_items; ++work) {
      Bytes y(expected.size(), support::kPoison);
      const int32_t status = support::RunRange(desc, inputs.x.data(), y.data(), work, work + 1, {},
                                               inputs.index.data());
      const bool untouched = y == Bytes(y.size(), support::kPoison);
      ASSERT_TRUE(status == LANEPOOL_OK || (status == LANEPOOL_INDEX && untouched));
      refused += status == LANEPOOL_INDEX ? 1 : 0;
      for (size_t i = 0; i < y.size(); ++i) {
        const bool mine = status == LANEPOOL_OK && y[i] != support::kPoison;
        ASSERT_TRUE(!mine || y[i] == expected[i]);
        written += mine ? 1 : 0;
      }
    }
    EXPECT_EQ(refused, 1);
    EXPECT_TRUE(written > 0 || desc.work_items == 1);
  }
}

// Random jobs with one wrong index anywhere.
TEST(WrongIndices, RandomJobs) {
  int64_t checked = 0;
  for (uint64_t seed = 1; checked < 400 && seed < 4000 && !HasFailure(); ++seed) {
    Random random(seed);
    const std::vector<support::Kind> kinds = support::AllKinds();
    const support::Kind kind = kinds[static_cast<size_t>(random.Between(52, 60))];
    ASSERT_EQ(kind.op, LANEPOOL_OP_MAX_UNPOOL);
    const RandomCase item =
        support::MakeWishedCase(&random, {kind, support::Feature::kViews, 0, 0});
    const lanepool_params& params = item.params;
    SCOPED_TRACE(item.Text());
    support::Inputs inputs = {support::MakeX(&random, item), support::MakeIndex(&random, params)};
    const oracle::Shape shape = oracle::ResolveShape(params);
    std::vector<int64_t> offsets;
    oracle::ForEachOutput(oracle::TensorOfIndex(params, shape),
                          [&](const oracle::Position&, int64_t at) { offsets.push_back(at); });
    const int64_t at =
        offsets[static_cast<size_t>(random.Between(0, static_cast<int64_t>(offsets.size()) - 1))];
    oracle::StoreIndex(params.index_type, inputs.index.data(), at,
                       random.Between(-1000, 4000) - (random.Percent(50) ? 1 << 30 : 0));
    Bytes y(static_cast<size_t>(oracle::TensorOfY(params, shape).Bytes()));
    if (oracle::Unpool(params, inputs.x.data(), inputs.index.data(), y.data())) continue;
    ++checked;
    const support::Planned planned = support::Plan(params);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    ExpectNothingWritten(planned.desc, inputs);
  }
}

}  // namespace
