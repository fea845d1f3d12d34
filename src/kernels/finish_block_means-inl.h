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

// Averages of bytes from their sums, input and output of one scale. Sums, and products of results
// and divisors, are integers that f32 holds: see DividesMeans. The floating-point environment has
// no say, whatever it rounds to.
class BlockMeans : public BlockCounts<uint32_t> {
 public:
  using Memory = uint8_t;
  enum Way { kNoHalves, kUnits12, kRemainder };
  struct Counts {
    float count, reciprocal;
    Way way;
  };

  explicit BlockMeans(const BlocksJob& job)
      : BlockCounts<uint32_t>(job),
        rules_(*job.rules.mean),
        flip_(job.y_flip),
        bias_((rules_.ties == MeanRules::kOdd ? 1.5f : 0.5f) * kUnits - 0.5f),
        add_(rules_.add - (rules_.ties == MeanRules::kOdd ? 1 : 0)) {}

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
  HWY_INLINE Counts Output(int64_t o) const {
    const float count = BlockCounts<uint32_t>::Output(o), divisor = count * most_;
    // The reciprocal of lanes that differ is the product of two.
    if (lanes_differ_) {
      if (divisor > kFewOfLanes) return {count, 1.0f / count, kRemainder};
      return {count, kUnits / count, kUnits12};
    }
    if (divisor > kFew) return {count, 1.0f / count, kRemainder};
    if (static_cast<int32_t>(divisor) % 2 != 0) return {count, 1.0f / divisor, kNoHalves};
    return {count, kUnits / divisor, kUnits12};
  }

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, const Counts& counts, uint8_t* to,
                        bool whole, size_t n) const {
    const hn::Rebind<int16_t, D> d16;
    const hn::Rebind<uint8_t, D> d8;
    const auto means = hn::DemoteTo(d16, Mean(d, v, i, counts));
    const auto bytes = hn::Xor(hn::DemoteTo(d8, Shift(d16, means, counts)), hn::Set(d8, flip_));
    if (HWY_LIKELY(whole)) {
      hn::StoreU(bytes, d8, to);
    } else {
      StoreBytes(d8, bytes, to, n);
    }
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, const Counts& counts, uint8_t* to) const {
    const hn::Repartition<int16_t, D> d16;
    const hn::Repartition<uint8_t, D> d8;
    const size_t n = hn::Lanes(d);
    auto low = hn::OrderedDemote2To(d16, Mean(d, a, 0, counts), Mean(d, b, n, counts));
    auto high = hn::OrderedDemote2To(d16, Mean(d, c, 2 * n, counts), Mean(d, e, 3 * n, counts));
    low = Shift(d16, low, counts);
    high = Shift(d16, high, counts);
    hn::StoreU(hn::Xor(hn::OrderedDemote2To(d8, low, high), hn::Set(d8, flip_)), d8, to);
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

  // In lanes of 32 bits the mean, but for what Shift does.
  template <class D>
  HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> Mean(D, hn::VFromD<D> v, size_t i,
                                                    const Counts& counts) const {
    const hn::RebindToFloat<D> df;
    const hn::RebindToSigned<D> di;
    const auto sum = hn::ConvertTo(df, hn::BitCast(di, v));
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
    const auto divisor = hn::Mul(hn::Load(df, of_lanes_ + i), hn::Set(df, counts.count));
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

  // By the zero points, and to the limits. Bytes saturate anyway.
  template <class D16>
  HWY_INLINE hn::VFromD<D16> Shift(D16 d16, hn::VFromD<D16> v, const Counts& counts) const {
    v = hn::Add(v, hn::Set(d16, static_cast<int16_t>(counts.way == kUnits12 ? add_ : rules_.add)));
    if (HWY_LIKELY(!rules_.limited)) return v;
    return hn::Min(hn::Max(v, hn::Set(d16, static_cast<int16_t>(rules_.least))),
                   hn::Set(d16, static_cast<int16_t>(rules_.most)));
  }

  const MeanRules rules_;
  const uint8_t flip_;
  const float bias_;
  const int32_t add_;
  float most_ = 0;  // of what lanes count
  bool lanes_differ_ = false;
  HWY_ALIGN float reciprocals_[4 * kBlockLineBytes / sizeof(uint32_t)];
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
