// Sums of bytes in windows that step by 1 along W, of rows that FlatPlanes does not take: wide
// ones, pixels of a few channels, shorter or longer results. Row after row of a tile. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_
#undef LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/flat-inl.h"
#include "kernels/pixel_stretch-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// PlanesJob of one tap along D, of at most kSumsOfTile lanes and positions beside them. Lanes in
// the middle are requantized alike, and need no scratch where taps are few and near; those at the
// ends, in whole vectors, of several rows at once.
class TileSums {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;
  static constexpr int64_t kMostVector = HWY_MAX_LANES_D(D);
  static constexpr int64_t kRows = 2;
  static constexpr int64_t kStretch = 8;  // vectors, from which on it pays. Measured.
  static constexpr int64_t kMostEnds = kSumsOfTile / 8 + 1;  // vectors, the shortest ones
  static constexpr int64_t kEndRows = 16;
  using Columns = uint16_t[2 * kSumsOfTile + 2 * kMostVector];
  // Of the columns under the lanes.
  struct Part {
    int64_t begin, end;
  };

 public:
  explicit TileSums(const PlanesJob& job)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        total_(job.lanes + Reach()),
        begin_(HWY_MIN(HWY_MAX(-job.w_first, 0), total_)),
        end_(HWY_MIN(HWY_MAX(job.w_input - job.w_first, begin_), total_)) {
    const D d;
    const int64_t n = Lanes();
    // Positions outside of the row are zeros, and none of them is written again.
    for (Columns& columns : columns_) {
      for (int64_t i = 0; i < total_ + n; i += n) hn::StoreU(hn::Zero(d), d, columns + i);
    }
    FindAlike();
    FindStretch();
    FindEnds();
    FindColumns();
  }

