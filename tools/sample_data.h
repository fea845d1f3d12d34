// What benchmarks compute on.
#ifndef LANEPOOL_TOOLS_SAMPLE_DATA_H_
#define LANEPOOL_TOOLS_SAMPLE_DATA_H_

#include <cstdint>

#include "buffer.h"
#include "lanepool/lanepool.h"

namespace lanepool_tool {

// Elements of LANEPOOL_TYPE_* `type`: values between 1/2 and 1, of either sign, for floats; any
// bits for integers.
void FillWithNoise(int32_t type, const Buffer& x);

// The index of a MAX_UNPOOL that is dense: each element goes to another place, all over its plane
// of y.
void FillWithPositions(const lanepool_params& params, const lanepool_desc& desc,
                       const Buffer& index);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_SAMPLE_DATA_H_
