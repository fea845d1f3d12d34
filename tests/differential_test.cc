// Random jobs: the best instruction set against the oracle, and the bytes of y equal on every
// instruction set, for every split into ranges and for every alignment.
// LANEPOOL_CASES=10000 makes more of them, LANEPOOL_SEED=7 others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "support/crash_note.h"
#include "support/fill.h"
#include "support/job.h"
#include "support/named_shapes.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/targets.h"

namespace {

using support::Data;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 4000;

// Fills the gaps of a view and whatever a kernel forgets to write.
constexpr float kPoison = -4242.5f;

std::vector<float> MakeX(Random* random, const RandomCase& item) {
  std::vector<float> x(static_cast<size_t>(oracle::TensorOfX(item.params).Span()));
  support::Fill(random, item.data, x.data(), static_cast<int64_t>(x.size()));
  return x;
}

// y with the gaps poisoned, as one call of lanepool_run leaves it.
std::vector<float> RunOnce(const lanepool_desc& desc, const std::vector<float>& x) {
  std::vector<float> y(static_cast<size_t>(desc.y_bytes) / sizeof(float), kPoison);
  EXPECT_EQ(support::Run(desc, x.data(), y.data()), LANEPOOL_OK);
  return y;
}

// The same in ranges of random length, from the first to the last or the other way round.
std::vector<float> RunInRanges(const lanepool_desc& desc, const std::vector<float>& x,
                               Random* random, bool backwards) {
  std::vector<int64_t> ends = {0};
  const int64_t longest = std::max<int64_t>(1, desc.work_items / random->Between(1, 6));
  while (ends.back() < desc.work_items) {
    ends.push_back(std::min(desc.work_items, ends.back() + random->Between(1, longest)));
  }
  std::vector<float> y(static_cast<size_t>(desc.y_bytes) / sizeof(float), kPoison);
  const size_t count = ends.size() - 1;
  for (size_t i = 0; i < count; ++i) {
    const size_t range = backwards ? count - 1 - i : i;
    EXPECT_EQ(support::RunRange(desc, x.data(), y.data(), ends[range], ends[range + 1]),
              LANEPOOL_OK);
  }
  return y;
}

// x and y anywhere, aligned to their elements only.
std::vector<float> RunUnaligned(const lanepool_desc& desc, const std::vector<float>& x,
                                Random* random) {
  const auto skip_x = static_cast<size_t>(random->Between(0, 15));
  const auto skip_y = static_cast<size_t>(random->Between(0, 15));
  std::vector<float> moved(skip_x + x.size());
  std::copy(x.begin(), x.end(), moved.begin() + static_cast<std::ptrdiff_t>(skip_x));
  std::vector<float> y(skip_y + static_cast<size_t>(desc.y_bytes) / sizeof(float), kPoison);
  EXPECT_EQ(support::Run(desc, moved.data() + skip_x, y.data() + skip_y), LANEPOOL_OK);
  return {y.begin() + static_cast<std::ptrdiff_t>(skip_y), y.end()};
}

// Empty, or where the two differ.
std::string Difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) {
    return "";
  }
  size_t i = 0;
  while (i < a.size() && std::memcmp(&a[i], &b[i], sizeof(float)) == 0) ++i;
  return "element " + std::to_string(i) + " of y: " + std::to_string(a[i]) + " and " +
         std::to_string(b[i]);
}

void ExpectShape(const lanepool_params& params, const lanepool_desc& desc) {
  const oracle::Shape shape = oracle::ResolveShape(params);
  for (int i = 0; i < params.rank; ++i) {
    EXPECT_EQ(desc.output[i], shape.output[i]) << "axis " << i;
    EXPECT_EQ(desc.pads_begin[i], shape.pads_begin[i]) << "axis " << i;
    EXPECT_EQ(desc.pads_end[i], shape.pads_end[i]) << "axis " << i;
  }
  EXPECT_EQ(desc.has_empty_windows, shape.has_empty_windows ? 1 : 0);
  EXPECT_EQ(desc.x_bytes, oracle::TensorOfX(params).Bytes());
  EXPECT_EQ(desc.y_bytes, oracle::TensorOfY(params, shape).Bytes());
}

