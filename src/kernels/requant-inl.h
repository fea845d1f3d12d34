// Finishers of bytes: the formulas of requant.h in vectors. Integer arithmetic only, so no rounding
// mode of the machine takes part. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_REQUANT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_REQUANT_INL_H_
#undef LANEPOOL_SRC_KERNELS_REQUANT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_REQUANT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// d of the formulas, in 16-bit lanes that hold the sums.
template <class V>
HWY_INLINE V RequantArgument(V sums, const Requant& q) {
  const hn::DFromV<V> d;
  if (q.plain != 0) return sums;
  const V least = hn::Set(d, static_cast<uint16_t>(q.sum_least));
  const V most = hn::Set(d, static_cast<uint16_t>(q.sum_most - q.sum_least));
  return hn::Min(hn::SaturatedSub(sums, least), most);
}

// The even and the odd lanes, by themselves in lanes twice as wide, and back.
template <class V, class DW = hn::RepartitionToWide<hn::DFromV<V>>>
HWY_INLINE void SplitPairs(V v, hn::VFromD<DW>& even, hn::VFromD<DW>& odd) {
  constexpr int kBits = 8 * sizeof(hn::TFromV<V>);
  const DW d;
  const auto pairs = WideLanes(d, v);
  even = hn::And(pairs, hn::Set(d, static_cast<hn::TFromD<DW>>((1u << kBits) - 1)));
  odd = hn::ShiftRight<kBits>(pairs);
}
// `even` must fit the narrow lanes, of `odd` the low half is taken.
template <class D, class VW>
HWY_INLINE hn::VFromD<D> JoinPairs(D d, VW even, VW odd) {
  constexpr int kBits = 8 * sizeof(hn::TFromD<D>);
  return NarrowLanes(d, hn::Or(even, hn::ShiftLeft<kBits>(odd)));
}

// high - low is 0 or 1, see Requant.
template <class V>
HWY_INLINE V SelectEven(V low, V high, const Requant& q) {
  const hn::DFromV<V> d;
  const V flip = hn::Set(d, static_cast<hn::TFromV<V>>(q.flip));
  return hn::Add(low, hn::And(hn::Sub(high, low), hn::Xor(low, flip)));
}

template <class V>
HWY_INLINE V Mul16(V argument, const Requant& q, uint64_t add) {
  const hn::DFromV<V> d;
  const V shifted = hn::Mul(argument, hn::Set(d, static_cast<uint16_t>(1u << q.pre_shift)));
  const V sum = hn::Add(shifted, hn::Set(d, static_cast<uint16_t>(add)));
  const V product = hn::MulHigh(sum, hn::Set(d, static_cast<uint16_t>(q.multiplier)));
  return hn::ShiftRightSame(product, q.shift);
}

// Products with the halves of the multiplier; where upper bits wrap, so they do in the sum.
template <class V>
HWY_INLINE V Mul16x32(V argument, const Requant& q, uint64_t add) {
  const hn::DFromV<V> d;
  const auto half = [&](uint64_t bits) HWY_ATTR { return hn::Set(d, static_cast<uint16_t>(bits)); };
  const V line = hn::Add(argument, half(add));
  const V low = hn::MulHigh(line, half(q.multiplier));
  const V high = hn::Add(hn::Mul(line, half(q.multiplier >> 16)), half(add >> 16));
  return hn::ShiftRightSame(hn::Add(low, high), q.shift);
}

template <class V>
HWY_INLINE V Mul32(V argument, const Requant& q, uint64_t add) {
  const hn::DFromV<V> d;
  const V product = hn::Mul(argument, hn::Set(d, q.multiplier));
  return hn::ShiftRightSame(hn::Add(product, hn::Set(d, static_cast<uint32_t>(add))), q.shift);
}

