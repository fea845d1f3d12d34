// Windows that share no work with their neighbours, lanes are channels: output by output, all of
// its channels, so that x is read in long streams. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_APART_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_APART_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_APART_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_APART_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/reduce-inl.h"
#include "kernels/window_one-inl.h"
#include "kernels/window_registers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// So many taps are streams that are read at once: of small windows all of them, of larger ones the
// second number, in several passes over the channels; the third where taps lie whole pages apart,
// which all go to the same few places in a cache. Between passes the folds are in scratch.
constexpr int64_t kStreams = 16;
constexpr int64_t kPassStreams = 32;
constexpr int64_t kPagedStreams = 12;
constexpr int64_t kPageBytes = 4096;
// Fewer bytes of channels than this are no stream.
constexpr int64_t kShortStream = 512;
// A single window of so many bytes is likely to be in the second cache.
constexpr int64_t kNearBytes = 512 << 10;
// Bytes of scratch for the channels of a pass.
constexpr int64_t kPassBytes = 4096;

// A part of a window's taps. Levels as in WindowJob::taps, innermost first: several columns of
// whole rows, or rows of whole taps, or taps. first[i] and last[i]: whether the part begins, or
// ends, the fold of level i that it belongs to.
struct WindowPart {
  int64_t taps[3];
  bool first[3], last[3];
};

