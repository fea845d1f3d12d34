// Sums of floating-point numbers without any rounding.
#ifndef LANEPOOL_TESTS_ORACLE_EXACT_SUM_H_
#define LANEPOOL_TESTS_ORACLE_EXACT_SUM_H_

#include <array>
#include <cstdint>

#include "types.h"

namespace oracle {

// More bits than any result has, for values that are compared with results.
inline constexpr Format kWide = {63, -1076, 16383};

// A non-negative fixed-point number that is wide enough for every finite double, with 64 bits to
// spare below the smallest one (for quotients) and 77 above the largest (for carries).
class ExactSum {
 public:
  void Add(double magnitude);  // finite and >= 0
  bool IsZero() const;

  // The exact quotient by `divisor` >= 1, rounded once, to nearest even; infinite if it overflows.
  Real DividedBy(uint64_t divisor, const Format& format) const;

  // -1, 0, 1 as a < b, a == b, a > b.
  static int Compare(const ExactSum& a, const ExactSum& b);
  static ExactSum Difference(const ExactSum& larger, const ExactSum& smaller);

 private:
  // Weight of bit 0 of limb 0 is 2^kLowestBit.
  static constexpr int kLowestBit = -1074 - 64;
  static constexpr int kLimbs = 36;

  bool Bit(int index) const;
  int HighestBit() const;                 // -1 for zero
  bool AnyBitBelow(int index) const;      // of the bits 0 .. index-1
  uint64_t Bits(int from, int to) const;  // bits from .. to-1, 1 to 64 of them

  std::array<uint64_t, kLimbs> limbs_ = {};
};

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_EXACT_SUM_H_