template <class V>
HWY_INLINE V Mul64(V argument, const Requant& q, uint64_t add) {
  const hn::DFromV<V> d;
  const hn::RepartitionToWide<decltype(d)> d64;
  const V multiplier = hn::Set(d, q.multiplier);
  const auto addend = hn::Set(d64, add);
  const auto even = hn::Add(hn::MulEven(argument, multiplier), addend);
  const auto odd = hn::Add(hn::MulOdd(argument, multiplier), addend);
  return hn::InterleaveEven(d, NarrowLanes(d, hn::ShiftRightSame(even, q.shift)),
                            NarrowLanes(d, hn::ShiftRightSame(odd, q.shift)));
}

template <class V>
HWY_INLINE V TakeSlack(V result, const Requant& q) {
  const hn::DFromV<V> d;
  if (q.slack == 0) return result;
  const V slack = hn::Set(d, uint32_t{q.slack});
  const V most = hn::Set(d, uint32_t{q.slack} + q.span);
  return hn::Sub(hn::Min(hn::Max(result, slack), most), slack);
}

// Kinds that need more than 16 bits, in 32-bit lanes.
template <class V>
HWY_INLINE V RequantInLanes32(V argument, const Requant& q) {
  switch (q.kind) {
    case RequantKind::kMul32:
      return Mul32(argument, q, q.add);
    case RequantKind::kMul32Even:
      return SelectEven(Mul32(argument, q, q.add), Mul32(argument, q, q.add_high), q);
    case RequantKind::kMul64:
      return TakeSlack(Mul64(argument, q, q.add), q);
    default:
      return SelectEven(Mul64(argument, q, q.add), Mul64(argument, q, q.add_high), q);
  }
}

// `q` by value: behind a pointer it would be loaded again after every store of a byte.
template <class D>
HWY_NOINLINE hn::VFromD<D> RequantRarely(D d, hn::VFromD<D> argument, Requant q) {
  if (q.kind == RequantKind::kMul16x32Even) {
    return SelectEven(Mul16x32(argument, q, q.add), Mul16x32(argument, q, q.add_high), q);
  }
  hn::VFromD<hn::RepartitionToWide<D>> even, odd;
  SplitPairs(argument, even, odd);
  return JoinPairs(d, RequantInLanes32(even, q), RequantInLanes32(odd, q));
}

// The result for sums in 16-bit lanes, without y_offset. Any kind but kSteps.
template <class V>
HWY_INLINE V RequantSums(V sums, const Requant& q) {
  const hn::DFromV<V> d;
  const V argument = RequantArgument(sums, q);
  if (q.kind <= RequantKind::kMul16Even) {
    const V low = Mul16(argument, q, q.add);
    if (q.kind == RequantKind::kMul16) return low;
    return SelectEven(low, Mul16(argument, q, q.add_high), q);
  }
  if (q.kind == RequantKind::kMul16x32) return Mul16x32(argument, q, q.add);
  return RequantRarely(d, argument, q);
}

// Calls formula(d of the sums) for lanes [0, count) and keeps the results of the lanes whose class
// is `own`. See RequantClass.
template <class Formula>
HWY_INLINE void RequantLanes(const Requant& q, uint16_t offset, uint16_t own, uint16_t* lanes,
                             const uint16_t* classes, int64_t class_step, int64_t count,
                             const Formula& formula) {
  const hn::ScalableTag<uint16_t> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const auto least = hn::Set(d, static_cast<uint16_t>(q.plain != 0 ? 0 : q.sum_least));
  const auto most =
      hn::Set(d, static_cast<uint16_t>(q.plain != 0 ? 0xFFFFu : q.sum_most - q.sum_least));
  const auto own_class = hn::Set(d, own);
  const auto add = hn::Set(d, offset);
  for (int64_t i = 0; i < count; i += n, classes += class_step) {
    const auto sums = hn::Load(d, lanes + i);
    const auto result = formula(hn::Min(hn::SaturatedSub(sums, least), most));
    const auto mask = hn::Eq(hn::LoadU(d, classes), own_class);
    hn::Store(hn::IfThenElse(mask, hn::Add(result, add), sums), d, lanes + i);
  }
}

