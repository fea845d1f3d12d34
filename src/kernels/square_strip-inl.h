// A vector of lanes along W over all rows of whole planes, see planes_square-inl.h. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_SQUARE_STRIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_SQUARE_STRIP_INL_H_
#undef LANEPOOL_SRC_KERNELS_SQUARE_STRIP_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_SQUARE_STRIP_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
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
  // Where vectors are not loaded in part.
  static constexpr bool kReadsBeside =
      kLacks == Lacks::kAny && HWY_MEM_OPS_MIGHT_FAULT && !kCompact;
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
        reach_((job.taps_d - 1) * job.x_tap_d + (kTaps - 1) * tap_ +
               static_cast<int64_t>(hn::Lanes(D()))),
        lane_(lane),
        count_(static_cast<size_t>(count)),
        reads_beside_(ReadsBeside(job, first_)) {}

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
      V p1 = AnyRow(x, in_a, in_b, in_c, state), p2 = p1;
      if (kTaps == 3) {
        x += x_step;
        p1 = AnyRow(x, in_a, in_b, in_c, state);
        p2 = Reduce::Combine(p2, p1);
      }
      if (edges.first != 0) {
        Put(finish.First(kTaps == 3 ? p2 : p1, state), y);
        y += y_step;
      }
      const auto put = [&](V v) HWY_ATTR __attribute__((always_inline)) {
        const V fold = Reduce::Combine(kTaps == 3 ? p2 : p1, v);
        if (kTaps == 3) p2 = Reduce::Combine(p1, v);
        p1 = v;
        Put(finish.Inner(fold, a, b, state), y);
        y += y_step;
      };
      int64_t row = 0;
      if constexpr (kReadsBeside) {
        for (const int64_t end = reads_beside_ ? rows - 1 : 0; row < end; ++row) {
          x += x_step;
          put(Row<true>(x, in_a, in_b, in_c, state));
        }
      }
      for (; row < rows; ++row) {
        x += x_step;
        put(AnyRow(x, in_a, in_b, in_c, state));
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
      V last = AnyRow(x, in_a, in_b, in_c, state);
      const auto next_two = [&]() HWY_ATTR {
        x += x_step;
        return Reduce::Combine(last, AnyRow(x, in_a, in_b, in_c, state));
      };
      if (edges.first != 0) {
        x += x_step;
        const V first = last;
        last = AnyRow(x, in_a, in_b, in_c, state);
        Put(finish.First(Reduce::Combine(first, last), state), y);
        y += y_step;
      }
      for (int64_t row = 0; row < rows; ++row) {
        const V two = next_two();
        x += x_step;
        last = AnyRow(x, in_a, in_b, in_c, state);
        Put(finish.Inner(Reduce::Combine(two, last), finish_a, finish_b, state), y);
        y += y_step;
      }
      if (edges.last != 0) Put(finish.Last(next_two(), state), y);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // Whether what is beside all rows of the input but the first and the last may be read with them.
  static bool ReadsBeside(const PlanesJob& job, int64_t first) {
    const int64_t end =
        first + (kTaps - 1) * job.w_tap + static_cast<int64_t>(hn::Lanes(D())) - job.w_input;
    return kReadsBeside && HWY_MAX(-first, end) <= job.x_row_step;
  }

  // The folds along D and W of the row at x.
  HWY_INLINE V AnyRow(const T* x, M in_a, M in_b, M in_c, S& state) const {
    if constexpr (kReadsBeside) {
      if (!IsReadable(input_, x, first_, reach_)) {
        S at_end = state;
        const V v = RowAtEnd(x, in_a, in_b, in_c, at_end);
        state = at_end;
        return v;
      }
    }
    return Row<kReadsBeside>(x, in_a, in_b, in_c, state);
  }
  // Out of line: few rows are at an end of the input.
  HWY_NOINLINE V RowAtEnd(const T* x, M in_a, M in_b, M in_c, S& state) const {
    return Row<false>(x, in_a, in_b, in_c, state);
  }
  // kBeside: what is beside the row may be read.
  template <bool kBeside>
  HWY_INLINE V Row(const T* x, M in_a, M in_b, M in_c, S& state) const {
    V a, b, c;
    Taps<kBeside>(x, in_a, in_b, in_c, a, b, c, state);
    for (int64_t depth = 1; depth < depths_; ++depth) {
      V a1, b1, c1;
      x += job_.x_tap_d;
      Taps<kBeside>(x, in_a, in_b, in_c, a1, b1, c1, state);
      a = Reduce::Combine(a, a1);
      b = Reduce::Combine(b, b1);
      c = Reduce::Combine(c, c1);
    }
    const V two = Reduce::Combine(a, b);
    return kTaps == 2 ? two : Reduce::Combine(two, c);
  }
  template <bool kBeside>
  HWY_INLINE void Taps(const T* x, M in_a, M in_b, M in_c, V& a, V& b, V& c, S& state) const {
    const D d;
    const V none = Reduce::Identity(d);
    if constexpr (kBeside) {
      const T* const p = x + first_;
      a = LoadBeside(elem_, d, p, in_a, none);
      b = LoadBeside(elem_, d, p + tap_, in_b, none);
      c = kTaps == 2 ? b : LoadBeside(elem_, d, p + 2 * tap_, in_c, none);
    } else if constexpr (kLacks == Lacks::kAny) {
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
  const int64_t tap_, depths_, first_;
  const int64_t reach_;  // positions from the first lane's first tap to the last lane's last one
  const int64_t lane_;
  const size_t count_;
  const bool reads_beside_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
