// Finishers: from the fold of a window to the result. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// NaN from arithmetic carries a sign and payload that depend on the instruction set.
template <class V>
HWY_INLINE V CanonicalNan(V v) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const V nan = hn::BitCast(d, hn::Set(du, uint32_t{0x7FC00000}));
  return hn::IfThenElse(hn::IsNaN(v), nan, v);
}

// A float sum divided by the tap count: the IEEE quotient, without waiting for a divider.
struct DivideF32 {
  template <class V>
  static HWY_INLINE void Four(const Divisor& divisor, V& a, V& b, V& c, V& e) {
    const hn::DFromV<V> d;
    const V reciprocal = hn::Set(d, divisor.reciprocal);
    if (divisor.power_of_two) {
      a = Scale(a, reciprocal);
      b = Scale(b, reciprocal);
      c = Scale(c, reciprocal);
      e = Scale(e, reciprocal);
      const auto nan = hn::Or(hn::IsEitherNaN(a, b), hn::IsEitherNaN(c, e));
      if (HWY_LIKELY(hn::AllFalse(d, nan))) return;
    } else {
#if HWY_NATIVE_FMA
      // q = s * r is within 2 ulp; s - q * d is exact, and one correction rounds to the quotient
      // (Markstein). It fails only for NaN and infinity, where the remainder is NaN, and where the
      // remainder could be subnormal: those take the division.
      const V whole = hn::Set(d, divisor.divisor);
      const V qa = hn::Mul(a, reciprocal);
      const V qb = hn::Mul(b, reciprocal);
      const V qc = hn::Mul(c, reciprocal);
      const V qe = hn::Mul(e, reciprocal);
      const V ra = hn::NegMulAdd(qa, whole, a);
      const V rb = hn::NegMulAdd(qb, whole, b);
      const V rc = hn::NegMulAdd(qc, whole, c);
      const V re = hn::NegMulAdd(qe, whole, e);
      const auto nan = hn::Or(hn::IsEitherNaN(ra, rb), hn::IsEitherNaN(rc, re));
      const auto tiny = Tiny(divisor, hn::Min(hn::Min(Magnitude(a), Magnitude(b)),
                                              hn::Min(Magnitude(c), Magnitude(e))));
      if (HWY_LIKELY(hn::AllFalse(d, hn::Or(nan, tiny)))) {
        a = hn::MulAdd(ra, reciprocal, qa);
        b = hn::MulAdd(rb, reciprocal, qb);
        c = hn::MulAdd(rc, reciprocal, qc);
        e = hn::MulAdd(re, reciprocal, qe);
        return;
      }
#endif
      const V denominator = hn::Set(d, divisor.divisor);
      a = Quotient(a, denominator);
      b = Quotient(b, denominator);
      c = Quotient(c, denominator);
      e = Quotient(e, denominator);
    }
    a = CanonicalNan(a);
    b = CanonicalNan(b);
    c = CanonicalNan(c);
    e = CanonicalNan(e);
  }

  template <class V>
  static HWY_INLINE V One(const Divisor& divisor, V s) {
    const hn::DFromV<V> d;
    const V reciprocal = hn::Set(d, divisor.reciprocal);
    if (divisor.power_of_two) return CanonicalNan(Scale(s, reciprocal));
#if HWY_NATIVE_FMA
    const V q = hn::Mul(s, reciprocal);
    const V r = hn::NegMulAdd(q, hn::Set(d, divisor.divisor), s);
    const auto irregular = hn::Or(hn::IsNaN(r), Tiny(divisor, Magnitude(s)));
    if (HWY_LIKELY(hn::AllFalse(d, irregular))) return hn::MulAdd(r, reciprocal, q);
#endif
    return CanonicalNan(Quotient(s, hn::Set(d, divisor.divisor)));
  }

