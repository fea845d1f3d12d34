#include "types.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The least distance of two numbers of the format around `value`.
int QuantumExponent(const Format& format, Real value) {
  int exponent;
  frexp(value, &exponent);  // 2^(exponent - 1) <= |value| < 2^exponent
  const int normal = exponent - format.precision;
  const int subnormal = format.min_exponent - format.precision + 1;
  return normal > subnormal ? normal : subnormal;
}

double Round(const Format& format, Real value, Real (*to_integer)(Real)) {
  if (!isfinite(value) || value == 0) return static_cast<double>(value);
  const int quantum = QuantumExponent(format, value);
  const Real rounded = copysign(ldexp(to_integer(ldexp(value, -quantum)), quantum), value);
  const double largest = LargestOf(format);
  if (fabs(rounded) <= static_cast<Real>(largest)) return static_cast<double>(rounded);
  return rounded > 0 ? kInfinity : -kInfinity;
}

// To nearest even whatever the mode of the machine.
Real HalfEven(Real value) {
  const Real below = floor(value);
  const Real rest = value - below;
  if (rest != Real(0.5)) return rest > Real(0.5) ? below + 1 : below;
  return ldexp(floor(ldexp(below, -1)), 1) == below ? below : below + 1;
}
Real Floor(Real value) { return floor(value); }

// Sign, exponent and fraction of 16 bits.
double Decode16(const Format& format, uint16_t bits) {
  const int fraction_bits = format.precision - 1;
  const int exponent_mask = (1 << (15 - fraction_bits)) - 1;
  const int exponent = (bits >> fraction_bits) & exponent_mask;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  double magnitude;
  if (exponent == exponent_mask) {
    magnitude = fraction == 0 ? kInfinity : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, format.min_exponent - fraction_bits);
  } else {
    magnitude = std::ldexp(fraction + (1 << fraction_bits),
                           exponent - 1 + format.min_exponent - fraction_bits);
  }
  return (bits >> 15) != 0 ? -magnitude : magnitude;
}

// The value is a number of the format, or infinite.
uint16_t Encode16(const Format& format, double value) {
  const int fraction_bits = format.precision - 1;
  const int sign = std::signbit(value) ? 1 << 15 : 0;
  const double magnitude = std::fabs(value);
  const int infinity = ((1 << (15 - fraction_bits)) - 1) << fraction_bits;
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | infinity);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  if (magnitude == 0 || exponent - 1 < format.min_exponent) exponent = format.min_exponent + 1;
  // With the hidden bit of a normal number the exponent field comes out one larger.
  const auto significand = static_cast<int>(std::ldexp(magnitude, fraction_bits + 1 - exponent));
  const int field = exponent - 1 - format.min_exponent;
  return static_cast<uint16_t>(sign | ((field << fraction_bits) + significand));
}

template <typename T>
double At(const void* base, int64_t index) {
  return static_cast<double>(static_cast<const T*>(base)[index]);
}

template <typename T>
void Put(void* base, int64_t index, double value) {
  static_cast<T*>(base)[index] = static_cast<T>(value);
}

template <typename T>
uint64_t BitsOf(const void* base, int64_t index) {
  T bits;
  std::memcpy(&bits, static_cast<const T*>(base) + index, sizeof bits);
  return bits;
}

template <typename T>
void PutBits(void* base, int64_t index, uint64_t bits) {
  const T element = static_cast<T>(bits);
  std::memcpy(static_cast<T*>(base) + index, &element, sizeof element);
}

}  // namespace

bool IsByte(int32_t type) { return type == LANEPOOL_TYPE_UINT8 || type == LANEPOOL_TYPE_INT8; }

bool IsFloating(int32_t type) {
  return type == LANEPOOL_TYPE_FLOAT || type == LANEPOOL_TYPE_DOUBLE ||
         type == LANEPOOL_TYPE_FLOAT16 || type == LANEPOOL_TYPE_BFLOAT16;
}

int64_t ElementBytes(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_UINT8:
    case LANEPOOL_TYPE_INT8:
      return 1;
    case LANEPOOL_TYPE_FLOAT16:
    case LANEPOOL_TYPE_BFLOAT16:
    case LANEPOOL_TYPE_INT16:
    case LANEPOOL_TYPE_UINT16:
      return 2;
    case LANEPOOL_TYPE_DOUBLE:
    case LANEPOOL_TYPE_INT64:
      return 8;
    default:
      return 4;
  }
}

int64_t LowestInteger(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_INT8:
      return std::numeric_limits<int8_t>::min();
    case LANEPOOL_TYPE_INT16:
      return std::numeric_limits<int16_t>::min();
    case LANEPOOL_TYPE_INT32:
      return std::numeric_limits<int32_t>::min();
    default:
      return 0;
  }
}

