// Planes of bytes as one row, windows of three taps along W: all outputs at once as if each row
// went on in the next, then those at the ends of the rows again. No lane is masked, and nothing
// goes through memory but the ends. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FLAT_THREE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FLAT_THREE_INL_H_
#undef LANEPOOL_SRC_KERNELS_FLAT_THREE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FLAT_THREE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
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

// Sums along H of neighbouring positions, in pairs of an even position and the odd one behind it.
template <class V>
struct Columns {
  V even, odd;
};

// A stretch of each of some planes, whose windows have the same taps along H and are requantized
// alike.
struct FlatStretch {
  const uint8_t* x;  // the first tap along H of the first position in the first plane
  int64_t taps, tap_step;
  uint8_t* y;     // the first position
  int64_t lanes;  // positions; the first and the last one are not written
  int64_t planes, x_plane_step, y_plane_step;
};

// kTaps: along H, 0 means stretch.taps.
template <int kTaps, class Formula>
HWY_INLINE void SlideStretch(const FlatStretch& stretch, const Formula& formula) {
  const hn::ScalableTag<uint16_t> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = 2 * static_cast<int64_t>(hn::Lanes(d));
  const int64_t step = stretch.tap_step, lanes = stretch.lanes, taps = stretch.taps;
  const auto columns = [&](const uint8_t* p, V& even, V& odd) HWY_ATTR {
    formula.Load(p, even, odd);
    for (int64_t tap = 1; tap < (kTaps == 0 ? taps : kTaps); ++tap) {
      V a, b;
      formula.Load(p + tap * step, a, b);
      even = hn::Add(even, a);
      odd = hn::Add(odd, b);
    }
  };
  const uint8_t* x = stretch.x;
  uint8_t* y = stretch.y + 1;
  // The windows of the odd positions, and of the even ones behind them.
  const auto put = [&](int64_t at, V odd, V pair, V next_even, V next_pair) HWY_ATTR {
    formula.Put(hn::Add(pair, next_even), hn::Add(odd, next_pair), y + at);
  };
  for (int64_t plane = 0; plane < stretch.planes; ++plane) {
    int64_t at = 0;
    if (2 * n <= lanes) {
      V even, odd;
      columns(x, even, odd);
      V pair = formula.Pair(even, odd);
      for (; at + 2 * n <= lanes; at += n) {
        V next_even, next_odd;
        columns(x + at + n, next_even, next_odd);
        const V next_pair = formula.Pair(next_even, next_odd);
        put(at, odd, pair, LaneBehind(d, even, next_even), LaneBehind(d, pair, next_pair));
        even = next_even;
        odd = next_odd;
        pair = next_pair;
      }
    }
    for (; at + 2 < lanes; at += n) {
      const int64_t last = HWY_MIN(at, lanes - 2 - n);  // overlaps the vector before
      V even, odd, next_even, next_odd;
      columns(x + last, even, odd);
      columns(x + last + 2, next_even, next_odd);
      put(last, odd, formula.Pair(even, odd), next_even, formula.Pair(next_even, next_odd));
    }
    x += stretch.x_plane_step;
    y += stretch.y_plane_step;
  }
}

inline HWY_NOINLINE void FoldStretch(const FlatStretch& stretch, const Requant& requant,
                                     const ElementRules& rules) {
  using D = hn::ScalableTag<uint16_t>;
  if (stretch.taps == 3 && Mul16Formula<D, false>::Knows(requant)) {
    SlideStretch<3>(stretch, Mul16Formula<D, false>(requant, rules));
  } else if (Mul16Formula<D, true>::Knows(requant)) {
    SlideStretch<0>(stretch, Mul16Formula<D, true>(requant, rules));
  } else {
    SlideStretch<0>(stretch, AnyFormula<D>(requant, rules));
  }
}

// PlanesJob of FlatPlanes with three neighbouring taps along W, the first one before the row.
class FlatThree {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;
  static constexpr int64_t kMostPairs = 512;
  static constexpr int64_t kMostBytes = 13 << 10;

 public:
  static bool Fits(const PlanesJob& job) {
    const int64_t reach = Reach(job);
    return job.taps_w == 3 && job.w_tap == 1 && job.w_first == -1 && job.w_input > 2 &&
           reach < kMostPairs && job.rows + 1 + reach <= kMostPairs &&
           (WholeEnd(job) - WholeBegin(job)) * job.w_input >= LeastLanes();
  }

  explicit FlatThree(const PlanesJob& job)
      : job_(job),
        elem_(job.rules),
        width_(job.w_input),
        whole_begin_(WholeBegin(job)),
        whole_end_(WholeEnd(job)),
        pairs_(job.rows + 1 + Reach(job)) {}

