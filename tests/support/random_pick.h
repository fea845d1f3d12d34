// The choices that random jobs are made of. Each sets some fields of params.
#ifndef LANEPOOL_TESTS_SUPPORT_RANDOM_PICK_H_
#define LANEPOOL_TESTS_SUPPORT_RANDOM_PICK_H_

#include "../oracle/oracle.h"
#include "fill.h"
#include "lanepool/lanepool.h"
#include "random.h"
#include "random_case.h"

namespace support {

// Rank and layout, unless they are set; batch, channels, input.
void PickSizes(Random* random, lanepool_params* p);

void PickWindow(Random* random, lanepool_params* p);  // kernel, strides, dilations
void PickPads(Random* random, lanepool_params* p);    // pads, or auto_pad
void PickPolicies(Random* random, lanepool_params* p);

// The window of the whole input, or windows from an output size.
void MakeGlobal(lanepool_params* p);
void MakeAdaptive(Random* random, lanepool_params* p);

// Scales and zero points of the bytes among the types.
void PickQuantization(Random* random, lanepool_params* p);
int32_t PickRounding(Random* random);
void PickArrays(Random* random, RandomCase* item);  // per channel, where a type is a byte

// A range that is not empty, for any y_type, and the flag.
void PickClamp(Random* random, lanepool_params* p);

// Data kinds for either kind of type; NaN more often than by chance if they are skipped.
Data PickData(Random* random);

// Small enough for the oracle.
struct Limits {
  int64_t elements, taps;
};
bool IsSmall(const lanepool_params& p, const oracle::Shape& shape, const Limits& limits);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RANDOM_PICK_H_