void ExpectGapsUntouched(const lanepool_params& params, const std::vector<float>& y) {
  const oracle::Tensor tensor = oracle::TensorOfY(params, oracle::ResolveShape(params));
  std::vector<float> gaps = y;
  int64_t at[5];
  for (at[0] = 0; at[0] < tensor.sizes[0]; ++at[0]) {
    for (at[1] = 0; at[1] < tensor.sizes[1]; ++at[1]) {
      for (at[2] = 0; at[2] < tensor.sizes[2]; ++at[2]) {
        for (at[3] = 0; at[3] < tensor.sizes[3]; ++at[3]) {
          for (at[4] = 0; at[4] < tensor.sizes[4]; ++at[4]) {
            int64_t offset = 0;
            for (int i = 0; i < 5; ++i) offset += at[i] * tensor.strides[i];
            gaps[static_cast<size_t>(offset)] = kPoison;
          }
        }
      }
    }
  }
  EXPECT_EQ(std::count(gaps.begin(), gaps.end(), kPoison), static_cast<int64_t>(gaps.size()))
      << "a gap of y was written";
}

// Everything above for one job. Fails fatally at the first instruction set that is wrong.
void CheckJob(const RandomCase& item, Random* random) {
  static const std::vector<support::Target> targets = support::SupportedTargets();
  const std::vector<float> x = MakeX(random, item);
  std::vector<float> expected;
  for (const support::Target& target : targets) {
    SCOPED_TRACE(target.name);
    const support::Planned planned = support::Plan(item.params, target.mask);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    support::SetCrashNote(target.name + ": " + item.Text());
    const lanepool_desc& desc = planned.desc;
    const std::vector<float> y = RunOnce(desc, x);
    if (expected.empty()) {
      ExpectShape(item.params, desc);
      ExpectGapsUntouched(item.params, y);
      std::string why;
      ASSERT_TRUE(oracle::Agrees(item.params, x.data(), y.data(), &why)) << why;
      expected = y;
    }
    ASSERT_EQ(Difference(y, expected), "") << "differs from " << targets[0].name;
    ASSERT_EQ(Difference(RunInRanges(desc, x, random, false), expected), "") << "split";
    ASSERT_EQ(Difference(RunInRanges(desc, x, random, true), expected), "") << "split, backwards";
    ASSERT_EQ(Difference(RunUnaligned(desc, x, random), expected), "") << "unaligned";
  }
}

TEST(Differential, RandomJobs) {
  const int64_t count = support::CaseCount(kUsualCases);
  const uint64_t seed = support::FirstSeed();
  for (int64_t i = 0; i < count && !HasFailure(); ++i) {
    Random random(seed + static_cast<uint64_t>(i) * 1000003);
    const RandomCase item = support::MakeRandomCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
  }
}

TEST(Differential, RandomWideJobs) {
  int64_t with_workspace = 0;
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) / 4 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 15485863);
    const RandomCase item = support::MakeWideRandomCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
    with_workspace += support::Plan(item.params).desc.workspace_bytes > 0 ? 1 : 0;
  }
  RecordProperty("with_workspace", std::to_string(with_workspace));
}

