// Averages of windows of many taps along rows, without cancellation and without transposing: sums
// of 2, 4, 8 and so on neighbours make up those of any number. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_LEVEL_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LEVEL_SUMS_INL_H_
#undef LANEPOOL_SRC_KERNELS_LEVEL_SUMS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LEVEL_SUMS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/finish_rows-inl.h"
#include "kernels/level_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The windows of rows that have levels. Two of the highest level that is kept are the first two
// terms of a sum; the others follow from left to right, the largest first.
class SumsByLevels {
  using D = LevelTag;
  using V = hn::VFromD<D>;
  static constexpr int kMostTerms = LevelsOfRows::kMost + 1;

 public:
  explicit SumsByLevels(const LevelSumsJob& job)
      : job_(job), scratch_(job.taps, job.tap_step, job.most_outputs), levels_(job, scratch_) {
    const int top = static_cast<int>(scratch_.levels);
    if (job.taps == 1) AddTerm(0, 0);
    int64_t from = 0;
    for (int level = top; level >= 0 && job.taps > 1; --level) {
      const int64_t taps = int64_t{1} << level;
      if ((job.taps & taps) == 0) continue;
      if (level == top) {
        AddTerm(level - 1, 0);
        AddTerm(level - 1, taps / 2);
      } else {
        AddTerm(level, from);
      }
      from += taps;
    }
  }

  void All() {
    // A local one: its numbers are out of reach of stores.
    RowAverages finish(job_, scratch_);
    const int64_t rows = job_.planes * job_.rows;
    for (int64_t o = 0; o < job_.outputs; o += scratch_.outputs) {
      const int64_t n = HWY_MIN(scratch_.outputs, job_.outputs - o);
      levels_.Begin(o, n);
      for (int64_t row = 0; row < rows; row += scratch_.rows) {
        const int64_t some = HWY_MIN(scratch_.rows, rows - row);
        if (job_.streams) Fetch(row, some, o, n);
        levels_.Rows(row, some);
        Windows(row, some, o, n, finish);
      }
    }
  }

 private:
  void AddTerm(int level, int64_t taps) {
    term_[terms_++] = level * scratch_.pitch + taps * job_.tap_step;
    levels_.Keep(level);
  }

  static HWY_INLINE int64_t LanesBeforeLine(const float* to) {
    const uintptr_t beyond = reinterpret_cast<uintptr_t>(to) % kStreamBytes;
    return static_cast<int64_t>((kStreamBytes - beyond) % kStreamBytes / sizeof(float));
  }

  // Lines of y that are written in part, which are read first: nothing is stored until one is
  // there.
  HWY_INLINE void Fetch(int64_t row, int64_t rows, int64_t o, int64_t n) const {
    RowsOfPlanes walk(row, job_);
    for (int64_t r = 0; r < rows; ++r, walk.Next()) {
      const float* const to = job_.y + walk.At(job_.y_plane_step, job_.y_row_step) + o;
      hwy::Prefetch(to);
      hwy::Prefetch(to + n - 1);
    }
  }

  // Part of a row that will be read next: memory brings it meanwhile.
  HWY_INLINE void Ask(int64_t row, int64_t o, int64_t n) const {
    constexpr int64_t kLine = kBlockLineBytes / sizeof(float);
    const float* const from = job_.soon + row * job_.soon_row_step + o;
    for (int64_t i = 0; i < n; i += kLine) hwy::Prefetch(from + i);
  }

  // n outputs from o on.
  HWY_INLINE void Windows(int64_t row, int64_t rows, int64_t o, int64_t n,
                          RowAverages& finish) const {
    const D d;
    const int64_t step = static_cast<int64_t>(hn::Lanes(d));
    // Local, out of reach of stores.
    const int terms = terms_;
    int64_t offset[kMostTerms];
    for (int term = 0; term < terms; ++term) offset[term] = term_[term];
    RowsOfPlanes walk(row, job_);
    for (int64_t r = 0; r < rows; ++r, walk.Next()) {
      const float* const lanes = levels_.Level(r, 0);
      float* const to = job_.y + walk.At(job_.y_plane_step, job_.y_row_step) + o;
      if (job_.soon != nullptr) Ask(row + r, o, n);
      finish.BeginRow(job_.row_counts[walk.Row()], o, n);
      int64_t i = 0;
      const auto some = [&](int64_t end) HWY_ATTR {
        for (; i < end; i += step) {
          V v = hn::LoadU(d, lanes + offset[0] + i);
          for (int term = 1; term < terms; ++term) {
            v = hn::Add(v, hn::LoadU(d, lanes + offset[term] + i));
          }
          finish.Store(v, i, to + i, end - i);
        }
      };
      if (job_.streams) {
        const int64_t before = HWY_MIN(LanesBeforeLine(to), n);
        some(before);
        i = before;
      }
      for (; i + 4 * step <= n; i += 4 * step) {
        const float* at = lanes + offset[0] + i;
        V a = hn::LoadU(d, at), b = hn::LoadU(d, at + step);
        V c = hn::LoadU(d, at + 2 * step), e = hn::LoadU(d, at + 3 * step);
        for (int term = 1; term < terms; ++term) {
          at = lanes + offset[term] + i;
          a = hn::Add(a, hn::LoadU(d, at));
          b = hn::Add(b, hn::LoadU(d, at + step));
          c = hn::Add(c, hn::LoadU(d, at + 2 * step));
          e = hn::Add(e, hn::LoadU(d, at + 3 * step));
        }
        finish.Store4(a, b, c, e, i, to + i);
      }
      some(n);
    }
  }

  const LevelSumsJob job_;
  const LevelSumsScratch scratch_;
  LevelsOfRows levels_;
  int terms_ = 0;
  int64_t term_[kMostTerms] = {};  // lanes from the first level of a row to a term
};

inline void LevelSums(const LevelSumsJob& job) { SumsByLevels(job).All(); }

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
