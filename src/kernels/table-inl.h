// The one function that a file of kernels exports. Included once, outside of foreach_target's loop.
#ifndef LANEPOOL_SRC_KERNELS_TABLE_INL_H_
#define LANEPOOL_SRC_KERNELS_TABLE_INL_H_

#include <stdint.h>

#include "hwy/highway.h"

// Defines `Type Function(int64_t target)` as what Table(), a function of each instruction set,
// returns on `target`, or on the best of the worse ones if a file leaves that out. Worse ones have
// higher bits.
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define LANEPOOL_EXPORT_TABLE(Type, Function, Table) \
  HWY_EXPORT(Table);                                 \
  Type Function(int64_t) { return HWY_STATIC_DISPATCH(Table)(); }
#else
#define LANEPOOL_EXPORT_TABLE(Type, Function, Table)       \
  HWY_EXPORT(Table);                                       \
  Type Function(int64_t target) {                          \
    hwy::ChosenTarget chosen;                              \
    chosen.Update(-target);                                \
    return HWY_DISPATCH_TABLE(Table)[chosen.GetIndex()](); \
  }
#endif

#endif  // LANEPOOL_SRC_KERNELS_TABLE_INL_H_
