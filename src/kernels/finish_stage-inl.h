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
#include "kernels/elem-inl.h"
#include "lanepool/lanepool.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LoadSome(D d, const T* p, size_t n) {
  return n == hn::Lanes(d) ? hn::LoadU(d, p) : hn::LoadN(d, p, n);
}

// Entry i of an array with one entry per lane, or the one entry there is.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LanesOf(D d, const FinishJob& job, const T* entries, int64_t i, size_t n) {
  return job.per_lane ? LoadSome(d, entries + i, n) : hn::Set(d, entries[0]);
}

// Calls finish(from, to) for each row.
template <class From, class To, class Finish>
HWY_INLINE void ForRows(const FinishJob& job, const Finish& finish) {
  const From* from = static_cast<const From*>(job.from);
  To* to = static_cast<To*>(job.to);
  for (int64_t row = 0; row < job.rows; ++row) {
    finish(from + row * job.from_step, to + row * job.to_step);
  }
}

inline void WidenRow(const FinishJob& job, const uint8_t* from, uint32_t* to) {
  const hn::ScalableTag<uint32_t> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto v = hn::PromoteTo(d, LoadSome(d8, from + i, n));
    hn::StoreN(hn::Xor(v, hn::Set(d, uint32_t{job.x_flip})), d, to + i, n);
  }
}

// low, or high where low has the parity that asks for it, see Requant; and the offset.
template <class V>
HWY_INLINE V Finished(V low, V high, V shapes, uint8_t y_flip) {
  const hn::DFromV<V> d;
  const V odd = hn::And(hn::Xor(low, hn::ShiftRight<8>(shapes)), hn::Set(d, 1u));
  const V result = hn::Add(low, hn::And(hn::Sub(high, low), odd));
  return hn::Add(result, hn::Add(hn::ShiftRight<16>(shapes), hn::Set(d, uint32_t{y_flip})));
}

// The formula of RequantKind::kMul32Even, of which those of 16 bits and of kMul32 are cases:
// without ties add and add_high are the same.
inline void NarrowSumsToBytesRow(const FinishJob& job, const uint32_t* from, uint8_t* to) {
  const hn::ScalableTag<uint32_t> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const FinishJob::Steps64& s = job.steps;
  const auto byte = hn::Set(d, 0xFFu);
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto least = LanesOf(d, job, s.sum_least, i, n);
    const auto most = LanesOf(d, job, s.sum_most, i, n);
    const auto argument = hn::Sub(hn::Min(hn::Max(LoadSome(d, from + i, n), least), most), least);
    const auto product = hn::Mul(argument, LanesOf(d, job, s.multiplier, i, n));
    const auto shapes = LanesOf(d, job, s.shapes, i, n);
    const auto shift = hn::And(shapes, byte);
    const auto low = hn::Shr(hn::Add(product, LanesOf(d, job, s.add32, i, n)), shift);
    const auto high = hn::Shr(hn::Add(product, LanesOf(d, job, s.add_high32, i, n)), shift);
    const auto result = Finished(low, high, shapes, job.y_flip);
    if (n == hn::Lanes(d)) {
      hn::StoreU(hn::TruncateTo(d8, result), d8, to + i);
    } else {
      hn::StoreN(hn::TruncateTo(d8, result), d8, to + i, n);
    }
  }
}

// The same with products of 64 bits, and slack.
inline void SumsToBytesRow(const FinishJob& job, const uint32_t* from, uint8_t* to) {
  const hn::ScalableTag<uint64_t> d;
  const hn::Rebind<uint32_t, decltype(d)> d32;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const hn::Repartition<uint32_t, decltype(d)> d32x2;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const FinishJob::Steps64& s = job.steps;
  const auto byte = hn::Set(d, uint64_t{0xFF});
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto least = LanesOf(d32, job, s.sum_least, i, n);
    const auto most = LanesOf(d32, job, s.sum_most, i, n);
    const auto sum = LoadSome(d32, from + i, n);
    const auto argument = hn::Sub(hn::Min(hn::Max(sum, least), most), least);
    const auto multiplier = hn::PromoteTo(d, LanesOf(d32, job, s.multiplier, i, n));
    const auto product =
        hn::MulEven(NarrowLanes(d32x2, hn::PromoteTo(d, argument)), NarrowLanes(d32x2, multiplier));
    const auto shapes = LanesOf(d32, job, s.shapes, i, n);
    const auto shift = hn::And(hn::PromoteTo(d, shapes), byte);
    const auto low = hn::Shr(hn::Add(product, LanesOf(d, job, s.add, i, n)), shift);
    const auto high = hn::Shr(hn::Add(product, LanesOf(d, job, s.add_high, i, n)), shift);
    const auto caps = LanesOf(d32, job, s.caps, i, n);
    const auto slack = hn::And(caps, hn::Set(d32, 0xFFFFu));
    const auto most_result = hn::ShiftRight<16>(caps);
    const auto cap = [&](auto v) HWY_ATTR {
      return hn::Sub(hn::Min(hn::Max(hn::TruncateTo(d32, v), slack), most_result), slack);
    };
    const auto result = Finished(cap(low), cap(high), shapes, job.y_flip);
    hn::StoreN(hn::TruncateTo(d8, result), d8, to + i, n);
  }
}

