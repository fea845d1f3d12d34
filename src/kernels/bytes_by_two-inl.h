// Averages of bytes whose windows have up to eight taps along W and step by 2: a pair of bytes is
// one lane of 16 bits. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_BYTES_BY_TWO_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_BYTES_BY_TWO_INL_H_
#undef LANEPOOL_SRC_KERNELS_BYTES_BY_TWO_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_BYTES_BY_TWO_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/flat_formula-inl.h"
#include "kernels/requant-inl.h"
#include "kernels/rows_of_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows of whole windows that have the same taps along H and are requantized alike.
struct RowsByTwo {
  const uint8_t* x;  // the first tap of the first window
  int64_t taps, tap_step;
  int64_t x_row_step;
  uint8_t* y;
  int64_t y_row_step;
  int64_t rows, lanes;
  int64_t taps_w;
};

// Fewer lanes than D has are written as many. kOne: of one tap along W.
template <bool kOne, class D, class Formula>
HWY_INLINE void FoldRowsByTwo(D d, const RowsByTwo& job, const Formula& formula) {
  using V = hn::VFromD<D>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const int64_t lanes = job.lanes, taps = job.taps, step = job.tap_step;
  const int64_t x_row_step = job.x_row_step, y_row_step = job.y_row_step;
  const int64_t taps_w = job.taps_w, last = taps_w - 2;
  const uint8_t* x = job.x;
  uint8_t* y = job.y;
  for (int64_t row = 0; row < job.rows; ++row) {
    for (int64_t i = 0; i < lanes; i += n) {
      const int64_t at = HWY_MAX(HWY_MIN(i, lanes - n), 0);  // overlaps the vector before
      const uint8_t* p = x + 2 * at;
      V sum = kOne ? formula.LoadEven(p) : formula.LoadPairs(p);
      for (int64_t tap = 1; tap < taps; ++tap) {
        const uint8_t* more = p + tap * step;
        sum = hn::Add(sum, kOne ? formula.LoadEven(more) : formula.LoadPairs(more));
      }
      for (int64_t pair = 2; !kOne && pair <= last; pair += 2) {
        for (int64_t tap = 0; tap < taps; ++tap) {
          sum = hn::Add(sum, formula.LoadPairs(p + pair + tap * step));
        }
      }
      if (!kOne && taps_w % 2 != 0) {
        for (int64_t tap = 0; tap < taps; ++tap) {
          sum = hn::Add(sum, formula.LoadOdd(p + last + tap * step));
        }
      }
      formula.PutLanes(sum, y + at);
    }
    x += x_row_step;
    y += y_row_step;
  }
}

template <bool kOne, class D>
HWY_NOINLINE void RunRowsByTwo(D d, const RowsByTwo& job, const Requant& requant,
                               const ElementRules& rules) {
  if (Mul16Formula<D, Formula16::kAnyLine>::Knows(requant)) {
    FoldRowsByTwo<kOne>(d, job, Mul16Formula<D, Formula16::kAnyLine>(requant, rules));
  } else {
    FoldRowsByTwo<kOne>(d, job, AnyFormula<D>(requant, rules));
  }
}

class PlanesOfSumsByTwo {
  using D = hn::ScalableTag<uint16_t>;
  using DNarrow = hn::CappedTag<uint16_t, 8>;
  static constexpr int64_t kMostEnds = 256;

 public:
  explicit PlanesOfSumsByTwo(const PlanesJob& job)
      : job_(job),
        begin_(HWY_MIN((1 - HWY_MIN(job.w_first, 0)) / 2, job.lanes)),
        end_(EndOf(job)),
        // NOLINTNEXTLINE(bugprone-branch-clone): the same where vectors are short
        least_lanes_(static_cast<int64_t>(Narrow() ? hn::Lanes(DNarrow()) : hn::Lanes(D()))),
        x_dense_(job.x_row_step == job.w_input),
        y_dense_(job.y_row_step == job.lanes) {
    for (int64_t row = 0; row < job.rows; row += runs_[run_count_++].rows) {
      runs_[run_count_] = RunFrom(row);
    }
  }

