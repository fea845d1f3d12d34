// Whole planes with lanes along W, windows of 4 x 4 to 7 x 7 taps that step by one tap along H:
// each row is read once, and no row of whole windows asks for anything. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PLANES_SLIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PLANES_SLIDE_INL_H_
#undef LANEPOOL_SRC_KERNELS_PLANES_SLIDE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PLANES_SLIDE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/neighbours-inl.h"
#include "kernels/slide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Op>
constexpr bool OfBytes() {
  return hwy::IsSame<typename Op::Elem::Memory, uint8_t>();
}
// The types of which windows of four to seven taps have a loop, in libraries that may be large:
// f32, and maxima of bytes.
template <class Op>
constexpr bool HasSlidingPlanes() {
  constexpr bool kFloats = hwy::IsSame<typename Op::Elem::Memory, float>();
  return (kFloats || OfBytes<Op>()) && !Op::Reduce::kRare && !kCompact;
}

// Rows of x that the windows of a plane ask for, one for each output and taps - 1 more: those
// before `begin` and from `end` on are outside.
struct SlidingRows {
  int64_t begin, end;
};

// False: windows have other taps, or step by another distance.
HWY_INLINE bool FindSlidingRows(const PlanesJob& job, SlidingRows* rows) {
  const int64_t taps = job.taps_h, tap = job.h_tap;
  if (taps < 4 || taps > 7 || job.taps_w != taps || job.taps_d != 1) return false;
  rows->begin = (HWY_MAX(-job.h_first, 0) + tap - 1) / tap;
  rows->end = (HWY_MAX(job.h_input - job.h_first, 0) + tap - 1) / tap;
  return job.h_stride == tap;
}

// Which taps along W of a vector of windows are outside of the row. kNone; kFirst, kLast, kBoth: as
// many as windows lack that are centred, or as near as may be, at an end of the row, of a full
// vector and taps beside each other; kRow: the same of a row that is shorter than a vector; kSome:
// any, of any number of lanes.
enum class Outside { kNone, kFirst, kLast, kBoth, kRow, kSome };

