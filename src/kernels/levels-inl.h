// Maxima of windows of many taps along rows, which step by one, in registers. Per-target include
// guard.
#if defined(LANEPOOL_SRC_KERNELS_LEVELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LEVELS_INL_H_
#undef LANEPOOL_SRC_KERNELS_LEVELS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LEVELS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Only where lanes of two vectors are picked by one instruction, and there are registers enough.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Each level adds as many taps as there are, but at most a vector of lanes.
template <class Lane>
struct Levels {
  static constexpr int64_t kLanes = kBlockLineBytes / sizeof(Lane);
  static constexpr int kMost = 6;

  explicit Levels(int64_t all) {
    while (count < kMost && taps < all) {
      const int64_t more = HWY_MIN(HWY_MIN(taps, all - taps), kLanes);
      distance[count++] = static_cast<Lane>(more);
      taps += more;
    }
  }
  // Whole vectors in the taps of so many levels.
  static constexpr int64_t VectorsIn(int levels) {
    int64_t taps = 1;
    for (int i = 0; i < levels; ++i) taps += taps < kLanes ? taps : kLanes;
    return taps / kLanes;
  }

  int count = 0;
  int64_t taps = 1;
  Lane distance[kMost] = {};
};

// A window is the taps from its position on, and as many from its first tap on, or from the first
// of the row: neither has less than half of the taps. All of them are maxima of so many taps, or of
// those that there are, which take a level for each vector. A row is folded from its end, so that
// what is behind a vector is there at each level; the windows of a vector wait for those where they
// begin, kBefore vectors before it and up to one more.
template <class Lane, class Reduce, class Finish, int kLevels, int kBefore>
class RowsByLevels {
  using D = BlockTag<Lane>;
  using DI = hn::RebindToSigned<D>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  using Y = typename Finish::Memory;
  static constexpr int64_t kLanes = Levels<Lane>::kLanes;
  static constexpr int64_t kWait = kBefore + 1;

 public:
  RowsByLevels(const LevelsJob& job, const Levels<hn::TFromD<DI>>& levels)
      : job_(job), finish_(job), levels_(levels), last_((job.positions - 1) / kLanes) {}

  HWY_INLINE bool All() const {
    const D d;
    S state = Reduce::Start(d);
    const auto from = LanesFrom(job_.first + kWait * kLanes);
    for (int64_t row = 0; row < job_.rows; ++row) {
      state = Row(static_cast<const Lane*>(job_.x) + row * job_.x_row_step,
                  static_cast<Y*>(job_.y) + row * job_.y_row_step, from, state);
    }
    return Reduce::Clean(d, state, Divisor());
  }

 private:
  // Vectors that wait, the last one first.
  struct Folds {
    V behind[kLevels];  // at each level
    V taken[kWait + 1];
  };

  template <class From>
  HWY_INLINE S Row(const Lane* x, Y* y, From from, S state) const {
    const D d;
    Folds folds;
    const size_t n = static_cast<size_t>(job_.positions - last_ * kLanes);
    V v = hn::LoadNOr(Reduce::Identity(d), d, x + last_ * kLanes, n);
    state = Reduce::Watch(state, hn::LoadN(d, x + last_ * kLanes, n));
    v = Level<0, true>(v, folds);
    Take<true>(v, last_, from, y, folds);
    for (int64_t i = last_ - 1; i >= 0; --i) {
      v = hn::LoadU(d, x + i * kLanes);
      state = Reduce::Watch(state, v);
      v = Level<0, false>(v, folds);
      Take<false>(v, i, from, y, folds);
    }
    // Windows that would begin before the row begin where it does.
    v = hn::BroadcastLane<0>(v);
    for (int64_t i = -1; i >= -kWait; --i) Take<false>(v, i, from, y, folds);
    return state;
  }

  template <int kLevel, bool kIsLast>
  HWY_INLINE V Level(V v, Folds& folds) const {
    if constexpr (kLevel == kLevels) {
      return v;
    } else {
      const D d;
      V behind = Reduce::Identity(d);
      if (!kIsLast) behind = folds.behind[kLevel];
      folds.behind[kLevel] = v;
      const V more = hn::TwoTablesLookupLanes(D(), v, behind, LanesFrom(levels_.distance[kLevel]));
      return Level<kLevel + 1, kIsLast>(Reduce::Combine(v, more), folds);
    }
  }
  // Of two vectors, those from number `from` on.
  static HWY_INLINE auto LanesFrom(int64_t from) {
    const DI di;
    return hn::IndicesFromVec(
        D(), hn::Add(hn::Iota(di, 0), hn::Set(di, static_cast<hn::TFromD<DI>>(from))));
  }

  // Vector i, which has all levels. What waited for it is a result.
  template <bool kIsLast, class From>
  HWY_INLINE void Take(V v, int64_t i, From from, Y* y, Folds& folds) const {
    if constexpr (kIsLast) {
      for (V& taken : folds.taken) taken = v;
    } else {
      Move<kWait>(folds);
      folds.taken[0] = v;
    }
    const int64_t to = (i + kWait) * kLanes, left = job_.outputs - to;
    if (left <= 0) return;
    const V first = hn::TwoTablesLookupLanes(D(), v, folds.taken[1], from);
    const V fold = Reduce::Combine(folds.taken[kWait], first);
    finish_.Store(D(), fold, 0, 0, y + to, left >= kLanes, static_cast<size_t>(left));
  }
  template <int64_t kTo>
  static HWY_INLINE void Move(Folds& folds) {
    if constexpr (kTo > 0) {
      folds.taken[kTo] = folds.taken[kTo - 1];
      Move<kTo - 1>(folds);
    }
  }

  const LevelsJob job_;
  const Finish finish_;
  const Levels<hn::TFromD<DI>> levels_;
  const int64_t last_;  // vector of a row
};

// With so many levels and vectors before a window, at least.
template <class Lane, class Reduce, class Finish, int kLevels = 1, int kBefore = 0>
Grown LevelRows(const LevelsJob& job) {
  using Rule = Levels<hwy::MakeSigned<Lane>>;
  const int64_t before = -job.first, from = job.taps - before;
  const Rule levels(from);
  if constexpr (kLevels == 1) {
    if (before < 0 || from < HWY_MAX(before, 2) || job.outputs > job.positions) {
      return Grown::kNot;
    }
    if (levels.taps < from) return Grown::kNot;
  }
  if constexpr (kBefore == 0 && kLevels < Rule::kMost) {
    if (kLevels < levels.count) return LevelRows<Lane, Reduce, Finish, kLevels + 1>(job);
  }
  if constexpr (kBefore < Rule::VectorsIn(kLevels)) {
    if (kBefore < before / Rule::kLanes) {
      return LevelRows<Lane, Reduce, Finish, kLevels, kBefore + 1>(job);
    }
  }
  const RowsByLevels<Lane, Reduce, Finish, kLevels, kBefore> rows(job, levels);
  return rows.All() ? Grown::kDone : Grown::kGaveUp;
}
#else
template <class Lane, class Reduce, class Finish>
Grown LevelRows(const LevelsJob&) {
  return Grown::kNot;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
