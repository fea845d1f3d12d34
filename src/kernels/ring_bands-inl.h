// Rows of windows of 3 x 3 taps that step by one, a few at a time: pixel by pixel, all channels of
// each, so that x and y are walked as they lie. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RING_BANDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RING_BANDS_INL_H_
#undef LANEPOOL_SRC_KERNELS_RING_BANDS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RING_BANDS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/ring_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Of which windows there are bands, docs/decisions/0050: of f32 and of bytes, and of all where
// vectors are short.
template <class Op>
constexpr bool HasBands() {
  using T = typename Op::Elem::Memory;
  return HWY_ARCH_X86 && !kCompact &&
         (!kManyRegisters || sizeof(T) == 1 || std::is_same<T, float>::value);
}

// A column of taps: it completes no window, the first one, which lacks its first column, or one
// with all of them. The last window, which lacks its last column, reads no more.
enum class BandColumn { kFill, kLead, kInner, kTrail };

// kRows of outputs, 1, 2 or 4, whose windows have kTaps rows of taps: 3, or of the first or the
// last row 2. kPairs: by two vectors of channels.
template <class Op, class Finish, int kRows, int kTaps, bool kPairs>
class Band {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

  static constexpr int kTapRows = kRows + kTaps - 1;
  using Taps = V[kTapRows];
  using Folds = V[kRows];

 public:
  Band(const RingJob& job, const RingJob::Ending& ending, int64_t lanes)
      : rules_(EndingRules(job, ending)),
        elem_(rules_),
        out_(rules_),
        finish_(ending.divisor, rules_),
        x_row_(job.x_tap[1]),
        y_row_(job.y_row_step),
        lanes_(lanes) {}

  // Lanes of a step along the channels. Of each, two columns of kRows are kept.
  static HWY_INLINE int64_t Step() {
    return (kPairs ? 2 : 1) * static_cast<int64_t>(hn::Lanes(D()));
  }

  // All channels of a column of taps from x on, and of the windows that it completes. What is kept
  // are the folds along H of the last column and of the one before, which the new ones replace.
  template <BandColumn kColumn>
  HWY_INLINE S Put(const T* x, Y* y, Lane* before, Lane* last, S state) const {
    const int64_t step = Step(), end = lanes_ - step;
    for (int64_t lane = 0;;) {
      Vectors<kColumn>(x + lane, y + lane, before, last, state);
      if (lane == end) return state;
      // The last vectors may overlap those before.
      lane = HWY_MIN(lane + step, end);
      before += 2 * kRows * step;
      last += 2 * kRows * step;
    }
  }

 private:
  template <BandColumn kColumn>
  HWY_INLINE void Vectors(const T* x, Y* y, Lane* before, const Lane* last, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    Folds a, b;
    if constexpr (kColumn != BandColumn::kTrail) {
      Taps taps, others;
      Load(x, taps, others, state);
      FoldRows(taps, a);
      if constexpr (kPairs) FoldRows(others, b);
    } else {
      HWY_UNROLL(4)
      for (int row = 0; row < kRows; ++row) a[row] = b[row] = hn::Zero(d);
    }
    HWY_UNROLL(4)
    for (int row = 0; row < kRows; ++row) {
      a[row] = Window<kColumn>(a[row], before + row * Step(), last + row * Step());
      if constexpr (!kPairs) continue;
      b[row] = Window<kColumn>(b[row], before + row * Step() + n, last + row * Step() + n);
    }
    if constexpr (kColumn == BandColumn::kFill) return;
    Finished(a, state);
    if constexpr (kPairs) Finished(b, state);
    HWY_UNROLL(4)
    for (int row = 0; row < kRows; ++row, y += y_row_) {
      if constexpr (kPairs) {
        out_.Store2(d, a[row], b[row], y);
      } else {
        out_.Store(d, a[row], y);
      }
    }
  }
  // From the fold of a column, which is kept, to that of the window.
  template <BandColumn kColumn>
  static HWY_INLINE V Window(V column, Lane* before, const Lane* last) {
    const D d;
    if constexpr (kColumn == BandColumn::kTrail) {
      return Reduce::Combine(hn::Load(d, before), hn::Load(d, last));
    }
    V fold = column;
    if constexpr (kColumn == BandColumn::kLead) fold = Reduce::Combine(hn::Load(d, last), column);
    if constexpr (kColumn == BandColumn::kInner) {
      fold = Reduce::Combine(Reduce::Combine(hn::Load(d, before), hn::Load(d, last)), column);
    }
    hn::Store(column, d, before);
    return fold;
  }

