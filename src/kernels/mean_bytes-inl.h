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

// In 32-bit lanes: what lanes divide by is whole, the reciprocals are floats.
class MeanOfBytes : public DividesLanes {
 public:
  static constexpr bool kWhole = true;

  class Planes {
   public:
    explicit Planes(const PlanesJob& job) : rules_(*job.rules.mean) {}

    HWY_INLINE void BeginPlane() {}
    template <class V, class S>
    HWY_INLINE V Apply(V v, V, V divisor, V reciprocal, S&) const {
      const hn::DFromV<V> d;
      const hn::RebindToSigned<decltype(d)> di;
      const hn::RebindToFloat<decltype(d)> df;
      const auto sum = hn::BitCast(di, v), by = hn::BitCast(di, divisor);
      // A little below the integer nearest to the quotient, or that and one half: it is cut off to
      // the nearest one or, close to a half, the one below. The remainder tells.
      const auto near = hn::MulAdd(hn::ConvertTo(df, sum), hn::BitCast(df, reciprocal),
                                   hn::Set(df, 0.5f - 0x1p-11f));
      auto y = hn::ConvertInRangeTo(di, near);
      const auto rest = hn::Sub(sum, hn::Mul(y, by));
      const auto above = hn::Gt(hn::Add(hn::Add(rest, rest), TieIsUp(di, y)), by);
      y = hn::Sub(y, hn::VecFromMask(di, above));
      y = hn::Add(y, hn::Set(di, rules_.add));
      // Bytes saturate anyway.
      if (rules_.limited) {
        y = hn::Min(hn::Max(y, hn::Set(di, rules_.least)), hn::Set(di, rules_.most));
      }
      return hn::BitCast(d, y);
    }

   private:
    // 1 where a half above y goes up, else 0.
    template <class DI>
    HWY_INLINE hn::VFromD<DI> TieIsUp(DI di, hn::VFromD<DI> y) const {
      const auto one = hn::Set(di, 1);
      if (rules_.ties == MeanRules::kUp) {
        return hn::IfThenElseZero(hn::Ge(y, hn::Set(di, rules_.least_up)), one);
      }
      return hn::And(hn::Xor(y, hn::Set(di, rules_.ties == MeanRules::kOdd ? 1 : 0)), one);
    }

    const MeanRules rules_;
  };
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
