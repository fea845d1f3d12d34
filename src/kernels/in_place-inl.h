// Maxima of bytes are requantized where they lie. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_IN_PLACE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_IN_PLACE_INL_H_
#undef LANEPOOL_SRC_KERNELS_IN_PLACE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_IN_PLACE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_in_place.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline void RequantizeInPlace(const RequantJob& job) {
  const hn::ScalableTag<uint8_t> d;
  const hn::RepartitionToWide<decltype(d)> d16;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job.lanes;
  const Requant requant = *job.requant;  // not loaded again after every store
  const V x_flip = hn::Set(d, job.x_flip);
  const V offset = hn::Set(d, static_cast<uint8_t>(requant.y_offset + job.y_flip));
  const auto requantized = [&](V v) HWY_ATTR {
    hn::VFromD<decltype(d16)> even, odd;
    SplitPairs(hn::Xor(v, x_flip), even, odd);
    const V y = JoinPairs(d, RequantSums(even, requant), RequantSums(odd, requant));
    return hn::Add(y, offset);
  };
  uint8_t* const y = job.y;
  int64_t i = 0;
  for (; i + n <= lanes; i += n) hn::StoreU(requantized(hn::LoadU(d, y + i)), d, y + i);
  if (i == lanes) return;
  const size_t rest = static_cast<size_t>(lanes - i);
  hn::StoreN(requantized(hn::LoadN(d, y + i, rest)), d, y + i, rest);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
