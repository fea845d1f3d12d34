// A hundred million random windows against the oracle, with the instruction sets in turn.
// LANEPOOL_CASES=10000 makes a thousand million, LANEPOOL_SEED=7 others.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/pool_dense.h"
#include "support/check_job.h"
#include "support/crash_note.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/targets.h"

namespace {

using support::Bytes;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 1001;
constexpr int64_t kOutputsPerCase = 100000;
constexpr int64_t kOutputsPerJob = 12000;  // about

// The windows of networks and some around them, on tensors of tens of thousands of elements.
lanepool_params SweepParams(Random* random) {
  const int32_t rank = random->Pick({1, 2, 2, 2, 2, 3});
  lanepool_params p = support::Params(random->Percent(85) ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX,
                                      support::Params::List(static_cast<size_t>(rank), 1));
  p.layout = random->Pick({LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC});
  p.batch = random->Between(1, 2);
  const int64_t most_taps = rank == 3 ? 3 : random->Pick({2, 3, 3, 5, rank == 1 ? 64 : 8});
  int64_t outputs = p.batch;
  for (int i = 0; i < rank; ++i) {
    p.kernel[i] = i > 0 && random->Percent(75) ? p.kernel[0] : random->Between(1, most_taps);
    p.strides[i] = i > 0 ? p.strides[0] : random->Pick<int64_t>({1, 1, 2, 3});
    p.dilations[i] = random->Percent(90) ? 1 : 2;
    const int64_t size = rank == 3 ? random->Between(2, 10) : random->Between(8, 45);
    p.input[i] = rank == 1 ? 40 * size : size;
    p.input[i] += (p.kernel[i] - 1) * p.dilations[i];
    if (random->Percent(60)) p.pads_begin[i] = p.pads_end[i] = p.kernel[i] / 2;
    outputs *= 1 + p.input[i] / p.strides[i];
  }
  p.channels = 1 + kOutputsPerJob / outputs + random->Between(0, 9);
  p.ceil_mode = random->Pick({LANEPOOL_CEIL_OFF, LANEPOOL_CEIL_ON});
  p.divisor = random->Pick(
      {LANEPOOL_DIVISOR_EXCLUDE_PAD, LANEPOOL_DIVISOR_INCLUDE_PAD, LANEPOOL_DIVISOR_FULL_KERNEL});
  return p;
}

TEST(QuantizedSweep, RandomWindows) {
  const std::vector<support::Target> targets = support::SupportedTargets();
  const int64_t wanted = support::CaseCount(kUsualCases) * kOutputsPerCase;
  int64_t outputs = 0;
  int64_t jobs = 0;
  for (; outputs < wanted; ++jobs) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(jobs) * 2971215073);
    RandomCase item = {SweepParams(&random), support::Data::kIntegers};
    support::Quantize(&random, support::Arrays::kPerTensor, &item);
    const Bytes x = support::MakeX(&random, item);
    const Bytes expected = oracle::PoolDense(item.params, x.data());
    const support::Target& target = targets[static_cast<size_t>(jobs) % targets.size()];
    const support::Planned planned = support::Plan(item.params, target.mask);
    ASSERT_EQ(planned.status, LANEPOOL_OK)
        << item.Text() << ": " << support::ErrorText(planned.error);
    support::SetCrashNote(target.name + ": " + item.Text());
    const Bytes y = support::RunOnce(planned.desc, x);
    ASSERT_EQ(support::Difference(y, expected, 1), "") << target.name << ": " << item.Text();
    outputs += static_cast<int64_t>(expected.size());
  }
  RecordProperty("outputs", std::to_string(outputs));
  RecordProperty("jobs", std::to_string(jobs));
}

}  // namespace
