// The one function that a file of kernels exports. Included once, outside of foreach_target's loop.
#ifndef LANEPOOL_SRC_KERNELS_TABLE_INL_H_
#define LANEPOOL_SRC_KERNELS_TABLE_INL_H_

#include <stdint.h>

#include "hwy/highway.h"

// Defines `Type Function(int64_t target)` as what Table(), a function of each instruction set,
// returns on `target`, or on the best of the worse ones if a file leaves that out. Worse ones have
// higher bits. It is what hwy::ChosenTarget does without its atomic, whose exchange is a sixth of a
// small call.
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define LANEPOOL_EXPORT_TABLE(Type, Function, Table) \
  HWY_EXPORT(Table);                                 \
  Type Function(int64_t) { return HWY_STATIC_DISPATCH(Table)(); }
#else
#define LANEPOOL_EXPORT_TABLE(Type, Function, Table)                              \
  HWY_EXPORT(Table);                                                              \
  Type Function(int64_t target) {                                                 \
    const int64_t from_target = HWY_CHOSEN_TARGET_SHIFT(-target);                 \
    const int64_t mask = from_target | HWY_CHOSEN_TARGET_MASK_SCALAR;             \
    const int64_t compiled = mask & HWY_CHOSEN_TARGET_MASK_TARGETS;               \
    const uint64_t bits = static_cast<uint64_t>(compiled);                        \
    return HWY_DISPATCH_TABLE(Table)[hwy::Num0BitsBelowLS1Bit_Nonzero64(bits)](); \
  }
#endif

#endif  // LANEPOOL_SRC_KERNELS_TABLE_INL_H_
