// What taps in row-major order are folded into: one sum, or the place of a maximum. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_TAPS_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_TAPS_FOLD_INL_H_
#undef LANEPOOL_SRC_KERNELS_TAPS_FOLD_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_TAPS_FOLD_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/ordered-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A fold has Begin, then Add for each tap: v holds the tap in the lanes of `valid` and Missing() in
// the others; `at` is the tap's position, `first` tells of the first row of taps. Watch collects
// reasons to give the job up, Clean tells whether there was none.

// One sum.
template <class E>
class SumInOrder {
 public:
  using Elem = E;
  using Lane = typename E::Lane;
  using Y = Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using VY = V;

  explicit SumInOrder(const ElementRules&) {}

  // Nothing gives the job up.
  using Watched = bool;
  static HWY_INLINE bool StartWatch() { return true; }
  static HWY_INLINE bool Watch(bool clean, V) { return clean; }
  static HWY_INLINE bool Clean(bool clean) { return clean; }

  static HWY_INLINE V Missing() { return hn::Zero(D()); }
  HWY_INLINE void Begin(V& sum, VY&) const { sum = hn::Zero(D()); }
  HWY_INLINE void Add(V v, hn::MFromD<D>, int64_t, bool, V& sum, VY&) const {
    sum = hn::Add(sum, v);
  }
  static HWY_INLINE VY Result(V sum, VY) { return sum; }
};

// M as it compares, in lanes of another size. All NaN are alike, and both zeros are.
template <class M, class LaneT>
class ElemPlaced {
 public:
  using Memory = M;
  using Lane = LaneT;

  explicit ElemPlaced(const ElementRules& rules)
      : order_(*rules.order),
        least_(static_cast<M>(rules.order->least)),
        most_(static_cast<M>(rules.order->most)),
        minus_zero_(static_cast<M>(rules.order->minus_zero)),
        zero_(static_cast<M>(rules.order->zero)),
        integer_(rules.order->nan == 0),
        flip_(static_cast<M>(rules.order->flip)) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const M* p) const {
    const hn::Rebind<M, D> memory;
    return Placed(d, hn::LoadU(memory, p));
  }
  // What Load makes of these elements.
  template <class D>
  HWY_INLINE hn::VFromD<D> Of(D d, hn::VFromD<hn::Rebind<M, D>> elements) const {
    return Placed(d, elements);
  }

 private:
  template <class D, class VM>
  HWY_INLINE hn::VFromD<D> Placed(D d, VM v) const {
    const hn::Rebind<M, D> memory;
    if (integer_) return Wide(d, hn::Xor(v, hn::Set(memory, flip_)));
    v = order_.Of(memory, v);
    const auto above = hn::Gt(v, hn::Set(memory, most_));
    const auto below = hn::Lt(v, hn::Set(memory, least_));
    v = hn::IfThenElse(above, hn::Set(memory, hwy::HighestValue<M>()), v);
    v = hn::IfThenElse(below, hn::Set(memory, hwy::LowestValue<M>()), v);
    v = hn::IfThenElse(hn::Eq(v, hn::Set(memory, minus_zero_)), hn::Set(memory, zero_), v);
    return Wide(d, v);
  }
  template <class D, class VM>
  static HWY_INLINE hn::VFromD<D> Wide(D d, VM v) {
    if constexpr (sizeof(M) == sizeof(Lane)) {
      return v;
    } else {
      return hn::PromoteTo(d, v);
    }
  }

  const Order<M> order_;
  const M least_, most_, minus_zero_, zero_;
  const bool integer_;  // there is no NaN, and one zero
  const M flip_;
};

// The position of the first tap that no later one is above.
template <class E>
class PlaceOfMax {
 public:
  using Elem = E;
  using Lane = typename E::Lane;
  using D = hn::ScalableTag<Lane>;
  using DY = hn::RebindToUnsigned<D>;
  using Y = hn::TFromD<DY>;
  using V = hn::VFromD<D>;
  using VY = hn::VFromD<DY>;

  explicit PlaceOfMax(const ElementRules&) {}

  // Nothing gives the job up.
  using Watched = bool;
  static HWY_INLINE bool StartWatch() { return true; }
  static HWY_INLINE bool Watch(bool clean, V) { return clean; }
  static HWY_INLINE bool Clean(bool clean) { return clean; }

  static HWY_INLINE V Missing() { return hn::Set(D(), hwy::LowestValue<Lane>()); }
  HWY_INLINE void Begin(V& best, VY& place) const {
    best = Missing();
    place = None();
  }
  HWY_INLINE void Add(V v, hn::MFromD<D> valid, int64_t at, bool first, V& best, VY& place) const {
    const DY dy;
    auto better = hn::Gt(v, best);
    // A first tap that is as low as can be is above none.
    if (first) better = hn::Or(better, hn::And(valid, RebindMask(D(), hn::Eq(place, None()))));
    best = hn::IfThenElse(better, v, best);
    place = hn::IfThenElse(RebindMask(dy, better), hn::Set(dy, static_cast<Y>(at)), place);
  }
  static HWY_INLINE VY Result(V, VY place) { return place; }

 private:
  static HWY_INLINE VY None() { return hn::Set(DY(), hwy::HighestValue<Y>()); }
};

// The same of f32 that are not NaN: the instruction set's own order, which takes both zeros for
// one.
class PlaceOfMaxF32 {
 public:
  using Elem = ElemPlain<float>;
  using Lane = float;
  using D = hn::ScalableTag<float>;
  using DY = hn::RebindToUnsigned<D>;
  using Y = uint32_t;
  using V = hn::VFromD<D>;
  using VY = hn::VFromD<DY>;
  // What gives the job up: see PlaceOfMax.
  using Watched = hn::MFromD<D>;

  explicit PlaceOfMaxF32(const ElementRules&) {}

  static HWY_INLINE Watched StartWatch() { return hn::MaskFalse(D()); }
  static HWY_INLINE Watched Watch(Watched seen, V v) { return hn::Or(seen, hn::IsNaN(v)); }
  static HWY_INLINE bool Clean(Watched seen) { return hn::AllFalse(D(), seen); }

  static HWY_INLINE V Missing() { return hn::Neg(hn::Inf(D())); }
  HWY_INLINE void Begin(V& best, VY& place) const {
    best = Missing();
    place = None();
  }
  HWY_INLINE void Add(V v, hn::MFromD<D> valid, int64_t at, bool first, V& best, VY& place) const {
    const DY dy;
    auto better = hn::Gt(v, best);
    if (first) better = hn::Or(better, hn::And(valid, hn::RebindMask(D(), hn::Eq(place, None()))));
    best = hn::Max(best, v);
    place = hn::IfThenElse(hn::RebindMask(dy, better), hn::Set(dy, static_cast<Y>(at)), place);
  }
  static HWY_INLINE VY Result(V, VY place) { return place; }

 private:
  static HWY_INLINE VY None() { return hn::Set(DY(), hwy::HighestValue<Y>()); }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
