// A library without some ops and types (LANEPOOL_OPS, LANEPOOL_TYPES): what was left out is refused
// with the field that asks for it, everything else is right. In a library that has everything,
// nothing is refused. LANEPOOL_CASES makes more jobs, LANEPOOL_SEED others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "support/any_case.h"
#include "support/check_job.h"
#include "support/job.h"
#include "support/random_case.h"

namespace {

using support::Random;
using support::RandomCase;

#ifndef LANEPOOL_COMPILED_OPS
#define LANEPOOL_COMPILED_OPS
#endif
#ifndef LANEPOOL_COMPILED_TYPES
#define LANEPOOL_COMPILED_TYPES
#endif
const std::vector<int32_t> kOps = {LANEPOOL_COMPILED_OPS};
const std::vector<int32_t> kTypes = {LANEPOOL_COMPILED_TYPES};

bool Has(const std::vector<int32_t>& codes, int32_t code) {
  return codes.empty() || std::find(codes.begin(), codes.end(), code) != codes.end();
}

// The field that asks for what was left out; empty if none does.
std::string FieldLeftOut(const lanepool_params& params) {
  if (!Has(kOps, params.op)) return "op is " + std::to_string(params.op);
  if (!Has(kTypes, params.x_type)) return "x_type is " + std::to_string(params.x_type);
  if (!Has(kTypes, params.y_type)) return "y_type is " + std::to_string(params.y_type);
  return "";
}

TEST(LeftOut, RandomJobs) {
  int64_t refused = 0, run = 0;
  const int64_t cases = support::CaseCount(20000);
  for (int64_t i = 0; i < cases && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 15485863);
    const RandomCase item = support::MakeAnyCase(&random);
    SCOPED_TRACE(item.Text());
    const std::string field = FieldLeftOut(item.params);
    if (field.empty()) {
      ASSERT_EQ(support::JobFault(item, support::MakeX(&random, item), &random), "");
      ++run;
      continue;
    }
    const support::Planned planned = support::Plan(item.params);
    ASSERT_EQ(planned.status, LANEPOOL_UNSUPPORTED);
    char sentence[200];
    lanepool_error_format(&planned.error, sentence, sizeof sentence);
    ASSERT_EQ(sentence, field + "; it is valid, but this library was built without it");
    ++refused;
  }
  EXPECT_GT(run, 0);
  EXPECT_EQ(refused > 0, !kOps.empty() || !kTypes.empty());
  std::printf("%lld jobs refused, %lld run\n", static_cast<long long>(refused),
              static_cast<long long>(run));
}

}  // namespace