TEST(Differential, NamedShapes) {
  for (const support::NamedShape& shape : support::NamedShapes()) {
    for (const int32_t layout : shape.Layouts()) {
      if (shape.is_timed) continue;
      for (const Data data : {Data::kIntegers, Data::kUniform, Data::kEverything}) {
        RandomCase item = {shape.params, data};
        item.params.layout = layout;
        SCOPED_TRACE(shape.name + " (" + shape.reason + "): " + item.Text());
        Random random(99);
        CheckJob(item, &random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Every small job of one axis: shapes, empty windows and values.
void CheckSmallAxis(support::Params params, const std::vector<float>& x) {
  const oracle::Shape shape = oracle::ResolveShape(params);
  const support::Planned planned = support::Plan(params);
  ASSERT_EQ(planned.status, shape.status) << support::ErrorText(planned.error);
  if (shape.status != LANEPOOL_OK) return;
  ExpectShape(params, planned.desc);
  std::vector<float> y(static_cast<size_t>(shape.output[0]), kPoison);
  ASSERT_EQ(support::Run(planned.desc, x.data(), y.data()), LANEPOOL_OK);
  std::string why;
  ASSERT_TRUE(oracle::Agrees(params, x.data(), y.data(), &why)) << why;
}

TEST(Differential, EverySmallAxis) {
  const std::vector<float> x = {1, 20, 300, 4000, 50000, 600000};
  for (int64_t code = 0; code < 6 * 4 * 3 * 3 * 6 * 6 * 12; ++code) {
    int64_t rest = code;
    const auto digit = [&rest](int64_t base) {
      const int64_t value = rest % base;
      rest /= base;
      return value;
    };
    const int64_t input = 1 + digit(6);
    support::Params params(digit(2) == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX, {input});
    params.Kernel({1 + digit(4)}).Strides({1 + digit(3)}).Dilations({1 + digit(3)});
    const int64_t pad_begin = digit(6);
    params.Pads({pad_begin, digit(6)}).Ceil(static_cast<int32_t>(digit(3)));
    params.Divisor(digit(2) == 0 ? LANEPOOL_DIVISOR_EXCLUDE_PAD : LANEPOOL_DIVISOR_INCLUDE_PAD);
    SCOPED_TRACE(support::ParamsText(params));
    CheckSmallAxis(params, x);
    if (HasFailure()) return;
  }
}

// The windows that have kernels of their own, over every size that leaves a tail of its own.
std::vector<support::Params> HotWindows(const support::Params& base) {
  using support::Params;
  return {
      Params(base).Kernel({3, 3}).Pads({1, 1, 1, 1}),
      Params(base).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}),
      Params(base).Kernel({2, 2}).Strides({2, 2}).Ceil(),
      Params(base).Kernel({3, 3}).AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER).Strides({2, 1}).Include(),
      Params(base).Kernel({5, 5}).Pads({2, 2, 2, 2}),
      Params(base).Kernel({3, 3}).Dilations({2, 2}).Pads({2, 2, 2, 2}),
      Params(base).Kernel({1, 1}),
      Params(base).Global(),
  };
}

void CheckHotWindows(const support::Params::List& input, int64_t channels, int32_t layout) {
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    const support::Params base = support::Params(op, input).Channels(channels).Layout(layout);
    for (const support::Params& params : HotWindows(base)) {
      for (const Data data : {Data::kIntegers, Data::kEverything}) {
        const RandomCase item = {params, data};
        SCOPED_TRACE(item.Text());
        Random random(static_cast<uint64_t>(channels * 1000 + input[1]));
        CheckJob(item, &random);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Differential, EveryChannelCountNhwc) {
  for (int64_t channels = 1; channels <= 70 && !HasFatalFailure(); ++channels) {
    CheckHotWindows({4, 5}, channels, LANEPOOL_LAYOUT_NHWC);
  }
}

TEST(Differential, EveryWidthNchw) {
  for (int64_t width = 1; width <= 70 && !HasFatalFailure(); ++width) {
    CheckHotWindows({5, width}, 2, LANEPOOL_LAYOUT_NCHW);
  }
}

TEST(Differential, EveryWidthNhwcOfThreeChannels) {
  for (int64_t width = 1; width <= 70 && !HasFatalFailure(); ++width) {
    CheckHotWindows({4, width}, 3, LANEPOOL_LAYOUT_NHWC);
  }
}

TEST(Differential, EveryPlaneNchw) {
  for (int64_t height = 1; height <= 9; ++height) {
    for (int64_t width = 1; width <= 9 && !HasFatalFailure(); ++width) {
      CheckHotWindows({height, width}, 11, LANEPOOL_LAYOUT_NCHW);
    }
  }
}

// One tap and a divisor: the quotient of every kind of number must be the one of IEEE 754.
std::vector<float> Dividends(int64_t divisor, Random* random) {
  std::vector<float> x(1500);
  const auto half = static_cast<int64_t>(x.size() / 2);
  support::Fill(random, Data::kMagnitudes, x.data(), half);
  const int least_normal = std::ilogb(static_cast<double>(divisor)) - 126;
  for (size_t i = static_cast<size_t>(half); i < x.size(); ++i) {
    // Quotients around the smallest normal number and with all bits of the significand in use.
    const int exponent = random->Percent(50) ? static_cast<int>(random->Between(-4, 4)) : 60;
    const auto significand = static_cast<float>(random->Between(1 << 23, (1 << 24) - 1));
    x[i] = std::ldexp(significand, std::min(100, least_normal + exponent - 23));
  }
  return x;
}

TEST(Differential, QuotientsAreCorrectlyRounded) {
  std::vector<int64_t> divisors = {1 << 24,          (1 << 24) + 1, (1 << 24) - 1,
                                   int64_t{1} << 40, 999999937,     INT64_MAX};
  for (int64_t divisor = 1; divisor <= 260; ++divisor) divisors.push_back(divisor);
  for (int64_t divisor = 263; divisor < 1 << 24; divisor += divisor / 2) {
    divisors.push_back(divisor);
  }
  for (const int64_t divisor : divisors) {
    Random random(static_cast<uint64_t>(divisor));
    const std::vector<float> x = Dividends(divisor, &random);
    const auto size = static_cast<int64_t>(x.size());
    for (const support::Params& base :
         {support::Average({size}), support::Average({1}).Channels(size)}) {
      const lanepool_params params =
          support::Params(base).Kernel({1}).Divisor(LANEPOOL_DIVISOR_CONSTANT, divisor);
      SCOPED_TRACE(support::ParamsText(params));
      std::vector<float> expected;
      for (const support::Target& target : support::SupportedTargets()) {
        const std::vector<float> y = RunOnce(support::Plan(params, target.mask).desc, x);
        std::string why;
        const bool first = expected.empty();
        ASSERT_TRUE(!first || oracle::Agrees(params, x.data(), y.data(), &why)) << why;
        if (first) expected = y;
        ASSERT_EQ(Difference(y, expected), "") << target.name;
      }
    }
  }
}

// Equal planes in all channels and images give equal results, whatever lane they fall into.
TEST(Differential, ResultDoesNotDependOnThePosition) {
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) / 8 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 7919);
    const RandomCase item = support::MakeDenseRandomCase(&random);
    SCOPED_TRACE(item.Text());
    const lanepool_desc desc = support::Plan(item.params).desc;
    const bool nhwc = item.params.layout == LANEPOOL_LAYOUT_NHWC;
    const auto channels = static_cast<size_t>(item.params.channels);
    const auto planes = static_cast<size_t>(item.params.batch) * channels;
    // The element of the first image and channel at the same place as element `at` of a tensor.
    const auto source = [&](size_t at, size_t size) {
      return nhwc ? at % (size / planes * channels) / channels * channels : at % (size / planes);
    };

    std::vector<float> x = MakeX(&random, item);
    const std::vector<float> drawn = x;
    for (size_t at = 0; at < x.size(); ++at) x[at] = drawn[source(at, x.size())];
    const std::vector<float> y = RunOnce(desc, x);
    std::vector<float> expected = y;
    for (size_t at = 0; at < y.size(); ++at) expected[at] = y[source(at, y.size())];
    EXPECT_EQ(Difference(y, expected), "");
  }
}

// Runs one work item over two different backgrounds: what is equal afterwards was written.
std::vector<bool> WrittenBy(const lanepool_desc& desc, const std::vector<float>& x, int64_t work) {
  const auto size = static_cast<size_t>(desc.y_bytes) / sizeof(float);
  std::vector<float> one(size, kPoison);
  std::vector<float> two(size, 1717.25f);
  EXPECT_EQ(support::RunRange(desc, x.data(), one.data(), work, work + 1), LANEPOOL_OK);
  EXPECT_EQ(support::RunRange(desc, x.data(), two.data(), work, work + 1), LANEPOOL_OK);
  std::vector<bool> written(size);
  for (size_t i = 0; i < size; ++i) {
    written[i] = std::memcmp(&one[i], &two[i], sizeof(float)) == 0;
  }
  return written;
}

TEST(Differential, WorkItemsWriteSeparateOutputs) {
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) / 12 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 104729);
    const RandomCase item = support::MakeRandomCase(&random);
    SCOPED_TRACE(item.Text());
    const std::vector<float> x = MakeX(&random, item);
    const lanepool_desc desc = support::Plan(item.params).desc;
    if (desc.work_items > 400) continue;
    int64_t written = 0;
    std::vector<int> writers(static_cast<size_t>(desc.y_bytes) / sizeof(float));
    for (int64_t work = 0; work < desc.work_items; ++work) {
      const std::vector<bool> mine = WrittenBy(desc, x, work);
      for (size_t j = 0; j < mine.size(); ++j) writers[j] += mine[j] ? 1 : 0;
      written += std::count(mine.begin(), mine.end(), true);
    }
    EXPECT_LE(*std::max_element(writers.begin(), writers.end()), 1);
    EXPECT_EQ(written, desc.element_count);
  }
}

}  // namespace
