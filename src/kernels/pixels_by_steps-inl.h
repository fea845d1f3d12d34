// Windows of pixels of a few channels side by side that step by 2 and more along W, of single
// positions by 5 and more: some rows at a time, columns go to a buffer whose margins hold the
// identity, and pixels are picked from there. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PIXELS_BY_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PIXELS_BY_STEPS_INL_H_
#undef LANEPOOL_SRC_KERNELS_PIXELS_BY_STEPS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PIXELS_BY_STEPS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/fours-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/pixels_by_two-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where things are in rows of the buffer, in lanes.
struct PixelRows {
  explicit PixelRows(const PlanesJob& job)
      : step(job.w_stride * job.group), window((job.taps_w - 1) * job.w_tap + job.group) {
    pitch = (job.lanes / job.group - 1) * step + window;
    begin = HWY_MIN(HWY_MAX(-job.w_first, 0), pitch);
    end = HWY_MIN(HWY_MAX(job.w_input - job.w_first, begin), pitch);
    rows = HWY_MIN(HWY_MAX(kPixelColumns / pitch, 1), job.rows);
  }

  int64_t step;        // from one window to the next
  int64_t window;      // of its lanes
  int64_t pitch;       // from one row to the next
  int64_t begin, end;  // of what is inside
  int64_t rows;        // at once
};

HWY_INLINE bool IsInside(const PlanesJob& job, int64_t row) {
  const int64_t h = job.h_first + row * job.h_stride;
  return h >= 0 && h + (job.taps_h - 1) * job.h_tap < job.h_input;
}

// Columns that are folded along D, then H.
template <class Op>
class PixelColumns {
  using Elem = typename Op::Elem;
  using Lane = typename Elem::Lane;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using D = std::conditional_t<HWY_HAVE_SCALABLE, hn::CappedTag<Lane, 16 / sizeof(Lane)>,
                               hn::ScalableTag<Lane>>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  PixelColumns(const PlanesJob& job, const PixelRows& shape)
      : job_(job), shape_(shape), elem_(job.rules) {
    const D d;
    const int64_t n = Lanes();
    // What is read behind the last row counts in no output.
    for (int64_t i = 0; i < shape.rows * shape.pitch + 2 * n; i += n) {
      hn::Store(Reduce::Identity(d), d, columns_ + i);
    }
  }

  // Rows [row, row + some) of outputs. False: see Reducer.
  HWY_NOINLINE bool Fold(const T* x, int64_t row, int64_t some) {
    S state = Reduce::Start(D());
    for (int64_t i = 0; i < some; ++i) {
      int64_t h = job_.h_first + (row + i) * job_.h_stride, taps = job_.taps_h;
      if (!IsInside(job_, row + i)) {
        const int64_t before = h >= 0 ? 0 : (-h - 1) / job_.h_tap + 1;
        h += before * job_.h_tap;
        taps = HWY_MIN(taps - before, (job_.h_input - 1 - h) / job_.h_tap + 1);
      }
      const T* from = x + h * job_.x_row_step + job_.w_first + shape_.begin;
      Lane* to = columns_ + i * shape_.pitch + shape_.begin;
      if (shape_.end - shape_.begin < Lanes()) {
        Part(from, taps, to, state);
      } else if (job_.taps_d > 1) {
        Row<0>(from, taps, to, state);
      } else if (taps == 2) {
        Row<2>(from, taps, to, state);
      } else if (taps == 3) {
        Row<3>(from, taps, to, state);
      } else {
        Row<1>(from, taps, to, state);
      }
    }
    return Reduce::Clean(D(), state, job_.divisor);
  }

  const Lane* Row(int64_t i) const { return columns_ + i * shape_.pitch; }

