// f16 and bf16: 16 bits in memory, f32 in registers. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_HALF_INL_H_
#undef LANEPOOL_SRC_KERNELS_HALF_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_HALF_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"

// Instructions between f16 and f32 that keep subnormal numbers and round to nearest even.
#undef LANEPOOL_NATIVE_F16
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64
#define LANEPOOL_NATIVE_F16 1
#else
#define LANEPOOL_NATIVE_F16 0
#endif
// Without, it is long code wherever it is inlined.
#undef LANEPOOL_F16_INLINE
#if LANEPOOL_NATIVE_F16
#define LANEPOOL_F16_INLINE HWY_INLINE
#else
#define LANEPOOL_F16_INLINE HWY_NOINLINE
#endif

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// D is of f32; V16 is a vector of as many uint16_t.

template <class D, class V16>
HWY_INLINE hn::VFromD<D> FromBf16(D d, V16 bits) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
}

template <class D, class V16>
LANEPOOL_F16_INLINE hn::VFromD<D> FromF16(D d, V16 bits) {
#if LANEPOOL_NATIVE_F16
  const hn::Rebind<hwy::float16_t, D> df16;
  return hn::PromoteTo(d, hn::BitCast(df16, bits));
#else
  // The exponent is read as one of f32, which a product puts right; infinities and NaN are apart.
  const hn::RebindToUnsigned<D> du;
  const auto wide = hn::PromoteTo(du, bits);
  const auto magnitude = hn::And(wide, hn::Set(du, 0x7FFFu));
  const auto sign = hn::ShiftLeft<16>(hn::Xor(wide, magnitude));
  const auto small = hn::BitCast(d, hn::ShiftLeft<13>(magnitude));
  const auto number = hn::BitCast(du, hn::Mul(small, hn::Set(d, 0x1p112f)));
  const auto special = hn::Or(hn::ShiftLeft<13>(magnitude), hn::Set(du, 0x7F800000u));
  const auto finite = hn::Lt(magnitude, hn::Set(du, 0x7C00u));
  return hn::BitCast(d, hn::Or(sign, hn::IfThenElse(finite, number, special)));
#endif
}

// Rounding is to nearest, ties to even. NaN must be the canonical one.

// The upper half of each lane is the bf16.
template <class D>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<D>> RoundedBf16(D, hn::VFromD<D> v) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
  return hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFFu)));
}

template <class D>
HWY_INLINE hn::VFromD<hn::Rebind<uint16_t, D>> ToBf16(D d, hn::VFromD<D> v) {
  const hn::Rebind<uint16_t, D> d16;
  return hn::TruncateTo(d16, hn::ShiftRight<16>(RoundedBf16(d, v)));
}

template <class D>
LANEPOOL_F16_INLINE hn::VFromD<hn::Rebind<uint16_t, D>> ToF16(D d, hn::VFromD<D> v) {
  const hn::Rebind<uint16_t, D> d16;
#if LANEPOOL_NATIVE_F16
  const hn::Rebind<hwy::float16_t, D> df16;
  (void)d;
  return hn::BitCast(d16, hn::DemoteTo(df16, v));
#else
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, v);
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFFFFFu));
  const auto sign = hn::ShiftRight<16>(hn::Xor(bits, magnitude));
  const auto odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(du, 1u));
  const auto rounded = hn::Add(hn::Add(magnitude, hn::Set(du, 0xFFFu)), odd);
  auto result = hn::ShiftRight<13>(hn::Sub(rounded, hn::Set(du, 112u << 23)));
  // One half has the last place of the subnormal numbers of f16: the sum rounds to it.
  const auto half = hn::Set(d, 0.5f);
  const auto sum = hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), half));
  const auto subnormal = hn::Sub(sum, hn::BitCast(du, half));
  result = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 113u << 23)), subnormal, result);
  const auto infinite = hn::Ge(magnitude, hn::Set(du, 0x477FF000u));
  result = hn::IfThenElse(infinite, hn::Set(du, 0x7C00u), result);
  const auto nan = hn::Gt(magnitude, hn::Set(du, 0x7F800000u));
  result = hn::IfThenElse(nan, hn::Set(du, 0x7E00u), result);
  return hn::TruncateTo(d16, hn::Or(sign, result));
#endif
}

template <HalfType kType>
struct ElemHalf {
  using Memory = uint16_t;
  using Lane = float;

