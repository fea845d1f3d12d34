// The element types, one by one: what they hold, how they are stored, how numbers are rounded to
// them. No conversion instruction of the machine takes part for the 16-bit types.
#ifndef LANEPOOL_TESTS_ORACLE_TYPES_H_
#define LANEPOOL_TESTS_ORACLE_TYPES_H_

#include <cstdint>

#include "lanepool/lanepool.h"
#include "real.h"

namespace oracle {

// The binary formats that results are rounded to: bits of the significand (with the hidden one) and
// the exponents of the smallest and the largest normal number.
struct Format {
  int precision;
  int min_exponent;
  int max_exponent;
};
inline constexpr Format kBinary16 = {11, -14, 15};
inline constexpr Format kBfloat16 = {8, -126, 127};
inline constexpr Format kBinary32 = {24, -126, 127};
inline constexpr Format kBinary64 = {53, -1022, 1023};

bool IsByte(int32_t type);      // u8, s8
bool IsFloating(int32_t type);  // f16, bf16, f32, f64; the others are integers
int64_t ElementBytes(int32_t type);
int64_t LowestInteger(int32_t type);
int64_t HighestInteger(int32_t type);

Format FormatOf(int32_t type);      // of a floating type
double LargestOf(const Format& f);  // the largest finite number

// To nearest even, toward -infinity, toward +infinity. Infinities and NaN stay what they are. Every
// result is a double.
double RoundTo(const Format& format, Real value);
double RoundDown(const Format& format, Real value);
double RoundUp(const Format& format, Real value);

// One element of a tensor. Every type of up to 32 bits, and double, is exact as a double; NaN is
// stored as the quiet NaN without sign and payload. The value to store must be one of the type.
double Load(int32_t type, const void* base, int64_t index);
void Store(int32_t type, void* base, int64_t index, double value);

// The bytes of an element as a number, and those of the one NaN that results have.
uint64_t BitsAt(int32_t type, const void* base, int64_t index);
void StoreBits(int32_t type, void* base, int64_t index, uint64_t bits);
uint64_t QuietNan(int32_t type);

// An element of an index tensor: INT32 or INT64.
int64_t LoadIndex(int32_t type, const void* base, int64_t index);
void StoreIndex(int32_t type, void* base, int64_t index, int64_t value);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_TYPES_H_
