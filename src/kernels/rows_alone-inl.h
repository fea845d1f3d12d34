// Rows with lanes along W, windows of one tap along D and H and a few along W that step by 1: rows
// are independent, and each is walked as it lies. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ROWS_ALONE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ROWS_ALONE_INL_H_
#undef LANEPOOL_SRC_KERNELS_ROWS_ALONE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ROWS_ALONE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/fours-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Op, class D>
class RowsAlone {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish::Planes;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  // The object is a local one: its numbers are out of reach of stores to y.
  static HWY_NOINLINE bool Run(const PlanesJob& job) { return RowsAlone(job).All(); }

 private:
  explicit RowsAlone(const PlanesJob& job)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        input_(ReadableOf<T>(job)),
        rows_end_(RowsEnd<Y>(job)),
        count_(HWY_MIN(Apart(), job.lanes)),
        reach_((job.taps_w - 1) * job.w_tap),
        far_(reach_ > Apart()) {
    // The vectors of which no tap is outside of the row.
    const int64_t n = Apart();
    const int64_t end = HWY_MIN(job.w_input - reach_ - job.w_first, job.lanes);
    begin_ = (HWY_MAX(-job.w_first, 0) + n - 1) / n * n;
    end_ = end - begin_ < n ? begin_ : end;
  }

