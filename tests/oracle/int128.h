// Integers of 128 bits.
#ifndef LANEPOOL_TESTS_ORACLE_INT128_H_
#define LANEPOOL_TESTS_ORACLE_INT128_H_

namespace oracle {

#ifdef __SIZEOF_INT128__
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
#else  // clang for CPUs of 32 bits
using Int128 = _BitInt(128);
using Uint128 = unsigned _BitInt(128);
#endif

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_INT128_H_
