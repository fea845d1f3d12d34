// Floating-point numbers with 64 bits of significand, in integer arithmetic. Sums, products and
// quotients are rounded once, to nearest even; no exponent that they meet here is too large.
#ifndef LANEPOOL_TESTS_ORACLE_SOFT_REAL_H_
#define LANEPOOL_TESTS_ORACLE_SOFT_REAL_H_

#include <cstdint>
#include <type_traits>

#include "int128.h"

namespace oracle {

class SoftReal {
 public:
  // Numbers become real ones unasked, as they become a long double.
  SoftReal() = default;
  SoftReal(double value);  // NOLINT(google-explicit-constructor)
  template <typename Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  SoftReal(Integer value)  // NOLINT(google-explicit-constructor)
      : SoftReal(value < 0, Magnitude(value), 0) {}
  explicit operator double() const;  // to nearest even

  SoftReal operator-() const;
  friend SoftReal operator+(const SoftReal& a, const SoftReal& b);
  friend SoftReal operator-(const SoftReal& a, const SoftReal& b) { return a + -b; }
  friend SoftReal operator*(const SoftReal& a, const SoftReal& b);
  friend SoftReal operator/(const SoftReal& a, const SoftReal& b);
  SoftReal& operator+=(const SoftReal& b) { return *this = *this + b; }

  friend bool operator==(const SoftReal& a, const SoftReal& b) { return Compare(a, b) == kEqual; }
  friend bool operator!=(const SoftReal& a, const SoftReal& b) { return Compare(a, b) != kEqual; }
  friend bool operator<(const SoftReal& a, const SoftReal& b) { return Compare(a, b) == kLess; }
  friend bool operator>(const SoftReal& a, const SoftReal& b) { return Compare(b, a) == kLess; }
  friend bool operator<=(const SoftReal& a, const SoftReal& b) { return a < b || a == b; }
  friend bool operator>=(const SoftReal& a, const SoftReal& b) { return b <= a; }

  // NOLINTBEGIN(readability-identifier-naming): as in <cmath>
  friend bool isfinite(const SoftReal& value) { return value.kind_ == kFinite; }
  friend bool isinf(const SoftReal& value) { return value.kind_ == kInfinite; }
  friend bool signbit(const SoftReal& value) { return value.negative_; }
  friend SoftReal fabs(const SoftReal& value) { return value.negative_ ? -value : value; }
  friend SoftReal copysign(const SoftReal& magnitude, const SoftReal& sign) {
    return magnitude.negative_ == sign.negative_ ? magnitude : -magnitude;
  }
  friend SoftReal floor(const SoftReal& value);
  friend SoftReal frexp(const SoftReal& value, int* exponent);
  friend SoftReal ldexp(const SoftReal& value, int exponent);
  // base >= 0 and power > 0. The relative error is below 2^-62 (1 + power * |log2(base)|); beyond
  // 2^1000000 the result is infinite, below 2^-1000000 it is 0.
  friend SoftReal pow(const SoftReal& base, const SoftReal& power);
  // NOLINTEND(readability-identifier-naming)

 private:
  enum Kind { kFinite, kInfinite, kNan };
  enum Order { kLess, kEqual, kGreater, kUnordered };

  // significand * 2^exponent, rounded. `more` says that a little is missing: only allowed where the
  // significand has more than 64 bits.
  SoftReal(bool negative, Uint128 significand, int exponent, bool more = false);
  static SoftReal Special(Kind kind, bool negative);
  static Order Compare(const SoftReal& a, const SoftReal& b);
  template <typename Integer>
  static uint64_t Magnitude(Integer value) {
    return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  }
  bool IsZero() const { return kind_ == kFinite && significand_ == 0; }

  Kind kind_ = kFinite;
  bool negative_ = false;
  uint64_t significand_ = 0;  // its highest bit is set, unless the number is 0
  int exponent_ = 0;          // of the lowest bit
};

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_SOFT_REAL_H_
