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
#include "kernels/elem-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A finisher is an object made from the job's Divisor and ElementRules, with
//   Apply(v, state)   the result of the fold v, in jobs whose outputs are all finished alike;
//   `state`
//                     is the reducer's, to give the job up
//   Rows, Planes      the same for jobs whose lanes differ, see AlikeRows and AlikePlanes

// Lanes of SlideRowsJob: Prepare once, Begin for each vector of lanes, Apply for each row of it. a
// and b are what Begin keeps for Apply. Only the first `count` lanes count; the others may be
// anything. kBlocks: where Alike() is false, ApplyBlock makes results of several rows in place.
template <class Finish>
class AlikeRows {
 public:
  static constexpr bool kBlocks = false;

  explicit AlikeRows(const SlideRowsJob& job) : finish_(job.divisor, job.rules) {}

  template <class D>
  HWY_INLINE void Prepare(D) {}
  template <class D, class V>
  HWY_INLINE void Begin(D, int64_t, V&, V&) {}
  template <class D, class V, class S>
  HWY_INLINE V Apply(D, V v, V, V, size_t, S& state) const {
    return finish_.Apply(v, state);
  }

 private:
  const Finish finish_;
};

// Lanes of PlanesJob: Begin for each vector of lanes, Row at each row, which sets a and b for
// Apply.
template <class Finish>
class AlikePlanes {
 public:
  explicit AlikePlanes(const PlanesJob& job) : finish_(job.divisor, job.rules) {}

  template <class D, class V>
  HWY_INLINE void Begin(D, int64_t, V&) {}
  HWY_INLINE void BeginPlane() {}
  template <class D, class V>
  HWY_INLINE void Row(D, int64_t, V, V&, V&) {}
  template <class V, class S>
  HWY_INLINE V Apply(V v, V, V, V, S& state) const {
    return finish_.Apply(v, state);
  }