#if HWY_HAVE_FLOAT64

// The nearest f32 of sum * scale / divisor. With |sum| below 2^28 the product is exact and below
// 2^52 units, and with a divisor below 2^27 the f64 quotient is the middle of two f32 only if the
// exact one is: docs/decisions/0010.
inline void SumsToFloatsRow(const FinishJob& job, const uint32_t* from, float* to) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<uint32_t, decltype(d)> d32;
  const hn::Rebind<int32_t, decltype(d)> di32;
  const hn::Rebind<float, decltype(d)> df32;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const auto flip = hn::Set(d, static_cast<double>(job.x_flip));
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto sum = hn::PromoteTo(d, LoadSome(d32, from + i, n));
    const auto zero = hn::PromoteTo(d, LanesOf(di32, job, job.zero_points, i, n));
    const auto bias = hn::Mul(hn::Add(zero, flip), hn::Set(d, job.taps));
    const auto scale = hn::PromoteTo(d, LanesOf(df32, job, job.scales, i, n));
    const auto product = hn::Mul(hn::Sub(sum, bias), scale);
    const auto mean = hn::Div(product, hn::Set(d, job.divisor));
    hn::StoreN(ToF32(df32, mean), df32, to + i, n);
  }
}

// The integer nearest to v + zero, where v is clamped far beyond all results.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V Rounded(D d, V v, V zero, int32_t rounding) {
  if (rounding == LANEPOOL_ROUND_HALF_EVEN) return hn::Add(hn::Round(v), zero);
  const auto sum = hn::Add(v, zero);
  if (rounding == LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT) return hn::Round(sum);
  return hn::CopySign(hn::Floor(hn::Add(hn::Abs(sum), hn::Set(d, 0.5))), sum);
}

// The mean of integers, rounded. With sums below 2^32 and divisors below 2^36 a quotient that is no
// tie is further from every tie than f64 rounds it.
template <class V>
HWY_INLINE V Quotient(V s, V divisor, V reciprocal) {
#if HWY_NATIVE_FMA
  // As DivideF32: no integer is rare.
  const V q = hn::Mul(s, reciprocal);
  return hn::MulAdd(Remainder(q, divisor, s), reciprocal, q);
#else
  (void)reciprocal;
  return hn::Div(s, divisor);
#endif
}

inline void SumsToShorts(const FinishJob& job) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<int32_t, decltype(d)> di32;
  const hn::Rebind<uint32_t, decltype(d)> du32;
  const hn::Rebind<uint16_t, decltype(d)> d16;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  auto bias = hn::Set(d, job.x_offset * job.taps);
  auto divisor = hn::Set(d, job.divisor);
  auto reciprocal = hn::Set(d, 1 / job.divisor);
  const auto least = hn::Set(d, static_cast<double>(job.y_least));
  const auto most = hn::Set(d, static_cast<double>(job.y_most));
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    if (job.extents.counted != nullptr) {
      const auto taps = LoadSome(d, job.extents.taps + i, n);
      const auto counted = LoadSome(d, job.extents.counted + i, n);
      bias = hn::Mul(taps, hn::Set(d, job.x_offset * job.taps));
      divisor = hn::Mul(counted, hn::Set(d, job.divisor));
      reciprocal = hn::Div(hn::Set(d, 1.0), divisor);
    }
    const uint32_t* from = static_cast<const uint32_t*>(job.from) + i;
    uint16_t* to = static_cast<uint16_t*>(job.to) + i;
    for (int64_t row = 0; row < job.rows; ++row, from += job.from_step, to += job.to_step) {
      const auto sum = hn::PromoteTo(d, LoadSome(du32, from, n));
      const auto mean = Quotient(hn::Sub(sum, bias), divisor, reciprocal);
      const auto result = Rounded(d, mean, hn::Zero(d), job.rounding);
      const auto integer = hn::DemoteTo(di32, hn::Min(hn::Max(result, least), most));
      const auto bits = hn::TruncateTo(d16, hn::BitCast(du32, integer));
      if (n == hn::Lanes(d)) {
        hn::StoreU(bits, d16, to);
      } else {
        hn::StoreN(bits, d16, to, n);
      }
    }
  }
}

