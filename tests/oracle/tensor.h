// Sizes and strides of the tensors of a job.
#ifndef LANEPOOL_TESTS_ORACLE_TENSOR_H_
#define LANEPOOL_TESTS_ORACLE_TENSOR_H_

#include <cstdint>

#include "int128.h"
#include "oracle.h"

namespace oracle {

using Wide = Int128;

// Whether a tensor of these sizes has more bytes than int64 can tell. A size of 0 does not hide
// that the others are too large.
bool IsTooLarge(const lanepool_params& params, const Wide* spatial, const int64_t* strides,
                int32_t type);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_TENSOR_H_
