// How blocks of windows become results. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_BLOCKS_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_BLOCKS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_BLOCKS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A finisher of BlockLanes is made from its job. BeginLine at each line, of `lanes` lanes from
// `lane` on; Output at each output, whose value is for Store, which stores the result of a vector:
// its lanes are those from `i` on, and if they are not `whole`, only `n` are stored.

// Stores a vector, or some of its lanes.
template <class Out, class D>
HWY_INLINE void StoreSome(const Out& out, D d, hn::VFromD<D> v, typename Out::Memory* to,
                          bool whole, size_t n) {
  if (HWY_LIKELY(whole)) {
    out.Store(d, v, to);
  } else {
    out.StoreN(d, v, to, n);
  }
}

// Folds as Out stores them.
template <class Out>
class BlockFolds {
 public:
  using Memory = typename Out::Memory;

  explicit BlockFolds(const BlocksJob& job) : out_(job.rules) {}
  template <class D>
  HWY_INLINE void BeginLine(D, int64_t, int64_t, size_t) {}
  HWY_INLINE int Output(int64_t) const { return 0; }
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t, int, Memory* to, bool whole,
                        size_t n) const {
    StoreSome(out_, d, v, to, whole, n);
  }

 private:
  const Out out_;
};

// Maxima without -0.
class BlockMaxima : public BlockFolds<ElemPlain<float>> {
 public:
  using BlockFolds<ElemPlain<float>>::BlockFolds;
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, int output, float* to, bool whole,
                        size_t n) const {
    BlockFolds<ElemPlain<float>>::Store(d, hn::Add(v, hn::Zero(d)), i, output, to, whole, n);
  }
};

// Bytes, some bits flipped.
class BlockBytes {
 public:
  using Memory = uint8_t;

  explicit BlockBytes(const BlocksJob& job) : flip_(job.y_flip) {}
  template <class D>
  HWY_INLINE void BeginLine(D, int64_t, int64_t, size_t) {}
  HWY_INLINE int Output(int64_t) const { return 0; }
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t, int, uint8_t* to, bool whole,
                        size_t n) const {
    const auto bytes = hn::Xor(v, hn::Set(d, flip_));
    if (HWY_LIKELY(whole)) {
      hn::StoreU(bytes, d, to);
    } else {
      StoreBytes(d, bytes, to, n);
    }
  }

 private:
  const uint8_t flip_;
};

// What lanes are divided by: counts of the lanes or the line, times the output's.
template <class Lane>
class BlockCounts {
 public:
  explicit BlockCounts(const BlocksJob& job)
      : counts_(job.counts), line_counts_(job.line_counts), lane_counts_(job.lane_counts) {}

  template <class D>
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes) {
    const hn::RebindToFloat<D> df;
    for (size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      auto counts = hn::Set(df, 1.0f);
      if (lane_counts_ == nullptr) {
        counts = hn::Set(df, line_counts_[line]);
      } else {
        counts = hn::LoadU(df, lane_counts_ + lane + i);
      }
      hn::Store(counts, df, of_lanes_ + i);
    }
  }
  HWY_INLINE float Output(int64_t o) const { return counts_[o]; }

 protected:
  HWY_ALIGN float of_lanes_[4 * kBlockLineBytes / sizeof(Lane)];

 private:
  const float* const counts_;
  const float* const line_counts_;
  const float* const lane_counts_;
};

// Averages of floats: divided on the spot, whatever the sums are, while memory is waited for.
template <class Out>
class BlockAverages : public BlockCounts<float> {
 public:
  using Memory = typename Out::Memory;

  explicit BlockAverages(const BlocksJob& job) : BlockCounts<float>(job), out_(job.rules) {}
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, float count, Memory* to, bool whole,
                        size_t n) const {
    const auto divisor = hn::Mul(hn::Load(d, of_lanes_ + i), hn::Set(d, count));
    int state = 0;
    StoreSome(out_, d, DivideExact::Apply(v, divisor, divisor, true, state), to, whole, n);
  }

 private:
  const Out out_;
};

// Averages of bytes from their sums, input and output of one scale: a quotient that is nearly right
// and its remainder, which is exact. So the floating-point environment has no say.
class BlockMeans : public BlockCounts<uint32_t> {
 public:
  using Memory = uint8_t;
  struct Counts {
    float count, reciprocal;
  };

  explicit BlockMeans(const BlocksJob& job)
      : BlockCounts<uint32_t>(job), rules_(*job.rules.mean), flip_(job.y_flip) {}

  template <class D>
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes) {
    const hn::RebindToFloat<D> df;
    BlockCounts<uint32_t>::BeginLine(d, line, lane, lanes);
    for (size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      const auto one = hn::Set(df, 1.0f);
      hn::Store(hn::Div(one, hn::Load(df, of_lanes_ + i)), df, reciprocals_ + i);
    }
  }
  HWY_INLINE Counts Output(int64_t o) const {
    const float count = BlockCounts<uint32_t>::Output(o);
    return {count, 1.0f / count};
  }
  // Sums, and products of results and divisors, are integers that f32 holds: see DividesMeans.
  template <class D>
  HWY_INLINE void Store(D, hn::VFromD<D> v, int64_t i, const Counts& counts, uint8_t* to,
                        bool whole, size_t n) const {
    const hn::RebindToFloat<D> df;
    const hn::RebindToSigned<D> di;
    const hn::Rebind<uint8_t, D> d8;
    const auto sum = hn::ConvertTo(df, hn::BitCast(di, v));
    const auto divisor = hn::Mul(hn::Load(df, of_lanes_ + i), hn::Set(df, counts.count));
    const auto reciprocal = hn::Mul(hn::Load(df, reciprocals_ + i), hn::Set(df, counts.reciprocal));
    // A little below the integer nearest to the quotient, or that and one half: it is cut off to
    // the nearest one or, close to a half, the one below. The remainder tells.
    const auto near = hn::MulAdd(sum, reciprocal, hn::Set(df, 0.5f - 0x1p-11f));
    auto y = hn::ConvertInRangeTo(di, near);
    const auto rest = hn::NegMulAdd(hn::ConvertTo(df, y), divisor, sum);
    const auto above = hn::Gt(hn::Add(hn::Add(rest, rest), TieIsUp(df, y)), divisor);
    y = hn::Sub(y, hn::VecFromMask(di, hn::RebindMask(di, above)));
    y = hn::Add(y, hn::Set(di, rules_.add));
    // Bytes saturate anyway.
    if (HWY_UNLIKELY(rules_.limited)) {
      y = hn::Min(hn::Max(y, hn::Set(di, rules_.least)), hn::Set(di, rules_.most));
    }
    const auto bytes = hn::Xor(hn::DemoteTo(d8, y), hn::Set(d8, flip_));
    if (HWY_LIKELY(whole)) {
      hn::StoreU(bytes, d8, to);
    } else {
      StoreBytes(d8, bytes, to, n);
    }
  }

 private:
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

  const MeanRules rules_;
  const uint8_t flip_;
  HWY_ALIGN float reciprocals_[4 * kBlockLineBytes / sizeof(uint32_t)];
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
