// lanepool.hpp: spans, the lists of params, what is refused and how it is told.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>
#if __has_include(<span>)
#include <span>
#endif

#include "cpp_plain.h"
#include "lanepool/lanepool.hpp"

namespace {

using lanepool::BFloat16;
using lanepool::Half;
using lanepool::Layout;
using lanepool::Op;
using lanepool::Params;
using lanepool::Plan;
using lanepool::Result;
using lanepool::Span;

// --- What the compiler knows ---------------------------------------------------------------------

template <class Enum>
constexpr bool Is(Enum item, int32_t code) {
  return static_cast<int32_t>(item) == code;
}
static_assert(Is(Op::average, LANEPOOL_OP_AVERAGE) && Is(Op::max, LANEPOOL_OP_MAX) &&
              Is(Op::min, LANEPOOL_OP_MIN) && Is(Op::sum, LANEPOOL_OP_SUM) &&
              Is(Op::lp, LANEPOOL_OP_LP) && Is(Op::max_unpool, LANEPOOL_OP_MAX_UNPOOL));
static_assert(Is(lanepool::Layout::nchw, LANEPOOL_LAYOUT_NCHW) &&
              Is(lanepool::Layout::nhwc, LANEPOOL_LAYOUT_NHWC));
static_assert(Is(lanepool::AutoPad::notset, LANEPOOL_AUTO_PAD_NOTSET) &&
              Is(lanepool::AutoPad::valid, LANEPOOL_AUTO_PAD_VALID) &&
              Is(lanepool::AutoPad::same_upper, LANEPOOL_AUTO_PAD_SAME_UPPER) &&
              Is(lanepool::AutoPad::same_lower, LANEPOOL_AUTO_PAD_SAME_LOWER));
static_assert(Is(lanepool::CeilMode::off, LANEPOOL_CEIL_OFF) &&
              Is(lanepool::CeilMode::on, LANEPOOL_CEIL_ON) &&
              Is(lanepool::CeilMode::keep, LANEPOOL_CEIL_KEEP));
static_assert(Is(lanepool::ValidCeil::ceil, LANEPOOL_VALID_CEIL) &&
              Is(lanepool::ValidCeil::floor, LANEPOOL_VALID_FLOOR));
static_assert(Is(lanepool::OversizeKernel::reject, LANEPOOL_OVERSIZE_REJECT) &&
              Is(lanepool::OversizeKernel::truncate, LANEPOOL_OVERSIZE_TRUNCATE));
static_assert(Is(lanepool::Divisor::exclude_pad, LANEPOOL_DIVISOR_EXCLUDE_PAD) &&
              Is(lanepool::Divisor::include_pad, LANEPOOL_DIVISOR_INCLUDE_PAD) &&
              Is(lanepool::Divisor::full_kernel, LANEPOOL_DIVISOR_FULL_KERNEL) &&
              Is(lanepool::Divisor::constant, LANEPOOL_DIVISOR_CONSTANT));
static_assert(Is(lanepool::EmptyWindow::zero, LANEPOOL_EMPTY_ZERO) &&
              Is(lanepool::EmptyWindow::nan, LANEPOOL_EMPTY_NAN) &&
              Is(lanepool::EmptyWindow::reject, LANEPOOL_EMPTY_REJECT));
static_assert(Is(lanepool::NanRule::propagate, LANEPOOL_NAN_PROPAGATE) &&
              Is(lanepool::NanRule::ignore, LANEPOOL_NAN_IGNORE));
static_assert(Is(lanepool::Rounding::half_even, LANEPOOL_ROUND_HALF_EVEN) &&
              Is(lanepool::Rounding::half_even_after_zero_point,
                 LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT) &&
              Is(lanepool::Rounding::half_away, LANEPOOL_ROUND_HALF_AWAY));
static_assert(Is(lanepool::IndexMode::nchw, LANEPOOL_INDEX_NCHW) &&
              Is(lanepool::IndexMode::nhwc, LANEPOOL_INDEX_NHWC) &&
              Is(lanepool::IndexMode::plane, LANEPOOL_INDEX_PLANE) &&
              Is(lanepool::IndexMode::window, LANEPOOL_INDEX_WINDOW));
static_assert(Is(lanepool::StorageOrder::row_major, LANEPOOL_STORAGE_ROW_MAJOR) &&
              Is(lanepool::StorageOrder::column_major, LANEPOOL_STORAGE_COLUMN_MAJOR));
static_assert(Is(lanepool::Dialect::onnx, LANEPOOL_DIALECT_ONNX) &&
              Is(lanepool::Dialect::ort, LANEPOOL_DIALECT_ORT) &&
              Is(lanepool::Dialect::torch, LANEPOOL_DIALECT_TORCH) &&
              Is(lanepool::Dialect::tflite, LANEPOOL_DIALECT_TFLITE) &&
              Is(lanepool::Dialect::onednn, LANEPOOL_DIALECT_ONEDNN));

static_assert(sizeof(Half) == 2 && sizeof(BFloat16) == 2);
static_assert(std::is_trivially_copyable_v<Plan> &&
              std::is_trivially_copyable_v<lanepool::Params> &&
              std::is_trivially_copyable_v<Result<Plan>>);
// Constants are read and not written.
static_assert(std::is_constructible_v<lanepool::Input, const std::vector<float>&> &&
              !std::is_constructible_v<lanepool::Output, const std::vector<float>&> &&
              !std::is_constructible_v<Span<float>, const std::vector<float>&>);
// No element is taken for another.
static_assert(std::is_constructible_v<Span<const float>, std::vector<float>&> &&
              !std::is_constructible_v<Span<const float>, std::vector<double>&> &&
              !std::is_constructible_v<Span<const uint16_t>, std::vector<Half>&>);
static_assert(std::is_constructible_v<Span<std::byte>, std::vector<std::byte>&> &&
              !std::is_constructible_v<Span<std::byte>, std::vector<int64_t>&>);  // as a workspace

// --- Spans ---------------------------------------------------------------------------------------

// 2x2 windows, one by one, of a 4x4 channel.
Params Halves(Op op = Op::average) {
  return Params(op, {1, 1, 4, 4}).kernel_shape({2, 2}).strides({2, 2});
}

std::vector<float> Counting() {
  std::vector<float> x(16);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  return x;
}

// Of all calls here that have no other: small jobs.
Span<std::byte> Workspace() {
  static std::array<std::byte, 1 << 16> bytes;
  return bytes;
}

const std::vector<float> kMeans = {2.5f, 4.5f, 10.5f, 12.5f};

TEST(Spans, OfWhateverHasElements) {
  const Plan plan = Halves().plan<float>().value();
  const std::vector<float> x = Counting();
  std::vector<float> y(4);
  plan.run(x, y, {Workspace()}).value();
  EXPECT_EQ(y, kMeans);

  float array[4] = {};
  plan.run(Span(x.data(), x.size()), array, {Workspace()}).value();
  EXPECT_EQ(std::vector<float>(array, array + 4), kMeans);

  std::array<float, 16> fixed{};
  std::copy(x.begin(), x.end(), fixed.begin());
  std::array<float, 4> means{};
  plan.run(fixed, means, {Workspace()}).value();
  EXPECT_EQ(std::vector<float>(means.begin(), means.end()), kMeans);
#ifdef __cpp_lib_span
  std::fill(y.begin(), y.end(), 0.0f);
  plan.run(std::span<const float>(x), std::span<float>(y), {Workspace()}).value();
  EXPECT_EQ(y, kMeans);
#endif
}

TEST(Spans, OfNothingAreNull) {
  std::vector<float> empty;
  empty.reserve(5);
  EXPECT_EQ(Span<const float>(empty).data(), nullptr);
  EXPECT_EQ(Span<float>().size(), 0u);
  EXPECT_EQ(Span<float>(empty).bytes(), 0u);
}

// --- Params --------------------------------------------------------------------------------------

TEST(Params, ShapeInTheOrderOfTheLayout) {
  const lanepool_params nchw = Params(Op::max, {2, 3, 4, 5, 6}).fields();
  const lanepool_params nhwc = Params(Op::max, {2, 4, 5, 6, 3}, Layout::nhwc).fields();
  for (const lanepool_params& p : {nchw, nhwc}) {
    EXPECT_EQ(p.rank, 3);
    EXPECT_EQ(p.batch, 2);
    EXPECT_EQ(p.channels, 3);
    EXPECT_EQ(std::vector<int64_t>(p.input, p.input + 3), (std::vector<int64_t>{4, 5, 6}));
  }
  EXPECT_EQ(nchw.layout, LANEPOOL_LAYOUT_NCHW);
  EXPECT_EQ(nhwc.layout, LANEPOOL_LAYOUT_NHWC);
}

TEST(Params, ViewsInTheOrderOfTheLayout) {
  const lanepool_params p = Params(Op::max, {2, 4, 5, 3}, Layout::nhwc)
                                .x_strides({1000, 100, 10, 1})
                                .y_strides(std::vector<int>{2000, 200, 20, 2})
                                .index_strides(std::array<int64_t, 4>{3000, 300, 30, 3})
                                .fields();
  const std::vector<int64_t> expected = {1000, 1, 100, 10, 0};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(p.x_strides[i], expected[i]);
    EXPECT_EQ(p.y_strides[i], 2 * expected[i]);
    EXPECT_EQ(p.index_strides[i], 3 * expected[i]);
  }
}

