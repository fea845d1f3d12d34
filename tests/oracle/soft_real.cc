#include "soft_real.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace oracle {
namespace {

int Length(Uint128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  const auto low = static_cast<uint64_t>(value);
  if (high != 0) return 128 - __builtin_clzll(high);
  return low == 0 ? 0 : 64 - __builtin_clzll(low);
}

// value / 2^bits to nearest even, bits from 1 to 127; `more` stands for what lies below.
Uint128 ShiftRounded(Uint128 value, int bits, bool more) {
  const Uint128 kept = value >> bits;
  const Uint128 rest = value - (kept << bits);
  const Uint128 half = static_cast<Uint128>(1) << (bits - 1);
  const bool odd = (kept & 1) != 0;
  return rest > half || (rest == half && (more || odd)) ? kept + 1 : kept;
}

constexpr int kTerms = 24;  // of a series whose terms fall by a factor of 5 at least

// 1/1, 1/2, 1/3 and so on.
const std::array<SoftReal, 2 * kTerms>& Reciprocals() {
  static const std::array<SoftReal, 2 * kTerms> reciprocals = [] {
    std::array<SoftReal, 2 * kTerms> quotients;
    for (int i = 0; i < 2 * kTerms; ++i) quotients[static_cast<size_t>(i)] = SoftReal(1) / (i + 1);
    return quotients;
  }();
  return reciprocals;
}

SoftReal Reciprocal(int k) { return Reciprocals()[static_cast<size_t>(k - 1)]; }

// 0.B17217F7D1CF79ABC9E3B398... in hexadecimal digits.
SoftReal NaturalLogarithmOf2() { return ldexp(SoftReal(uint64_t{0xB17217F7D1CF79AC}), -64); }

// log(m) = 2 (z + z^3 / 3 + z^5 / 5 + ...) with z = (m - 1) / (m + 1), at most 0.172 for m between
// the roots of 1/2 and 2.
SoftReal BinaryLogarithm(const SoftReal& value) {
  int exponent;
  SoftReal m = frexp(value, &exponent);
  if (m * m < SoftReal(0.5)) {
    m = ldexp(m, 1);
    --exponent;
  }
  const SoftReal z = (m - 1) / (m + 1);
  const SoftReal square = z * z;
  SoftReal sum = 0;
  for (int k = 2 * kTerms - 1; k >= 1; k -= 2) sum = sum * square + Reciprocal(k);
  return ldexp(z * sum, 1) / NaturalLogarithmOf2() + exponent;
}

// e^t = 1 + t (1 + t/2 (1 + t/3 (1 + ...))) for |t| of at most 0.35.
SoftReal PowerOf2(const SoftReal& logarithm) {
  const SoftReal whole = floor(logarithm + 0.5);
  if (fabs(whole) > SoftReal(1000000)) return whole > SoftReal(0) ? HUGE_VAL : 0.0;
  const SoftReal t = (logarithm - whole) * NaturalLogarithmOf2();
  SoftReal sum = 1;
  for (int k = kTerms; k >= 1; --k) sum = sum * t * Reciprocal(k) + 1;
  return ldexp(sum, static_cast<int>(static_cast<double>(whole)));
}

}  // namespace

SoftReal::SoftReal(double value) : negative_(std::signbit(value)) {
  if (std::isnan(value) || std::isinf(value)) {
    kind_ = std::isnan(value) ? kNan : kInfinite;
  } else if (value != 0) {
    const double fraction = std::frexp(std::fabs(value), &exponent_);
    significand_ = static_cast<uint64_t>(std::ldexp(fraction, 53)) << 11;
    exponent_ -= 64;
  }
}

SoftReal::SoftReal(bool negative, Uint128 significand, int exponent, bool more)
    : negative_(negative) {
  const int length = Length(significand);
  if (length == 0) return;
  exponent_ = exponent + length - 64;
  if (length <= 64) {
    significand_ = static_cast<uint64_t>(significand) << (64 - length);
    return;
  }
  const Uint128 rounded = ShiftRounded(significand, length - 64, more);
  const bool carried = (rounded >> 64) != 0;
  significand_ = static_cast<uint64_t>(carried ? rounded >> 1 : rounded);
  if (carried) ++exponent_;
}

SoftReal SoftReal::Special(Kind kind, bool negative) {
  SoftReal special;
  special.kind_ = kind;
  special.negative_ = negative;
  return special;
}

SoftReal::operator double() const {
  if (kind_ == kNan) return std::numeric_limits<double>::quiet_NaN();
  double magnitude = HUGE_VAL;
  if (kind_ == kFinite && exponent_ + 63 <= std::numeric_limits<double>::max_exponent) {
    // The distance of doubles there; that of subnormal ones does not shrink any further.
    const int quantum = std::max(exponent_ + 11, -1074);
    const int shift = std::min(quantum - exponent_, 127);
    const auto kept = static_cast<uint64_t>(ShiftRounded(significand_, shift, false));
    magnitude = significand_ == 0 ? 0 : std::ldexp(static_cast<double>(kept), quantum);
  }
  return negative_ ? -magnitude : magnitude;
}

SoftReal SoftReal::operator-() const {
  SoftReal opposite = *this;
  opposite.negative_ = !negative_;
  return opposite;
}

