// Random jobs that lanepool_plan must accept.
#ifndef LANEPOOL_TESTS_SUPPORT_RANDOM_CASE_H_
#define LANEPOOL_TESTS_SUPPORT_RANDOM_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "../oracle/oracle.h"
#include "fill.h"
#include "lanepool/lanepool.h"
#include "random.h"

namespace support {

struct RandomCase {
  lanepool_params params;
  Data data;                                    // of an x of floats
  IntegerData integers = IntegerData::kRandom;  // of an x of integers
  oracle::PerChannel arrays = {};               // for those counts of scales that are not 0

  std::string Text() const;
};

// x, byte by byte, without anything in front or behind.
std::vector<unsigned char> MakeX(Random* random, const RandomCase& item);

// Average and max of f32: ranks 1 to 3, both layouts, every attribute and policy, dense tensors and
// views; odd channel counts, rows shorter than a vector, windows with nothing in them. Small enough
// for the oracle.
RandomCase MakeRandomCase(Random* random);

// The same with dense x and y.
RandomCase MakeDenseRandomCase(Random* random);

// Windows, dilations and strides of thousands: longer than any row that is kept in registers or on
// the stack, so that workspaces come into use.
RandomCase MakeWideRandomCase(Random* random);

// Windows of f32, f16 and bf16 that hardly overlap or cover all of the input, of up to 2100
// channels.
RandomCase MakeApartRandomCase(Random* random);

// Rows of up to 900 lanes, which are walked in several tiles, of all types and many windows; bytes
// whose y may be of another type.
RandomCase MakeRowsCase(Random* random);

// Any of the first two with u8 or s8 on at least one side: scales that are equal, powers of two,
// unrelated, far apart or subnormal, zero points, roundings, clamps, arrays of them per channel.
RandomCase MakeQuantizedCase(Random* random);

// Gives a job of f32 types and all that goes with them; the shape stays. With kPerTensor both types
// are bytes and there are no arrays.
enum class Arrays { kPerTensor, kAny };
void Quantize(Random* random, Arrays arrays, RandomCase* item);

// The index that a MAX_UNPOOL reads: positions that it may have, some twice, and -1. Empty for all
// other jobs.
std::vector<unsigned char> MakeIndex(Random* random, const lanepool_params& params);

// LANEPOOL_CASES and LANEPOOL_SEED of the environment, for longer runs and for other cases.
int64_t CaseCount(int64_t usual);
uint64_t FirstSeed();

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RANDOM_CASE_H_
