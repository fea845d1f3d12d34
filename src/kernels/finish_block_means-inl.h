// How sums of blocks become averages of bytes. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_BLOCK_MEANS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_BLOCK_MEANS_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_BLOCK_MEANS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_BLOCK_MEANS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/finish_blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Divisors of averages of bytes, which are integers that f32 holds, and their reciprocals.
class BlockDivisors : public BlockCounts<uint32_t> {
 public:
  using Memory = uint8_t;

  explicit BlockDivisors(const BlocksJob& job)
      : BlockCounts<uint32_t>(job), rules_(*job.rules.mean), flip_(job.y_flip) {}

  template <class D>
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes) {
    const hn::RebindToFloat<D> df;
    BlockCounts<uint32_t>::BeginLine(d, line, lane, lanes);
    auto most = hn::Zero(df), least = hn::Inf(df);
    for (size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      const auto counts = hn::Load(df, of_lanes_ + i);
      most = hn::Max(most, counts);
      least = hn::Min(least, counts);
      hn::Store(hn::Div(hn::Set(df, 1.0f), counts), df, reciprocals_ + i);
    }
    most_ = hn::ReduceMax(df, most);
    lanes_differ_ = hn::ReduceMin(df, least) != most_;
  }

 protected:
  // Integers to bytes, between limits. Bytes saturate anyway.
  template <class D16, class D8 = hn::Rebind<uint8_t, D16>>
  HWY_INLINE void StoreSums(D16 d16, hn::VFromD<D16> v, uint8_t* to, bool whole, size_t n) const {
    const D8 d8;
    const auto bytes = hn::Xor(hn::DemoteTo(d8, Limited(d16, v)), hn::Set(d8, flip_));
    if (HWY_LIKELY(whole)) {
      hn::StoreU(bytes, d8, to);
    } else {
      StoreBytes(d8, bytes, to, n);
    }
  }
  // Two vectors.
  template <class D16, class V16 = hn::VFromD<D16>>
  HWY_INLINE void StoreSums2(D16 d16, V16 low, V16 high, uint8_t* to) const {
    const hn::Repartition<uint8_t, D16> d8;
    const auto bytes = hn::OrderedDemote2To(d8, Limited(d16, low), Limited(d16, high));
    hn::StoreU(hn::Xor(bytes, hn::Set(d8, flip_)), d8, to);
  }

  const MeanRules rules_;
  const uint8_t flip_;
  float most_ = 0;  // of what lanes count
  bool lanes_differ_ = false;
  HWY_ALIGN float reciprocals_[4 * kBlockLineBytes / sizeof(uint32_t)];

 private:
  template <class D16>
  HWY_INLINE hn::VFromD<D16> Limited(D16 d16, hn::VFromD<D16> v) const {
    if (HWY_LIKELY(!rules_.limited)) return v;
    return hn::Min(hn::Max(v, hn::Set(d16, static_cast<int16_t>(rules_.least))),
                   hn::Set(d16, static_cast<int16_t>(rules_.most)));
  }
};

// Averages of bytes from their sums. Numerators, and products of results and divisors, are integers
// that f32 holds: see DividesMeans. The floating-point environment has no say, whatever it rounds
// to.
class BlockMeans : public BlockDivisors {
 public:
  enum Way { kNoHalves, kUnits12, kRemainder };
  struct Counts {
    float count, reciprocal;
    Way way;
  };

  explicit BlockMeans(const BlocksJob& job)
      : BlockDivisors(job),
        bias_((rules_.ties == MeanRules::kOdd ? 1.5f : 0.5f) * kUnits - 0.5f),
        add_(rules_.add - (rules_.ties == MeanRules::kOdd ? 1 : 0)) {}