// In place: of `count` lanes, in whole vectors, those of class `own` become results in their low
// eight bits, less what OutByte16 adds. Each vector has its classes class_step further. A loop per
// kind, so that none is chosen inside.
inline HWY_NOINLINE void RequantClass(const Requant q, const ElementRules rules, uint16_t own,
                                      uint16_t* lanes, const uint16_t* classes, int64_t class_step,
                                      int64_t count) {
  const uint16_t offset = static_cast<uint16_t>(q.y_offset - rules.requants[0]->y_offset);
  const auto run = [&](const auto& formula) HWY_ATTR {
    RequantLanes(q, offset, own, lanes, classes, class_step, count, formula);
  };
  switch (q.kind) {
    case RequantKind::kMul16:
      return run([&](auto v) HWY_ATTR { return Mul16(v, q, q.add); });
    case RequantKind::kMul16Even:
      return run([&](auto v) HWY_ATTR {
        return SelectEven(Mul16(v, q, q.add), Mul16(v, q, q.add_high), q);
      });
    case RequantKind::kMul16x32:
      return run([&](auto v) HWY_ATTR { return Mul16x32(v, q, q.add); });
    default:
      return run([&](auto v) HWY_ATTR { return RequantRarely(hn::DFromV<decltype(v)>(), v, q); });
  }
}

// In place: `count` lanes, in whole vectors, become results without y_offset. Out of line, by
// value: see RequantRarely.
inline HWY_NOINLINE void RequantAll(const Requant q, uint16_t* lanes, int64_t count) {
  const hn::ScalableTag<uint16_t> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < count; i += n) {
    hn::Store(RequantSums(hn::Load(d, lanes + i), q), d, lanes + i);
  }
}

// Sums in 16-bit lanes.
class RequantSum {
 public:
  // Jobs of sums always have one.
  RequantSum(const Divisor&, const ElementRules& rules)
      : requant_(*rules.requants[0]) {}  // NOLINT(clang-analyzer-core.NullDereference)

  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    return RequantSums(v, requant_);
  }

  class Rows {
   public:
    static constexpr bool kBlocks = true;

    explicit Rows(const SlideRowsJob& job) : job_(job), requant_(*job.rules.requants[0]) {}

    template <class D>
    HWY_INLINE void Prepare(D) {}
    template <class D, class V>
    HWY_INLINE void Begin(D d, int64_t i, V& classes, V&) {
      const int64_t end = HWY_MIN(i + static_cast<int64_t>(hn::Lanes(d)), job_.lanes);
      alike_ = job_.uniform_begin <= i && end <= job_.uniform_end;
      const hn::Rebind<uint8_t, D> d8;
      if (!alike_) classes = hn::PromoteTo(d, hn::LoadU(d8, job_.classes + i));
    }
    HWY_INLINE bool Alike() const { return alike_; }
    template <class D, class V, class S>
    HWY_INLINE V Apply(D, V v, V, V, size_t, S&) const {
      return RequantSums(v, requant_);
    }
    // In place.
    template <class D, class V>
    HWY_INLINE void ApplyBlock(D d, V classes, int64_t rows, uint16_t* block) const {
      HWY_ALIGN uint16_t own[HWY_MAX_LANES_D(D)];
      hn::Store(classes, d, own);
      const int64_t count = rows * static_cast<int64_t>(hn::Lanes(d));
      for (int32_t i = 0; i < job_.class_count; ++i) {
        const uint16_t number = static_cast<uint16_t>(i);
        if (hn::AllFalse(d, hn::Eq(classes, hn::Set(d, number)))) continue;
        RequantClass(*job_.rules.requants[i], job_.rules, number, block, own, 0, count);
      }
    }

   private:
    const SlideRowsJob& job_;
    const Requant requant_;
    bool alike_ = true;
  };

  class Planes {
   public:
    explicit Planes(const PlanesJob& job) : job_(job) {}

    template <class D, class V>
    HWY_INLINE void Begin(D d, int64_t lane, V& classes) {
      const hn::Rebind<uint8_t, D> d8;
      classes = hn::PromoteTo(d, hn::LoadU(d8, job_.w_classes + lane));
    }
    HWY_INLINE void BeginPlane() {}
    template <class D, class V>
    HWY_INLINE void Row(D, int64_t row, V, V&, V&) {
      requants_ = job_.rules.requants + job_.h_classes[row] * job_.class_count;
    }
    template <class V, class S>
    HWY_INLINE V Apply(V v, V classes, V, V, S&) const {
      const hn::DFromV<V> d;
      V result = v;
      for (int32_t i = 0; i < job_.class_count; ++i) {
        const auto own = hn::Eq(classes, hn::Set(d, static_cast<uint16_t>(i)));
        if (hn::AllFalse(d, own)) continue;
        const Requant& q = *requants_[i];
        const int32_t offset = q.y_offset - job_.rules.requants[0]->y_offset;
        const V sums = hn::Add(RequantSums(v, q), hn::Set(d, static_cast<uint16_t>(offset)));
        result = hn::IfThenElse(own, sums, result);
      }
      return result;
    }

   private:
    const PlanesJob& job_;
    const Requant* const* requants_ = nullptr;
  };

 private:
  const Requant requant_;
};