template <class Op>
class Apart {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  explicit Apart(const WindowJob& job)
      : job_(job),
        streams_(job.streams),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules) {
    // One tap of a level is no fold: the others move inward.
    int used = 0;
    for (int i = 0; i < 3; ++i) {
      taps_[i] = 1;
      steps_[i] = 0;
      if (job.taps[i] == 1) continue;
      taps_[used] = job.taps[i];
      steps_[used++] = job.x_tap[i];
    }
  }

  HWY_INLINE bool All() const {
    const D d;
    S state = Reduce::Start(d);
    const bool small = taps_[0] <= kStreams && taps_[1] <= kStreams && taps_[2] <= kStreams &&
                       taps_[0] * taps_[1] * taps_[2] <= kStreams;
    const bool parts = !small && job_.lanes * static_cast<int64_t>(sizeof(T)) >= kShortStream;
    const T* x = static_cast<const T*>(job_.x);
    Y* y = static_cast<Y*>(job_.y);
    const bool registers = !small && StaysInRegisters();
    for (int64_t row = 0;;) {
      if constexpr (kParts) {
        if (kRegisters && registers) {
          if constexpr (kRegisters) state = InRegisters<Op>(job_, taps_, steps_).Row(x, y, state);
        } else {
          state = parts ? Parts(x, y, state) : Wholes(x, y, state);
        }
      } else {
        state = Wholes(x, y, state);
      }
      if (++row >= job_.rows) break;
      x += job_.x_row_step;
      y += job_.y_row_step;
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // Of a step along the channels: vectors, or the only few lanes.
  enum Width { kFour, kOne, kPart };

  // Passes are more code, and floats are what large windows are used for.
  static constexpr bool kParts = hwy::IsFloat<Lane>();
  static constexpr int64_t kPassLanes = kPassBytes / static_cast<int64_t>(sizeof(Lane));
  static constexpr int64_t kScratchLanes = kPassLanes + HWY_MAX_LANES_D(D);

  // Whether large windows are folded in registers: all channels at once, so that x is read as it
  // lies; or block by block, where there is so little to read that it is in a cache already.
  bool StaysInRegisters() const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = job_.lanes;
    if (lanes <= 4 * n || taps_[2] != 1) return false;
    if (lanes <= 16 * n) return true;
    const int64_t bytes = lanes * static_cast<int64_t>(sizeof(T));
    return job_.outputs == 1 && job_.rows <= 1 && taps_[0] * taps_[1] <= kNearBytes / bytes;
  }

  // Registers are for the commonest average.
  static constexpr bool kRegisters = kManyRegisters && std::is_same<Reduce, SumByRemainder>::value;

  size_t Few() const { return static_cast<size_t>(job_.lanes); }

  // All taps of a window.
  template <Width kWidth>
  HWY_INLINE void Whole(const int64_t* taps, const int64_t* steps, const T* x, Y* y,
                        S& state) const {
    V a = hn::Zero(D()), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    V a2 = a, b2 = a, c2 = a, e2 = a;
    for (int64_t i = 0; i < taps[2]; ++i, x += steps[2]) {
      const T* row = x;
      for (int64_t j = 0; j < taps[1]; ++j, row += steps[1]) {
        const T* p = row;
        Load<kWidth>(p, a, b, c, e, state);
        for (int64_t t = 1; t < taps[0]; ++t) {
          p += steps[0];
          V v = a, w = a, u = a, z = a;
          Load<kWidth>(p, v, w, u, z, state);
          Combine<kWidth>(a, b, c, e, v, w, u, z);
        }
        Begin<kWidth>(j == 0, a1, b1, c1, e1, a, b, c, e);
      }
      Begin<kWidth>(i == 0, a2, b2, c2, e2, a1, b1, c1, e1);
    }
    Put<kWidth>(y, a2, b2, c2, e2, state);
  }
  template <Width kWidth>
  HWY_INLINE void Put(Y* y, V a, V b, V c, V e, S& state) const {
    const D d;
    if constexpr (kWidth == kFour) {
      state = WatchFolds<Reduce>(state, a, b, c, e);
      FinishFour(finish_, a, b, c, e, state, 0);
      PutFour(out_, streams_, d, a, b, c, e, y);
      return;
    }
    state = WatchFold<Reduce>(state, a);
    a = finish_.Apply(a, state);
    if constexpr (kWidth == kOne) out_.Store(d, a, y);
    if constexpr (kWidth == kPart) out_.StoreN(d, a, y, Few());
  }

  // The same of 2 x 2 taps.
  HWY_INLINE void Square(const int64_t* steps, const T* x, Y* y, S& state) const {
    const T* const next = x + steps[1];
    V a = hn::Zero(D()), b = a, c = a, e = a, a1 = a, b1 = a, c1 = a, e1 = a;
    Load<kFour>(x, a, b, c, e, state);
    More(x + steps[0], a, b, c, e, state);
    Load<kFour>(next, a1, b1, c1, e1, state);
    More(next + steps[0], a1, b1, c1, e1, state);
    Combine<kFour>(a, b, c, e, a1, b1, c1, e1);
    Put<kFour>(y, a, b, c, e, state);
  }
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    V v = a, w = a, u = a, z = a;
    Load<kFour>(p, v, w, u, z, state);
    Combine<kFour>(a, b, c, e, v, w, u, z);
  }

  // A row of windows, all taps of each at once.
  HWY_INLINE S Wholes(const T* x, Y* y, S state) const {
    const int64_t taps[3] = {taps_[0], taps_[1], taps_[2]};
    const int64_t steps[3] = {steps_[0], steps_[1], steps_[2]};
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = job_.lanes;
    const bool square = taps[0] == 2 && taps[1] == 2 && taps[2] == 1;
    for (int64_t o = job_.outputs; o != 0; --o) {
      if (lanes < n) {
        Whole<kPart>(taps, steps, x, y, state);
        x += job_.x_output_step;
        y += job_.y_output_step;
        continue;
      }
      int64_t lane = 0;
      if (kSparesInstructions && square) {
        for (; lane + 4 * n <= lanes; lane += 4 * n) Square(steps, x + lane, y + lane, state);
      }
      for (; lane + 4 * n <= lanes; lane += 4 * n) {
        Whole<kFour>(taps, steps, x + lane, y + lane, state);
      }
      // The last vector overlaps the one before.
      for (; lane < lanes; lane += n) {
        const int64_t at = HWY_MIN(lane, lanes - n);
        Whole<kOne>(taps, steps, x + at, y + at, state);
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }

  // The same in several passes over the channels.
  HWY_NOINLINE S Parts(const T* x, Y* y, S state) const {
    HWY_ALIGN Lane scratch[3 * kScratchLanes];
    const int64_t step_bytes = steps_[0] * static_cast<int64_t>(sizeof(T));
    const int64_t streams = step_bytes % kPageBytes == 0 ? kPagedStreams : kPassStreams;
    int64_t most[3];
    const int64_t passes = (taps_[0] + streams - 1) / streams;
    most[0] = (taps_[0] + passes - 1) / passes;  // not many in one pass and few in the next
    most[1] = HWY_MIN(taps_[1], HWY_MAX(streams / taps_[0], 1));
    most[2] = most[1] < taps_[1] ? 1 : HWY_MIN(taps_[2], HWY_MAX(streams / most[0] / most[1], 1));
    for (int64_t o = job_.outputs; o != 0; --o) {
      for (int64_t lane = 0; lane < job_.lanes; lane += kPassLanes) {
        Window(x, y, lane, most, scratch, state);
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }

  HWY_INLINE void Window(const T* x, Y* y, int64_t lane, const int64_t* most, Lane* scratch,
                         S& state) const {
    WindowPart part;
    for (int64_t c = 0; c < taps_[2]; c += most[2]) {
      Cut(c, 2, most, &part);
      for (int64_t r = 0; r < taps_[1]; r += most[1]) {
        Cut(r, 1, most, &part);
        for (int64_t t = 0; t < taps_[0]; t += most[0]) {
          Cut(t, 0, most, &part);
          Channels(part, x + c * steps_[2] + r * steps_[1] + t * steps_[0], y, lane, scratch,
                   state);
        }
      }
    }
  }

  HWY_INLINE void Cut(int64_t begin, int level, const int64_t* most, WindowPart* part) const {
    part->taps[level] = HWY_MIN(taps_[level] - begin, most[level]);
    part->first[level] = begin == 0;
    part->last[level] = begin + part->taps[level] == taps_[level];
  }

  HWY_INLINE void Channels(const WindowPart& part, const T* x, Y* y, int64_t lane, Lane* scratch,
                           S& state) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t end = HWY_MIN(lane + kPassLanes, job_.lanes);
    for (; lane + 4 * n <= end; lane += 4 * n, scratch += 4 * n) {
      Fold<kFour>(part, x + lane, y + lane, scratch, state);
    }
    // The last vector overlaps the one before; it has scratch of its own.
    for (; lane < end; lane += n, scratch += n) {
      const int64_t at = HWY_MIN(lane, end - n);
      Fold<kOne>(part, x + at, y + at, scratch, state);
    }
  }

  template <Width kWidth>
  HWY_INLINE void Fold(const WindowPart& part, const T* x, Y* y, Lane* scratch, S& state) const {
    const D d;
    V a = hn::Zero(d), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    V a2 = a, b2 = a, c2 = a, e2 = a;
    for (int64_t i = 0; i < part.taps[2]; ++i) {
      for (int64_t j = 0; j < part.taps[1]; ++j) {
        const T* p = x + i * steps_[2] + j * steps_[1];
        int64_t t = 0;
        if (part.first[0]) {
          Load<kWidth>(p, a, b, c, e, state);
          p += steps_[0];
          t = 1;
        } else {
          Restore<kWidth>(scratch, a, b, c, e);
        }
        for (; t < part.taps[0]; ++t, p += steps_[0]) {
          V v = a, w = a, u = a, z = a;
          Load<kWidth>(p, v, w, u, z, state);
          Combine<kWidth>(a, b, c, e, v, w, u, z);
        }
        if (!part.last[0]) return Save<kWidth>(a, b, c, e, scratch);
        Join<kWidth>(j == 0, part.first[1], scratch + kScratchLanes, a1, b1, c1, e1, a, b, c, e);
      }
      if (!part.last[1]) return Save<kWidth>(a1, b1, c1, e1, scratch + kScratchLanes);
      Join<kWidth>(i == 0, part.first[2], scratch + 2 * kScratchLanes, a2, b2, c2, e2, a1, b1, c1,
                   e1);
    }
    if (!part.last[2]) return Save<kWidth>(a2, b2, c2, e2, scratch + 2 * kScratchLanes);
    Put<kWidth>(y, a2, b2, c2, e2, state);
  }

  // A fold of a lower level, v and so on, begins the one that a and so on hold, or joins it.
  template <Width kWidth>
  static HWY_INLINE void Begin(bool begins, V& a, V& b, V& c, V& e, V v, V w, V u, V z) {
    if (begins) {
      a = v, b = w, c = u, e = z;
    } else {
      Combine<kWidth>(a, b, c, e, v, w, u, z);
    }
  }

  // A fold of a lower level, v and so on, joins the one that a and so on hold; or begins it, or
  // continues what an earlier pass has saved.
  template <Width kWidth>
  static HWY_INLINE void Join(bool begins, bool first, const Lane* saved, V& a, V& b, V& c, V& e,
                              V v, V w, V u, V z) {
    if (begins) {
      if (first) {
        a = v, b = w, c = u, e = z;
        return;
      }
      Restore<kWidth>(saved, a, b, c, e);
    }
    Combine<kWidth>(a, b, c, e, v, w, u, z);
  }

  template <Width kWidth>
  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    if constexpr (kWidth == kFour) {
      elem_.Load4(d, p, a, b, c, e);
      state = WatchTaps<Reduce>(WatchTaps<Reduce>(state, a, b), c, e);
      return;
    }
    if constexpr (kWidth == kOne) a = elem_.Load(d, p);
    if constexpr (kWidth == kPart) a = elem_.LoadN(d, p, Few(), hn::Zero(d));
    state = WatchTaps<Reduce>(state, a, a);
  }
  template <Width kWidth>
  static HWY_INLINE void Combine(V& a, V& b, V& c, V& e, V v, V w, V u, V z) {
    a = Reduce::Combine(a, v);
    if (kWidth != kFour) return;
    b = Reduce::Combine(b, w);
    c = Reduce::Combine(c, u);
    e = Reduce::Combine(e, z);
  }
  template <Width kWidth>
  static HWY_INLINE void Save(V a, V b, V c, V e, Lane* to) {
    const D d;
    hn::Store(a, d, to);
    if (kWidth == kFour) {
      const size_t n = hn::Lanes(d);
      hn::Store(b, d, to + n);
      hn::Store(c, d, to + 2 * n);
      hn::Store(e, d, to + 3 * n);
    }
  }
  template <Width kWidth>
  static HWY_INLINE void Restore(const Lane* from, V& a, V& b, V& c, V& e) {
    const D d;
    a = hn::Load(d, from);
    if (kWidth == kFour) {
      const size_t n = hn::Lanes(d);
      b = hn::Load(d, from + n);
      c = hn::Load(d, from + 2 * n);
      e = hn::Load(d, from + 3 * n);
    }
  }

  const WindowJob& job_;
  const bool streams_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
  int64_t taps_[3], steps_[3];
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
