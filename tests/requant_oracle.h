// The output of docs/semantics.md section 7 for one sum, spelled out in exact rationals. Shares no
// code and no idea with src/requant*.cc: it rounds one number at a time and knows no steps.
#ifndef LANEPOOL_TESTS_REQUANT_ORACLE_H_
#define LANEPOOL_TESTS_REQUANT_ORACLE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "int128.h"
#include "lanepool/lanepool.h"
#include "requant.h"

namespace requant_oracle {

using Wide = lanepool::Int128;

inline int BitLength(Wide value) {
  int bits = 0;
  for (; value > 0; value >>= 1) ++bits;
  return bits;
}

template <typename Int>
Int FloorOf(Int num, Int den) {
  return num >= 0 ? num / den : -((-num + den - 1) / den);
}

template <typename Int>
Int HalfEven(Int num, Int den) {
  const Int floor = FloorOf(num, den);
  const Int twice_rest = 2 * (num - floor * den);
  if (twice_rest != den) return twice_rest > den ? floor + 1 : floor;
  return floor % 2 == 0 ? floor : floor + 1;
}

template <typename Int>
Int HalfAway(Int num, Int den) {
  const Int magnitude = ((num < 0 ? -num : num) * 2 + den) / (2 * den);
  return num < 0 ? -magnitude : magnitude;
}

class Oracle {
 public:
  explicit Oracle(const lanepool::RequantRule& rule) : rule_(rule) {
    int x_exponent, y_exponent;
    x_mantissa_ = Mantissa(rule.x_scale, &x_exponent);
    divisor_ = static_cast<Wide>(rule.divisor) * Mantissa(rule.y_scale, &y_exponent);
    divisor_bits_ = BitLength(divisor_);
    exponent_ = x_exponent - y_exponent;
  }

  // As unsigned byte.
  int32_t operator()(uint64_t sum) const {
    const int64_t a = static_cast<int64_t>(sum) - rule_.taps * rule_.x_zero_point;
    const Wide numerator = static_cast<Wide>(a < 0 ? -a : a) * x_mantissa_;
    const int up = std::max(exponent_, 0), down = std::max(-exponent_, 0);
    const int top = Length(numerator) + up, bottom = divisor_bits_ + down;
    // 2^(top - 1) <= |numerator| < 2^top, likewise the denominator. With |v| > 2^11 it saturates,
    // with |v| < 1/2 it rounds to nothing, whatever the zero point; else both fit 128 bits, as one
    // of them is not shifted at all.
    if (a == 0 || top <= bottom - 2) return Clamp(rule_.y_zero_point);
    if (top > bottom + 12) return a > 0 ? rule_.y_most : rule_.y_least;
    const Wide num = (a < 0 ? -numerator : numerator) * (static_cast<Wide>(1) << up);
    const Wide den = divisor_ << down;
    if (std::max(top, bottom) <= 50) {
      return Rounded(static_cast<int64_t>(num), static_cast<int64_t>(den));
    }
    return Rounded(num, den);
  }

 private:
  // scale == mantissa * 2^exponent. Every float is a normal double, also a subnormal one.
  static int64_t Mantissa(float scale, int* exponent) {
    const double fraction = std::frexp(static_cast<double>(scale), exponent);
    *exponent -= 24;
    return static_cast<int64_t>(std::ldexp(fraction, 24));
  }

  static int Length(Wide value) {
    const uint64_t low = static_cast<uint64_t>(value);
    if (value > 0 && value == static_cast<Wide>(low)) return 64 - __builtin_clzll(low);
    return BitLength(value);
  }

  template <typename Int>
  int32_t Rounded(Int num, Int den) const {
    const int32_t zero_point = rule_.y_zero_point + rule_.y_low;  // of real outputs
    Int real = 0;
    switch (rule_.rounding) {
      case LANEPOOL_ROUND_HALF_EVEN:
        real = HalfEven(num, den) + zero_point;
        break;
      case LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT:
        real = HalfEven<Int>(num + zero_point * den, den);
        break;
      default:
        real = HalfAway<Int>(num + zero_point * den, den);
    }
    return Clamp(static_cast<int32_t>(real - rule_.y_low));
  }

  int32_t Clamp(int32_t y) const { return std::min(std::max(y, rule_.y_least), rule_.y_most); }

  lanepool::RequantRule rule_;
  int64_t x_mantissa_;
  Wide divisor_;
  int divisor_bits_, exponent_;
};

}  // namespace requant_oracle

#endif  // LANEPOOL_TESTS_REQUANT_ORACLE_H_
