// Windows that are long runs of contiguous lanes, one output each. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/run_columns-inl.h"
#include "kernels/run_results-inl.h"
#include "kernels/run_short-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kRunWidth accumulators whatever the vector length, so that the order of additions is the same
// too. They are combined in halves: down to a vector for each output by itself, the rest and the
// division for a vector of outputs at once.
template <class Op>
class Run {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Op::Out::Memory;
  using Lane = typename Elem::Lane;
  // Longer vectors would cross cache lines with nearly every load. The lanes of a vector are known
  // here, so scalable ones have as many as all of them have.
  static constexpr int64_t kBytes = HWY_HAVE_SCALABLE ? 16 : HWY_MIN(32, HWY_MAX_BYTES);
  static constexpr int64_t kLanes = kBytes / static_cast<int64_t>(sizeof(Lane));
  using Results = RunResults<Op, kLanes>;
  static constexpr bool kOrdered = Results::kOrdered;
  // Whether the accumulators are in registers, and sums are shared, see TileOutputs: more code.
  static constexpr bool kFast = hwy::IsFloat<Lane>() && Op::kWide && !Reduce::kRare;
  // Four vectors of accumulators at a time take their lanes of all rows.
  static constexpr int64_t kGroup = 4 * kLanes;
  static constexpr int64_t kWidth = kOrdered ? kRunWidth : kLanes;
  static constexpr int64_t kGroups = kFast ? kWidth / kGroup : 1;
  // Positions whose sums are shared.
  static constexpr int64_t kSpan = kFast ? 512 : 0;
  static constexpr int64_t kShortRow = 256;  // bytes
  using D = hn::CappedTag<Lane, static_cast<size_t>(kLanes)>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  explicit Run(const FoldRunJob& job) : job_(job), elem_(job.rules), results_(job) {
    for (int64_t i = 0; i < kGroups; ++i) {
      const int64_t length = HWY_MAX(job.length - i * kGroup, 0);
      Extent& extent = extents_[i];
      extent.blocks = length < kGroup ? 0 : (length - kGroup) / kWidth + 1;
      const int64_t rest = HWY_MIN(HWY_MAX(length - extent.blocks * kWidth, 0), kGroup);
      extent.whole = rest / kLanes;
      extent.part = static_cast<size_t>(rest % kLanes);
    }
  }

  HWY_INLINE bool All() const {
    if constexpr (kFast) {
      if constexpr (ShortRun<Op, kLanes>::kKnown) {
        if (ShortRun<Op, kLanes>::Fits(job_)) return ShortRun<Op, kLanes>(job_).Run();
      }
      if (job_.taps[0] == 1 && job_.taps[1] == 1) {
        return Outputs([this](const T* x, int64_t, S& state)
                           HWY_ATTR { return FoldRow(x, state); });
      }
      if (const int64_t tile = TileOutputs(); tile > 0) return Tiles(tile);
    }
    return Outputs([this](const T* x, int64_t, S& state) HWY_ATTR { return Fold(x, state); });
  }