  HWY_INLINE Counts Output(int64_t o) const {
    const float count = BlockCounts<uint32_t>::Output(o);
    const float over = count * rules_.over, divisor = over * most_;
    // The reciprocal of lanes that differ is the product of two.
    const float few = lanes_differ_ ? kFewOfLanes : kFew;
    if (divisor > few) return {count, 1.0f / over, kRemainder};
    if (lanes_differ_) return {count, kUnits / over, kUnits12};
    if (static_cast<int32_t>(divisor) % 2 != 0) return {count, 1.0f / divisor, kNoHalves};
    return {count, kUnits / divisor, kUnits12};
  }

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, const Counts& counts, uint8_t* to,
                        bool whole, size_t n) const {
    const hn::Rebind<int16_t, D> d16;
    const auto means = hn::DemoteTo(d16, Mean(d, v, static_cast<size_t>(i), counts));
    StoreSums(d16, hn::SaturatedAdd(means, Shift(d16, counts)), to, whole, n);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, const Counts& counts, uint8_t* to) const {
    const hn::Repartition<int16_t, D> d16;
    const size_t n = hn::Lanes(d);
    const auto low = hn::OrderedDemote2To(d16, Mean(d, a, 0, counts), Mean(d, b, n, counts));
    const auto high =
        hn::OrderedDemote2To(d16, Mean(d, c, 2 * n, counts), Mean(d, e, 3 * n, counts));
    const auto shift = Shift(d16, counts);
    StoreSums2(d16, hn::SaturatedAdd(low, shift), hn::SaturatedAdd(high, shift), to);
  }

 private:
  // Where divisors are few enough, quotients are in units of 2^-12 and so near that they are cut
  // off to the very unit below the half where they are one, and to another one where they are not.
  // That takes an error e below 1/2, and divisors up to 2^12 / (1 + 2 * e). Reciprocals are off by
  // less than 2^-23 of themselves, which makes 1/8 in the result, products of two by three times
  // that, products with sums by 1/16, and sums with the bias by 1/8.
  static constexpr int kUnitBits = 12;
  static constexpr float kUnits = 1 << kUnitBits;
#if HWY_NATIVE_FMA
  static constexpr float kFew = kCompact ? 0 : 2730, kFewOfLanes = kCompact ? 0 : 2048;
#else
  static constexpr float kFew = kCompact ? 0 : 2520, kFewOfLanes = 0;
