// u8 and s8: how bytes become lanes and lanes become bytes. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_BYTES_INL_H_
#undef LANEPOOL_SRC_KERNELS_BYTES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_BYTES_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What OutByte16 adds to the bytes of a job: flipping the highest of eight bits is adding 128.
HWY_INLINE uint8_t OffsetOf(const ElementRules& rules) {
  return static_cast<uint8_t>(rules.requants[0]->y_offset + rules.y_flip);
}

// Asks for the byte that lies so many behind p, which may be outside of x. What is read a few bytes
// of a row at a time is not seen coming.
HWY_INLINE void AskAhead(const uint8_t* p, int64_t bytes) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(p) + static_cast<uintptr_t>(bytes);
  hwy::Prefetch(reinterpret_cast<const uint8_t*>(at));  // NOLINT(performance-no-int-to-ptr)
}

// Bytes in memory, unsigned 16 or 32 bit lanes in registers, as terms of sums. s8 is read as
// x + 128, which is x with its highest bit flipped.
template <class LaneT>
class ElemByteSum {
 public:
  using Memory = uint8_t;
  using Lane = LaneT;

  explicit ElemByteSum(const ElementRules& rules) : flip_(rules.x_flip) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const uint8_t* p) const {
    const hn::Rebind<uint8_t, D> d8;
    return hn::Xor(hn::PromoteTo(d, hn::LoadU(d8, p)), hn::Set(d, flip_));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const uint8_t* p, size_t n, hn::VFromD<D> other) const {
    const hn::Rebind<uint8_t, D> d8;
    const auto v = hn::Xor(hn::PromoteTo(d, LoadBytes(d8, p, n)), hn::Set(d, flip_));
    return hn::IfThenElse(hn::FirstN(d, n), v, other);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadMasked(D d, const uint8_t* p, hn::MFromD<D> mask,
                                      hn::VFromD<D> other) const {
    const hn::Rebind<uint8_t, D> d8;
    const auto bytes = hn::MaskedLoad(NarrowMask(d8, d, mask), d8, p);
    const auto v = hn::Xor(hn::PromoteTo(d, bytes), hn::Set(d, flip_));
    return hn::IfThenElse(mask, v, other);
  }
  // 16-bit lanes: a and b are the even and the odd ones of the first two vectors' worth of bytes, c
  // and e of the others. That takes two loads and no shuffle.
  template <class D, class V>
  HWY_INLINE void Load4(D d, const uint8_t* p, V& a, V& b, V& c, V& e) const {
    const size_t n = hn::Lanes(d);
    if constexpr (sizeof(Lane) == 2) {
      LoadPairs(d, p, a, b);
      LoadPairs(d, p + 2 * n, c, e);
    } else {
      a = Load(d, p);
      b = Load(d, p + n);
      c = Load(d, p + 2 * n);
      e = Load(d, p + 3 * n);
    }
  }
  template <class D, class V>
  HWY_INLINE void Load2(D d, const uint8_t* p, V& a, V& b) const {
    LoadPairs(d, p, a, b);
  }
  template <class D, class V>
  static HWY_INLINE void StoreLanes4(D d, V a, V b, V c, V e, Lane* p) {
    if constexpr (sizeof(Lane) == 2) {
      const size_t n = hn::Lanes(d);
      hn::StoreInterleaved2(a, b, d, p);
      hn::StoreInterleaved2(c, e, d, p + 2 * n);
    } else {
      StoreInOrder4(d, a, b, c, e, p);
    }
  }

 private:
  template <class D, class V>
  HWY_INLINE void LoadPairs(D d, const uint8_t* p, V& even, V& odd) const {
    const hn::Repartition<uint8_t, D> d8;
    auto bytes = hn::LoadU(d8, p);
    if (flip_ != 0) bytes = hn::Xor(bytes, hn::Set(d8, flip_));
    const auto v = WideLanes(d, bytes);
    even = hn::And(v, hn::Set(d, Lane{0xFF}));
    odd = hn::ShiftRight<8>(v);
  }

  const uint8_t flip_;
};

// u8 alone, where what is not there is 0.
template <class LaneT>
class ElemPlainByteSum {
 public:
  using Memory = uint8_t;
  using Lane = LaneT;

  explicit ElemPlainByteSum(const ElementRules&) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> LoadMasked(D d, const uint8_t* p, hn::MFromD<D> mask,
                                      hn::VFromD<D>) const {
    const hn::Rebind<uint8_t, D> d8;
    return hn::PromoteTo(d, hn::MaskedLoad(NarrowMask(d8, d, mask), d8, p));
  }
};

