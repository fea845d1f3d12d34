// Averages of bytes of 2 x 2 taps that step by two along short rows: as many rows as a vector holds
// are taken as they lie, and the sums that are windows put together. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ROWS_OF_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ROWS_OF_PAIRS_INL_H_
#undef LANEPOOL_SRC_KERNELS_ROWS_OF_PAIRS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ROWS_OF_PAIRS_INL_H_
#endif

#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/flat_formula-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two rows of x, which lie side by side, are as many lanes of 16 bits as one of them has bytes:
// the sums of pairs of the first, then those of the second, to which what lies a row further on
// adds it. The windows are the first lanes of each such line, which are kept of two vectors at a
// time.
class RowsOfPairs {
  using D = hn::ScalableTag<uint16_t>;

 public:
  // Where two vectors of 16-bit lanes are put together by one instruction.
  static constexpr bool kHere = HWY_ARCH_X86 && kManyRegisters && !kCompact;

  // Of jobs that SumsByTwo has made one plane of, where it could.
  explicit RowsOfPairs(const PlanesJob& job)
      : job_(job),
        first_rows_(RowsOfVector(job)),
        rows_(HWY_MIN(2 * first_rows_, kLanes / job.lanes)),
        before_(job.planes == 1 ? RowsBefore() : PlanesBefore()) {}

  bool Fits() const {
    return kHere && first_rows_ > 1 && before_ >= (job_.planes == 1 ? kFewest * rows_ : kFewest);
  }

  // Returns how many are done: rows of a single plane, or planes. The others lie so near to the end
  // of x or y that vectors would reach beyond it.
  int64_t Run() const {
    const Requant& requant =
        *job_.rules.requants[job_.h_classes[0] * job_.class_count + job_.w_classes[0]];
    if (Mul16Formula<D, Formula16::kAnyLine>::Knows(requant)) {
      return All(Mul16Formula<D, Formula16::kAnyLine>(requant, job_.rules));
    }
    return All(AnyFormula<D>(requant, job_.rules));
  }

 private:
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);
  // Pairs of vectors, or planes, that are worth what begins them. Measured.
  static constexpr int64_t kFewest = 5;

  static bool AreWhole(const PlanesJob& job) {
    return job.taps_h == 2 && job.taps_w == 2 && job.h_stride == 2 && job.h_tap == 1 &&
           job.h_first == 0 && job.w_first == 0 && 2 * job.rows <= job.h_input &&
           2 * job.lanes <= job.w_input && job.w_input <= 2 * job.lanes + 1;
  }
  static bool AreDense(const PlanesJob& job) {
    return job.x_row_step == job.w_input && job.y_row_step == job.lanes &&
           (job.planes == 1 || (job.y_plane_step == job.rows * job.lanes &&
                                job.x_plane_step >= job.h_input * job.w_input));
  }
  // Rows of y that a vector has; 0: the job is not one for this.
  static int64_t RowsOfVector(const PlanesJob& job) {
    if (!AreWhole(job) || !AreDense(job) || job.lanes > kLanes) return 0;
    const int64_t most = (kLanes - job.lanes) / job.w_input + 1;
    return job.planes == 1 ? most : HWY_MIN(most, job.rows / 2);
  }
  int64_t RowsBefore() const {
    const int64_t width = job_.w_input;
    const int64_t x_beyond = (2 * kLanes + width) / (2 * width) + 1;
    const int64_t y_beyond = kLanes / job_.lanes + 1;
    return job_.rows - HWY_MAX(x_beyond, y_beyond);
  }
  int64_t PlanesBefore() const {
    if (first_rows_ == 0) return 0;
    const int64_t x_beyond = (2 * kLanes + job_.w_input) / job_.x_plane_step + 1;
    const int64_t y_beyond = kLanes / job_.y_plane_step + 1;
    return job_.planes - HWY_MAX(x_beyond, y_beyond);
  }

  template <class Formula>
  HWY_NOINLINE int64_t All(const Formula& formula) const {
    const D d;
    HWY_ALIGN uint16_t kept[kLanes] = {};
    for (int64_t row = 0, i = 0; row < rows_; ++row) {
      const bool is_first = row < first_rows_;
      int64_t from = is_first ? row * job_.w_input : kLanes + (row - first_rows_) * job_.w_input;
      for (int64_t lane = 0; lane < job_.lanes; ++lane) kept[i++] = static_cast<uint16_t>(from++);
    }
    const auto indices = hn::SetTableIndices(d, kept);
    const int64_t width = job_.w_input, x_step = 2 * width, y_step = job_.lanes;
    const auto put = [&](const uint8_t* x, uint8_t* y) HWY_ATTR {
      const uint8_t* const more = x + first_rows_ * x_step;
      const auto first = hn::Add(formula.LoadPairs(x), formula.LoadPairs(x + width));
      const auto second = hn::Add(formula.LoadPairs(more), formula.LoadPairs(more + width));
      formula.PutLanes(hn::TwoTablesLookupLanes(d, first, second, indices), y);
    };
    const uint8_t* x = static_cast<const uint8_t*>(job_.x);
    uint8_t* y = static_cast<uint8_t*>(job_.y);
    if (job_.planes == 1) {
      int64_t row = 0;
      for (; row + rows_ <= before_; row += rows_) {
        put(x, y);
        x += rows_ * x_step;
        y += rows_ * y_step;
      }
      return row;
    }
    // What is written behind a plane is written again by the next one.
    for (int64_t plane = 0; plane < before_; ++plane) {
      for (int64_t row = 0; row < job_.rows; row += rows_) {
        const int64_t from = HWY_MIN(row, job_.rows - rows_);
        put(x + from * x_step, y + from * y_step);
      }
      x += job_.x_plane_step;
      y += job_.y_plane_step;
    }
    return before_;
  }

  const PlanesJob& job_;
  const int64_t first_rows_;  // of y, of the first of two vectors
  const int64_t rows_;        // of both
  const int64_t before_;      // rows, or planes, behind which vectors may reach
};

// The job without the rows, or the planes, that are done.
inline PlanesJob WithoutDone(const PlanesJob& job, int64_t done) {
  PlanesJob rest = job;
  const bool rows = job.planes == 1;
  const int64_t x = rows ? done * 2 * job.x_row_step : done * job.x_plane_step;
  const int64_t y = rows ? done * job.y_row_step : done * job.y_plane_step;
  rest.x = static_cast<const uint8_t*>(job.x) + x;
  rest.y = static_cast<uint8_t*>(job.y) + y;
  if (rows) {
    rest.rows -= done;
    rest.h_input -= 2 * done;
  } else {
    rest.planes -= done;
  }
  return rest;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
