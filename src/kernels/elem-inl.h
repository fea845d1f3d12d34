// Elements: how lanes travel between memory and registers. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ELEM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ELEM_INL_H_
#undef LANEPOOL_SRC_KERNELS_ELEM_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ELEM_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"

#undef LANEPOOL_BYTES_INLINE
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define LANEPOOL_BYTES_INLINE HWY_INLINE
#else
#define LANEPOOL_BYTES_INLINE HWY_NOINLINE
#endif

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vector registers are 32 but on x86 before AVX-512.
constexpr bool kManyRegisters = !HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX3;

// Loops of their own for the smallest windows, and two columns in a turn of those that slide, which
// then hand their folds on without moving them: where cores start few instructions at once.
constexpr bool kSparesInstructions = HWY_ARCH_ARM_A64 != 0;  // docs/decisions/0034

// Vectors that were just loaded and have several uses: GCC would load them again for each.
template <class... V>
HWY_INLINE void KeepInRegisters(V&... v) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  const auto keep = [](auto& one) HWY_ATTR { __asm__("" : "+v"(one.raw)); };
  (keep(v), ...);
#else
  ((void)v, ...);
#endif
}

// An element is an object made from the job's ElementRules. Load4 and Store4 move as many bytes as
// four vectors have lanes, in an order of lanes that they agree upon.

template <class D, class V, class T = hn::TFromD<D>>
HWY_INLINE void LoadInOrder4(D d, const T* p, V& a, V& b, V& c, V& e) {
  const size_t n = hn::Lanes(d);
  a = hn::LoadU(d, p);
  b = hn::LoadU(d, p + n);
  c = hn::LoadU(d, p + 2 * n);
  e = hn::LoadU(d, p + 3 * n);
}
template <class D, class V, class T = hn::TFromD<D>>
HWY_INLINE void StoreInOrder4(D d, V a, V b, V c, V e, T* p) {
  const size_t n = hn::Lanes(d);
  hn::StoreU(a, d, p);
  hn::StoreU(b, d, p + n);
  hn::StoreU(c, d, p + 2 * n);
  hn::StoreU(e, d, p + 3 * n);
}

// For elements that load four vectors one by one,
template <class Elem, class D, class V>
HWY_INLINE void LoadEach4(const Elem& elem, D d, const typename Elem::Memory* p, V& a, V& b, V& c,
                          V& e) {
  const size_t n = hn::Lanes(d);
  a = elem.Load(d, p);
  b = elem.Load(d, p + n);
  c = elem.Load(d, p + 2 * n);
  e = elem.Load(d, p + 3 * n);
}
// and so have their lanes in the order of memory.
struct LanesInOrder {
  template <class D, class V, class T = hn::TFromD<D>>
  static HWY_INLINE void StoreLanes4(D d, V a, V b, V c, V e, T* p) {
    StoreInOrder4(d, a, b, c, e, p);
  }
};

// Pairs of lanes as lanes twice as wide, the first of each pair the lower half whatever the order
// of bytes in memory, and back.
template <class D>
HWY_INLINE hn::VFromD<D> SwappedHalves(D, hn::VFromD<D> wide) {
#if HWY_IS_BIG_ENDIAN
  constexpr int kHalf = 4 * sizeof(hn::TFromD<D>);
  return hn::RotateRight<kHalf>(wide);
#else
  return wide;
#endif
}
template <class D, class V>
HWY_INLINE hn::VFromD<D> WideLanes(D d, V narrow) {
  return SwappedHalves(d, hn::BitCast(d, narrow));
}
template <class D, class V>
HWY_INLINE hn::VFromD<D> NarrowLanes(D d, V wide) {
  return hn::BitCast(d, SwappedHalves(hn::DFromV<V>(), wide));
}

// The mask for narrower lanes. SVE sets lanes behind those of the vector as well, and would
// load what they stand for.
template <class DTo, class D>
HWY_INLINE hn::MFromD<DTo> NarrowMask(DTo to, D d, hn::MFromD<D> mask) {
  const auto narrow = hn::DemoteMaskTo(to, d, mask);
#if HWY_HAVE_SCALABLE || HWY_TARGET_IS_SVE  // SVE_256 and SVE2_128 are not scalable
  return hn::And(narrow, hn::FirstN(to, hn::Lanes(d)));
#else
  return narrow;
#endif
}

// s - q * divisor, rounded once. An exact zero is +0.
template <class V>
HWY_INLINE V Remainder(V q, V divisor, V s) {
#if HWY_ARCH_PPC || HWY_ARCH_S390X
  return hn::MulAdd(hn::Neg(q), divisor, s);  // their NegMulAdd is a negated difference: -0
#else
  return hn::NegMulAdd(q, divisor, s);
#endif
}

// Some bytes of a vector. Without masks in the instruction set that is long code, wherever it is
// inlined.
template <class D8, class T = hn::TFromD<D8>>
LANEPOOL_BYTES_INLINE hn::VFromD<D8> LoadBytes(D8 d8, const T* p, size_t n) {
  return hn::LoadN(d8, p, n);
}
template <class D8, class T = hn::TFromD<D8>>
LANEPOOL_BYTES_INLINE void StoreBytes(D8 d8, hn::VFromD<D8> v, T* p, size_t n) {
  hn::StoreN(v, d8, p, n);
}

