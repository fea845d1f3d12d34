// How sums along rows become averages, where lanes have counts and rows have. Per-target include
// guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/divide-inl.h"
#include "kernels/finish_blocks-inl.h"
#include "kernels/level_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Divisors of a row are the products of its count and those of the lanes, kept for the rows that
// have the same. Up to kMostShared there are reciprocals, products of two: BlockAverages tells why
// they are near enough. Quotients that are normal numbers have remainders that are exact, as
// divisors are integers.
class RowAverages {
  using D = LevelTag;
  using V = hn::VFromD<D>;
  static constexpr bool kReciprocals = LANEPOOL_CLASSIFIES != 0;

 public:
  HWY_INLINE RowAverages(const LevelSumsJob& job, const LevelSumsScratch& scratch)
      : counts_(job.lane_counts),
        by_counts_(job.scratch + scratch.by_counts),
        divisors_(job.scratch + scratch.divisors),
        reciprocals_(job.scratch + scratch.reciprocals),
        streams_(job.streams) {
    if constexpr (kReciprocals) {
      const D d;
      V most = hn::Zero(d);
      for (int64_t i = 0; i < job.outputs; i += Lanes()) {
        const V counts = hn::LoadU(d, counts_ + i);
        most = hn::Max(most, counts);
        hn::StoreU(hn::Div(hn::Set(d, 1.0f), counts), d, by_counts_ + i);
      }
      most_ = kMostShared / hn::ReduceMax(d, most);
    }
  }

  // Of n outputs from o on.
  HWY_INLINE void BeginRow(float count, int64_t o, int64_t n) {
    if (count == count_ && o == from_) return;
    const D d;
    count_ = count;
    from_ = o;
    shares_ = count <= most_;
    for (int64_t i = 0; i < n; i += Lanes()) {
      const V divisors = hn::Mul(hn::LoadU(d, counts_ + o + i), hn::Set(d, count));
      hn::StoreU(divisors, d, divisors_ + i);
      if constexpr (kReciprocals) {
        const V by_counts = hn::LoadU(d, by_counts_ + o + i);
        hn::StoreU(hn::Mul(by_counts, hn::Set(d, 1.0f / count)), d, reciprocals_ + i);
      }
    }
  }
  // Sums from a lane on, whole lines of y if it is written past the caches.
  HWY_INLINE void Store4(V a, V b, V c, V e, int64_t lane, float* to) const {
    const int64_t n = Lanes();
    if constexpr (kReciprocals) {
      const D d;
      SumOf::State<D> rare = SumOf::Start(d);
      const V qa = Quickly(a, lane, rare), qb = Quickly(b, lane + n, rare);
      const V qc = Quickly(c, lane + 2 * n, rare), qe = Quickly(e, lane + 3 * n, rare);
      if (HWY_LIKELY(shares_ && SumOf::Clean(d, rare, Divisor()))) {
        return Put4(qa, qb, qc, qe, to);
      }
    }
    Put4(Quotient(a, lane), Quotient(b, lane + n), Quotient(c, lane + 2 * n),
         Quotient(e, lane + 3 * n), to);
  }
  HWY_INLINE void Store(V v, int64_t lane, float* to, int64_t n) const {
    StoreSome(ElemPlain<float>({}), D(), Quotient(v, lane), to, n >= Lanes(),
              static_cast<size_t>(n));
  }

 private:
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }
  HWY_INLINE void Put4(V a, V b, V c, V e, float* to) const {
    const D d;
    const int64_t n = Lanes();
    if (streams_) {
      hn::Stream(a, d, to);
      hn::Stream(b, d, to + n);
      hn::Stream(c, d, to + 2 * n);
      hn::Stream(e, d, to + 3 * n);
      return;
    }
    hn::StoreU(a, d, to);
    hn::StoreU(b, d, to + n);
    hn::StoreU(c, d, to + 2 * n);
    hn::StoreU(e, d, to + 3 * n);
  }
  template <class S>
  HWY_INLINE V Quickly(V v, int64_t lane, S& rare) const {
    const D d;
    return DivideF32::Apply(v, hn::LoadU(d, divisors_ + lane), hn::LoadU(d, reciprocals_ + lane),
                            true, rare);
  }
  HWY_INLINE V Quotient(V v, int64_t lane) const {
    const V divisor = hn::LoadU(D(), divisors_ + lane);
    int state = 0;
    return DivideExact::Apply(v, divisor, divisor, true, state);
  }

  const float* counts_;
  float *by_counts_, *divisors_, *reciprocals_;
  float count_ = 0.0f;  // of divisors_
  int64_t from_ = -1;
  float most_ = 0.0f;  // count of a row that has reciprocals
  bool shares_ = false;
  const bool streams_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
