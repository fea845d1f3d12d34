#include "dequant.h"

#include <string.h>

#include "int128.h"

namespace lanepool {
namespace {

using Wide = Uint128;

int32_t Bits(uint64_t value) { return value == 0 ? 0 : 64 - __builtin_clzll(value); }

// The f32 nearest to (value + rest) * 2^exponent, where rest is 0 or, if `more`, in (0, 1). `value`
// has 26 bits at least.
uint32_t Round(uint64_t value, int32_t exponent, bool more) {
  // The last bit that is kept: of 24 bits, or that of subnormal numbers.
  int32_t drop = Bits(value) - 24;
  if (exponent + drop < -149) drop = -149 - exponent;
  if (drop > 62) return 0;        // below half of the smallest number
  uint64_t kept = value >> drop;  // NOLINT: drop is 2 at least
  const uint64_t dropped = value & ((uint64_t{1} << drop) - 1);
  const uint64_t half = uint64_t{1} << (drop - 1);  // NOLINT: see above
  const bool up = dropped > half || (dropped == half && (more || (kept & 1) != 0));
  kept += up ? 1 : 0;
  int32_t kept_exponent = exponent + drop;
  if (kept == uint64_t{1} << 24) {
    kept >>= 1;
    ++kept_exponent;
  }
  if (kept < uint64_t{1} << 23) return static_cast<uint32_t>(kept);  // subnormal, or 0
  const int32_t biased = kept_exponent + 150;
  if (biased >= 255) return 0x7F800000u;
  return static_cast<uint32_t>(biased) << 23 | (static_cast<uint32_t>(kept) & 0x7FFFFFu);
}

}  // namespace

float Dequantize(uint64_t sum, int64_t bias, float scale, int64_t divisor) {
  const int64_t difference = static_cast<int64_t>(sum) - bias;
  uint32_t scale_bits;
  memcpy(&scale_bits, &scale, sizeof scale_bits);
  const int32_t biased = static_cast<int32_t>(scale_bits >> 23);
  const uint32_t fraction = scale_bits & 0x7FFFFFu;
  const uint64_t mantissa = biased == 0 ? fraction : fraction | 0x800000u;
  const int32_t exponent = (biased == 0 ? 1 : biased) - 150;
  uint32_t bits = 0;
  if (difference != 0) {
    const uint64_t magnitude = static_cast<uint64_t>(difference < 0 ? -difference : difference);
    // Below 2^64. Shifted to 30 bits more than the divisor has, it leaves a quotient of 30 or 31.
    const uint64_t product = magnitude * mantissa;
    const uint64_t under = static_cast<uint64_t>(divisor);
    const int32_t want = Bits(under) + 30 - Bits(product);
    const int32_t shift = want > 0 ? want : 0;
    const Wide over = static_cast<Wide>(product) << shift;
    const uint64_t quotient = static_cast<uint64_t>(over / under);
    bits = Round(quotient, exponent - shift, over % under != 0);
    if (difference < 0) bits |= 0x80000000u;
  }
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

}  // namespace lanepool
