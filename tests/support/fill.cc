#include "fill.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "lanepool/lanepool.h"

namespace support {
namespace {

float FromBits(uint64_t bits) {
  const auto low = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

float Integer(Random* random) { return static_cast<float>(random->Between(-99, 99)); }

float Uniform(Random* random) {
  return static_cast<float>(
      std::ldexp(static_cast<double>(random->Between(-(1 << 24), 1 << 24)), -23));
}

float Finite(Random* random) {
  for (;;) {
    const float value = FromBits(random->Bits());
    if (std::isfinite(value)) return value;
  }
}

float Huge(Random* random) {
  const float magnitude = std::ldexp(static_cast<float>(random->Between(1, 1 << 24)), 104);
  return random->Percent(50) ? -magnitude : magnitude;
}

float Zero(Random* random) {
  if (random->Percent(5)) return FromBits(static_cast<uint64_t>(random->Between(1, 99)));
  return random->Percent(50) ? -0.0f : 0.0f;
}

float Nan(Random* random) { return FromBits(random->Bits() | 0x7F800001u); }

float Infinity(Random* random) {
  const float infinity = std::numeric_limits<float>::infinity();
  return random->Percent(50) ? infinity : -infinity;
}

float Value(Random* random, Data data) {
  switch (data) {
    case Data::kIntegers:
      return Integer(random);
    case Data::kUniform:
      return Uniform(random);
    case Data::kMagnitudes:
      return Finite(random);
    case Data::kHuge:
      return Huge(random);
    case Data::kZeros:
      return Zero(random);
    case Data::kNans:
      return random->Percent(12) ? Nan(random) : Integer(random);
    case Data::kInfinities:
      return random->Percent(25) ? Infinity(random) : Integer(random);
    case Data::kEverything:
      break;
  }
  if (random->Percent(4)) return random->Percent(50) ? Nan(random) : Infinity(random);
  return Value(random, random->Pick({Data::kIntegers, Data::kUniform, Data::kMagnitudes,
                                     Data::kHuge, Data::kZeros}));
}

}  // namespace

std::string DataText(Data data) {
  const char* const names[kDataKinds] = {"integers", "uniform", "magnitudes", "huge",
                                         "zeros",    "nans",    "infinities", "everything"};
  return names[static_cast<int>(data)];
}

void Fill(Random* random, Data data, float* values, int64_t count) {
  for (int64_t i = 0; i < count; ++i) values[i] = Value(random, data);
}

std::string DataText(ByteData data) {
  const char* const names[kByteDataKinds] = {"random", "ends", "few", "constant", "spikes"};
  return names[static_cast<int>(data)];
}

void FillBytes(Random* random, ByteData data, int32_t type, void* values, int64_t count) {
  const int64_t low = type == LANEPOOL_TYPE_INT8 ? -128 : 0;
  const int64_t high = low + 255;
  const int64_t base =
      random->Percent(50) ? random->Between(low, high) : random->Pick({low, high, int64_t{0}});
  const int64_t few = std::min(base, high - 4);
  auto* const bytes = static_cast<unsigned char*>(values);
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = base;
    if (data == ByteData::kRandom) value = random->Between(low, high);
    if (data == ByteData::kEnds) value = random->Pick({low, high});
    if (data == ByteData::kFew) value = random->Between(few, few + 4);
    if (data == ByteData::kSpikes && random->Percent(10)) value = random->Between(low, high);
    bytes[i] = static_cast<unsigned char>(value);
  }
}

}  // namespace support