  void Run() {
    const int64_t most = HWY_MIN(
        HWY_MIN(kMostPairs / pairs_, HWY_MAX(1, kMostBytes / (job_.rows * width_))), job_.planes);
    PrepareClasses(most);
    for (int64_t plane = 0; plane < job_.planes; plane += most) {
      const int64_t planes = HWY_MIN(most, job_.planes - plane);
      FoldPlanes(plane, planes);
      FoldEnds(plane, planes);
    }
  }

 private:
  static int64_t Reach(const PlanesJob& job) { return (job.taps_h - 1) * job.h_tap; }
  // Rows of y that have all taps.
  static int64_t WholeBegin(const PlanesJob& job) { return HWY_MAX(0, -job.h_first); }
  static int64_t WholeEnd(const PlanesJob& job) {
    return HWY_MIN(job.rows, job.h_input - Reach(job) - job.h_first);
  }
  // Of a stretch.
  static int64_t LeastLanes() { return 2 * static_cast<int64_t>(hn::Lanes(D())) + 2; }

  const uint8_t* X(int64_t plane) const {
    return static_cast<const uint8_t*>(job_.x) + plane * job_.x_plane_step;
  }
  uint8_t* Y(int64_t plane) const {
    return static_cast<uint8_t*>(job_.y) + plane * job_.y_plane_step;
  }
  const Requant* RequantOf(int64_t row, int64_t lane) const {
    return job_.rules.requants[job_.h_classes[row] * job_.class_count + job_.w_classes[lane]];
  }

  // Rows that lack taps are shorter than vectors: what is written beyond them is written again by
  // the rows that have all taps.
  void FoldPlanes(int64_t plane, int64_t planes) const {
    const int64_t lanes = HWY_MAX(width_, LeastLanes());
    for (int64_t row = 0; row < whole_begin_; ++row) FoldRows(plane, planes, row, 0, lanes);
    for (int64_t row = job_.rows - 1; row >= whole_end_; --row) {
      FoldRows(plane, planes, row, width_ - lanes, lanes);
    }
    FoldRows(plane, planes, whole_begin_, 0, (whole_end_ - whole_begin_) * width_);
  }

  // Positions from `shift` behind the beginning of `row` on.
  void FoldRows(int64_t plane, int64_t planes, int64_t row, int64_t shift, int64_t lanes) const {
    const int64_t start = job_.h_first + row;
    int64_t first = 0, taps = job_.taps_h;
    while (start + first * job_.h_tap < 0) ++first;
    while (start + (taps - 1) * job_.h_tap >= job_.h_input) --taps;
    FlatStretch stretch;
    stretch.x = X(plane) + (start + first * job_.h_tap) * width_ + shift;
    stretch.taps = taps - first;
    stretch.tap_step = job_.h_tap * width_;
    stretch.y = Y(plane) + row * width_ + shift;
    stretch.lanes = lanes;
    stretch.planes = planes;
    stretch.x_plane_step = job_.x_plane_step;
    stretch.y_plane_step = job_.y_plane_step;
    FoldStretch(stretch, *RequantOf(row, 1), job_.rules);
  }

  // The end of a row and the beginning of the next one are side by side. A pair of lanes holds the
  // last window of a row and the first one of the next.
  void PrepareClasses(int64_t planes) {
    class_count_ = 0;
    const int64_t last_row = job_.rows - 1;
    uint16_t begin = 0, end = 0;  // of a row
    for (int64_t i = 0; i < pairs_; ++i) {
      classes_[2 * i] = end;
      if (i == 0 || (i <= last_row && job_.h_classes[i] != job_.h_classes[i - 1])) {
        begin = ClassOf(RequantOf(i, 0));
        end = ClassOf(RequantOf(i, width_ - 1));
      }
      classes_[2 * i + 1] = begin;
    }
    const size_t bytes = static_cast<size_t>(2 * pairs_) * sizeof(classes_[0]);
    for (int64_t i = 1; i < planes; ++i) hwy::CopyBytes(classes_, classes_ + 2 * pairs_ * i, bytes);
  }
  uint16_t ClassOf(const Requant* requant) {
    int32_t c = 0;
    while (c < class_count_ && requants_[c] != requant) ++c;
    if (c == class_count_) requants_[class_count_++] = requant;
    return static_cast<uint16_t>(c);
  }

