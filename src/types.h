// Element types: the facts that planner and runner need.
#ifndef LANEPOOL_SRC_TYPES_H_
#define LANEPOOL_SRC_TYPES_H_

#include <stdint.h>

#include "lanepool/lanepool.h"

namespace lanepool {

// Bytes of an element; 0 for a code that is no element type of lanepool.
constexpr int64_t ElementBytes(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_UINT8:
    case LANEPOOL_TYPE_INT8:
      return 1;
    case LANEPOOL_TYPE_UINT16:
    case LANEPOOL_TYPE_INT16:
    case LANEPOOL_TYPE_FLOAT16:
    case LANEPOOL_TYPE_BFLOAT16:
      return 2;
    case LANEPOOL_TYPE_FLOAT:
    case LANEPOOL_TYPE_INT32:
      return 4;
    case LANEPOOL_TYPE_DOUBLE:
    case LANEPOOL_TYPE_INT64:
      return 8;
    default:
      return 0;
  }
}

constexpr bool IsFloating(int32_t type) {
  return type == LANEPOOL_TYPE_FLOAT || type == LANEPOOL_TYPE_DOUBLE ||
         type == LANEPOOL_TYPE_FLOAT16 || type == LANEPOOL_TYPE_BFLOAT16;
}

constexpr bool IsShort(int32_t type) {
  return type == LANEPOOL_TYPE_UINT16 || type == LANEPOOL_TYPE_INT16;
}

// MAX and MIN, whose result is one of the taps; the other ops add.
constexpr bool IsExtreme(int32_t op) { return op == LANEPOOL_OP_MAX || op == LANEPOOL_OP_MIN; }

// Lp of order infinity: a maximum, too.
inline bool IsLargestMagnitude(const lanepool_params& p) {
  return p.op == LANEPOOL_OP_LP && p.lp_order > 1.7976931348623157e308;
}

constexpr bool IsByte(int32_t type) {
  return type == LANEPOOL_TYPE_UINT8 || type == LANEPOOL_TYPE_INT8;
}

// Lowest and highest zero point of an integer type.
constexpr int64_t LowestInteger(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_INT8:
      return INT8_MIN;
    case LANEPOOL_TYPE_INT16:
      return INT16_MIN;
    case LANEPOOL_TYPE_INT32:
      return INT32_MIN;
    default:
      return 0;
  }
}
constexpr int64_t HighestInteger(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_UINT8:
      return UINT8_MAX;
    case LANEPOOL_TYPE_INT8:
      return INT8_MAX;
    case LANEPOOL_TYPE_UINT16:
      return UINT16_MAX;
    case LANEPOOL_TYPE_INT16:
      return INT16_MAX;
    case LANEPOOL_TYPE_INT32:
      return INT32_MAX;
    default:
      return 0;
  }
}

constexpr const char* TypeName(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_FLOAT:
      return "f32";
    case LANEPOOL_TYPE_UINT8:
      return "u8";
    case LANEPOOL_TYPE_INT8:
      return "s8";
    case LANEPOOL_TYPE_UINT16:
      return "u16";
    case LANEPOOL_TYPE_INT16:
      return "s16";
    case LANEPOOL_TYPE_INT32:
      return "s32";
    case LANEPOOL_TYPE_INT64:
      return "s64";
    case LANEPOOL_TYPE_FLOAT16:
      return "f16";
    case LANEPOOL_TYPE_DOUBLE:
      return "f64";
    case LANEPOOL_TYPE_BFLOAT16:
      return "bf16";
    default:
      return "?";
  }
}

}  // namespace lanepool

#endif  // LANEPOOL_SRC_TYPES_H_
