#include "fill.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../oracle/types.h"
#include "lanepool/lanepool.h"

namespace support {
namespace {

// Elements of one floating type. Every NaN, infinity and subnormal number of it can come up.
class Floats {
 public:
  Floats(Random* random, int32_t type, void* values)
      : random_(random), type_(type), format_(oracle::FormatOf(type)), values_(values) {}

  void Put(int64_t at, Data data) {
    switch (data) {
      case Data::kIntegers:
        return Store(at, Integer());
      case Data::kUniform:
        return Store(at, Uniform());
      case Data::kMagnitudes:
        return PutFinite(at);
      case Data::kHuge:
        return Store(at, Huge());
      case Data::kZeros:
        return PutZero(at);
      case Data::kNans:
        return random_->Percent(12) ? PutNan(at) : Store(at, Integer());
      case Data::kInfinities:
        return Store(at, random_->Percent(25) ? Infinity() : Integer());
      case Data::kEverything:
        break;
    }
    if (random_->Percent(4)) {
      return random_->Percent(50) ? PutNan(at) : Store(at, Infinity());
    }
    Put(at, random_->Pick(
                {Data::kIntegers, Data::kUniform, Data::kMagnitudes, Data::kHuge, Data::kZeros}));
  }

 private:
  void Store(int64_t at, double value) { oracle::Store(type_, values_, at, value); }

  void PutBits(int64_t at, uint64_t bits) { oracle::StoreBits(type_, values_, at, bits); }

  double Integer() { return static_cast<double>(random_->Between(-99, 99)); }

  double Uniform() {
    const int64_t most = int64_t{1} << format_.precision;
    const auto significand = static_cast<double>(random_->Between(-most, most));
    return std::ldexp(significand, 1 - format_.precision);
  }

  double Huge() {
    const int64_t most = int64_t{1} << format_.precision;
    const auto significand = static_cast<double>(random_->Between(1, most - 1));
    const double magnitude = std::ldexp(significand, format_.max_exponent + 1 - format_.precision);
    return random_->Percent(50) ? -magnitude : magnitude;
  }

  double Infinity() {
    const double infinity = std::numeric_limits<double>::infinity();
    return random_->Percent(50) ? infinity : -infinity;
  }

  void PutFinite(int64_t at) {
    do {
      PutBits(at, random_->Bits());
    } while (!std::isfinite(oracle::Load(type_, values_, at)));
  }

  void PutZero(int64_t at) {
    if (random_->Percent(5)) return PutBits(at, static_cast<uint64_t>(random_->Between(1, 99)));
    Store(at, random_->Percent(50) ? -0.0 : 0.0);
  }

  // The quiet and the signalling ones, with any payload and sign.
  void PutNan(int64_t at) {
    const uint64_t exponent = oracle::QuietNan(type_) & ~(uint64_t{1} << (format_.precision - 2));
    PutBits(at, random_->Bits() | exponent | 1);
  }

  Random* random_;
  int32_t type_;
  oracle::Format format_;
  void* values_;
};

}  // namespace

std::string DataText(Data data) {
  const char* const names[kDataKinds] = {"integers", "uniform", "magnitudes", "huge",
                                         "zeros",    "nans",    "infinities", "everything"};
  return names[static_cast<int>(data)];
}

void Fill(Random* random, Data data, float* values, int64_t count) {
  FillFloats(random, data, LANEPOOL_TYPE_FLOAT, values, count);
}

void FillFloats(Random* random, Data data, int32_t type, void* values, int64_t count) {
  Floats floats(random, type, values);
  for (int64_t i = 0; i < count; ++i) floats.Put(i, data);
}

std::string DataText(IntegerData data) {
  const char* const names[kIntegerDataKinds] = {"random", "ends", "few", "constant", "spikes"};
  return names[static_cast<int>(data)];
}

void FillIntegers(Random* random, IntegerData data, int32_t type, void* values, int64_t count) {
  const int64_t low = oracle::LowestInteger(type);
  const int64_t high = oracle::HighestInteger(type);
  const int64_t base =
      random->Percent(50) ? random->Between(low, high) : random->Pick({low, high, int64_t{0}});
  const int64_t few = std::min(base, high - 4);
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = base;
    if (data == IntegerData::kRandom) value = random->Between(low, high);
    if (data == IntegerData::kEnds) value = random->Pick({low, high});
    if (data == IntegerData::kFew) value = random->Between(few, few + 4);
    if (data == IntegerData::kSpikes && random->Percent(10)) value = random->Between(low, high);
    oracle::Store(type, values, i, static_cast<double>(value));
  }
}

}  // namespace support