TEST(Params, PadsAreBeginsThenEnds) {
  const lanepool_params p = Params(Op::max, {1, 1, 4, 4}).pads({1, 2, 3, 4}).fields();
  EXPECT_EQ(p.pads_begin[0], 1);
  EXPECT_EQ(p.pads_begin[1], 2);
  EXPECT_EQ(p.pads_end[0], 3);
  EXPECT_EQ(p.pads_end[1], 4);
}

TEST(Params, DialectsPresetPolicies) {
  const Params params(Op::max, {1, 1, 4, 4}, Layout::nchw, lanepool::Dialect::tflite);
  EXPECT_EQ(params.fields().rounding, LANEPOOL_ROUND_HALF_AWAY);
  EXPECT_EQ(params.fields().empty_window, LANEPOOL_EMPTY_REJECT);
}

void ExpectMisfit(const Params& params, const std::string& message) {
  const Result<Plan> plan = params.plan<float>();
  EXPECT_EQ(plan.status(), LANEPOOL_RANK);
  EXPECT_EQ(plan.report().message(), message);
}

TEST(Params, ListsHaveAnEntryForEachAxis) {
  ExpectMisfit(Halves().kernel_shape({2}), "RANK: kernel_shape has 1, it needs 2");
  ExpectMisfit(Halves().strides({2, 2, 2}), "RANK: strides has 3, it needs 2");
  ExpectMisfit(Halves().dilations(std::vector<int>()), "RANK: dilations has 0, it needs 2");
  ExpectMisfit(Halves().output_size({1}), "RANK: output_size has 1, it needs 2");
  ExpectMisfit(Halves().pads({1, 1}), "RANK: pads has 2, it needs 4");
  ExpectMisfit(Halves().x_strides({1, 1}), "RANK: x_strides has 2, it needs 4");
  ExpectMisfit(Halves().y_strides(std::vector<int>(9)), "RANK: y_strides has 9, it needs 4");
  ExpectMisfit(Halves().index_strides({1}), "RANK: index_strides has 1, it needs 4");
  ExpectMisfit(Halves().pads({1}).strides({1}), "RANK: pads has 1, it needs 4");  // the first one
}

