// Windows that step by one, in rows that go on in each other: all positions are taken as one row,
// and taps beyond an end of their own row are masked. No lane is wasted, however long the rows.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_CHAINED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_CHAINED_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_CHAINED_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_CHAINED_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "kernels/chained_finish-inl.h"
#include "kernels/chained_taps-inl.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_MOVES_LANES
// PlanesJob whose rows AreChained, at most kSide taps before an output and behind it. Windows of
// one row are those of all planes together. Others are folded along H where they lie, and then
// along W; sums may have it the other way round, through scratch, see PlanesJob::across_first.
template <class Op, int kSide>
class ChainedRows {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Reduce::template State<D>;
  static constexpr bool kSums = std::is_base_of<SumExact, Reduce>::value;
  static constexpr bool kAlone = ChainsAlone(sizeof(T));
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);
  static constexpr int64_t kPositions = kChainedBytes / static_cast<int64_t>(sizeof(Lane));
  using Taps = ChainedTaps<Reduce, D, kSide, kPositions>;
  using Finish = ChainedFinish<Op, kPositions>;

 public:
  explicit ChainedRows(const PlanesJob& job)
      : job_(job),
        elem_(job.rules),
        width_(job.w_input),
        positions_(job.rows * job.w_input),
        step_(job.h_tap * job.w_input),
        finish_(job) {}

  bool All() {
    const S of_results = Walk();
    return Reduce::Clean(D(), of_taps_, job_.divisor) &&
           Reduce::Clean(D(), of_results, job_.divisor);
  }

 private:
  // What results leave in the state, here and below.
  S Walk() {
    if constexpr (kAlone) {
      return Alone();
    } else {
      if (job_.taps_h == 1) return Alone();
      if constexpr (kSums) {
        if (job_.across_first) return AcrossFirst();
      }
      return DownFirst();
    }
  }

  const T* X(int64_t plane) const {
    return static_cast<const T*>(job_.x) + plane * job_.x_plane_step;
  }
  Y* OfPlane(int64_t plane) const { return static_cast<Y*>(job_.y) + plane * job_.y_plane_step; }

  HWY_NOINLINE S Alone() {
    S state = Reduce::Start(D());
    const bool joins = job_.rows == job_.h_input && job_.x_plane_step == positions_ &&
                       job_.y_plane_step == positions_;
    const int64_t planes = joins ? 1 : job_.planes;
    const int64_t rows = joins ? job_.planes * job_.rows : job_.rows;
    const int64_t most = HWY_MIN(RowsAtOnce(), rows);
    SetRows(most, most);
    for (int64_t plane = 0; plane < planes; ++plane) {
      const T* x = X(plane) + job_.h_first * width_;
      Y* y = OfPlane(plane);
      for (int64_t row = 0; row < rows; row += most) {
        Y* const to = y + row * width_;
        AlongW(x + row * width_, HWY_MIN(most, rows - row) * width_,
               [&](int64_t i, V v, size_t n) HWY_ATTR { finish_.Put(v, i, n, to, state); });
      }
    }
    return state;
  }
  // As many rows as end where a vector does, if those are not too many.
  int64_t RowsAtOnce() const {
    int64_t rows = kLanes;
    for (int64_t width = width_; rows > 1 && width % 2 == 0; width /= 2) rows /= 2;
    if (rows * width_ > kPositions) return kPositions / width_;
    const int64_t some = HWY_MIN(job_.planes * positions_ / 2, 16 * kLanes);
    return rows * HWY_MAX(some / (rows * width_), 1);
  }

  HWY_NOINLINE S DownFirst() {
    S state = Reduce::Start(D());
    SetRows(job_.rows, job_.rows);
    SetTapsOfRows();
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      Y* const y = OfPlane(plane);
      DownThenAlong(X(plane) + job_.h_first * width_,
                    [&](int64_t i, V v, size_t n) HWY_ATTR { finish_.Put(v, i, n, y, state); });
    }
    return state;
  }

  HWY_NOINLINE S AcrossFirst() {
    const D d;
    S state = Reduce::Start(d);
    const V none = Reduce::Identity(d);
    const int64_t reach = (job_.taps_h - 1) * job_.h_tap;
    const int64_t begin = HWY_MAX(job_.h_first, 0);
    const int64_t end = HWY_MIN(job_.h_first + job_.rows + reach, job_.h_input);
    const int64_t top = (begin - job_.h_first) * width_, rows = end - begin;
    const int64_t bottom = top + rows * width_, all = positions_ + reach * width_;
    SetRows(rows, job_.rows);
    for (int64_t i = 0; i < top; i += kLanes) hn::StoreU(none, d, scratch_ + i);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      AlongW(X(plane) + begin * width_, rows * width_,
             [&](int64_t i, V v, size_t) HWY_ATTR { hn::StoreU(v, d, scratch_ + top + i); });
      // The last vector has gone beyond the last row.
      for (int64_t i = bottom; i < all; i += kLanes) hn::StoreU(none, d, scratch_ + i);
      Y* const y = OfPlane(plane);
      DownScratch([&](int64_t i, V v, size_t n) HWY_ATTR { finish_.Put(v, i, n, y, state); });
    }
    return state;
  }

  // For so many rows that are folded along W, and so many of outputs.
  void SetRows(int64_t rows, int64_t outputs) {
    taps_.Set(job_, rows);
    finish_.Set(job_, outputs);
  }
  // Which positions have which taps along H.
  void SetTapsOfRows() {
    for (int64_t tap = 0; tap < job_.taps_h; ++tap) {
      const int64_t h = job_.h_first + tap * job_.h_tap;
      const int64_t begin = HWY_MIN(HWY_MAX(-h, 0) * width_, positions_);
      const int64_t end = HWY_MIN((job_.h_input - h) * width_, positions_);
      row_bits_[tap].SetRange(begin, end, positions_);
    }
  }

  // Folds along W of so many positions, which `store` takes.
  template <class Store>
  HWY_INLINE void AlongW(const T* x, int64_t positions, const Store& store) {
    const D d;
    S state = of_taps_;
    const auto load = [&](int64_t i) HWY_ATTR __attribute__((always_inline)) {
      V v;
      if (i + kLanes <= positions) {
        v = elem_.Load(d, x + i);
      } else {
        const auto left = static_cast<size_t>(HWY_MAX(positions - i, 0));
        v = elem_.LoadMasked(d, x + i, hn::FirstN(d, left), hn::Zero(d));
      }
      state = Reduce::Watch(state, v);
      return v;
    };
    const auto beside = taps_.Find();
    V last = hn::Zero(d), now = load(0);
    int64_t i = 0;
    for (; i + 5 * kLanes <= positions; i += 4 * kLanes) {
      const V a = load(i + kLanes), b = load(i + 2 * kLanes);
      const V c = load(i + 3 * kLanes), e = load(i + 4 * kLanes);
      StoreFour(beside, i, last, now, a, b, c, e, store);
      last = c;
      now = e;
    }
    for (; i < positions; i += kLanes) {
      const V next = load(i + kLanes);
      const auto n = static_cast<size_t>(HWY_MIN(positions - i, kLanes));
      store(i, taps_.Fold(beside, i, last, now, next), n);
      last = now;
      now = next;
    }
    of_taps_ = state;
  }
  template <class Store>
  HWY_INLINE void StoreFour(const typename Taps::Beside& beside, int64_t i, V last, V now, V a, V b,
                            V c, V e, const Store& store) const {
    store(i, taps_.Fold(beside, i, last, now, a), kLanes);
    store(i + kLanes, taps_.Fold(beside, i + kLanes, now, a, b), kLanes);
    store(i + 2 * kLanes, taps_.Fold(beside, i + 2 * kLanes, a, b, c), kLanes);
    store(i + 3 * kLanes, taps_.Fold(beside, i + 3 * kLanes, b, c, e), kLanes);
  }

  // Folds along H, then W. x: the first tap of the first position.
  template <class Store>
  HWY_INLINE void DownThenAlong(const T* x, const Store& store) const {
    static_assert(!Reduce::kWatchesTaps, "taps that several outputs have are looked at once");
    const D d;
    const int64_t taps = job_.taps_h, step = step_, positions = positions_;
    // Positions that have all taps.
    const int64_t begin = HWY_MAX(-job_.h_first, 0) * width_;
    const int64_t end =
        HWY_MIN(positions, (job_.h_input - job_.h_first) * width_ - (taps - 1) * step);
    const auto load_some = [&](int64_t i) HWY_ATTR __attribute__((always_inline)) {
      const V none = Reduce::Identity(d);
      V fold = none;
      for (int64_t tap = 0; tap < taps; ++tap) {
        const M inside = row_bits_[tap].Mask(d, i);
        fold = Reduce::Combine(fold, elem_.LoadMasked(d, x + i + tap * step, inside, none));
      }
      return fold;
    };
    const auto beside = taps_.Find();
    V last = hn::Zero(d), now = load_some(0);
    int64_t i = 0;
    while (i < positions) {
      if (i + kLanes >= begin && i + 5 * kLanes <= end) {
        const T* p = x + i + kLanes;
        V a = elem_.Load(d, p), b = elem_.Load(d, p + kLanes);
        V c = elem_.Load(d, p + 2 * kLanes), e = elem_.Load(d, p + 3 * kLanes);
        for (int64_t tap = 1; tap < taps; ++tap) {
          p += step;
          a = Reduce::Combine(a, elem_.Load(d, p));
          b = Reduce::Combine(b, elem_.Load(d, p + kLanes));
          c = Reduce::Combine(c, elem_.Load(d, p + 2 * kLanes));
          e = Reduce::Combine(e, elem_.Load(d, p + 3 * kLanes));
        }
        StoreFour(beside, i, last, now, a, b, c, e, store);
        last = c;
        now = e;
        i += 4 * kLanes;
      } else {
        const V next = i + kLanes < positions ? load_some(i + kLanes) : now;
        const auto n = static_cast<size_t>(HWY_MIN(positions - i, kLanes));
        store(i, taps_.Fold(beside, i, last, now, next), n);
        last = now;
        now = next;
        i += kLanes;
      }
    }
  }

  // Folds along H of folds along W.
  template <class Store>
  HWY_INLINE void DownScratch(const Store& store) const {
    const D d;
    const Lane* const x = scratch_;
    const int64_t taps = job_.taps_h, step = step_, positions = positions_;
    int64_t i = 0;
    for (; i + 4 * kLanes <= positions; i += 4 * kLanes) {
      const Lane* p = x + i;
      V a = hn::LoadU(d, p), b = hn::LoadU(d, p + kLanes);
      V c = hn::LoadU(d, p + 2 * kLanes), e = hn::LoadU(d, p + 3 * kLanes);
      for (int64_t tap = 1; tap < taps; ++tap) {
        p += step;
        a = Reduce::Combine(a, hn::LoadU(d, p));
        b = Reduce::Combine(b, hn::LoadU(d, p + kLanes));
        c = Reduce::Combine(c, hn::LoadU(d, p + 2 * kLanes));
        e = Reduce::Combine(e, hn::LoadU(d, p + 3 * kLanes));
      }
      store(i, a, kLanes);
      store(i + kLanes, b, kLanes);
      store(i + 2 * kLanes, c, kLanes);
      store(i + 3 * kLanes, e, kLanes);
    }
    for (; i < positions; i += kLanes) {
      V v = hn::LoadU(d, x + i);
      for (int64_t tap = 1; tap < taps; ++tap) {
        v = Reduce::Combine(v, hn::LoadU(d, x + i + tap * step));
      }
      store(i, v, static_cast<size_t>(HWY_MIN(positions - i, kLanes)));
    }
  }

  const PlanesJob& job_;
  const Elem elem_;
  const int64_t width_, positions_;  // of a row of x, and of so many as y has
  const int64_t step_;               // positions from a tap along H to the next
  S of_taps_ = Reduce::Start(D());
  Taps taps_;
  Finish finish_;
  // Of one way or the other.
  union {
    PositionBits<kPositions> row_bits_[kAlone ? 1 : kChainedTaps];
    HWY_ALIGN Lane scratch_[kSums && !kAlone ? kPositions + kLanes : 1];
  };
};

template <class Op>
HWY_NOINLINE bool ChainRows(const PlanesJob& job) {
  const int64_t lead = -job.w_first / job.w_tap, side = HWY_MAX(lead, job.taps_w - 1 - lead);
  if (side == 1) return ChainedRows<Op, 1>(job).All();
  if (side == 2) return ChainedRows<Op, 2>(job).All();
  return ChainedRows<Op, kChainedBeside>(job).All();
}
#endif

// Kernels::chained of Op, or of Plain where that Fits.
template <class Op, class Plain = Op>
constexpr auto ChainedOf() -> bool (*)(const PlanesJob&) {
#if LANEPOOL_MOVES_LANES
  if constexpr (std::is_same<Op, Plain>::value && !kCompact) {
    return &ChainRows<Op>;
  } else if constexpr (!kCompact) {
    return [](const PlanesJob& job) {
      return Plain::Fits(job.rules) ? ChainRows<Plain>(job) : ChainRows<Op>(job);
    };
  }
#endif
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
