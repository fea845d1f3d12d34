// Elements that become terms of sums: absolute values, powers, what is left of NaN. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_MAPPED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_MAPPED_INL_H_
#undef LANEPOOL_SRC_KERNELS_MAPPED_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_MAPPED_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/half-inl.h"
#include "kernels/power-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// v^power by repeated squaring.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V IntegerPower(D d, V v, int32_t power) {
  V result = hn::Set(d, hn::TFromD<D>{1});
  for (; power > 1; power /= 2) {
    if (power % 2 != 0) result = hn::Mul(result, v);
    v = hn::Mul(v, v);
  }
  return hn::Mul(result, v);
}

// In f64, each lane rounded once.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V RealPower(D d, V v, double order) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return Power(d, v, order);
  } else {
    HWY_ALIGN float lanes[HWY_MAX_LANES_D(D)];
    const hn::Repartition<double, D> d64;
    const hn::Rebind<float, decltype(d64)> part;
    hn::Store(v, d, lanes);
    for (size_t i = 0; i < hn::Lanes(d); i += hn::Lanes(part)) {
      const auto power = Power(d64, hn::PromoteTo(d64, hn::LoadU(part, lanes + i)), order);
      hn::StoreU(ToF32(part, power), part, lanes + i);
    }
    return hn::Load(d, lanes);
  }
}

// Out of line: it is rare, and wherever elements are loaded.
template <class D, class V = hn::VFromD<D>>
HWY_NOINLINE V TermOf(D d, V v, const TapRules* rules) {
  const auto nan = hn::IsNaN(v);
  if (rules->count) return hn::IfThenZeroElse(nan, hn::Set(d, hn::TFromD<D>{1}));
  if (rules->skip_nan) v = hn::IfThenZeroElse(nan, v);
  switch (rules->kind) {
    case TapRules::kPlain:
      return v;
    case TapRules::kAbsolute:
      return hn::Abs(v);
    case TapRules::kSquare:
      return hn::Mul(v, v);
    case TapRules::kPower:
      return IntegerPower(d, hn::Abs(v), rules->power);
    case TapRules::kRealPower:
      return RealPower(d, hn::Abs(v), rules->order);
  }
  return v;
}

// M in memory (uint16_t: f16 or bf16), LaneT in registers.
template <class M, class LaneT>
class ElemMapped : public LanesInOrder {
 public:
  using Memory = M;
  using Lane = LaneT;
  using Bits = hwy::MakeUnsigned<LaneT>;

  explicit ElemMapped(const ElementRules& rules)
      : rules_(rules.taps),
        magnitude_(rules.taps->kind == TapRules::kAbsolute ? SignBit<Lane>() : 0),
        square_(rules.taps->kind == TapRules::kSquare),
        common_(rules.taps->kind <= TapRules::kSquare && !rules.taps->skip_nan &&
                !rules.taps->count),
        bfloat_(rules.taps->bfloat) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const M* p) const {
    const hn::Rebind<M, D> memory;
    return Term(d, hn::LoadU(memory, p));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const M* p, size_t n, hn::VFromD<D> other) const {
    const hn::Rebind<M, D> memory;
    return hn::IfThenElse(hn::FirstN(d, n), Term(d, LoadBytes(memory, p, n)), other);
  }

  // What Load makes of these elements.
  template <class D>
  HWY_INLINE hn::VFromD<D> Of(D d, hn::VFromD<hn::Rebind<M, D>> elements) const {
    return Term(d, elements);
  }
  template <class D, class V>
  HWY_INLINE void Load4(D d, const M* p, V& a, V& b, V& c, V& e) const {
    LoadEach4(*this, d, p, a, b, c, e);
  }

 private:
  template <class D, class VM>
  HWY_INLINE hn::VFromD<D> Term(D d, VM v) const {
    const hn::RebindToUnsigned<D> du;
    const auto wide = Wide(d, v);
    if (HWY_UNLIKELY(!common_)) return TermOf(d, wide, rules_);
    if (square_) return hn::Mul(wide, wide);
    return hn::AndNot(hn::BitCast(d, hn::Set(du, magnitude_)), wide);
  }
  template <class D, class VM>
  HWY_INLINE hn::VFromD<D> Wide(D d, VM v) const {
    if constexpr (sizeof(M) == sizeof(Lane)) {
      return v;
    } else if constexpr (sizeof(M) == 2) {
      return bfloat_ ? FromBf16(d, v) : FromF16(d, v);
    } else {
      return hn::PromoteTo(d, v);
    }
  }

  template <class T>
  static constexpr Bits SignBit() {
    return Bits{1} << (8 * sizeof(T) - 1);
  }

  const TapRules* const rules_;
  const Bits magnitude_;  // what an absolute value lacks
  const bool square_, common_, bfloat_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