// Bytes whose order is turned so that their maximum is what is looked for.
class ElemByteFlipped : public LanesInOrder {
 public:
  using Memory = uint8_t;
  using Lane = uint8_t;

  explicit ElemByteFlipped(const ElementRules& rules) : flip_(rules.order_flip) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const uint8_t* p) const {
    return hn::Xor(hn::LoadU(d, p), hn::Set(d, flip_));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const uint8_t* p, size_t n, hn::VFromD<D> other) const {
    const auto v = hn::Xor(LoadBytes(d, p, n), hn::Set(d, flip_));
    return hn::IfThenElse(hn::FirstN(d, n), v, other);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadMasked(D d, const uint8_t* p, hn::MFromD<D> mask,
                                      hn::VFromD<D> other) const {
    return hn::IfThenElse(mask, hn::Xor(hn::MaskedLoad(mask, d, p), hn::Set(d, flip_)), other);
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadToAll(D d, const uint8_t* p) const {
    return hn::Xor(hn::Set(d, *p), hn::Set(d, flip_));
  }
  template <class D, class V>
  HWY_INLINE void Load4(D d, const uint8_t* p, V& a, V& b, V& c, V& e) const {
    LoadInOrder4(d, p, a, b, c, e);
    const V flip = hn::Set(d, flip_);
    a = hn::Xor(a, flip);
    b = hn::Xor(b, flip);
    c = hn::Xor(c, flip);
    e = hn::Xor(e, flip);
  }

 private:
  const uint8_t flip_;
};

// u16 and s16 as terms of 32-bit sums.
class ElemShortSum : public LanesInOrder {
 public:
  using Memory = uint16_t;
  using Lane = uint32_t;

  explicit ElemShortSum(const ElementRules& rules) : flip_(rules.x_flip16) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const uint16_t* p) const {
    const hn::Rebind<uint16_t, D> d16;
    return hn::Xor(hn::PromoteTo(d, hn::LoadU(d16, p)), hn::Set(d, flip_));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const uint16_t* p, size_t n, hn::VFromD<D> other) const {
    const hn::Rebind<uint16_t, D> d16;
    const auto v = hn::Xor(hn::PromoteTo(d, LoadBytes(d16, p, n)), hn::Set(d, flip_));
    return hn::IfThenElse(hn::FirstN(d, n), v, other);
  }

  template <class D, class V>
  HWY_INLINE void Load4(D d, const uint16_t* p, V& a, V& b, V& c, V& e) const {
    LoadEach4(*this, d, p, a, b, c, e);
  }

 private:
  const uint32_t flip_;
};

// Results in 16-bit lanes: their low eight bits, to which the job's offset is added. Store4 and
// Store2 take the order of ElemByteSum, and results below 256.
class OutByte16 {
 public:
  using Memory = uint8_t;

  explicit OutByte16(const ElementRules& rules) : OutByte16(OffsetOf(rules)) {}
  explicit OutByte16(uint8_t offset) : offset_(offset) {}

  template <class D>
  HWY_INLINE void Store(D, hn::VFromD<D> v, uint8_t* p) const {
    const hn::Rebind<uint8_t, D> d8;
    hn::StoreU(hn::Add(hn::TruncateTo(d8, v), hn::Set(d8, offset_)), d8, p);
  }
  template <class D>
  HWY_INLINE void StoreN(D, hn::VFromD<D> v, uint8_t* p, size_t n) const {
    const hn::Rebind<uint8_t, D> d8;
    StoreBytes(d8, hn::Add(hn::TruncateTo(d8, v), hn::Set(d8, offset_)), p, n);
  }
  template <class D, class V>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, uint8_t* p) const {
    StorePairs(d, a, b, p);
    StorePairs(d, c, e, p + 2 * hn::Lanes(d));
  }
  template <class D, class V>
  HWY_INLINE void Store2(D d, V a, V b, uint8_t* p) const {
    StorePairs(d, a, b, p);
  }

 private:
  template <class D, class V>
  HWY_INLINE void StorePairs(D, V even, V odd, uint8_t* p) const {
    const hn::Repartition<uint8_t, D> d8;
    const auto v = NarrowLanes(d8, hn::Or(even, hn::ShiftLeft<8>(odd)));
    hn::StoreU(hn::Add(v, hn::Set(d8, offset_)), d8, p);
  }

  const uint8_t offset_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
