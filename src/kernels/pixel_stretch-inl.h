// Averages of bytes in windows of a few taps along W that are three or four positions apart, as
// those of RGB and RGBA pixels are. Nothing goes through memory. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PIXEL_STRETCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PIXEL_STRETCH_INL_H_
#undef LANEPOOL_SRC_KERNELS_PIXEL_STRETCH_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PIXEL_STRETCH_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/flat_formula-inl.h"
#include "kernels/neighbours-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows of windows with the same taps along H, which are requantized alike. Outputs are a vector of
// bytes at least.
struct StretchedRows {
  const uint8_t* x;    // the first tap of the first window
  const uint8_t* end;  // of the plane: up to there all may be read
  int64_t taps, tap_step;
  uint8_t* y;
  int64_t outputs;
  int64_t rows, x_row_step, y_row_step;
};

// One vector of outputs from `at` on, each tap of each from memory. By value: see SlideStretch.
inline HWY_NOINLINE void PutApart(const StretchedRows rows, int64_t taps_w, int64_t step,
                                  const AnyFormula<hn::ScalableTag<uint16_t>> formula, int64_t row,
                                  int64_t at) {
  const hn::ScalableTag<uint16_t> d;
  const uint8_t* const x = rows.x + row * rows.x_row_step + at;
  auto even = hn::Zero(d), odd = even;
  for (int64_t tap = 0; tap < taps_w; ++tap) {
    for (int64_t h = 0; h < rows.taps; ++h) {
      hn::VFromD<decltype(d)> a, b;
      formula.Load(x + tap * step + h * rows.tap_step, a, b);
      even = hn::Add(even, a);
      odd = hn::Add(odd, b);
    }
  }
  formula.Put(even, odd, rows.y + row * rows.y_row_step + at);
}

// Windows of kTaps along W, kStep positions apart, and of as many along H.
template <int kTaps, int kStep, class Formula>
class PixelStretch {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;

 public:
  HWY_INLINE PixelStretch(const StretchedRows& rows, const Formula& formula)
      : rows_(rows), formula_(formula) {}

  HWY_INLINE void All(const AnyFormula<D>& any) const {
    const int64_t n = 2 * static_cast<int64_t>(hn::Lanes(D())), outputs = rows_.outputs;
    const uint8_t* x = rows_.x;
    uint8_t* y = rows_.y;
    for (int64_t row = 0; row < rows_.rows; ++row) {
      // Outputs up to here have the vector behind theirs.
      const int64_t all = rows_.end - x - (kTaps - 1) * rows_.tap_step - 2 * n;
      const int64_t whole = HWY_MIN(all, outputs - n);
      int64_t at = 0;
      while (at <= whole) {
        V even, odd;
        Columns(x + at, even, odd);
        for (; at <= whole; at += n) {
          V next_even, next_odd;
          Columns(x + at + n, next_even, next_odd);
          Put(even, odd, next_even, next_odd, y + at);
          even = next_even;
          odd = next_odd;
        }
        if (at >= outputs || whole < outputs - n) break;
        at = outputs - n;  // the last vector overlaps the one before
      }
      for (; at < outputs; at += n) {
        PutApart(rows_, kTaps, kStep, any, row, HWY_MIN(at, outputs - n));
      }
      x += rows_.x_row_step;
      y += rows_.y_row_step;
    }
  }

 private:
  // Sums along H of even positions and of the odd ones behind them. No compiler takes so long a
  // loop apart.
  HWY_INLINE void Columns(const uint8_t* p, V& even, V& odd) const {
    static_assert(kTaps == 3 || kTaps == 5, "taps along H");
    const int64_t step = rows_.tap_step;
    V evens, odds;
    formula_.Load(p, evens, odds);
    AddTap(p + step, evens, odds);
    AddTap(p + 2 * step, evens, odds);
    if constexpr (kTaps > 3) AddTap(p + 3 * step, evens, odds);
    if constexpr (kTaps > 3) AddTap(p + 4 * step, evens, odds);
    even = evens;
    odd = odds;
  }
  HWY_INLINE void AddTap(const uint8_t* p, V& even, V& odd) const {
    V a, b;
    formula_.Load(p, a, b);
    even = hn::Add(even, a);
    odd = hn::Add(odd, b);
  }

