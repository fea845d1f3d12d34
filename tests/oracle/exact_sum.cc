#include "exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "int128.h"

namespace oracle {
namespace {

using Wide = Uint128;

}  // namespace

void ExactSum::Add(double magnitude) {
  if (magnitude == 0) return;
  // magnitude = significand * 2^exponent, and the exponent of a subnormal stays at -1074.
  int exponent;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 53, -1074);
  const auto significand = static_cast<uint64_t>(std::ldexp(magnitude, -exponent));

  const int shift = exponent - kLowestBit;
  Wide carry = static_cast<Wide>(significand) << (shift % 64);
  for (int i = shift / 64; carry != 0; ++i) {
    const Wide sum = static_cast<Wide>(limbs_[i]) + static_cast<uint64_t>(carry);
    limbs_[i] = static_cast<uint64_t>(sum);
    carry = (carry >> 64) + (sum >> 64);
  }
}

bool ExactSum::IsZero() const { return HighestBit() < 0; }

int ExactSum::Compare(const ExactSum& a, const ExactSum& b) {
  for (int i = kLimbs - 1; i >= 0; --i) {
    if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] < b.limbs_[i] ? -1 : 1;
  }
  return 0;
}

ExactSum ExactSum::Difference(const ExactSum& larger, const ExactSum& smaller) {
  ExactSum result;
  uint64_t borrow = 0;
  for (int i = 0; i < kLimbs; ++i) {
    const Wide right = static_cast<Wide>(smaller.limbs_[i]) + borrow;
    borrow = larger.limbs_[i] < right ? 1 : 0;
    result.limbs_[i] = static_cast<uint64_t>(larger.limbs_[i] - right);
  }
  return result;
}

Real ExactSum::DividedBy(uint64_t divisor, const Format& format) const {
  // School division, one limb at a time; what remains only matters as "more than nothing".
  ExactSum quotient;
  uint64_t remainder = 0;
  for (int i = kLimbs - 1; i >= 0; --i) {
    if (remainder == 0 && limbs_[i] == 0) continue;
    const Wide part = (static_cast<Wide>(remainder) << 64) | limbs_[i];
    quotient.limbs_[i] = static_cast<uint64_t>(part / divisor);
    remainder = static_cast<uint64_t>(part % divisor);
  }
  const int highest = quotient.HighestBit();
  if (highest < 0) return 0;  // below 2^-1138: rounds to zero in every format

  // Keep `precision` bits, or fewer when the result is subnormal; then round to nearest even.
  const int lowest_normal = format.min_exponent - (format.precision - 1) - kLowestBit;
  const int cut = std::max({highest - (format.precision - 1), lowest_normal, 0});
  uint64_t kept = cut > highest ? 0 : quotient.Bits(cut, highest + 1);
  const bool half = cut > 0 && quotient.Bit(cut - 1);
  const bool more = half && (remainder != 0 || quotient.AnyBitBelow(cut - 1));
  if (half && (more || (kept & 1) != 0)) ++kept;

  const Real value = ldexp(static_cast<Real>(kept), cut + kLowestBit);
  const Real largest = ldexp(2 - ldexp(Real(1), 1 - format.precision), format.max_exponent);
  return value > largest ? Real(HUGE_VAL) : value;
}

bool ExactSum::Bit(int index) const { return ((limbs_[index / 64] >> (index % 64)) & 1) != 0; }

int ExactSum::HighestBit() const {
  for (int i = kLimbs - 1; i >= 0; --i) {
    if (limbs_[i] != 0) return i * 64 + 63 - __builtin_clzll(limbs_[i]);
  }
  return -1;
}

bool ExactSum::AnyBitBelow(int index) const {
  for (int i = 0; i < index / 64; ++i) {
    if (limbs_[i] != 0) return true;
  }
  return index % 64 != 0 && (limbs_[index / 64] << (64 - index % 64)) != 0;
}

uint64_t ExactSum::Bits(int from, int to) const {
  const int limb = from / 64;
  const Wide above = limb + 1 < kLimbs ? limbs_[limb + 1] : 0;
  const Wide pair = (above << 64) | limbs_[limb];
  return static_cast<uint64_t>(pair >> (from % 64)) & (~uint64_t{0} >> (64 - (to - from)));
}

}  // namespace oracle
