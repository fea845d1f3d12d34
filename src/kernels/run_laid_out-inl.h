// Sums of bytes in windows that lie side by side and have any few bytes of each row: one
// instruction lays out those of as many windows as fit in a vector in parts of four, another adds
// each part to a lane. Only for vectors of 64 bytes that can be moved so. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_LAID_OUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_LAID_OUT_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_LAID_OUT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_LAID_OUT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/laid_out_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Runs of FoldsBeside of at most kMostLaidOut bytes a row, not whole parts all of them: a vector
// has the first parts of some windows, then the second ones, and so on. What a part lacks is 0.
class RunsLaidOut {
  using D8 = hn::ScalableTag<uint8_t>;
  using D32 = hn::Repartition<int32_t, D8>;
  using V32 = hn::VFromD<D32>;
  using Mask8 = hn::MFromD<D8>;
  using Some = WindowsOfVector;
  static constexpr int64_t kPart = 4, kLanes = HWY_MAX_LANES_D(D32);

 public:
  using Lane = uint32_t;
  static constexpr int64_t Parts() { return 1; }

  explicit RunsLaidOut(const FoldRunJob& job)
      : job_(job), parts_((job.length + kPart - 1) / kPart), at_once_(kLanes / parts_) {
    // The last column is never there.
    constexpr uint32_t kOfEach = 0x01010101, kEmpty = kOfEach * (kPart * kLanes - 1);
    uint32_t from[kLanes];
    int64_t i = 0;
    for (int64_t column = 0; column < job.length; column += kPart) {
      for (int64_t window = 0; window < at_once_; ++window) {
        const uint32_t first = static_cast<uint32_t>(window * job.length + column);
        from[i] = first * kOfEach + 0x03020100;
        if (column + kPart > job.length) from[i] |= kEmpty << (8 * (job.length - column));
        ++i;
      }
    }
    for (; i < kLanes; ++i) from[i] = kEmpty;
    hwy::CopyBytes<sizeof(from_)>(from, from_);
  }

  // Those of so many windows in each of some rows.
  HWY_INLINE void Folds(const uint8_t* x, int64_t rows, int64_t windows, Lane* sums) const {
    const LaidOutWalk<Lane> walk(job_, at_once_);
    if (job_.rules.x_flip == 0) return walk.Run(x, rows, windows, sums, Strips<false>{*this});
    walk.Run(x, rows, windows, sums, Strips<true>{*this});
  }

 private:
  template <bool kSigned>
  struct Strips {
    const RunsLaidOut& runs;

    template <int kVectors>
    HWY_INLINE void Of(Some s0, Some s1, Some s2, Some s3, Lane* sums) const {
      runs.Strip<kSigned, kVectors>(s0, s1, s2, s3, sums);
    }
  };
  // Of some vectors.
  template <bool kSigned, int kVectors>
  HWY_INLINE void Strip(Some s0, Some s1, Some s2, Some s3, uint32_t* sums) const {
    const D8 d;
    const auto mask = [&](Some some) HWY_ATTR {
      return hn::FirstN(d, static_cast<size_t>(some.windows * job_.length));
    };
    const Mask8 m0 = mask(s0), m1 = mask(s1), m2 = mask(s2), m3 = mask(s3);
    V32 a = hn::Zero(D32()), b = a, c = a, e = a;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      int64_t at = depth * job_.x_tap[0];
      for (int64_t h = 0; h < job_.taps[1]; ++h, at += job_.x_tap[1]) {
        Add<kSigned>(s0.x + at, m0, a);
        if (kVectors > 1) Add<kSigned>(s1.x + at, m1, b);
        if (kVectors > 2) Add<kSigned>(s2.x + at, m2, c);
        if (kVectors > 3) Add<kSigned>(s3.x + at, m3, e);
      }
    }
    Fold<kVectors>(a, b, c, e);
    // Bytes with a sign are summed as they are, 128 below what they stand for.
    const int64_t taps = job_.taps[0] * job_.taps[1] * job_.length;
    const V32 more = hn::Set(D32(), kSigned ? static_cast<int32_t>(128 * taps) : 0);
    Store(hn::Add(a, more), sums);
    if (kVectors > 1) Store(hn::Add(b, more), sums + s0.windows);
    if (kVectors > 2) Store(hn::Add(c, more), sums + s0.windows + s1.windows);
    if (kVectors > 3) Store(hn::Add(e, more), sums + s0.windows + s1.windows + s2.windows);
  }
  template <bool kSigned>
  HWY_INLINE void Add(const uint8_t* p, Mask8 mask, V32& sums) const {
    const D8 d;
    const D32 d32;
    const hn::Repartition<int8_t, D8> d_signed;
    const auto from = hn::IndicesFromVec(d, hn::LoadU(d, from_));
    AskAhead(p, job_.x_row_step);
    const auto v = hn::TableLookupLanes(hn::MaskedLoad(mask, d, p), from);
    if constexpr (kSigned) {
      sums = hn::SumOfMulQuadAccumulate(d32, hn::Set(d, 1), hn::BitCast(d_signed, v), sums);
    } else {
      sums = hn::SumOfMulQuadAccumulate(d32, v, hn::Set(d_signed, 1), sums);
    }
  }
  // The last parts are added to the first ones until these are the sums of the windows. What is
  // behind them does not matter.
  template <int kVectors>
  HWY_INLINE void Fold(V32& a, V32& b, V32& c, V32& e) const {
    const D32 d;
    for (int64_t parts = parts_; parts > 1;) {
      const int64_t rest = (parts + 1) / 2, last = parts - rest;
      const V32 behind = hn::Set(d, static_cast<int32_t>(rest * at_once_));
      const V32 lanes = hn::And(hn::Add(hn::Iota(d, 0), behind), hn::Set(d, kLanes - 1));
      const auto from = hn::IndicesFromVec(d, lanes);
      const auto mask = hn::FirstN(d, static_cast<size_t>(last * at_once_));
      const auto fold = [&](V32 v) HWY_ATTR {
        return hn::MaskedAddOr(v, mask, v, hn::TableLookupLanes(v, from));
      };
      a = fold(a);
      if (kVectors > 1) b = fold(b);
      if (kVectors > 2) c = fold(c);
      if (kVectors > 3) e = fold(e);
      parts = rest;
    }
  }
  static HWY_INLINE void Store(V32 v, uint32_t* sums) {
    const hn::RebindToUnsigned<D32> d;
    hn::StoreU(hn::BitCast(d, v), d, sums);
  }

  const FoldRunJob& job_;
  const int64_t parts_;           // of a window
  const int64_t at_once_;         // windows in a vector
  uint8_t from_[kPart * kLanes];  // which byte becomes that of each lane
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