  explicit ElemHalf(const ElementRules&) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const uint16_t* p) const {
    const hn::Rebind<uint16_t, D> d16;
    return Wide(d, hn::LoadU(d16, p));
  }
  // bf16: a and b are the even and the odd ones of the first two vectors' worth of elements, c and
  // e of the others. That takes no shuffle.
  template <class D, class V>
  HWY_INLINE void Load4(D d, const uint16_t* p, V& a, V& b, V& c, V& e) const {
    if constexpr (kType == kBfloat16) {
      LoadPairs(d, p, a, b);
      LoadPairs(d, p + 2 * hn::Lanes(d), c, e);
    } else {
      LoadEach4(*this, d, p, a, b, c, e);
    }
  }
  template <class D, class V>
  HWY_INLINE void Load2(D d, const uint16_t* p, V& a, V& b) const {
    if constexpr (kType == kBfloat16) {
      LoadPairs(d, p, a, b);
    } else {
      a = Load(d, p);
      b = Load(d, p + hn::Lanes(d));
    }
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const uint16_t* p, size_t n, hn::VFromD<D> other) const {
    const hn::Rebind<uint16_t, D> d16;
    return hn::IfThenElse(hn::FirstN(d, n), Wide(d, LoadBytes(d16, p, n)), other);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadMasked(D d, const uint16_t* p, hn::MFromD<D> mask,
                                      hn::VFromD<D> other) const {
    const hn::Rebind<uint16_t, D> d16;
    const auto bits = hn::MaskedLoad(NarrowMask(d16, d, mask), d16, p);
    return hn::IfThenElse(mask, Wide(d, bits), other);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadToAll(D d, const uint16_t* p) const {
    return Wide(d, hn::Set(hn::Rebind<uint16_t, D>(), *p));
  }
  template <class D, class V>
  static HWY_INLINE void StoreLanes4(D d, V a, V b, V c, V e, Lane* p) {
    if constexpr (kType == kBfloat16) {
      hn::StoreInterleaved2(a, b, d, p);
      hn::StoreInterleaved2(c, e, d, p + 2 * hn::Lanes(d));
    } else {
      StoreInOrder4(d, a, b, c, e, p);
    }
  }

 private:
  template <class D, class V>
  static HWY_INLINE void LoadPairs(D d, const uint16_t* p, V& even, V& odd) {
    const hn::Repartition<uint16_t, D> d16;
    const hn::RebindToUnsigned<D> du;
    const auto bits = WideLanes(du, hn::LoadU(d16, p));
    even = hn::BitCast(d, hn::ShiftLeft<16>(bits));
    odd = hn::BitCast(d, hn::And(bits, hn::Set(du, 0xFFFF0000u)));
  }
  template <class D, class V16>
  static HWY_INLINE hn::VFromD<D> Wide(D d, V16 bits) {
    if constexpr (kType == kBfloat16) {
      return FromBf16(d, bits);
    } else {
      return FromF16(d, bits);
    }
  }
};

template <HalfType kType>
struct OutHalf {
  using Memory = uint16_t;

  explicit OutHalf(const ElementRules&) {}

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, uint16_t* p) const {
    const hn::Rebind<uint16_t, D> d16;
    hn::StoreU(Narrow(d, v), d16, p);
  }
  template <class D>
  HWY_INLINE void StoreN(D d, hn::VFromD<D> v, uint16_t* p, size_t n) const {
    const hn::Rebind<uint16_t, D> d16;
    StoreBytes(d16, Narrow(d, v), p, n);
  }
  template <class D, class V>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, uint16_t* p) const {
    const size_t n = hn::Lanes(d);
    if constexpr (kType == kBfloat16) {
      StorePairs(d, a, b, p);
      StorePairs(d, c, e, p + 2 * n);
      return;
    }
    Store(d, a, p);
    Store(d, b, p + n);
    Store(d, c, p + 2 * n);
    Store(d, e, p + 3 * n);
  }

  template <class D, class V>
  HWY_INLINE void Store2(D d, V a, V b, uint16_t* p) const {
    if constexpr (kType == kBfloat16) {
      StorePairs(d, a, b, p);
    } else {
      Store(d, a, p);
      Store(d, b, p + hn::Lanes(d));
    }
  }

 private:
  template <class D, class V>
  static HWY_INLINE void StorePairs(D d, V even, V odd, uint16_t* p) {
    const hn::Repartition<uint16_t, D> d16;
    const auto low = hn::ShiftRight<16>(RoundedBf16(d, even));
    const auto high = RoundedBf16(d, odd);
    hn::StoreU(hn::OddEven(NarrowLanes(d16, high), NarrowLanes(d16, low)), d16, p);
  }
  template <class D>
  static HWY_INLINE hn::VFromD<hn::Rebind<uint16_t, D>> Narrow(D d, hn::VFromD<D> v) {
    if constexpr (kType == kBfloat16) {
      return ToBf16(d, v);
    } else {
      return ToF16(d, v);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
