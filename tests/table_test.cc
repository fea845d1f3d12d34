// Tables of per-channel quantization: what they mean, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"
#include "oracle/oracle.h"
#include "refusals.h"
#include "support/check_job.h"
#include "support/fill.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random.h"

namespace {

using support::Random;

constexpr int64_t kChannels = 19;

// Two images, a window with pads.
support::Params WithoutArrays() {
  return support::Average({12, 13})
      .Channels(kChannels)
      .Batch(2)
      .Kernel({3, 3})
      .Pads({1, 1, 1, 1})
      .Types(LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8)
      .Scales(0.02f, 0.03f)
      .ZeroPoints(100, -5);
}

support::Params WithArrays() { return WithoutArrays().ScaleCounts(kChannels, kChannels); }

oracle::PerChannel SomeArrays() {
  oracle::PerChannel arrays;
  for (int c = 0; c < kChannels; ++c) {
    arrays.x_scales.push_back(0.01f * static_cast<float>(c + 1));
    arrays.y_scales.push_back(c % 3 == 0 ? arrays.x_scales.back() : 0.05f);
    arrays.x_zero_points.push_back(5 * c);
    arrays.y_zero_points.push_back(100 - 11 * c);
  }
  return arrays;
}

support::Bytes SomeBytes(const lanepool_desc& desc) {
  Random random(11);
  support::Bytes x(static_cast<size_t>(desc.x_bytes));
  support::FillIntegers(&random, support::IntegerData::kRandom, LANEPOOL_TYPE_UINT8, x.data(),
                        desc.x_bytes);
  return x;
}

TEST(Tables, SameArraysSameBytes) {
  const lanepool_desc desc = support::Plan(WithArrays()).desc;
  const support::Table table = support::MakeTable(desc, SomeArrays());
  support::Table other(table.size(), ~uint64_t{0});
  const oracle::PerChannel arrays = SomeArrays();
  ASSERT_EQ(lanepool_table_init(&desc, arrays.x_scales.data(), arrays.x_zero_points.data(),
                                arrays.y_scales.data(), arrays.y_zero_points.data(), other.data(),
                                other.size() * sizeof(uint64_t), nullptr),
            LANEPOOL_OK);
  EXPECT_EQ(other, table) << "some of the table is not written";
}

TEST(Tables, ServeEveryDescOfTheSameParams) {
  const lanepool_desc desc = support::Plan(WithArrays()).desc;
  const lanepool_desc again = support::Plan(WithArrays()).desc;
  const support::Bytes x = SomeBytes(desc);
  const support::Table table = support::MakeTable(desc, SomeArrays());
  EXPECT_EQ(support::RunOnce(again, x, table), support::RunOnce(desc, x, table));
}

// What is left out is as in the params; all left out is the job without arrays.
TEST(Tables, NullStandsForTheParams) {
  const lanepool_params params = WithArrays();
  const lanepool_desc desc = support::Plan(params).desc;
  const support::Bytes x = SomeBytes(desc);
  const oracle::PerChannel all = SomeArrays();
  for (int left_out = 0; left_out < 16; ++left_out) {
    oracle::PerChannel given = all;
    oracle::PerChannel spelled = all;
    const auto leave_out = [left_out](int bit, auto* from, auto* as_params, auto value) {
      if ((left_out >> bit & 1) == 0) return;
      from->clear();
      as_params->assign(kChannels, value);
    };
    leave_out(0, &given.x_scales, &spelled.x_scales, params.x_scale);
    leave_out(1, &given.y_scales, &spelled.y_scales, params.y_scale);
    leave_out(2, &given.x_zero_points, &spelled.x_zero_points, params.x_zero_point);
    leave_out(3, &given.y_zero_points, &spelled.y_zero_points, params.y_zero_point);
    const support::Table table = support::MakeTable(desc, given);
    EXPECT_EQ(table, support::MakeTable(desc, spelled)) << left_out;
    const support::Bytes y = support::RunOnce(desc, x, table);
    std::string why;
    EXPECT_TRUE(oracle::Agrees(params, x.data(), y.data(), &why, given)) << why;
    if (left_out != 15) continue;
    EXPECT_EQ(y, support::RunOnce(support::Plan(WithoutArrays()).desc, x));
  }
}

// Each channel as the job of one channel with these values has it.
TEST(Tables, ChannelsAreJobsOfTheirOwn) {
  for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
    lanepool_params params = WithArrays();
    params.layout = layout;
    const lanepool_desc desc = support::Plan(params).desc;
    const support::Bytes x = SomeBytes(desc);
    const oracle::PerChannel arrays = SomeArrays();
    const support::Bytes y = support::RunOnce(desc, x, support::MakeTable(desc, arrays));
    lanepool_params one = params;
    one.channels = 1;
    one.x_scale_count = one.y_scale_count = 0;
    const auto plane = static_cast<size_t>(params.input[0] * params.input[1]);
    const bool nhwc = layout == LANEPOOL_LAYOUT_NHWC;
    for (size_t c = 0; c < kChannels; ++c) {
      one.x_scale = arrays.x_scales[c];
      one.y_scale = arrays.y_scales[c];
      one.x_zero_point = arrays.x_zero_points[c];
      one.y_zero_point = arrays.y_zero_points[c];
      // x and y have the same size here: two images, element `at` of which is at the place of
      const auto place = [&](size_t at) {
        const size_t image = at / plane;
        const size_t inside = at % plane;
        return nhwc ? (image * plane + inside) * kChannels + c
                    : (image * kChannels + c) * plane + inside;
      };
      support::Bytes own_x(2 * plane);
      support::Bytes expected(2 * plane);
      for (size_t at = 0; at < own_x.size(); ++at) {
        own_x[at] = x[place(at)];
        expected[at] = y[place(at)];
      }
      EXPECT_EQ(support::RunOnce(support::Plan(one).desc, own_x), expected) << "channel " << c;
    }
  }
}

