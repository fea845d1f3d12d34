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
#include "kernels/divide-inl.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether divisors that most windows share have reciprocals. Where vectors have 512 bits, the
// divider takes longer than all else that is done to them; where they have 256, it does not, and
// there are few registers for the steps that replace it.
#undef LANEPOOL_SHARES_DIVISORS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define LANEPOOL_SHARES_DIVISORS 1
#else
#define LANEPOOL_SHARES_DIVISORS 0
#endif

// Where vectors lie, in lanes behind the first of the four.
struct FourPlaces {
  int64_t b, c, e;

  // The second two are `pair` behind the first two.
  static HWY_INLINE FourPlaces Of(int64_t second, int64_t pair) {
    return {second, pair, pair + second};
  }
};

// A finisher of BlockLanes is made from its job. BeginLine at each line, of `lanes` lanes from
// `lane` on; Output at each output, whose value is for Store, which stores the result of a vector:
// its lanes are those from `i` on, and if they are not `whole`, only `n` are stored. Store4 does so
// for four whole vectors, which are all of the line, or those of `lines` lines.

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
  static constexpr bool kStoresSome = false;

  explicit BlockFolds(const BlocksJob& job) : out_(job.rules) {}
  template <class D>
  HWY_INLINE void BeginLine(D, int64_t, int64_t, size_t, int64_t = 1) {}
  HWY_INLINE int Output(int64_t) const { return 0; }
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t, int, Memory* to, bool whole,
                        size_t n) const {
    StoreSome(out_, d, v, to, whole, n);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, int, Memory* to, const FourPlaces& at) const {
    out_.Store(d, a, to);
    out_.Store(d, b, to + at.b);
    out_.Store(d, c, to + at.c);
    out_.Store(d, e, to + at.e);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, int output, Memory* to) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    Store4(d, a, b, c, e, output, to, FourPlaces::Of(n, 2 * n));
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
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, int output, float* to,
                         const FourPlaces& at) const {
    const V zero = hn::Zero(d);
    BlockFolds<ElemPlain<float>>::Store4(d, hn::Add(a, zero), hn::Add(b, zero), hn::Add(c, zero),
                                         hn::Add(e, zero), output, to, at);
  }
};

// Bytes, some bits flipped.
class BlockBytes {
 public:
  using Memory = uint8_t;

  explicit BlockBytes(const BlocksJob& job) : flip_(job.y_flip) {}
  template <class D>
  HWY_INLINE void BeginLine(D, int64_t, int64_t, size_t, int64_t = 1) {}
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
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, int, uint8_t* to, const FourPlaces& at) const {
    const V flip = hn::Set(d, flip_);
    hn::StoreU(hn::Xor(a, flip), d, to);
    hn::StoreU(hn::Xor(b, flip), d, to + at.b);
    hn::StoreU(hn::Xor(c, flip), d, to + at.c);
    hn::StoreU(hn::Xor(e, flip), d, to + at.e);
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
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes, int64_t lines = 1) {
    const hn::RebindToFloat<D> df;
    const size_t lanes_of_line = lanes / static_cast<size_t>(lines);
    const float* of_line = line_counts_ + line;
    for (size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      auto counts = hn::Set(df, 1.0f);
      if (lane_counts_ == nullptr) {
        counts = hn::Set(df, of_line[i / lanes_of_line]);
      } else {
        counts = hn::LoadU(df, lane_counts_ + lane + i);
      }
      hn::Store(counts, df, of_lanes_ + i);
    }
  }
  HWY_INLINE float Output(int64_t o) const { return counts_[o]; }

 protected:
  // Whether a line has the counts of the one before it.
  HWY_INLINE bool IsLikeLineBefore(int64_t line) const {
    return lane_counts_ != nullptr || line_counts_[line] == line_counts_[line - 1];
  }

  HWY_ALIGN float of_lanes_[4 * kBlockLineBytes / sizeof(Lane)];

 private:
  const float* const counts_;
  const float* const line_counts_;
  const float* const lane_counts_;
};

// Averages of floats: divided on the spot, whatever the sums are. Where most windows have the same
// count, four vectors of theirs are divided as DivideMended does it, by reciprocals of the line.
template <class Out>
class BlockAverages : public BlockCounts<float> {
 public:
  using Memory = typename Out::Memory;

  explicit BlockAverages(const BlocksJob& job)
      : BlockCounts<float>(job), out_(job.rules), common_(CommonOf(job)) {}

