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

// Lanes kFrom and up of a, then as many of b as there is room for; kFrom 0 means the last lane.
template <size_t kFrom, class D, class V = hn::VFromD<D>>
HWY_INLINE V LanesFrom(D d, V a, V b) {
  using TI = hwy::MakeUnsigned<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  const size_t from = kFrom == 0 ? hn::Lanes(d) - 1 : kFrom;
  const auto indices = hn::Add(hn::Iota(du, 0), hn::Set(du, static_cast<TI>(from)));
  return hn::TwoTablesLookupLanes(d, a, b, hn::IndicesFromVec(d, indices));
}

// Lane i + 1 of v; the last lane is the first one of `next`.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V LaneBehind(D d, V v, V next) {
  constexpr int kBytes = sizeof(hn::TFromD<D>);
#if HWY_HAVE_SCALABLE
  if constexpr (kBytes > 1) return LanesFrom<1>(d, v, next);
  // Indices of bytes cannot number the lanes of two vectors of more than 128.
  const size_t last = hn::Lanes(d) - 1;
  return hn::IfThenElse(hn::FirstN(d, last), hn::Slide1Down(d, v), hn::SlideUpLanes(d, next, last));
#else
  if constexpr (d.MaxBytes() > 32 && kBytes > 1) {
    return LanesFrom<1>(d, v, next);
  } else if constexpr (d.MaxBytes() > 32) {
    const hn::Repartition<uint64_t, D> d64;
    const auto blocks = LanesFrom<2>(d64, hn::BitCast(d64, v), hn::BitCast(d64, next));
    return hn::CombineShiftRightBytes<kBytes>(d, hn::BitCast(d, blocks), v);
  } else if constexpr (d.MaxBytes() == 32) {
    return hn::CombineShiftRightBytes<kBytes>(d, hn::ConcatLowerUpper(d, next, v), v);
  } else {
    return hn::CombineShiftRightBytes<kBytes>(d, next, v);
  }
#endif
}

// Lane i - 1 of v; the first lane is the last one of `last`.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V LaneBefore(D d, V last, V v) {
  constexpr int kSize = sizeof(hn::TFromD<D>), kBytes = 16 - kSize;
#if HWY_HAVE_SCALABLE
  if constexpr (kSize > 1) return LanesFrom<0>(d, last, v);
  const V first = hn::SlideDownLanes(d, last, hn::Lanes(d) - 1);
  return hn::IfThenElse(hn::FirstN(d, 1), first, hn::Slide1Up(d, v));
#else
  if constexpr (d.MaxBytes() > 32 && kSize > 1) {
    return LanesFrom<0>(d, last, v);
  } else if constexpr (d.MaxBytes() > 32) {
    const hn::Repartition<uint64_t, D> d64;
    const auto blocks = LanesFrom<6>(d64, hn::BitCast(d64, last), hn::BitCast(d64, v));
    return hn::CombineShiftRightBytes<kBytes>(d, v, hn::BitCast(d, blocks));
  } else if constexpr (d.MaxBytes() == 32) {
    return hn::CombineShiftRightBytes<kBytes>(d, v, hn::ConcatLowerUpper(d, v, last));
  } else {
    return hn::CombineShiftRightBytes<kBytes>(d, v, last);
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
