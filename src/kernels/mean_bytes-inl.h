// Averages of bytes from their sums, input and output of one scale: a quotient that is nearly right
// and its remainder, which is exact. So the floating-point environment has no say. Per-target
// include guard.
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
      auto y = hn::ConvertTo(di, Nearest(number, divisor, hn::BitCast(df, b)));
      y = hn::Add(y, hn::Set(di, rules_.y_zero));
      // Bytes saturate anyway.
      if (rules_.limited) {
        y = hn::Min(hn::Max(y, hn::Set(di, rules_.least)), hn::Set(di, rules_.most));
      }
      return hn::BitCast(d, y);
    }

   private:
    // The integer nearest to number / divisor. All but the first product is exact.
    template <class VF>
    HWY_INLINE VF Nearest(VF number, VF divisor, VF reciprocal) const {
      const hn::DFromV<VF> df;
      const VF one = hn::Set(df, 1.0f);
      VF q = hn::Floor(hn::Mul(number, reciprocal));
      VF rest = hn::NegMulAdd(q, divisor, number);
      const auto below = hn::Lt(rest, hn::Zero(df)), beyond = hn::Ge(rest, divisor);
      q = hn::Sub(q, hn::IfThenElseZero(below, one));
      q = hn::Add(q, hn::IfThenElseZero(beyond, one));
      rest = hn::Add(rest, hn::IfThenElseZero(below, divisor));
      rest = hn::Sub(rest, hn::IfThenElseZero(beyond, divisor));
      const VF twice = hn::Add(rest, rest);
      const auto above =
          hn::Or(hn::Gt(twice, divisor), hn::And(hn::Eq(twice, divisor), TieIsUp(q)));
      return hn::Add(q, hn::IfThenElseZero(above, one));
    }
    template <class VF>
    HWY_INLINE hn::MFromD<hn::DFromV<VF>> TieIsUp(VF q) const {
      const hn::DFromV<VF> df;
      if (rules_.ties == MeanRules::kUp) return hn::Ge(q, hn::Set(df, rules_.least_up));
      const hn::RebindToSigned<decltype(df)> di;
      const auto last = hn::And(hn::ConvertTo(di, q), hn::Set(di, 1));
      const auto wanted = hn::Set(di, rules_.ties == MeanRules::kEven ? 1 : 0);
      return hn::RebindMask(df, hn::Eq(last, wanted));
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