int64_t HighestInteger(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_UINT8:
      return std::numeric_limits<uint8_t>::max();
    case LANEPOOL_TYPE_INT8:
      return std::numeric_limits<int8_t>::max();
    case LANEPOOL_TYPE_UINT16:
      return std::numeric_limits<uint16_t>::max();
    case LANEPOOL_TYPE_INT16:
      return std::numeric_limits<int16_t>::max();
    default:
      return std::numeric_limits<int32_t>::max();
  }
}

Format FormatOf(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_FLOAT16:
      return kBinary16;
    case LANEPOOL_TYPE_BFLOAT16:
      return kBfloat16;
    case LANEPOOL_TYPE_DOUBLE:
      return kBinary64;
    default:
      return kBinary32;
  }
}

double LargestOf(const Format& f) {
  return std::ldexp(2 - std::ldexp(1.0, 1 - f.precision), f.max_exponent);
}

double RoundTo(const Format& format, Real value) { return Round(format, value, HalfEven); }
double RoundDown(const Format& format, Real value) {
  const double rounded = Round(format, value, Floor);
  return rounded == kInfinity && isfinite(value) ? LargestOf(format) : rounded;
}

double RoundUp(const Format& format, Real value) { return -RoundDown(format, -value); }

double Load(int32_t type, const void* base, int64_t index) {
  switch (type) {
    case LANEPOOL_TYPE_DOUBLE:
      return At<double>(base, index);
    case LANEPOOL_TYPE_FLOAT16:
    case LANEPOOL_TYPE_BFLOAT16:
      return Decode16(FormatOf(type), static_cast<const uint16_t*>(base)[index]);
    case LANEPOOL_TYPE_UINT8:
      return At<uint8_t>(base, index);
    case LANEPOOL_TYPE_INT8:
      return At<int8_t>(base, index);
    case LANEPOOL_TYPE_UINT16:
      return At<uint16_t>(base, index);
    case LANEPOOL_TYPE_INT16:
      return At<int16_t>(base, index);
    case LANEPOOL_TYPE_INT32:
      return At<int32_t>(base, index);
    default:
      return At<float>(base, index);
  }
}

void Store(int32_t type, void* base, int64_t index, double value) {
  if (std::isnan(value)) {
    return StoreBits(type, base, index, QuietNan(type));
  }
  switch (type) {
    case LANEPOOL_TYPE_DOUBLE:
      return Put<double>(base, index, value);
    case LANEPOOL_TYPE_FLOAT16:
    case LANEPOOL_TYPE_BFLOAT16:
      static_cast<uint16_t*>(base)[index] = Encode16(FormatOf(type), value);
      return;
    case LANEPOOL_TYPE_UINT8:
      return Put<uint8_t>(base, index, value);
    case LANEPOOL_TYPE_INT8:
      return Put<int8_t>(base, index, value);
    case LANEPOOL_TYPE_UINT16:
      return Put<uint16_t>(base, index, value);
    case LANEPOOL_TYPE_INT16:
      return Put<int16_t>(base, index, value);
    case LANEPOOL_TYPE_INT32:
      return Put<int32_t>(base, index, value);
    default:
      return Put<float>(base, index, value);
  }
}

uint64_t BitsAt(int32_t type, const void* base, int64_t index) {
  switch (ElementBytes(type)) {
    case 1:
      return BitsOf<uint8_t>(base, index);
    case 2:
      return BitsOf<uint16_t>(base, index);
    case 4:
      return BitsOf<uint32_t>(base, index);
    default:
      return BitsOf<uint64_t>(base, index);
  }
}

void StoreBits(int32_t type, void* base, int64_t index, uint64_t bits) {
  switch (ElementBytes(type)) {
    case 1:
      return PutBits<uint8_t>(base, index, bits);
    case 2:
      return PutBits<uint16_t>(base, index, bits);
    case 4:
      return PutBits<uint32_t>(base, index, bits);
    default:
      return PutBits<uint64_t>(base, index, bits);
  }
}

uint64_t QuietNan(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_FLOAT16:
      return 0x7E00;
    case LANEPOOL_TYPE_BFLOAT16:
      return 0x7FC0;
    case LANEPOOL_TYPE_DOUBLE:
      return 0x7FF8ull << 48;
    default:
      return 0x7FC00000;
  }
}

int64_t LoadIndex(int32_t type, const void* base, int64_t index) {
  return type == LANEPOOL_TYPE_INT32 ? static_cast<const int32_t*>(base)[index]
                                     : static_cast<const int64_t*>(base)[index];
}

void StoreIndex(int32_t type, void* base, int64_t index, int64_t value) {
  if (type == LANEPOOL_TYPE_INT32) {
    static_cast<int32_t*>(base)[index] = static_cast<int32_t>(value);
  } else {
    static_cast<int64_t*>(base)[index] = value;
  }
}

}  // namespace oracle