#endif

  // Where it is beyond all bytes, cut to what is just so.
  template <class DF, class V = hn::VFromD<DF>>
  HWY_INLINE V Numerator(DF df, V sum, size_t i, float count) const {
    const V of_lanes = hn::Load(df, of_lanes_ + i);
    const V base = hn::Mul(of_lanes, hn::Set(df, count * rules_.base));
    const V most = hn::Mul(of_lanes, hn::Set(df, 256 * count * rules_.over));
    sum = hn::MulAdd(sum, hn::Set(df, rules_.times), base);
    return hn::Min(hn::Max(sum, hn::Zero(df)), most);
  }

  // In lanes of 32 bits the mean, but for Shift.
  template <class D>
  HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> Mean(D, hn::VFromD<D> v, size_t i,
                                                    const Counts& counts) const {
    const hn::RebindToFloat<D> df;
    const hn::RebindToSigned<D> di;
    auto sum = hn::ConvertTo(df, hn::BitCast(di, v));
    if (!kCompact && rules_.exceeds) sum = Numerator(df, sum, i, counts.count);
    auto reciprocal = hn::Set(df, counts.reciprocal);
    if (!kCompact && counts.way == kNoHalves) {
      return hn::ConvertInRangeTo(di, hn::MulAdd(sum, reciprocal, hn::Set(df, 0.5f)));
    }
    if (!kCompact && HWY_LIKELY(counts.way == kUnits12)) {
      if (lanes_differ_) reciprocal = hn::Mul(reciprocal, hn::Load(df, reciprocals_ + i));
      const auto units = hn::ConvertInRangeTo(di, hn::MulAdd(sum, reciprocal, hn::Set(df, bias_)));
      // One unit more takes halves to the integer above.
      const auto y = hn::ShiftRight<kUnitBits>(units);
      const auto one = hn::Set(di, 1);
      auto up = hn::And(y, one);
      if (HWY_UNLIKELY(rules_.ties == MeanRules::kUp)) {
        up = hn::IfThenElseZero(hn::Ge(y, hn::Set(di, rules_.least_up)), one);
      }
      return hn::ShiftRight<kUnitBits>(hn::Add(units, up));
    }
    const auto over = hn::Set(df, counts.count * rules_.over);
    const auto divisor = hn::Mul(hn::Load(df, of_lanes_ + i), over);
    reciprocal = hn::Mul(hn::Load(df, reciprocals_ + i), reciprocal);
    // A little below the integer nearest to the quotient, or that and one half: it is cut off to
    // the nearest one or, close to a half, the one below. The remainder tells.
    const auto near = hn::MulAdd(sum, reciprocal, hn::Set(df, 0.5f - 0x1p-11f));
    const auto y = hn::ConvertInRangeTo(di, near);
    const auto rest = hn::NegMulAdd(hn::ConvertTo(df, y), divisor, sum);
    const auto above = hn::Gt(hn::Add(hn::Add(rest, rest), TieIsUp(df, y)), divisor);
    return hn::Sub(y, hn::VecFromMask(di, hn::RebindMask(di, above)));
  }

  // 1 where a half above y goes up, else 0.
  template <class DF, class VI>
  HWY_INLINE hn::VFromD<DF> TieIsUp(DF df, VI y) const {
    const hn::DFromV<VI> di;
    const auto one = hn::Set(df, 1.0f);
    if (HWY_UNLIKELY(rules_.ties == MeanRules::kUp)) {
      return hn::IfThenElseZero(hn::RebindMask(df, hn::Ge(y, hn::Set(di, rules_.least_up))), one);
    }
    const auto odd = hn::Xor(y, hn::Set(di, rules_.ties == MeanRules::kOdd ? 1 : 0));
    return hn::IfThenElseZero(hn::RebindMask(df, hn::TestBit(odd, hn::Set(di, 1))), one);
  }

  // By the zero points.
  template <class D16>
  HWY_INLINE hn::VFromD<D16> Shift(D16 d16, const Counts& counts) const {
    return hn::Set(d16, static_cast<int16_t>(counts.way == kUnits12 ? add_ : rules_.add));
  }

  // Halves go to the even integer above or below: in means that are one more that is the odd one.
  const float bias_;
  const int32_t add_;
};

// Averages of bytes of two scales that are no fraction of small numbers: what comes too near to a
// tie, one in a thousand, is settled by the job's rules. Results are in units of 2^-14 and off by
// at most `doubt_` - 1 of them: five roundings of the quotient, at most 255 * ratio, one of the
// offset, and one of both, by 2^-23 each.
class BlockQuotients : public BlockDivisors {
 public:
  struct Counts {
    float count, factor;
  };

  explicit BlockQuotients(const BlocksJob& job)
      : BlockDivisors(job),
        offset_((rules_.base + 0.5f) * kUnits),
        doubt_(static_cast<int32_t>((2040 * rules_.times + 512) * (kUnits * 0x1p-23f)) + 3) {}

