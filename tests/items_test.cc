// Every byte of y, and of the index, is written by one work item and by no other: what threads that
// share a desc rely on. Run one by one, items that wrote the same bytes twice would not be noticed.
// LANEPOOL_CASES makes more jobs, LANEPOOL_SEED others.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/any_case.h"
#include "support/crash_note.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/run_job.h"
#include "support/targets.h"

namespace {

using support::Bytes;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 600;
constexpr int64_t kMostWork = int64_t{1} << 22;  // bytes that all items together look at
// Whatever an item writes differs from one of the two.
constexpr unsigned char kFills[] = {0x5A, 0xA5};

struct Tensors {
  Bytes y, index;

  void Fill(unsigned char byte) {
    y.assign(y.size(), byte);
    index.assign(index.size(), byte);
  }
};

// Of each byte, the item that wrote it.
class Owners {
 public:
  explicit Owners(size_t bytes) : owner_(bytes, kNobody) {}

  void Add(const Bytes& bytes, unsigned char fill, int64_t item) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == fill || owner_[i] == item) continue;
      if (owner_[i] != kNobody && fault_.empty()) {
        fault_ = "byte " + std::to_string(i) + ": items " + std::to_string(owner_[i]) + " and " +
                 std::to_string(item);
      }
      owner_[i] = item;
    }
  }
  const std::string& Fault() const { return fault_; }

 private:
  static constexpr int64_t kNobody = -1;
  std::vector<int64_t> owner_;
  std::string fault_;
};

void CheckItems(const RandomCase& item, uint64_t seed) {
  static const std::vector<support::Target> targets = support::SupportedTargets();
  Random random(seed);
  support::Inputs inputs = {support::MakeX(&random, item)};
  inputs.index = support::MakeIndex(&random, item.params);
  const bool reads_index = !inputs.index.empty();
  for (const support::Target& target : targets) {
    SCOPED_TRACE(target.name);
    support::SetCrashNote(target.name + ": " + item.Text());
    const support::Planned planned = support::Plan(item.params, target.mask);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    const lanepool_desc& desc = planned.desc;
    if (desc.work_items < 2 || desc.work_items > kMostWork / (desc.y_bytes + 1)) continue;
    inputs.table = support::MakeTable(desc, item.arrays);
    Bytes workspace(static_cast<size_t>(desc.workspace_bytes));
    Tensors tensors = {Bytes(static_cast<size_t>(desc.y_bytes)), Bytes()};
    if (!reads_index) tensors.index.resize(static_cast<size_t>(desc.index_bytes));
    Bytes& index = reads_index ? inputs.index : tensors.index;
    Owners of_y(tensors.y.size()), of_index(tensors.index.size());
    for (int64_t i = 0; i < desc.work_items; ++i) {
      for (const unsigned char fill : kFills) {
        tensors.Fill(fill);
        ASSERT_EQ(lanepool_run_table(&desc, inputs.table.empty() ? nullptr : inputs.table.data(),
                                     inputs.table.size() * sizeof(uint64_t), inputs.x.data(),
                                     inputs.x.size(), tensors.y.data(), tensors.y.size(),
                                     index.empty() ? nullptr : index.data(), index.size(),
                                     workspace.data(), workspace.size(), i, i + 1),
                  LANEPOOL_OK);
        of_y.Add(tensors.y, fill, i);
        of_index.Add(tensors.index, fill, i);
      }
    }
    EXPECT_EQ(of_y.Fault(), "");
    EXPECT_EQ(of_index.Fault(), "");
  }
}

using MakeCase = RandomCase (*)(Random*);

void CheckCases(MakeCase make, int64_t count, uint64_t step) {
  for (int64_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * step);
    const RandomCase item = make(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckItems(item, random.Bits());
  }
}

TEST(Items, Rows) { CheckCases(support::MakeRowsCase, support::CaseCount(kUsualCases), 7919); }

TEST(Items, EveryKind) {
  CheckCases(support::MakeAnyCase, support::CaseCount(kUsualCases), 104729);
}

TEST(Items, Quantized) {
  CheckCases(support::MakeQuantizedCase, support::CaseCount(kUsualCases), 1299709);
}

TEST(Items, WideWindows) {
  CheckCases(support::MakeWideRandomCase, support::CaseCount(kUsualCases) / 3, 15485863);
}

TEST(Items, ApartWindows) {
  CheckCases(support::MakeApartRandomCase, support::CaseCount(kUsualCases) / 3, 32452843);
}

}  // namespace