// Both are f32, so a quotient that is no tie is further from every tie than f64 rounds it.
inline void FloatsToBytesRow(const FinishJob& job, const float* from, uint8_t* to) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<int32_t, decltype(d)> di32;
  const hn::Rebind<uint32_t, decltype(d)> du32;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const hn::Rebind<float, decltype(d)> df32;
  const int64_t step = static_cast<int64_t>(hn::Lanes(d));
  const auto far = hn::Set(d, 4096.0);
  const auto least = hn::Set(d, static_cast<double>(job.y_least));
  const auto most = hn::Set(d, static_cast<double>(job.y_most));
  for (int64_t i = 0; i < job.lanes; i += step) {
    const size_t n = static_cast<size_t>(HWY_MIN(step, job.lanes - i));
    const auto x = hn::PromoteTo(d, LoadSome(df32, from + i, n));
    const auto scale = hn::PromoteTo(d, LanesOf(df32, job, job.scales, i, n));
    const auto zero = hn::PromoteTo(d, LanesOf(di32, job, job.zero_points, i, n));
    // Lanes that do not count may divide by 0.
    const auto quotient = hn::Div(hn::IfThenZeroElse(hn::IsNaN(x), x), scale);
    const auto v = hn::Min(hn::Max(quotient, hn::Neg(far)), far);
    const auto result = Rounded(d, v, zero, job.rounding);
    const auto integer = hn::DemoteTo(di32, hn::Min(hn::Max(result, least), most));
    hn::StoreN(hn::TruncateTo(d8, hn::BitCast(du32, integer)), d8, to + i, n);
  }
}

#else  // no vectors of f64

inline int32_t RoundedScalar(const FinishJob& job, double v, double zero) {
  double result = rint(v) + zero;
  if (job.rounding == LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT) result = rint(v + zero);
  if (job.rounding == LANEPOOL_ROUND_HALF_AWAY) result = round(v + zero);
  if (result < job.y_least) result = job.y_least;
  if (result > job.y_most) result = job.y_most;
  return static_cast<int32_t>(result);
}

inline void SumsToShorts(const FinishJob& job) {
  for (int64_t row = 0; row < job.rows; ++row) {
    const uint32_t* const from = static_cast<const uint32_t*>(job.from) + row * job.from_step;
    uint16_t* const to = static_cast<uint16_t*>(job.to) + row * job.to_step;
    for (int64_t i = 0; i < job.lanes; ++i) {
      const bool alike = job.extents.counted == nullptr;
      const double taps = job.taps * (alike ? 1 : job.extents.taps[i]);
      const double divisor = job.divisor * (alike ? 1 : job.extents.counted[i]);
      const double mean = (from[i] - job.x_offset * taps) / divisor;
      to[i] = static_cast<uint16_t>(RoundedScalar(job, mean, 0.0));
    }
  }
}

inline void SumsToFloatsRow(const FinishJob& job, const uint32_t* from, float* to) {
  for (int64_t i = 0; i < job.lanes; ++i) {
    const int64_t entry = job.per_lane ? i : 0;
    const double bias = (job.zero_points[entry] + job.x_flip) * job.taps;
    to[i] = static_cast<float>((from[i] - bias) * job.scales[entry] / job.divisor);
  }
}

inline void FloatsToBytesRow(const FinishJob& job, const float* from, uint8_t* to) {
  for (int64_t i = 0; i < job.lanes; ++i) {
    const int64_t entry = job.per_lane ? i : 0;
    const double zero = job.zero_points[entry];
    double v = from[i] != from[i] ? 0.0 : static_cast<double>(from[i]) / job.scales[entry];
    v = v < -4096.0 ? -4096.0 : v > 4096.0 ? 4096.0 : v;
    to[i] = static_cast<uint8_t>(RoundedScalar(job, v, zero));
  }
}

#endif

inline void Widen(const FinishJob& job) {
  ForRows<uint8_t, uint32_t>(
      job, [&](const uint8_t* from, uint32_t* to) HWY_ATTR { WidenRow(job, from, to); });
}

inline void SumsToBytes(const FinishJob& job) {
  ForRows<uint32_t, uint8_t>(job, [&](const uint32_t* from, uint8_t* to) HWY_ATTR {
    if (job.steps.narrow) {
      NarrowSumsToBytesRow(job, from, to);
    } else {
      SumsToBytesRow(job, from, to);
    }
  });
}

inline void SumsToFloats(const FinishJob& job) {
  ForRows<uint32_t, float>(
      job, [&](const uint32_t* from, float* to) HWY_ATTR { SumsToFloatsRow(job, from, to); });
}

inline void FloatsToBytes(const FinishJob& job) {
  ForRows<float, uint8_t>(
      job, [&](const float* from, uint8_t* to) HWY_ATTR { FloatsToBytesRow(job, from, to); });
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
