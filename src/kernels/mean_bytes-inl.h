// Averages of bytes from their sums, for windows of any number of taps that 32 bits hold: one
// rounded division and the decision where ties go. docs/quantization.md says why that is exact.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_MEAN_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_MEAN_BYTES_INL_H_
#undef LANEPOOL_SRC_KERNELS_MEAN_BYTES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_MEAN_BYTES_INL_H_
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

// Results as signed 32-bit lanes, which saturate; y_flip makes them signed bytes.
class OutByte32 {
 public:
  using Memory = uint8_t;

  explicit OutByte32(const ElementRules& rules) : flip_(rules.y_flip) {}

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, uint8_t* p) const {
    const hn::Rebind<uint8_t, D> d8;
    hn::StoreU(hn::Xor(Bytes(d, v), hn::Set(d8, flip_)), d8, p);
  }
  template <class D>
  HWY_INLINE void StoreN(D d, hn::VFromD<D> v, uint8_t* p, size_t n) const {
    const hn::Rebind<uint8_t, D> d8;
    StoreBytes(d8, hn::Xor(Bytes(d, v), hn::Set(d8, flip_)), p, n);
  }

 private:
  template <class D>
  static HWY_INLINE hn::VFromD<hn::Rebind<uint8_t, D>> Bytes(D, hn::VFromD<D> v) {
    const hn::Rebind<uint8_t, D> d8;
    return hn::DemoteTo(d8, hn::BitCast(hn::RebindToSigned<D>(), v));
  }

  const uint8_t flip_;
};

// The integer nearest to the quotient q, which is rounded once; ties as MeanRules say.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V NearestQuotient(D d, V q, const MeanRules& rules) {
  using T = hn::TFromD<D>;
  const V down = hn::Floor(q);
  const V rest = hn::Sub(q, down), half = hn::Set(d, T(0.5));
  auto up = hn::Ge(down, hn::Set(d, static_cast<T>(rules.least_up)));
  if (rules.ties != MeanRules::kUp) {
    const V halved = hn::Mul(down, half);
    const auto even = hn::Eq(hn::Floor(halved), halved);
    up = rules.ties == MeanRules::kOdd ? even : hn::Not(even);
  }
  const auto above = hn::Or(hn::Gt(rest, half), hn::And(hn::Eq(rest, half), up));
  return hn::Add(down, hn::IfThenElseZero(above, hn::Set(d, T(1))));
}

// Part of the lanes in f64, where scales are not alike. numbers / divisors * scale.
template <class D64, class V64 = hn::VFromD<D64>>
HWY_INLINE V64 ScaledQuotient(D64 d64, V64 numbers, V64 divisors, const MeanRules& rules) {
  const V64 q = hn::Div(hn::Mul(numbers, hn::Set(d64, rules.x_factor)),
                        hn::Mul(divisors, hn::Set(d64, rules.y_factor)));
  // Beyond these all are saturated.
  const V64 limited = hn::Min(hn::Max(q, hn::Set(d64, -1024.0)), hn::Set(d64, 1024.0));
  return NearestQuotient(d64, limited, rules);
}

// Out of line: it is long code.
template <class DF, class VF = hn::VFromD<DF>>
HWY_NOINLINE VF ScaledMeans(DF df, VF numbers, VF divisors, const MeanRules* rules) {
  HWY_ALIGN float lanes[HWY_MAX_LANES_D(DF)];
  HWY_ALIGN float by[HWY_MAX_LANES_D(DF)];
  const hn::Repartition<double, DF> d64;
  const hn::Rebind<float, decltype(d64)> part;
  hn::Store(numbers, df, lanes);
  hn::Store(divisors, df, by);
  for (size_t i = 0; i < hn::Lanes(df); i += hn::Lanes(part)) {
    const auto q = ScaledQuotient(d64, hn::PromoteTo(d64, hn::LoadU(part, lanes + i)),
                                  hn::PromoteTo(d64, hn::LoadU(part, by + i)), *rules);
    hn::StoreU(hn::DemoteTo(part, q), part, lanes + i);
  }
  return hn::Load(df, lanes);
}

class MeanOfBytes : public DividesLanes {
 public:
  class Planes {
   public:
    explicit Planes(const PlanesJob& job) : counts_(job.h_counts), rules_(*job.rules.mean) {}

    HWY_INLINE void BeginPlane() { count_ = 0; }
    // Divisors and reciprocals are floats in lanes of integers.
    template <class D, class V>
    HWY_INLINE void Row(D d, int64_t row, V counts, V& a, V& b) {
      if (counts_[row] == count_) return;
      count_ = counts_[row];
      const hn::RebindToFloat<D> df;
      const auto divisor = hn::Mul(hn::BitCast(df, counts), hn::Set(df, count_));
      a = hn::BitCast(d, divisor);
      b = hn::BitCast(d, hn::Div(hn::Set(df, 1.0f), divisor));
    }
    template <class V, class S>
    HWY_INLINE V Apply(V v, V, V a, V b, S&) const {
      const hn::DFromV<V> d;
      const hn::RebindToSigned<decltype(d)> di;
      const hn::RebindToFloat<decltype(d)> df;
      const auto divisor = hn::BitCast(df, a);
      // Whole numbers below 2^24, all of them.
      auto number = hn::ConvertTo(df, hn::BitCast(di, v));
      if (rules_.zero_of_divisor != 0 || rules_.zero != 0) {
        number = hn::Sub(number, hn::MulAdd(divisor, hn::Set(df, rules_.zero_of_divisor),
                                            hn::Set(df, rules_.zero)));
      }
      auto y = hn::BitCast(di, number);
      if (rules_.x_factor != 1 || rules_.y_factor != 1) {
        y = hn::ConvertTo(di, ScaledMeans(df, number, divisor, &rules_));
      } else if (rules_.ties == MeanRules::kEven) {
        y = hn::NearestInt(Quotient(number, divisor, hn::BitCast(df, b)));
      } else {
        const auto q = Quotient(number, divisor, hn::BitCast(df, b));
        y = hn::ConvertTo(di, NearestQuotient(df, q, rules_));
      }
      y = hn::Add(y, hn::Set(di, rules_.y_zero));
      // Bytes saturate anyway.
      if (rules_.limited) {
        y = hn::Min(hn::Max(y, hn::Set(di, rules_.least)), hn::Set(di, rules_.most));
      }
      return hn::BitCast(d, y);
    }

   private:
    // Corrected as DivideF32 does it; there are no rare values.
    template <class VF>
    static HWY_INLINE VF Quotient(VF number, VF divisor, VF reciprocal) {
#if HWY_NATIVE_FMA
      const VF q = hn::Mul(number, reciprocal);
      return hn::MulAdd(hn::NegMulAdd(q, divisor, number), reciprocal, q);
#else
      (void)reciprocal;
      return hn::Div(number, divisor);
#endif
    }

    const float* const counts_;
    const MeanRules rules_;
    float count_ = 0;
  };
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
