// Requantization: from the integer sum of a window to the correctly rounded output, proven when
// planned.
//
// An output of docs/semantics.md section 7 is a non-decreasing step function of the sum with at
// most 256 steps. MakeRequant computes in exact integers where the steps lie and picks the
// cheapest formula that takes every step at the right sum; agreement at the steps is agreement
// everywhere, because the formulas are non-decreasing too. All formulas are integer arithmetic: no
// rounding mode or flush-to-zero setting of the machine can touch them.
#ifndef LANEPOOL_SRC_REQUANT_H_
#define LANEPOOL_SRC_REQUANT_H_

#include <stdint.h>

namespace lanepool {

// What is to be computed, for windows with one number of taps and one divisor. Inputs and outputs
// are seen as unsigned bytes: x - x_low and y - y_low, where low is 0 for u8 and -128 for s8.
struct RequantRule {
  float x_scale, y_scale;   // finite, > 0
  int32_t x_zero_point;     // as unsigned byte: 0..255
  int32_t y_zero_point;     // as unsigned byte
  int32_t y_least, y_most;  // clamp bounds as unsigned bytes, least <= most
  int32_t y_low;            // 0 or -128: real outputs decide ties
  int32_t rounding;         // LANEPOOL_ROUND_*
  int64_t taps;             // taps in the sum, 0 .. 2^32 - 1
  int64_t divisor;          // >= 1
};

// The formulas, from the cheapest on. d = clamp(sum, sum_least, sum_most) - sum_least; the output
// is formula(d) + y_offset, as unsigned byte. Nothing wraps in lanes of the width given. With
// slack, formula(d) is replaced by clamp(formula(d), slack, slack + span) - slack: where one more
// in the sum is several more in the output, a line that takes every step passes its ends.
enum class RequantKind : uint8_t {
  kMul16,         // (((d << pre_shift) + add) * multiplier >> 16) >> shift, in 16-bit lanes
  kMul16Even,     // two of these, see Requant
  kMul16x32,      // (((d + low of add) * multiplier >> 16) + high of add) >> shift, in 16-bit
  kMul16x32Even,  // lanes: the multiplier has 32 bits, and add two halves of 16
  kMul32,         // (d * multiplier + add) >> shift, in 32-bit lanes
  kMul32Even,
  kMul64,  // the same with the 64-bit product of 32-bit d and multiplier
  kMul64Even,
  kSteps  // count the steps <= sum: always possible
};

// Lanes that the kind needs: 16, 32 or 64 bits; 0 for kSteps.
constexpr int32_t RequantBits(RequantKind kind) {
  if (kind == RequantKind::kSteps) return 0;
  return kind < RequantKind::kMul32 ? 16 : kind < RequantKind::kMul64 ? 32 : 64;
}

constexpr bool RequantIsEven(RequantKind kind) {
  return kind != RequantKind::kSteps && static_cast<int32_t>(kind) % 2 == 1;
}

// Which kinds occur: with taps <= 257 (257 * 255 = 65535: the sum fits 16 bits) all; with taps <=
// 16843009 (the sum fits 32 bits) kMul32 and after; with more only the constant and kSteps.
//
// *Even is for ties to even, where the distance of neighbouring steps alternates and no single line
// meets them all. With low = formula with add, high = formula with add_high:
//   result = ((low ^ flip) & 1) ? high : low, which is low + ((high - low) & (low ^ flip))
// since high - low is 0 or 1.
struct Requant {
  RequantKind kind;
  uint8_t pre_shift;  // kMul16, kMul16Even: 0..15, else 0
  uint8_t shift;      // of 16 bits: 0..15, kMul32*: 0..31, kMul64*: 0..62
  uint8_t flip;       // *Even: 0 or 1
  uint8_t y_offset;
  uint8_t plain;        // 1: the clamp changes no sum, d = sum
  uint16_t slack;       // kMul64 only, else 0
  uint16_t span;        // with slack: the greatest output less the least one
  uint16_t rounded;     // kMul16 only; not 0: (d * rounded + 2^14) >> 15 is the same for all sums
  uint32_t multiplier;  // 0: the output is constant
  uint32_t sum_least, sum_most;
  uint64_t add, add_high;  // add <= add_high; *Even only, else equal
};

// Of a tensor or a channel that the loops know at most, one for each kind of window.
constexpr int32_t kMostRequants = 16;

Requant MakeRequant(const RequantRule& rule);

// The same function of the sum for kernels that have only one width of lanes: kinds of 16 bits
// become kMul32 (`bits` 32), those and kMul32 become kMul64 (`bits` 64); wider ones stay as they
// are.
Requant WidenRequant(const Requant& requant, int32_t bits);

// steps[q - y_least - 1] is the least sum with output >= q, for q in (y_least, y_most]. Returns how
// many of them a sum reaches; the others come last and are kNoSum, more than any sum.
constexpr uint64_t kNoSum = uint64_t{1} << 40;
constexpr int32_t kMostSteps = 255;
int32_t RequantSteps(const RequantRule& rule, uint64_t (&steps)[kMostSteps]);

// What a kernel computes for one sum, in scalar code. `rule` is used by kSteps only.
int32_t ApplyRequant(const Requant& requant, const RequantRule& rule, uint64_t sum);

// "mul16", "mul16_even", ...
const char* RequantName(RequantKind kind);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_REQUANT_H_
