// Random jobs of every op, type and feature, several features at once: right results, and the same
// bytes on every instruction set, for every split into ranges and for every alignment; then every
// size that leaves a tail of its own. LANEPOOL_CASES=10000 makes more of them, LANEPOOL_SEED=7
// others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/any_case.h"
#include "support/check_job.h"
#include "support/job.h"
#include "support/named_shapes.h"
#include "support/random_case.h"

namespace {

using support::Bytes;
using support::Kind;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 6000;

void CheckJob(const RandomCase& item, Random* random) {
  const Bytes x = support::MakeX(random, item);
  ASSERT_EQ(support::JobFault(item, x, random), "");
}

TEST(Kinds, RandomJobs) {
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 32452843);
    const RandomCase item = support::MakeAnyCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
  }
}

// Windows, dilations and strides of thousands, on every kind that has them.
TEST(Kinds, WideWindows) {
  const std::vector<Kind> kinds = support::AllKinds();
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) / 8 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 49979687);
    const Kind& kind = kinds[static_cast<size_t>(i) % kinds.size()];
    if (kind.op == LANEPOOL_OP_MAX_UNPOOL) continue;
    RandomCase item = support::MakeWideRandomCase(&random);
    item.params.op = kind.op;
    item.params.x_type = kind.x_type;
    item.params.y_type = kind.y_type;
    item.params.nan_rule = LANEPOOL_NAN_PROPAGATE;
    if (support::Has(kind, support::Feature::kStrict) && random.Percent(30)) {
      item.params.flags |= LANEPOOL_FLAG_STRICT_ORDER;
    }
    if (kind.op == LANEPOOL_OP_MAX && random.Percent(50)) {
      item.params.index_type = LANEPOOL_TYPE_INT64;
    }
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckJob(item, &random);
  }
}

// Shapes with a reason, in turn on every kind.
TEST(Kinds, NamedShapes) {
  const std::vector<Kind> kinds = support::AllKinds();
  size_t turn = 0;
  for (const support::NamedShape& shape : support::NamedShapes()) {
    for (const int32_t layout : shape.Layouts()) {
      for (size_t i = 0; i < kinds.size() && !shape.is_timed; ++i, ++turn) {
        const Kind& kind = kinds[i];
        if (kind.op == LANEPOOL_OP_MAX_UNPOOL) continue;
        RandomCase item = {shape.params, static_cast<support::Data>(turn % support::kDataKinds)};
        item.integers = static_cast<support::IntegerData>(turn % support::kIntegerDataKinds);
        item.params.layout = layout;
        item.params.op = kind.op;
        item.params.x_type = kind.x_type;
        item.params.y_type = kind.y_type;
        if (kind.op == LANEPOOL_OP_MAX) item.params.index_type = LANEPOOL_TYPE_INT64;
        SCOPED_TRACE(shape.name + " (" + shape.reason + "): " + item.Text());
        Random random(turn);
        CheckJob(item, &random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// The windows that networks have, for one kind of job.
std::vector<support::Params> HotWindows(const support::Params& base, const Kind& kind) {
  using support::Params;
  std::vector<Params> windows = {
      Params(base).Kernel({3, 3}).Pads({1, 1, 1, 1}),
      Params(base).Kernel({2, 2}).Strides({2, 2}).Ceil(),
      Params(base).Kernel({3, 3}).Strides({2, 2}).Dilations({1, 2}).Pads({1, 2, 1, 2}).Include(),
      Params(base).Global(),
      Params(base).Adaptive({2, 2}),
  };
  if (kind.op == LANEPOOL_OP_MAX) {
    windows.push_back(Params(windows[0]).Index(LANEPOOL_TYPE_INT64));
    windows.push_back(Params(windows[1]).Index(LANEPOOL_TYPE_INT32, LANEPOOL_INDEX_PLANE));
    windows.push_back(Params(windows[3]).Index(LANEPOOL_TYPE_INT32));
  }
  if (support::Has(kind, support::Feature::kStrict)) {
    windows.push_back(Params(windows[0]).Flag(LANEPOOL_FLAG_STRICT_ORDER));
    windows.push_back(Params(windows[3]).NanRule(LANEPOOL_NAN_IGNORE));
  }
  if (kind.op == LANEPOOL_OP_MAX_UNPOOL) {
    return {Params(base).OutputSize({7, 9}).Index(LANEPOOL_TYPE_INT64),
            Params(base).Kernel({2, 2}).Strides({2, 2}).Index(LANEPOOL_TYPE_INT32)};
  }
  return windows;
}

// Kinds in turn: every size is met by each of them, with one window at a time.
void CheckSizes(const support::Params::List& input, int64_t channels, int32_t layout,
                int64_t turn) {
  for (const Kind& kind : support::AllKinds()) {
    const support::Params base = support::Params(kind.op, input)
                                     .Types(kind.x_type, kind.y_type)
                                     .Channels(channels)
                                     .Layout(layout);
    const std::vector<support::Params> windows = HotWindows(base, kind);
    Random random(static_cast<uint64_t>(turn * 1000 + kind.op));
    RandomCase item = {windows[static_cast<size_t>(turn) % windows.size()],
                       random.Pick({support::Data::kIntegers, support::Data::kEverything})};
    item.integers = random.Pick({support::IntegerData::kRandom, support::IntegerData::kFew});
    SCOPED_TRACE(item.Text());
    CheckJob(item, &random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Kinds, EveryChannelCountNhwc) {
  for (int64_t channels = 1; channels <= 70 && !HasFatalFailure(); ++channels) {
    CheckSizes({4, 5}, channels, LANEPOOL_LAYOUT_NHWC, channels);
    CheckSizes({4, 5}, channels, LANEPOOL_LAYOUT_NHWC, channels + 3);
  }
}

TEST(Kinds, EveryWidthNchw) {
  for (int64_t width = 1; width <= 70 && !HasFatalFailure(); ++width) {
    CheckSizes({5, width}, 2, LANEPOOL_LAYOUT_NCHW, width);
    CheckSizes({5, width}, 2, LANEPOOL_LAYOUT_NCHW, width + 3);
  }
}

}  // namespace
