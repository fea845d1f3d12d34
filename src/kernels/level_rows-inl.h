// Sums of 2, 4, 8 and so on neighbours along rows. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_LEVEL_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LEVEL_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_LEVEL_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LEVEL_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/blocks-inl.h"

// Whether any lanes of two vectors are found by one instruction.
#undef LANEPOOL_PICKS_LANES
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define LANEPOOL_PICKS_LANES 1
#else
#define LANEPOOL_PICKS_LANES 0
#endif

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LevelTag = BlockTag<float>;

// Steps along rows, the same one of all planes first: those have one count.
class RowsOfPlanes {
 public:
  RowsOfPlanes(int64_t row, const LevelSumsJob& job)
      : planes_(job.planes), plane_(row % job.planes), row_(row / job.planes) {}
  int64_t Row() const { return row_; }
  int64_t At(int64_t plane_step, int64_t row_step) const {
    return plane_ * plane_step + row_ * row_step;
  }
  void Next() {
    if (++plane_ < planes_) return;
    plane_ = 0;
    ++row_;
  }

 private:
  const int64_t planes_;
  int64_t plane_, row_;
};

// Level l of a row has at each lane the sum of 2^l taps from there on, where taps that do not exist
// are zero: two of the level before it. Some rows at a time, and a level of all of those before the
// next one: what has been stored is not loaded at once.
class LevelsOfRows {
  using D = LevelTag;
  using V = hn::VFromD<D>;

 public:
  static constexpr int kMost = 16;  // of fewer taps than 2^17; blocks have 4096 at most

  LevelsOfRows(const LevelSumsJob& job, const LevelSumsScratch& scratch)
      : job_(job),
        pitch_(scratch.pitch),
        rows_(scratch.rows),
        levels_(static_cast<int>(scratch.levels)) {
#if LANEPOOL_PICKS_LANES
    while (picked_ < HWY_MIN(4, levels_ - 1) && job.tap_step << picked_ <= kLine) ++picked_;
#endif
  }

  // A level that is wanted for itself, besides the last one.
  void Keep(int level) { keeps_[level] = true; }

  // Of n outputs from o on, in what follows. Lanes are counted from the first tap of the first one,
  // so that most terms of windows are whole lines.
  void Begin(int64_t o, int64_t n) {
    from_ = job_.first + o;
    x_begin_ = HWY_MAX(int64_t{0}, -from_);
    const int64_t all = n + (job_.taps - 1) * job_.tap_step;
    const int64_t begin = x_begin_;
    const int64_t end = HWY_MAX(begin, HWY_MIN(all, job_.positions - from_));
    for (int level = 0; level < levels_; ++level) {
      const int64_t more = ((int64_t{1} << level) - 1) * job_.tap_step;
      begin_[level] = HWY_MAX(int64_t{0}, begin - more) & -kLine;
      end_[level] = HWY_MAX(begin_[level], HWY_MIN(end, all - more));
    }
    ClearMargins();
  }
  void Rows(int64_t row, int64_t rows) {
    Start(row, rows);
    for (int level = picked_ + 1; level < levels_; ++level) {
      const bool two = level + 1 < levels_;
      for (int64_t i = 0; i < rows; ++i) {
        if (!two) {
          Add(i, level, begin_[level]);
        } else if (keeps_[level]) {
          AddTwo<true>(i, level);
        } else {
          AddTwo<false>(i, level);
        }
      }
      if (two) ++level;
    }
  }

  // Levels lie a pitch apart.
  float* Level(int64_t row, int level) const {
    return job_.scratch + (row * levels_ + level) * pitch_;
  }

 private:
  static constexpr int64_t kLine = LevelSumsScratch::kLine;
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  // The end of a level in whole vectors.
  int64_t End(int level) const { return (end_[level] + Lanes() - 1) & -Lanes(); }

  // What no row changes, and the vectors where that begins.
  void ClearMargins() const {
    for (int64_t row = 0; row < rows_; ++row) {
      for (int level = 0; level < levels_; ++level) {
        float* const lanes = Level(row, level);
        const int64_t begin = level == 0 ? x_begin_ : begin_[level];
        for (int64_t i = 0; i < begin; i += Lanes()) Clear(lanes + i);
        for (int64_t i = end_[level] & -Lanes(); i < pitch_; i += Lanes()) Clear(lanes + i);
      }
    }
  }
  static HWY_INLINE void Clear(float* lanes) { hn::StoreU(hn::Zero(D()), D(), lanes); }

  // The first level, or those that are made in registers.
  void Start(int64_t row, int64_t rows) const {
#if LANEPOOL_PICKS_LANES
    if (picked_ == 4) return Pick<4>(row, rows);
    if (picked_ == 3) return Pick<3>(row, rows);
    if (picked_ == 2) return Pick<2>(row, rows);
    if (picked_ == 1) return Pick<1>(row, rows);
#endif
    RowsOfPlanes walk(row, job_);
    for (int64_t i = 0; i < rows; ++i, walk.Next()) {
      Copy(job_.x + walk.At(job_.x_plane_step, job_.x_row_step) + from_, Level(i, 0));
    }
  }

