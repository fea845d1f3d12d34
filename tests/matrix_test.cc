// Every op, type, layout, rank and feature that go together: random jobs of each such cell against
// the oracle, on every instruction set. The matrix is printed; a cell without jobs is a failure.
// LANEPOOL_CASES=100 makes a hundred jobs per cell, LANEPOOL_SEED=7 others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "support/any_case.h"
#include "support/check_job.h"

namespace {

using support::Feature;
using support::Kind;
using support::Random;
using support::RandomCase;
using support::Wish;

constexpr int64_t kUsualJobs = 9;  // per cell
constexpr int kRanks = 3;

Feature FeatureAt(int i) { return static_cast<Feature>(i); }

std::string LayoutText(int32_t layout) { return layout == LANEPOOL_LAYOUT_NCHW ? "nchw" : "nhwc"; }

// Empty, or what is wrong with the first bad job; counts the good ones.
std::string CellFault(const Wish& wish, int64_t jobs, uint64_t seed, int64_t* good) {
  for (int64_t i = 0; i < jobs; ++i) {
    Random random(seed + static_cast<uint64_t>(i));
    const RandomCase item = support::MakeWishedCase(&random, wish);
    const support::Bytes x = support::MakeX(&random, item);
    const std::string fault = support::JobFault(item, x, &random);
    if (!fault.empty()) return item.Text() + ": " + fault;
    *good += 1;
  }
  return "";
}

// One line of the matrix: an op with its types and a layout; a column for each feature, in it the
// jobs of ranks 1, 2 and 3.
class Row {
 public:
  Row(const Kind& kind, int32_t layout, uint64_t seed)
      : kind_(kind), layout_(layout), seed_(seed) {}

  void Run(int64_t jobs) {
    for (int i = 0; i < support::kFeatures; ++i) {
      for (int rank = 1; rank <= kRanks && support::Has(kind_, FeatureAt(i)); ++rank) {
        RunCell(i, rank, jobs);
      }
    }
  }

  std::string Text() const {
    char name[40];
    std::snprintf(name, sizeof name, "%-20s %s", kind_.Text().c_str(), LayoutText(layout_).c_str());
    std::string text = name;
    for (int i = 0; i < support::kFeatures; ++i) {
      std::string cell = "-";
      if (support::Has(kind_, FeatureAt(i))) {
        cell = std::to_string(jobs_[i][0]);
        for (int rank = 2; rank <= kRanks; ++rank) cell += " " + std::to_string(jobs_[i][rank - 1]);
      }
      std::snprintf(name, sizeof name, " %10s", cell.c_str());
      text += name;
    }
    return text;
  }

  int64_t Cells() const { return cells_; }
  int64_t Jobs() const { return all_jobs_; }

 private:
  void RunCell(int feature, int32_t rank, int64_t jobs) {
    int64_t* const good = &jobs_[feature][rank - 1];
    const uint64_t seed = seed_ + static_cast<uint64_t>(feature * kRanks + rank) * 1000003;
    const Wish wish = {kind_, FeatureAt(feature), layout_, rank};
    const std::string fault = CellFault(wish, jobs, seed, good);
    EXPECT_EQ(fault, "") << kind_.Text() << ", " << support::FeatureText(FeatureAt(feature));
    EXPECT_GT(*good, 0) << "an empty cell: " << kind_.Text() << " " << LayoutText(layout_)
                        << " rank " << rank << " " << support::FeatureText(FeatureAt(feature));
    cells_ += 1;
    all_jobs_ += *good;
  }

  Kind kind_;
  int32_t layout_;
  uint64_t seed_;
  int64_t jobs_[support::kFeatures][kRanks] = {};
  int64_t cells_ = 0;
  int64_t all_jobs_ = 0;
};

void PrintHead() {
  std::printf("%-25s", "jobs of ranks 1 2 3");
  for (int i = 0; i < support::kFeatures; ++i) {
    std::printf(" %10s", support::FeatureText(FeatureAt(i)).c_str());
  }
  std::printf("\n");
}

TEST(Matrix, EveryCell) {
  const int64_t jobs = support::CaseCount(kUsualJobs);
  int64_t cells = 0;
  int64_t all_jobs = 0;
  uint64_t seed = support::FirstSeed();
  PrintHead();
  for (const Kind& kind : support::AllKinds()) {
    for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
      Row row(kind, layout, seed);
      row.Run(jobs);
      seed += 7919;
      std::printf("%s\n", row.Text().c_str());
      std::fflush(stdout);
      cells += row.Cells();
      all_jobs += row.Jobs();
    }
  }
  std::printf("%lld cells, %lld jobs\n", static_cast<long long>(cells),
              static_cast<long long>(all_jobs));
}

// What a kind of job is called is what lanepool_plan accepts: no other pair of types is valid.
TEST(Matrix, NoOtherTypes) {
  const std::vector<Kind> kinds = support::AllKinds();
  const auto known = [&kinds](const Kind& kind) {
    return std::any_of(kinds.begin(), kinds.end(), [&kind](const Kind& one) {
      return one.op == kind.op && one.x_type == kind.x_type && one.y_type == kind.y_type;
    });
  };
  for (int32_t op = LANEPOOL_OP_AVERAGE; op <= LANEPOOL_OP_MAX_UNPOOL; ++op) {
    for (int32_t x_type = 0; x_type <= 20; ++x_type) {
      for (int32_t y_type = 0; y_type <= 20; ++y_type) {
        support::Params params = support::Params(op, {4}).Kernel({2}).Types(x_type, y_type);
        if (op == LANEPOOL_OP_MAX_UNPOOL) params.Index(LANEPOOL_TYPE_INT64);
        const int32_t expected = known({op, x_type, y_type}) ? LANEPOOL_OK : LANEPOOL_TYPE;
        EXPECT_STREQ(lanepool_status_name(support::Plan(params).status),
                     lanepool_status_name(expected))
            << "op " << op << ", types " << x_type << " and " << y_type;
      }
    }
  }
}

}  // namespace
