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

  // Where stores of some bytes are short code. Of four vectors only so many are stored then.
  static constexpr bool kStoresSome = !kCompact && !HWY_MEM_OPS_MIGHT_FAULT;
  void StoreOf4(size_t n) { some_ = n; }

  explicit BlockDivisors(const BlocksJob& job)
      : BlockCounts<uint32_t>(job), rules_(*job.rules.mean), flip_(job.y_flip) {}

  template <class D>
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes) {
    const hn::RebindToFloat<D> df;
    BlockCounts<uint32_t>::BeginLine(d, line, lane, lanes);
    auto most = hn::Zero(df), least = hn::Inf(df);
    lanes_ = lanes;
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
  // Two vectors. kAll: between any limits that bytes have.
  template <bool kAll, class D16, class V16 = hn::VFromD<D16>>
  HWY_INLINE void StoreSums2(D16 d16, V16 low, V16 high, uint8_t* to) const {
    const hn::Repartition<uint8_t, D16> d8;
    if constexpr (!kAll) {
      low = Limited(d16, low);
      high = Limited(d16, high);
    }
    const auto bytes = hn::Xor(hn::OrderedDemote2To(d8, low, high), hn::Set(d8, flip_));
    if (!kStoresSome || HWY_LIKELY(some_ == hn::Lanes(d8))) {
      hn::StoreU(bytes, d8, to);
    } else {
      StoreBytes(d8, bytes, to, some_);
    }
  }

  // Of the n lanes from `lane` on, those that are stored.
  HWY_INLINE size_t LanesOf4(size_t lane, size_t n) const {
    return kStoresSome ? HWY_MIN(n, some_ - HWY_MIN(some_, lane)) : n;
  }

  const MeanRules rules_;
  const uint8_t flip_;
  size_t lanes_ = 0;  // of the line
  size_t some_ = 0;   // of four vectors, those that are stored
  float most_ = 0;    // of what lanes count
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
  // kFactors: in units, lanes differ.
  enum Way { kNoHalves, kUnits12, kFactors, kRemainder };
  struct Counts {
    float count, reciprocal;
    Way way;
    Way plain;  // the same where nothing exceeds or is limited and no half goes up, or kRemainder
  };

  explicit BlockMeans(const BlocksJob& job)
      : BlockDivisors(job),
        bias_((rules_.ties == MeanRules::kOdd ? 1.5f : 0.5f) * kUnits - 0.5f),
        add_(rules_.add - (rules_.ties == MeanRules::kOdd ? 1 : 0)),
        plain_(!rules_.exceeds && !rules_.limited && rules_.ties != MeanRules::kUp),
        kept_(job.factors) {}

  template <class D>
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes) {
    counts_.count = 0;
    changes_ = 0;
    first_line_ = line == 0 || !IsLikeLineBefore(line);
    if (first_line_) BlockDivisors::BeginLine(d, line, lane, lanes);
  }
  // Most outputs have the count of the one before.
  HWY_INLINE Counts Output(int64_t o) {
    const float count = BlockCounts<uint32_t>::Output(o);
    if (count != counts_.count) counts_ = CountsOf(count);
    return counts_;
  }

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, const Counts& counts, uint8_t* to,
                        bool whole, size_t n) const {
    const hn::Rebind<int16_t, D> d16;
    const size_t lane = static_cast<size_t>(i);
    const auto means = hn::DemoteTo(d16, MeanOf(d, v, lane, counts));
    StoreSums(d16, hn::SaturatedAdd(means, Shift(d16, counts)), to, whole, n);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, const Counts& counts, uint8_t* to) const {
    if constexpr (!kCompact) {
      if (counts.plain == kFactors) return StoreMeans4<kFactors, true>(d, a, b, c, e, counts, to);
      if (counts.plain == kUnits12) return StoreMeans4<kUnits12, true>(d, a, b, c, e, counts, to);
      if (counts.plain == kNoHalves) return StoreMeans4<kNoHalves, true>(d, a, b, c, e, counts, to);
      if (counts.way == kFactors) return StoreMeans4<kFactors, false>(d, a, b, c, e, counts, to);
      if (counts.way == kUnits12) return StoreMeans4<kUnits12, false>(d, a, b, c, e, counts, to);
      if (counts.way == kNoHalves) return StoreMeans4<kNoHalves, false>(d, a, b, c, e, counts, to);
    }
    StoreMeans4<kRemainder, false>(d, a, b, c, e, counts, to);
  }

 private:
  // Where divisors are few enough, quotients are in units of 2^-12 and so near that they are cut
  // off to the very unit below the half where they are one, and to another one where they are not.
  // That takes an error e below 1/2, and divisors up to 2^12 / (1 + 2 * e). Reciprocals are off by
  // less than 2^-23 of themselves, those of FillFactors by hardly more, which makes 1/8 in the
  // result, products with sums by 1/16, and sums with the bias by 1/8.
  static constexpr int kUnitBits = 12;
  static constexpr float kUnits = 1 << kUnitBits;
