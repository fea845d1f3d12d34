// What the planner says when it refuses, word for word: the field, its axis, the value and what it
// was held against. And the largest values that it does not refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "refusals.h"
#include "support/job.h"
#include "support/params_text.h"

namespace {

using refusals::ExpectAccepted;
using support::Average;
using support::Max;
using support::MaxUnpool;

constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kTwoTo31 = int64_t{1} << 31;
constexpr int64_t kTwoTo32 = int64_t{1} << 32;
constexpr int64_t kTwoTo62 = int64_t{1} << 62;

using Strides = std::vector<int64_t>;

lanepool_params WithStrides(lanepool_params params, int64_t (lanepool_params::*field)[5],
                            const Strides& strides) {
  std::copy(strides.begin(), strides.end(), params.*field);
  return params;
}

// `limit` is in the report even where the sentence has no room for it.
void ExpectSaid(const lanepool_params& params, int32_t status, const std::string& sentence,
                int64_t limit = 0) {
  const support::Planned planned = support::Plan(params);
  EXPECT_STREQ(lanepool_status_name(planned.status), lanepool_status_name(status));
  EXPECT_EQ(support::ErrorText(planned.error), sentence) << support::ParamsText(params);
  EXPECT_EQ(planned.error.limit, limit) << sentence;
  EXPECT_EQ(planned.error.axis,
            sentence.find('[') < sentence.find(' ') ? sentence[sentence.find('[') + 1] - '0' : -1)
      << sentence;
}

std::string Text(int64_t value) { return std::to_string(value); }

TEST(Sentences, NumberOfElements) {
  const char* const leaves = "; the number of elements leaves 64 bits";
  ExpectSaid(Average({kTwoTo62, 4}).Kernel({1, 1}), LANEPOOL_OVERFLOW,
             "x is " + Text(kTwoTo62) + leaves);
  ExpectSaid(Average({5}).Kernel({1}).Channels(4).Batch(kTwoTo62), LANEPOOL_OVERFLOW,
             "x is " + Text(kTwoTo62) + leaves);
  ExpectSaid(Average({9}).Kernel({1}).Channels(3).Pads({kTwoTo62, 0}), LANEPOOL_OVERFLOW,
             "y is " + Text(kTwoTo62 + 9) + leaves);
  ExpectSaid(Average({kMax64}).Adaptive({3}), LANEPOOL_OVERFLOW,
             "output_size[0] is 3" + std::string(leaves));
  ExpectSaid(Average({7, kMax64}).Adaptive({3, 1}), LANEPOOL_OVERFLOW,
             "output_size[1] is 1" + std::string(leaves));
  // Taps of a window, as their product is a divisor.
  const int64_t third = int64_t{1} << 32;
  ExpectSaid(Average({9, 9, 9}).Kernel({third, third, 7}).Pads({third, third, 0, third, third, 0}),
             LANEPOOL_OVERFLOW, "kernel[1] is " + Text(third) + leaves);
  ExpectSaid(Average({9, 9}).Kernel({third, third}).Pads({third, third, third, third}),
             LANEPOOL_OVERFLOW, "kernel[1] is " + Text(third) + leaves);
}

TEST(Sentences, NumberOfBytes) {
  const char* const leaves = "; the size in bytes leaves 64 bits";
  ExpectSaid(Average({kTwoTo62}).Kernel({1}), LANEPOOL_OVERFLOW,
             "x is " + Text(kTwoTo62 - 1) + leaves);
  ExpectSaid(Average({9}).Kernel({1}).Pads({kTwoTo62, 0}), LANEPOOL_OVERFLOW,
             "y is " + Text(kTwoTo62 + 8) + leaves);
  ExpectSaid(Max({5})
                 .Kernel({1})
                 .Type(LANEPOOL_TYPE_UINT8)
                 .Channels(kTwoTo62 / 4)
                 .Index(LANEPOOL_TYPE_INT64),
             LANEPOOL_OVERFLOW, "y is " + Text(kTwoTo62 / 4 * 5 - 1) + leaves);
  ExpectAccepted(Max({kTwoTo62}).Kernel({1}).Type(LANEPOOL_TYPE_UINT8).Batch(0));
  // The last that fits, and one more: offsets up to 2^63 - 1.
  const auto reaching = [](int64_t stride) {
    return WithStrides(Max({2}).Kernel({1}).Type(LANEPOOL_TYPE_UINT8), &lanepool_params::x_strides,
                       {0, 0, stride});
  };
  ExpectAccepted(reaching(kMax64 - 1));
  ExpectSaid(reaching(kMax64), LANEPOOL_OVERFLOW, "x is " + Text(kMax64) + leaves);
}

TEST(Sentences, Views) {
  const auto x = &lanepool_params::x_strides;
  const auto y = &lanepool_params::y_strides;
  const auto index = &lanepool_params::index_strides;
  const lanepool_params good = Max({3, 3}).Kernel({1, 1}).Channels(2).Batch(2);
  const char* const negative = "; it must be at least 0";
  ExpectSaid(WithStrides(good, x, {18, -1, 6, 2}), LANEPOOL_VIEW,
             std::string("x_strides[1] is -1") + negative);
  ExpectSaid(WithStrides(good, y, {18, 1, 6, -2}), LANEPOOL_VIEW,
             std::string("y_strides[3] is -2") + negative);
  ExpectSaid(WithStrides(Max({3}).Kernel({1}).Index(LANEPOOL_TYPE_INT32), index, {9, 9, -4}),
             LANEPOOL_VIEW, std::string("index_strides[2] is -4") + negative);

  const auto overlap = [](int64_t least) {
    return "; elements would overlap, it must be at least " + Text(least);
  };
  ExpectAccepted(WithStrides(good, y, {18, 1, 6, 2}));
  ExpectSaid(WithStrides(good, y, {18, 1, 5, 2}), LANEPOOL_VIEW, "y_strides[2] is 5" + overlap(6),
             6);
  ExpectSaid(WithStrides(good, y, {17, 1, 6, 2}), LANEPOOL_VIEW, "y_strides[0] is 17" + overlap(18),
             18);
  ExpectSaid(WithStrides(good, y, {0, 1, 6, 2}), LANEPOOL_VIEW, "y_strides[0] is 0" + overlap(1),
             1);
  // Sorted from any order, and dimensions of one element do not count.
  ExpectAccepted(WithStrides(good, y, {1, 18, 2, 6}));
  ExpectAccepted(WithStrides(good, y, {9, 18, 3, 1}));
  ExpectSaid(WithStrides(good, y, {9, 17, 3, 1}), LANEPOOL_VIEW, "y_strides[1] is 17" + overlap(18),
             18);
  ExpectAccepted(WithStrides(Max({1, 3}).Kernel({1, 1}), y, {0, 0, 1, 1}));
  ExpectAccepted(WithStrides(Max({2}).Kernel({1}).Index(LANEPOOL_TYPE_INT32), index, {0, 0, 1}));
  ExpectSaid(WithStrides(Max({2}).Kernel({1}).Index(LANEPOOL_TYPE_INT32), index, {1, 1, 0}),
             LANEPOOL_VIEW, "index_strides[2] is 0" + overlap(1), 1);
  // The indices of MAX_UNPOOL are read: they may repeat. Its y may not.
  const lanepool_params unpool = MaxUnpool({2}).Kernel({2}).Strides({2});
  ExpectAccepted(WithStrides(unpool, index, {1, 1, 0}));
  ExpectSaid(WithStrides(unpool, y, {1, 1, 0}), LANEPOOL_VIEW, "y_strides[2] is 0" + overlap(1), 1);
}

TEST(Sentences, ViewsThatLeave64Bits) {
  const char* const leaves = "; the number of elements leaves 64 bits";
  const lanepool_params square = Max({2, 2}).Kernel({1, 1}).Type(LANEPOOL_TYPE_UINT8);
  const auto y = &lanepool_params::y_strides;
  const auto x = &lanepool_params::x_strides;
  // One dimension by itself, and two that leave it together.
  ExpectSaid(WithStrides(Max({5, 2}).Kernel({1, 1}), y, {0, 0, kTwoTo62, 1}), LANEPOOL_OVERFLOW,
             "y_strides[2] is " + Text(kTwoTo62) + leaves);
  ExpectSaid(WithStrides(square, y, {0, 0, kTwoTo62 + 1, kTwoTo62}), LANEPOOL_OVERFLOW,
             "y_strides[2] is " + Text(kTwoTo62 + 1) + leaves);
  ExpectAccepted(WithStrides(square, y, {0, 0, kTwoTo62, kTwoTo62 - 2}));
  ExpectSaid(WithStrides(square, x, {0, 0, kTwoTo62, kTwoTo62}), LANEPOOL_OVERFLOW,
             "x_strides[3] is " + Text(kTwoTo62) + leaves);
  // A dimension of size 0 has no elements to be far apart.
  ExpectAccepted(WithStrides(support::Params(Max({2, 2}).Kernel({1, 1})).Batch(0), x,
                             {kMax64, 0, kTwoTo62 / 8, 1}));
  ExpectSaid(WithStrides(Max({5, 2}).Kernel({1, 1}), x, {0, 0, kTwoTo62, 1}), LANEPOOL_OVERFLOW,
             "x_strides[2] is " + Text(kTwoTo62) + leaves);
  ExpectSaid(WithStrides(Max({5}).Kernel({1}).Index(LANEPOOL_TYPE_INT32),
                         &lanepool_params::index_strides, {0, 0, kTwoTo62}),
             LANEPOOL_OVERFLOW, "index_strides[2] is " + Text(kTwoTo62) + leaves);
}

TEST(Sentences, Windows) {
  ExpectSaid(
      Average({9, 9}).Kernel({1, 3}).Dilations({1, kTwoTo62}), LANEPOOL_OVERFLOW,
      "kernel[1] is 3; (kernel - 1) * dilation + 1 leaves 64 bits with dilation " + Text(kTwoTo62),
      kTwoTo62);
  ExpectSaid(Average({9, 9}).Kernel({3, 3}).Pads({1, 1, 1, kMax64 - 9}), LANEPOOL_OVERFLOW,
             "pads_end[1] is " + Text(kMax64 - 9) + "; input + pads leaves 64 bits");
  ExpectSaid(Average({9, kMax64}).Kernel({3, 2}).Strides({1, kMax64 - 1}).Ceil(LANEPOOL_CEIL_KEEP),
             LANEPOOL_OVERFLOW,
             "strides[1] is " + Text(kMax64 - 1) +
                 "; (output - 1) * stride + effective kernel leaves 64 bits");
  const char* const larger = "; the effective kernel is larger than the padded input, ";
  ExpectSaid(Average({9, 4}).Kernel({3, 8}).Pads({0, 1, 0, 2}), LANEPOOL_EMPTY_OUTPUT,
             std::string("kernel[1] is 8") + larger + "7", 7);
  // The first of two axes.
  ExpectSaid(Average({4, 4}).Kernel({5, 6}), LANEPOOL_EMPTY_OUTPUT,
             std::string("kernel[0] is 5") + larger + "4", 4);
  ExpectSaid(
      Average({9, 2}).Kernel({3, 2}).Pads({0, 2, 0, 0}).EmptyWindow(LANEPOOL_EMPTY_REJECT),
      LANEPOOL_EMPTY_WINDOW,
      "kernel[1] is 2; a window has no tap inside the input, and empty_window is EMPTY_REJECT");
  const std::string taps =
      "; taps of a window are multiplied, and sums of bytes have at most 4294967295";
  const auto bytes = [](int64_t kernel) {
    return Average({kTwoTo32}).Kernel({kernel}).Type(LANEPOOL_TYPE_UINT8);
  };
  ExpectAccepted(bytes(kTwoTo32 - 1));
  ExpectSaid(bytes(kTwoTo32), LANEPOOL_OVERFLOW, "kernel is 4294967296" + taps, kTwoTo32 - 1);
  ExpectSaid(Average({1 << 16, 1 << 16}).Kernel({1 << 16, 1 << 16}).Type(LANEPOOL_TYPE_INT16),
             LANEPOOL_OVERFLOW, "kernel is 4294967296" + taps, kTwoTo32 - 1);
  ExpectAccepted(Max({kTwoTo32}).Kernel({kTwoTo32}).Type(LANEPOOL_TYPE_UINT8));
}

TEST(Sentences, Workspace) {
  // A row of 2^62 bytes that no loop can do without, in lanes of four bytes.
  ExpectSaid(Average({kTwoTo62}).Kernel({2}).Dilations({kTwoTo62 - 1}).Type(LANEPOOL_TYPE_UINT8),
             LANEPOOL_OVERFLOW, "kernel[0] is 2; the workspace for windows so wide leaves 64 bits");
  ExpectSaid(
      Average({1, kTwoTo62}).Kernel({1, 2}).Dilations({1, kTwoTo62 - 1}).Type(LANEPOOL_TYPE_UINT8),
      LANEPOOL_OVERFLOW, "kernel[1] is 2; the workspace for windows so wide leaves 64 bits");
}

// The last workspace that fits, with all that is added to a row of lanes.
TEST(Sentences, LargestWorkspace) {
  bool accepted = false;
  for (int64_t less = 1; less <= 16384; ++less) {
    const int64_t width = (int64_t{1} << 61) - less;
    const support::Planned planned = support::Plan(
        Average({width}).Kernel({2}).Dilations({width - 1}).Type(LANEPOOL_TYPE_UINT8));
    if (planned.status == LANEPOOL_OK) {
      accepted = true;
      ASSERT_GT(planned.desc.workspace_bytes, 4 * width);
    } else {
      ASSERT_EQ(planned.status, LANEPOOL_OVERFLOW);
      ASSERT_FALSE(accepted) << less;
    }
  }
  EXPECT_TRUE(accepted);
}

TEST(Sentences, Unpooling) {
  ExpectSaid(MaxUnpool({2, kTwoTo62}).Kernel({2, 2}).Strides({1, 3}), LANEPOOL_OVERFLOW,
             "strides[1] is 3; (output - 1) * stride + effective kernel leaves 64 bits");
  ExpectSaid(MaxUnpool({2, 2}).Kernel({2, kMax64}).Strides({1, 1}), LANEPOOL_OVERFLOW,
             "strides[1] is 1; (output - 1) * stride + effective kernel leaves 64 bits");
  ExpectSaid(MaxUnpool({4, 4}).Kernel({2, 2}).Pads({0, kMax64, 0, 1}), LANEPOOL_OVERFLOW,
             "pads_end[1] is 1; input + pads leaves 64 bits");
  // It has no windows that could be empty.
  const support::Planned reject =
      support::Plan(MaxUnpool({2}).Kernel({2}).Strides({2}).EmptyWindow(LANEPOOL_EMPTY_REJECT));
  EXPECT_EQ(reject.status, LANEPOOL_OK);
  EXPECT_EQ(reject.desc.has_empty_windows, 0);
  // Three windows of two by two positions less the pads: nothing is left with pads of four.
  const auto padded = [](int64_t begin, int64_t end) {
    return MaxUnpool({9, 3}).Kernel({1, 2}).Strides({1, 1}).Pads({0, begin, 0, end});
  };
  ExpectAccepted(padded(1, 2));
  ExpectSaid(padded(1, 3), LANEPOOL_EMPTY_OUTPUT, "pads_end[1] is 3; it must be at most 2", 2);
  ExpectSaid(padded(3, 3), LANEPOOL_EMPTY_OUTPUT, "pads_end[1] is 3; it must be at most 0", 0);
  ExpectSaid(MaxUnpool({3, 3}).Kernel({2, 2}).Pads({2, 2, 3, 2}), LANEPOOL_EMPTY_OUTPUT,
             "pads_end[0] is 3; it must be at most 1", 1);
}

TEST(Sentences, GreatestIndex) {
  const auto said = [](int64_t greatest) {
    return "index_type is 6; the greatest index, " + Text(greatest) + ", does not fit";
  };
  const auto bytes = [](const support::Params::List& input) {
    return Max(input).Type(LANEPOOL_TYPE_UINT8).Kernel(support::Params::List(input.size(), 1));
  };
  ExpectAccepted(bytes({kTwoTo31}).Index(LANEPOOL_TYPE_INT32));
  ExpectSaid(bytes({kTwoTo31 + 1}).Index(LANEPOOL_TYPE_INT32), LANEPOOL_OVERFLOW, said(kTwoTo31),
             kTwoTo31);
  ExpectAccepted(bytes({kTwoTo31 + 1}).Index(LANEPOOL_TYPE_INT64));
  // What counts: the planes of the tensor, or the plane alone, or the window.
  const support::Params many = bytes({1 << 10, 1 << 10}).Batch(1 << 6).Channels(1 << 6);
  const auto indexed = [](support::Params params, int32_t mode) {
    return params.Index(LANEPOOL_TYPE_INT32, mode);
  };
  ExpectSaid(indexed(many, LANEPOOL_INDEX_NCHW), LANEPOOL_OVERFLOW, said(kTwoTo32 - 1),
             kTwoTo32 - 1);
  ExpectSaid(indexed(many, LANEPOOL_INDEX_NHWC), LANEPOOL_OVERFLOW, said(kTwoTo32 - 1),
             kTwoTo32 - 1);
  ExpectAccepted(indexed(many, LANEPOOL_INDEX_PLANE));
  ExpectAccepted(indexed(many, LANEPOOL_INDEX_WINDOW));
  ExpectAccepted(indexed(bytes({kTwoTo32}), LANEPOOL_INDEX_WINDOW));
  ExpectSaid(indexed(bytes({kTwoTo32}), LANEPOOL_INDEX_PLANE), LANEPOOL_OVERFLOW,
             said(kTwoTo32 - 1), kTwoTo32 - 1);
  // An empty tensor has indices as one image, or one channel, would.
  ExpectAccepted(indexed(bytes({kTwoTo31}).Batch(0), LANEPOOL_INDEX_NCHW));
  ExpectAccepted(indexed(bytes({kTwoTo31}).Channels(0), LANEPOOL_INDEX_NCHW));
  ExpectSaid(indexed(bytes({kTwoTo31}).Batch(0).Channels(2), LANEPOOL_INDEX_NCHW),
             LANEPOOL_OVERFLOW, said(kTwoTo32 - 1), kTwoTo32 - 1);
  ExpectSaid(indexed(bytes({kTwoTo31}).Channels(0).Batch(2), LANEPOOL_INDEX_NCHW),
             LANEPOOL_OVERFLOW, said(kTwoTo32 - 1), kTwoTo32 - 1);
  // The tensor that MAX_UNPOOL's indices count in can be any size: they are checked one by one.
  ExpectAccepted(
      MaxUnpool({2}).Type(LANEPOOL_TYPE_UINT8).Kernel({kTwoTo32}).Index(LANEPOOL_TYPE_INT32));
}

TEST(Sentences, IndicesThatLeave64Bits) {
  const char* const leaves = "index_type is 7; the number of elements leaves 64 bits";
  // A view that repeats: x has few bytes, and too many positions.
  lanepool_params repeated = WithStrides(Max({kTwoTo32, kTwoTo32})
                                             .Type(LANEPOOL_TYPE_UINT8)
                                             .Kernel({1, 1})
                                             .Strides({kTwoTo31, kTwoTo31})
                                             .Index(LANEPOOL_TYPE_INT64),
                                         &lanepool_params::x_strides, {1, 0, 0, 0});
  ExpectSaid(repeated, LANEPOOL_OVERFLOW, leaves);
  lanepool_params without = repeated;
  without.index_type = LANEPOOL_TYPE_NONE;
  ExpectAccepted(without);
  repeated.index_mode = LANEPOOL_INDEX_PLANE;
  ExpectSaid(repeated, LANEPOOL_OVERFLOW, leaves);
  repeated.index_mode = LANEPOOL_INDEX_WINDOW;
  ExpectAccepted(repeated);
  repeated.index_mode = LANEPOOL_INDEX_NCHW;
  repeated.input[1] = kTwoTo31 - 1;
  ExpectAccepted(repeated);
  repeated.batch = 3;
  ExpectSaid(repeated, LANEPOOL_OVERFLOW, leaves);
  repeated.batch = 1;
  repeated.channels = 3;
  ExpectSaid(repeated, LANEPOOL_OVERFLOW, leaves);
  ExpectSaid(MaxUnpool({2, 2}).Kernel({kTwoTo32, kTwoTo32}).OutputSize({4, 4}), LANEPOOL_OVERFLOW,
             leaves);
}

TEST(Sentences, Targets) {
  lanepool_params params = refusals::Good();
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  params.target_mask = ~lanepool_targets(LANEPOOL_TARGETS_COMPILED);
  ExpectSaid(
      params, LANEPOOL_TARGET,
      "target_mask is " + Text(static_cast<int64_t>(params.target_mask)) +
          "; none of these instruction sets is compiled in and supported here, see targets " +
          Text(static_cast<int64_t>(supported)),
      static_cast<int64_t>(supported));
}

// Of several faults the report names one: an overflow before a bad view, and the first bad view.
TEST(Sentences, TheFirstOfSeveralViews) {
  const lanepool_params good = Max({3, 3}).Kernel({1, 1}).Index(LANEPOOL_TYPE_INT32);
  lanepool_params both = WithStrides(good, &lanepool_params::x_strides, {9, 9, 3, -1});
  both = WithStrides(both, &lanepool_params::y_strides, {9, 9, -3, 1});
  ExpectSaid(both, LANEPOOL_VIEW, "x_strides[3] is -1; it must be at least 0");
  both = WithStrides(both, &lanepool_params::index_strides, {0, 0, kTwoTo62, 1});
  ExpectSaid(both, LANEPOOL_OVERFLOW,
             "index_strides[2] is " + Text(kTwoTo62) + "; the number of elements leaves 64 bits");
  lanepool_desc desc;
  EXPECT_EQ(lanepool_plan(&both, &desc, nullptr), LANEPOOL_OVERFLOW);
  std::memset(both.index_strides, 0, sizeof both.index_strides);
  EXPECT_EQ(lanepool_plan(&both, &desc, nullptr), LANEPOOL_VIEW);
}

}  // namespace
