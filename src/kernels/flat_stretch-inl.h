// Windows of two to five taps along W that go over planes of bytes as if each row went on
// in the next one: no lane is masked. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FLAT_STRETCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FLAT_STRETCH_INL_H_
#undef LANEPOOL_SRC_KERNELS_FLAT_STRETCH_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FLAT_STRETCH_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/flat_formula-inl.h"
#include "kernels/neighbours-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A stretch of each of some planes, whose windows have the same taps along H and are requantized
// alike.
struct FlatStretch {
  const uint8_t* x;  // the first tap along H of the first position in the first plane
  int64_t taps, tap_step;
  uint8_t* y;     // the first position
  int64_t lead;   // of the positions the first ones, which are not written
  int64_t lanes;  // positions; the last ones, in all the taps along W but one, are not written
  int64_t planes, x_plane_step, y_plane_step;
};

// Sums along H of pairs of positions, an even one and the odd one behind it, and of both.
template <class V>
struct Columns {
  V even, odd, pair;
};

// kTaps: along W. kTapsH: along H, 0 means stretch.taps.
template <int kTaps, int kTapsH, class Formula>
class SlideStretch {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;

 public:
  HWY_INLINE SlideStretch(const FlatStretch& stretch, const Formula& formula)
      : stretch_(stretch), formula_(formula) {}

  HWY_INLINE void All() const {
    const int64_t n = 2 * static_cast<int64_t>(hn::Lanes(D())), lanes = stretch_.lanes;
    const uint8_t* x = stretch_.x;
    uint8_t* y = stretch_.y + stretch_.lead;
    for (int64_t plane = 0; plane < stretch_.planes; ++plane) {
      int64_t at = 0;
      if (2 * n <= lanes) {
        Columns<V> columns = ColumnsAt(x);
        for (; at + 2 * n <= lanes; at += n) {
          const Columns<V> next = ColumnsAt(x + at + n);
          Put(columns, Behind<1>(columns, next), Behind<2>(columns, next), y + at);
          columns = next;
        }
      }
      for (; at + kTaps <= lanes; at += n) {
        const int64_t last = HWY_MIN(at, lanes + 1 - kTaps - n);  // overlaps the vector before
        // What begins an odd number of positions further has even ones behind odd ones.
        Columns<V> second = {}, third = {};
        if constexpr (kTaps == 2) second.even = ColumnsAt(x + last + 1).odd;
        if constexpr (kTaps > 2) second = ColumnsAt(x + last + 2);
        if constexpr (kTaps == 4) third.even = ColumnsAt(x + last + 3).odd;
        if constexpr (kTaps == 5) third = ColumnsAt(x + last + 4);
        Put(ColumnsAt(x + last), second, third, y + last);
      }
      x += stretch_.x_plane_step;
      y += stretch_.y_plane_step;
    }
  }

 private:
  HWY_INLINE Columns<V> ColumnsAt(const uint8_t* p) const {
    Columns<V> sums;
    formula_.Load(p, sums.even, sums.odd);
    const int64_t step = stretch_.tap_step;
    const auto add = [&](int64_t tap) HWY_ATTR {
      V a, b;
      formula_.Load(p + tap * step, a, b);
      sums.even = hn::Add(sums.even, a);
      sums.odd = hn::Add(sums.odd, b);
    };
    if constexpr (kTapsH == 0) {
      for (int64_t tap = 1; tap < stretch_.taps; ++tap) add(tap);
    } else {  // no compiler takes so long a loop apart
      add(1);
      if constexpr (kTapsH > 2) add(2);
      if constexpr (kTapsH > 3) add(3);
      if constexpr (kTapsH > 4) add(4);
    }
    // Of up to three taps, each window has one pair in it.
    sums.pair = kTaps <= 3 ? formula_.Pair(sums.even, sums.odd) : hn::Add(sums.even, sums.odd);
    return sums;
  }
  // The columns kBy pairs further.
  template <int kBy>
  static HWY_INLINE Columns<V> Behind(const Columns<V>& columns, const Columns<V>& next) {
    const D d;
    Columns<V> behind = {};
    if constexpr (kBy == 2 && kTaps <= 3) return behind;
    behind.even = LaneBehind<kBy>(d, columns.even, next.even);
    if constexpr (kTaps > 2) behind.pair = LaneBehind<kBy>(d, columns.pair, next.pair);
    return behind;
  }
  // Windows that begin at even positions, and at the odd ones behind them.
  HWY_INLINE void Put(const Columns<V>& first, const Columns<V>& second, const Columns<V>& third,
                      uint8_t* y) const {
    V even, odd;
    if constexpr (kTaps == 2) {
      even = first.pair;
      odd = formula_.Pair(first.odd, second.even);
    } else if constexpr (kTaps == 3) {
      even = hn::Add(first.pair, second.even);
      odd = hn::Add(first.odd, second.pair);
    } else {
      const V both = formula_.Begin(second.pair);
      even = hn::Add(first.pair, both);
      odd = hn::Add(hn::Add(first.odd, both), kTaps == 4 ? third.even : third.pair);
      if constexpr (kTaps == 5) even = hn::Add(even, third.even);
    }
    formula_.Put(even, odd, y);
  }

  // No references: what lies elsewhere would be loaded again after every store of a byte.
  const FlatStretch stretch_;
  const Formula formula_;
};

template <int kTaps>
HWY_NOINLINE void FoldStretch(const FlatStretch& stretch, const Requant& requant,
                              const ElementRules& rules) {
  using D = hn::ScalableTag<uint16_t>;
  if (stretch.taps == kTaps && Mul16Formula<D, false>::Knows(requant)) {
    const Mul16Formula<D, false> formula(requant, rules);
    SlideStretch<kTaps, kTaps, Mul16Formula<D, false>>(stretch, formula).All();
  } else if (Mul16Formula<D, true>::Knows(requant)) {
    const Mul16Formula<D, true> formula(requant, rules);
    SlideStretch<kTaps, 0, Mul16Formula<D, true>>(stretch, formula).All();
  } else {
    const AnyFormula<D> formula(requant, rules);
    SlideStretch<kTaps, 0, AnyFormula<D>>(stretch, formula).All();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