TEST(Tables, RunTableWithoutOne) {
  const lanepool_desc desc = support::Plan(WithoutArrays()).desc;
  const support::Bytes x = SomeBytes(desc);
  support::Bytes y(static_cast<size_t>(desc.y_bytes));
  std::vector<char> work(static_cast<size_t>(desc.workspace_bytes));
  ASSERT_EQ(lanepool_run_table(&desc, nullptr, 0, x.data(), x.size(), y.data(), y.size(), nullptr,
                               0, work.data(), work.size(), 0, desc.work_items),
            LANEPOOL_OK);
  EXPECT_EQ(y, support::RunOnce(desc, x));
}

// The checks of lanepool_run_range hold with a table too.
TEST(Tables, RunTableChecksItsBuffers) {
  const lanepool_desc desc = support::Plan(WithArrays()).desc;
  const support::Table table = support::MakeTable(desc, SomeArrays());
  const support::Bytes x = SomeBytes(desc);
  support::Bytes y(static_cast<size_t>(desc.y_bytes), support::kPoison);
  std::vector<char> work(static_cast<size_t>(desc.workspace_bytes) + 1);
  const auto run = [&](const void* from, size_t from_bytes, void* to, size_t to_bytes,
                       int64_t begin, int64_t end) {
    return lanepool_run_table(&desc, table.data(), table.size() * 8, from, from_bytes, to, to_bytes,
                              nullptr, 0, work.data(), work.size(), begin, end);
  };
  const int64_t items = desc.work_items;
  EXPECT_EQ(run(nullptr, x.size(), y.data(), y.size(), 0, items), LANEPOOL_NULL);
  EXPECT_EQ(run(x.data(), x.size(), nullptr, y.size(), 0, items), LANEPOOL_NULL);
  EXPECT_EQ(run(x.data(), x.size() - 1, y.data(), y.size(), 0, items), LANEPOOL_X_SIZE);
  EXPECT_EQ(run(x.data(), x.size(), y.data(), y.size() - 1, 0, items), LANEPOOL_Y_SIZE);
  EXPECT_EQ(run(y.data(), y.size(), y.data(), y.size(), 0, items), LANEPOOL_OVERLAP);
  EXPECT_EQ(run(x.data(), x.size(), y.data(), y.size(), -1, items), LANEPOOL_RANGE);
  EXPECT_EQ(run(x.data(), x.size(), y.data(), y.size(), 0, items + 1), LANEPOOL_RANGE);
  EXPECT_EQ(y, support::Bytes(y.size(), support::kPoison)) << "y was written";
  EXPECT_EQ(run(x.data(), x.size(), y.data(), y.size(), 0, items), LANEPOOL_OK);
  EXPECT_EQ(y, support::RunOnce(desc, x, table));
}

