// Test data.
#ifndef LANEPOOL_TESTS_SUPPORT_FILL_H_
#define LANEPOOL_TESTS_SUPPORT_FILL_H_

#include <cstdint>
#include <string>

#include "random.h"

namespace support {

enum class Data {
  kIntegers,    // small integers: sums are exact, so averages have one right result
  kUniform,     // both signs, magnitudes of one binade range
  kMagnitudes,  // any finite bit pattern, subnormals included
  kHuge,        // near the largest finite number: sums overflow
  kZeros,       // +0 and -0, now and then a subnormal
  kNans,        // integers with some NaN, of both signs and any payload
  kInfinities,  // integers with some infinities of both signs
  kEverything   // all of these mixed
};
inline constexpr int kDataKinds = 8;

std::string DataText(Data data);
void Fill(Random* random, Data data, float* values, int64_t count);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_FILL_H_
