// One desc shared by many threads: they make it known at once in a new process, when nothing has
// been detected yet, then run ranges of its work items in any order. The thread sanitizer's build
// (cmake --preset tsan) looks for races. LANEPOOL_CASES makes more jobs, LANEPOOL_SEED others.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/any_case.h"
#include "support/job.h"
#include "support/random_case.h"
#include "support/run_job.h"

namespace {

using support::Bytes;
using support::Random;
using support::RandomCase;

constexpr int kThreads = 64;
constexpr int64_t kUsualCases = 100;

// Runs work(0), work(1), ... on threads that begin together.
template <class Work>
void OnThreads(const Work& work) {
  std::atomic<int> waiting{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      waiting.fetch_sub(1);
      while (waiting.load() > 0) std::this_thread::yield();
      work(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Must be the first test: what a process finds out about its machine, it finds out here.
TEST(Threads, FirstCallsRace) {
  std::vector<lanepool_desc> descs(kThreads);
  std::vector<uint64_t> best(kThreads);
  std::vector<int32_t> statuses(kThreads, -1);
  const lanepool_params params =
      support::Average({9, 9}).Channels(5).Kernel({3, 3}).Pads({1, 1, 1, 1});
  OnThreads([&](int i) {
    const size_t at = static_cast<size_t>(i);
    if (i % 2 == 0) best[at] = lanepool_targets(LANEPOOL_TARGETS_BEST);
    statuses[at] = lanepool_plan(&params, &descs[at], nullptr);
    if (i % 2 == 1) best[at] = lanepool_targets(LANEPOOL_TARGETS_BEST);
  });
  for (size_t i = 0; i < kThreads; ++i) {
    EXPECT_EQ(statuses[i], LANEPOOL_OK);
    EXPECT_EQ(best[i], best[0]);
    EXPECT_EQ(support::Bytes(reinterpret_cast<const unsigned char*>(&descs[i]),
                             reinterpret_cast<const unsigned char*>(&descs[i] + 1)),
              support::Bytes(reinterpret_cast<const unsigned char*>(&descs[0]),
                             reinterpret_cast<const unsigned char*>(&descs[0] + 1)));
  }
}

// The work items as ranges of random length, in random order.
std::vector<std::pair<int64_t, int64_t>> RandomRanges(int64_t items, Random* random) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (int64_t begin = 0; begin < items;) {
    const int64_t end = begin + random->Between(1, std::max<int64_t>(1, items / kThreads));
    ranges.push_back({begin, std::min(end, items)});
    begin = ranges.back().second;
  }
  for (size_t i = ranges.size(); i > 1; --i) {
    std::swap(ranges[i - 1],
              ranges[static_cast<size_t>(random->Between(0, static_cast<int64_t>(i) - 1))]);
  }
  return ranges;
}

TEST(Threads, ShareADesc) {
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 67867967);
    const RandomCase item =
        i % 2 == 0 ? support::MakeAnyCase(&random) : support::MakeQuantizedCase(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    const support::Planned planned = support::Plan(item.params);
    ASSERT_EQ(planned.status, LANEPOOL_OK);
    const lanepool_desc& desc = planned.desc;
    support::Inputs inputs = {support::MakeX(&random, item)};
    inputs.index = support::MakeIndex(&random, item.params);
    inputs.table = support::MakeTable(desc, item.arrays);
    const support::Outputs expected = support::RunOnce(desc, inputs);

    support::Outputs outputs = {Bytes(expected.y.size(), support::kPoison), inputs.index};
    if (inputs.index.empty()) outputs.index.assign(expected.index.size(), support::kPoison);
    const auto ranges = RandomRanges(desc.work_items, &random);
    std::atomic<size_t> next{0};
    std::atomic<int32_t> worst{LANEPOOL_OK};
    OnThreads([&](int) {
      Bytes workspace(static_cast<size_t>(desc.workspace_bytes));
      for (size_t at = next.fetch_add(1); at < ranges.size(); at = next.fetch_add(1)) {
        const int32_t status = lanepool_run_table(
            &desc, inputs.table.empty() ? nullptr : inputs.table.data(),
            inputs.table.size() * sizeof(uint64_t), inputs.x.data(), inputs.x.size(),
            outputs.y.data(), outputs.y.size(),
            outputs.index.empty() ? nullptr : outputs.index.data(), outputs.index.size(),
            workspace.data(), workspace.size(), ranges[at].first, ranges[at].second);
        if (status != LANEPOOL_OK) worst = status;
      }
    });
    ASSERT_STREQ(lanepool_status_name(worst), lanepool_status_name(LANEPOOL_OK));
    EXPECT_EQ(support::Difference(expected.y, outputs.y, 1), "");
    if (inputs.index.empty()) {
      EXPECT_EQ(support::Difference(expected.index, outputs.index, 1, "index"), "");
    }
  }
}

}  // namespace
