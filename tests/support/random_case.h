// Random jobs that lanepool_plan must accept.
#ifndef LANEPOOL_TESTS_SUPPORT_RANDOM_CASE_H_
#define LANEPOOL_TESTS_SUPPORT_RANDOM_CASE_H_

#include <cstdint>
#include <string>

#include "fill.h"
#include "lanepool/lanepool.h"
#include "random.h"

namespace support {

struct RandomCase {
  lanepool_params params;  // average or max of f32
  Data data;

  std::string Text() const;
};

// Ranks 1 to 3, both layouts, every attribute and policy, dense tensors and views; odd channel
// counts, rows shorter than a vector, windows with nothing in them. Small enough for the oracle.
RandomCase MakeRandomCase(Random* random);

// The same with dense x and y.
RandomCase MakeDenseRandomCase(Random* random);

// Windows, dilations and strides of thousands: longer than any row that is kept in registers or on
// the stack, so that workspaces come into use.
RandomCase MakeWideRandomCase(Random* random);

// LANEPOOL_CASES and LANEPOOL_SEED of the environment, for longer runs and for other cases.
int64_t CaseCount(int64_t usual);
uint64_t FirstSeed();

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RANDOM_CASE_H_
