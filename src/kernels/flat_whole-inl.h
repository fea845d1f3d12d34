// Averages of bytes in windows of one to five neighbouring taps along W that all lie in their rows:
// long rows one by one, shorter ones as if each went on in the next. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FLAT_WHOLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FLAT_WHOLE_INL_H_
#undef LANEPOOL_SRC_KERNELS_FLAT_WHOLE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FLAT_WHOLE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/flat_stretch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// PlanesJob of one tap along D.
template <int kTaps>
class FlatWhole {
  using D = hn::ScalableTag<uint16_t>;
  static constexpr int64_t kBytes = 4096;  // of rows that become results together
  static constexpr int64_t kLongRow = 8;   // vectors
  // Positions of a plane that have all taps, at least, where other rows lack some. Measured.
  static constexpr int64_t kWithEdges = 128;

 public:
  static bool Fits(const PlanesJob& job) {
    return job.taps_w == kTaps && (job.w_tap == 1 || kTaps == 1) && job.group == 1 &&
           job.w_first >= 0 && job.w_first + job.lanes + kTaps - 1 <= job.w_input &&
           (job.lanes >= Step() || FlatWhole(job).is_dense_);
  }

  explicit FlatWhole(const PlanesJob& job)
      : job_(job),
        begin_(WholeBegin(job)),
        end_(HWY_MAX(begin_, WholeEnd(job))),
        goes_on_(begin_ == 0 && end_ == job.rows && job.h_first == 0 &&
                 job.x_row_step == job.w_input && job.x_plane_step == job.h_input * job.w_input),
        is_dense_(IsDense()),
        by_rows_(job.lanes >= kLongRow * Step() || !is_dense_) {}