// --- what is refused -----------------------------------------------------------------------------

// The arguments of lanepool_table_init, to be spoilt one by one.
struct TableCall {
  lanepool_desc desc = support::Plan(WithArrays()).desc;
  std::vector<float> x_scales = std::vector<float>(kChannels, 0.5f);
  std::vector<float> y_scales = std::vector<float>(kChannels, 0.25f);
  std::vector<int32_t> x_zero_points = std::vector<int32_t>(kChannels, 3);
  std::vector<int32_t> y_zero_points = std::vector<int32_t>(kChannels, 4);
  support::Table table = support::Table(static_cast<size_t>(desc.table_bytes) / 8 + 2, 0xD5D5);

  size_t Bytes() const { return static_cast<size_t>(desc.table_bytes); }
  int32_t Init(const lanepool_desc* from, void* to, size_t bytes, lanepool_error* error) {
    return lanepool_table_init(from, x_scales.data(), x_zero_points.data(), y_scales.data(),
                               y_zero_points.data(), to, bytes, error);
  }

  // Expects `status` and an untouched table.
  void ExpectRefused(const lanepool_desc* from, void* to, size_t bytes, int32_t status) {
    const support::Table before = table;
    lanepool_error error = {};
    EXPECT_STREQ(lanepool_status_name(Init(from, to, bytes, &error)), lanepool_status_name(status));
    EXPECT_EQ(error.status, status);
    EXPECT_EQ(Init(from, to, bytes, nullptr), status);
    EXPECT_EQ(table, before) << "the table was written";
  }
};

TEST(Tables, ArgumentsOfInit) {
  TableCall call;
  ASSERT_GT(call.desc.table_bytes, 0);
  void* const table = call.table.data();
  call.ExpectRefused(nullptr, table, call.Bytes(), LANEPOOL_NULL);
  const lanepool_desc foreign = {};
  call.ExpectRefused(&foreign, table, call.Bytes(), LANEPOOL_DESC);
  call.ExpectRefused(&call.desc, nullptr, call.Bytes(), LANEPOOL_NULL);
  call.ExpectRefused(&call.desc, table, call.Bytes() - 1, LANEPOOL_TABLE);
  call.ExpectRefused(&call.desc, table, 0, LANEPOOL_TABLE);
  for (size_t shift = 1; shift < 8; ++shift) {
    call.ExpectRefused(&call.desc, static_cast<char*>(table) + shift, call.Bytes(),
                       LANEPOOL_ALIGNMENT);
  }
  lanepool_error error = {};
  EXPECT_EQ(call.Init(&call.desc, table, call.Bytes() + 8, &error), LANEPOOL_OK);
  EXPECT_EQ(error.status, LANEPOOL_OK);
  EXPECT_EQ(call.table[call.table.size() - 2], 0xD5D5u) << "more than table_bytes was written";
  EXPECT_EQ(call.Init(&call.desc, table, call.Bytes(), nullptr), LANEPOOL_OK);
}

// Every channel of every array; the report names array, channel and value.
TEST(Tables, EntriesOfInit) {
  for (size_t channel = 0; channel < kChannels;
       channel += 6) {  // the first and the last among them
    const auto expect = [channel](TableCall* call, int32_t status, const char* field) {
      call->ExpectRefused(&call->desc, call->table.data(), call->Bytes(), status);
      lanepool_error error = {};
      call->Init(&call->desc, call->table.data(), call->Bytes(), &error);
      EXPECT_EQ(error.axis, static_cast<int32_t>(channel));
      const std::string text = support::ErrorText(error);
      EXPECT_EQ(text.rfind(refusals::Entry(field, static_cast<int>(channel)), 0), 0u) << text;
    };
    for (const float scale : {0.0f, -0.0f, -2.0f, std::nanf(""), HUGE_VALF}) {
      TableCall call;
      call.x_scales[channel] = scale;
      expect(&call, LANEPOOL_SCALE, "x_scale");
      call = TableCall();
      call.y_scales[channel] = scale;
      expect(&call, LANEPOOL_SCALE, "y_scale");
    }
    for (const int32_t zero_point : {-129, 256, std::numeric_limits<int32_t>::min()}) {
      TableCall call;
      call.x_zero_points[channel] = zero_point;
      expect(&call, LANEPOOL_ZERO_POINT, "x_zero_point");
      call = TableCall();
      call.y_zero_points[channel] = zero_point;
      expect(&call, LANEPOOL_ZERO_POINT, "y_zero_point");
    }
  }
}