  void Run() {
    if (begin_ < end_) FoldPlanes();
    for (int32_t i = 0; i < run_count_; ++i) {
      for (int64_t lane = 0; lane < begin_; ++lane) FoldEnds(runs_[i], lane);
      for (int64_t lane = HWY_MAX(begin_, end_); lane < job_.lanes; ++lane) {
        FoldEnds(runs_[i], lane);
      }
    }
  }

 private:
  // Rows that have the same taps along H and are requantized alike. Of three taps at most, two rows
  // lack some above and two below.
  static constexpr int32_t kMostRuns = 8;
  struct Rows {
    int64_t row, rows;
    int64_t x_row, taps;  // of the first one
  };

  // Behind the last window that is followed by a position, if of one tap, and else lacks none
  // behind the row.
  static int64_t EndOf(const PlanesJob& job) {
    const int64_t last = job.w_input - HWY_MAX(job.taps_w, 2) - job.w_first;
    return last < 0 ? 0 : HWY_MIN(last / 2 + 1, job.lanes);
  }
  bool Narrow() const { return job_.lanes <= 8; }
  const uint8_t* X(int64_t plane) const {
    return static_cast<const uint8_t*>(job_.x) + plane * job_.x_plane_step;
  }
  uint8_t* Y(int64_t plane) const {
    return static_cast<uint8_t*>(job_.y) + plane * job_.y_plane_step;
  }
  const Requant& RequantOf(int64_t row, int64_t lane) const {
    return *job_.rules.requants[job_.h_classes[row] * job_.class_count + job_.w_classes[lane]];
  }

  Rows RunFrom(int64_t row) const {
    const int64_t start = job_.h_first + row * job_.h_stride;
    const int64_t first = HWY_MAX(0, -start);
    const int64_t taps = HWY_MIN(job_.taps_h, job_.h_input - start) - first;
    int64_t rows = 1;
    if (taps == job_.taps_h) {
      const int64_t last_start = job_.h_input - job_.taps_h;
      rows = HWY_MIN((last_start - start) / job_.h_stride + 1, job_.rows - row);
    }
    return {row, rows, start + first, taps};
  }

