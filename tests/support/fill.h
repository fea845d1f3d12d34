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

// The same for u8 and s8.
enum class ByteData {
  kRandom,    // every byte
  kEnds,      // the lowest and the highest one: sums as large as they get
  kFew,       // a few neighbours: averages are often ties
  kConstant,  // one byte, all over
  kSpikes     // one byte with some others in it
};
inline constexpr int kByteDataKinds = 5;

std::string DataText(ByteData data);
void FillBytes(Random* random, ByteData data, int32_t type, void* values, int64_t count);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_FILL_H_
