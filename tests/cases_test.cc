// The edge cases of docs/semantics-cases.md, with results worked out by hand: through the oracle,
// and through the C interface on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "cases.h"
#include "oracle/oracle.h"
#include "oracle/types.h"
#include "support/check_job.h"
#include "support/job.h"
#include "support/pack.h"
#include "support/params_text.h"
#include "support/targets.h"

namespace cases {

void PrintTo(const Case& item, std::ostream* stream) {
  *stream << item.reason << ": " << support::ParamsText(item.params);
}

}  // namespace cases

namespace {

using cases::Case;
using support::Average;

std::vector<Case> CasesOf(cases::Engines engine) {
  std::vector<Case> chosen;
  for (const std::vector<Case>& rows :
       {cases::FloatCases(), cases::QuantizedCases(), cases::IndexCases(), cases::OtherCases()}) {
    for (const Case& item : rows) {
      if (item.engines == cases::kBoth || item.engines == engine) chosen.push_back(item);
    }
  }
  return chosen;
}

using support::Bytes;
using support::Pack;
using support::Unpack;
using support::UnpackIndex;

// The case for several equal channels in a layout, and its data in that layout.
struct Widened {
  lanepool_params params;
  Bytes x;
};

template <typename T>
std::vector<T> Widen(const std::vector<T>& plane, int64_t channels, int32_t layout) {
  std::vector<T> values;
  const int64_t size = static_cast<int64_t>(plane.size());
  for (int64_t i = 0; i < size * channels; ++i) {
    const int64_t at = layout == LANEPOOL_LAYOUT_NHWC ? i / channels : i % size;
    values.push_back(plane[static_cast<size_t>(at)]);
  }
  return values;
}

Widened WidenCase(const Case& item, int64_t channels, int32_t layout) {
  Widened result = {item.params, Pack(item.params.x_type, Widen(item.x, channels, layout))};
  result.params.channels = channels;
  result.params.layout = layout;
  return result;
}

// The indices of all channels in the NCHW tensor, in the layout of y.
std::vector<int64_t> WidenIndex(const Case& item, int64_t channels, int32_t layout) {
  std::vector<int64_t> index = Widen(item.index, channels, layout);
  const auto plane = static_cast<int64_t>(item.x.size());
  const auto outputs = static_cast<int64_t>(item.index.size());
  for (int64_t i = 0; i < outputs * channels; ++i) {
    const int64_t channel = layout == LANEPOOL_LAYOUT_NHWC ? i % channels : i / outputs;
    int64_t* const at = &index[static_cast<size_t>(i)];
    const bool counts_channels = item.params.index_mode == LANEPOOL_INDEX_NCHW && *at >= 0;
    if (counts_channels) *at += channel * plane;
  }
  return index;
}

void ExpectValue(const Case& item, double got, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << got;
  } else if (item.params.op == LANEPOOL_OP_MAX || item.params.op == LANEPOOL_OP_MIN ||
             std::isinf(expected) || item.params.y_type != LANEPOOL_TYPE_FLOAT) {
    EXPECT_EQ(got, expected);
    EXPECT_EQ(std::signbit(got), std::signbit(expected));
  } else {
    // Seven digits, as in the table; oracle::Agrees knows the error bound.
    EXPECT_NEAR(got, expected, 1e-6 * std::max(1.0, std::fabs(expected)));
  }
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  return std::string("row") + info.param.row + "_" + info.param.reason;
}

class OracleCase : public testing::TestWithParam<Case> {};
class LibraryCase : public testing::TestWithParam<Case> {};

TEST_P(OracleCase, GivesTheTable) {
  const Case& item = GetParam();
  const oracle::Shape shape = oracle::ResolveShape(item.params);
  ASSERT_EQ(shape.status, item.status);
  if (shape.status != LANEPOOL_OK) return;
  ASSERT_EQ(oracle::TensorOfX(item.params).Span(), static_cast<int64_t>(item.x.size()));
  ASSERT_EQ(oracle::TensorOfY(item.params, shape).Span(), static_cast<int64_t>(item.y.size()));

  const Bytes x = Pack(item.params.x_type, item.x);
  Bytes y = Pack(item.params.y_type, std::vector<double>(item.y.size(), 77));
  oracle::Pool(item.params, x.data(), y.data());
  const std::vector<double> got = Unpack(item.params.y_type, y);
  for (size_t i = 0; i < got.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ExpectValue(item, got[i], item.y[i]);
  }
  if (item.index.empty()) return;
  Bytes index(item.index.size() *
              static_cast<size_t>(oracle::ElementBytes(item.params.index_type)));
  oracle::PoolIndices(item.params, x.data(), index.data());
  EXPECT_EQ(UnpackIndex(item.params.index_type, index), item.index);
}