TEST(Params, ShapesHaveOneToThreeSpatialAxes) {
  EXPECT_EQ(Params(Op::max, {1, 4}).plan<float>().status(), LANEPOOL_RANK);
  EXPECT_EQ(Params(Op::max, {1, 1, 2, 2, 2, 2}).plan<float>().status(), LANEPOOL_RANK);
  EXPECT_EQ(Params(Op::max, std::vector<int>(7, 1)).plan<float>().status(), LANEPOOL_RANK);
}

TEST(Params, ChannelsBeyondACountAreRefused) {
  const int64_t many = int64_t{1} << 32;  // 0, if it were cut to 32 bits
  Params params(Op::average, {1, many, 1, 1});
  params.kernel_shape({1, 1}).x_per_channel().y_per_channel();
  EXPECT_EQ(params.fields().x_scale_count, INT32_MAX);
  EXPECT_EQ(params.plan<uint8_t>().status(), LANEPOOL_SCALE);
}

// --- Errors --------------------------------------------------------------------------------------

TEST(Errors, OfPlanningAreThoseOfTheLibrary) {
  const Result<Plan> plan = Halves().kernel_shape({2, 0}).plan<float>();
  EXPECT_FALSE(plan);
  EXPECT_EQ(plan.status(), LANEPOOL_KERNEL);
  EXPECT_EQ(plan.report().axis, 1);
  EXPECT_EQ(plan.report().value, 0);
  EXPECT_EQ(plan.report().limit, 1);
  EXPECT_EQ(plan.report().argument, nullptr);
  EXPECT_EQ(plan.report().message(), "kernel[1] is 0; it must be at least 1");
}