#if HWY_NATIVE_FMA
  static constexpr float kFew = kCompact ? 0 : 2730;
  static constexpr bool kFactorsOfLanes = !kCompact;
#else
  static constexpr float kFew = kCompact ? 0 : 2520;
  static constexpr bool kFactorsOfLanes = false;
#endif

  // Where it is beyond all bytes, cut to what is just so: more may be no integer of 32 bits. What
  // is below 0 is little, and becomes the least byte.
  template <class DF, class V = hn::VFromD<DF>>
  HWY_INLINE V Numerator(DF df, V sum, size_t i, float count) const {
    const V of_lanes = hn::Load(df, of_lanes_ + i);
    const V base = hn::Mul(of_lanes, hn::Set(df, count * rules_.base));
    const V most = hn::Mul(of_lanes, hn::Set(df, 256 * count * rules_.over));
    sum = hn::MulAdd(sum, hn::Set(df, rules_.times), base);
    return hn::Min(sum, most);
  }

  HWY_INLINE Counts CountsOf(float count) {
    const float over = count * rules_.over, divisor = over * most_;
    const bool few = divisor <= kFew && (kFactorsOfLanes || !lanes_differ_);
    if (!few) return {count, 1.0f / over, kRemainder, kRemainder};
    if (lanes_differ_) {
      factors_ = kept_ == nullptr ? own_factors_ : kept_ + changes_++ * kLineFactors;
      if (kept_ == nullptr || first_line_) FillFactors(over);
      return {count, 0, kFactors, plain_ ? kFactors : kRemainder};
    }
    const Way way = static_cast<int32_t>(divisor) % 2 != 0 ? kNoHalves : kUnits12;
    return {count, (way == kUnits12 ? kUnits : 1.0f) / divisor, way, plain_ ? way : kRemainder};
  }

  // Each reciprocal is the product of two, 3 * 2^-23 off, and what that leaves of 1.
  HWY_INLINE void FillFactors(float over) const {
    const BlockTag<float> df;
    const auto units = hn::Set(df, kUnits), factor = hn::Set(df, kUnits / over);
    const auto by_units = hn::Set(df, 1 / kUnits);
    for (size_t i = 0; i < lanes_; i += hn::Lanes(df)) {
      const auto near = hn::Mul(hn::Load(df, reciprocals_ + i), factor);
      const auto divisor = hn::Mul(hn::Load(df, of_lanes_ + i), hn::Set(df, over));
      const auto rest = hn::NegMulAdd(divisor, near, units);
      hn::StoreU(hn::MulAdd(hn::Mul(near, by_units), rest, near), df, factors_ + i);
    }
  }

  template <Way kWay, bool kPlain, class D, class V = hn::VFromD<D>>
  HWY_INLINE void StoreMeans4(D d, V a, V b, V c, V e, const Counts& counts, uint8_t* to) const {
    const hn::Repartition<int16_t, D> d16;
    const size_t n = hn::Lanes(d);
    const auto ya = Mean<kWay, kPlain>(d, a, 0, counts);
    const auto yb = Mean<kWay, kPlain>(d, b, n, counts);
    const auto yc = Mean<kWay, kPlain>(d, c, 2 * n, counts);
    const auto ye = Mean<kWay, kPlain>(d, e, 3 * n, counts);
    const auto low = hn::OrderedDemote2To(d16, ya, yb);
    const auto high = hn::OrderedDemote2To(d16, yc, ye);
    const auto shift = Shift(d16, counts);
    StoreSums2<kPlain>(d16, hn::SaturatedAdd(low, shift), hn::SaturatedAdd(high, shift), to);
  }

  template <class D>
  HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> MeanOf(D d, hn::VFromD<D> v, size_t i,
                                                      const Counts& counts) const {
    if (!kCompact && counts.way == kFactors) return Mean<kFactors, false>(d, v, i, counts);
    if (!kCompact && counts.way == kUnits12) return Mean<kUnits12, false>(d, v, i, counts);
    if (!kCompact && counts.way == kNoHalves) return Mean<kNoHalves, false>(d, v, i, counts);
    return Mean<kRemainder, false>(d, v, i, counts);
  }

  // In lanes of 32 bits the mean, but for Shift.
  template <Way kWay, bool kPlain, class D>
  HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> Mean(D, hn::VFromD<D> v, size_t i,
                                                    const Counts& counts) const {
    const hn::RebindToFloat<D> df;
    const hn::RebindToSigned<D> di;
    auto sum = hn::ConvertTo(df, hn::BitCast(di, v));
    if (!kPlain && !kCompact && rules_.exceeds) sum = Numerator(df, sum, i, counts.count);
    const auto reciprocal =
        kWay == kFactors ? hn::LoadU(df, factors_ + i) : hn::Set(df, counts.reciprocal);
    if constexpr (kWay == kNoHalves) {
      return hn::ConvertInRangeTo(di, hn::MulAdd(sum, reciprocal, hn::Set(df, 0.5f)));
    }
    if constexpr (kWay == kUnits12 || kWay == kFactors) {
      const auto units = hn::ConvertInRangeTo(di, hn::MulAdd(sum, reciprocal, hn::Set(df, bias_)));
      // One unit more takes halves to the integer above.
      const auto y = hn::ShiftRight<kUnitBits>(units);
      const auto one = hn::Set(di, 1);
      auto up = hn::And(y, one);
      if (!kPlain && rules_.ties == MeanRules::kUp) {
        up = hn::IfThenElseZero(hn::Ge(y, hn::Set(di, rules_.least_up)), one);
      }
      return hn::ShiftRight<kUnitBits>(hn::Add(units, up));
    }
    const auto over = hn::Set(df, counts.count * rules_.over);
    const auto divisor = hn::Mul(hn::Load(df, of_lanes_ + i), over);
    const auto of_both = hn::Mul(hn::Load(df, reciprocals_ + i), reciprocal);
    // A little below the integer nearest to the quotient, or that and one half: it is cut off to
    // the nearest one or, close to a half, the one below. The remainder tells.
    const auto near = hn::MulAdd(sum, of_both, hn::Set(df, 0.5f - 0x1p-11f));
    const auto y = hn::ConvertInRangeTo(di, near);
    const auto rest = hn::NegMulAdd(hn::ConvertTo(df, y), divisor, sum);
    const auto above = hn::Gt(hn::Add(hn::Add(rest, rest), TieIsUp<kPlain>(df, y)), divisor);
    return hn::Sub(y, hn::VecFromMask(di, hn::RebindMask(di, above)));
  }

  // 1 where a half above y goes up, else 0.
  template <bool kPlain, class DF, class VI>
  HWY_INLINE hn::VFromD<DF> TieIsUp(DF df, VI y) const {
    const hn::DFromV<VI> di;
    const auto one = hn::Set(df, 1.0f);
    if (!kPlain && rules_.ties == MeanRules::kUp) {
      return hn::IfThenElseZero(hn::RebindMask(df, hn::Ge(y, hn::Set(di, rules_.least_up))), one);
    }
    const auto odd = hn::Xor(y, hn::Set(di, rules_.ties == MeanRules::kOdd ? 1 : 0));
    return hn::IfThenElseZero(hn::RebindMask(df, hn::TestBit(odd, hn::Set(di, 1))), one);
  }

  // By the zero points.
  template <class D16>
  HWY_INLINE hn::VFromD<D16> Shift(D16 d16, const Counts& counts) const {
    return hn::Set(d16, static_cast<int16_t>(
                            counts.way == kUnits12 || counts.way == kFactors ? add_ : rules_.add));
  }

  // Halves go to the even integer above or below: in means that are one more that is the odd one.
  const float bias_;
  const int32_t add_;
  const bool plain_;    // nothing exceeds, and halves go to even or odd integers
  Counts counts_ = {};  // of the last output
  // What lanes that differ are multiplied by, kUnits over their divisors.
  static constexpr size_t kLineFactors = 4 * kBlockLineBytes / sizeof(uint32_t);
  HWY_ALIGN float own_factors_[kLineFactors];
  float* factors_ = own_factors_;
  float* const kept_;    // those of the first line, each time that counts change
  int64_t changes_ = 0;  // of counts in this line
  bool first_line_ = true;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