 private:
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  // kTaps: 2 or 3 along H, 1 along D; 1: any along H, 1 along D; 0: any.
  template <int kTaps>
  HWY_INLINE void Row(const T* x, int64_t taps, Lane* to, S& state) const {
    const D d;
    const int64_t count = shape_.end - shape_.begin, tap = job_.h_tap * job_.x_row_step;
    const auto load = [&](const T* p) HWY_ATTR { return elem_.Load(d, p); };
    int64_t i = 0;
    if constexpr (kTaps == 1) {
      for (; i + 4 * Lanes() <= count; i += 4 * Lanes()) Four(x + i, taps, to + i, state);
    }
    for (; i < count; i += Lanes()) {
      const int64_t at = HWY_MIN(i, count - Lanes());  // the last vector overlaps the one before
      V fold;
      if constexpr (kTaps == 0) {
        fold = Columns(x + at, taps, load, state);
      } else if constexpr (kTaps == 1) {
        const T* p = x + at;
        fold = load(p);
        state = WatchLoaded<Reduce>(state, fold);
        for (int64_t h = 1; h < taps; ++h) {
          p += tap;
          V v = load(p);
          state = WatchLoaded<Reduce>(state, v);
          fold = Reduce::Combine(fold, v);
        }
      } else {
        V a = load(x + at), b = load(x + at + tap);
        state = WatchLoaded<Reduce>(state, a, b);
        fold = Reduce::Combine(a, b);
        if (kTaps == 3) {
          V c = load(x + at + 2 * tap);
          state = WatchLoaded<Reduce>(state, c);
          fold = Reduce::Combine(fold, c);
        }
      }
      hn::StoreU(fold, d, to + at);
    }
  }
  // Four vectors of any taps along H: whole cache lines, and additions that do not wait.
  HWY_INLINE void Four(const T* p, int64_t taps, Lane* to, S& state) const {
    const D d;
    const int64_t n = Lanes(), tap = job_.h_tap * job_.x_row_step;
    const auto load = [&](V& a, V& b, V& c, V& e) HWY_ATTR {
      a = elem_.Load(d, p);
      b = elem_.Load(d, p + n);
      c = elem_.Load(d, p + 2 * n);
      e = elem_.Load(d, p + 3 * n);
      state = WatchLoaded<Reduce>(state, a, b, c, e);
    };
    V a, b, c, e;
    load(a, b, c, e);
    for (int64_t h = 1; h < taps; ++h) {
      p += tap;
      V v, w, u, z;
      load(v, w, u, z);
      CombineFour<Reduce>(a, b, c, e, v, w, u, z);
    }
    StoreInOrder4(d, a, b, c, e, to);
  }
  // All that is inside, less than a vector.
  HWY_NOINLINE void Part(const T* x, int64_t taps, Lane* to, S& state) const {
    const D d;
    const size_t count = static_cast<size_t>(shape_.end - shape_.begin);
    if (count == 0) return;
    const auto load = [&](const T* p)
                          HWY_ATTR { return elem_.LoadN(d, p, count, Reduce::Identity(d)); };
    hn::StoreN(Columns(x, taps, load, state), d, to, count);
  }
  template <class L>
  HWY_INLINE V Columns(const T* x, int64_t taps, const L& load, S& state) const {
    V fold = hn::Zero(D());
    for (int64_t i = 0; i < taps; ++i, x += job_.h_tap * job_.x_row_step) {
      V depths = hn::Zero(D());
      for (int64_t depth = 0; depth < job_.taps_d; ++depth) {
        const V v = load(x + depth * job_.x_tap_d);
        state = Reduce::Watch(state, v);
        depths = depth == 0 ? v : Reduce::Combine(depths, v);
      }
      fold = i == 0 ? depths : Reduce::Combine(fold, depths);
    }
    return fold;
  }

  const PlanesJob& job_;
  const PixelRows& shape_;
  const Elem elem_;
  HWY_ALIGN Lane columns_[kPixelColumns + 4 * HWY_MAX_LANES_D(D)];
};

// Outputs that fill a vector of `lanes` at most, and whose first taps two of them hold.
HWY_INLINE int64_t PickedPixels(const PlanesJob& job, int64_t lanes) {
  const int64_t more = 2 * lanes - job.group;
  return more < 0 ? 0 : HWY_MIN(more / (job.w_stride * job.group) + 1, lanes / job.group);
}

// Windows of columns, in vectors of outputs: kPicks: of several pixels; otherwise of one, or of a
// part of one.
template <class Op, class D, bool kPicks>
class PixelWindows {
  using Lane = typename Op::Elem::Lane;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  using Planes = typename Op::Finish::Planes;
  static constexpr bool kAlike = std::is_same<Planes, AlikePlanes<typename Op::Finish>>();

 public:
  PixelWindows(const PlanesJob& job, const PixelRows& shape)
      : job_(job),
        out_(job.rules),
        rows_end_(RowsEnd<Y>(job)),
        finish_(job.divisor, job.rules),
        edge_finish_(job),
        outputs_(kPicks ? PickedPixels(job, Lanes()) : 1),
        used_(outputs_ * job.group),
        step_(outputs_ * shape.step),
        end_(job.lanes) {
    if (!kAlike) {
      begin_ = (shape.begin + shape.step - 1) / shape.step * job.group;
      end_ = shape.end < shape.window ? 0 : (shape.end - shape.window) / shape.step + 1;
      end_ = HWY_MIN(end_ * job.group, job.lanes);
    }
    if (kPicks) picks_.Set(job.group, shape.step, used_);
  }

  // kTaps: 2 or 3 along W; 0: any.
  template <int kTaps>
  HWY_INLINE void Row(const Lane* from, int64_t row, Y* y, S& state) {
    const bool inside = kAlike || IsInside(job_, row);
    // Vectors that are stored as they are: what is behind their pixels is overwritten.
    const int64_t last = used_ <= Lanes() ? HWY_MIN(end_ - used_, job_.lanes - Lanes()) : -1;
    for (int64_t lane = 0; lane < job_.lanes; lane += used_, from += step_) {
      for (; inside && lane >= begin_ && lane <= last; lane += used_, from += step_) {
        out_.Store(D(), finish_.Apply(Fold<kTaps>(from), state), y + lane);
      }
      if (lane >= job_.lanes) return;
      // The last part of a pixel overlaps the one before.
      for (int64_t part = 0; part < used_; part += Lanes()) {
        const int64_t at = HWY_MIN(part, HWY_MAX(used_ - Lanes(), 0));
        Put(Fold<kTaps>(from + at), inside, row, lane + at, y + lane + at, state);
      }
    }
  }

