// Whole planes with lanes along W, windows of 3 x 3 or 2 x 2 taps that slide along H and lack at
// most one row at either end: each row is read once, and no row asks for anything. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_
#undef LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PLANES_SQUARE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/neighbours-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Elements between taps at most for which lanes are moved: where any move is one operation.
template <class D>
constexpr int64_t kMostMoved = MayHalve<D>() ? 2 : 1;

// What the taps along W of a vector of windows lack: nothing; of taps that are kMostMoved apart at
// most, so many windows their first one, or their last one, or both; or anything. kRow: as kBoth,
// of rows that are shorter than the vector; kTwoRows: of two planes, a half of the vector each.
enum class Lacks { kNothing, kFirst, kLast, kBoth, kRow, kTwoRows, kAny };

// The outputs of one vector of lanes [lane, lane + count) in all rows of all planes, of kTwoRows an
// even number. Only the last three have fewer lanes than D. Of two taps there are kNothing and
// kAny.
template <class Op, class D, Lacks kLacks, int kTaps>
class SquareStrip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish::Planes;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Reduce::template State<D>;
  static constexpr bool kAnyTap = kLacks == Lacks::kNothing || kLacks == Lacks::kAny;
  static constexpr bool kTwo = kLacks == Lacks::kTwoRows;
  static constexpr bool kEnds = kLacks == Lacks::kBoth || kLacks == Lacks::kRow || kTwo;
  static constexpr bool kNoFirst = kLacks == Lacks::kFirst || kEnds;
  static constexpr bool kNoLast = kLacks == Lacks::kLast || kEnds;

 public:
  SquareStrip(const PlanesJob& job, int64_t lane, int64_t count)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        input_(ReadableOf<T>(job)),
        rows_end_(RowsEnd<Y>(job)),
        tap_(kAnyTap || kMostMoved<D> > 1 ? job.w_tap : 1),
        depths_(job.taps_d),
        first_(job.w_first + lane),
        lane_(lane),
        count_(static_cast<size_t>(count)) {}

  // The folds of a row move along H: p1 is that of the last one, p2 that of the last two.
  HWY_INLINE bool Run(const EdgeRows& edges) const {
    const D d;
    V a = hn::Zero(d), b = a;
    FinishOfRows<Finish, D> finish(job_, edges, lane_, a, b);
    if constexpr (kTwo) finish.Repeat(a, b);
    const M in_a = LanesInside(d, first_, job_.w_input);
    const M in_b = LanesInside(d, first_ + tap_, job_.w_input);
    const M in_c = kTaps == 2 ? in_b : LanesInside(d, first_ + 2 * tap_, job_.w_input);
    const int64_t x_step = job_.h_tap * job_.x_row_step, y_step = job_.y_row_step;
    const int64_t rows = job_.rows - edges.first - edges.last;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; plane += kTwo ? 2 : 1) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
                   (job_.h_first + edges.first * job_.h_tap) * job_.x_row_step;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      V p1 = Row(x, in_a, in_b, in_c, state), p2 = p1;
      if (kTaps == 3) {
        x += x_step;
        p1 = Row(x, in_a, in_b, in_c, state);
        p2 = Reduce::Combine(p2, p1);
      }
      if (edges.first != 0) {
        Put(finish.First(kTaps == 3 ? p2 : p1, state), y);
        y += y_step;
      }
      for (int64_t row = 0; row < rows; ++row) {
        x += x_step;
        const V v = Row(x, in_a, in_b, in_c, state);
        const V fold = Reduce::Combine(kTaps == 3 ? p2 : p1, v);
        if (kTaps == 3) p2 = Reduce::Combine(p1, v);
        p1 = v;
        Put(finish.Inner(fold, a, b, state), y);
        y += y_step;
      }
      if (edges.last != 0) Put(finish.Last(kTaps == 3 ? p2 : p1, state), y);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  // The same of windows of three taps that step by two along H: the last row is the first one of
  // the next window.
  HWY_INLINE bool RunByTwo(const EdgeRows& edges) const {
    static_assert(kTaps == 3 && !kTwo, "has no other");
    const D d;
    V finish_a = hn::Zero(d), finish_b = finish_a;
    const FinishOfRows<Finish, D> finish(job_, edges, lane_, finish_a, finish_b);
    const M in_a = LanesInside(d, first_, job_.w_input);
    const M in_b = LanesInside(d, first_ + tap_, job_.w_input);
    const M in_c = LanesInside(d, first_ + 2 * tap_, job_.w_input);
    const int64_t x_step = job_.h_tap * job_.x_row_step, y_step = job_.y_row_step;
    const int64_t rows = job_.rows - edges.first - edges.last;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
                   (job_.h_first + edges.first * job_.h_tap) * job_.x_row_step;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      V last = Row(x, in_a, in_b, in_c, state);
      const auto next_two = [&]() HWY_ATTR {
        x += x_step;
        return Reduce::Combine(last, Row(x, in_a, in_b, in_c, state));
      };
      if (edges.first != 0) {
        x += x_step;
        const V first = last;
        last = Row(x, in_a, in_b, in_c, state);
        Put(finish.First(Reduce::Combine(first, last), state), y);
        y += y_step;
      }
      for (int64_t row = 0; row < rows; ++row) {
        const V two = next_two();
        x += x_step;
        last = Row(x, in_a, in_b, in_c, state);
        Put(finish.Inner(Reduce::Combine(two, last), finish_a, finish_b, state), y);
        y += y_step;
      }
      if (edges.last != 0) Put(finish.Last(next_two(), state), y);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // The folds along D and W of the row at x.
  HWY_INLINE V Row(const T* x, M in_a, M in_b, M in_c, S& state) const {
    V a, b, c;
    Taps(x, in_a, in_b, in_c, a, b, c, state);
    for (int64_t depth = 1; depth < depths_; ++depth) {
      V a1, b1, c1;
      x += job_.x_tap_d;
      Taps(x, in_a, in_b, in_c, a1, b1, c1, state);
      a = Reduce::Combine(a, a1);
      b = Reduce::Combine(b, b1);
      c = Reduce::Combine(c, c1);
    }
    const V two = Reduce::Combine(a, b);
    return kTaps == 2 ? two : Reduce::Combine(two, c);
  }
  HWY_INLINE void Taps(const T* x, M in_a, M in_b, M in_c, V& a, V& b, V& c, S& state) const {
    const D d;
    const V none = Reduce::Identity(d);
    if constexpr (kLacks == Lacks::kAny) {
      const int64_t size = job_.w_input;
      a = LoadInside(elem_, d, input_, x, first_, size, in_a, none);
      b = LoadInside(elem_, d, input_, x, first_ + tap_, size, in_b, none);
      c = kTaps == 2 ? b : LoadInside(elem_, d, input_, x, first_ + 2 * tap_, size, in_c, none);
    } else {
      x += first_ + tap_;
      b = Middle(x, in_b, none);
      a = kNoFirst ? Before(none, b) : elem_.Load(d, x - tap_);
      c = kTaps == 2 ? b : kNoLast ? Behind(b, none) : elem_.Load(d, x + tap_);
    }
    // Unless taps are far apart, these are all elements.
    state = Reduce::Watch(state, a, c);
    if (kTaps == 3 && kAnyTap && 2 * tap_ > static_cast<int64_t>(hn::Lanes(d))) {
      state = Reduce::Watch(state, b);
    }
  }
  HWY_INLINE V Middle(const T* x, M in_b, V none) const {
    const D d;
    if constexpr (kTwo) {
      const hn::Half<D> half;
      const T* const next = x + job_.x_plane_step;
      if (count_ == hn::Lanes(half)) {
        return hn::Combine(d, elem_.Load(half, next), elem_.Load(half, x));
      }
      const auto other = hn::LowerHalf(half, none);
      const auto in = hn::FirstN(half, count_);
      return hn::Combine(d, elem_.LoadMasked(half, next, in, other),
                         elem_.LoadMasked(half, x, in, other));
    } else if constexpr (kLacks == Lacks::kRow) {
      return elem_.LoadMasked(d, x, in_b, none);
    } else {
      return elem_.Load(d, x);
    }
  }
  HWY_INLINE V Before(V none, V v) const {
    if constexpr (kTwo) return NeighbourInHalf<-1>(D(), v, none);
    if constexpr (kMostMoved<D> == 2) {
      if (tap_ == 2) return LaneBefore<2>(D(), none, v);
    }
    return LaneBefore(D(), none, v);
  }
  HWY_INLINE V Behind(V v, V none) const {
    if constexpr (kTwo) return NeighbourInHalf<1>(D(), v, none);
    if constexpr (kMostMoved<D> == 2) {
      if (tap_ == 2) return LaneBehind<2>(D(), v, none);
    }
    return LaneBehind(D(), v, none);
  }
  HWY_INLINE void Put(V v, Y* y) const {
    const D d;
    if constexpr (kTwo) {
      const hn::Half<D> half;
      const auto upper = hn::UpperHalf(half, v);
      if (count_ == hn::Lanes(half)) {
        out_.Store(half, hn::LowerHalf(half, v), y);
        out_.Store(half, upper, y + job_.y_plane_step);
      } else {
        out_.StoreN(half, hn::LowerHalf(half, v), y, count_);
        out_.StoreN(half, upper, y + job_.y_plane_step, count_);
      }
    } else if (kLacks == Lacks::kRow || (kLacks == Lacks::kAny && count_ < hn::Lanes(d))) {
      StoreRow(out_, d, v, y, count_, rows_end_);
    } else {
      out_.Store(d, v, y);
    }
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const Readable<T> input_;
  const Y* const rows_end_;
  const int64_t tap_, depths_, first_, lane_;
  const size_t count_;
};

// Out of line: what is hot keeps its registers.
template <class Op, Lacks kLacks, int kTaps, class D>
HWY_NOINLINE bool RunSquare(D, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                            int64_t count) {
  return SquareStrip<Op, D, kLacks, kTaps>(job, lane, count).Run(edges);
}

// Outputs [lane, end); the last strip overlaps the one before.
template <class Op, int kTaps, class D>
HWY_NOINLINE bool SquareStrips(D d, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                               int64_t end) {
  constexpr bool kHalves = MayHalve<D>() && !Op::kSmall;
  constexpr bool kShifts = kTaps == 3 && !Op::kSmall;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), count = HWY_MIN(n, job.lanes);
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - count);
    const int64_t first = job.w_first + lane;
    const int64_t beyond = first + (kTaps - 1) * job.w_tap + n - job.w_input;
    // Of a full vector, one tap of as many windows as lanes are moved.
    const bool one = job.w_tap <= kMostMoved<D> && count == n &&
                     (first >= 0 || first == -job.w_tap) && (beyond <= 0 || beyond == job.w_tap);
    bool clean = false, done = count == n && first >= 0 && beyond <= 0;
    if (done) clean = RunSquare<Op, Lacks::kNothing, kTaps>(d, job, edges, lane, count);
    if constexpr (kShifts) {
      if (!done && one && beyond <= 0) {
        done = true;
        clean = RunSquare<Op, Lacks::kFirst, kTaps>(d, job, edges, lane, count);
      } else if (!done && one && first >= 0) {
        done = true;
        clean = RunSquare<Op, Lacks::kLast, kTaps>(d, job, edges, lane, count);
      } else if (!kHalves && !done && one) {
        done = true;
        clean = RunSquare<Op, Lacks::kBoth, kTaps>(d, job, edges, lane, count);
      }
    }
    if (!done) {
      if constexpr (kHalves) {
        clean = SquareStrips<Op, kTaps>(hn::Half<D>(), job, edges, lane, lane + n);
      } else {
        clean = RunSquare<Op, Lacks::kAny, kTaps>(d, job, edges, lane, count);
      }
    }
    if (!clean) return false;
  }
  return true;
}

