// Which ops and types are compiled in: LANEPOOL_OPS and LANEPOOL_TYPES of CMake, everything if it
// says nothing, and LANEPOOL_COMPACT. Tables of kernels have null for what is not, and no plan asks
// for it.
#ifndef LANEPOOL_SRC_COMPILED_IN_H_
#define LANEPOOL_SRC_COMPILED_IN_H_

#include <stdint.h>

#include "lanepool/lanepool.h"

namespace lanepool {

// Sets of LANEPOOL_OP_* and of LANEPOOL_TYPE_*.
template <class... Codes>
constexpr uint32_t SetOf(Codes... codes) {
  return (... | (uint32_t{1} << codes));
}

namespace ops {
constexpr uint32_t kAverage = SetOf(LANEPOOL_OP_AVERAGE);
constexpr uint32_t kMax = SetOf(LANEPOOL_OP_MAX);
constexpr uint32_t kSums = SetOf(LANEPOOL_OP_AVERAGE, LANEPOOL_OP_SUM);
constexpr uint32_t kTerms = kSums | SetOf(LANEPOOL_OP_LP);  // see TapRules
constexpr uint32_t kOrdered = kMax | SetOf(LANEPOOL_OP_MIN, LANEPOOL_OP_LP);
constexpr uint32_t kUnpool = SetOf(LANEPOOL_OP_MAX_UNPOOL);
constexpr uint32_t kAll = kTerms | kOrdered | kUnpool;
}  // namespace ops

namespace types {
constexpr uint32_t kF32 = SetOf(LANEPOOL_TYPE_FLOAT);
constexpr uint32_t kF64 = SetOf(LANEPOOL_TYPE_DOUBLE);
constexpr uint32_t kF16 = SetOf(LANEPOOL_TYPE_FLOAT16);
constexpr uint32_t kBf16 = SetOf(LANEPOOL_TYPE_BFLOAT16);
constexpr uint32_t kHalf = kF16 | kBf16;
constexpr uint32_t kBytes = SetOf(LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8);
constexpr uint32_t kShorts = SetOf(LANEPOOL_TYPE_UINT16, LANEPOOL_TYPE_INT16);
constexpr uint32_t kS32 = SetOf(LANEPOOL_TYPE_INT32);
constexpr uint32_t kAll = kF32 | kF64 | kHalf | kBytes | kShorts | kS32;
}  // namespace types

#ifdef LANEPOOL_COMPILED_OPS
constexpr uint32_t kCompiledOps = SetOf(LANEPOOL_COMPILED_OPS);
#else
constexpr uint32_t kCompiledOps = ops::kAll;
#endif
#ifdef LANEPOOL_COMPILED_TYPES
constexpr uint32_t kCompiledTypes = SetOf(LANEPOOL_COMPILED_TYPES);
#else
constexpr uint32_t kCompiledTypes = types::kAll;
#endif

// Whether one of these ops is compiled in, and one of these types.
constexpr bool Compiled(uint32_t of_ops, uint32_t of_types) {
  return (of_ops & kCompiledOps) != 0 && (of_types & kCompiledTypes) != 0;
}

// Whether size is what counts: no loops of their own for windows that others take as well.
#ifdef LANEPOOL_COMPACT
constexpr bool kCompact = true;
#else
constexpr bool kCompact = false;
#endif

// Whether there are maxima of f32 that compare floats. Others compare integers, as minima do.
constexpr bool kComparesFloats = !kCompact && Compiled(ops::kMax, types::kF32);

// 0 if all is compiled in. Each build's own.
constexpr uint32_t kLeftOut = (types::kAll & ~kCompiledTypes) | (ops::kAll & ~kCompiledOps) << 20;

}  // namespace lanepool

#endif  // LANEPOOL_SRC_COMPILED_IN_H_