 private:
  // fold(x, i, state) is the fold of the window at x, output i of its row.
  template <class FoldOf>
  HWY_INLINE bool Outputs(const FoldOf& fold) const {
    const D d;
    HWY_ALIGN Lane folds[Results::kFolds];
    S state = Reduce::Start(d);
    const int64_t outputs = job_.outputs, step = job_.x_output_step;
    const int64_t back = job_.x_row_step - outputs * step;
    const T* x = static_cast<const T*>(job_.x);
    Y* y = static_cast<Y*>(job_.y);
    int64_t in_row = 0;
    for (int64_t left = outputs * HWY_MAX(job_.rows, 1); left > 0; left -= kLanes) {
      const int64_t some = HWY_MIN(left, kLanes);
      for (int64_t i = 0; i < some; ++i) {
        const V v = fold(x, in_row, state);
        hn::Store(v, d, folds + i * kLanes);
        x += step;
        if (++in_row == outputs) {
          in_row = 0;
          x += back;
        }
      }
      results_.Put(folds, some, y, state);
      y += some * job_.y_output_step;
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  // The same with the sums of `tile` outputs at a time, see TileOutputs.
  HWY_INLINE bool Tiles(int64_t tile) const {
    HWY_ALIGN Lane sums[kSpan + kGroup];
    const RunColumns<Elem, Reduce, D> columns(job_);
    const int64_t step = job_.x_output_step;
    // Rows of a few lines, one after the other, are not what hardware foresees.
    const bool asks = job_.far && job_.x_tap[1] * static_cast<int64_t>(sizeof(T)) <= kShortRow;
    int64_t in_tile = 0;
    return Outputs([&](const T* x, int64_t in_row, S& state) HWY_ATTR {
      if (in_row == 0 || in_tile == tile) {
        in_tile = 0;
        const int64_t begins = (HWY_MIN(tile, job_.outputs - in_row) - 1) * step;
        const int64_t span = begins + job_.length;
        state = asks ? columns.template Sum<true>(x, span, sums, state)
                     : columns.template Sum<false>(x, span, sums, state);
      }
      return FoldLanes(sums + in_tile++ * step);
    });
  }

  // What a row has for a group: blocks of four vectors, then fewer whole vectors, and part of one.
  struct Extent {
    int64_t blocks, whole;
    size_t part;
  };

  // Where short windows of several rows lie close together, what their rows add up to at each
  // position is computed for several outputs at once: accumulators are of one position each, so
  // that is the same. How many outputs; 0: there are no such windows.
  HWY_INLINE int64_t TileOutputs() const {
    const int64_t step = job_.x_output_step;
    if (!kFast) return 0;
    const bool several = job_.outputs > 1 && (job_.taps[0] > 1 || job_.taps[1] > 1);
    const bool close = step > 0 && step <= 2 * job_.length && job_.length <= kWidth;
    if (!several || !close) return 0;
    return HWY_MIN(job_.outputs, (kSpan - job_.length) / step + 1);
  }

  // As Fold, of one row of accumulators.
  HWY_INLINE V FoldLanes(const Lane* p) const {
    V a, b, c, e;
    HalvesOf<kGroup>(p, 0, a, b, c, e);
    return Reduce::Combine(Reduce::Combine(a, c), Reduce::Combine(b, e));
  }
  template <int64_t kStep>
  HWY_INLINE void HalvesOf(const Lane* p, int64_t first, V& a, V& b, V& c, V& e) const {
    if constexpr (kStep >= kWidth) {
      a = Lanes(p, first);
      b = Lanes(p, first + kLanes);
      c = Lanes(p, first + 2 * kLanes);
      e = Lanes(p, first + 3 * kLanes);
    } else {
      V v, w, u, z;
      HalvesOf<2 * kStep>(p, first, a, b, c, e);
      HalvesOf<2 * kStep>(p, first + kStep, v, w, u, z);
      a = Reduce::Combine(a, v);
      b = Reduce::Combine(b, w);
      c = Reduce::Combine(c, u);
      e = Reduce::Combine(e, z);
    }
  }
  HWY_INLINE V Lanes(const Lane* p, int64_t first) const {
    const D d;
    const int64_t count = job_.length - first;
    if (count <= 0) return Reduce::Identity(d);
    const V v = hn::LoadU(d, p + first);
    if (count >= kLanes) return v;
    return hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(count)), v, Reduce::Identity(d));
  }

  // As Fold, of windows of one row.
  HWY_INLINE V FoldRow(const T* x, S& state) const {
    V a, b, c, e;
    HalvesOfRow<kGroup>(x, 0, a, b, c, e, state);
    return Reduce::Combine(Reduce::Combine(a, c), Reduce::Combine(b, e));
  }
  template <int64_t kStep>
  HWY_INLINE void HalvesOfRow(const T* x, int64_t first, V& a, V& b, V& c, V& e, S& state) const {
    if constexpr (kStep >= kWidth) {
      GroupOfRow(x + first, extents_[first / kGroup], a, b, c, e, state);
    } else {
      V v, w, u, z;
      HalvesOfRow<2 * kStep>(x, first, a, b, c, e, state);
      HalvesOfRow<2 * kStep>(x, first + kStep, v, w, u, z, state);
      a = Reduce::Combine(a, v);
      b = Reduce::Combine(b, w);
      c = Reduce::Combine(c, u);
      e = Reduce::Combine(e, z);
    }
  }
  HWY_INLINE void GroupOfRow(const T* p, const Extent& extent, V& a, V& b, V& c, V& e,
                             S& state) const {
    const D d;
    a = b = c = e = Reduce::Identity(d);
    for (int64_t i = 0; i < extent.blocks; ++i, p += kWidth) {
      MoreOfAll(p, a, b, c, e, state);
    }
    Rest(p, extent, a, b, c, e, state);
  }
  // What follows the blocks of a row.
  HWY_INLINE void Rest(const T* p, const Extent& extent, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    if (extent.whole > 0) a = More(p, a, state);
    if (extent.whole > 1) b = More(p + kLanes, b, state);
    if (extent.whole > 2) c = More(p + 2 * kLanes, c, state);
    if (extent.part == 0) return;
    const V v = elem_.LoadN(d, p + extent.whole * kLanes, extent.part, Reduce::Identity(d));
    state = Reduce::Watch(state, v);
    if (extent.whole == 0) {
      a = Reduce::Combine(a, v);
    } else if (extent.whole == 1) {
      b = Reduce::Combine(b, v);
    } else if (extent.whole == 2) {
      c = Reduce::Combine(c, v);
    } else {
      e = Reduce::Combine(e, v);
    }
  }

  // A vector of accumulators of the output whose window begins at x.
  HWY_INLINE V Fold(const T* x, S& state) const {
    if constexpr (!kOrdered) return FoldShorts(x, state);
    if constexpr (!kFast) return FoldSmall(x, state);
    V a, b, c, e;
    Halves<kGroup>(x, 0, a, b, c, e, state);
    return Reduce::Combine(Reduce::Combine(a, c), Reduce::Combine(b, e));
  }

