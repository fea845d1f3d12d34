// From the lanes of a stage to y: what is too rare, or too wide, for the loops to do themselves.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_STAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_STAGE_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_STAGE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_STAGE_INL_H_
#endif

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "lanepool/lanepool.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Entry i of an array with one entry per lane, or the one entry there is.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LanesOf(D d, const FinishJob& job, const T* entries, int64_t i, size_t n) {
  return job.per_lane ? hn::LoadN(d, entries + i, n) : hn::Set(d, entries[0]);
}

inline void Widen(const FinishJob& job) {
  const hn::ScalableTag<uint32_t> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const uint8_t* from = static_cast<const uint8_t*>(job.from);
  uint32_t* to = static_cast<uint32_t*>(job.to);
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto v = hn::PromoteTo(d, hn::LoadN(d8, from + i, n));
    hn::StoreN(hn::Xor(v, hn::Set(d, uint32_t{job.x_flip})), d, to + i, n);
  }
}

// The formula of RequantKind::kMul64Even, of which the other formulas are cases: without ties add
// and add_high are the same.
inline void SumsToBytes(const FinishJob& job) {
  const hn::ScalableTag<uint64_t> d;
  const hn::Rebind<uint32_t, decltype(d)> d32;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const hn::Repartition<uint32_t, decltype(d)> d32x2;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const uint32_t* from = static_cast<const uint32_t*>(job.from);
  uint8_t* to = static_cast<uint8_t*>(job.to);
  const FinishJob::Steps64& s = job.steps;
  const auto one = hn::Set(d, uint64_t{1});
  const auto byte = hn::Set(d, uint64_t{0xFF});
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto least = LanesOf(d32, job, s.sum_least, i, n);
    const auto most = LanesOf(d32, job, s.sum_most, i, n);
    const auto sum = hn::LoadN(d32, from + i, n);
    const auto argument = hn::Sub(hn::Min(hn::Max(sum, least), most), least);
    const auto multiplier = hn::PromoteTo(d, LanesOf(d32, job, s.multiplier, i, n));
    const auto product =
        hn::MulEven(hn::BitCast(d32x2, hn::PromoteTo(d, argument)), hn::BitCast(d32x2, multiplier));
    const auto shapes = hn::PromoteTo(d, LanesOf(d32, job, s.shapes, i, n));
    const auto shift = hn::And(shapes, byte);
    const auto low = hn::Shr(hn::Add(product, LanesOf(d, job, s.add, i, n)), shift);
    const auto high = hn::Shr(hn::Add(product, LanesOf(d, job, s.add_high, i, n)), shift);
    const auto odd = hn::And(hn::Xor(low, hn::ShiftRight<8>(shapes)), one);
    const auto any = hn::Add(low, hn::And(hn::Sub(high, low), odd));
    const auto caps = LanesOf(d32, job, s.caps, i, n);
    const auto slack = hn::And(caps, hn::Set(d32, 0xFFFFu));
    const auto capped = hn::Min(hn::Max(hn::TruncateTo(d32, any), slack), hn::ShiftRight<16>(caps));
    const auto result = hn::PromoteTo(d, hn::Sub(capped, slack));
    const auto offset = hn::Add(hn::ShiftRight<16>(shapes), hn::Set(d, uint64_t{job.y_flip}));
    hn::StoreN(hn::TruncateTo(d8, hn::Add(result, offset)), d8, to + i, n);
  }
}

#if HWY_HAVE_FLOAT64

