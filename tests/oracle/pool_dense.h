// The quantized results of dense tensors, for tests that look at millions of them: windows are
// folded axis by axis, and what becomes of a sum is worked out once per kind of window.
#ifndef LANEPOOL_TESTS_ORACLE_POOL_DENSE_H_
#define LANEPOOL_TESTS_ORACLE_POOL_DENSE_H_

#include <cstdint>
#include <vector>

#include "oracle.h"

namespace oracle {

// y, byte by byte, as Pool writes it: dense u8 or s8 to dense u8 or s8, AVERAGE or MAX, one scale
// and zero point per tensor. Windows of few taps: a table has an entry for each sum.
std::vector<unsigned char> PoolDense(const lanepool_params& params, const void* x);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_POOL_DENSE_H_