void CheckLibrary(const Case& item, const Widened& widened, const support::Target& target) {
  const support::Planned planned = support::Plan(widened.params, target.mask);
  ASSERT_EQ(planned.status, item.status) << support::ErrorText(planned.error);
  if (planned.status != LANEPOOL_OK) return;
  const std::vector<double> expected =
      Widen(item.y, widened.params.channels, widened.params.layout);
  ASSERT_EQ(planned.desc.element_count, static_cast<int64_t>(expected.size()));
  const support::Outputs outputs = support::RunOnce(planned.desc, support::Inputs{widened.x});
  const std::vector<double> got = Unpack(item.params.y_type, outputs.y);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ExpectValue(item, got[i], expected[i]);
  }
  std::string why;
  EXPECT_TRUE(oracle::Agrees(widened.params, widened.x.data(), outputs.y.data(), &why)) << why;
  const int32_t index_type = item.params.index_type;
  EXPECT_EQ(index_type != LANEPOOL_TYPE_NONE, !item.index.empty());
  EXPECT_EQ(UnpackIndex(index_type, outputs.index),
            WidenIndex(item, widened.params.channels, widened.params.layout));
}

TEST_P(LibraryCase, GivesTheTableOnEveryTarget) {
  for (const support::Target& target : support::SupportedTargets()) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
      for (const int64_t channels : {1, 3, 37}) {
        const Widened widened = WidenCase(GetParam(), channels, layout);
        SCOPED_TRACE(target.name + ": " + support::ParamsText(widened.params));
        CheckLibrary(GetParam(), widened, target);
      }
    }
  }
}

// Row 59 has two channels that differ.
TEST(Row59, ChannelsLast) {
  const lanepool_params params =
      Average({2, 2}).Kernel({2, 2}).Channels(2).Type(LANEPOOL_TYPE_UINT8);
  const Bytes x = {0, 1, 2, 3, 4, 5, 6, 7};
  Bytes y(2);
  oracle::Pool(params, x.data(), y.data());
  EXPECT_EQ(y, (Bytes{3, 4}));
  for (const support::Target& target : support::SupportedTargets()) {
    EXPECT_EQ(support::RunOnce(support::Plan(params, target.mask).desc, x), y) << target.name;
  }
}

// Row 61 once more, for each place of an array: the report names the channel.
TEST(Row61, ArraysOfScales) {
  constexpr int64_t kChannels = 7;
  const lanepool_params params = Average({8})
                                     .Kernel({2})
                                     .Type(LANEPOOL_TYPE_UINT8)
                                     .Channels(kChannels)
                                     .ScaleCounts(kChannels, kChannels);
  const lanepool_desc desc = support::Plan(params).desc;
  for (const double bad : {-1.0, 0.0, cases::kNan, cases::kInf}) {
    for (int32_t channel = 0; channel < kChannels; ++channel) {
      for (const bool of_x : {false, true}) {
        std::vector<float> x_scales(kChannels, 0.5f);
        std::vector<float> y_scales(kChannels, 0.25f);
        (of_x ? x_scales : y_scales)[static_cast<size_t>(channel)] = static_cast<float>(bad);
        support::Table table(static_cast<size_t>(desc.table_bytes) / sizeof(uint64_t), 42);
        const support::Table before = table;
        lanepool_error error = {};
        EXPECT_EQ(lanepool_table_init(&desc, x_scales.data(), nullptr, y_scales.data(), nullptr,
                                      table.data(), table.size() * sizeof(uint64_t), &error),
                  LANEPOOL_SCALE);
        EXPECT_EQ(error.status, LANEPOOL_SCALE);
        EXPECT_EQ(error.axis, channel);
        const std::string field = of_x ? "x_scale" : "y_scale";
        EXPECT_EQ(support::ErrorText(error).rfind(field, 0), 0u) << support::ErrorText(error);
        EXPECT_EQ(table, before) << "the table was written";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Section10, OracleCase, testing::ValuesIn(CasesOf(cases::kBoth)), NameOf);
INSTANTIATE_TEST_SUITE_P(Section10, LibraryCase, testing::ValuesIn(CasesOf(cases::kLibraryOnly)),
                         NameOf);

}  // namespace
