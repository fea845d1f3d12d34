// Formulas of a division: the IEEE quotient, NaN made canonical. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_DIVIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_DIVIDE_INL_H_
#undef LANEPOOL_SRC_KERNELS_DIVIDE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_DIVIDE_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernels/elem-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// NaN from arithmetic carries a sign and payload that depend on the instruction set.
template <class V>
HWY_INLINE V CanonicalNan(V v) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  using Bits = hn::TFromD<decltype(du)>;
  constexpr Bits kNan = sizeof(Bits) == 8 ? Bits(0x7FF8000000000000) : Bits{0x7FC00000};
  const V nan = hn::BitCast(d, hn::Set(du, kNan));
  return hn::IfThenElse(hn::IsNaN(v), nan, v);
}

// Formulas: Apply(v, divisor, reciprocal, tiny, state); the two vectors are lane by lane what v is
// to be divided by, and the rounded reciprocal of that. `tiny`: not DividesTinySums of them.

// A sum of -0 gives +0, as the corrected product of DivideF32 does.
struct DivideExact {
  template <class V, class S>
  static HWY_INLINE V Apply(V s, V divisor, V, bool, S&) {
    return CanonicalNan(hn::Div(hn::Add(s, hn::Zero(hn::DFromV<V>())), divisor));
  }
};

// The IEEE quotient without waiting for a divider: q = s * r is within 2 ulp, the remainder s - q *
// d is exact, and one correction rounds to the quotient (Markstein). Not so for NaN, infinities,
// and sums so small that the remainder could be subnormal. These show in the state, see
// Divisor::rare_below.
struct DivideF32 {
  template <class V, class S>
  static HWY_INLINE V Apply(V s, V divisor, V reciprocal, bool tiny, S& state) {
#if HWY_NATIVE_FMA
    (void)tiny;
#if LANEPOOL_CLASSIFIES
    const V q = hn::Mul(s, reciprocal);
    const V quotient = hn::MulAdd(Remainder(q, divisor, s), reciprocal, q);
    state = hn::Or(state, IsRareQuotient(hn::DFromV<V>(), quotient));
    return quotient;
#else
    const hn::DFromV<S> du;
    const S twice = hn::ShiftLeft<1>(hn::BitCast(du, s));  // without the sign
    const S low = hn::Sub(twice, hn::Set(du, 1u));         // zero becomes the highest number
    state = hn::Min(state, hn::Min(low, hn::Not(twice)));
    const V q = hn::Mul(s, reciprocal);
    return hn::MulAdd(Remainder(q, divisor, s), reciprocal, q);
#endif
#else
    return DivideExact::Apply(s, divisor, reciprocal, tiny, state);
#endif
  }
};

// Doubled bits of a sum, without the sign.
template <class V>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<hn::DFromV<V>>> Magnitude(V s) {
  const hn::RebindToUnsigned<hn::DFromV<V>> du;
  return hn::ShiftLeft<1>(hn::BitCast(du, s));
}
// As Divisor::rare_below.
template <class V>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<hn::DFromV<V>>> TinyBound(V divisor) {
  const hn::RebindToUnsigned<hn::DFromV<V>> du;
  return hn::ShiftLeft<1>(hn::Sub(hn::BitCast(du, divisor), hn::Set(du, 100u << 23)));
}
// Below the bound, and not zero.
template <class V, class VU>
HWY_INLINE hn::MFromD<hn::DFromV<V>> IsTiny(V s, VU bound) {
  const hn::DFromV<VU> du;
  return hn::RebindMask(hn::DFromV<V>(), hn::Lt(hn::Sub(Magnitude(s), hn::Set(du, 1u)), bound));
}

// The same quotient. NaN and infinities have a remainder that is NaN, and so is then the sum of all
// remainders, which the state is: one operation instead of five. Sums that are too small are looked
// for only where the divisor asks for it, which takes registers. For jobs whose lanes all divide by
// one number.
struct DivideByRemainder {
  template <class V, class S>
  static HWY_INLINE V Apply(V s, V divisor, V reciprocal, bool tiny, S& state) {
#if HWY_NATIVE_FMA
    const V q = hn::Mul(s, reciprocal);
    const V r = Remainder(q, divisor, s);
    state = hn::Add(state, r);
    if (kSparesInstructions ? HWY_UNLIKELY(tiny) : tiny) state = WatchTiny(s, divisor, state);
    return hn::MulAdd(r, reciprocal, q);
#else
    return DivideExact::Apply(s, divisor, reciprocal, tiny, state);
#endif
  }
  template <class V, class S>
  static HWY_INLINE void Apply4(V& a, V& b, V& c, V& e, V divisor, V reciprocal, bool tiny,
                                S& state) {
#if HWY_NATIVE_FMA
    const V qa = hn::Mul(a, reciprocal), qb = hn::Mul(b, reciprocal);
    const V qc = hn::Mul(c, reciprocal), qe = hn::Mul(e, reciprocal);
    const V ra = Remainder(qa, divisor, a), rb = Remainder(qb, divisor, b);
    const V rc = Remainder(qc, divisor, c), re = Remainder(qe, divisor, e);
    state = hn::Add(state, hn::Add(hn::Add(ra, rb), hn::Add(rc, re)));
    if (kSparesInstructions ? HWY_UNLIKELY(tiny) : tiny) {
      state = WatchTiny(a, divisor, WatchTiny(b, divisor, state));
      state = WatchTiny(c, divisor, WatchTiny(e, divisor, state));
    }
    a = hn::MulAdd(ra, reciprocal, qa);
    b = hn::MulAdd(rb, reciprocal, qb);
    c = hn::MulAdd(rc, reciprocal, qc);
    e = hn::MulAdd(re, reciprocal, qe);
#else
    a = Apply(a, divisor, reciprocal, tiny, state);
    b = Apply(b, divisor, reciprocal, tiny, state);
    c = Apply(c, divisor, reciprocal, tiny, state);
    e = Apply(e, divisor, reciprocal, tiny, state);
#endif
  }

