// Tensors of any type from numbers, and back.
#ifndef LANEPOOL_TESTS_SUPPORT_PACK_H_
#define LANEPOOL_TESTS_SUPPORT_PACK_H_

#include <cstdint>
#include <vector>

#include "run_job.h"

namespace support {

Bytes Pack(int32_t type, const std::vector<double>& values);
std::vector<double> Unpack(int32_t type, const Bytes& bytes);

// Index tensors.
Bytes PackIndex(int32_t type, const std::vector<int64_t>& values);
std::vector<int64_t> UnpackIndex(int32_t type, const Bytes& bytes);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_PACK_H_