// Lanes [begin, end) from p on, which may lie outside the buffer otherwise; zero elsewhere.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> RawBetween(D d, const T* p, int64_t begin, int64_t end) {
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN T lanes[HWY_MAX_LANES_D(D)] = {};
  for (int64_t i = begin; i < end; ++i) lanes[i] = p[i];
  return hn::Load(d, lanes);
#else
  const auto mask = hn::AndNot(hn::FirstN(d, static_cast<size_t>(begin)),
                               hn::FirstN(d, static_cast<size_t>(end)));
  return hn::MaskedLoad(mask, d, p);
#endif
}

// Counts of taps as lanes of D.
template <class D>
HWY_INLINE hn::VFromD<D> LoadCounts(D d, const float* counts) {
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(float)) {
    return hn::LoadU(d, counts);
  } else {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), counts));
  }
}

// The same in memory and in registers.
template <class T>
struct ElemPlain : LanesInOrder {
  using Memory = T;
  using Lane = T;

  explicit ElemPlain(const ElementRules&) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const T* p) const {
    return hn::LoadU(d, p);
  }
  template <class D, class V>
  HWY_INLINE void Load4(D d, const T* p, V& a, V& b, V& c, V& e) const {
    LoadInOrder4(d, p, a, b, c, e);
  }
  template <class D, class V>
  HWY_INLINE void Load2(D d, const T* p, V& a, V& b) const {
    a = hn::LoadU(d, p);
    b = hn::LoadU(d, p + hn::Lanes(d));
  }
  // The first n lanes, n < Lanes(d); the others are `other`. Reads nothing behind them.
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const T* p, size_t n, hn::VFromD<D> other) const {
    if constexpr (sizeof(T) == 1) {
      return hn::IfThenElse(hn::FirstN(d, n), LoadBytes(d, p, n), other);
    } else {
      return hn::LoadNOr(other, d, p, n);
    }
  }
  // What Load makes of these elements.
  template <class D>
  HWY_INLINE hn::VFromD<D> Of(D, hn::VFromD<D> elements) const {
    return elements;
  }
  // The element in all lanes.
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadToAll(D d, const T* p) const {
    return hn::Set(d, *p);
  }
  // The lanes of the mask, whose other addresses are not touched.
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadMasked(D d, const T* p, hn::MFromD<D> mask,
                                      hn::VFromD<D> other) const {
    return hn::MaskedLoadOr(other, mask, d, p);
  }
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, T* p) const {
    hn::StoreU(v, d, p);
  }
  template <class D, class V>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, T* p) const {
    StoreInOrder4(d, a, b, c, e, p);
  }
  // Past the caches, see WindowJob::streams.
  template <class D, class V>
  HWY_INLINE void Stream2(D d, V a, V b, T* p) const {
    hn::Stream(a, d, p);
    hn::Stream(b, d, p + hn::Lanes(d));
  }
  template <class D, class V>
  HWY_INLINE void Store2(D d, V a, V b, T* p) const {
    hn::StoreU(a, d, p);
    hn::StoreU(b, d, p + hn::Lanes(d));
  }
  template <class D>
  HWY_INLINE void StoreN(D d, hn::VFromD<D> v, T* p, size_t n) const {
    if constexpr (sizeof(T) == 1) {
      StoreBytes(d, v, p, n);
    } else {
      hn::StoreN(v, d, p, n);
    }
  }
};

// The scratch form of an element: accumulators as they are.
template <class Elem>
struct LaneOf {
  using Memory = typename Elem::Lane;
  using Lane = typename Elem::Lane;

  explicit LaneOf(const ElementRules&) {}

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, Lane* p) const {
    hn::StoreU(v, d, p);
  }
  template <class D>
  HWY_INLINE void StoreN(D d, hn::VFromD<D> v, Lane* p, size_t n) const {
    hn::StoreN(v, d, p, n);
  }
  // What Elem::Load4 has made, in the order of memory.
  template <class D, class V>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, Lane* p) const {
    Elem::StoreLanes4(d, a, b, c, e, p);
  }
};

// n <= Lanes(d) elements that lie `step` apart; the other lanes are of no meaning.
template <class Elem, class D, class T>
HWY_INLINE hn::VFromD<D> LoadStrided(const Elem& elem, D d, const T* p, int64_t step, size_t n) {
  HWY_ALIGN T lanes[HWY_MAX_LANES_D(D)] = {};
  for (size_t i = 0; i < n; ++i) lanes[i] = p[static_cast<int64_t>(i) * step];
  return elem.Load(d, lanes);
}

// The f32 nearest to lanes of f64. Highway's portable vectors know no infinity here: the largest
// f32 stands for it.
template <class D, class V = hn::VFromD<hn::Rebind<double, D>>>
HWY_INLINE hn::VFromD<D> ToF32(D d, V v) {
  const auto nearest = hn::DemoteTo(d, v);
#if HWY_TARGET == HWY_EMU128
  const hn::Rebind<double, D> d64;
  const auto beyond = hn::Ge(hn::Abs(v), hn::Set(d64, 0x1.FFFFFFp127));
  return hn::IfThenElse(hn::DemoteMaskTo(d, d64, beyond), hn::CopySign(hn::Inf(d), nearest),
                        nearest);
#else
  return nearest;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