  HWY_INLINE void Load(const T* x, Taps& a, Taps& b, S& state) const {
    const D d;
    HWY_UNROLL(8)
    for (int row = 0; row < kTapRows; ++row, x += x_row_) {
      if constexpr (kPairs) {
        elem_.Load2(d, x, a[row], b[row]);
        KeepInRegisters(b[row]);
      } else {
        a[row] = elem_.Load(d, x);
      }
      KeepInRegisters(a[row]);
    }
    Watch(a, state);
    if constexpr (kPairs) Watch(b, state);
  }
  static HWY_INLINE void Watch(const Taps& taps, S& state) {
    int row = 0;
    if constexpr (kTapRows >= 4) {
      state = WatchTaps<Reduce>(state, taps[0], taps[1], taps[2], taps[3]);
      row = 4;
    }
    if constexpr (kTapRows % 4 >= 2) state = WatchTaps<Reduce>(state, taps[row], taps[row + 1]);
    if constexpr (kTapRows % 2 == 1) state = WatchTaps<Reduce>(state, taps[kTapRows - 1]);
  }
  // Along H. Maxima have no order: rows share them in pairs, those of floats, where it is faster.
  static HWY_INLINE void FoldRows(const Taps& taps, Folds& folds) {
    constexpr bool kShares = kTaps == 3 && kRows > 1 && std::is_same<Reduce, MaxOf>::value;
    HWY_UNROLL(4)
    for (int row = 0; row < kRows; row += kShares ? 2 : 1) {
      if constexpr (kShares) {
        const V shared = Reduce::Combine(taps[row + 1], taps[row + 2]);
        folds[row] = Reduce::Combine(taps[row], shared);
        folds[row + 1] = Reduce::Combine(shared, taps[row + 3]);
      } else {
        folds[row] = Reduce::Combine(taps[row], taps[row + 1]);
        if (kTaps == 3) folds[row] = Reduce::Combine(folds[row], taps[row + 2]);
      }
    }
  }
  HWY_INLINE void Finished(Folds& folds, S& state) const {
    if constexpr (kRows == 4) {
      state = WatchFolds<Reduce>(state, folds[0], folds[1], folds[2], folds[3]);
      FinishFour(finish_, folds[0], folds[1], folds[2], folds[3], state, 0);
      return;
    }
    HWY_UNROLL(2)
    for (int row = 0; row < kRows; ++row) {
      state = WatchFold<Reduce>(state, folds[row]);
      folds[row] = finish_.Apply(folds[row], state);
    }
  }

  const ElementRules rules_;
  const Elem elem_;
  const Out out_;
  const Finish finish_;
  const int64_t x_row_, y_row_, lanes_;
};

// All rows of a job, of as many channels at a time as there is room for.
template <class Op, bool kPairs>
class Bands {
  using Reduce = typename Op::Reduce;
  using T = typename Op::Elem::Memory;
  using Y = typename Op::Out::Memory;
  using Lane = typename Op::Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using S = typename Reduce::template State<D>;
  template <class Finish, int kRows, int kTaps>
  using BandOf = Band<Op, Finish, kRows, kTaps, kPairs>;

  static constexpr int64_t kBytes = 10240;
  static constexpr int kMostRows = 4;
  static constexpr int64_t kInner = RingJob::kInner;

