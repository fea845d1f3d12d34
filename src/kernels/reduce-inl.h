// Reducers: identity, combination, NaN and tie rules. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_REDUCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_REDUCE_INL_H_
#undef LANEPOOL_SRC_KERNELS_REDUCE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_REDUCE_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"

#undef LANEPOOL_CLASSIFIES
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define LANEPOOL_CLASSIFIES 1
#else
#define LANEPOOL_CLASSIFIES 0
#endif

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A reducer has
//   Identity(d)          what a missing tap counts as
//   Combine(acc, v)      acc holds the earlier taps
//   Watch(state, a...)   collects, from vectors of fresh taps, reasons to give the job up
//   kFoldTells           the fold of taps tells as much: WatchFold(state, fold) does
//   Clean(d, state)      whether there was none; Start(d) is the first state
//   kWatchesTaps         Watch makes use of its vectors
//   kRare                it only repeats jobs that were given up: its loops are built for size
// A finisher (finish-inl.h) collects in the same state.

// Reducers that never give up.
struct NoWatch {
  static constexpr bool kRare = true;
  static constexpr bool kFoldTells = false;
  static constexpr bool kWatchesTaps = false;
  template <class D>
  using State = hn::MFromD<D>;
  template <class D>
  static HWY_INLINE State<D> Start(D d) {
    return hn::MaskFalse(d);
  }
  template <class S, class... V>
  static HWY_INLINE S Watch(S state, V...) {
    return state;
  }
  template <class D>
  static HWY_INLINE bool Clean(D, State<D>, const Divisor&) {
    return true;
  }
};

struct SumExact : NoWatch {
  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return hn::Zero(d);
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return hn::Add(acc, v);
  }
};

#if LANEPOOL_CLASSIFIES
// Whether quotients of DivideF32 are infinite, NaN or subnormal: one operation of AVX-512.
template <class D>
HWY_INLINE hn::MFromD<D> IsRareQuotient(D, hn::VFromD<D> v) {
  constexpr int kClasses = 0xB9;  // both NaN, both infinities, subnormal numbers
  if constexpr (hn::MaxLanes(D()) == 16) {
    return hn::MFromD<D>{_mm512_fpclass_ps_mask(v.raw, kClasses)};
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    return hn::MFromD<D>{_mm256_fpclass_ps_mask(v.raw, kClasses)};
  } else {
    return hn::MFromD<D>{_mm_fpclass_ps_mask(v.raw, kClasses)};
  }
}

// The state has the lanes of rare quotients.
struct SumOf : SumExact {
  static constexpr bool kRare = false;
  template <class D>
  static HWY_INLINE bool Clean(D d, State<D> state, const Divisor&) {
    return hn::AllFalse(d, state);
  }
};
#else
// The state holds, lane by lane, the least of what DivideF32 computes of the sums; a rare value
// shows as a small number.
struct SumOf : SumExact {
  static constexpr bool kRare = false;
  template <class D>
  using State = hn::VFromD<hn::RebindToUnsigned<D>>;
  template <class D>
  static HWY_INLINE State<D> Start(D) {
    const hn::RebindToUnsigned<D> du;
    return hn::Set(du, hwy::HighestValue<hn::TFromD<decltype(du)>>());
  }
  template <class D>
  static HWY_INLINE bool Clean(D, State<D> state, const Divisor& divisor) {
    const hn::RebindToUnsigned<D> du;
    return hn::AllFalse(du, hn::Lt(state, hn::Set(du, divisor.rare_below)));
  }
};
#endif

// The state is NaN in the lanes of rare values, see DivideByRemainder.
struct SumByRemainder : SumExact {
  static constexpr bool kRare = false;
  template <class D>
  using State = hn::VFromD<D>;
  template <class D>
  static HWY_INLINE State<D> Start(D d) {
    return hn::Zero(d);
  }
  template <class D>
  static HWY_INLINE bool Clean(D d, State<D> state, const Divisor&) {
    return hn::AllFalse(d, hn::IsNaN(state));
  }
};

// Sums that are not given up: of integers, or where the finisher minds rare values itself.
struct SumPlain : SumExact {
  static constexpr bool kRare = false;
};

struct MaxInteger : NoWatch {
  static constexpr bool kRare = false;
  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return hn::Set(d, hwy::LowestValue<hn::TFromD<D>>());
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return hn::Max(acc, v);
  }
};

struct MaxIntegerRare : MaxInteger {
  static constexpr bool kRare = true;
};

// Watch of vectors that were just loaded and are combined next, see KeepInRegisters.
template <class Reduce, class S, class... V>
HWY_INLINE S WatchLoaded(S state, V&... taps) {
  if constexpr (Reduce::kWatchesTaps) KeepInRegisters(taps...);
  return Reduce::Watch(state, taps...);
}

