// Real numbers for error bounds: at least 64 bits of significand, and exponents far beyond those of
// a double. The machine's long double where it is that, arithmetic of the oracle's own elsewhere:
// on 32-bit Arm and on Apple's machines long double is double, on POWER it is two of them.
#ifndef LANEPOOL_TESTS_ORACLE_REAL_H_
#define LANEPOOL_TESTS_ORACLE_REAL_H_

#include <cfloat>
#include <cmath>

#include "soft_real.h"

namespace oracle {

#if LDBL_MANT_DIG >= 64 && LDBL_MAX_EXP > DBL_MAX_EXP
using Real = long double;
#else
using Real = SoftReal;
#endif

// For both: these are called by their plain names.
using std::copysign;
using std::fabs;
using std::floor;
using std::frexp;
using std::isfinite;
using std::isinf;
using std::ldexp;
using std::pow;

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_REAL_H_
