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

// Whether divisors that neighbouring windows share have reciprocals. Where vectors have 512 bits,
// the divider takes longer than all else that is done to them; where they have 256, it does not,
// and there are few registers for the steps that replace it.
constexpr bool kSharesDivisors = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;

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

  template <class Job>
  explicit BlockFolds(const Job& job) : out_(job.rules) {}
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

// Products of two counts at most whose reciprocals are products of two, see DivideFour.
constexpr float kMostShared = 65536.0f;

// Averages of floats: divided on the spot, whatever the sums are. Four vectors are divided as
// DivideMended does it, by products of two reciprocals.
template <class Out>
class BlockAverages : public BlockCounts<float> {
 public:
  using Memory = typename Out::Memory;

  explicit BlockAverages(const BlocksJob& job)
      : BlockCounts<float>(job),
        out_(job.rules),
        most_(kMostShared / static_cast<float>(job.taps)) {}

  template <class D>
  HWY_INLINE void BeginLine(D d, int64_t line, int64_t lane, size_t lanes, int64_t lines) {
    if (lines == 1 && line > 0 && IsLikeLineBefore(line)) return;
    BlockCounts<float>::BeginLine(d, line, lane, lanes, lines);
    if constexpr (kSharesDivisors) {
      count_ = kept_count_ = 0.0f;
      shares_ = true;
      for (size_t i = 0; i < lanes; i += hn::Lanes(d)) {
        const auto counts = hn::Load(d, of_lanes_ + i);
        shares_ = shares_ && hn::AllTrue(d, hn::Le(counts, hn::Set(d, most_)));
        hn::Store(hn::Div(hn::Set(d, 1.0f), counts), d, of_lanes_reciprocals_ + i);
      }
    }
  }
  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, int64_t i, float count, Memory* to, bool whole,
                        size_t n) const {
    StoreSome(out_, d, Quotient(d, v, static_cast<size_t>(i), count), to, whole, n);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, float count, Memory* to, const FourPlaces& at) {
    const size_t n = hn::Lanes(d);
    bool divided = false;
    if constexpr (kSharesDivisors) divided = shares_ && DivideShared(d, a, b, c, e, count);
    if (HWY_UNLIKELY(!divided)) {
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
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE V Quotient(D d, V v, size_t i, float count) const {
    const V divisor = hn::Mul(hn::Load(d, of_lanes_ + i), hn::Set(d, count));
    int state = 0;
    return DivideExact::Apply(v, divisor, divisor, true, state);
  }

  // Divisors and reciprocals are kept while counts are the same. At borders each is another.
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE bool DivideShared(D d, V& a, V& b, V& c, V& e, float count) {
    const size_t n = hn::Lanes(d);
    const auto of_lanes = [&](size_t i) HWY_ATTR { return hn::Load(d, of_lanes_ + i); };
    const auto one_by_lanes = [&](size_t i)
                                  HWY_ATTR { return hn::Load(d, of_lanes_reciprocals_ + i); };
    const V counts = hn::Set(d, count);
    if (count != count_) {
      count_ = count;
      const V reciprocals = hn::Set(d, 1.0f / count);
      return DivideFour(
          d, a, b, c, e, [&](size_t i) HWY_ATTR { return hn::Mul(of_lanes(i), counts); },
          [&](size_t i) HWY_ATTR { return hn::Mul(one_by_lanes(i), reciprocals); });
    }
    if (count != kept_count_) {
      kept_count_ = count;
      const V reciprocals = hn::Set(d, 1.0f / count);
      for (size_t i = 0; i < 4 * n; i += n) {
        hn::Store(hn::Mul(of_lanes(i), counts), d, divisors_ + i);
        hn::Store(hn::Mul(one_by_lanes(i), reciprocals), d, reciprocals_ + i);
      }
    }
    return DivideFour(
        d, a, b, c, e, [&](size_t i) HWY_ATTR { return hn::Load(d, divisors_ + i); },
        [&](size_t i) HWY_ATTR { return hn::Load(d, reciprocals_ + i); });
  }

  // The IEEE quotients, see DivideF32. False, and nothing has been done, where a sum is infinite,
  // NaN or tiny. Reciprocals that are products are off by 3 parts in 2^24, so what is corrected was
  // within 4 of these, and the correction misses the quotient by less than 2^-20 ulp. A quotient by
  // an integer n is no less than 1 / (2 n) ulp away from where rounding turns, and never there.
  template <class D, class Divisor, class Reciprocal, class V = hn::VFromD<D>>
  static HWY_INLINE bool DivideFour(D d, V& a, V& b, V& c, V& e, const Divisor& divisor,
                                    const Reciprocal& reciprocal) {
    const size_t n = hn::Lanes(d);
    const V ya = reciprocal(0), yb = reciprocal(n), yc = reciprocal(2 * n), ye = reciprocal(3 * n);
    const V qa = hn::Mul(a, ya), qb = hn::Mul(b, yb), qc = hn::Mul(c, yc), qe = hn::Mul(e, ye);
    const V ra = Remainder(qa, divisor(0), a), rb = Remainder(qb, divisor(n), b);
    const V rc = Remainder(qc, divisor(2 * n), c), re = Remainder(qe, divisor(3 * n), e);
    // From 2^-52 on, quotients and remainders are normal. Zero, which is common, becomes the
    // highest number.
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
  }

  static constexpr size_t kLanes = 4 * kBlockLineBytes / sizeof(float);
  HWY_ALIGN float of_lanes_reciprocals_[kLanes];
  HWY_ALIGN float divisors_[kLanes];
  HWY_ALIGN float reciprocals_[kLanes];
  float count_ = 0.0f;       // of the last output
  float kept_count_ = 0.0f;  // of divisors_ and reciprocals_
  bool shares_ = false;
  const Out out_;
  const float most_;  // count of a lane
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
