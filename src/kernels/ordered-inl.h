// Elements that are compared as signed integers of their size. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ORDERED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ORDERED_INL_H_
#undef LANEPOOL_SRC_KERNELS_ORDERED_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ORDERED_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// OrderRules for vectors of T, a signed integer.
template <class T>
class Order {
 public:
  explicit Order(const OrderRules& rules)
      : magnitude_(static_cast<T>(rules.magnitude)),
        flip_(static_cast<T>(rules.flip)),
        add_(static_cast<T>(rules.add)) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Of(D d, hn::VFromD<D> bits) const {
    const auto turned = hn::And(hn::BroadcastSignBit(bits), hn::Set(d, magnitude_));
    return hn::Add(hn::Xor(hn::Xor(bits, turned), hn::Set(d, flip_)), hn::Set(d, add_));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> BitsOf(D d, hn::VFromD<D> v) const {
    const auto bits = hn::Xor(hn::Sub(v, hn::Set(d, add_)), hn::Set(d, flip_));
    return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(d, magnitude_)));
  }

 private:
  const T magnitude_, flip_, add_;
};

// The bits of a result, canonical: one NaN and one zero.
template <class T>
class OrderedResult {
 public:
  explicit OrderedResult(const OrderRules& rules)
      : order_(rules),
        least_(static_cast<T>(rules.least)),
        most_(static_cast<T>(rules.most)),
        minus_zero_(static_cast<T>(rules.minus_zero)),
        zero_(static_cast<T>(rules.zero)),
        nan_(static_cast<T>(rules.nan)) {}

  template <class D>
  HWY_INLINE hn::MFromD<D> IsNan(D d, hn::VFromD<D> v) const {
    return hn::Or(hn::Gt(v, hn::Set(d, most_)), hn::Lt(v, hn::Set(d, least_)));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> OneZero(D d, hn::VFromD<D> v) const {
    return hn::IfThenElse(hn::Eq(v, hn::Set(d, minus_zero_)), hn::Set(d, zero_), v);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> BitsOf(D d, hn::VFromD<D> v) const {
    const auto bits = order_.BitsOf(d, OneZero(d, v));
    return hn::IfThenElse(IsNan(d, v), hn::Set(d, nan_), bits);
  }

 private:
  const Order<T> order_;
  const T least_, most_, minus_zero_, zero_, nan_;
};

template <class T>
class ElemOrdered : public LanesInOrder {
 public:
  using Memory = T;
  using Lane = T;

  explicit ElemOrdered(const ElementRules& rules) : order_(*rules.order) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const T* p) const {
    return order_.Of(d, hn::LoadU(d, p));
  }
  template <class D, class V>
  HWY_INLINE void Load4(D d, const T* p, V& a, V& b, V& c, V& e) const {
    LoadInOrder4(d, p, a, b, c, e);
    a = order_.Of(d, a);
    b = order_.Of(d, b);
    c = order_.Of(d, c);
    e = order_.Of(d, e);
  }
  template <class D, class V>
  HWY_INLINE void Load2(D d, const T* p, V& a, V& b) const {
    a = Load(d, p);
    b = Load(d, p + hn::Lanes(d));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const T* p, size_t n, hn::VFromD<D> other) const {
    return hn::IfThenElse(hn::FirstN(d, n), order_.Of(d, LoadBytes(d, p, n)), other);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadMasked(D d, const T* p, hn::MFromD<D> mask,
                                      hn::VFromD<D> other) const {
    return hn::IfThenElse(mask, order_.Of(d, hn::MaskedLoad(mask, d, p)), other);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadToAll(D d, const T* p) const {
    return order_.Of(d, hn::Set(d, *p));
  }

 private:
  const Order<T> order_;
};

template <class T>
class OutOrdered {
 public:
  using Memory = T;

  explicit OutOrdered(const ElementRules& rules) : result_(*rules.order) {}

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, T* p) const {
    hn::StoreU(result_.BitsOf(d, v), d, p);
  }
  template <class D>
  HWY_INLINE void StoreN(D d, hn::VFromD<D> v, T* p, size_t n) const {
    StoreBytes(d, result_.BitsOf(d, v), p, n);
  }
  template <class D, class V>
  HWY_INLINE void Store2(D d, V a, V b, T* p) const {
    Store(d, a, p);
    Store(d, b, p + hn::Lanes(d));
  }
  template <class D, class V>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, T* p) const {
    const size_t n = hn::Lanes(d);
    Store2(d, a, b, p);
    Store2(d, c, e, p + 2 * n);
  }

 private:
  const OrderedResult<T> result_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
