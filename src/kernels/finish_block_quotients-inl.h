// How sums of blocks become averages of bytes of any two scales. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_BLOCK_QUOTIENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_BLOCK_QUOTIENTS_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_BLOCK_QUOTIENTS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_BLOCK_QUOTIENTS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish_block_means-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
    StoreSums2<false>(
        d16,
        hn::OrderedDemote2To(d16, hn::ShiftRight<kUnitBits>(ua), hn::ShiftRight<kUnitBits>(ub)),
        hn::OrderedDemote2To(d16, hn::ShiftRight<kUnitBits>(uc), hn::ShiftRight<kUnitBits>(ue)),
        to);
    const auto doubt = hn::Min(hn::Min(Doubt(ua), Doubt(ub)), hn::Min(Doubt(uc), Doubt(ue)));
    if (HWY_LIKELY(!AnyDoubtful(doubt))) return;
    Settle(d, a, ua, counts.count, 0, LanesOf4(0, n), to);
    Settle(d, b, ub, counts.count, n, LanesOf4(n, n), to + n);
    Settle(d, c, uc, counts.count, 2 * n, LanesOf4(2 * n, n), to + 2 * n);
    Settle(d, e, ue, counts.count, 3 * n, LanesOf4(3 * n, n), to + 3 * n);
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
