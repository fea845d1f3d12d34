// What the numbers of each element type mean to kernels: how they compare, what they add, which
// bits a real number has.
#ifndef LANEPOOL_SRC_ELEMENT_RULES_H_
#define LANEPOOL_SRC_ELEMENT_RULES_H_

#include <stdint.h>

#include "kernel_table.h"
#include "lanepool/lanepool.h"

namespace lanepool {

// How elements of `type` compare. `minimum`: in reverse; `magnitude`: without their sign.
struct Comparison {
  int32_t type;
  bool minimum, magnitude;
  int32_t nan_rule;
};
OrderRules OrderOf(const Comparison& comparison);

// What kernels of bytes and shorts flip of the params' x: x_flip, order_flip, x_flip16.
void SetFlips(const lanepool_params& params, ElementRules* rules);

// The integer of `bytes` bytes in the low end of `bits`.
int64_t SignExtended(uint64_t bits, int64_t bytes);

// The bits of an element as the integer that OrderRules makes of it, for `bytes` bytes.
int64_t Ordered(const OrderRules& rules, int64_t bits, int64_t bytes);

// The bits of the element of a floating type that is nearest to `value`, ties to even; sign
// extended. NaN is canonical.
int64_t NearestBits(int32_t type, double value);

// The params' clamp in bits of y's type, and as these compare.
struct Limits {
  int64_t low_bits, high_bits;
  int64_t low, high;
};
Limits ClampLimits(const lanepool_params& params, const OrderRules& order);

// The terms of the params' sums: plain, or |x|^p. `count`: 1 instead of each, 0 for NaN.
TapRules TapRulesOf(const lanepool_params& params, bool count);

// Which sums those are. x_type is floating.
MappedSum MappedSumOf(const lanepool_params& params);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_ELEMENT_RULES_H_