TEST(Errors, AreThrownByValue) {
  try {
    (void)Halves().kernel_shape({2, 0}).plan<float>().value();
    ADD_FAILURE() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "lanepool: kernel[1] is 0; it must be at least 1");
    const auto& ours = dynamic_cast<const lanepool::Error&>(error);
    EXPECT_EQ(ours.report.status, LANEPOOL_KERNEL);
    EXPECT_EQ(ours.report.axis, 1);
  }
  std::vector<float> y(4);
  EXPECT_THROW(Plan().run(y, y).value(), lanepool::Error);
  EXPECT_NO_THROW(Halves().plan<float>().value());
}

void ExpectRefusal(const Result<>& done, int32_t status, const std::string& message) {
  EXPECT_FALSE(done);
  EXPECT_EQ(done.status(), status);
  EXPECT_EQ(done.report().message(), message);
}

TEST(Errors, OfLengthsSayBytes) {
  const Plan plan = Halves(Op::max).plan<float, float, int64_t>().value();
  const std::vector<float> x = Counting();
  std::vector<float> y(4, -1);
  std::vector<int64_t> index(4);
  ExpectRefusal(plan.run(Span(x.data(), 15), y, {Workspace(), index}), LANEPOOL_X_SIZE,
                "X_SIZE: x has 60, it needs 64");
  ExpectRefusal(plan.run(x, Span(y.data(), 3), {Workspace(), index}), LANEPOOL_Y_SIZE,
                "Y_SIZE: y has 12, it needs 16");
  ExpectRefusal(plan.run(x, y, {Workspace(), Span(index.data(), 3)}), LANEPOOL_INDEX_SIZE,
                "INDEX_SIZE: index has 24, it needs 32");
  ExpectRefusal(plan.run(x, y, {Workspace()}), LANEPOOL_NULL, "NULL");
  ExpectRefusal(plan.run_range(x, y, 0, plan.work_items() + 1, {Workspace(), index}),
                LANEPOOL_RANGE, "RANGE");
  EXPECT_EQ(y, std::vector<float>(4, -1));
  EXPECT_TRUE(plan.run(x, y, {Workspace(), index}));
  EXPECT_EQ(index, (std::vector<int64_t>{5, 7, 13, 15}));
}

TEST(Errors, OfTypesSayCodes) {
  const Plan plan = Halves(Op::max).plan<Half, Half, int64_t>().value();
  std::vector<Half> x(16), y(4);
  std::vector<uint16_t> integers(16);
  std::vector<BFloat16> brains(16);
  std::vector<int64_t> index(4);
  std::vector<int32_t> narrow(8);
  ExpectRefusal(plan.run(integers, y, {Workspace(), index}), LANEPOOL_TYPE,
                "TYPE: x has 4, it needs 10");
  ExpectRefusal(plan.run(x, brains, {Workspace(), index}), LANEPOOL_TYPE,
                "TYPE: y has 16, it needs 10");
  ExpectRefusal(plan.run(x, y, {Workspace(), narrow}), LANEPOOL_TYPE,
                "TYPE: index has 6, it needs 7");
  EXPECT_TRUE(plan.run(x, y, {Workspace(), index}));
  std::vector<char> no_element(64);
  ExpectRefusal(plan.run(no_element, y, {Workspace(), index}), LANEPOOL_TYPE,
                "TYPE: x has 0, it needs 10");
}

TEST(Errors, OfWorkspaces) {
  Params params(Op::average, {1, 64, 64}, Layout::nhwc);
  const Plan plan = params.kernel_shape({40}).plan<float>().value();
  ASSERT_GT(plan.workspace_bytes(), 0u);
  std::vector<float> x(plan.x_size()), y(plan.y_size());
  const std::string needed = std::to_string(plan.workspace_bytes());
  ExpectRefusal(plan.run(x, y), LANEPOOL_WORKSPACE,
                "WORKSPACE: workspace has 0, it needs " + needed);
  std::vector<std::byte> workspace(plan.workspace_bytes());
  EXPECT_TRUE(plan.run(x, y, {workspace}));
}

