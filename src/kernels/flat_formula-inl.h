// From bytes to sums of their pairs and from those to results, where multiplications can tell even
// bytes from odd ones. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FLAT_FORMULA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FLAT_FORMULA_INL_H_
#undef LANEPOOL_SRC_KERNELS_FLAT_FORMULA_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FLAT_FORMULA_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A formula has, for lanes of 16 bits,
//   Load        the even and the odd bytes of a vector
//   LoadPairs   their sums; LoadEven and LoadOdd one of the two
//   Pair        the sum of an even and an odd one; each result has one pair in it, or
//   Begin       one sum that went through this
//   Put         the results of two vectors of sums, alternating
//   PutLanes    those of one vector of sums without a Pair

// Of any kind.
template <class D>
class AnyFormula {
  using V = hn::VFromD<D>;

 public:
  AnyFormula(const Requant& requant, const ElementRules& rules)
      : requant_(requant),
        elem_(rules),
        out_(static_cast<uint8_t>(requant.y_offset + rules.y_flip)) {}

  HWY_INLINE void Load(const uint8_t* p, V& even, V& odd) const { elem_.Load2(D(), p, even, odd); }
  HWY_INLINE V LoadPairs(const uint8_t* p) const {
    V even, odd;
    Load(p, even, odd);
    return hn::Add(even, odd);
  }
  HWY_INLINE V LoadEven(const uint8_t* p) const {
    V even, odd;
    Load(p, even, odd);
    return even;
  }
  HWY_INLINE V LoadOdd(const uint8_t* p) const {
    V even, odd;
    Load(p, even, odd);
    return odd;
  }
  HWY_INLINE V Pair(V even, V odd) const { return hn::Add(even, odd); }
  HWY_INLINE V Begin(V sum) const { return sum; }
  HWY_INLINE void Put(V first, V second, uint8_t* y) const {
    out_.Store2(D(), RequantSums(first, requant_), RequantSums(second, requant_), y);
  }
  HWY_INLINE void PutLanes(V sums, uint8_t* y) const {
    out_.Store(D(), RequantSums(sums, requant_), y);
  }

 private:
  const Requant requant_;
  const ElemByteSum<uint16_t> elem_;
  const OutByte16 out_;
};

// kMul16x32.
template <class D>
class Mul16x32Formula {
  using V = hn::VFromD<D>;

 public:
  static bool Knows(const Requant& q) { return q.kind == RequantKind::kMul16x32; }

  Mul16x32Formula(const Requant& q, const ElementRules& rules)
      : requant_(q), elem_(rules), out_(static_cast<uint8_t>(q.y_offset + rules.y_flip)) {}

  HWY_INLINE void Load(const uint8_t* p, V& even, V& odd) const { elem_.Load2(D(), p, even, odd); }
  HWY_INLINE V Begin(V sum) const { return sum; }
  HWY_INLINE void Put(V first, V second, uint8_t* y) const {
    out_.Store2(D(), Result(first), Result(second), y);
  }

 private:
  HWY_INLINE V Result(V sum) const {
    return Mul16x32(RequantArgument(sum, requant_), requant_, requant_.add);
  }

  const Requant requant_;
  const ElemByteSum<uint16_t> elem_;
  const OutByte16 out_;
};

// Without a clamp: formulas that round, see Requant; kMul16; and that or kMul16Even.
enum class Formula16 { kRounded, kLine, kAnyLine };

// Bytes are multiplied by 1 << pre_shift where the even ones are told from the odd ones, and pairs
// have `add` in them.
template <class D, Formula16 kFormula>
class Mul16Formula {
  using D8 = hn::Repartition<uint8_t, D>;
  using V = hn::VFromD<D>;
  static constexpr bool kIsRounded = kFormula == Formula16::kRounded;
  static constexpr bool kIsAny = kFormula == Formula16::kAnyLine;

 public:
  static bool Knows(const Requant& q) {
    if (kIsRounded) return q.rounded != 0;
    const bool one_line = q.kind == RequantKind::kMul16 && (kIsAny || q.shift <= 8);
    return q.plain != 0 && q.pre_shift < 7 &&
           (one_line || (kIsAny && q.kind == RequantKind::kMul16Even));
  }