// Windows of 3 x 3 taps that step by two along H.
template <class Op, Lacks kLacks, class D>
HWY_NOINLINE bool RunSquareByTwo(D, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                                 int64_t count) {
  return SquareStrip<Op, D, kLacks, 3>(job, lane, count).RunByTwo(edges);
}
template <class Op, class D>
bool SquarePlanesByTwo(D d, const PlanesJob& job, const EdgeRows& edges) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), count = HWY_MIN(n, job.lanes);
  for (int64_t lane = 0; lane < job.lanes; lane += n) {
    lane = HWY_MIN(lane, job.lanes - count);
    const int64_t first = job.w_first + lane;
    const bool inside = count == n && first >= 0 && first + 2 * job.w_tap + n <= job.w_input;
    const bool clean = inside ? RunSquareByTwo<Op, Lacks::kNothing>(d, job, edges, lane, count)
                              : RunSquareByTwo<Op, Lacks::kAny>(d, job, edges, lane, count);
    if (!clean) return false;
  }
  return true;
}

// Whether rows of fewer lanes are faster with shorter vectors, each of them full, than with part of
// one: where vectors cannot be loaded in part.
template <class Op, class D>
constexpr bool MayNarrow() {
  return HWY_MEM_OPS_MIGHT_FAULT && !HWY_HAVE_SCALABLE && !Op::kSmall && D().MaxLanes() > 4 &&
         D().MaxBytes() > 8;
}
// Whether full vectors have nothing to load but full vectors, see SquareStrips.
template <int kTaps>
HWY_INLINE bool LacksOne(const PlanesJob& job) {
  const int64_t lacks = kTaps == 3 ? 1 : 0;
  return job.w_tap == 1 && job.w_first >= -lacks &&
         job.w_first + job.lanes + kTaps - 2 < job.w_input + lacks;
}