  void FoldEnds(int64_t plane, int64_t planes) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t taps = job_.taps_h, step = job_.h_tap;
    for (int64_t i = 0; i < planes; ++i) GatherEnds(X(plane + i), bytes_ + 4 * pairs_ * i);
    const int64_t lanes = 2 * pairs_ * planes;
    for (int64_t i = 0; i < lanes; i += n) {
      V even, odd;
      elem_.Load2(d, bytes_ + 2 * i, even, odd);
      for (int64_t tap = 1; tap < taps; ++tap) {
        V a, b;
        elem_.Load2(d, bytes_ + 2 * i + 4 * tap * step, a, b);
        even = hn::Add(even, a);
        odd = hn::Add(odd, b);
      }
      hn::Store(hn::Add(even, odd), d, sums_ + i);
    }
    for (int32_t c = 0; c < class_count_; ++c) {
      RequantClass(*requants_[c], job_.rules, static_cast<uint16_t>(c), sums_, classes_, n,
                   (lanes + n - 1) / n * n);
    }
    // Two bytes of each pair side by side.
    const hn::RepartitionToWide<D> d32;
    const hn::Repartition<uint8_t, D> d8;
    const auto offset = hn::Set(d8, OffsetOf(job_.rules));
    for (int64_t i = 0; i < lanes; i += n) {
      const auto pair = WideLanes(d32, hn::Load(d, sums_ + i));
      const auto both = NarrowLanes(d8, NarrowLanes(d, hn::Or(pair, hn::ShiftRight<8>(pair))));
      hn::Store(hn::Add(both, offset), d8, bytes_ + 2 * i);
    }
    for (int64_t i = 0; i < planes; ++i) ScatterEnds(bytes_ + 4 * pairs_ * i, Y(plane + i));
  }

  // The last two elements of row h_first + i - 1 and the first two of the next one, for each i.
  void GatherEnds(const uint8_t* x, uint8_t* to) const {
    const int64_t width = width_, pairs = pairs_, h_first = job_.h_first, h_input = job_.h_input;
    const int64_t begin = HWY_MAX(1 - h_first, 0);
    const int64_t end = HWY_MIN(h_input - h_first, pairs);
    // What is outside counts as 0.
    const uint8_t flip = job_.rules.x_flip;
    const uint8_t outside[4] = {flip, flip, flip, flip};
    for (int64_t i = 0; i < begin; ++i) hwy::CopyBytes<4>(outside, to + 4 * i);
    for (int64_t i = end; i < pairs; ++i) hwy::CopyBytes<4>(outside, to + 4 * i);
    if (h_first <= 0) hwy::CopyBytes<2>(x, to + 4 * begin - 2);
    if (end < pairs) hwy::CopyBytes<2>(x + h_input * width - 2, to + 4 * end);
    const uint8_t* from = x + (h_first + begin) * width - 2;
    int64_t i = begin;
    // A turn of a loop takes a cycle at least.
    for (; !kCompact && i + 4 <= end; i += 4, from += 4 * width) {
      hwy::CopyBytes<4>(from, to + 4 * i);
      hwy::CopyBytes<4>(from + width, to + 4 * i + 4);
      hwy::CopyBytes<4>(from + 2 * width, to + 4 * i + 8);
      hwy::CopyBytes<4>(from + 3 * width, to + 4 * i + 12);
    }
    for (; i < end; ++i, from += width) hwy::CopyBytes<4>(from, to + 4 * i);
  }

  void ScatterEnds(const uint8_t* from, uint8_t* y) const {
    const int64_t width = width_, rows = job_.rows;
    y[0] = from[1];
    uint8_t* to = y + width - 1;
    int64_t row = 1;
    for (; !kCompact && row + 4 <= rows; row += 4, to += 4 * width) {
      hwy::CopyBytes<2>(from + 4 * row, to);
      hwy::CopyBytes<2>(from + 4 * row + 4, to + width);
      hwy::CopyBytes<2>(from + 4 * row + 8, to + 2 * width);
      hwy::CopyBytes<2>(from + 4 * row + 12, to + 3 * width);
    }
    for (; row < rows; ++row, to += width) hwy::CopyBytes<2>(from + 4 * row, to);
    *to = from[4 * rows];
  }

  const PlanesJob& job_;
  const ElemByteSum<uint16_t> elem_;
  const int64_t width_;
  const int64_t whole_begin_, whole_end_;
  const int64_t pairs_;  // of ends of rows in a plane
  int32_t class_count_;
  const Requant* requants_[kMostRequants];
  // Taps of the last lanes are behind the pairs, and of no meaning.
  HWY_ALIGN uint8_t bytes_[8 * kMostPairs + 2 * HWY_MAX_LANES_D(D)];
  HWY_ALIGN uint16_t sums_[2 * kMostPairs + HWY_MAX_LANES_D(D)];
  HWY_ALIGN uint16_t classes_[2 * kMostPairs + HWY_MAX_LANES_D(D)];
};

// False: the job is not one for this.
inline HWY_NOINLINE bool RunFlatThree(const PlanesJob& job) {
  if (!FlatThree::Fits(job)) return false;
  FlatThree(job).Run();
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
