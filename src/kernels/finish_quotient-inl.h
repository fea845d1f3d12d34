// From the sums of bytes of a stage to bytes, by any scales and divisor. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_QUOTIENT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_QUOTIENT_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_QUOTIENT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_QUOTIENT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish_stage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Quotients are cut to +-kFarQuotient, beyond all outputs. Up to there the four roundings on the
// way to one (of the sum, the factor, its division and the product) are off by less than 2^-12 in
// any rounding mode, so that an integer less than kSure away is the nearest one.
constexpr float kFarQuotient = 512.0f;
constexpr float kSure = 0.5f - 0x1p-11f;

// Lanes, the first of n of which is `first`, that are not sure. Rare, so out of line.
template <class D>
HWY_NOINLINE int64_t NoteDoubtful(D d, hn::VFromD<D> distance, int64_t first, size_t n,
                                  uint16_t* doubtful) {
  HWY_ALIGN float lanes[HWY_MAX_LANES_D(D)];
  hn::Store(distance, d, lanes);
  int64_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    if (lanes[i] > kSure)
      doubtful[count++] = static_cast<uint16_t>(first + static_cast<int64_t>(i));
  }
  return count;
}

inline int64_t Quotients(const QuotientJob& job) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const auto far = hn::Set(d, kFarQuotient), sure = hn::Set(d, kSure);
  const auto zero_point = hn::Set(di, job.zero_point);
  const auto least = hn::Set(di, job.y_least), most = hn::Set(di, job.y_most);
  const auto flip = hn::Set(d8, job.y_flip);
  int64_t doubtful = 0;
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    auto factor = hn::Set(d, job.factor);
    auto bias = hn::Set(di, job.bias);
    if (job.counted != nullptr) {
      factor = hn::Div(factor, LoadSome(d, job.counted + i, n));
      bias = hn::Mul(bias, hn::ConvertInRangeTo(di, LoadSome(d, job.taps + i, n)));
    }
    const uint32_t* from = job.from + i;
    uint8_t* to = job.to + i;
    for (int64_t row = 0; row < job.rows; ++row, from += job.from_step, to += job.to_step) {
      const auto sum = hn::BitCast(di, LoadSome(du, from, n));
      const auto quotient = hn::Mul(hn::ConvertTo(d, hn::Sub(sum, bias)), factor);
      const auto v = hn::Min(hn::Max(quotient, hn::Neg(far)), far);
      const auto nearest = hn::NearestInt(v);
      const auto distance = hn::Abs(hn::Sub(v, hn::ConvertTo(d, nearest)));
      if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Gt(distance, sure)))) {
        doubtful += NoteDoubtful(d, distance, row * job.lanes + i, n, job.doubtful + doubtful);
      }
      const auto y = hn::Min(hn::Max(hn::Add(nearest, zero_point), least), most);
      const auto bytes = hn::Xor(hn::TruncateTo(d8, hn::BitCast(du, y)), flip);
      if (n == hn::Lanes(d)) {
        hn::StoreU(bytes, d8, to);
      } else {
        hn::StoreN(bytes, d8, to, n);
      }
    }
  }
  return doubtful;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