TEST(Tables, ArraysOfASideWithoutCount) {
  TableCall call;
  call.desc = support::Plan(WithArrays().ScaleCounts(0, kChannels)).desc;
  const auto init = [&call](const float* x_scales, const int32_t* x_zero_points) {
    return lanepool_table_init(&call.desc, x_scales, x_zero_points, call.y_scales.data(), nullptr,
                               call.table.data(), call.Bytes(), nullptr);
  };
  ASSERT_LE(call.Bytes(), call.table.size() * 8);
  EXPECT_EQ(init(call.x_scales.data(), nullptr), LANEPOOL_SCALE);
  EXPECT_EQ(init(nullptr, call.x_zero_points.data()), LANEPOOL_SCALE);
  EXPECT_EQ(init(nullptr, nullptr), LANEPOOL_OK);
}

// A desc that needs a table runs with the one made for it and with no other.
TEST(Tables, OfARun) {
  TableCall call;
  const lanepool_desc& desc = call.desc;
  const auto x_bytes = static_cast<size_t>(desc.x_bytes);
  const auto y_bytes = static_cast<size_t>(desc.y_bytes);
  const std::vector<unsigned char> x(x_bytes, 9);
  std::vector<unsigned char> y(y_bytes, 0xC5);
  const std::vector<unsigned char> before = y;
  std::vector<unsigned char> work(static_cast<size_t>(desc.workspace_bytes));
  const auto run = [&](const void* table, size_t bytes) {
    return lanepool_run_table(&desc, table, bytes, x.data(), x_bytes, y.data(), y_bytes, nullptr, 0,
                              work.data(), work.size(), 0, desc.work_items);
  };
  EXPECT_EQ(lanepool_run(&desc, x.data(), x_bytes, y.data(), y_bytes, nullptr, 0, work.data(),
                         work.size()),
            LANEPOOL_TABLE);
  EXPECT_EQ(lanepool_run_range(&desc, x.data(), x_bytes, y.data(), y_bytes, nullptr, 0, work.data(),
                               work.size(), 0, desc.work_items),
            LANEPOOL_TABLE);
  const std::vector<uint64_t> noise(call.table.size(), 0x0123456789ABCDEFu);
  EXPECT_EQ(run(nullptr, call.Bytes()), LANEPOOL_TABLE);
  EXPECT_EQ(run(noise.data(), call.Bytes()), LANEPOOL_TABLE);
  ASSERT_EQ(call.Init(&desc, call.table.data(), call.Bytes(), nullptr), LANEPOOL_OK);
  EXPECT_EQ(run(call.table.data(), call.Bytes() - 1), LANEPOOL_TABLE);
  EXPECT_EQ(run(call.table.data(), 0), LANEPOOL_TABLE);
  std::vector<char> moved(call.Bytes() + 8);
  auto* const address = moved.data() + (reinterpret_cast<uintptr_t>(moved.data()) % 8 == 0 ? 1 : 0);
  std::memcpy(address, call.table.data(), call.Bytes());
  EXPECT_EQ(run(address, call.Bytes()), LANEPOOL_ALIGNMENT);

  // Tables of other jobs: other scales in the params, another window, another type.
  for (const support::Params& params :
       {WithArrays().Scales(2, 1), WithArrays().Kernel({3, 2}),
        WithArrays().Type(LANEPOOL_TYPE_INT8), WithArrays().Rounding(2)}) {
    const lanepool_desc other = support::Plan(params).desc;
    const support::Table table = support::MakeTable(other, {});
    EXPECT_EQ(run(table.data(), table.size() * 8), LANEPOOL_TABLE) << support::ParamsText(params);
  }
  EXPECT_EQ(y, before) << "y was written";
  EXPECT_EQ(run(call.table.data(), call.Bytes()), LANEPOOL_OK);
  EXPECT_NE(y, before);
}

}  // namespace
