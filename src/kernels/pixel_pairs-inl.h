// Sums of bytes of pixels of a few channels, in windows of few taps along W: one instruction brings
// two taps of as many lanes as fit in a vector side by side, another adds them. Only for vectors of
// 64 bytes that can be moved so. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PIXEL_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PIXEL_PAIRS_INL_H_
#undef LANEPOOL_SRC_KERNELS_PIXEL_PAIRS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PIXEL_PAIRS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/requant-inl.h"

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A job whose windows are all whole, of kPairs pairs of taps along W; a last tap may be alone.
template <bool kSigned, int kPairs>
class PixelPairs {
  using D8 = hn::ScalableTag<uint8_t>;
  using D16 = hn::Repartition<int16_t, D8>;
  using D16u = hn::RebindToUnsigned<D16>;
  using DSigned = hn::Repartition<int8_t, D8>;
  using DHalf = hn::Half<D8>;
  using V16 = hn::VFromD<D16>;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D16);

 public:
  explicit PixelPairs(const PlanesJob& job)
      : job_(job),
        step_(job.w_stride * job.group),
        span_((job.taps_w - 1) * job.w_tap + job.group),
        at_once_(PixelsAtOnce(job.group, step_, span_)),
        row_step_(job.h_stride * job.x_row_step),
        offset_(OffsetOf(job.rules)) {
    for (int pair = 0; pair < kPairs; ++pair) {
      const bool two = 2 * pair + 1 < job.taps_w;
      const int64_t first = 2 * pair * job.w_tap, second = two ? first + job.w_tap : first;
      weights_[pair] = two ? 0x0101 : 0x0001;
      int64_t lane = 0;
      for (int64_t pixel = 0; pixel < at_once_; ++pixel) {
        for (int64_t c = 0; c < job.group; ++c, ++lane) {
          const int64_t at = pixel * step_ + c;
          from_[pair][lane] = static_cast<uint16_t>((at + first) | (at + second) << 8);
        }
      }
      for (; lane < kLanes; ++lane) from_[pair][lane] = 0;
    }
  }

  HWY_INLINE void Run() const {
    // A loop per kind, so that none is chosen inside.
    const Requant q = *job_.rules.requants[0];
    const hn::RebindToUnsigned<D16> d;
    const auto run = [&](const auto& formula) HWY_ATTR {
      Planes([&](V16 v) HWY_ATTR { return formula(RequantArgument(hn::BitCast(d, v), q)); });
    };
    using V = hn::VFromD<D16u>;
    switch (q.kind) {
      case RequantKind::kMul16:
        return run([&](V v) HWY_ATTR { return Mul16(v, q, q.add); });
      case RequantKind::kMul16x32:
        return run([&](V v) HWY_ATTR { return Mul16x32(v, q, q.add); });
      default:
        Planes([&](V16 v) HWY_ATTR { return RequantSums(hn::BitCast(d, v), q); });
    }
  }

 private:
  // Pixels of a row.
  struct Some {
    const uint8_t* x;
    uint8_t* y;
  };
  // Masks of x and y.
  struct Masks {
    hn::MFromD<D8> x;
    hn::MFromD<DHalf> y;
  };
  HWY_INLINE Masks MasksOf(int64_t pixels) const {
    return {hn::FirstN(D8(), static_cast<size_t>((pixels - 1) * step_ + span_)),
            hn::FirstN(DHalf(), static_cast<size_t>(pixels * job_.group))};
  }
  HWY_INLINE Some Behind(Some a) const {
    return {a.x + at_once_ * step_, a.y + at_once_ * job_.group};
  }
  HWY_INLINE Some Below(Some a) const { return {a.x + row_step_, a.y + job_.y_row_step}; }

  template <class Formula>
  HWY_INLINE void Planes(const Formula& formula) const {
    Some plane = {
        static_cast<const uint8_t*>(job_.x) + job_.h_first * job_.x_row_step + job_.w_first,
        static_cast<uint8_t*>(job_.y)};
    const int64_t pixels = job_.lanes / job_.group;
    // Vectors of a row, all but the last one full.
    const int64_t full = (pixels - 1) / at_once_;
    const Masks all = MasksOf(at_once_), last = MasksOf(pixels - full * at_once_);
    for (int64_t i = 0; i < job_.planes; ++i) {
      Rows(plane, full, all, last, formula);
      plane.x += job_.x_plane_step;
      plane.y += job_.y_plane_step;
    }
  }
  template <class Formula>
  HWY_INLINE void Rows(Some row, int64_t full, Masks all, Masks last,
                       const Formula& formula) const {
    int64_t rows = job_.rows;
    if (full == 0) {
      for (; rows >= 4; rows -= 4) {
        const Some b = Below(row), c = Below(b), e = Below(c);
        Strip<4>(row, b, c, e, last, last, last, last, formula);
        row = Below(e);
      }
    } else if (full == 1) {
      for (; rows >= 2; rows -= 2) {
        const Some c = Below(row);
        Strip<4>(row, Behind(row), c, Behind(c), all, last, all, last, formula);
        row = Below(c);
      }
    }
    for (; rows > 0; --rows, row = Below(row)) {
      Some a = row;
      int64_t left = full;
      for (; left >= 4; left -= 4) {
        const Some b = Behind(a), c = Behind(b), e = Behind(c);
        Strip<4>(a, b, c, e, all, all, all, all, formula);
        a = Behind(e);
      }
      for (; left >= 2; left -= 2) {
        const Some b = Behind(a);
        Strip<2>(a, b, b, b, all, all, all, all, formula);
        a = Behind(b);
      }
      if (left == 1) {
        const Some b = Behind(a);
        Strip<2>(a, b, b, b, all, last, last, last, formula);
      } else {
        Strip<1>(a, a, a, a, last, last, last, last, formula);
      }
    }
  }

  // Of some vectors.
  template <int kVectors, class Formula>
  HWY_INLINE void Strip(Some s0, Some s1, Some s2, Some s3, Masks m0, Masks m1, Masks m2, Masks m3,
                        const Formula& formula) const {
    const D8 d;
    // Bytes with a sign are summed as they are, 128 below what they stand for.
    const int64_t taps = job_.taps_h * job_.taps_w;
    V16 a = hn::Set(D16(), kSigned ? static_cast<int16_t>(128 * taps) : int16_t{0});
    V16 b = a, c = a, e = a;
    for (int64_t h = 0; h < job_.taps_h; ++h) {
      const int64_t at = h * job_.h_tap * job_.x_row_step;
      Add(Load(s0.x + at, m0.x), a);
      if (kVectors > 1) Add(Load(s1.x + at, m1.x), b);
      if (kVectors > 2) Add(Load(s2.x + at, m2.x), c);
      if (kVectors > 3) Add(Load(s3.x + at, m3.x), e);
    }
    // All of them before the first byte is stored, behind which what formulas have is loaded again.
    const auto r0 = formula(a), r1 = formula(b), r2 = formula(c), r3 = formula(e);
    const auto offset = hn::Set(DHalf(), offset_);
    Store(r0, offset, m0, s0);
    if (kVectors > 1) Store(r1, offset, m1, s1);
    if (kVectors > 2) Store(r2, offset, m2, s2);
    if (kVectors > 3) Store(r3, offset, m3, s3);
  }
  HWY_INLINE hn::VFromD<D8> Load(const uint8_t* p, hn::MFromD<D8> mask) const {
    AskAhead(p, job_.taps_h * job_.x_row_step);
    return hn::MaskedLoad(mask, D8(), p);
  }
  HWY_INLINE void Add(hn::VFromD<D8> v, V16& sums) const {
    sums = hn::Add(sums, Pair<0>(v));
    if constexpr (kPairs > 1) sums = hn::Add(sums, Pair<1>(v));
  }
  template <int kPair>
  HWY_INLINE V16 Pair(hn::VFromD<D8> v) const {
    const D8 d;
    const D16 d16;
    const auto from = hn::BitCast(d, hn::LoadU(D16u(), from_[kPair]));
    const auto weights = hn::Set(D16u(), weights_[kPair]);
    const auto moved = hn::TableLookupLanes(v, hn::IndicesFromVec(d, from));
    if constexpr (kSigned) {
      return hn::SatWidenMulPairwiseAdd(d16, hn::BitCast(d, weights),
                                        hn::BitCast(DSigned(), moved));
    } else {
      return hn::SatWidenMulPairwiseAdd(d16, moved, hn::BitCast(DSigned(), weights));
    }
  }
  static HWY_INLINE void Store(hn::VFromD<D16u> results, hn::VFromD<DHalf> offset, Masks masks,
                               Some some) {
    const DHalf d;
    hn::BlendedStore(hn::Add(hn::TruncateTo(d, results), offset), masks.y, d, some.y);
  }

  const PlanesJob& job_;
  const int64_t step_, span_;  // bytes
  const int64_t at_once_;      // pixels of a vector
  const int64_t row_step_;     // from the rows of one output to those of the next
  const uint8_t offset_;       // of results
  uint16_t weights_[kPairs];
  uint16_t from_[kPairs][kLanes];  // which two bytes become those of each lane
};

template <int kPairs>
HWY_INLINE void RunPixelPairs(const PlanesJob& job) {
  if (job.rules.x_flip == 0) {
    PixelPairs<false, kPairs>(job).Run();
  } else {
    PixelPairs<true, kPairs>(job).Run();
  }
}
inline bool SumPixelPairs(const PlanesJob& job) {
  if (job.taps_w <= 2) {
    RunPixelPairs<1>(job);
  } else {
    RunPixelPairs<2>(job);
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();
#endif

#endif  // per-target include guard
