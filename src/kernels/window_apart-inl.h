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
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/window_long-inl.h"
#include "kernels/window_one-inl.h"
#include "kernels/window_passes-inl.h"
#include "kernels/window_registers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Windows of so few taps are folded whole.
constexpr int64_t kFewTaps = 16;
// A single window of so many bytes is likely to be in the second cache.
constexpr int64_t kNearBytes = 512 << 10;

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
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(d));
    if (taps_[0] == 2 && taps_[1] <= 2 && taps_[2] <= 2 && job_.lanes % four == 0) {
      if (taps_[1] == 1) return Pairs<1>(job_);
      return taps_[2] == 1 ? Pairs<2>(job_) : Pairs<3>(job_);
    }
    const bool small = taps_[0] <= kFewTaps && taps_[1] <= kFewTaps && taps_[2] <= kFewTaps &&
                       taps_[0] * taps_[1] * taps_[2] <= kFewTaps;
    const bool registers = kRegisters && !small && StaysInRegisters();
    if constexpr (HasLongRows<Op>()) {
      if (!small && LongRows<Op>::Fits(job_, taps_) && !Passes<Op>::Shares(job_, taps_, steps_)) {
        return LongRows<Op>::All(job_, taps_, steps_);
      }
    }
    if constexpr (kPasses) {
      if (!small && !registers && job_.lanes * static_cast<int64_t>(sizeof(T)) >= kShortStream) {
        return Passes<Op>::All(job_, taps_, steps_);
      }
    }
    const bool eights = taps_[1] == 1 && taps_[2] == 1 && job_.lanes % (2 * four) == 0;
    S state = Reduce::Start(d);
    const T* x = static_cast<const T*>(job_.x);
    Y* y = static_cast<Y*>(job_.y);
    for (int64_t row = 0;;) {
      if (kRegisters && registers) {
        if constexpr (kRegisters) state = InRegisters<Op>(job_, taps_, steps_).Row(x, y, state);
      } else if (kEights && eights) {
        if constexpr (kEights) state = Eights(x, y, state);
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
  // Passes are more code, and floats are what large windows are used for.
  static constexpr bool kPasses = hwy::IsFloat<Lane>();

  // Whether large windows are folded in registers: all channels at once, so that x is read as it
  // lies; or block by block, where there is so little to read that it is in a cache already.
  bool StaysInRegisters() const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = job_.lanes;
    if (lanes <= 4 * n || taps_[2] != 1) return false;
    if (lanes <= 16 * n) return true;
    const int64_t bytes = lanes * static_cast<int64_t>(sizeof(T));
    return (kSparesInstructions || job_.in_registers) && job_.outputs == 1 && job_.rows <= 1 &&
           taps_[0] * taps_[1] <= kNearBytes / bytes;
  }

  // Registers are for the commonest average.
  static constexpr bool kRegisters = kManyRegisters && std::is_same<Reduce, SumByRemainder>::value;

  // All taps of a window: four vectors.
  HWY_INLINE void Four(const int64_t* taps, const int64_t* steps, const T* x, Y* y,
                       S& state) const {
    V a = hn::Zero(D()), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    V a2 = a, b2 = a, c2 = a, e2 = a;
    for (int64_t i = 0; i < taps[2]; ++i, x += steps[2]) {
      const T* row = x;
      for (int64_t j = 0; j < taps[1]; ++j, row += steps[1]) {
        const T* p = row;
        Load(p, a, b, c, e, state);
        for (int64_t t = 1; t < taps[0]; ++t) {
          p += steps[0];
          More(p, a, b, c, e, state);
        }
        Begin(j == 0, a1, b1, c1, e1, a, b, c, e);
      }
      Begin(i == 0, a2, b2, c2, e2, a1, b1, c1, e1);
    }
    Put(y, a2, b2, c2, e2, state);
  }
  HWY_INLINE void Put(Y* y, V a, V b, V c, V e, S& state) const {
    FinishAndPut<Reduce>(finish_, out_, streams_, D(), a, b, c, e, y, state);
  }

  // One vector: two rows of taps at once, so that the tap before is waited for half as often.
  HWY_INLINE void One(const int64_t* taps, const int64_t* steps, const T* x, Y* y, S& state) const {
    V all = hn::Zero(D());
    for (int64_t i = 0; i < taps[2]; ++i, x += steps[2]) {
      V plane = all;
      const T* row = x;
      int64_t j = taps[1] & 1;
      if (j != 0) {
        plane = Line(taps[0], steps[0], row, state);
        row += steps[1];
      }
      for (; j < taps[1]; j += 2, row += 2 * steps[1]) {
        const T *p = row, *q = row + steps[1];
        V a = elem_.Load(D(), p), b = elem_.Load(D(), q);
        state = Watch(state, a, b);
        for (int64_t t = 1; t < taps[0]; ++t) {
          p += steps[0], q += steps[0];
          V v = elem_.Load(D(), p), w = elem_.Load(D(), q);
          state = Watch(state, v, w);
          a = Reduce::Combine(a, v), b = Reduce::Combine(b, w);
        }
        plane = j == 0 ? a : Reduce::Combine(plane, a);
        plane = Reduce::Combine(plane, b);
      }
      all = i == 0 ? plane : Reduce::Combine(all, plane);
    }
    state = WatchFold<Reduce>(state, all);
    out_.Store(D(), finish_.Apply(all, state), y);
  }
  HWY_INLINE V Line(int64_t taps, int64_t step, const T* p, S& state) const {
    V a = elem_.Load(D(), p);
    state = Watch(state, a);
    for (int64_t t = 1; t < taps; ++t) {
      p += step;
      V v = elem_.Load(D(), p);
      state = Watch(state, v);
      a = Reduce::Combine(a, v);
    }
    return a;
  }
  template <class... Vs>
  static HWY_INLINE S Watch(S state, Vs&... taps) {
    if constexpr (!Reduce::kFoldTells) return WatchLoaded<Reduce>(state, taps...);
    return state;
  }

  // The same of two taps at each of so many levels, each with instructions of its own, see Passes.
  // Four vectors of channels, or sixteen.
  template <bool kSixteen, int kLevels>
  HWY_INLINE void Twos(int64_t step, int64_t row, int64_t plane, const T* x, Y* y, S& state) const {
    const T* const next = x + row;
    const T* const behind = x + plane;
    V a = hn::Zero(D()), b = a, c = a, e = a, a1 = a, b1 = a, c1 = a, e1 = a;
    V a2 = a, b2 = a, c2 = a, e2 = a, a3 = a, b3 = a, c3 = a, e3 = a;
    const auto each = [&](const auto& quad) HWY_ATTR __attribute__((always_inline)) {
      EachFour<kSixteen>(quad, 4 * static_cast<int64_t>(hn::Lanes(D())), a, b, c, e, a1, b1, c1, e1,
                         a2, b2, c2, e2, a3, b3, c3, e3);
    };
    each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR
         __attribute__((always_inline)) { Load(x + at, v, w, u, z, state); });
    each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR
         __attribute__((always_inline)) { More(x + step + at, v, w, u, z, state); });
    if (kLevels > 1) {
      each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR __attribute__((always_inline)) {
        V v1 = v, w1 = w, u1 = u, z1 = z;
        Pair(step, next + at, v1, w1, u1, z1, state);
        CombineFour<Reduce>(v, w, u, z, v1, w1, u1, z1);
      });
    }
    if (kLevels > 2) {
      each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR __attribute__((always_inline)) {
        V v1 = v, w1 = w, u1 = u, z1 = z, v2 = v, w2 = w, u2 = u, z2 = z;
        Pair(step, behind + at, v1, w1, u1, z1, state);
        Pair(step, behind + row + at, v2, w2, u2, z2, state);
        CombineFour<Reduce>(v1, w1, u1, z1, v2, w2, u2, z2);
        CombineFour<Reduce>(v, w, u, z, v1, w1, u1, z1);
      });
    }
    each([&](int64_t at, V v, V w, V u, V z) HWY_ATTR
         __attribute__((always_inline)) { Put(y + at, v, w, u, z, state); });
  }
  HWY_INLINE void Pair(int64_t step, const T* p, V& a, V& b, V& c, V& e, S& state) const {
    Load(p, a, b, c, e, state);
    More(p + step, a, b, c, e, state);
  }
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    AddFour<Reduce>(elem_, D(), p, a, b, c, e, state);
  }

  // Where vectors are short, four of them are less of a pixel, and x is read in jumps.
  static constexpr bool kEights = kPasses && !kManyRegisters && !kCompact;

  // Pixels of more bytes than this are read in long pieces anyway.
  static constexpr int64_t kMostByRows = 4096;

  // Twos of two levels, all channels of a row of taps before the next row: in the order of memory.
  HWY_INLINE void RowByRow(int64_t step, int64_t row, const T* x, Y* y, Lane* kept,
                           S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    V a = hn::Zero(d), b = a, c = a, e = a;
    for (int64_t lane = 0; lane < lanes; lane += 4 * n) {
      Pair(step, x + lane, a, b, c, e, state);
      KeepFour(d, a, b, c, e, kept + lane);
    }
    x += row;
    for (int64_t lane = 0; lane < lanes; lane += 4 * n) {
      Pair(step, x + lane, a, b, c, e, state);
      V v = a, w = b, u = c, z = e;
      KeptFour(d, kept + lane, v, w, u, z);
      CombineFour<Reduce>(v, w, u, z, a, b, c, e);
      Put(y + lane, v, w, u, z, state);
    }
  }

  // Loads a byte of each line of a window of 2x2 taps, in order and by one instruction for a row of
  // them, which what fetches from memory follows.
  HWY_INLINE void TouchSquare(int64_t step, int64_t row, const T* x) const {
    const int64_t lanes = job_.lanes;
    const bool apart = step != lanes;
    for (int i = 0; i < 2; ++i, x += row) {
      TouchLines(x, apart ? lanes : 2 * lanes);
      if (apart) TouchLines(x + step, lanes);
    }
  }
  static HWY_INLINE void TouchLines(const T* x, int64_t lanes) {
    constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));
    HWY_UNROLL(1)
    for (int64_t lane = 0; lane < lanes; lane += kLine) {
      (void)*reinterpret_cast<const volatile char*>(x + lane);
    }
  }

  // A job of them, of whole fours of vectors. By an object of its own, which no store to y can
  // change.
  template <int kLevels>
  static HWY_NOINLINE bool Pairs(const WindowJob& job) {
    const Apart windows(job);
    const D d;
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(d)), lanes = job.lanes;
    const int64_t step = windows.steps_[0], row = windows.steps_[1], plane = windows.steps_[2];
    const int64_t x_step = job.x_output_step, y_step = job.y_output_step;
    const bool by_lines = job.by_lines;
    // Eight vectors in a row rather than four twice: each instruction has one distance from load to
    // load, which what fetches ahead into the first cache follows, if x is in no cache.
    constexpr bool kUnrolls = kRegisters && !kSparesInstructions && kLevels < 3;
    constexpr bool kByRows = kEights && kLevels == 2;
    HWY_ALIGN Lane kept[kByRows ? kMostByRows / sizeof(T) : 1];
    const int64_t bytes = lanes * static_cast<int64_t>(sizeof(T));
    const bool by_rows = kByRows && bytes >= kShortStream && bytes <= kMostByRows;
    S state = Reduce::Start(d);
    for (int64_t i = 0; i == 0 || i < job.rows; ++i) {
      const T* x = static_cast<const T*>(job.x) + i * job.x_row_step;
      Y* y = static_cast<Y*>(job.y) + i * job.y_row_step;
      for (int64_t o = job.outputs; o != 0; --o) {
        int64_t lane = 0;
        if constexpr (kByRows) {
          if (by_rows) {
            windows.RowByRow(step, row, x, y, kept, state);
            lane = lanes;
          }
        }
        if constexpr (kManyRegisters && !kSparesInstructions && kPasses) {
          for (; !by_lines && lane + 4 * four <= lanes; lane += 4 * four) {
            windows.template Twos<true, kLevels>(step, row, plane, x + lane, y + lane, state);
          }
        }
        if (kUnrolls && lanes == 2 * four) {
          if (kLevels == 2 && by_lines) windows.TouchSquare(step, row, x);
          windows.template Twos<false, kLevels>(step, row, plane, x, y, state);
          windows.template Twos<false, kLevels>(step, row, plane, x + four, y + four, state);
          lane = lanes;
        }
        for (; lane < lanes; lane += four) {
          windows.template Twos<false, kLevels>(step, row, plane, x + lane, y + lane, state);
        }
        x += x_step;
        y += y_step;
      }
    }
    return Reduce::Clean(d, state, job.divisor);
  }

  // A row of windows of one row of taps, eight vectors of channels at a time.
  HWY_INLINE S Eights(const T* x, Y* y, S state) const {
    const int64_t taps = taps_[0], step = steps_[0], lanes = job_.lanes;
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t o = job_.outputs; o != 0; --o) {
      for (int64_t lane = 0; lane < lanes; lane += 2 * four) {
        const T* p = x + lane;
        V a = hn::Zero(D()), b = a, c = a, e = a, a1 = a, b1 = a, c1 = a, e1 = a;
        Load(p, a, b, c, e, state);
        Load(p + four, a1, b1, c1, e1, state);
        for (int64_t t = 1; t < taps; ++t) {
          p += step;
          More(p, a, b, c, e, state);
          More(p + four, a1, b1, c1, e1, state);
        }
        Put(y + lane, a, b, c, e, state);
        Put(y + lane + four, a1, b1, c1, e1, state);
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }

  // A row of windows, all taps of each at once.
  HWY_INLINE S Wholes(const T* x, Y* y, S state) const {
    const int64_t taps[3] = {taps_[0], taps_[1], taps_[2]};
    const int64_t steps[3] = {steps_[0], steps_[1], steps_[2]};
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = job_.lanes;
    for (int64_t o = job_.outputs; o != 0; --o) {
      int64_t lane = 0;
      for (; lane + 4 * n <= lanes; lane += 4 * n) {
        Four(taps, steps, x + lane, y + lane, state);
      }
      // The last vector overlaps the one before.
      for (; lane < lanes; lane += n) {
        const int64_t at = HWY_MIN(lane, lanes - n);
        One(taps, steps, x + at, y + at, state);
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }

  // A fold of a lower level, v and so on, begins the one that a and so on hold, or joins it.
  static HWY_INLINE void Begin(bool begins, V& a, V& b, V& c, V& e, V v, V w, V u, V z) {
    if (begins) {
      a = v, b = w, c = u, e = z;
    } else {
      CombineFour<Reduce>(a, b, c, e, v, w, u, z);
    }
  }

  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    LoadFour<Reduce>(elem_, D(), p, a, b, c, e, state);
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
