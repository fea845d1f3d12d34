// Averages of bytes in lanes that have formulas of their own, all of them at once. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_LANE_FORMULAS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LANE_FORMULAS_INL_H_
#undef LANEPOOL_SRC_KERNELS_LANE_FORMULAS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LANE_FORMULAS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Formulas of 16 bits, see RequantKind, one for each class of windows. What they differ in are
// fields.
class LaneFormulas {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;
  // What is shifted is, of line = d * kScale + kAdd, (line * kLow >> 16) + line * kHigh + kAddHigh:
  // kMul16 and kMul16x32 alike.
  enum Field {
    kScale,
    kAdd,
    kLow,
    kHigh,
    kAddHigh,
    kShift,
    kOffset,
    kMore,  // that the other line of even kinds adds
    kMoreHigh,
    kFlip,
    kLeast,
    kMost,
    kFields
  };
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);

 public:
  // Fields of the lanes of a vector.
  struct Lanes {
    HWY_ALIGN uint16_t of[kFields][kLanes];
  };

  // False: some need more bits, or there are too many. Results are to be requants[0]->y_offset
  // less.
  bool Make(const Requant* const* requants, int32_t count) {
    if (count > kLanes) return false;
    clamps_ = even_ = false;
    for (int32_t i = 0; i < count; ++i) {
      const Requant& q = *requants[i];
      if (RequantBits(q.kind) != 16) return false;
      const bool clamps = q.plain == 0;
      clamps_ = clamps_ || clamps;
      even_ = even_ || q.add_high != q.add;
      const auto set = [&](Field field, uint64_t value) {
        classes_.of[field][i] = static_cast<uint16_t>(value);
      };
      const bool halves = q.kind >= RequantKind::kMul16x32;
      const auto low = [&](uint64_t add) { return halves ? add & 0xFFFF : add; };
      const auto high = [&](uint64_t add) { return halves ? add >> 16 : 0; };
      set(kScale, 1u << q.pre_shift);
      set(kAdd, low(q.add));
      set(kLow, q.multiplier & 0xFFFF);
      set(kHigh, q.multiplier >> 16);
      set(kAddHigh, high(q.add));
      set(kShift, q.shift);
      set(kOffset, static_cast<uint64_t>(q.y_offset - requants[0]->y_offset));
      set(kMore, low(q.add_high) - low(q.add));
      set(kMoreHigh, high(q.add_high) - high(q.add));
      set(kFlip, q.flip);
      set(kLeast, clamps ? q.sum_least : 0);
      set(kMost, clamps ? q.sum_most - q.sum_least : UINT16_MAX);
    }
    return true;
  }

  void Find(const uint8_t* classes, Lanes* lanes) const {
    const D d;
    const hn::Rebind<uint8_t, D> d8;
    const auto from = hn::IndicesFromVec(d, hn::PromoteTo(d, hn::LoadU(d8, classes)));
    for (int field = 0; field < kFields; ++field) {
      const V of_classes = hn::Load(d, classes_.of[field]);
      hn::Store(hn::TableLookupLanes(of_classes, from), d, lanes->of[field]);
    }
  }

  HWY_INLINE V Apply(const Lanes& lanes, V sums) const {
    const D d;
    const auto of = [&](Field field) HWY_ATTR { return hn::Load(d, lanes.of[field]); };
    if (clamps_) sums = hn::Min(hn::SaturatedSub(sums, of(kLeast)), of(kMost));
    const V line = hn::Add(hn::Mul(sums, of(kScale)), of(kAdd));
    const V low = of(kLow), high = of(kHigh), shift = of(kShift);
    const auto finish = [&](V v, V add) HWY_ATTR {
      return hn::Shr(hn::Add(hn::MulHigh(v, low), hn::Add(hn::Mul(v, high), add)), shift);
    };
    V result = finish(line, of(kAddHigh));
    if (even_) {
      const V upper = finish(hn::Add(line, of(kMore)), hn::Add(of(kAddHigh), of(kMoreHigh)));
      const V odd = hn::Xor(result, of(kFlip));
      result = hn::Add(result, hn::And(hn::Sub(upper, result), odd));
    }
    return hn::Add(result, of(kOffset));
  }

 private:
  bool clamps_ = false, even_ = false;  // any of them
  Lanes classes_ = {};
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
