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
  // Whole vectors that may lie before a window's own one, with so many levels.
  static constexpr int64_t VectorsBefore(int levels) {
    int64_t taps = 1;
    for (int i = 0; i < levels; ++i) taps += taps < kLanes ? taps : kLanes;
    return (taps - 1) / kLanes;
  }

  int count = 0;
  int64_t taps = 1;
  Lane distance[kMost] = {};
};

// A window is the taps from its position on, and as many from its first tap on, or from the first
// of the row: so half of its taps, at least, are from its position on. The maxima of so many taps,
// or of those that there are, take a level after the other for each vector. A row is folded from
// its end, so that what is behind a vector is there at each level. The windows of a vector wait for
// the maxima where they begin, kBefore vectors before it and up to one more.
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
    const auto from = LanesFrom(d, job_.first + kWait * kLanes);
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
      const int64_t distance = levels_.distance[kLevel];
      // All but the last level have moved powers of two.
      constexpr bool kMovesPairs = sizeof(Lane) == 2 && kLevel > 0 && kLevel + 1 < kLevels;
      V more;
      if constexpr (kMovesPairs) {
        const hn::Repartition<int32_t, D> d32;
        more = hn::BitCast(
            d, hn::TwoTablesLookupLanes(d32, hn::BitCast(d32, v), hn::BitCast(d32, behind),
                                        LanesFrom(d32, distance / 2)));
      } else {
        more = hn::TwoTablesLookupLanes(d, v, behind, LanesFrom(d, distance));
      }
      return Level<kLevel + 1, kIsLast>(Reduce::Combine(v, more), folds);
    }
  }
  // Of two vectors, those from number `from` on.
  template <class DL>
  static HWY_INLINE auto LanesFrom(DL dl, int64_t from) {
    const hn::RebindToSigned<DL> di;
    return hn::IndicesFromVec(
        dl, hn::Add(hn::Iota(di, 0), hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(from))));
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

// Whether blocks would take longer, which fold few outputs of many positions at less cost, and
// lanes of 16 bits that would fill little more than half of their vectors.
template <class Lane>
bool IsWorthLevels(const LevelsJob& job) {
  constexpr int64_t kLanes = Levels<Lane>::kLanes, kManyRows = 32;
  const int64_t lanes = (job.positions + kLanes - 1) / kLanes * kLanes;
  if (sizeof(Lane) == 2 && 4 * job.positions < 3 * lanes && job.rows >= kManyRows) return false;
  return job.outputs <= job.positions && 2 * job.outputs >= job.positions;
}

// With so many levels and vectors before a window, at least. A whole vector before it is picked as
// the first of two.
template <class Lane, class Reduce, class Finish, int kLevels, int kBefore>
bool LevelAll(const LevelsJob& job, const Levels<hwy::MakeSigned<Lane>>& levels) {
  using Rule = Levels<hwy::MakeSigned<Lane>>;
  if constexpr (kBefore == 0 && kLevels < Rule::kMost) {
    if (kLevels < levels.count) {
      return LevelAll<Lane, Reduce, Finish, kLevels + 1, 0>(job, levels);
    }
  }
  if constexpr (kBefore < Rule::VectorsBefore(kLevels)) {
    if (kBefore < (-job.first - 1) / Rule::kLanes) {
      return LevelAll<Lane, Reduce, Finish, kLevels, kBefore + 1>(job, levels);
    }
  }
  return RowsByLevels<Lane, Reduce, Finish, kLevels, kBefore>(job, levels).All();
}

template <class Lane, class Reduce, class Finish>
Grown LevelRows(const LevelsJob& all) {
  // No more taps than there are positions, before one and behind it.
  LevelsJob job = all;
  const int64_t behind = HWY_MIN(all.taps - 1 + all.first, all.positions - 1);
  job.first = HWY_MAX(all.first, 1 - all.positions);
  job.taps = behind + 1 - job.first;
  const int64_t from = behind + 1;  // taps from a position on
  if (job.first > 0 || from < HWY_MAX(-job.first, 2)) return Grown::kNot;
  const Levels<hwy::MakeSigned<Lane>> levels(from);
  if (levels.taps < from || !IsWorthLevels<Lane>(job)) return Grown::kNot;
  return LevelAll<Lane, Reduce, Finish, 1, 0>(job, levels) ? Grown::kDone : Grown::kGaveUp;
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