  HWY_INLINE void Run() {
    if (goes_on_ && !by_rows_) {
      PutPieces(0, 0, (job_.planes - 1) * job_.h_input + job_.rows);
      return;
    }
    // Of a row that is shorter than a stretch, some of those before are in it.
    const int64_t before = HWY_MAX(LeastLanes() - job_.w_input, 0);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      for (int64_t row = 0; row < begin_; ++row) PutRow(plane, row, 0);
      if (by_rows_ && begin_ < end_) PutRows(plane, begin_, end_ - begin_);
      if (!by_rows_) PutPieces(plane, begin_, end_);
      for (int64_t row = end_; row < job_.rows; ++row) PutRow(plane, row, before);
    }
  }

 private:
  // Outputs of a vector.
  static int64_t Step() { return 2 * static_cast<int64_t>(hn::Lanes(D())); }
  // Of a stretch.
  static int64_t LeastLanes() { return Step() + kTaps - 1; }
  // Rows of y that have all taps.
  static int64_t WholeBegin(const PlanesJob& job) {
    const int64_t lacking = HWY_MAX(-job.h_first, 0);
    return HWY_MIN(job.rows, (lacking + job.h_stride - 1) / job.h_stride);
  }
  static int64_t WholeEnd(const PlanesJob& job) {
    const int64_t last = job.h_input - 1 - (job.taps_h - 1) * job.h_tap - job.h_first;
    return last < 0 ? 0 : HWY_MIN(job.rows, last / job.h_stride + 1);
  }

  // Whether rows follow each other without gaps, and are enough for a stretch, and for what rows
  // that lack taps cost.
  bool IsDense() const {
    const int64_t width = job_.w_input, rows = end_ - begin_;
    if (job_.x_row_step != width || width != job_.lanes + kTaps - 1 || job_.h_stride != 1) {
      return false;
    }
    if (rows < job_.rows && rows * width < kWithEdges) return false;
    const int64_t planes = goes_on_ ? job_.planes - 1 : 0;
    return (planes * job_.h_input + rows) * width >= LeastLanes();
  }

  uint8_t* Y(int64_t plane, int64_t row) const {
    return static_cast<uint8_t*>(job_.y) + plane * job_.y_plane_step + row * job_.y_row_step;
  }
  const Requant& RequantOf(int64_t row) const {
    return *job_.rules.requants[job_.h_classes[row] * job_.class_count + job_.w_classes[0]];
  }

  // But for where the results go, and how many.
  FlatStretch StretchOf(int64_t plane, int64_t row) const {
    const int64_t start = job_.h_first + row * job_.h_stride;
    int64_t first = 0, taps = job_.taps_h;
    while (start + first * job_.h_tap < 0) ++first;
    while (!goes_on_ && start + (taps - 1) * job_.h_tap >= job_.h_input) --taps;
    FlatStretch stretch = {};
    stretch.x = static_cast<const uint8_t*>(job_.x) + plane * job_.x_plane_step +
                (start + first * job_.h_tap) * job_.x_row_step + job_.w_first;
    stretch.taps = taps - first;
    stretch.tap_step = job_.h_tap * job_.x_row_step;
    return stretch;
  }

  // A row that lacks taps.
  HWY_INLINE void PutRow(int64_t plane, int64_t row, int64_t before) {
    if (by_rows_) {
      PutRows(plane, row, 1);
    } else {
      PutPiece(plane, row, 1, before);
    }
  }
  // Each row by itself.
  HWY_INLINE void PutRows(int64_t plane, int64_t row, int64_t rows) const {
    FlatStretch stretch = StretchOf(plane, row);
    stretch.lanes = job_.lanes + kTaps - 1;
    stretch.planes = rows;
    stretch.x_plane_step = job_.h_stride * job_.x_row_step;
    stretch.y = Y(plane, row);
    stretch.y_plane_step = job_.y_row_step;
    FoldStretch<kTaps>(stretch, RequantOf(row), job_.rules);
  }

  // Rows [begin, end), as if each went on in the next. If planes go on in the next ones, rows of x:
  // the last ones of a plane begin no window.
  HWY_INLINE void PutPieces(int64_t plane, int64_t begin, int64_t end) {
    const int64_t width = job_.w_input;
    const int64_t least = (LeastLanes() - 1) / width + 1, most = HWY_MAX(least, kBytes / width);
    for (int64_t row = begin; row < end; row += most) {
      // The last piece may begin in the one before.
      const int64_t from = HWY_MIN(row, HWY_MAX(begin, end - least));
      PutPiece(plane, from, HWY_MIN(most, end - from), 0);
    }
  }
  // And of the positions before the first row `before`.
  HWY_INLINE void PutPiece(int64_t plane, int64_t row, int64_t rows, int64_t before) {
    FlatStretch stretch = StretchOf(plane, row);
    stretch.x -= before;
    stretch.lanes = HWY_MAX(rows * job_.w_input + before, LeastLanes());
    stretch.planes = 1;
    stretch.y = results_;
    FoldStretch<kTaps>(stretch, RequantOf(goes_on_ ? 0 : row), job_.rules);
    const uint8_t* from = results_ + before;
    if (!goes_on_) return Store(from, plane, row, rows);
    for (int64_t at = row, next = row; at < row + rows; at = next) {
      plane = at / job_.h_input;
      next = HWY_MIN(row + rows, (plane + 1) * job_.h_input);
      const int64_t first = at - plane * job_.h_input;
      const int64_t some = HWY_MIN(next - at, job_.rows - first);
      if (some > 0) Store(from, plane, first, some);
      from += (next - at) * job_.w_input;
    }
  }

  // Rows of results to y.
  HWY_INLINE void Store(const uint8_t* from, int64_t plane, int64_t row, int64_t rows) const {
    const hn::CappedTag<uint8_t, 32> wide;
    const hn::CappedTag<uint8_t, 16> narrow;
    if (job_.lanes >= static_cast<int64_t>(hn::Lanes(wide))) {
      StoreVectors(wide, from, rows, Y(plane, row));
    } else if (job_.lanes >= static_cast<int64_t>(hn::Lanes(narrow))) {
      StoreVectors(narrow, from, rows, Y(plane, row));
    } else {
      StoreShort(narrow, from, plane, row, rows);
    }
  }
  template <class D8>
  HWY_INLINE void StoreVectors(D8 d, const uint8_t* from, int64_t rows, uint8_t* y) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    const int64_t width = job_.w_input, y_row_step = job_.y_row_step;
    for (int64_t i = 0; i < rows; ++i, from += width, y += y_row_step) {
      for (int64_t lane = 0; lane < lanes - n; lane += n) {
        hn::StoreU(hn::LoadU(d, from + lane), d, y + lane);
      }
      hn::StoreU(hn::LoadU(d, from + lanes - n), d, y + lanes - n);
    }
  }
  // Of less than a vector: what is written behind a row is written again by the next ones.
  template <class D8>
  HWY_INLINE void StoreShort(D8 d, const uint8_t* from, int64_t plane, int64_t row,
                             int64_t rows) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    const int64_t width = job_.w_input, y_row_step = job_.y_row_step;
    int64_t room = 0;
    if (y_row_step == lanes) room = (job_.rows - row) * lanes;
    if (room > 0 && goes_on_ && job_.y_plane_step == job_.rows * lanes) {
      room += (job_.planes - 1 - plane) * job_.y_plane_step;
    }
    uint8_t* y = Y(plane, row);
    for (int64_t i = 0; i < rows; ++i, from += width, y += y_row_step) {
      if (i * lanes + n <= room) {
        hn::StoreU(hn::LoadU(d, from), d, y);
      } else {
        hwy::CopyBytes(from, y, static_cast<size_t>(lanes));
      }
    }
  }

  const PlanesJob& job_;
  const int64_t begin_, end_;  // rows of y that have all taps
  const bool goes_on_;         // all have them, and each plane goes on in the next
  const bool is_dense_;
  const bool by_rows_;
  uint8_t results_[kBytes + 8 * HWY_MAX_LANES_D(D)];
};

template <int kTaps>
HWY_NOINLINE bool RunFlatWhole(const PlanesJob& job) {
  if (!FlatWhole<kTaps>::Fits(job)) return false;
  FlatWhole<kTaps>(job).Run();
  return true;
}
// False: the job is not one for this.
inline bool RunFlatWhole(const PlanesJob& job) {
  return RunFlatWhole<1>(job) || RunFlatWhole<2>(job) || RunFlatWhole<3>(job) ||
         RunFlatWhole<4>(job) || RunFlatWhole<5>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
