// Neighbours of lanes, across vectors. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_NEIGHBOURS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_NEIGHBOURS_INL_H_
#undef LANEPOOL_SRC_KERNELS_NEIGHBOURS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_NEIGHBOURS_INL_H_
#endif

#include <stddef.h>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes `from` and up of a, then as many of b as there is room for.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V LanesFrom(D d, V a, V b, size_t from) {
  using TI = hwy::MakeUnsigned<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  const auto indices = hn::Add(hn::Iota(du, 0), hn::Set(du, static_cast<TI>(from)));
  return hn::TwoTablesLookupLanes(d, a, b, hn::IndicesFromVec(d, indices));
}

// In each block of 16: the bytes of `lower` from kBytes on, then the first kBytes of `upper`.
template <int kBytes, class D, class V = hn::VFromD<D>>
HWY_INLINE V BlocksFrom(D d, V upper, V lower) {
  if constexpr (kBytes == 0) return lower;
  if constexpr (kBytes == 16) return upper;
  if constexpr (kBytes != 0 && kBytes != 16) {
    return hn::CombineShiftRightBytes<kBytes>(d, upper, lower);
  }
}

// Lane i + kBy of v; the last ones are the first ones of `next`. kBy: 1, or 2 of lanes that are no
// bytes.
template <int kBy = 1, class D, class V = hn::VFromD<D>>
HWY_INLINE V LaneBehind(D d, V v, V next) {
  [[maybe_unused]] constexpr int kSize = sizeof(hn::TFromD<D>), kBytes = kBy * kSize;
#if HWY_HAVE_SCALABLE
  if constexpr (kSize > 1) return LanesFrom(d, v, next, kBy);
  // Indices of bytes cannot number the lanes of two vectors of more than 128.
  const size_t last = hn::Lanes(d) - 1;
  return hn::IfThenElse(hn::FirstN(d, last), hn::Slide1Down(d, v), hn::SlideUpLanes(d, next, last));
#else
  if constexpr (d.MaxBytes() > 32 && kSize > 2) {
    return LanesFrom(d, v, next, kBy);
  } else if constexpr (d.MaxBytes() > 32) {
    const hn::Repartition<uint64_t, D> d64;
    const auto blocks = LanesFrom(d64, hn::BitCast(d64, v), hn::BitCast(d64, next), 2);
    return BlocksFrom<kBytes>(d, hn::BitCast(d, blocks), v);
  } else if constexpr (d.MaxBytes() == 32) {
    return BlocksFrom<kBytes>(d, hn::ConcatLowerUpper(d, next, v), v);
  } else {
    return BlocksFrom<kBytes>(d, next, v);
  }
#endif
}

// For any of up to eight 16-bit lanes on: each block of 16 bytes of v from the next one on.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V BlocksBehind(D d, V v, V next) {
  static_assert(sizeof(hn::TFromD<D>) == 2, "eight lanes are a block");
#if HWY_HAVE_SCALABLE
  (void)d;
  (void)v;
  return next;
#else
  if constexpr (d.MaxBytes() > 32) {
    const hn::Repartition<uint64_t, D> d64;
    return hn::BitCast(d, LanesFrom(d64, hn::BitCast(d64, v), hn::BitCast(d64, next), 2));
  } else if constexpr (d.MaxBytes() == 32) {
    return hn::ConcatLowerUpper(d, next, v);
  } else {
    return next;
  }
#endif
}
// Lane i + kBy of v, kBy <= 8. blocks: BlocksBehind.
template <int kBy, class D, class V = hn::VFromD<D>>
HWY_INLINE V LaneOfBlocks(D d, V v, V blocks) {
  static_assert(kBy <= 8, "of one block");
#if HWY_HAVE_SCALABLE
  return LanesFrom(d, v, blocks, kBy);
#else
  return BlocksFrom<2 * kBy>(d, blocks, v);
#endif
}

// Lane i - kBy of v; the first ones are the last ones of `last`.
template <int kBy = 1, class D, class V = hn::VFromD<D>>
HWY_INLINE V LaneBefore(D d, V last, V v) {
  constexpr int kSize = sizeof(hn::TFromD<D>);
  [[maybe_unused]] constexpr int kBytes =
      HWY_MIN(16, static_cast<int>(D().MaxBytes())) - kBy * kSize;
#if HWY_HAVE_SCALABLE
  if constexpr (kSize > 1) return LanesFrom(d, last, v, hn::Lanes(d) - kBy);
  const V first = hn::SlideDownLanes(d, last, hn::Lanes(d) - 1);
  return hn::IfThenElse(hn::FirstN(d, 1), first, hn::Slide1Up(d, v));
#else
  if constexpr (d.MaxBytes() > 32 && kSize > 2) {
    return LanesFrom(d, last, v, hn::Lanes(d) - kBy);
  } else if constexpr (d.MaxBytes() > 32) {
    const hn::Repartition<uint64_t, D> d64;
    const auto blocks = LanesFrom(d64, hn::BitCast(d64, last), hn::BitCast(d64, v), 6);
    return BlocksFrom<kBytes>(d, v, hn::BitCast(d, blocks));
  } else if constexpr (d.MaxBytes() == 32) {
    return BlocksFrom<kBytes>(d, v, hn::ConcatLowerUpper(d, v, last));
  } else {
    return BlocksFrom<kBytes>(d, v, last);
  }
#endif
}

// Lane i + kBy of v, kBy 1 or -1, if that is in the same half of the vector; else lane 0 of `none`,
// whose lanes are alike.
template <int kBy, class D, class V = hn::VFromD<D>>
HWY_INLINE V NeighbourInHalf(D d, V v, V none) {
  using TU = hwy::MakeUnsigned<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  const size_t n = hn::Lanes(d);
  const size_t alone = kBy < 0 ? 0 : n / 2 - 1;  // in each half
  const auto lanes = hn::Iota(du, 0);
  const auto in_half = hn::And(lanes, hn::Set(du, static_cast<TU>(n / 2 - 1)));
  const auto indices = hn::IfThenElse(hn::Eq(in_half, hn::Set(du, static_cast<TU>(alone))),
                                      hn::Set(du, static_cast<TU>(n)),
                                      hn::Add(lanes, hn::Set(du, static_cast<TU>(kBy))));
  return hn::TwoTablesLookupLanes(d, v, none, hn::IndicesFromVec(d, indices));
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