  // Whole windows of all planes, in the order of memory.
  void FoldPlanes() const {
    const int64_t planes = PlanesBefore();
    RowsByTwo rows[kMostRuns];
    for (int32_t i = 0; i < run_count_; ++i) rows[i] = RowsOf(0, runs_[i]);
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (int32_t i = 0; i < run_count_; ++i) {
        RunRows(rows[i], RequantOf(runs_[i].row, begin_));
        rows[i].x += job_.x_plane_step;
        rows[i].y += job_.y_plane_step;
      }
    }
    for (int64_t plane = planes; plane < job_.planes; ++plane) {
      for (int32_t i = 0; i < run_count_; ++i) FoldRows(plane, runs_[i]);
    }
  }

  RowsByTwo RowsOf(int64_t plane, const Rows& run) const {
    RowsByTwo rows;
    const int64_t first = job_.w_first + 2 * begin_;
    rows.x = X(plane) + run.x_row * job_.x_row_step + first;
    rows.taps = run.taps;
    rows.tap_step = job_.x_row_step;
    rows.x_row_step = job_.h_stride * job_.x_row_step;
    rows.y = Y(plane) + run.row * job_.y_row_step + begin_;
    rows.y_row_step = job_.y_row_step;
    rows.rows = run.rows;
    rows.lanes = end_ - begin_;
    rows.taps_w = job_.taps_w;
    return rows;
  }

  void FoldRows(int64_t plane, const Rows& run) const {
    RowsByTwo rows = RowsOf(plane, run);
    const Requant& requant = RequantOf(run.row, begin_);
    if (rows.lanes >= least_lanes_) {
      RunRows(rows, requant);
      return;
    }
    // Vectors go on in the next row, which is written later: not so the last rows.
    const int64_t room = RowsBefore(plane, rows, run.x_row, run.row);
    RowsByTwo rest = rows;
    rows.rows = HWY_MIN(rows.rows, room);
    rest.rows -= rows.rows;
    rest.x += rows.rows * rows.x_row_step;
    rest.y += rows.rows * rows.y_row_step;
    if (rows.rows > 0) RunRows(rows, requant);
    FoldCopies(rest, requant);
  }

  void RunRows(const RowsByTwo& rows, const Requant& requant) const {
    if (rows.taps_w == 1) {
      Run<true>(rows, requant);
    } else {
      Run<false>(rows, requant);
    }
  }
  template <bool kOne>
  void Run(const RowsByTwo& rows, const Requant& requant) const {
    if (Narrow()) {  // NOLINT(bugprone-branch-clone): as above
      RunRowsByTwo<kOne>(DNarrow(), rows, requant, job_.rules);
    } else {
      RunRowsByTwo<kOne>(D(), rows, requant, job_.rules);
    }
  }

  // How many planes are followed by room for a vector, in x and in y.
  int64_t PlanesBefore() const {
    if (end_ - begin_ >= least_lanes_) return job_.planes;
    const int64_t x_plane = job_.h_input * job_.w_input, y_plane = job_.rows * job_.lanes;
    if (!x_dense_ || !y_dense_ || job_.x_plane_step != x_plane || job_.y_plane_step != y_plane) {
      return 0;
    }
    const int64_t reach = 2 * least_lanes_ + HWY_MAX(job_.taps_w - 3, 0);
    const int64_t last = HWY_MAX(reach / x_plane, (least_lanes_ - 1) / y_plane) + 1;
    return HWY_MAX(job_.planes - last, 0);
  }

  // How many rows have room behind them, in x and in y, for a vector.
  int64_t RowsBefore(int64_t plane, const RowsByTwo& rows, int64_t x_row, int64_t row) const {
    if (!x_dense_ || !y_dense_) return 0;
    const int64_t x_plane = job_.h_input * job_.w_input, y_plane = job_.rows * job_.lanes;
    const int64_t planes = job_.planes - 1 - plane;
    const int64_t x_more = job_.x_plane_step == x_plane ? planes * x_plane : 0;
    const int64_t y_more = job_.y_plane_step == y_plane ? planes * y_plane : 0;
    const int64_t x_first = x_row * job_.w_input + job_.w_first + 2 * begin_;
    const int64_t reach = 2 * least_lanes_ + HWY_MAX(rows.taps_w - 2, 1);
    const int64_t x_last = x_first + (rows.taps - 1) * rows.tap_step + reach;
    const int64_t y_last = row * job_.lanes + begin_ + least_lanes_;
    const int64_t x_room = x_plane + x_more - x_last, y_room = y_plane + y_more - y_last;
    if (x_room < 0 || y_room < 0) return 0;
    return HWY_MIN(x_room / rows.x_row_step, y_room / rows.y_row_step) + 1;
  }

  // Row by row from copies of what they read, to a copy of y.
  void FoldCopies(const RowsByTwo& rows, const Requant& requant) const {
    constexpr int64_t kMostTaps = 8;
    const int64_t bytes = 2 * rows.lanes + HWY_MAX(rows.taps_w - 2, 0);
    for (int64_t row = 0; row < rows.rows; ++row) {
      HWY_ALIGN uint8_t x[kMostTaps * 2 * HWY_MAX_LANES_D(D) + 64];
      HWY_ALIGN uint8_t y[HWY_MAX_LANES_D(D)];
      RowsByTwo copy = rows;
      copy.x = x;
      copy.tap_step = bytes;
      copy.y = y;
      copy.rows = 1;
      for (int64_t tap = 0; tap < rows.taps; ++tap) {
        hwy::CopyBytes(rows.x + row * rows.x_row_step + tap * rows.tap_step, x + tap * bytes,
                       static_cast<size_t>(bytes));
      }
      RunRows(copy, requant);
      hwy::CopyBytes(y, rows.y + row * rows.y_row_step, static_cast<size_t>(rows.lanes));
    }
  }

  // Output `lane` of the run in all planes, a window that lacks columns.
  void FoldEnds(const Rows& run, int64_t lane) {
    const int64_t start = job_.w_first + 2 * lane, first = HWY_MAX(start, 0);
    const int64_t taps = HWY_MIN(start + job_.taps_w, job_.w_input) - first;
    const int64_t step = job_.h_stride * job_.x_row_step;
    const Requant& requant = RequantOf(run.row, lane);
    int64_t count = 0;
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const uint8_t* x = X(plane) + run.x_row * job_.x_row_step + first;
      uint8_t* y = Y(plane) + run.row * job_.y_row_step + lane;
      for (int64_t row = 0; row < run.rows; ++row, x += step, y += job_.y_row_step) {
        sums_[count] = static_cast<uint16_t>(taps == 1   ? EndSum<1>(x, run.taps)
                                             : taps == 2 ? EndSum<2>(x, run.taps)
                                                         : EndSum(x, run.taps, taps));
        ends_[count++] = y;
        if (count == kMostEnds) {
          PutEnds(requant, count);
          count = 0;
        }
      }
    }
    PutEnds(requant, count);
  }
  template <int kColumns>
  HWY_INLINE uint32_t EndSum(const uint8_t* x, int64_t rows) const {
    const uint32_t flip = job_.rules.x_flip;
    const int64_t step = job_.x_row_step;
    uint32_t sum = 0;
    for (int64_t row = 0; row < rows; ++row, x += step) {
      sum += x[0] ^ flip;
      if (kColumns == 2) sum += x[1] ^ flip;
    }
    return sum;
  }
  HWY_INLINE uint32_t EndSum(const uint8_t* x, int64_t rows, int64_t columns) const {
    uint32_t sum = 0;
    for (int64_t column = 0; column < columns; ++column) sum += EndSum<1>(x + column, rows);
    return sum;
  }
  void PutEnds(const Requant& requant, int64_t count) {
    RequantAll(requant, sums_, count);
    const uint8_t offset = static_cast<uint8_t>(requant.y_offset + job_.rules.y_flip);
    for (int64_t i = 0; i < count; ++i) *ends_[i] = static_cast<uint8_t>(sums_[i] + offset);
  }

  const PlanesJob& job_;
  const int64_t begin_, end_;  // whole windows, see EndOf
  const int64_t least_lanes_;
  const bool x_dense_, y_dense_;
  Rows runs_[kMostRuns];
  int32_t run_count_ = 0;
  uint8_t* ends_[kMostEnds];
  HWY_ALIGN uint16_t sums_[kMostEnds + HWY_MAX_LANES_D(D)];
};

inline HWY_NOINLINE bool SumsByTwo(const PlanesJob& job) {
  PlanesJob one = job;
  const int64_t x_rows = job.rows * job.h_stride;
  if (job.planes > 1 && job.h_first == 0 && job.h_stride == job.taps_h && x_rows == job.h_input &&
      x_rows * job.x_row_step == job.x_plane_step &&
      job.rows * job.y_row_step == job.y_plane_step) {
    // Planes of windows side by side are one higher plane, its rows all alike.
    one.planes = 1;
    one.rows *= job.planes;
    one.h_input *= job.planes;
  }
  if constexpr (RowsOfPairs::kHere) {
    const PlanesJob all = one;
    const RowsOfPairs pairs(all);
    if (pairs.Fits()) one = WithoutDone(all, pairs.Run());
  }
  PlanesOfSumsByTwo(one).Run();
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
