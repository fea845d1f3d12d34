// Averages and sums of floats: section 4 of the semantics.
#ifndef LANEPOOL_TESTS_ORACLE_MEAN_H_
#define LANEPOOL_TESTS_ORACLE_MEAN_H_

#include <cstdint>
#include <vector>

#include "allowed.h"
#include "types.h"

namespace oracle {

// Everything known about the exact average (or sum: divisor 1) of a window.
struct Mean {
  int64_t taps = 0;
  uint64_t divisor = 1;
  bool has_nan = false;
  bool has_positive_infinity = false;
  bool has_negative_infinity = false;
  Real exact = 0;         // of the finite taps, rounded to more bits than a double has
  double quotient = 0;    // the same rounded once to the format of the sum
  Real positive_sum = 0;  // of the finite taps above 0, not divided
  Real negative_sum = 0;  // of the magnitudes of those below 0
  // No addition rounds in the format of the sum, in whatever order: all taps are multiples of one
  // power of two, and few of them. Then `quotient` is the only right one.
  bool sums_exactly = false;
};
Mean MeanOf(const std::vector<double>& taps, uint64_t divisor, const Format& sum = kBinary32);

// The divisor as the format of the sum holds it: section 4 divides an f32 sum by float(divisor).
uint64_t RoundedDivisor(const Format& sum, int64_t divisor);

// What an average of at least one tap may be, for additions in any order.
Allowed AllowedMean(const Arithmetic& arithmetic, const std::vector<double>& taps,
                    uint64_t divisor);

// A sum, product or quotient of two numbers of the format (f32 or f64) that f64 arithmetic gave:
// for f32 the second rounding does no harm, as a double has more than twice the bits.
double RoundOnce(const Format& format, double value);

// What a loop over the taps gives that adds them one by one.
double SumInOrder(const Format& sum, const std::vector<double>& taps);
double MeanInOrder(const Arithmetic& arithmetic, const std::vector<double>& taps, uint64_t divisor);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_MEAN_H_
