// Four vectors of channels over the windows of an output row. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_FOUR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_FOUR_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_FOUR_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_FOUR_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/slide-inl.h"
#include "kernels/window_one-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kTwo: only the first two of four vectors.
template <class Op, bool kTwo>
class FourVectors {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

  static constexpr int kVectors = kTwo ? 2 : 4;

 public:
  FourVectors(const WindowJob& job, int64_t lane)
      : job_(job),
        steps_(job),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules),
        x_(static_cast<const T*>(job.x) + lane),
        y_(static_cast<Y*>(job.y) + lane) {}

  HWY_INLINE bool Direct() const {
    const D d;
    S state = Reduce::Start(d);
    V a = hn::Zero(d), b = a, c = a, e = a;
    V a1 = a, b1 = a, c1 = a, e1 = a;
    for (int64_t o = 0; o < steps_.outputs; ++o) {
      const T* p = x_ + o * steps_.x_output_step;
      for (int64_t w = 0; w < steps_.taps_w; ++w) {
        Column<0>(p + w * steps_.w, a1, b1, c1, e1, state);
        if (w == 0) {
          a = a1, b = b1, c = c1, e = e1;
        } else {
          CombineFour<Reduce, kVectors>(a, b, c, e, a1, b1, c1, e1);
        }
      }
      Put(o, a, b, c, e, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  template <int kTaps, int kRows>
  HWY_INLINE bool Sliding(const Slide& slide) const {
    const D d;
    S state = Reduce::Start(d);
    const V zero = hn::Zero(d);
    V a1 = zero, a2 = zero, a3 = zero, a4 = zero, a5 = zero, a6 = zero;
    V b1 = zero, b2 = zero, b3 = zero, b4 = zero, b5 = zero, b6 = zero;
    V c1 = zero, c2 = zero, c3 = zero, c4 = zero, c5 = zero, c6 = zero;
    V e1 = zero, e2 = zero, e3 = zero, e4 = zero, e5 = zero, e6 = zero;
    V a = zero, b = zero, c = zero, e = zero;
    const int64_t total = slide.total, step = slide.step;
    int64_t complete = slide.taps - 1;
    int64_t o = 0;
    constexpr bool kByTwo = kTaps == 3 && kSparesInstructions;
    for (int64_t t = 0; t < (kByTwo ? 2 : total); ++t) {
      Column<kRows>(x_ + t * steps_.w, a, b, c, e, state);
      const V fold_a = Advance<kTaps, Reduce>(a, a1, a2, a3, a4, a5, a6);
      const V fold_b = Advance<kTaps, Reduce>(b, b1, b2, b3, b4, b5, b6);
      V fold_c = zero, fold_e = zero;
      if (!kTwo) {
        fold_c = Advance<kTaps, Reduce>(c, c1, c2, c3, c4, c5, c6);
        fold_e = Advance<kTaps, Reduce>(e, e1, e2, e3, e4, e5, e6);
      }
      if (kTaps == 3 && t == 1 && job_.lead.exists) {
        state = PutEdge(job_, job_.lead, y_ - steps_.y_output_step, a2, b2, c2, e2, state);
      }
      if (t == complete) {
        Put(o++, fold_a, fold_b, fold_c, fold_e, state);
        complete += step;
      }
    }
    if constexpr (kByTwo) {
      o = steps_.outputs;
      if (step == 1) {
        Turns<kRows, 1>(a1, a2, b1, b2, c1, c2, e1, e2, state);
      } else {
        Turns<kRows, 2>(a1, a2, b1, b2, c1, c2, e1, e2, state);
      }
    }
    if (kTaps == 3 && job_.trail.exists) {
      state = PutEdge(job_, job_.trail, y_ + o * steps_.y_output_step, a2, b2, c2, e2, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    LoadFour<Reduce, kVectors>(elem_, D(), p, a, b, c, e, state);
  }
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    AddFour<Reduce, kVectors>(elem_, D(), p, a, b, c, e, state);
  }
  HWY_INLINE void Depth(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    Load(p, a, b, c, e, state);
    for (int64_t d = 1; d < steps_.taps_d; ++d) More(p + d * steps_.d, a, b, c, e, state);
  }
  template <int kRows>
  HWY_INLINE void Column(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    if constexpr (kRows > 0) {
      Load(p, a, b, c, e, state);
      if (kRows > 1) More(p + steps_.h, a, b, c, e, state);
      if (kRows > 2) More(p + 2 * steps_.h, a, b, c, e, state);
      return;
    }
    Depth(p, a, b, c, e, state);
    for (int64_t h = 1; h < steps_.taps_h; ++h) {
      V a1 = a, b1 = b, c1 = c, e1 = e;
      Depth(p + h * steps_.h, a1, b1, c1, e1, state);
      CombineFour<Reduce, kVectors>(a, b, c, e, a1, b1, c1, e1);
    }
  }
  // The windows of a slide of three taps, kStep columns apart, from its third column on.
  template <int kRows, int kStep>
  HWY_INLINE void Turns(V& a1, V& a2, V& b1, V& b2, V& c1, V& c2, V& e1, V& e2, S& state) const {
    const T* x = x_ + 2 * steps_.w;
    Y* y = y_;
    int64_t left = steps_.outputs;
    for (; left > 1; left -= 3 - kStep) {
      Turn<kRows, true>(x, y, a1, a2, b1, b2, c1, c2, e1, e2, state);
      Turn<kRows, kStep == 1>(x, y, a1, a2, b1, b2, c1, c2, e1, e2, state);
    }
    if (left == 1) Turn<kRows, true>(x, y, a1, a2, b1, b2, c1, c2, e1, e2, state);
  }
  template <int kRows, bool kCompletes>
  HWY_INLINE void Turn(const T*& x, Y*& y, V& a1, V& a2, V& b1, V& b2, V& c1, V& c2, V& e1, V& e2,
                       S& state) const {
    V a = a1, b = b1, c = c1, e = e1, none = hn::Zero(D());
    Column<kRows>(x, a, b, c, e, state);
    x += steps_.w;
    const V fold_a = Advance<3, Reduce>(a, a1, a2, none, none, none, none);
    const V fold_b = Advance<3, Reduce>(b, b1, b2, none, none, none, none);
    V fold_c = none, fold_e = none;
    if (!kTwo) {
      fold_c = Advance<3, Reduce>(c, c1, c2, none, none, none, none);
      fold_e = Advance<3, Reduce>(e, e1, e2, none, none, none, none);
    }
    if (!kCompletes) return;
    FinishAndPut<Reduce, kVectors>(finish_, out_, steps_.streams, D(), fold_a, fold_b, fold_c,
                                   fold_e, y, state);
    y += steps_.y_output_step;
  }
  HWY_INLINE void Put(int64_t o, V a, V b, V c, V e, S& state) const {
    FinishAndPut<Reduce, kVectors>(finish_, out_, steps_.streams, D(), a, b, c, e,
                                   y_ + o * steps_.y_output_step, state);
  }
  static HWY_NOINLINE S PutEdge(const WindowJob& job, const EdgeWindow& edge, Y* y, V a, V b, V c,
                                V e, S state) {
    const ElementRules rules = EdgeRules(job.rules, edge);
    FinishAndPut<Reduce, kVectors>(typename Op::EdgeFinish(edge.divisor, rules), Out(rules),
                                   job.streams, D(), a, b, c, e, y, state);
    return state;
  }

  const WindowJob& job_;
  const WindowSteps steps_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
  const T* const x_;
  Y* const y_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