  HWY_INLINE void Run() {
    const uint8_t* x = static_cast<const uint8_t*>(job_.x);
    uint8_t* y = static_cast<uint8_t*>(job_.y);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      if (stretch_ != nullptr) StretchRows(x, y);
      const int64_t end = stretch_ != nullptr && ends_ == 0 ? 0 : job_.rows;
      // Two rows at a time: what was just stored cannot be loaded at another place at once.
      for (int64_t row = 0; row < end; row += kRows) {
        const int64_t rows = HWY_MIN(kRows, end - row);
        for (int64_t i = 0; i < rows; ++i) FoldAlongH(x, row + i, columns_[i]);
        for (int64_t i = 0; i < rows; ++i) PutRow(columns_[i], row + i, y);
      }
      x += job_.x_plane_step;
      y += job_.y_plane_step;
    }
  }

 private:
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }
  int64_t Reach() const { return (job_.taps_w - 1) * job_.w_tap; }

  // The neighbours of the lane in the middle that have its class.
  void FindAlike() {
    const uint8_t* const classes = job_.w_classes;
    const int64_t n = Lanes(), lanes = job_.lanes, middle = lanes / 2;
    alike_ = middle;
    alike_end_ = middle + 1;
    while (alike_ > 0 && classes[alike_ - 1] == classes[middle]) --alike_;
    while (alike_end_ < lanes && classes[alike_end_] == classes[middle]) ++alike_end_;
    if (alike_end_ - alike_ < n) alike_ = alike_end_ = lanes;
  }

  // Those of them that have all taps along W, if there is a kernel for these.
  void FindStretch() {
    const int64_t begin = HWY_MAX(alike_, -job_.w_first);
    const int64_t end = HWY_MIN(alike_end_, job_.w_input - job_.w_first - Reach());
    if (end - begin < kStretch * Lanes()) return;
    const int64_t middle = job_.rows / 2;
    if (job_.taps_h != job_.taps_w || TapsOf(middle).taps != job_.taps_h) return;
    stretch_ = PixelStretchOf(job_.taps_w, job_.w_tap, RequantOf(middle, begin));
    if (stretch_ == nullptr) return;
    alike_ = begin;
    alike_end_ = end;
  }

  // The vectors of all other lanes. The last one of a row overlaps the one before.
  void FindEnds() {
    const int64_t n = Lanes(), lanes = job_.lanes;
    for (int64_t i = 0; i < alike_; i += n) AddEnd(HWY_MAX(HWY_MIN(i, lanes - n), 0));
    for (int64_t i = alike_end_; i < lanes; i += n) AddEnd(HWY_MAX(HWY_MIN(i, lanes - n), 0));
    end_rows_ = ends_ == 0 ? 1 : HWY_MIN(kEndRows, kSumsOfTile / (ends_ * n));
    end_rows_ = HWY_MAX(end_rows_, 1);
  }
  void AddEnd(int64_t lane) {
    const int64_t n = Lanes();
    uint16_t* const classes = classes_ + ends_ * n;
    uint32_t which = 0;
    for (int64_t i = 0; i < n; ++i) {
      // The lanes behind the last one have its class.
      classes[i] = job_.w_classes[HWY_MIN(lane + i, job_.lanes - 1)];
      which |= 1u << classes[i];
    }
    end_lane_[ends_] = lane;
    end_classes_[ends_++] = which;
  }

  const Requant& RequantOf(int64_t row, int64_t lane) const {
    return *job_.rules.requants[job_.h_classes[row] * job_.class_count + job_.w_classes[lane]];
  }

  // The columns that are folded: all that are inside, or those of the ends.
  void FindColumns() {
    if (stretch_ == nullptr || ends_ == 0) {
      part_[parts_++] = {begin_, end_};
      return;
    }
    const int64_t n = Lanes();
    for (int64_t i = 0; i < ends_; ++i) {
      const int64_t begin = HWY_MAX(end_lane_[i], begin_);
      const int64_t end = HWY_MIN(end_lane_[i] + n + Reach(), end_);
      if (parts_ > 0 && begin <= part_[parts_ - 1].end) {
        part_[parts_ - 1].end = end;
      } else {
        part_[parts_++] = {begin, end};
      }
    }
  }

  // Taps along H of a row of windows that exist: the first one, and how many.
  struct TapsOfRow {
    int64_t h, taps;
  };
  TapsOfRow TapsOf(int64_t row) const {
    int64_t h = job_.h_first + row * job_.h_stride, taps = job_.taps_h;
    for (; h < 0; h += job_.h_tap) --taps;
    while (h + (taps - 1) * job_.h_tap >= job_.h_input) --taps;
    return {h, taps};
  }

  // The middle of all rows: those that have all taps go together, and are requantized alike.
  HWY_NOINLINE void StretchRows(const uint8_t* x, uint8_t* y) const {
    StretchedRows rows = {};
    rows.end = x + (job_.h_input - 1) * job_.x_row_step + job_.w_input;
    rows.tap_step = job_.h_tap * job_.x_row_step;
    rows.outputs = alike_end_ - alike_;
    rows.x_row_step = job_.h_stride * job_.x_row_step;
    rows.y_row_step = job_.y_row_step;
    for (int64_t row = 0; row < job_.rows; row += rows.rows) {
      const TapsOfRow some = TapsOf(row);
      rows.rows = 1;
      while (some.taps == job_.taps_h && row + rows.rows < job_.rows &&
             TapsOf(row + rows.rows).taps == some.taps) {
        ++rows.rows;
      }
      rows.x = x + some.h * job_.x_row_step + job_.w_first + alike_;
      rows.taps = some.taps;
      rows.y = y + row * job_.y_row_step + alike_;
      stretch_(rows, RequantOf(row, alike_), job_.rules);
    }
  }

  // A row of windows of the plane at x.
  HWY_INLINE void FoldAlongH(const uint8_t* plane, int64_t row, uint16_t* columns) const {
    const TapsOfRow some = TapsOf(row);
    const uint8_t* const x = plane + some.h * job_.x_row_step + job_.w_first;
    for (int i = 0; i < parts_; ++i) {
      const Part part = part_[i];
      if (part.end - part.begin < Lanes()) {
        FoldPart(x, some.taps, part, columns);
      } else if (some.taps == 3) {
        FoldVectors<3>(x, some.taps, part, columns);
      } else if (some.taps == 2) {
        FoldVectors<2>(x, some.taps, part, columns);
      } else {
        FoldVectors<0>(x, some.taps, part, columns);
      }
    }
  }
  // kTaps: 0: any.
  template <int kTaps>
  HWY_INLINE void FoldVectors(const uint8_t* x, int64_t any_taps, const Part& part,
                              uint16_t* columns) const {
    const D d;
    const int64_t n = Lanes(), step = job_.h_tap * job_.x_row_step;
    const int64_t taps = kTaps > 0 ? kTaps : any_taps;
    for (int64_t i = part.begin; i < part.end; i += n) {
      const int64_t at = HWY_MIN(i, part.end - n);  // the last vector overlaps the one before
      V sum = elem_.Load(d, x + at);
      for (int64_t tap = 1; tap < taps; ++tap) {
        sum = hn::Add(sum, elem_.Load(d, x + at + tap * step));
      }
      hn::StoreU(sum, d, columns + at);
    }
  }
  HWY_NOINLINE void FoldPart(const uint8_t* x, int64_t taps, const Part& part,
                             uint16_t* columns) const {
    const D d;
    const size_t count = static_cast<size_t>(part.end - part.begin);
    V sum = hn::Zero(d);
    for (int64_t tap = 0; tap < taps && count > 0; ++tap) {
      const uint8_t* const from = x + part.begin + tap * job_.h_tap * job_.x_row_step;
      sum = hn::Add(sum, elem_.LoadN(d, from, count, hn::Zero(d)));
    }
    hn::StoreN(sum, d, columns + part.begin, count);
  }

  // `y` is the plane's.
  HWY_INLINE void PutRow(const uint16_t* columns, int64_t row, uint8_t* y) {
    const int32_t first_class = job_.h_classes[row] * job_.class_count;
    if (stretch_ == nullptr && alike_ < alike_end_) {
      PutAlike(columns, RequantOf(row, alike_), y + row * job_.y_row_step);
    }
    if (ends_ == 0) return;
    const int64_t n = Lanes();
    for (int64_t i = 0; i < ends_; ++i) {
      const V sum = SumOf(columns + end_lane_[i], job_.taps_w, job_.w_tap);
      hn::Store(sum, D(), results_ + (i * end_rows_ + waiting_) * n);
    }
    ++waiting_;
    const bool last = row + 1 == job_.rows || job_.h_classes[row + 1] != job_.h_classes[row];
    if (waiting_ < end_rows_ && !last) return;
    PutEnds(job_.rules.requants + first_class, y + (row + 1 - waiting_) * job_.y_row_step);
    waiting_ = 0;
  }

  // Lanes that are requantized alike. A loop per formula, as for RequantClass.
  HWY_INLINE void PutAlike(const uint16_t* columns, const Requant& requant, uint8_t* y) const {
    if (requant.rounded != 0) {
      const uint16_t multiplier = requant.rounded;
      return PutSums(columns, requant, y, [=](V v) HWY_ATTR { return Rounded(v, multiplier); });
    }
    const Requant q = requant;
    if (q.kind == RequantKind::kMul16) {
      return PutSums(columns, q, y,
                     [=](V v) HWY_ATTR { return Mul16(RequantArgument(v, q), q, q.add); });
    }
    if (q.kind == RequantKind::kMul16x32) {
      return PutSums(columns, q, y,
                     [=](V v) HWY_ATTR { return Mul16x32(RequantArgument(v, q), q, q.add); });
    }
    PutSums(columns, q, y, [=](V v) HWY_ATTR { return RequantSums(v, q); });
  }
  template <class Formula>
  HWY_NOINLINE void PutSums(const uint16_t* columns, const Requant& requant, uint8_t* y,
                            const Formula formula) const {
    const OutByte16 out(static_cast<uint8_t>(requant.y_offset + job_.rules.y_flip));
    if (job_.taps_w == 3) return PutSums<3>(columns, out, y, formula);
    if (job_.taps_w == 2) return PutSums<2>(columns, out, y, formula);
    PutSums<0>(columns, out, y, formula);
  }
  template <int kTaps, class Formula>
  HWY_INLINE void PutSums(const uint16_t* columns, const OutByte16& out, uint8_t* y,
                          const Formula formula) const {
    const int64_t n = Lanes(), end = alike_end_, step = job_.w_tap;
    const int64_t taps = kTaps > 0 ? kTaps : job_.taps_w;
    for (int64_t i = alike_; i < end; i += n) {
      const int64_t at = HWY_MIN(i, end - n);  // the last vector overlaps the one before
      out.Store(D(), formula(SumOf(columns + at, taps, step)), y + at);
    }
  }
  static HWY_INLINE V SumOf(const uint16_t* columns, int64_t taps, int64_t step) {
    const D d;
    V sum = hn::LoadU(d, columns);
    for (int64_t tap = 1; tap < taps; ++tap) sum = hn::Add(sum, hn::LoadU(d, columns + tap * step));
    return sum;
  }

  // The vectors of ends that wait, of rows from the one at y on.
  HWY_NOINLINE void PutEnds(const Requant* const* requants, uint8_t* y) {
    const D d;
    const int64_t n = Lanes();
    const size_t some = static_cast<size_t>(HWY_MIN(n, job_.lanes));
    for (int64_t i = 0; i < ends_; ++i) {
      uint16_t* const results = results_ + i * end_rows_ * n;
      for (int32_t c = 0; c < job_.class_count; ++c) {
        if ((end_classes_[i] >> c & 1) == 0) continue;
        RequantClass(*requants[c], job_.rules, static_cast<uint16_t>(c), results, classes_ + i * n,
                     0, waiting_ * n);
      }
      uint8_t* to = y + end_lane_[i];
      for (int64_t row = 0; row < waiting_; ++row, to += job_.y_row_step) {
        const V v = hn::Load(d, results + row * n);
        if (job_.lanes >= n) {
          out_.Store(d, v, to);
        } else {
          out_.StoreN(d, v, to, some);
        }
      }
    }
  }

  const PlanesJob& job_;
  const ElemByteSum<uint16_t> elem_;
  const OutByte16 out_;
  // Of the positions under the lanes, those that are inside.
  const int64_t total_, begin_, end_;
  int64_t alike_, alike_end_;
  PixelStretchKernel stretch_ = nullptr;  // of those alike; null: they go by columns
  Part part_[kMostEnds];                  // of the columns, those that are folded
  int parts_ = 0;
  int64_t ends_ = 0;                // vectors
  int64_t end_rows_, waiting_ = 0;  // of them, at most and so far
  int64_t end_lane_[kMostEnds];
  uint32_t end_classes_[kMostEnds];  // a bit for each
  HWY_ALIGN Columns columns_[kRows];
  HWY_ALIGN uint16_t classes_[kSumsOfTile + 2 * kMostVector];
  HWY_ALIGN uint16_t results_[kSumsOfTile + 2 * kMostVector];
};

inline HWY_NOINLINE void RunTileSums(const PlanesJob& job) { TileSums(job).Run(); }

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
