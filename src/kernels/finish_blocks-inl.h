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
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, int, Memory* to) const {
    StoreInOrder4(d, a, b, c, e, to);
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

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