  Mul16Formula(const Requant& q, const ElementRules& rules)
      : weight_(static_cast<uint16_t>(kIsRounded ? 1u : 1u << q.pre_shift)),
        add_(static_cast<uint16_t>(q.add)),
        more_(static_cast<uint16_t>(q.add_high - q.add)),
        multiplier_(static_cast<uint16_t>(kIsRounded ? q.rounded : q.multiplier)),
        shift_(q.shift),
        flip_(q.flip),
        x_flip_(rules.x_flip),
        y_offset_(static_cast<uint8_t>(q.y_offset + rules.y_flip)) {}

  HWY_INLINE void Load(const uint8_t* p, V& even, V& odd) const {
    const auto bytes = Bytes(p);
    even = Weigh(bytes, weight_);
    odd = Weigh(bytes, weight_ << 8);
  }
  HWY_INLINE V LoadPairs(const uint8_t* p) const { return Weigh(Bytes(p), weight_ * 0x101); }
  HWY_INLINE V LoadEven(const uint8_t* p) const { return Weigh(Bytes(p), weight_); }
  HWY_INLINE V LoadOdd(const uint8_t* p) const { return Weigh(Bytes(p), weight_ << 8); }
  HWY_INLINE V Pair(V even, V odd) const { return Begin(hn::Add(even, odd)); }
  HWY_INLINE V Begin(V sum) const { return kIsRounded ? sum : hn::Add(sum, hn::Set(D(), add_)); }
  HWY_INLINE void Put(V first, V second, uint8_t* y) const {
    const D8 d8;
    V both;
    if constexpr (kIsRounded || kIsAny) {
      both = hn::Or(Result(first), hn::ShiftLeft<8>(Result(second)));
    } else {
      const D d;
      const V product = hn::MulHigh(second, hn::Set(d, multiplier_));
      const V high = hn::ShiftLeftSame(product, 8 - shift_);
      both = hn::OrAnd(Result(first), high, hn::Set(d, uint16_t{0xFF00}));
    }
    hn::StoreU(hn::Add(NarrowLanes(d8, both), hn::Set(d8, y_offset_)), d8, y);
  }
  HWY_INLINE void PutLanes(V sums, uint8_t* y) const {
    const hn::Rebind<uint8_t, D> d8;
    const V result = Result(Begin(sums));
    hn::StoreU(hn::Add(hn::TruncateTo(d8, result), hn::Set(d8, y_offset_)), d8, y);
  }

 private:
  HWY_INLINE hn::VFromD<D8> Bytes(const uint8_t* p) const {
    const D8 d8;
    const auto bytes = hn::LoadU(d8, p);
    return x_flip_ == 0 ? bytes : hn::Xor(bytes, hn::Set(d8, x_flip_));
  }
  // Sums of pairs of bytes times the two bytes of `weights`, at most 64.
  static HWY_INLINE V Weigh(hn::VFromD<D8> bytes, int weights) {
    const D d;
    const hn::Repartition<int8_t, D> di8;
    const auto factors = NarrowLanes(di8, hn::Set(d, static_cast<uint16_t>(weights)));
    return hn::BitCast(d, hn::SatWidenMulPairwiseAdd(hn::RebindToSigned<D>(), bytes, factors));
  }
  HWY_INLINE V Result(V argument) const {
    if constexpr (kIsRounded) return Rounded(argument, multiplier_);
    const D d;
    const V multiplier = hn::Set(d, multiplier_);
    const V low = hn::ShiftRightSame(hn::MulHigh(argument, multiplier), shift_);
    if constexpr (!kIsAny) return low;
    const V more = hn::Add(argument, hn::Set(d, more_));
    const V high = hn::ShiftRightSame(hn::MulHigh(more, multiplier), shift_);
    return hn::Add(low, hn::And(hn::Sub(high, low), hn::Xor(low, hn::Set(d, flip_))));
  }

  const uint16_t weight_, add_, more_, multiplier_;
  const int shift_;
  const uint16_t flip_;
  const uint8_t x_flip_, y_offset_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
