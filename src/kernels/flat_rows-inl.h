// Planes of bytes as one row, windows of two to five taps along W: all outputs at once as if each
// row went on in the next, then those at the ends of the rows again. Nothing goes through memory
// but the ends. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FLAT_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FLAT_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_FLAT_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FLAT_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/flat_stretch-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// PlanesJob of FlatPlanes with so many neighbouring taps along W, at most kHalf of them before the
// row or behind it.
template <int kTaps>
class FlatRows {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;
  // Of the end of a row and the beginning of the next, which are side by side: positions that are
  // read on either side, and outputs of both.
  static constexpr int64_t kSide = kTaps > 3 ? 4 : 2, kHalf = kSide / 2;
  static constexpr int64_t kMostEnds = 1024 / kSide;
  static constexpr int64_t kMostBytes = 13 << 10;
  static_assert(kFlatReach <= kMostEnds, "what long rows are promised");
  static_assert(kHalf < kFlatEnds, "of which classes are asked for");

 public:
  static bool Fits(const PlanesJob& job) {
    const int64_t reach = Reach(job), lead = -job.w_first, trail = kTaps - 1 - lead;
    return job.taps_w == kTaps && job.w_tap == 1 && lead >= 0 && lead <= kHalf && trail <= kHalf &&
           job.w_input > (kTaps > 3 ? 2 * kSide : 2) && reach < kMostEnds &&
           job.rows + 1 + reach <= kMostEnds &&
           (WholeEnd(job) - WholeBegin(job)) * job.w_input >= LeastLanes();
  }

  explicit FlatRows(const PlanesJob& job)
      : job_(job),
        elem_(job.rules),
        width_(job.w_input),
        whole_begin_(WholeBegin(job)),
        whole_end_(WholeEnd(job)),
        ends_(job.rows + 1 + Reach(job)) {}

  void Run() {
    const int64_t most = HWY_MIN(
        HWY_MIN(kMostEnds / ends_, HWY_MAX(1, kMostBytes / (job_.rows * width_))), job_.planes);
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
  static int64_t LeastLanes() { return 2 * static_cast<int64_t>(hn::Lanes(D())) + kTaps - 1; }

  const uint8_t* X(int64_t plane) const {
    return static_cast<const uint8_t*>(job_.x) + plane * job_.x_plane_step;
  }
  uint8_t* Y(int64_t plane) const {
    return static_cast<uint8_t*>(job_.y) + plane * job_.y_plane_step;
  }
  const Requant* RequantOf(int64_t row, int64_t lane) const {
    const bool ends = width_ > kSumsOfTile && lane >= kFlatEnds;  // all classes there are
    const uint8_t w_class = job_.w_classes[ends ? 2 * kFlatEnds - (width_ - lane) : lane];
    return job_.rules.requants[job_.h_classes[row] * job_.class_count + w_class];
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
    stretch.lead = -job_.w_first;
    stretch.lanes = lanes;
    stretch.planes = planes;
    stretch.x_plane_step = job_.x_plane_step;
    stretch.y_plane_step = job_.y_plane_step;
    FoldStretch<kTaps>(stretch, *RequantOf(row, kHalf), job_.rules);
  }

  // Lanes of ends are the last windows of a row and the first ones of the next.
  void PrepareClasses(int64_t planes) {
    const int64_t last_row = job_.rows - 1;
    uint16_t begin[kHalf] = {}, end[kHalf] = {};  // of a row
    for (int64_t i = 0; i < ends_; ++i) {
      uint16_t* const classes = classes_ + kSide * i;
      for (int64_t lane = 0; lane < kHalf; ++lane) classes[lane] = end[lane];
      if (i == 0 || (i <= last_row && job_.h_classes[i] != job_.h_classes[i - 1])) {
        for (int64_t lane = 0; lane < kHalf; ++lane) {
          begin[lane] = ClassOf(RequantOf(i, lane));
          end[lane] = ClassOf(RequantOf(i, width_ - kHalf + lane));
        }
      }
      for (int64_t lane = 0; lane < kHalf; ++lane) classes[kHalf + lane] = begin[lane];
    }
    const size_t bytes = static_cast<size_t>(kSide * ends_) * sizeof(classes_[0]);
    for (int64_t i = 1; i < planes; ++i)
      hwy::CopyBytes(classes_, classes_ + kSide * ends_ * i, bytes);
  }
  uint16_t ClassOf(const Requant* requant) {
    int32_t c = 0;
    while (c < class_count_ && requants_[c] != requant) ++c;
    if (c == class_count_) requants_[class_count_++] = requant;
    return static_cast<uint16_t>(c);
  }

  void FoldEnds(int64_t plane, int64_t planes) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = kSide * ends_ * planes;
    for (int64_t i = 0; i < planes; ++i) GatherEnds(X(plane + i), bytes_ + 2 * kSide * ends_ * i);
    if constexpr (kTaps <= 3) {
      SumEnds(lanes);
    } else {
      SumWiderEnds(lanes);
    }
    for (int32_t c = 0; c < class_count_; ++c) {
      RequantClass(*requants_[c], job_.rules, static_cast<uint16_t>(c), sums_, classes_, n,
                   (lanes + n - 1) / n * n);
    }
    StoreEnds(lanes);
    for (int64_t i = 0; i < planes; ++i) ScatterEnds(bytes_ + 4 * ends_ * i, Y(plane + i));
  }