 private:
  const Finish finish_;
};

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
    const hn::DFromV<S> du;
    const S twice = hn::ShiftLeft<1>(hn::BitCast(du, s));  // without the sign
    const S low = hn::Sub(twice, hn::Set(du, 1u));         // zero becomes the highest number
    state = hn::Min(state, hn::Min(low, hn::Not(twice)));
    const V q = hn::Mul(s, reciprocal);
    return hn::MulAdd(Remainder(q, divisor, s), reciprocal, q);
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
    if (HWY_UNLIKELY(tiny)) state = WatchTiny(s, divisor, state);
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
    if (HWY_UNLIKELY(tiny)) {
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

// Four vectors at once, or each by itself.
template <class Finish, class V, class S>
HWY_INLINE auto FinishFour(const Finish& finish, V& a, V& b, V& c, V& e, S& state, int)
    -> decltype(finish.Apply4(a, b, c, e, state)) {
  finish.Apply4(a, b, c, e, state);
}
template <class Finish, class V, class S>
HWY_INLINE void FinishFour(const Finish& finish, V& a, V& b, V& c, V& e, S& state, ...) {
  a = finish.Apply(a, state);
  b = finish.Apply(b, state);
  c = finish.Apply(c, state);
  e = finish.Apply(e, state);
}

// Averages, of Lane.
template <class Formula, class Lane = float>
class DivideBy {
 public:
  DivideBy(const Divisor& divisor, const ElementRules&)
      : divisor_(divisor), tiny_(!DividesTinySums(divisor.divisor)) {}

  bool tiny() const { return tiny_; }
  template <class V, class S>
  HWY_INLINE V Apply(V v, S& state) const {
    const hn::DFromV<V> d;
    return Formula::Apply(v, hn::Set(d, Lane{divisor_.divisor}),
                          hn::Set(d, Lane{divisor_.reciprocal}), tiny_, state);
  }

  // Four vectors, where the formula has a way for them. kLarge: of a divisor that is not tiny().
  template <bool kLarge = false, class V, class S, class F = Formula,
            class = decltype(&F::template Apply4<V, S>)>
  HWY_INLINE void Apply4(V& a, V& b, V& c, V& e, S& state) const {
    const hn::DFromV<V> d;
    Formula::Apply4(a, b, c, e, hn::Set(d, divisor_.divisor), hn::Set(d, divisor_.reciprocal),
                    !kLarge && tiny_, state);
  }

  // Divisors of the lanes are prepared once for the rows of a job.
  class Rows {
   public:
    static constexpr bool kBlocks = false;

    explicit Rows(const SlideRowsJob& job) : job_(job) {}

    template <class D>
    HWY_INLINE void Prepare(D d) {
      const int64_t n = static_cast<int64_t>(hn::Lanes(d));
      const auto other = hn::Set(d, Lane{job_.other_count});
      for (int64_t i = 0; i < job_.lanes; i += n) {
        auto divisor = hn::Set(d, Lane{job_.divisor.divisor});
        auto reciprocal = hn::Set(d, Lane{job_.divisor.reciprocal});
        const int64_t end = HWY_MIN(i + n, job_.lanes);
        if (i < job_.uniform_begin || end > job_.uniform_end) {
          divisor = hn::Mul(LoadCounts(d, job_.counts + i), other);
          reciprocal = hn::Div(hn::Set(d, Lane{1}), divisor);
        }
        hn::StoreU(divisor, d, divisors_ + i);
        hn::StoreU(reciprocal, d, reciprocals_ + i);
      }
    }
    template <class D, class V>
    HWY_INLINE void Begin(D d, int64_t i, V& a, V& b) {
      a = hn::LoadU(d, divisors_ + i);
      b = hn::LoadU(d, reciprocals_ + i);
    }
    // Lanes that do not count must not give the job up.
    template <class D, class V, class S>
    HWY_INLINE V Apply(D d, V v, V a, V b, size_t count, S& state) const {
      if (count == hn::Lanes(d)) return Formula::Apply(v, a, b, true, state);
      const auto valid = hn::FirstN(d, count);
      return Formula::Apply(hn::IfThenElseZero(valid, v),
                            hn::IfThenElse(valid, a, hn::Set(d, Lane{1})), b, true, state);
    }

   private:
    const SlideRowsJob& job_;
    // The last vector may lie anywhere.
    Lane divisors_[kTileLanes + HWY_MAX_LANES_D(hn::ScalableTag<Lane>)];
    Lane reciprocals_[kTileLanes + HWY_MAX_LANES_D(hn::ScalableTag<Lane>)];
  };

  // Rows with another extent along H need other divisors.
  class Planes {
   public:
    explicit Planes(const PlanesJob& job) : job_(job) {}

    template <class D, class V>
    HWY_INLINE void Begin(D d, int64_t lane, V& counts) {
      counts = LoadCounts(d, job_.w_counts + lane);
    }
    HWY_INLINE void BeginPlane() { h_count_ = 0; }
    template <class D, class V>
    HWY_INLINE void Row(D d, int64_t row, V counts, V& a, V& b) {
      if (job_.h_counts[row] == h_count_) return;
      h_count_ = job_.h_counts[row];
      a = hn::Mul(counts, hn::Set(d, Lane{h_count_}));
      b = hn::Div(hn::Set(d, Lane{1}), a);
    }
    template <class V, class S>
    HWY_INLINE V Apply(V v, V, V a, V b, S& state) const {
      return Formula::Apply(v, a, b, true, state);
    }

   private:
    const PlanesJob& job_;
    float h_count_ = 0;
  };

 private:
  const Divisor divisor_;
  const bool tiny_;  // whether tiny sums are rare values
};

// Whether a finisher has to look for tiny sums.
template <class Finish>
HWY_INLINE bool WatchesTiny(const Finish&) {
  return false;
}
HWY_INLINE bool WatchesTiny(const DivideBy<DivideByRemainder>& finish) { return finish.tiny(); }

// A maximum that met no NaN. Adding +0 turns -0 into +0 and changes nothing else.
struct PlainZero {
  using Rows = AlikeRows<PlainZero>;
  using Planes = AlikePlanes<PlainZero>;

  PlainZero(const Divisor&, const ElementRules&) {}
  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    return hn::Add(v, hn::Zero(hn::DFromV<V>()));
  }
};

// No result yet: accumulators on their way to scratch or to a stage.
struct Unfinished {
  using Rows = AlikeRows<Unfinished>;
  using Planes = AlikePlanes<Unfinished>;

  Unfinished(const Divisor&, const ElementRules&) {}
  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    return v;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