TEST(Errors, OfTables) {
  Params params(Op::average, {1, 3, 2, 2});
  const Plan plan = params.kernel_shape({2, 2}).x_per_channel().plan<uint8_t>().value();
  const std::vector<uint8_t> x(12, 8);
  std::vector<uint8_t> y(3);
  std::vector<uint64_t> table(plan.table_size());
  const std::string needed = std::to_string(8 * plan.table_size());
  ExpectRefusal(plan.run(x, y, {Workspace()}), LANEPOOL_TABLE,
                "TABLE: table has 0, it needs " + needed);
  ExpectRefusal(plan.fill_table(Span(table.data(), 1), {}), LANEPOOL_TABLE,
                "table_bytes is 8; it must be at least " + needed);
  const std::vector<float> scales = {1, 2, 0.5f}, two = {1, 2}, negative = {1, -2, 1};
  ExpectRefusal(plan.fill_table(table, {two}), LANEPOOL_TABLE, "TABLE: array has 2, it needs 3");
  const Result<> wrong = plan.fill_table(table, {negative});
  EXPECT_EQ(wrong.status(), LANEPOOL_SCALE);
  EXPECT_EQ(wrong.report().axis, 1);
  plan.fill_table(table, {scales}).value();
  plan.run(x, y, {Workspace(), {}, table}).value();
  EXPECT_EQ(y, (std::vector<uint8_t>{8, 16, 4}));
}

TEST(Errors, OfPlansThatNobodyMade) {
  const Plan plan;
  std::vector<float> x(16), y(4);
  ExpectRefusal(plan.run(x, y), LANEPOOL_DESC, "DESC");
  ExpectRefusal(plan.unpool(x, y, y), LANEPOOL_OP, "OP");
  EXPECT_EQ(plan.fill_table({}, {}).status(), LANEPOOL_DESC);
  EXPECT_EQ(plan.x_size() + plan.y_size() + plan.index_size() + plan.table_size(), 0u);
  EXPECT_EQ(plan.explain(), "?");
}

TEST(Errors, OfUnpooling) {
  const Plan max = Halves(Op::max).plan<float, float, int32_t>().value();
  std::vector<float> x = Counting(), y(4), back(16);
  std::vector<int32_t> index(4);
  max.run(x, y, {Workspace(), index}).value();
  const std::vector<int32_t> places = index;
  ExpectRefusal(max.unpool(x, places, y), LANEPOOL_OP, "OP");  // would write it
  Params params(Op::max_unpool, {1, 1, 2, 2});
  const Plan unpool = params.output_size({4, 4}).plan<float, float, int32_t>().value();
  unpool.unpool(y, places, back, {Workspace()}).value();
  EXPECT_EQ(back, (std::vector<float>{0, 0, 0, 0, 0, 5, 0, 7, 0, 0, 0, 0, 0, 13, 0, 15}));
  index[0] = 16;
  ExpectRefusal(unpool.unpool(y, index, back, {Workspace()}), LANEPOOL_INDEX, "INDEX");
}

TEST(Plans, ExplainThemselves) {
  EXPECT_EQ(Halves().plan<float>()->explain().find("average f32 nchw 2d 2x2/2: "), 0u);
}

// --- Without exceptions --------------------------------------------------------------------------

TEST(WithoutExceptions, ResultsCarryTheError) {
  const Result<Plan> plan = plain::MakePlan({2, 2});
  ASSERT_TRUE(plan);
  std::vector<float> y(4), three(3);
  EXPECT_EQ(plain::Pool(*plan, Counting(), &y), "");
  EXPECT_EQ(y, kMeans);
  EXPECT_EQ(plain::Pool(*plan, Counting(), &three), "Y_SIZE: y has 12, it needs 16");
  const Result<Plan> refused = plain::MakePlan({2, 5});
  EXPECT_EQ(refused.report().message(),
            "kernel[1] is 5; the effective kernel is larger than the padded input, 4");
  EXPECT_THROW((void)refused.value(), lanepool::Error);
}

}  // namespace