  HWY_INLINE bool All() const {
    const D d;
    const int64_t n = Apart(), lanes = job_.lanes;
    S state = Reduce::Start(d);
    if (begin_ < end_) Inner(state);
    // The last vector overlaps the one before.
    for (int64_t lane = begin_ > 0 ? 0 : end_; lane < lanes;) {
      Edge(HWY_MIN(lane, lanes - count_), state);
      lane += n;
      if (lane >= begin_) lane = HWY_MAX(lane, end_);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  static HWY_INLINE int64_t Apart() { return static_cast<int64_t>(hn::Lanes(D())); }

  // The first row of a plane: what its first window begins with, and its first output.
  HWY_INLINE const T* X(int64_t plane) const {
    return static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
           job_.h_first * job_.x_row_step + job_.w_first;
  }
  HWY_INLINE Y* OfPlane(int64_t plane) const {
    return static_cast<Y*>(job_.y) + plane * job_.y_plane_step;
  }
  // What a vector of lanes divides by.
  HWY_INLINE Finish FinishOf(int64_t lane, V& lanes, V& a, V& b) const {
    const D d;
    lanes = a = b = hn::Zero(d);
    Finish finish(job_);
    finish.Begin(d, lane, lanes);
    finish.BeginPlane();
    finish.Row(d, 0, lanes, a, b);
    return finish;
  }

  // The vectors of which no tap is outside of the row. The last one overlaps the one before.
  HWY_INLINE void Inner(S& state_ref) const {
    const D d;
    const int64_t n = Apart(), begin = begin_, end = end_;
    V lanes, finish_a, finish_b;
    const Finish finish = FinishOf(begin, lanes, finish_a, finish_b);
    const int64_t x_step = job_.h_stride * job_.x_row_step, y_step = job_.y_row_step;
    S state = state_ref;
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = X(plane);
      Y* y = OfPlane(plane);
      for (int64_t left = job_.rows; left > 0; --left, x += x_step, y += y_step) {
        int64_t lane = begin;
        for (; lane + 4 * n <= end; lane += 4 * n) {
          V a, b, c, e;
          Fold<4>(x + lane, a, b, c, e, state);
          out_.Store(d, finish.Apply(a, lanes, finish_a, finish_b, state), y + lane);
          out_.Store(d, finish.Apply(b, lanes, finish_a, finish_b, state), y + lane + n);
          out_.Store(d, finish.Apply(c, lanes, finish_a, finish_b, state), y + lane + 2 * n);
          out_.Store(d, finish.Apply(e, lanes, finish_a, finish_b, state), y + lane + 3 * n);
        }
        for (; lane < end; lane += n) {
          const int64_t from = HWY_MIN(lane, end - n);
          V a, none;
          Fold<1>(x + from, a, none, none, none, state);
          out_.Store(d, finish.Apply(a, lanes, finish_a, finish_b, state), y + from);
        }
      }
    }
    state_ref = state;
  }

  // The first kVectors vectors of windows, of which the first one begins at x.
  template <int kVectors>
  HWY_INLINE void Fold(const T* x, V& a, V& b, V& c, V& e, S& state) const {
    const int64_t taps = job_.taps_w, step = job_.w_tap;
    Load<kVectors>(x, a, b, c, e, true, state);
    for (int64_t tap = 1; tap < taps; ++tap) {
      V v, w, u, z;
      x += step;
      // Unless taps are far apart, the first one and the last one are all elements.
      Load<kVectors>(x, v, w, u, z, far_ || tap + 1 == taps, state);
      CombineFour<Reduce, kVectors>(a, b, c, e, v, w, u, z);
    }
  }
  template <int kVectors>
  HWY_INLINE void Load(const T* x, V& a, V& b, V& c, V& e, bool watches, S& state) const {
    const D d;
    const int64_t n = Apart();
    a = elem_.Load(d, x);
    b = c = e = a;
    if (kVectors > 1) {
      b = elem_.Load(d, x + n);
      c = elem_.Load(d, x + 2 * n);
      e = elem_.Load(d, x + 3 * n);
    }
    if (!watches) return;
    state = kVectors > 1 ? Reduce::Watch(state, a, b, c, e) : Reduce::Watch(state, a);
  }

  // A vector of lanes whose windows may lack taps, in all rows.
  HWY_INLINE void Edge(int64_t lane, S& state_ref) const {
    const D d;
    const int64_t first = job_.w_first + lane;
    const M a = Inside(first, 0), b = Inside(first, 1), c = Inside(first, 2), e = Inside(first, 3);
    const M f = Inside(first, 4), g = Inside(first, 5), h = Inside(first, 6);
    V lanes, finish_a, finish_b;
    const Finish finish = FinishOf(lane, lanes, finish_a, finish_b);
    const int64_t x_step = job_.h_stride * job_.x_row_step, y_step = job_.y_row_step;
    const int64_t taps = job_.taps_w;
    S state = state_ref;
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* row = X(plane) - job_.w_first;
      Y* y = OfPlane(plane) + lane;
      for (int64_t left = job_.rows; left > 0; --left, row += x_step, y += y_step) {
        V fold;
        if (HWY_LIKELY(IsReadable(input_, row, first, reach_ + Apart()))) {
          const T* const p = row + first;
          fold = Reduce::Combine(Beside(p, 0, a, state), Beside(p, 1, b, state));
          if (taps > 2) fold = Reduce::Combine(fold, Beside(p, 2, c, state));
          if (taps > 3) fold = Reduce::Combine(fold, Beside(p, 3, e, state));
          if (taps > 4) fold = Reduce::Combine(fold, Beside(p, 4, f, state));
          if (taps > 5) fold = Reduce::Combine(fold, Beside(p, 5, g, state));
          if (taps > 6) fold = Reduce::Combine(fold, Beside(p, 6, h, state));
        } else {
          S rare = state;  // the address of `state` itself would keep it in memory
          fold = AtEndOfInput(row, first, rare);
          state = rare;
        }
        const V result = finish.Apply(fold, lanes, finish_a, finish_b, state);
        if (count_ < Apart()) {
          StoreRow(out_, d, result, y, static_cast<size_t>(count_), rows_end_);
        } else {
          out_.Store(d, result, y);
        }
      }
    }
    state_ref = state;
  }
  // Tap `tap` of the windows whose first one is at p.
  HWY_INLINE V Beside(const T* p, int64_t tap, M inside, S& state) const {
    const D d;
    const V v = LoadBeside(elem_, d, p + tap * job_.w_tap, inside, Reduce::Identity(d));
    state = Reduce::Watch(state, v);
    return v;
  }
  // The same windows where vectors would reach beyond the input.
  HWY_NOINLINE V AtEndOfInput(const T* row, int64_t first, S& state) const {
    const D d;
    V fold = Reduce::Identity(d);
    for (int64_t tap = 0; tap < job_.taps_w; ++tap) {
      const int64_t at = first + tap * job_.w_tap;
      const V v = LoadInside(elem_, d, input_, row, at, job_.w_input, Inside(first, tap),
                             Reduce::Identity(d));
      state = Reduce::Watch(state, v);
      fold = tap == 0 ? v : Reduce::Combine(fold, v);
    }
    return fold;
  }
  // Lanes whose tap `tap` is inside of the row, for a vector that begins at position `first`.
  HWY_INLINE M Inside(int64_t first, int64_t tap) const {
    return LanesInside(D(), first + tap * job_.w_tap, job_.w_input);
  }

  const PlanesJob job_;
  const Elem elem_;
  const Out out_;
  const Readable<T> input_;
  const Y* const rows_end_;
  const int64_t count_;  // lanes of a vector that are stored
  const int64_t reach_;  // of a window behind its first tap
  const bool far_;
  int64_t begin_, end_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
