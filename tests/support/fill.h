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

// The same for any floating type: its magnitudes, its NaN, its largest number.
void FillFloats(Random* random, Data data, int32_t type, void* values, int64_t count);

// The same for integers.
enum class IntegerData {
  kRandom,    // every number of the type
  kEnds,      // the lowest and the highest one: sums as large as they get
  kFew,       // a few neighbours: averages are often ties
  kConstant,  // one number, all over
  kSpikes     // one number with some others in it
};
inline constexpr int kIntegerDataKinds = 5;

std::string DataText(IntegerData data);
void FillIntegers(Random* random, IntegerData data, int32_t type, void* values, int64_t count);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_FILL_H_
