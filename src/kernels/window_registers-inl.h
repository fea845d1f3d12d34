// Large windows that share no work with their neighbours, lanes are channels: the folds of many
// channels side by side stay in registers. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_REGISTERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_REGISTERS_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_REGISTERS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_REGISTERS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/fours-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Windows of rows of taps, the levels innermost first, and channels for more than four vectors. For
// machines with kManyRegisters.
template <class Op>
class InRegisters {
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
  InRegisters(const WindowJob& job, const int64_t* taps, const int64_t* steps)
      : job_(job),
        taps_(taps),
        steps_(steps),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules) {}

  // A row of windows.
  HWY_INLINE S Row(const T* x, Y* y, S state) const {
    const int64_t eight = 8 * static_cast<int64_t>(hn::Lanes(D())), lanes = job_.lanes;
    if (lanes > eight && lanes <= 2 * eight) return Block<true>(x, y, lanes, state);
    if constexpr (kSparesInstructions) {
      if (lanes >= eight && !WatchesTiny(finish_)) {
        return taps_[0] == 7 ? Eights<7>(x, y, state) : Eights<0>(x, y, state);
      }
    }
    if (lanes <= eight) return Block<false>(x, y, lanes, state);
    for (int64_t lane = 0; lane < lanes; lane += eight) {
      const int64_t at = HWY_MIN(lane, lanes - eight);  // the last block overlaps the one before
      state = Block<false>(x + at, y + at, eight, state);
    }
    return state;
  }

 private:
  // Up to sixteen vectors of channels, the folds of rows in memory; or up to eight, and the folds
  // of rows in the other eight.
  template <bool kSixteen>
  HWY_NOINLINE S Block(const T* x, Y* y, int64_t lanes, S state) const {
    const D d;
    HWY_ALIGN Lane rows[kSixteen ? 16 * HWY_MAX_LANES_D(D) : 1];
    const int64_t taps = taps_[0], step = steps_[0], count = taps_[1], row_step = steps_[1];
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(d));
    // The last vectors overlap those before.
    const int64_t at_1 = kSixteen ? four : lanes - four;
    const int64_t at_2 = lanes - 2 * four, at_3 = lanes - four;
    V a = hn::Zero(d), b = a, c = a, e = a, a1 = a, b1 = a, c1 = a, e1 = a;
    V a2 = a, b2 = a, c2 = a, e2 = a, a3 = a, b3 = a, c3 = a, e3 = a;
    for (int64_t o = job_.outputs; o != 0; --o) {
      const T* row = x;
      for (int64_t j = 0; j < count; ++j, row += row_step) {
        const T* p = row;
        Load(p, a, b, c, e, state);
        Load(p + at_1, a1, b1, c1, e1, state);
        if (kSixteen) {
          Load(p + at_2, a2, b2, c2, e2, state);
          Load(p + at_3, a3, b3, c3, e3, state);
        }
        for (int64_t t = 1; t < taps; ++t) {
          p += step;
          More(p, a, b, c, e, state);
          More(p + at_1, a1, b1, c1, e1, state);
          if (!kSixteen) continue;
          More(p + at_2, a2, b2, c2, e2, state);
          More(p + at_3, a3, b3, c3, e3, state);
        }
        if (kSixteen) {
          Keep(j, count, rows, a, b, c, e);
          Keep(j, count, rows + four, a1, b1, c1, e1);
          Keep(j, count, rows + 2 * four, a2, b2, c2, e2);
          Keep(j, count, rows + 3 * four, a3, b3, c3, e3);
        } else if (j == 0) {
          a2 = a, b2 = b, c2 = c, e2 = e;
          a3 = a1, b3 = b1, c3 = c1, e3 = e1;
        } else {
          CombineFour<Reduce>(a2, b2, c2, e2, a, b, c, e);
          CombineFour<Reduce>(a3, b3, c3, e3, a1, b1, c1, e1);
        }
      }
      if (kSixteen) {
        Put(y, a, b, c, e, state);
        Put(y + at_1, a1, b1, c1, e1, state);
      }
      Put(y + (kSixteen ? at_2 : 0), a2, b2, c2, e2, state);
      Put(y + (kSixteen ? at_3 : at_1), a3, b3, c3, e3, state);
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }

  // The same of all channels, eight vectors at a time. kTaps: of rows; 7 is what networks end with.
  template <int kTaps>
  HWY_NOINLINE S Eights(const T* x, Y* y, S state) const {
    const D d;
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    const int64_t taps = taps_[0], step = steps_[0], count = taps_[1], row_step = steps_[1];
    for (int64_t lane = 0; lane < lanes; lane += 2 * four) {
      const int64_t at = HWY_MIN(lane, lanes - 2 * four);
      const T* window = x + at;
      Y* to = y + at;
      for (int64_t o = job_.outputs; o != 0; --o) {
        V a = hn::Zero(d), b = a, c = a, e = a, a1 = a, b1 = a, c1 = a, e1 = a;
        const T* row = window;
        EightOfRow<kTaps>(row, taps, step, a, b, c, e, a1, b1, c1, e1, state);
        for (int64_t j = 1; j < count; ++j) {
          V a2 = a, b2 = a, c2 = a, e2 = a, a3 = a, b3 = a, c3 = a, e3 = a;
          row += row_step;
          EightOfRow<kTaps>(row, taps, step, a2, b2, c2, e2, a3, b3, c3, e3, state);
          CombineFour<Reduce>(a, b, c, e, a2, b2, c2, e2);
          CombineFour<Reduce>(a1, b1, c1, e1, a3, b3, c3, e3);
        }
        finish_.template Apply4<true>(a, b, c, e, state);
        finish_.template Apply4<true>(a1, b1, c1, e1, state);
        out_.Store4(d, a, b, c, e, to);
        out_.Store4(d, a1, b1, c1, e1, to + four);
        window += job_.x_output_step;
        to += job_.y_output_step;
      }
    }
    return state;
  }
  // Where the next tap is. Its vectors are loaded from there, two by one instruction, and not from
  // an earlier tap's address or before the earlier ones are added: so they fit the registers.
  static HWY_INLINE const T* Next(const T* p, int64_t step) {
    p += step;
    __asm__ volatile("" : "+r"(p) : : "memory");
    return p;
  }
  template <int kTaps>
  HWY_INLINE void EightOfRow(const T* p, int64_t taps, int64_t step, V& a, V& b, V& c, V& e, V& a1,
                             V& b1, V& c1, V& e1, S& state) const {
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(D()));
    Load(p, a, b, c, e, state);
    Load(p + four, a1, b1, c1, e1, state);
    int64_t left = (kTaps != 0 ? kTaps : taps) - 1;
    HWY_UNROLL(3)
    for (; left >= 2; left -= 2) {
      p = Next(p, step);
      More(p, a, b, c, e, state);
      More(p + four, a1, b1, c1, e1, state);
      p = Next(p, step);
      More(p, a, b, c, e, state);
      More(p + four, a1, b1, c1, e1, state);
    }
    if (left == 0) return;
    p = Next(p, step);
    More(p, a, b, c, e, state);
    More(p + four, a1, b1, c1, e1, state);
  }

  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    LoadFour<Reduce>(elem_, D(), p, a, b, c, e, state);
  }
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    AddFour<Reduce>(elem_, D(), p, a, b, c, e, state);
  }
  // A fold, number `i` of `count`, joins the earlier ones, which are in memory, and waits there for
  // the others.
  static HWY_INLINE void Keep(int64_t i, int64_t count, Lane* kept, V& a, V& b, V& c, V& e) {
    if (i != 0) {
      V v = a, w = b, u = c, z = e;
      KeptFour(D(), kept, v, w, u, z);
      CombineFour<Reduce>(v, w, u, z, a, b, c, e);
      a = v, b = w, c = u, e = z;
    }
    if (i + 1 != count) KeepFour(D(), a, b, c, e, kept);
  }
  HWY_INLINE void Put(Y* y, V a, V b, V c, V e, S& state) const {
    FinishAndPut<Reduce>(finish_, out_, false, D(), a, b, c, e, y, state);
  }

  const WindowJob& job_;
  const int64_t* const taps_;
  const int64_t* const steps_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