 private:
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  HWY_INLINE void Put(V v, bool inside, int64_t row, int64_t lane, Y* y, S& state) {
    const D d;
    if (kAlike || (inside && lane >= begin_ && HWY_MIN(lane + used_, job_.lanes) <= end_)) {
      v = finish_.Apply(v, state);
    } else {
      V extents = hn::Zero(d);
      edge_finish_.Begin(d, lane, extents);
      edge_finish_.BeginPlane();
      V a = extents, b = extents;
      edge_finish_.Row(d, row, extents, a, b);
      v = edge_finish_.Apply(v, extents, a, b, state);
    }
    if (lane + Lanes() <= job_.lanes) {
      out_.Store(d, v, y);
    } else {
      StoreRow(out_, d, v, y, static_cast<size_t>(HWY_MIN(used_, job_.lanes - lane)), rows_end_);
    }
  }
  // Of all positions, from which the pixels are picked then.
  template <int kTaps>
  HWY_INLINE V Fold(const Lane* from) const {
    const D d;
    const int64_t taps = kTaps > 0 ? kTaps : job_.taps_w;
    V a = hn::LoadU(d, from), b = a;
    if (kPicks) b = hn::LoadU(d, from + Lanes());
    for (int64_t i = 1; i < taps; ++i) {
      from += job_.w_tap;
      a = Reduce::Combine(a, hn::LoadU(d, from));
      if (kPicks) b = Reduce::Combine(b, hn::LoadU(d, from + Lanes()));
    }
    return kPicks ? picks_.Pick(a, b) : a;
  }

  const PlanesJob& job_;
  const Out out_;
  const Y* const rows_end_;
  const typename Op::Finish finish_;
  Planes edge_finish_;
  const int64_t outputs_, used_;  // of a vector: pixels, and their lanes
  const int64_t step_;            // from one vector to the next
  int64_t begin_ = 0, end_;       // of lanes of windows that are inside along W
  PickPixels<D> picks_;
};

template <class Op, class D, bool kPicks>
HWY_NOINLINE bool RunPixelWindows(const PlanesJob& job) {
  using Y = typename Op::Out::Memory;
  const PixelRows shape(job);
  PixelColumns<Op> columns(job, shape);
  PixelWindows<Op, D, kPicks> windows(job, shape);
  auto state = Op::Reduce::Start(D());
  for (int64_t plane = 0; plane < job.planes; ++plane) {
    const auto* x = static_cast<const typename Op::Elem::Memory*>(job.x) + plane * job.x_plane_step;
    Y* y = static_cast<Y*>(job.y) + plane * job.y_plane_step;
    for (int64_t row = 0; row < job.rows; row += shape.rows) {
      const int64_t some = HWY_MIN(shape.rows, job.rows - row);
      if (!columns.Fold(x, row, some)) return false;
      for (int64_t i = 0; i < some; ++i, y += job.y_row_step) {
        if (job.taps_w == 2) {
          windows.template Row<2>(columns.Row(i), row + i, y, state);
        } else if (job.taps_w == 3) {
          windows.template Row<3>(columns.Row(i), row + i, y, state);
        } else {
          windows.template Row<0>(columns.Row(i), row + i, y, state);
        }
      }
    }
  }
  return Op::Reduce::Clean(D(), state, job.divisor);
}

template <class Op>
bool PixelsBySteps(const PlanesJob& job) {
  using Lane = typename Op::Elem::Lane;
  constexpr int64_t kLeast = 2;  // outputs of a vector that is picked
  constexpr size_t kShort = 16 / sizeof(Lane);
  using D =
      std::conditional_t<HWY_HAVE_SCALABLE, hn::CappedTag<Lane, kShort>, hn::ScalableTag<Lane>>;
  if (PickedPixels(job, static_cast<int64_t>(hn::Lanes(D()))) >= kLeast) {
    return RunPixelWindows<Op, D, true>(job);
  }
  if constexpr (!HWY_HAVE_SCALABLE && D().MaxBytes() > 16) {
    if (job.group > static_cast<int64_t>(kShort)) {
      return RunPixelWindows<Op, hn::CappedTag<Lane, 2 * kShort>, false>(job);
    }
  }
  return RunPixelWindows<Op, hn::CappedTag<Lane, kShort>, false>(job);
}

template <class Op>
bool RunPixels(const PlanesJob& job) {
  if (ArePixelsByTwo<typename Op::Elem::Lane>(job)) return RunWholeRows<Op, PixelsByTwo>(job);
  return PixelsBySteps<Op>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
