// From the sums of a stage to floats: division, roots, the type of y; and limits in place.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_MEAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_MEAN_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_MEAN_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_MEAN_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish-inl.h"
#include "kernels/half-inl.h"
#include "kernels/ordered-inl.h"
#include "kernels/power-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The root of lanes that are not negative.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Root(D d, V v, double order) {
  if (order == 2) return hn::Sqrt(v);
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return Power(d, v, 1 / order);
  } else {
    const hn::Rebind<double, D> d64;
    return ToF32(d, Power(d64, hn::PromoteTo(d64, v), 1 / order));
  }
}

template <class D, class V = hn::VFromD<D>>
HWY_INLINE void StoreMean(D d, V v, MeanJob::To type, void* to, int64_t i, size_t n) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const hn::Rebind<float, D> df32;
    if (type == MeanJob::kF64) {
      hn::StoreN(v, d, static_cast<double*>(to) + i, n);
    } else {
      hn::StoreN(ToF32(df32, v), df32, static_cast<float*>(to) + i, n);
    }
  } else {
    const hn::Rebind<uint16_t, D> d16;
    uint16_t* const halves = static_cast<uint16_t*>(to) + i;
    if (type == MeanJob::kF32) {
      hn::StoreN(v, d, static_cast<float*>(to) + i, n);
    } else {
      StoreBytes(d16, type == MeanJob::kBf16 ? ToBf16(d, v) : ToF16(d, v), halves, n);
    }
  }
}

// `factor`, times that of each lane if there are such, rounded once.
template <class D>
HWY_INLINE hn::VFromD<D> ExtentOf(D d, double factor, const double* of_lanes, int64_t i, size_t n) {
  if (of_lanes == nullptr) return hn::Set(d, static_cast<hn::TFromD<D>>(factor));
  const hn::Rebind<double, D> d64;
  const auto product = hn::Mul(hn::LoadN(d64, of_lanes + i, n), hn::Set(d64, factor));
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return product;
  } else {
    return ToF32(d, product);
  }
}

template <class Lane>
HWY_INLINE void MeansOf(const MeanJob& job) {
  // As many lanes of f32 as of f64: roots go through f64.
  const hn::Rebind<Lane, hn::ScalableTag<double>> d;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const bool divides = job.divisor != 1 || job.extents.counted != nullptr;
  const auto nan = hn::NaN(d);
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto divisor = ExtentOf(d, job.divisor, job.extents.counted, i, n);
    const auto others = hn::Sub(divisor, ExtentOf(d, job.taps, job.extents.taps, i, n));
    const Lane* sums = static_cast<const Lane*>(job.sums) + i;
    const Lane* counts = static_cast<const Lane*>(job.counts);
    for (int64_t row = 0; row < job.rows; ++row) {
      // A sum of -0 gives +0.
      auto v = hn::Add(hn::LoadN(d, sums + row * job.from_step, n), hn::Zero(d));
      if (job.counts != nullptr) {
        const auto count = hn::LoadN(d, counts + row * job.from_step + i, n);
        v = hn::Div(v, job.counts_divide ? hn::Add(count, others) : divisor);
        v = hn::IfThenElse(hn::Eq(count, hn::Zero(d)), nan, v);
      } else if (divides) {
        v = hn::Div(v, divisor);
      }
      if (job.root > 1) v = Root(d, v, job.root);
      StoreMean(d, CanonicalNan(v), job.type, job.to, row * job.to_step + i, n);
    }
  }
}

inline void Means(const MeanJob& job) {
  if (job.doubles) {
    MeansOf<double>(job);
  } else {
    MeansOf<float>(job);
  }
}

template <class T>
HWY_INLINE void ClampAs(const ClampJob& job) {
  const hn::ScalableTag<T> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const Order<T> order(*job.order);
  const OrderedResult<T> result(*job.order);
  const auto low = hn::Set(d, static_cast<T>(job.low));
  const auto high = hn::Set(d, static_cast<T>(job.high));
  const auto clamped = [&](auto bits) HWY_ATTR {
    const auto v = order.Of(d, bits);
    const auto limited = order.BitsOf(d, hn::Min(hn::Max(v, low), high));
    return hn::IfThenElse(result.IsNan(d, v), bits, limited);
  };
  T* const y = static_cast<T*>(job.y);
  int64_t i = 0;
  if (job.step == 1) {
    for (; i + n <= job.lanes; i += n) hn::StoreU(clamped(hn::LoadU(d, y + i)), d, y + i);
  }
  for (; i < job.lanes; i += n) {
    const int64_t count = HWY_MIN(n, job.lanes - i);
    HWY_ALIGN T lanes[HWY_MAX_LANES_D(decltype(d))] = {};
    T* const at = y + i * job.step;
    for (int64_t k = 0; k < count; ++k) lanes[k] = at[k * job.step];
    hn::Store(clamped(hn::Load(d, lanes)), d, lanes);
    for (int64_t k = 0; k < count; ++k) at[k * job.step] = lanes[k];
  }
}

inline void Clamp(const ClampJob& job) {
  switch (job.bytes) {
    case 2:
      ClampAs<int16_t>(job);
      break;
    case 4:
      ClampAs<int32_t>(job);
      break;
    default:
      ClampAs<int64_t>(job);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
