// Windows of one to five taps along W that go over planes of bytes as if each row went on
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
      if constexpr (kTaps == 1) {
        for (; at < lanes; at += n) {
          const int64_t last = HWY_MIN(at, lanes - n);  // overlaps the vector before
          V even, odd, pair;
          Columns(x + last, even, odd, pair);
          formula_.Put(formula_.Begin(even), formula_.Begin(odd), y + last);
        }
      } else if (2 * n <= lanes) {
        V even, odd, pair;
        Columns(x, even, odd, pair);
        for (; at + 2 * n <= lanes; at += n) {
          V next_even, next_odd, next_pair;
          Columns(x + at + n, next_even, next_odd, next_pair);
          Put(odd, pair, Behind<1>(even, next_even), Behind<1>(pair, next_pair),
              Behind<2>(even, next_even), Behind<2>(pair, next_pair), y + at);
          even = next_even;
          odd = next_odd;
          pair = next_pair;
        }
      }
      for (; kTaps > 1 && at + kTaps <= lanes; at += n) {
        const int64_t last = HWY_MIN(at, lanes + 1 - kTaps - n);  // overlaps the vector before
        const uint8_t* const p = x + last;
        // What begins an odd number of positions further has even ones behind odd ones.
        V even, odd, pair, unused, even1 = hn::Zero(D()), pair1 = even1, even2 = even1,
                                   pair2 = even1;
        Columns(p, even, odd, pair);
        if constexpr (kTaps == 2) Columns(p + 1, unused, even1, unused);
        if constexpr (kTaps > 2) Columns(p + 2, even1, unused, pair1);
        if constexpr (kTaps == 4) Columns(p + 3, unused, even2, unused);
        if constexpr (kTaps == 5) Columns(p + 4, even2, unused, pair2);
        Put(odd, pair, even1, pair1, even2, pair2, y + last);
      }
      x += stretch_.x_plane_step;
      y += stretch_.y_plane_step;
    }
  }

 private:
  // Sums along H of pairs of positions, an even one and the odd one behind it, and of both, for
  // windows of several taps along W.
  HWY_INLINE void Columns(const uint8_t* p, V& even, V& odd, V& pair) const {
    V evens, odds;
    formula_.Load(p, evens, odds);
    const int64_t step = stretch_.tap_step;
    if constexpr (kTaps == 1) pair = hn::Zero(D());
    const auto add = [&](int64_t tap) HWY_ATTR {
      V a, b;
      formula_.Load(p + tap * step, a, b);
      evens = hn::Add(evens, a);
      odds = hn::Add(odds, b);
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
    if (kTaps > 1) pair = kTaps <= 3 ? formula_.Pair(evens, odds) : hn::Add(evens, odds);
    even = evens;
    odd = odds;
  }
  // Of the pairs kBy further.
  template <int kBy>
  static HWY_INLINE V Behind(V v, V next) {
    return kBy == 2 && kTaps <= 3 ? v : LaneBehind<kBy>(D(), v, next);
  }
  // Windows that begin at even positions, and at the odd ones behind them. even1 and pair1 are one
  // pair further, even2 and pair2 two.
  HWY_INLINE void Put(V odd, V pair, V even1, V pair1, V even2, V pair2, uint8_t* y) const {
    V first, second;
    if constexpr (kTaps == 2) {
      first = pair;
      second = formula_.Pair(odd, even1);
    } else if constexpr (kTaps == 3) {
      first = hn::Add(pair, even1);
      second = hn::Add(odd, pair1);
    } else {
      const V both = formula_.Begin(pair1);
      first = hn::Add(pair, both);
      second = hn::Add(hn::Add(odd, both), kTaps == 4 ? even2 : pair2);
      if constexpr (kTaps == 5) first = hn::Add(first, even2);
    }
    formula_.Put(first, second, y);
  }

  // No references: what lies elsewhere would be loaded again after every store of a byte.
  const FlatStretch stretch_;
  const Formula formula_;
};

template <int kTaps>
HWY_NOINLINE void FoldStretch(const FlatStretch& stretch, const Requant& requant,
                              const ElementRules& rules) {
  using D = hn::ScalableTag<uint16_t>;
  using OfRounded = Mul16Formula<D, Formula16::kRounded>;
  using OfLine = Mul16Formula<D, Formula16::kLine>;
  using OfAnyLine = Mul16Formula<D, Formula16::kAnyLine>;
  if constexpr (kTaps == 1 || kTaps == 3) {
    const OfRounded rounded(requant, rules);
    if (OfRounded::Knows(requant)) {
      return stretch.taps == 3 ? SlideStretch<kTaps, 3, OfRounded>(stretch, rounded).All()
                               : SlideStretch<kTaps, 0, OfRounded>(stretch, rounded).All();
    }
  }
  if (kTaps > 1 && stretch.taps == kTaps && OfLine::Knows(requant)) {
    SlideStretch<kTaps, kTaps, OfLine>(stretch, OfLine(requant, rules)).All();
  } else if (OfAnyLine::Knows(requant)) {
    SlideStretch<kTaps, 0, OfAnyLine>(stretch, OfAnyLine(requant, rules)).All();
  } else {
    const AnyFormula<D> formula(requant, rules);
    SlideStretch<kTaps, 0, AnyFormula<D>>(stretch, formula).All();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