// Loops that pass every fold to WatchFold have no need to look at each tap.
template <class Reduce, class S, class... V>
HWY_INLINE S WatchTaps(S state, V... taps) {
  if constexpr (Reduce::kFoldTells) return state;
  return Reduce::Watch(state, taps...);
}
template <class Reduce, class S, class V>
HWY_INLINE S WatchFold(S state, V fold) {
  if constexpr (Reduce::kFoldTells) return Reduce::WatchFold(state, fold);
  return state;
}
template <class Reduce, class S, class V>
HWY_INLINE S WatchFolds(S state, V a, V b, V c, V e) {
  if constexpr (Reduce::kFoldTells) {
    const V ab = Reduce::Combine(a, b);
    return Reduce::WatchFold(state, Reduce::Combine(ab, Reduce::Combine(c, e)));
  }
  return state;
}

#if HWY_ARCH_ARM_A64 && (HWY_TARGET_IS_NEON || HWY_TARGET_IS_SVE)
// FMAX, which gives NaN if either is. Highway has FMAXNM, which gives the other.
#if HWY_TARGET_IS_SVE
HWY_INLINE svfloat32_t NanMax(svfloat32_t a, svfloat32_t b) {
  return svmax_f32_x(svptrue_b32(), a, b);
}
HWY_INLINE svfloat64_t NanMax(svfloat64_t a, svfloat64_t b) {
  return svmax_f64_x(svptrue_b64(), a, b);
}
#else
template <size_t kN>
HWY_INLINE hn::Vec128<float, kN> NanMax(hn::Vec128<float, kN> a, hn::Vec128<float, kN> b) {
  if constexpr (kN == 4) return hn::Vec128<float, kN>(vmaxq_f32(a.raw, b.raw));
  if constexpr (kN < 4) return hn::Vec128<float, kN>(vmax_f32(a.raw, b.raw));
}
template <size_t kN>
HWY_INLINE hn::Vec128<double, kN> NanMax(hn::Vec128<double, kN> a, hn::Vec128<double, kN> b) {
  if constexpr (kN == 2) return hn::Vec128<double, kN>(vmaxq_f64(a.raw, b.raw));
  if constexpr (kN == 1) return hn::Vec128<double, kN>(vmax_f64(a.raw, b.raw));
}
#endif

// A NaN stays in the fold, and in the state, which is the fold of all.
struct MaxOf : NoWatch {
  static constexpr bool kRare = false;
  static constexpr bool kFoldTells = true;
  template <class D>
  using State = hn::VFromD<D>;
  template <class D>
  static HWY_INLINE State<D> Start(D d) {
    return hn::Zero(d);
  }
  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return hn::Neg(hn::Inf(d));
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return NanMax(v, acc);
  }
  template <class V>
  static HWY_INLINE V WatchFold(V state, V fold) {
    return NanMax(state, fold);
  }
  template <class V, class... More>
  static HWY_INLINE V Watch(V state, V a, More... more) {
    if constexpr (sizeof...(More) == 0) {
      return NanMax(state, a);
    } else {
      return Watch(NanMax(state, a), more...);
    }
  }
  template <class D>
  static HWY_INLINE bool Clean(D d, State<D> state, const Divisor&) {
    return hn::AllFalse(d, hn::IsNaN(state));
  }
};
#else
// The native maximum. What it does with NaN differs between instruction sets, so NaN is watched
// for: the state is a sum of all taps, lane by lane, which is NaN if one is, or if two are
// infinities of unlike signs. Additions take other places in a CPU than maxima and comparisons.
// What the maximum does with +0 and -0 differs too: the finisher makes every zero +0.
struct MaxOf : NoWatch {
  static constexpr bool kRare = false;
  static constexpr bool kWatchesTaps = true;
  template <class D>
  using State = hn::VFromD<D>;
  template <class D>
  static HWY_INLINE State<D> Start(D d) {
    return hn::Zero(d);
  }
  template <class D>
  static HWY_INLINE hn::VFromD<D> Identity(D d) {
    return hn::Neg(hn::Inf(d));
  }
  template <class V>
  static HWY_INLINE V Combine(V acc, V v) {
    return hn::Max(v, acc);
  }
  template <class V>
  static HWY_INLINE V Watch(V state, V a) {
    return hn::Add(state, a);
  }
  template <class V>
  static HWY_INLINE V Watch(V state, V a, V b) {
    return hn::Add(state, hn::Add(a, b));
  }
  template <class V>
  static HWY_INLINE V Watch(V state, V a, V b, V c, V e) {
    return hn::Add(state, hn::Add(hn::Add(a, b), hn::Add(c, e)));
  }
  template <class D>
  static HWY_INLINE bool Clean(D d, State<D> state, const Divisor&) {
    return hn::AllFalse(d, hn::IsNaN(state));
  }
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