  // Two positions on either side: of three taps both are in the window; of two taps only the one
  // beside the end, where the other is in the next row.
  HWY_INLINE void SumEnds(int64_t lanes) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t taps = job_.taps_h, step = job_.h_tap;
    const V zero = hn::Zero(d);
    for (int64_t i = 0; i < lanes; i += n) {
      V even, odd;
      elem_.Load2(d, bytes_ + 2 * i, even, odd);
      for (int64_t tap = 1; tap < taps; ++tap) {
        V a, b;
        elem_.Load2(d, bytes_ + 2 * i + 4 * tap * step, a, b);
        even = hn::Add(even, a);
        odd = hn::Add(odd, b);
      }
      // Even lanes are of the last window of a row, odd ones of the first window of the next.
      if (kTaps == 2 && job_.w_first == 0) even = hn::OddEven(even, zero);
      if (kTaps == 2 && job_.w_first != 0) odd = hn::OddEven(zero, odd);
      hn::Store(hn::Add(even, odd), d, sums_ + i);
    }
  }

  // Of more: of the eight positions of two rows, the windows of those in the middle.
  HWY_INLINE void SumWiderEnds(int64_t lanes) {
    const D d;
    const hn::RepartitionToWideX2<D> d64;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    HWY_ALIGN uint16_t masks[5][8];
    PrepareMasks(masks);
    for (int64_t i = 0; i < lanes; i += n) {
      const V a = MiddleSums(bytes_ + 2 * i, masks), b = MiddleSums(bytes_ + 2 * i + n, masks);
      const auto both = hn::ConcatEven(d64, hn::BitCast(d64, b), hn::BitCast(d64, a));
      hn::Store(hn::BitCast(d, both), d, sums_ + i);
    }
  }
  // Whether position i + tap - 2 is in the row of position i.
  static void PrepareMasks(uint16_t (&masks)[5][8]) {
    for (int tap = 0; tap < 5; ++tap) {
      for (int i = 0; i < 8; ++i) {
        const int at = i + tap - 2;
        masks[tap][i] = at >= 0 && at < 8 && at / 4 == i / 4 ? 0xFFFF : 0;
      }
    }
  }
  // In the lower half of each block of eight lanes.
  HWY_INLINE V MiddleSums(const uint8_t* p, const uint16_t (&masks)[5][8]) const {
    const D d;
    V v = elem_.Load(d, p);
    for (int64_t tap = 1; tap < job_.taps_h; ++tap) {
      v = hn::Add(v, elem_.Load(d, p + 8 * tap * job_.h_tap));
    }
    const auto part = [&](V lanes, int tap)
                          HWY_ATTR { return hn::And(lanes, hn::LoadDup128(d, masks[tap])); };
    V sum = hn::Add(v, part(hn::ShiftLeftLanes<1>(d, v), 1));
    sum = hn::Add(sum, part(hn::ShiftRightLanes<1>(d, v), 3));
    if (kTaps == 5 || job_.w_first == -2) sum = hn::Add(sum, part(hn::ShiftLeftLanes<2>(d, v), 0));
    if (kTaps == 5 || job_.w_first == -1) sum = hn::Add(sum, part(hn::ShiftRightLanes<2>(d, v), 4));
    return hn::ShiftRightLanes<2>(d, sum);
  }

  // The bytes of the outputs of ends, 4 bytes from one end to the next.
  HWY_INLINE void StoreEnds(int64_t lanes) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (kTaps <= 3) {
      const hn::RepartitionToWide<D> d32;
      const hn::Repartition<uint8_t, D> d8;
      const auto offset = hn::Set(d8, OffsetOf(job_.rules));
      for (int64_t i = 0; i < lanes; i += n) {
        const auto pair = WideLanes(d32, hn::Load(d, sums_ + i));
        const auto both = NarrowLanes(d8, NarrowLanes(d, hn::Or(pair, hn::ShiftRight<8>(pair))));
        hn::Store(hn::Add(both, offset), d8, bytes_ + 2 * i);
      }
    } else {
      const OutByte16 out(job_.rules);
      for (int64_t i = 0; i < lanes; i += n) out.Store(d, hn::Load(d, sums_ + i), bytes_ + i);
    }
  }

  // The last elements of row h_first + i - 1 and the first ones of the next one, for each i.
  void GatherEnds(const uint8_t* x, uint8_t* to) const {
    constexpr int64_t kBytes = 2 * kSide;
    const int64_t width = width_, ends = ends_, h_first = job_.h_first, h_input = job_.h_input;
    const int64_t begin = HWY_MAX(1 - h_first, 0);
    const int64_t end = HWY_MIN(h_input - h_first, ends);
    // What is outside counts as 0.
    const uint8_t flip = job_.rules.x_flip;
    uint8_t outside[kBytes];
    for (int64_t i = 0; i < kBytes; ++i) outside[i] = flip;
    for (int64_t i = 0; i < begin; ++i) hwy::CopyBytes<kBytes>(outside, to + kBytes * i);
    for (int64_t i = end; i < ends; ++i) hwy::CopyBytes<kBytes>(outside, to + kBytes * i);
    if (h_first <= 0) hwy::CopyBytes<kSide>(x, to + kBytes * begin - kSide);
    if (end < ends) hwy::CopyBytes<kSide>(x + h_input * width - kSide, to + kBytes * end);
    const uint8_t* from = x + (h_first + begin) * width - kSide;
    int64_t i = begin;
    // A turn of a loop takes a cycle at least.
    for (; !kCompact && i + 4 <= end; i += 4, from += 4 * width) {
      hwy::CopyBytes<kBytes>(from, to + kBytes * i);
      hwy::CopyBytes<kBytes>(from + width, to + kBytes * (i + 1));
      hwy::CopyBytes<kBytes>(from + 2 * width, to + kBytes * (i + 2));
      hwy::CopyBytes<kBytes>(from + 3 * width, to + kBytes * (i + 3));
    }
    for (; i < end; ++i, from += width) hwy::CopyBytes<kBytes>(from, to + kBytes * i);
  }

  void ScatterEnds(const uint8_t* from, uint8_t* y) const {
    const int64_t width = width_, rows = job_.rows;
    hwy::CopyBytes<kHalf>(from + kHalf, y);
    uint8_t* to = y + width - kHalf;
    int64_t row = 1;
    for (; !kCompact && row + 4 <= rows; row += 4, to += 4 * width) {
      hwy::CopyBytes<kSide>(from + 4 * row, to);
      hwy::CopyBytes<kSide>(from + 4 * row + 4, to + width);
      hwy::CopyBytes<kSide>(from + 4 * row + 8, to + 2 * width);
      hwy::CopyBytes<kSide>(from + 4 * row + 12, to + 3 * width);
    }
    for (; row < rows; ++row, to += width) hwy::CopyBytes<kSide>(from + 4 * row, to);
    hwy::CopyBytes<kHalf>(from + 4 * rows, to);
  }

  const PlanesJob& job_;
  const ElemByteSum<uint16_t> elem_;
  const int64_t width_;
  const int64_t whole_begin_, whole_end_;
  const int64_t ends_;  // of rows in a plane, those before the first and behind the last included
  int32_t class_count_ = 0;
  const Requant* requants_[kMostRequants];
  // Taps of the last lanes are behind the ends, and of no meaning.
  HWY_ALIGN uint8_t bytes_[4 * kSide * kMostEnds + 2 * HWY_MAX_LANES_D(D)];
  HWY_ALIGN uint16_t sums_[kSide * kMostEnds + HWY_MAX_LANES_D(D)];
  HWY_ALIGN uint16_t classes_[kSide * kMostEnds + HWY_MAX_LANES_D(D)];
};

// False: the job is not one for this.
template <int kTaps>
HWY_NOINLINE bool RunFlatRows(const PlanesJob& job) {
  if (!FlatRows<kTaps>::Fits(job)) return false;
  FlatRows<kTaps>(job).Run();
  return true;
}
inline bool RunFlatRows(const PlanesJob& job) {
  return RunFlatRows<2>(job) || RunFlatRows<3>(job) || RunFlatRows<4>(job) || RunFlatRows<5>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