// Windows of kTaps x kTaps taps, in vectors of D or less.
template <class Op, int kTaps, class D>
bool SquarePlanes(D d, const PlanesJob& job, const EdgeRows& edges) {
  int64_t whole = job.lanes;
  if constexpr (MayNarrow<Op, D>()) {
    if (job.lanes < static_cast<int64_t>(hn::Lanes(d)) && LacksOne<kTaps>(job)) {
      return SquarePlanes<Op, kTaps>(hn::Half<D>(), job, edges);
    }
  }
  if constexpr (MayHalve<decltype(d)>() && !Op::kSmall) {
    if constexpr (kTaps == 3) {
      const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job.lanes;
      const bool rows = job.w_tap == 1 && job.w_first == -1 && lanes == job.w_input;
      if (rows && lanes > n / 2 && lanes < n) {
        return RunSquare<Op, Lacks::kRow, kTaps>(d, job, edges, 0, lanes);
      }
      if (rows && lanes > n / 4 && lanes <= n / 2 && job.planes > 1) {
        PlanesJob even = job;
        even.planes -= job.planes % 2;
        if (!RunSquare<Op, Lacks::kTwoRows, kTaps>(d, even, edges, 0, lanes)) return false;
        if (job.planes % 2 == 0) return true;
        even.x =
            static_cast<const typename Op::Elem::Memory*>(job.x) + even.planes * job.x_plane_step;
        even.y = static_cast<typename Op::Out::Memory*>(job.y) + even.planes * job.y_plane_step;
        even.planes = 1;
        return SquareStrips<Op, kTaps>(hn::Half<decltype(d)>(), even, edges, 0, lanes);
      }
    }
    whole = WholeVectors(d, job.lanes);
    const hn::Half<decltype(d)> half;
    if (!SquareStrips<Op, kTaps>(half, job, edges, whole, job.lanes)) return false;
  }
  return SquareStrips<Op, kTaps>(d, job, edges, 0, whole);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
