// Powers of numbers that are not negative, in f64, from additions, products and quotients alone:
// the same bits on every instruction set. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_POWER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_POWER_INL_H_
#undef LANEPOOL_SRC_KERNELS_POWER_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_POWER_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// coefficients[0] + z * (coefficients[1] + z * ...)
template <class D, size_t kCount>
HWY_INLINE hn::VFromD<D> Polynomial(D d, hn::VFromD<D> z, const double (&coefficients)[kCount]) {
  auto sum = hn::Set(d, coefficients[kCount - 1]);
  for (size_t i = kCount - 1; i-- > 0;) sum = hn::Add(hn::Set(d, coefficients[i]), hn::Mul(z, sum));
  return sum;
}

// log2 of a positive, finite number is whole + fraction, |fraction| <= 1/2. With m in [sqrt(1/2),
// sqrt(2)) and s = (m - 1) / (m + 1), ln(m) = 2 * atanh(s): its series up to s^21.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE void Log2(D d, V x, V& whole, V& fraction) {
  const hn::RebindToSigned<D> di;
  static constexpr double kTwoOverLn2 = 2.8853900817779268;
  static constexpr double kSeries[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                                       1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  const auto subnormal = hn::Lt(x, hn::Set(d, 0x1p-1022));
  x = hn::IfThenElse(subnormal, hn::Mul(x, hn::Set(d, 0x1p54)), x);
  const auto bits = hn::BitCast(di, x);
  // Counted from sqrt(1/2), so that the significand comes to lie around 1.
  const auto origin = hn::Set(di, int64_t{0x3FE6A09E667F3BCD});
  const auto exponent = hn::ShiftRight<52>(hn::Sub(bits, origin));
  const auto m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(exponent)));
  const auto one = hn::Set(d, 1.0);
  const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const auto series = Polynomial(d, hn::Mul(s, s), kSeries);
  fraction = hn::Mul(hn::Mul(s, series), hn::Set(d, kTwoOverLn2));
  whole = hn::Sub(hn::ConvertTo(d, exponent), hn::IfThenElseZero(subnormal, hn::Set(d, 54.0)));
}

// 2^(whole + fraction), |fraction| <= 0.6, whole an integer.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Exp2(D d, V whole, V fraction) {
  const hn::RebindToSigned<D> di;
  static constexpr double kLn2 = 0.6931471805599453;
  static constexpr double kSeries[] = {1.0,
                                       1.0,
                                       1.0 / 2,
                                       1.0 / 6,
                                       1.0 / 24,
                                       1.0 / 120,
                                       1.0 / 720,
                                       1.0 / 5040,
                                       1.0 / 40320,
                                       1.0 / 362880,
                                       1.0 / 3628800,
                                       1.0 / 39916800,
                                       1.0 / 479001600,
                                       1.0 / 6227020800,
                                       1.0 / 87178291200};
  const auto power = Polynomial(d, hn::Mul(fraction, hn::Set(d, kLn2)), kSeries);
  // Two factors: one alone may be no normal number.
  const auto most = hn::Set(d, 2040.0);
  const auto exponent = hn::ConvertTo(di, hn::Min(hn::Max(whole, hn::Neg(most)), most));
  const auto half = hn::ShiftRight<1>(exponent);
  const auto bias = hn::Set(di, int64_t{1023});
  const auto a = hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(half, bias)));
  const auto b = hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(hn::Sub(exponent, half), bias)));
  return hn::Mul(hn::Mul(power, a), b);
}

// x^p for x >= 0 and p > 0, within a relative error of 2^-52 * (8 + |log2(x^p)|) where no number is
// subnormal. 0, infinity and NaN are their own powers.
template <class D, class V = hn::VFromD<D>>
HWY_NOINLINE V Power(D d, V x, double p) {
  V whole, fraction;
  Log2(d, x, whole, fraction);
  const auto factor = hn::Set(d, p);
  const auto of_whole = hn::Mul(whole, factor);
  const auto of_fraction = hn::Mul(fraction, factor);
  const auto k = hn::Round(hn::Add(of_whole, of_fraction));
  const auto power = Exp2(d, k, hn::Add(hn::Sub(of_whole, k), of_fraction));
  const auto number = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Inf(d)));
  return hn::IfThenElse(number, power, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