 private:
  template <class V>
  static HWY_INLINE V WatchTiny(V s, V divisor, V state) {
    return hn::IfThenElse(IsTiny(s, TinyBound(divisor)), hn::NaN(hn::DFromV<V>()), state);
  }
};

// The same without giving up: rare values are divided on the spot. kTiny: sums can be so small that
// the remainder is subnormal; those of f16 cannot.
template <bool kTiny>
struct DivideMended {
  template <class V, class S>
  static HWY_INLINE V Apply(V s, V divisor, V reciprocal, bool tiny, S& state) {
    V b = s, c = s, e = s;
    Apply4(s, b, c, e, divisor, reciprocal, tiny, state);
    return s;
  }
  template <class V, class S>
  static HWY_INLINE void Apply4(V& a, V& b, V& c, V& e, V divisor, V reciprocal, bool tiny,
                                S& state) {
#if HWY_NATIVE_FMA
    const V qa = hn::Mul(a, reciprocal), qb = hn::Mul(b, reciprocal);
    const V qc = hn::Mul(c, reciprocal), qe = hn::Mul(e, reciprocal);
    const V ra = Remainder(qa, divisor, a), rb = Remainder(qb, divisor, b);
    const V rc = Remainder(qc, divisor, c), re = Remainder(qe, divisor, e);
    if (HWY_LIKELY(Common(a, b, c, e, ra, rb, rc, re, divisor, tiny))) {
      a = hn::MulAdd(ra, reciprocal, qa);
      b = hn::MulAdd(rb, reciprocal, qb);
      c = hn::MulAdd(rc, reciprocal, qc);
      e = hn::MulAdd(re, reciprocal, qe);
      return;
    }
#else
    (void)reciprocal;
#endif
    a = DivideExact::Apply(a, divisor, divisor, tiny, state);
    b = DivideExact::Apply(b, divisor, divisor, tiny, state);
    c = DivideExact::Apply(c, divisor, divisor, tiny, state);
    e = DivideExact::Apply(e, divisor, divisor, tiny, state);
  }

 private:
  template <class V>
  static HWY_INLINE bool Common(V a, V b, V c, V e, V ra, V rb, V rc, V re, V divisor, bool tiny) {
    const hn::DFromV<V> d;
    // Infinities and NaN have no remainder.
    const auto rare = hn::Or(hn::IsEitherNaN(ra, rb), hn::IsEitherNaN(rc, re));
    if constexpr (!kTiny) {
      return hn::AllFalse(d, rare);
    } else {
      if (!tiny) return hn::AllFalse(d, rare);
      const auto bound = TinyBound(divisor);
      const auto least =
          hn::Min(hn::Min(Magnitude(a), Magnitude(b)), hn::Min(Magnitude(c), Magnitude(e)));
      const auto below = hn::RebindMask(d, hn::Lt(least, bound));
      if (HWY_LIKELY(hn::AllFalse(d, hn::Or(rare, below)))) return true;
      // Zeros are common.
      return hn::AllFalse(
          d, hn::Or(hn::Or(rare, IsTiny(a, bound)),
                    hn::Or(IsTiny(b, bound), hn::Or(IsTiny(c, bound), IsTiny(e, bound)))));
    }
  }
};

// Whether the corrected product of DivideF32 is the quotient even where that is subnormal:
// remainders of integers below 2^23 are exact there as well, but a tie is met only if it cannot
// exist (odd divisors) or the reciprocal is exact (powers of two). docs/decisions/0014.
HWY_INLINE bool DividesTinySums(float divisor) {
  if (!(divisor < 8388608.0f)) return false;
  const uint32_t n = static_cast<uint32_t>(divisor);
  return n % 2 != 0 || (n & (n - 1)) == 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