// The nearest f32 of sum * scale / divisor. With |sum| below 2^28 the product is exact and below
// 2^52 units, and with a divisor below 2^27 the f64 quotient is the middle of two f32 only if the
// exact one is: docs/decisions/0010.
inline void SumsToFloats(const FinishJob& job) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<uint32_t, decltype(d)> d32;
  const hn::Rebind<int32_t, decltype(d)> di32;
  const hn::Rebind<float, decltype(d)> df32;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const uint32_t* from = static_cast<const uint32_t*>(job.from);
  float* to = static_cast<float*>(job.to);
  const auto flip = hn::Set(d, static_cast<double>(job.x_flip));
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto sum = hn::PromoteTo(d, hn::LoadN(d32, from + i, n));
    const auto zero = hn::PromoteTo(d, LanesOf(di32, job, job.zero_points, i, n));
    const auto bias = hn::Mul(hn::Add(zero, flip), hn::Set(d, job.taps));
    const auto scale = hn::PromoteTo(d, LanesOf(df32, job, job.scales, i, n));
    const auto product = hn::Mul(hn::Sub(sum, bias), scale);
    const auto mean = hn::Div(product, hn::Set(d, job.divisor));
    hn::StoreN(hn::DemoteTo(df32, mean), df32, to + i, n);
  }
}

// Both are f32, so a quotient that is no tie is further from every tie than f64 rounds it.
inline void FloatsToBytes(const FinishJob& job) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<int32_t, decltype(d)> di32;
  const hn::Rebind<uint32_t, decltype(d)> du32;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const hn::Rebind<float, decltype(d)> df32;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const float* from = static_cast<const float*>(job.from);
  uint8_t* to = static_cast<uint8_t*>(job.to);
  const auto far = hn::Set(d, 4096.0);
  const auto half = hn::Set(d, 0.5);
  const auto least = hn::Set(d, static_cast<double>(job.y_least));
  const auto most = hn::Set(d, static_cast<double>(job.y_most));
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto x = hn::PromoteTo(d, hn::LoadN(df32, from + i, n));
    const auto scale = hn::PromoteTo(d, LanesOf(df32, job, job.scales, i, n));
    const auto zero = hn::PromoteTo(d, LanesOf(di32, job, job.zero_points, i, n));
    // Lanes that do not count may divide by 0.
    const auto quotient = hn::Div(hn::IfThenZeroElse(hn::IsNaN(x), x), scale);
    const auto v = hn::Min(hn::Max(quotient, hn::Neg(far)), far);
    auto result = hn::Add(hn::Round(v), zero);
    if (job.rounding == LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT) {
      result = hn::Round(hn::Add(v, zero));
    } else if (job.rounding == LANEPOOL_ROUND_HALF_AWAY) {
      const auto sum = hn::Add(v, zero);
      result = hn::CopySign(hn::Floor(hn::Add(hn::Abs(sum), half)), sum);
    }
    const auto integer = hn::DemoteTo(di32, hn::Min(hn::Max(result, least), most));
    hn::StoreN(hn::TruncateTo(d8, hn::BitCast(du32, integer)), d8, to + i, n);
  }
}

#else  // no vectors of f64

inline void SumsToFloats(const FinishJob& job) {
  const uint32_t* from = static_cast<const uint32_t*>(job.from);
  float* to = static_cast<float*>(job.to);
  for (int64_t i = 0; i < job.lanes; ++i) {
    const int64_t entry = job.per_lane ? i : 0;
    const double bias = (job.zero_points[entry] + job.x_flip) * job.taps;
    to[i] = static_cast<float>((from[i] - bias) * job.scales[entry] / job.divisor);
  }
}

inline void FloatsToBytes(const FinishJob& job) {
  const float* from = static_cast<const float*>(job.from);
  uint8_t* to = static_cast<uint8_t*>(job.to);
  for (int64_t i = 0; i < job.lanes; ++i) {
    const int64_t entry = job.per_lane ? i : 0;
    const double zero = job.zero_points[entry];
    double v = from[i] != from[i] ? 0.0 : static_cast<double>(from[i]) / job.scales[entry];
    v = v < -4096.0 ? -4096.0 : v > 4096.0 ? 4096.0 : v;
    double result = rint(v) + zero;
    if (job.rounding == LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT) result = rint(v + zero);
    if (job.rounding == LANEPOOL_ROUND_HALF_AWAY) result = round(v + zero);
    if (result < job.y_least) result = job.y_least;
    if (result > job.y_most) result = job.y_most;
    to[i] = static_cast<uint8_t>(static_cast<int32_t>(result));
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
