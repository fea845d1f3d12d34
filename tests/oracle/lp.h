// (sum of |x|^p)^(1/p): section 6 of the semantics.
#ifndef LANEPOOL_TESTS_ORACLE_LP_H_
#define LANEPOOL_TESTS_ORACLE_LP_H_

#include <vector>

#include "allowed.h"

namespace oracle {

// The result for exact powers and sums, rounded once to the format of the sum and once to that of
// the result; infinite where the sum is beyond its format.
double LpOf(const Arithmetic& arithmetic, const std::vector<double>& taps, double order);

// What Lp of at least one tap may be; powers that overflow or underflow are those of the format of
// the sum. With `in_order` the additions are those of a plain loop, which leaves one result for the
// orders 1, 2 and infinity.
//
// The bound, for m taps, u = 2^-24 and results, powers and sums in the normal range of f32:
// - Multiplying takes an integer p - 1 roundings, whichever products are formed: relative error
//   (p - 1) u. Powers of other p may be off by p (p + 4) u.
// - m - 1 additions of numbers of one sign add (m - 1) u.
// - The root divides a small relative error by p and rounds once: u.
// Together at most (m + p + 4) u. In f64, p = 1 and 2 are sums and products of the same kind with
// u = 2^-53; other results are off by at most 1e-12. Below the normal range each product may lose
// the least subnormal of the format.
Allowed AllowedLp(const Arithmetic& arithmetic, const std::vector<double>& taps, double order,
                  bool in_order);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_LP_H_