  template <class D>
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes, int64_t lines) {
    if (lines == 1 && line > 0 && IsLikeLineBefore(line)) return;
    BlockCounts<float>::BeginLine(d, line, lane, lanes, lines);
    if (common_ == 0.0f) return;
    for (size_t i = 0; i < lanes; i += hn::Lanes(d)) {
      const auto divisor = hn::Mul(hn::Load(d, of_lanes_ + i), hn::Set(d, common_));
      hn::Store(divisor, d, divisors_ + i);
      hn::Store(hn::Div(hn::Set(d, 1.0f), divisor), d, reciprocals_ + i);
    }
  }
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, float count, Memory* to, bool whole,
                        size_t n) const {
    StoreSome(out_, d, Quotient(d, v, static_cast<size_t>(i), count), to, whole, n);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, float count, Memory* to,
                         const FourPlaces& at) const {
    const size_t n = hn::Lanes(d);
    if (HWY_UNLIKELY(count != common_ || !DivideCommon(d, a, b, c, e))) {
      a = Quotient(d, a, 0, count);
      b = Quotient(d, b, n, count);
      c = Quotient(d, c, 2 * n, count);
      e = Quotient(d, e, 3 * n, count);
    }
    out_.Store(d, a, to);
    out_.Store(d, b, to + at.b);
    out_.Store(d, c, to + at.c);
    out_.Store(d, e, to + at.e);
  }

 private:
  // What at least half of the outputs divide by, besides what the line or the lane does, or 0.
  // Counts rise and fall once.
  static float CommonOf(const BlocksJob& job) {
#if LANEPOOL_SHARES_DIVISORS
    constexpr int64_t kFew = 8;  // are not worth the reciprocals
    const int64_t n = job.outputs;
    const float common = job.counts[n / 2];
    if (n >= kFew && job.counts[n / 4] == common && job.counts[3 * n / 4] == common) return common;
#else
    (void)job;
#endif
    return 0.0f;
  }

  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE V Quotient(D d, V v, size_t i, float count) const {
    const V divisor = hn::Mul(hn::Load(d, of_lanes_ + i), hn::Set(d, count));
    int state = 0;
    return DivideExact::Apply(v, divisor, divisor, true, state);
  }

  // The IEEE quotients, see DivideF32. False, and nothing has been done, where a sum is infinite,
  // NaN or tiny.
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE bool DivideCommon(D d, V& a, V& b, V& c, V& e) const {
#if LANEPOOL_SHARES_DIVISORS
    const size_t n = hn::Lanes(d);
    const V ya = hn::Load(d, reciprocals_), yb = hn::Load(d, reciprocals_ + n);
    const V yc = hn::Load(d, reciprocals_ + 2 * n), ye = hn::Load(d, reciprocals_ + 3 * n);
    const V qa = hn::Mul(a, ya), qb = hn::Mul(b, yb), qc = hn::Mul(c, yc), qe = hn::Mul(e, ye);
    const V ra = Remainder(qa, hn::Load(d, divisors_), a);
    const V rb = Remainder(qb, hn::Load(d, divisors_ + n), b);
    const V rc = Remainder(qc, hn::Load(d, divisors_ + 2 * n), c);
    const V re = Remainder(qe, hn::Load(d, divisors_ + 3 * n), e);
    // Divisors are at most 2^63: from 2^-52 on, quotients and remainders are normal. Zero, which is
    // common, becomes the highest number.
    const hn::RebindToUnsigned<D> du;
    const auto one = hn::Set(du, 1u), bound = hn::Set(du, uint32_t{127 - 52} << 24);
    const auto of_ab = hn::Min(hn::Sub(Magnitude(a), one), hn::Sub(Magnitude(b), one));
    const auto of_ce = hn::Min(hn::Sub(Magnitude(c), one), hn::Sub(Magnitude(e), one));
    const auto tiny = hn::RebindMask(d, hn::Lt(hn::Min(of_ab, of_ce), bound));
    const auto rare = hn::Or(hn::IsEitherNaN(ra, rb), hn::IsEitherNaN(rc, re));
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Or(rare, tiny)))) return false;
    a = hn::MulAdd(ra, ya, qa);
    b = hn::MulAdd(rb, yb, qb);
    c = hn::MulAdd(rc, yc, qc);
    e = hn::MulAdd(re, ye, qe);
    return true;
#else
    (void)d, (void)a, (void)b, (void)c, (void)e;
    return false;
#endif
  }

  HWY_ALIGN float divisors_[4 * kBlockLineBytes / sizeof(float)];
  HWY_ALIGN float reciprocals_[4 * kBlockLineBytes / sizeof(float)];
  const Out out_;
  const float common_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