  HWY_INLINE void Put(V even, V odd, V next_even, V next_odd, uint8_t* y) const {
    const D d;
    const V even_blocks = BlocksBehind(d, even, next_even);
    const V odd_blocks = BlocksBehind(d, odd, next_odd);
    V first = even, second = odd;
    Add<1>(even, even_blocks, odd, odd_blocks, first, second);
    formula_.Put(formula_.Begin(first), formula_.Begin(second), y);
  }

  // Taps from kTap on, of the windows that begin at even positions and at the odd ones behind.
  template <int kTap>
  static HWY_INLINE void Add(V even, V even_blocks, V odd, V odd_blocks, V& first, V& second) {
    if constexpr (kTap < kTaps) {
      const D d;
      constexpr int kApart = kTap * kStep, kPairs = kApart / 2;
      if constexpr (kApart % 2 == 0) {
        first = hn::Add(first, LaneOfBlocks<kPairs>(d, even, even_blocks));
        second = hn::Add(second, LaneOfBlocks<kPairs>(d, odd, odd_blocks));
      } else {
        first = hn::Add(first, LaneOfBlocks<kPairs>(d, odd, odd_blocks));
        second = hn::Add(second, LaneOfBlocks<kPairs + 1>(d, even, even_blocks));
      }
      Add<kTap + 1>(even, even_blocks, odd, odd_blocks, first, second);
    }
  }

  // No references, see SlideStretch.
  const StretchedRows rows_;
  const Formula formula_;
};

// Which of these a row of windows with all taps goes by.
template <int kTaps>
using PixelFormula =
    Mul16Formula<hn::ScalableTag<uint16_t>, kTaps == 3 ? Formula16::kRounded : Formula16::kAnyLine>;
using OtherPixelFormula = Mul16x32Formula<hn::ScalableTag<uint16_t>>;

template <int kTaps, int kStep>
HWY_NOINLINE void FoldPixelStretch(const StretchedRows& rows, const Requant& requant,
                                   const ElementRules& rules) {
  using One = PixelFormula<kTaps>;
  using Other = OtherPixelFormula;
  const AnyFormula<hn::ScalableTag<uint16_t>> any(requant, rules);
  if (rows.taps == kTaps && One::Knows(requant)) {
    PixelStretch<kTaps, kStep, One>(rows, One(requant, rules)).All(any);
  } else if (rows.taps == kTaps && Other::Knows(requant)) {
    PixelStretch<kTaps, kStep, Other>(rows, Other(requant, rules)).All(any);
  } else {
    const int64_t n = 2 * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<uint16_t>()));
    for (int64_t row = 0; row < rows.rows; ++row) {
      for (int64_t at = 0; at < rows.outputs; at += n) {
        PutApart(rows, kTaps, kStep, any, row, HWY_MIN(at, rows.outputs - n));
      }
    }
  }
}

using PixelStretchKernel = void (*)(const StretchedRows&, const Requant&, const ElementRules&);

template <int kTaps>
PixelStretchKernel PixelStretchOf(int64_t step, const Requant& requant) {
  if (!PixelFormula<kTaps>::Knows(requant) && !OtherPixelFormula::Knows(requant)) return nullptr;
  if (step == 3) return &FoldPixelStretch<kTaps, 3>;
  return step == 4 ? &FoldPixelStretch<kTaps, 4> : nullptr;
}
// Of windows of taps x taps; `requant` is of those that have all. Null: there is none.
inline PixelStretchKernel PixelStretchOf(int64_t taps, int64_t step, const Requant& requant) {
  if (taps == 3) return PixelStretchOf<3>(step, requant);
  return taps == 5 ? PixelStretchOf<5>(step, requant) : nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