 public:
  static HWY_NOINLINE bool Run(const RingJob& job) {
    HWY_ALIGN Lane kept[kBytes / sizeof(Lane)];
    const int64_t step = Step(), steps = (job.lanes - 1) / step + 1;
    const int64_t most = kBytes / static_cast<int64_t>(sizeof(Lane)) / (2 * kMostRows) / step;
    const int64_t tiles = (steps - 1) / most + 1;
    S state = Reduce::Start(D());
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t end = HWY_MIN(steps * (i + 1) / tiles * step, job.lanes);
      // The last tile may have less than a step of its own.
      state = Rows(job, HWY_MIN(steps * i / tiles * step, end - step), end, kept, state);
    }
    return Reduce::Clean(D(), state, job.endings[kInner][kInner].divisor);
  }

 private:
  static HWY_INLINE int64_t Step() { return BandOf<typename Op::Finish, 1, 3>::Step(); }

  static HWY_INLINE S Rows(const RingJob& job, int64_t begin, int64_t end, Lane* kept, S state) {
    const int64_t lanes = end - begin, x_row = job.x_tap[1], y_row = job.y_row_step;
    const T* x = static_cast<const T*>(job.x) + begin;
    Y* y = static_cast<Y*>(job.y) + begin;
    if (job.lead[0] > 0) {
      state = Row<1, 2>(job, kInner - 1, x, y, lanes, kept, state);
      y += y_row;
    }
    for (int64_t left = job.rows - job.lead[0] - job.trail[0]; left > 0;) {
      const int64_t rows = left >= kMostRows ? kMostRows : left >= 2 ? 2 : 1;
      state = rows == kMostRows ? Row<kMostRows, 3>(job, kInner, x, y, lanes, kept, state)
              : rows == 2       ? Row<2, 3>(job, kInner, x, y, lanes, kept, state)
                                : Row<1, 3>(job, kInner, x, y, lanes, kept, state);
      left -= rows;
      x += rows * x_row;
      y += rows * y_row;
    }
    if (job.trail[0] == 0) return state;
    return Row<1, 2>(job, kInner + 1, x, y, lanes, kept, state);
  }

  // kRows of outputs, pixel by pixel. `place`: see RingJob.
  template <int kRows, int kTaps>
  static HWY_NOINLINE S Row(const RingJob& job, int64_t place, const T* x, Y* y, int64_t lanes,
                            Lane* kept, S state) {
    using Finish = std::conditional_t<kTaps == 3, typename Op::Finish, typename Op::EdgeFinish>;
    const RingJob::Ending* const endings = job.endings[place];
    const BandOf<Finish, kRows, kTaps> inner(job, endings[kInner], lanes);
    const int64_t x_step = job.x_tap[2], y_step = job.y_output_step;
    const int64_t lead = job.lead[1], trail = job.trail[1];
    Lane *before = kept, *last = kept + kRows * Step();
    const auto next = [&]() HWY_ATTR {
      Lane* const newest = before;
      before = last;
      last = newest;
      x += x_step;
    };
    state = inner.template Put<BandColumn::kFill>(x, y, before, last, state);
    next();
    if (lead > 0) {
      state = Edge<kRows, kTaps, BandColumn::kLead>(job, endings[kInner - 1], lanes, x, y, before,
                                                    last, state);
      y += y_step;
    } else {
      state = inner.template Put<BandColumn::kFill>(x, y, before, last, state);
    }
    next();
    for (int64_t left = job.outputs - lead - trail; left > 0; --left, y += y_step) {
      state = inner.template Put<BandColumn::kInner>(x, y, before, last, state);
      next();
    }
    if (trail == 0) return state;
    return Edge<kRows, kTaps, BandColumn::kTrail>(job, endings[kInner + 1], lanes, x, y, before,
                                                  last, state);
  }
  template <int kRows, int kTaps, BandColumn kColumn>
  static HWY_NOINLINE S Edge(const RingJob& job, const RingJob::Ending& ending, int64_t lanes,
                             const T* x, Y* y, Lane* before, Lane* last, S state) {
    const BandOf<typename Op::EdgeFinish, kRows, kTaps> edge(job, ending, lanes);
    return edge.template Put<kColumn>(x, y, before, last, state);
  }
};

// Sums of bytes, and of halves, are loaded two vectors at once.
template <class Op>
bool BandsOf(const RingJob& job) {
  using Elem = typename Op::Elem;
  return Bands<Op, (sizeof(typename Elem::Memory) < sizeof(typename Elem::Lane))>::Run(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