  // A divisor per lane, prepared once for the rows of a job. Lanes whose remainder has no room (see
  // Four) make the whole vector take the division.
  template <class Lane>
  class PerLane {
   public:
    template <class D>
    HWY_INLINE void Prepare(D d, const SlideRowsJob& job) {
      if (job.uniform_begin == 0 && job.uniform_end == job.lanes) return;
      const auto other = hn::Set(d, job.other_count);
      for (int64_t i = 0; i < job.lanes; i += static_cast<int64_t>(hn::Lanes(d))) {
        const auto divisor = hn::Mul(hn::LoadU(d, job.counts + i), other);
        hn::StoreU(divisor, d, divisor_ + i);
        hn::StoreU(hn::Div(hn::Set(d, Lane{1}), divisor), d, reciprocal_ + i);
      }
    }
    template <class D, class V = hn::VFromD<D>>
    HWY_INLINE V Finish(D d, const SlideRowsJob& job, int64_t i, V s) const {
      const V divisor = hn::LoadU(d, divisor_ + i);
#if HWY_NATIVE_FMA
      const V reciprocal = hn::LoadU(d, reciprocal_ + i);
      const V q = hn::Mul(s, reciprocal);
      const V r = hn::NegMulAdd(q, divisor, s);
      // The limit of the largest divisor serves the smaller ones.
      const auto irregular = hn::Or(hn::IsNaN(r), Tiny(job.divisor, Magnitude(s)));
      if (HWY_LIKELY(hn::AllFalse(d, irregular))) return hn::MulAdd(r, reciprocal, q);
#else
      (void)job;
#endif
      return CanonicalNan(Quotient(s, divisor));
    }

   private:
    Lane divisor_[kTileLanes + kCountSlack];
    Lane reciprocal_[kTileLanes + kCountSlack];
  };

 private:
  // A sum of -0 gives +0 in every way that a quotient is made here, as the corrected product does.
  template <class V>
  static HWY_INLINE V Scale(V s, V reciprocal) {
    const V zero = hn::Zero(hn::DFromV<V>());
#if HWY_NATIVE_FMA
    return hn::MulAdd(s, reciprocal, zero);
#else
    return hn::Mul(hn::Add(s, zero), reciprocal);
#endif
  }
  template <class V>
  static HWY_INLINE V Quotient(V s, V divisor) {
    return hn::Div(hn::Add(s, hn::Zero(hn::DFromV<V>())), divisor);
  }
  // Twice the bits of |v|, minus 1: zero becomes the largest number.
  template <class V>
  static HWY_INLINE hn::VFromD<hn::RebindToUnsigned<hn::DFromV<V>>> Magnitude(V v) {
    const hn::RebindToUnsigned<hn::DFromV<V>> du;
    return hn::Sub(hn::ShiftLeft<1>(hn::BitCast(du, v)), hn::Set(du, 1u));
  }
  template <class VU>
  static HWY_INLINE auto Tiny(const Divisor& divisor, VU magnitude)
      -> hn::MFromD<hn::RebindToFloat<hn::DFromV<VU>>> {
    const hn::DFromV<VU> du;
    const hn::RebindToFloat<decltype(du)> d;
    return hn::RebindMask(d, hn::Lt(magnitude, hn::Set(du, divisor.tiny_twice)));
  }
};

// For finishers without divisors.
template <class Finisher>
struct NoDivisors {
  template <class D>
  HWY_INLINE void Prepare(D, const SlideRowsJob&) {}
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE V Finish(D, const SlideRowsJob& job, int64_t, V v) const {
    return Finisher::One(job.divisor, v);
  }
};

// A maximum that met no NaN. Adding +0 turns -0 into +0 and changes nothing else.
struct FinishMax {
  template <class V>
  static HWY_INLINE V One(const Divisor&, V v) {
    return hn::Add(v, hn::Zero(hn::DFromV<V>()));
  }
  template <class V>
  static HWY_INLINE void Four(const Divisor& divisor, V& a, V& b, V& c, V& e) {
    a = One(divisor, a);
    b = One(divisor, b);
    c = One(divisor, c);
    e = One(divisor, e);
  }
  template <class Lane>
  using PerLane = NoDivisors<FinishMax>;
};

// A maximum that may be NaN.
struct FinishMaxNan {
  template <class V>
  static HWY_INLINE V One(const Divisor&, V v) {
    return CanonicalNan(hn::Add(v, hn::Zero(hn::DFromV<V>())));
  }
  template <class V>
  static HWY_INLINE void Four(const Divisor& divisor, V& a, V& b, V& c, V& e) {
    a = One(divisor, a);
    b = One(divisor, b);
    c = One(divisor, c);
    e = One(divisor, e);
  }
  template <class Lane>
  using PerLane = NoDivisors<FinishMaxNan>;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