// The outputs of one vector of lanes [lane, lane + count) in all rows of all planes.
template <class Op, class D, int kTaps, Outside kOutside>
class SlidingStrip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  static constexpr bool kSome = kOutside == Outside::kSome, kRow = kOutside == Outside::kRow;
  static constexpr bool kMoved = !kSome && kOutside != Outside::kNone;
  // Vectors of any length would take much memory.
  static constexpr bool kKeepsMasks = kSome && !HWY_HAVE_SCALABLE;
  // There are no arrays of masks of any length.
  using Mask = std::conditional_t<kKeepsMasks, hn::MFromD<D>, bool>;
  // The taps that are inside for all lanes.
  static constexpr bool kBoth = kRow || kOutside == Outside::kBoth;
  static constexpr int kFirst = kBoth || kOutside == Outside::kFirst ? (kTaps - 1) / 2 : 0;
  static constexpr int kLast = kTaps - 1 - (kBoth || kOutside == Outside::kLast ? kTaps / 2 : 0);

 public:
  SlidingStrip(const PlanesJob& job, int64_t lane, int64_t count)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        input_(ReadableOf<T>(job)),
        rows_end_(RowsEnd<Y>(job)),
        tap_(kMoved ? 1 : job.w_tap),
        first_(job.w_first + lane),
        lane_(lane),
        count_(static_cast<size_t>(count)),
        reach_((kTaps - 1) * tap_ + static_cast<int64_t>(hn::Lanes(D()))),
        far_(reach_ > 2 * static_cast<int64_t>(hn::Lanes(D()))) {}

  HWY_INLINE bool Run(const SlidingRows& rows) const {
    if constexpr (kKeepsMasks) {
      Mask inside[kTaps];
      HWY_UNROLL(7)
      for (int64_t tap = 0; tap < kTaps; ++tap) {
        inside[tap] = LanesInside(D(), first_ + tap * tap_, job_.w_input);
      }
      return Rows(rows, inside);
    } else {
      return Rows(rows, nullptr);
    }
  }

 private:
  template <class M>
  HWY_INLINE bool Rows(const SlidingRows& rows, const M inside) const {
    const D d;
    typename Op::Finish::Planes finish(job_);
    V lanes = hn::Zero(d);
    finish.Begin(d, lane_, lanes);
    const int64_t x_step = job_.h_tap * job_.x_row_step, y_step = job_.y_row_step;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      finish.BeginPlane();
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
                   (job_.h_first + rows.begin * job_.h_tap) * job_.x_row_step;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
      V p1 = Reduce::Identity(d);  // partial folds, see Advance
      V p2 = p1, p3 = p1, p4 = p1, p5 = p1, p6 = p1;
      V a = lanes, b = lanes;
      int64_t row = 0;
      // Up to the last tap of the last window that lacks its first one.
      const int64_t lacking = HWY_MIN(rows.begin, job_.rows) + kTaps - 1;
      for (int64_t tap = HWY_MIN(rows.begin, kTaps - 1); tap < lacking; ++tap) {
        V v = Reduce::Identity(d);
        if (tap >= rows.begin && tap < rows.end) {
          v = Row(x, inside, state);
          x += x_step;
        }
        const V fold = Advance<kTaps, Reduce>(v, p1, p2, p3, p4, p5, p6);
        if (tap < kTaps - 1) continue;
        finish.Row(d, row++, lanes, a, b);
        Put(finish.Apply(fold, lanes, a, b, state), y);
        y += y_step;
      }
      if (row < job_.rows) finish.Row(d, row, lanes, a, b);
      for (const int64_t whole = HWY_MIN(rows.end - kTaps + 1, job_.rows); row < whole; ++row) {
        const V fold = Advance<kTaps, Reduce>(Row(x, inside, state), p1, p2, p3, p4, p5, p6);
        Put(finish.Apply(fold, lanes, a, b, state), y);
        x += x_step;
        y += y_step;
      }
      for (; row < job_.rows; ++row) {
        finish.Row(d, row, lanes, a, b);
        const V none = Reduce::Identity(d);
        const V fold = Advance<kTaps, Reduce>(none, p1, p2, p3, p4, p5, p6);
        Put(finish.Apply(fold, lanes, a, b, state), y);
        y += y_step;
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  // The fold along W of the row at x.
  template <class M>
  HWY_INLINE V Row(const T* x, const M inside, S& state) const {
    if constexpr (kSome) {
      if constexpr (kKeepsMasks) {
        if (!HWY_MEM_OPS_MIGHT_FAULT || IsReadable(input_, x, first_, reach_)) {
          return FoldMasked(x, inside, state);
        }
      }
      return FoldSome(x, state);
    } else {
      // Unless taps are far apart, these two are all elements.
      state = Reduce::Watch(state, Tap<kFirst>(x), Tap<kLast>(x));
      V fold = Reduce::Combine(Tap<0>(x), Tap<1>(x));
      fold = Reduce::Combine(fold, Tap<2>(x));
      fold = Reduce::Combine(fold, Tap<3>(x));
      if constexpr (kTaps >= 5) fold = Reduce::Combine(fold, Tap<4>(x));
      if constexpr (kTaps >= 6) fold = Reduce::Combine(fold, Tap<5>(x));
      if constexpr (kTaps >= 7) fold = Reduce::Combine(fold, Tap<6>(x));
      if (!kMoved && far_) WatchInner(x, state);
      return fold;
    }
  }
  HWY_INLINE void WatchInner(const T* x, S& state) const {
    state = Reduce::Watch(state, Tap<1>(x), Tap<kTaps - 2>(x));
    state = Reduce::Watch(state, Tap<2>(x), Tap<kTaps - 3>(x));
    if constexpr (kTaps == 7) state = Reduce::Watch(state, Tap<3>(x));
  }
  HWY_INLINE V FoldMasked(const T* x, const Mask* inside, S& state) const {
    const D d;
    const V none = Reduce::Identity(d);
    V fold = none;
    HWY_UNROLL(7)
    for (int64_t tap = 0; tap < kTaps; ++tap) {
      const T* const p = x + (first_ + tap * tap_);
      Join(tap, LoadBeside(elem_, d, p, inside[tap], none), fold, state);
    }
    return fold;
  }
  HWY_INLINE V FoldSome(const T* x, S& state) const {
    const D d;
    V fold = Reduce::Identity(d);
    for (int64_t tap = 0; tap < kTaps; ++tap) {
      const int64_t at = first_ + tap * tap_;
      const auto inside = LanesInside(d, at, job_.w_input);
      Join(tap, LoadInside(elem_, d, input_, x, at, job_.w_input, inside, Reduce::Identity(d)),
           fold, state);
    }
    return fold;
  }
  HWY_INLINE void Join(int64_t tap, V v, V& fold, S& state) const {
    fold = tap == 0 ? v : Reduce::Combine(fold, v);
    if (far_ || tap == 0 || tap == kTaps - 1) state = Reduce::Watch(state, v);
  }
  // A load, or the lanes of a tap that is inside, moved.
  template <int kTap>
  HWY_INLINE V Tap(const T* x) const {
    const D d;
    if constexpr (kTap < kFirst) {
      return LaneBefore<kFirst - kTap>(d, Reduce::Identity(d), Tap<kFirst>(x));
    } else if constexpr (kTap > kLast) {
      return LaneBehind<kTap - kLast>(d, Tap<kLast>(x), Reduce::Identity(d));
    } else if constexpr (kRow) {
      const auto inside = hn::FirstN(d, static_cast<size_t>(job_.w_input));
      return LoadInside(elem_, d, input_, x, 0, job_.w_input, inside, Reduce::Identity(d));
    } else {
      return elem_.Load(d, x + (first_ + kTap * tap_));
    }
  }
  HWY_INLINE void Put(V v, Y* y) const {
    const D d;
    if (kRow || (kSome && count_ < hn::Lanes(d))) {
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
  const int64_t tap_, first_, lane_;
  const size_t count_;
  const int64_t reach_;  // positions from the first lane's first tap to the last lane's last one
  const bool far_;
};

// Out of line: what is hot keeps its registers.
template <class Op, int kTaps, Outside kOutside, class D>
HWY_NOINLINE bool RunSliding(D, const PlanesJob& job, const SlidingRows& rows, int64_t lane,
                             int64_t count) {
  return SlidingStrip<Op, D, kTaps, kOutside>(job, lane, count).Run(rows);
}

// Outputs [lane, end); the last strip overlaps the one before.
template <class Op, int kTaps, class D>
bool SlidingStrips(D d, const PlanesJob& job, const SlidingRows& rows, int64_t lane, int64_t end) {
  constexpr int64_t kBefore = (kTaps - 1) / 2, kBehind = kTaps / 2;
  // LaneBehind and LaneBefore do not move bytes of vectors of any length by more than one lane.
  constexpr bool kMoves = !HWY_HAVE_SCALABLE || sizeof(hn::TFromD<D>) > 1;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), count = HWY_MIN(n, job.lanes);
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - count);
    const bool full = count == n, near = kMoves && full && job.w_tap == 1;
    int64_t first = job.w_first + lane;
    int64_t beyond = first + (kTaps - 1) * job.w_tap + n - job.w_input;
    const bool fits = beyond <= HWY_MIN(first, lane);
    if (full && beyond > 0 && beyond < n && fits && lane + n < job.lanes) {
      // Further back nothing is outside, and the last strip has what is left over.
      lane -= beyond;
      first -= beyond;
      beyond = 0;
    }
    bool clean;
    if (full && first >= 0 && beyond <= 0) {
      clean = RunSliding<Op, kTaps, Outside::kNone>(d, job, rows, lane, count);
    } else if (near && first == -kBefore && beyond <= 0) {
      clean = RunSliding<Op, kTaps, Outside::kFirst>(d, job, rows, lane, count);
    } else if (near && first >= 0 && beyond == kBehind) {
      clean = RunSliding<Op, kTaps, Outside::kLast>(d, job, rows, lane, count);
    } else if (near && first == -kBefore && beyond == kBehind) {
      clean = RunSliding<Op, kTaps, Outside::kBoth>(d, job, rows, lane, count);
    } else {
      clean = RunSliding<Op, kTaps, Outside::kSome>(d, job, rows, lane, count);
    }
    if (!clean) return false;
  }
  return true;
}
template <class Op, int kTaps, class D>
HWY_NOINLINE bool SlidingPlanesOf(D d, const PlanesJob& job, const SlidingRows& rows) {
  // Rows of more than half a vector: two halves, or masks, take longer.
  if constexpr (MayHalve<D>() || (OfBytes<Op>() && !HWY_HAVE_SCALABLE)) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if (n / 2 < job.lanes && job.lanes < n && job.w_input <= n && job.w_tap == 1 &&
        job.w_first == -(kTaps - 1) / 2) {
      return RunSliding<Op, kTaps, Outside::kRow>(d, job, rows, 0, job.lanes);
    }
  }
  int64_t whole = job.lanes;
  if constexpr (MayHalve<D>()) {
    const int64_t end = job.w_first + (kTaps - 1) * job.w_tap + job.lanes;
    if (FillsMost(d, job.lanes) && (job.w_first < 0 || end > job.w_input)) {
      return RunSliding<Op, kTaps, Outside::kSome>(d, job, rows, 0, job.lanes);
    }
    whole = WholeVectors(d, job.lanes);
    const hn::Half<D> half;
    if (!SlidingStrips<Op, kTaps>(half, job, rows, whole, job.lanes)) return false;
  }
  return SlidingStrips<Op, kTaps>(d, job, rows, 0, whole);
}

template <class Op, class D>
bool SlidingPlanes(D d, const PlanesJob& job, const SlidingRows& rows) {
  if (job.taps_w == 4) return SlidingPlanesOf<Op, 4>(d, job, rows);
  if (job.taps_w == 5) return SlidingPlanesOf<Op, 5>(d, job, rows);
  if (job.taps_w == 6) return SlidingPlanesOf<Op, 6>(d, job, rows);
  return SlidingPlanesOf<Op, 7>(d, job, rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