  HWY_INLINE Counts Output(int64_t o) const {
    const float count = BlockCounts<uint32_t>::Output(o);
    return {count, rules_.times * kUnits / (lanes_differ_ ? count : count * most_)};
  }

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, const Counts& counts, uint8_t* to,
                        bool whole, size_t n) {
    const hn::Rebind<int16_t, D> d16;
    const auto units = Units(d, v, static_cast<size_t>(i), counts);
    StoreSums(d16, hn::DemoteTo(d16, hn::ShiftRight<kUnitBits>(units)), to, whole, n);
    if (HWY_LIKELY(!AnyDoubtful(Doubt(units)))) return;
    Settle(d, v, units, counts.count, static_cast<size_t>(i), whole ? hn::Lanes(d) : n, to);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, const Counts& counts, uint8_t* to) {
    const hn::Repartition<int16_t, D> d16;
    const size_t n = hn::Lanes(d);
    const auto ua = Units(d, a, 0, counts), ub = Units(d, b, n, counts);
    const auto uc = Units(d, c, 2 * n, counts), ue = Units(d, e, 3 * n, counts);
    StoreSums2(
        d16,
        hn::OrderedDemote2To(d16, hn::ShiftRight<kUnitBits>(ua), hn::ShiftRight<kUnitBits>(ub)),
        hn::OrderedDemote2To(d16, hn::ShiftRight<kUnitBits>(uc), hn::ShiftRight<kUnitBits>(ue)),
        to);
    const auto doubt = hn::Min(hn::Min(Doubt(ua), Doubt(ub)), hn::Min(Doubt(uc), Doubt(ue)));
    if (HWY_LIKELY(!AnyDoubtful(doubt))) return;
    Settle(d, a, ua, counts.count, 0, n, to);
    Settle(d, b, ub, counts.count, n, n, to + n);
    Settle(d, c, uc, counts.count, 2 * n, n, to + 2 * n);
    Settle(d, e, ue, counts.count, 3 * n, n, to + 3 * n);
  }

 private:
  static constexpr int kUnitBits = 16;
  static constexpr float kUnits = 1 << kUnitBits;

  template <class D>
  HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> Units(D, hn::VFromD<D> v, size_t i,
                                                     const Counts& counts) const {
    const hn::RebindToFloat<D> df;
    const hn::RebindToSigned<D> di;
    const auto sum = hn::ConvertTo(df, hn::BitCast(di, v));
    auto factor = hn::Set(df, counts.factor);
    if (lanes_differ_) factor = hn::Mul(factor, hn::Load(df, reciprocals_ + i));
    return hn::ConvertInRangeTo(di, hn::MulAdd(sum, factor, hn::Set(df, offset_)));
  }
  // Less than 2 * doubt_: too near to a tie.
  template <class V>
  HWY_INLINE V Doubt(V units) const {
    const hn::DFromV<V> di;
    return hn::And(hn::Add(units, hn::Set(di, doubt_)), hn::Set(di, (1 << kUnitBits) - 1));
  }
  template <class V>
  HWY_INLINE bool AnyDoubtful(V doubt) const {
    const hn::DFromV<V> di;
    return !hn::AllFalse(di, hn::Lt(doubt, hn::Set(di, 2 * doubt_)));
  }
  // Those of the first n lanes, whose divisors are from lane i on, that are doubtful.
  template <class D, class VI>
  HWY_INLINE void Settle(D d, hn::VFromD<D> v, VI units, float count, size_t i, size_t n,
                         uint8_t* to) {
    const hn::DFromV<VI> di;
    hn::Store(v, d, sums_);
    uint8_t bits[8] = {};
    hn::StoreMaskBits(di, hn::Lt(Doubt(units), hn::Set(di, 2 * doubt_)), bits);
    for (size_t lane = 0; lane < n; lane += 8) {
      if (bits[lane / 8] != 0)
        SettleLanes(bits[lane / 8], lane, HWY_MIN(n, lane + 8), i, count, to);
    }
  }
  HWY_NOINLINE void SettleLanes(uint32_t bits, size_t lane, size_t end, size_t i, float count,
                                uint8_t* to) const {
    for (; bits != 0 && lane < end; ++lane, bits >>= 1) {
      if ((bits & 1) == 0) continue;
      const int64_t divisor = static_cast<int64_t>(count * of_lanes_[i + lane]);
      const int32_t y = rules_.settle(rules_.settler, sums_[lane], divisor, to[lane] ^ flip_);
      to[lane] = static_cast<uint8_t>(y ^ flip_);
    }
  }

  const float offset_;
  const int32_t doubt_;
  HWY_ALIGN uint32_t sums_[kBlockLineBytes / sizeof(uint32_t)];
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
