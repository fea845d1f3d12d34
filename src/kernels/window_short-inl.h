// Windows that share no work with their neighbours and have few taps in a line, which need no loop;
// and any, over pixels of less than a vector. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_SHORT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes of a pixel: less than a vector, which takes any windows; one; or more, of which the last
// may overlap the one before.
enum class PixelLanes { kLess, kOne, kMore };

// By a function of its own, which spares short calls what other windows prepare.
template <class Op, PixelLanes kPixel>
class ShortWindows {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  static HWY_INLINE bool Fits(const WindowJob& job) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    if (kPixel == PixelLanes::kLess) return job.lanes < n;
    const int64_t taps = job.taps[InnerLevel(job)];
    const int64_t most = InnerLevel(job) == 0 && job.taps[2] > 1 ? kMostDeep : kMostUnrolled;
    if (job.streams || taps > most) return false;
    if (kPixel == PixelLanes::kOne) return job.lanes == n;
    if (job.lanes <= n) return false;
    if (taps == 1) return job.lanes < 4 * n;
    // What is less than 32 bits is faster four vectors at a time, at least where they come out
    // even.
    const bool even = job.lanes % (4 * n) == 0;
    // Pairs of taps from memory are read by lines in window_apart-inl.h.
    if (job.by_lines && even && taps == 2) return false;
    if (job.by_fours && even && IsLong(job)) return false;
    if (sizeof(T) >= 4) return true;
    if (sizeof(T) == sizeof(typename Elem::Lane)) return !even || taps != 2;
    return kManyRegisters ? job.lanes < 4 * n : !even;
  }

  static HWY_NOINLINE bool All(const WindowJob& job) {
    const ShortWindows windows(job);
    const int64_t taps = windows.taps_;
    if (taps == 1) return windows.Rows<1, kFlat>(job);
    if (taps == 2) return windows.RowsOf<2>(job);
    if (taps == 3) return windows.RowsOf<3>(job);
    const bool deep = windows.planes_ > 1;
    if (!deep && taps == 4) return windows.Rows<4, kFlat>(job);
    if (kWhole || (!deep && taps == kMostUnrolled)) return windows.Rows<kMostUnrolled, kFlat>(job);
    return windows.Rows<0, kDeep>(job);
  }

 private:
  static constexpr bool kWhole = kPixel != PixelLanes::kLess;
  static constexpr bool kMore = kPixel == PixelLanes::kMore;
  static constexpr int kMostUnrolled = 5, kMostDeep = 3;
  // Of a window: as many lines as taps of a line; lines; planes of lines.
  enum Shape { kSquare, kFlat, kDeep };

  explicit ShortWindows(const WindowJob& job)
      : elem_(job.rules), out_(job.rules), finish_(job.divisor, job.rules), lanes_(job.lanes) {
    const int inner = InnerLevel(job);
    taps_ = job.taps[inner], step_ = job.x_tap[inner];
    lines_ = inner == 2 ? 1 : job.taps[inner + 1];
    line_step_ = inner == 2 ? 0 : job.x_tap[inner + 1];
    planes_ = inner == 0 ? job.taps[2] : 1, plane_step_ = job.x_tap[2];
  }

  // The innermost level of more than one tap.
  static HWY_INLINE int InnerLevel(const WindowJob& job) {
    return job.taps[0] != 1 ? 0 : job.taps[1] != 1 ? 1 : 2;
  }

  // Whether squares of taps are of such long pixels that those are better read four vectors at a
  // time. Measured.
  static HWY_INLINE bool IsLong(const WindowJob& job) {
    const int inner = InnerLevel(job);
    if (inner == 2 || (inner == 0 && job.taps[2] > 1)) return false;
    const int64_t taps = job.taps[inner], bytes = job.lanes * static_cast<int64_t>(sizeof(T));
    if (job.taps[inner + 1] != taps) return false;
    if (taps == 2) return kManyRegisters && bytes >= 2048;
    return taps == kMostUnrolled && bytes >= 4096;
  }

  template <int kTaps>
  HWY_INLINE bool RowsOf(const WindowJob& job) const {
    if (planes_ > 1) return Rows<kTaps, kDeep>(job);
    return lines_ == kTaps ? Rows<kTaps, kSquare>(job) : Rows<kTaps, kFlat>(job);
  }

  // kTaps: of a line, 0 for any.
  template <int kTaps, Shape kShape>
  HWY_INLINE bool Rows(const WindowJob& job) const {
    const int64_t outputs = job.outputs, x_step = job.x_output_step, y_step = job.y_output_step;
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), last = kMore ? lanes_ - n : 0;
    S state = Reduce::Start(D());
    for (int64_t row = 0; row == 0 || row < job.rows; ++row) {
      const T* x = static_cast<const T*>(job.x) + row * job.x_row_step;
      Y* y = static_cast<Y*>(job.y) + row * job.y_row_step;
      for (int64_t o = outputs; o != 0; --o) {
        if constexpr (kMore) {
          for (int64_t lane = 0; lane < last; lane += n) {
            Put(Window<kTaps, kShape>(x + lane, state), y + lane, state);
          }
        }
        Put(Window<kTaps, kShape>(x + last, state), y + last, state);
        x += x_step;
        y += y_step;
      }
    }
    return Reduce::Clean(D(), state, job.divisor);
  }

  template <int kTaps, Shape kShape>
  HWY_INLINE V Window(const T* p, S& state) const {
    if constexpr (kShape == kSquare) return Square<kTaps>(p, state);
    V all = Plane<kTaps>(p, state);
    if constexpr (kShape == kFlat) return all;
    for (int64_t i = 1; i < planes_; ++i) {
      p += plane_step_;
      all = Reduce::Combine(all, Plane<kTaps>(p, state));
    }
    return all;
  }
  template <int kTaps>
  HWY_INLINE V Plane(const T* p, S& state) const {
    V plane = Line<kTaps>(p, state);
    for (int64_t i = 1; i < lines_; ++i) {
      p += line_step_;
      plane = Reduce::Combine(plane, Line<kTaps>(p, state));
    }
    return plane;
  }
  template <int kTaps>
  HWY_INLINE V Line(const T* p, S& state) const {
    V a = Load(p);
    if constexpr (kTaps == 1) {
      state = Watch(state, a);
      return a;
    } else if constexpr (kTaps == 0) {
      state = Watch(state, a);
      for (int64_t i = 1; i < taps_; ++i) {
        p += step_;
        V b = Load(p);
        state = Watch(state, b);
        a = Reduce::Combine(a, b);
      }
      return a;
    } else {
      V b = Load(p + step_), c = b, e = b;
      if constexpr (kTaps > 2) c = Load(p + 2 * step_);
      if constexpr (kTaps > 3) e = Load(p + 3 * step_);
      if constexpr (kTaps <= 3) state = Watch(state, a, b);
      if constexpr (kTaps == 3) state = Watch(state, c);
      if constexpr (kTaps > 3) state = Watch(state, a, b, c, e);
      V line = Reduce::Combine(a, b);
      if constexpr (kTaps > 2) line = Reduce::Combine(line, c);
      if constexpr (kTaps > 3) line = Reduce::Combine(line, e);
      if constexpr (kTaps > 4) {
        V u = Load(p + 4 * step_);
        state = Watch(state, u);
        line = Reduce::Combine(line, u);
      }
      return line;
    }
  }

  // As Plane, without waiting for the state between lines.
  template <int kTaps>
  HWY_INLINE V Square(const T* p, S& state) const {
    const T* const next = p + line_step_;
    V a = Load(p), b = Load(p + step_), c = Load(next), e = Load(next + step_);
    state = Watch(state, a, b, c, e);
    V first = Reduce::Combine(a, b), second = Reduce::Combine(c, e);
    if constexpr (kTaps == 2) return Reduce::Combine(first, second);
    const T* const last = next + line_step_;
    V a2 = Load(p + 2 * step_), c2 = Load(next + 2 * step_);
    V u = Load(last), v = Load(last + step_), u2 = Load(last + 2 * step_);
    state = Watch(Watch(state, a2, c2, u, v), u2);
    first = Reduce::Combine(first, a2);
    second = Reduce::Combine(second, c2);
    const V third = Reduce::Combine(Reduce::Combine(u, v), u2);
    return Reduce::Combine(Reduce::Combine(first, second), third);
  }

  HWY_INLINE V Load(const T* p) const {
    const D d;
    if constexpr (kWhole) return elem_.Load(d, p);
    return elem_.LoadN(d, p, static_cast<size_t>(lanes_), hn::Zero(d));
  }
  template <class... Vs>
  static HWY_INLINE S Watch(S state, Vs&... taps) {
    if constexpr (!Reduce::kFoldTells) return WatchLoaded<Reduce>(state, taps...);
    return state;
  }
  HWY_INLINE void Put(V fold, Y* y, S& state) const {
    const D d;
    state = WatchFold<Reduce>(state, fold);
    const V v = finish_.Apply(fold, state);
    if constexpr (kWhole) {
      out_.Store(d, v, y);
    } else {
      out_.StoreN(d, v, y, static_cast<size_t>(lanes_));
    }
  }

  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
  const int64_t lanes_;
  // Of a line, of lines, and of planes of them.
  int64_t taps_, lines_, planes_, step_, line_step_, plane_step_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