  // Maxima of short lanes have one vector of accumulators.
  HWY_INLINE V FoldShorts(const T* x, S& state) const {
    const D d;
    const int64_t whole = job_.length / kLanes * kLanes;
    const size_t part = static_cast<size_t>(job_.length - whole);
    V acc = Reduce::Identity(d);
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const T* row = x + depth * job_.x_tap[0];
      for (int64_t h = 0; h < job_.taps[1]; ++h, row += job_.x_tap[1]) {
        for (int64_t i = 0; i < whole; i += kLanes) acc = More(row + i, acc, state);
        if (part == 0) continue;
        const V v = elem_.LoadN(d, row + whole, part, Reduce::Identity(d));
        state = Reduce::Watch(state, v);
        acc = Reduce::Combine(acc, v);
      }
    }
    return acc;
  }

  // As Fold, in less code: the accumulators are in memory.
  HWY_INLINE V FoldSmall(const T* x, S& state) const {
    const D d;
    HWY_ALIGN Lane acc[kWidth];
    for (int64_t i = 0; i < kWidth; i += kLanes) hn::Store(Reduce::Identity(d), d, acc + i);
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const T* row = x + depth * job_.x_tap[0];
      for (int64_t h = 0; h < job_.taps[1]; ++h, row += job_.x_tap[1]) {
        int64_t i = 0;
        for (; i + kLanes <= job_.length; i += kLanes) {
          Lane* const to = acc + i % kWidth;
          hn::Store(More(row + i, hn::Load(d, to), state), d, to);
        }
        if (i == job_.length) continue;
        const size_t part = static_cast<size_t>(job_.length - i);
        const V v = elem_.LoadN(d, row + i, part, Reduce::Identity(d));
        state = Reduce::Watch(state, v);
        Lane* const to = acc + i % kWidth;
        hn::Store(Reduce::Combine(hn::Load(d, to), v), d, to);
      }
    }
    for (int64_t width = kWidth / 2; width >= kLanes; width /= 2) {
      for (int64_t i = 0; i < width; i += kLanes) {
        const V upper = hn::Load(d, acc + width + i);
        hn::Store(Reduce::Combine(hn::Load(d, acc + i), upper), d, acc + i);
      }
    }
    return hn::Load(d, acc);
  }

  // The groups at `first`, `first` + kStep and so on, combined in halves.
  template <int64_t kStep>
  HWY_INLINE void Halves(const T* x, int64_t first, V& a, V& b, V& c, V& e, S& state) const {
    if constexpr (kStep >= kWidth) {
      Group(x, first, a, b, c, e, state);
    } else {
      V v, w, u, z;
      Halves<2 * kStep>(x, first, a, b, c, e, state);
      Halves<2 * kStep>(x, first + kStep, v, w, u, z, state);
      a = Reduce::Combine(a, v);
      b = Reduce::Combine(b, w);
      c = Reduce::Combine(c, u);
      e = Reduce::Combine(e, z);
    }
  }

  // Accumulators [first, first + kGroup).
  HWY_INLINE void Group(const T* x, int64_t first, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    const Extent& extent = extents_[first / kGroup];
    const int64_t blocks = extent.blocks;
    const int64_t depths = job_.taps[0], rows = job_.taps[1], row_step = job_.x_tap[1];
    a = b = c = e = Reduce::Identity(d);
    for (int64_t depth = 0; depth < depths; ++depth) {
      const T* row = x + first + depth * job_.x_tap[0];
      for (int64_t h = 0; h < rows; ++h, row += row_step) {
        const T* p = row;
        for (int64_t i = 0; i < blocks; ++i, p += kWidth) {
          MoreOfAll(p, a, b, c, e, state);
        }
        Rest(p, extent, a, b, c, e, state);
      }
    }
  }

  // A vector for each; what is watched waits for one of them.
  HWY_INLINE void MoreOfAll(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    const V v = elem_.Load(d, p), w = elem_.Load(d, p + kLanes);
    const V u = elem_.Load(d, p + 2 * kLanes), z = elem_.Load(d, p + 3 * kLanes);
    state = Reduce::Watch(state, v, w, u, z);
    a = Reduce::Combine(a, v);
    b = Reduce::Combine(b, w);
    c = Reduce::Combine(c, u);
    e = Reduce::Combine(e, z);
  }
  HWY_INLINE V More(const T* p, V acc, S& state) const {
    const V v = elem_.Load(D(), p);
    state = Reduce::Watch(state, v);
    return Reduce::Combine(acc, v);
  }

  const FoldRunJob& job_;
  const Elem elem_;
  const Results results_;
  Extent extents_[kGroups];
};

template <class Op>
bool FoldRun(const FoldRunJob& job) {
  return Run<Op>(job).All();
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