SoftReal operator+(const SoftReal& a, const SoftReal& b) {
  if (a.kind_ != SoftReal::kFinite || b.kind_ != SoftReal::kFinite) {
    const bool opposite = a.kind_ == b.kind_ && a.negative_ != b.negative_;
    if (a.kind_ == SoftReal::kNan || b.kind_ == SoftReal::kNan || opposite) {
      return SoftReal::Special(SoftReal::kNan, false);
    }
    return a.kind_ == SoftReal::kInfinite ? a : b;
  }
  if (a.IsZero() && b.IsZero()) return a.negative_ == b.negative_ ? a : SoftReal(0);
  if (a.IsZero()) return b;
  if (b.IsZero()) return a;
  const bool b_is_larger =
      a.exponent_ < b.exponent_ || (a.exponent_ == b.exponent_ && a.significand_ < b.significand_);
  const SoftReal& large = b_is_larger ? b : a;
  const SoftReal& small = b_is_larger ? a : b;

  // 63 bits below the larger one's; of what is smaller still it only matters that there is some.
  const int distance = large.exponent_ - small.exponent_;
  const Uint128 first = static_cast<Uint128>(large.significand_) << 63;
  const Uint128 whole = static_cast<Uint128>(small.significand_) << 63;
  const Uint128 second = distance > 127 ? 0 : whole >> distance;
  const bool more = distance > 127 || (second << distance) != whole;
  const int exponent = large.exponent_ - 63;
  if (large.negative_ == small.negative_) {
    return SoftReal(large.negative_, first + second, exponent, more);
  }
  if (first == second && !more) return SoftReal(0);
  // What is missing makes the difference a little smaller.
  return SoftReal(large.negative_, first - second - (more ? 1 : 0), exponent, more);
}

SoftReal operator*(const SoftReal& a, const SoftReal& b) {
  const bool negative = a.negative_ != b.negative_;
  if (a.kind_ != SoftReal::kFinite || b.kind_ != SoftReal::kFinite) {
    const bool is_nan =
        a.kind_ == SoftReal::kNan || b.kind_ == SoftReal::kNan || a.IsZero() || b.IsZero();
    return SoftReal::Special(is_nan ? SoftReal::kNan : SoftReal::kInfinite, negative);
  }
  return SoftReal(negative, static_cast<Uint128>(a.significand_) * b.significand_,
                  a.exponent_ + b.exponent_);
}

SoftReal operator/(const SoftReal& a, const SoftReal& b) {
  const bool negative = a.negative_ != b.negative_;
  if (a.kind_ != SoftReal::kFinite || b.kind_ != SoftReal::kFinite || b.IsZero()) {
    const bool is_nan = a.kind_ == SoftReal::kNan || b.kind_ == SoftReal::kNan ||
                        (a.kind_ == b.kind_ && a.IsZero() == b.IsZero());
    if (is_nan) return SoftReal::Special(SoftReal::kNan, negative);
    if (b.kind_ == SoftReal::kFinite) return SoftReal::Special(SoftReal::kInfinite, negative);
    return SoftReal(negative, 0, 0);
  }
  // 64 or 65 bits, and one more, so that what remains lies below the half.
  const Uint128 dividend = static_cast<Uint128>(a.significand_) << 64;
  const Uint128 quotient = dividend / b.significand_;
  const Uint128 twice = (dividend % b.significand_) << 1;
  const bool one = twice >= b.significand_;
  const bool more = twice != (one ? b.significand_ : 0);
  return SoftReal(negative, (quotient << 1) | (one ? 1 : 0), a.exponent_ - b.exponent_ - 65, more);
}

SoftReal::Order SoftReal::Compare(const SoftReal& a, const SoftReal& b) {
  if (a.kind_ == kNan || b.kind_ == kNan) return kUnordered;
  if (a.IsZero() && b.IsZero()) return kEqual;
  const auto less = [](bool is_less) { return is_less ? kLess : kGreater; };
  if (a.IsZero()) return less(!b.negative_);
  if (b.IsZero()) return less(a.negative_);
  if (a.negative_ != b.negative_) return less(a.negative_);
  if (a.kind_ != b.kind_) return less((b.kind_ == kInfinite) != a.negative_);
  if (a.exponent_ != b.exponent_) return less((a.exponent_ < b.exponent_) != a.negative_);
  if (a.significand_ != b.significand_)
    return less((a.significand_ < b.significand_) != a.negative_);
  return kEqual;
}

SoftReal floor(const SoftReal& value) {
  if (value.kind_ != SoftReal::kFinite || value.IsZero() || value.exponent_ >= 0) return value;
  const int cut = std::min(-value.exponent_, 127);
  const Uint128 significand = value.significand_;
  const Uint128 whole = significand >> cut;
  const bool up = value.negative_ && (whole << cut) != significand;
  return SoftReal(value.negative_, up ? whole + 1 : whole, 0);
}

SoftReal frexp(const SoftReal& value, int* exponent) {
  *exponent = 0;
  if (value.kind_ != SoftReal::kFinite || value.IsZero()) return value;
  *exponent = value.exponent_ + 64;
  SoftReal fraction = value;
  fraction.exponent_ = -64;
  return fraction;
}

SoftReal ldexp(const SoftReal& value, int exponent) {
  SoftReal scaled = value;
  if (!value.IsZero()) scaled.exponent_ += exponent;
  return scaled;
}

SoftReal pow(const SoftReal& base, const SoftReal& power) {
  if (base.kind_ != SoftReal::kFinite || base.IsZero()) return base;
  return PowerOf2(power * BinaryLogarithm(base));
}

}  // namespace oracle