// The same for one kind only, mul16 or mul16x32: loops that need not ask are faster.
template <RequantKind kKind>
class RequantSumBy {
 public:
  RequantSumBy(const Divisor&, const ElementRules& rules) : requant_(*rules.requants[0]) {}

  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    const V argument = RequantArgument(v, requant_);
    if constexpr (kKind == RequantKind::kMul16) return Mul16(argument, requant_, requant_.add);
    return Mul16x32(argument, requant_, requant_.add);
  }

 private:
  const Requant requant_;
};

// The same for formulas with `rounded`, see Requant: one multiplication.
template <class V>
HWY_INLINE V Rounded(V sums, uint16_t multiplier) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto factor = hn::Set(di, static_cast<int16_t>(multiplier));
  return hn::BitCast(d, hn::MulFixedPoint15(hn::BitCast(di, sums), factor));
}
class RequantSumRounded {
 public:
  RequantSumRounded(const Divisor&, const ElementRules& rules)
      : multiplier_(rules.requants[0]->rounded) {}

  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    return Rounded(v, multiplier_);
  }

 private:
  const uint16_t multiplier_;
};

// Maxima of bytes whose order was turned, see ElemByteFlipped. Without a Requant they stay as they
// are.
template <class D>
HWY_NOINLINE hn::VFromD<D> RequantMaxima(D d, hn::VFromD<D> v, ElementRules rules) {
  const hn::RebindToUnsigned<D> d8;
  const hn::RepartitionToWide<decltype(d8)> d16;
  const auto x = hn::Xor(hn::BitCast(d8, v), hn::Set(d8, rules.x_flip));
  const Requant requant = *rules.requants[0];
  hn::VFromD<decltype(d16)> even, odd;
  SplitPairs(x, even, odd);
  const auto y = JoinPairs(d8, RequantSums(even, requant), RequantSums(odd, requant));
  return hn::BitCast(d, hn::Add(y, hn::Set(d8, OffsetOf(rules))));
}

class RequantMax {
 public:
  using Rows = AlikeRows<RequantMax>;
  using Planes = AlikePlanes<RequantMax>;

  RequantMax(const Divisor&, const ElementRules& rules)
      : rules_(rules),
        flip_(rules.order_flip),
        requants_(rules.requants != nullptr && rules.requants[0] != nullptr) {}

  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    const V bytes = hn::Xor(v, hn::Set(hn::DFromV<V>(), flip_));
    if (HWY_LIKELY(!requants_)) return bytes;
    return RequantMaxima(hn::DFromV<V>(), bytes, rules_);
  }

 private:
  const ElementRules rules_;
  const uint8_t flip_;
  const bool requants_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
