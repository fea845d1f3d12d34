// How elements are read, compared, added and divided: what a job says about them.
#ifndef LANEPOOL_SRC_KERNEL_RULES_H_
#define LANEPOOL_SRC_KERNEL_RULES_H_

#include <stdint.h>

#include "requant.h"

namespace lanepool {

// Division of a sum by a positive constant.
struct Divisor {
  float divisor;
  float reciprocal;  // correctly rounded
  // Sums s with min(2 * |bits of s| - 1, ~(2 * |bits of s|)) below this are rare values.
  uint32_t rare_below;
};

// How the bits b of an element become a signed integer of their size that compares as the element
// does: ((b >> most) & magnitude ^ b ^ flip) + add, where b >> most is -1 for negative b, and the
// sum wraps. So sign and magnitude become two's complement, minima become maxima, and all NaN lie
// above all numbers or below.
struct OrderRules {
  int64_t magnitude, flip, add;
  int64_t least, most;       // of the numbers; what lies beyond is NaN
  int64_t minus_zero, zero;  // as they compare; equal for integers
  int64_t nan;               // bits of the NaN that results have
};

// How an element becomes a term of a sum.
struct TapRules {
  enum Kind : int32_t { kPlain, kAbsolute, kSquare, kPower, kRealPower };
  Kind kind;
  bool bfloat;    // of 16 bits: bf16, else f16
  bool skip_nan;  // NaN is no term
  bool count;     // terms are 1 instead, NaN 0
  int32_t power;  // kPower: at least 1
  double order;   // kRealPower
};

// What is folded from bytes, u8 or s8, and from u16 or s16. Signed elements are read as unsigned
// ones, their highest bit flipped.
enum ByteReducer : int32_t {
  kSum16,  // results are bytes; scratch lanes of 16 bits, for windows of at most kMostTaps16 taps
  kSum32,  // results are the sums themselves, u32, of at most kMostTaps32 taps
  kMaxBytes,   // of x ^ ElementRules::order_flip, flipped back: s8, and minima
  kSumShorts,  // of u16 and s16, otherwise as kSum32: at most kMostTapsShorts taps
  kMean,       // results are bytes, see MeanRules; in blocks only, scratch lanes of 16 bits
  kQuotient,   // the same, settled
  kByteReducers
};
// 255 * 257 == 2^16 - 1, 255 * 16843009 == 65535 * 65537 == 2^32 - 1: no sum of so many wraps.
constexpr int64_t kMostTaps16 = 257;
constexpr int64_t kMostTaps32 = 16843009;
constexpr int64_t kMostTapsShorts = 65537;

// Averages of bytes: of a sum s with divisor d, the byte is the integer nearest to
// (s * times + d * base) / (d * over), plus `add`, between limits; f32 holds numerators and
// denominators. Or, if there is `settle`, the integer nearest to s / d * times + base, and where
// f32 does not tell, settle(settler, s, d, y) does, from a result y that is right or next to that.
struct MeanRules {
  // Where halves go: to the even integer, to the odd one, or up from least_up on and else down.
  enum Ties : int32_t { kEven, kOdd, kUp };
  Ties ties;
  int32_t least_up;
  float times, base, over;
  bool exceeds;  // numerators may be negative or more than 256 times denominators
  int32_t add;
  int32_t least, most;  // as unsigned bytes
  bool limited;         // whether least and most are not 0 and 255
  int32_t (*settle)(const void* settler, uint32_t sum, int64_t divisor, int32_t near);
  const void* settler;
};

// Taps along D and H of whole windows by steps that have columns behind a row, and the widest step.
constexpr int64_t kCopiedTaps = 16;
constexpr int64_t kMostBySteps = 4;

// How elements are read and become results, for the kernels that have a use for it.
struct ElementRules {
  uint8_t x_flip;  // 0x80 for s8, else 0
  uint8_t y_flip;
  // By class of output: what makes a byte of the fold. Null: results are the folds themselves.
  const Requant* const* requants;
  uint8_t order_flip;       // kMaxBytes
  uint16_t x_flip16;        // kSumShorts: 0x8000 for s16
  const OrderRules* order;  // KernelsOrdered
  const TapRules* taps;     // KernelsMapped
  const MeanRules* mean;    // kMean
};

// Folds of blocks.
enum BlockFold : int8_t {
  kNoBlocks = -1,
  // Lanes to lanes of the same type, or elements of it.
  kBlockSumsF32,
  kBlockSumsF64,
  kBlockMaxF32,  // gives up as kMax does; -0 becomes +0
  kBlockMax16,   // by ElementRules::order
  kBlockMax32,
  kBlockMax64,
  kBlockMaxBytes,  // of x ^ ElementRules::order_flip; results ^ BlocksJob::y_flip
  kBlockSums16,    // unsigned integers
  kBlockSums32,
  // Elements to lanes.
  kBlockByteSums,  // u8 or s8 to u16, as ElementRules::x_flip says
  kBlockF16Sums,
  kBlockBf16Sums,
  // Lanes to elements.
  kBlockAverages,  // f32, divided
  kBlockF16Averages,
  kBlockBf16Averages,
  kBlockMeans,      // u16 to bytes, summed in u32, see MeanRules
  kBlockQuotients,  // those that may have to be settled
  kBlockMax16ToY,   // by ElementRules::order
  kBlockMax32ToY,
  kBlockMax64ToY,
  kBlockFolds
};

// The folds of blocks that go with other kernels, from x to lanes of scratch, from those to such,
// and from those to y. kNoBlocks: by way of lanes, from fold_rows or to slide_rows.
struct BlocksOf {
  BlockFold from_x, lanes, to_y;
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_RULES_H_
