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

// Apply(v, divisor, reciprocal, state): v is the fold; the two vectors are lane by lane what it is
// to be divided by, and the rounded reciprocal of that; `state` is the reducer's, to give the job
// up. kDivides: whether they are looked at.

// NaN from arithmetic carries a sign and payload that depend on the instruction set.
template <class V>
HWY_INLINE V CanonicalNan(V v) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const V nan = hn::BitCast(d, hn::Set(du, uint32_t{0x7FC00000}));
  return hn::IfThenElse(hn::IsNaN(v), nan, v);
}

// A sum of -0 gives +0, as the corrected product of DivideF32 does.
struct DivideExactF32 {
  static constexpr bool kDivides = true;

  template <class V, class S>
  static HWY_INLINE V Apply(V s, V divisor, V, S&) {
    return CanonicalNan(hn::Div(hn::Add(s, hn::Zero(hn::DFromV<V>())), divisor));
  }
};

// The IEEE quotient without waiting for a divider: q = s * r is within 2 ulp, the remainder s - q *
// d is exact, and one correction rounds to the quotient (Markstein). Not so for NaN, infinities,
// and sums so small that the remainder could be subnormal. These show in the state, see
// Divisor::rare_below.
struct DivideF32 {
  static constexpr bool kDivides = true;

  template <class V, class S>
  static HWY_INLINE V Apply(V s, V divisor, V reciprocal, S& state) {
    const hn::DFromV<S> du;
    const S twice = hn::ShiftLeft<1>(hn::BitCast(du, s));  // without the sign
    const S low = hn::Sub(twice, hn::Set(du, 1u));         // zero becomes the highest number
    state = hn::Min(state, hn::Min(low, hn::Not(twice)));
#if HWY_NATIVE_FMA
    const V q = hn::Mul(s, reciprocal);
    return hn::MulAdd(hn::NegMulAdd(q, divisor, s), reciprocal, q);
#else
    (void)reciprocal;
    return hn::Div(hn::Add(s, hn::Zero(hn::DFromV<V>())), divisor);
#endif
  }
};

// A maximum that met no NaN. Adding +0 turns -0 into +0 and changes nothing else.
struct PlainZero {
  static constexpr bool kDivides = false;

  template <class V, class S>
  static HWY_INLINE V Apply(V v, V, V, S&) {
    return hn::Add(v, hn::Zero(hn::DFromV<V>()));
  }
};

// A maximum that may be NaN.
struct PlainZeroAndNan {
  static constexpr bool kDivides = false;

  template <class V, class S>
  static HWY_INLINE V Apply(V v, V, V, S&) {
    return CanonicalNan(hn::Add(v, hn::Zero(hn::DFromV<V>())));
  }
};

// No result yet: accumulators on their way to scratch.
struct Unfinished {
  static constexpr bool kDivides = false;

  template <class V, class S>
  static HWY_INLINE V Apply(V v, V, V, S&) {
    return v;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