  HWY_INLINE void Copy(const float* x, float* to) const {
    const D d;
    const int64_t end = End(0), there = HWY_MIN(end, job_.positions - from_);
    int64_t i = x_begin_;
    for (; i + Lanes() <= there; i += Lanes()) hn::StoreU(hn::LoadU(d, x + i), d, to + i);
    if (i < there) hn::StoreU(hn::LoadN(d, x + i, static_cast<size_t>(there - i)), d, to + i);
  }

#if LANEPOOL_PICKS_LANES
  // From the end of a row on, so that what is behind a vector is there.
  template <int kLevels>
  HWY_NOINLINE void Pick(int64_t row, int64_t rows) const {
    const D d;
    const hn::RebindToSigned<D> di;
    // Local, out of reach of stores.
    const int64_t pitch = pitch_, begin = x_begin_, zeros = begin_[kLevels];
    const int64_t last = End(0) - kLine, there = job_.positions - from_;
    decltype(hn::IndicesFromVec(d, hn::Zero(di))) lanes[kLevels];
    bool keeps[kLevels];
    for (int level = 0; level < kLevels; ++level) {
      const auto distance = hn::Set(di, static_cast<int32_t>(job_.tap_step << level));
      lanes[level] = hn::IndicesFromVec(d, hn::Add(hn::Iota(di, 0), distance));
      keeps[level] = keeps_[level];
    }
    RowsOfPlanes walk(row, job_);
    for (int64_t i = 0; i < rows; ++i, walk.Next()) {
      const float* const x = job_.x + walk.At(job_.x_plane_step, job_.x_row_step) + from_;
      float* const levels = Level(i, 0);
      V behind[kLevels] = {};
      for (int64_t at = last; at >= zeros; at -= kLine) {
        V v = hn::Zero(d);
        if (HWY_LIKELY(at >= begin && at + kLine <= there)) {
          v = hn::LoadU(d, x + at);
        } else if (at + kLine > begin) {
          const auto before = hn::FirstN(d, static_cast<size_t>(HWY_MAX(begin - at, 0)));
          v = hn::MaskedLoad(hn::AndNot(before, hn::FirstN(d, static_cast<size_t>(there - at))), d,
                             x + at);
        }
        PickLevels<0, kLevels>(v, behind, lanes, keeps, pitch, levels + at);
      }
    }
  }
  template <int kLevel, int kLevels, class Lanes>
  static HWY_INLINE void PickLevels(V v, V* behind, const Lanes* lanes, const bool* keeps,
                                    int64_t pitch, float* to) {
    const D d;
    if (kLevel == kLevels || keeps[kLevel]) hn::StoreU(v, d, to + kLevel * pitch);
    if constexpr (kLevel < kLevels) {
      const V more = hn::TwoTablesLookupLanes(d, v, behind[kLevel], lanes[kLevel]);
      behind[kLevel] = v;
      PickLevels<kLevel + 1, kLevels>(hn::Add(v, more), behind, lanes, keeps, pitch, to);
    }
  }
#endif

  HWY_INLINE void Add(int64_t row, int level, int64_t begin) const {
    const D d;
    float* const to = Level(row, level);
    const float* const from = Level(row, level - 1);
    const float* const more = from + (job_.tap_step << (level - 1));
    const int64_t end = end_[level];
    for (int64_t i = begin; i < end; i += Lanes()) {
      hn::StoreU(hn::Add(hn::LoadU(d, from + i), hn::LoadU(d, more + i)), d, to + i);
    }
  }
  // A level that is maybe kept, and the one after it.
  template <bool kKeepsFirst>
  HWY_INLINE void AddTwo(int64_t row, int level) const {
    const D d;
    float* const to = Level(row, level + 1);
    float* const between = Level(row, level);
    const float* const from = Level(row, level - 1);
    const int64_t apart = job_.tap_step << (level - 1);
    const float *const b = from + apart, *const c = b + apart, *const e = c + apart;
    const int64_t end = end_[level + 1];
    int64_t i = begin_[level + 1];
    for (; i < end; i += Lanes()) {
      const V ab = hn::Add(hn::LoadU(d, from + i), hn::LoadU(d, b + i));
      if constexpr (kKeepsFirst) hn::StoreU(ab, d, between + i);
      hn::StoreU(hn::Add(ab, hn::Add(hn::LoadU(d, c + i), hn::LoadU(d, e + i))), d, to + i);
    }
    if constexpr (kKeepsFirst) Add(row, level, i);
  }

  const LevelSumsJob job_;
  const int64_t pitch_, rows_;
  const int levels_;
  int picked_ = 0;  // levels that are made in registers
  bool keeps_[kMost] = {};
  int64_t begin_[kMost] = {}, end_[kMost] = {};  // lanes that are not zero
  int64_t from_ = 0;                             // lane of x that lanes are counted from
  int64_t x_begin_ = 0;                          // first lane that is there
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
