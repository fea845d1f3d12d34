// One vector of channels over the windows of an output row. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_ONE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_ONE_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_ONE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_ONE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/reduce-inl.h"
#include "kernels/slide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The job's numbers, out of reach of stores to y.
struct WindowSteps {
  explicit WindowSteps(const WindowJob& job)
      : outputs(job.outputs),
        x_output_step(job.x_output_step),
        y_output_step(job.y_output_step),
        taps_d(job.taps[0]),
        taps_h(job.taps[1]),
        taps_w(job.taps[2]),
        d(job.x_tap[0]),
        h(job.x_tap[1]),
        w(job.x_tap[2]),
        streams(job.streams) {}

  const int64_t outputs, x_output_step, y_output_step;
  const int64_t taps_d, taps_h, taps_w;
  const int64_t d, h, w;  // distance of neighbouring taps
  const bool streams;
};

// Always with an array of requants, of which the only one is null where the job has none: then no
// kernel has a path, however unreachable, that reads through a null array.
HWY_INLINE ElementRules EdgeRules(const ElementRules& rules, const EdgeWindow& edge) {
  ElementRules result = rules;
  result.requants = &edge.requant;
  return result;
}

// kRows of the functions below: 0, or that there is one tap along D and so many along H.

// One vector of lanes (kPartial: the first `n` of them) over all outputs of the job.
template <class Op, bool kPartial>
class OneVector {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  OneVector(const WindowJob& job, int64_t lane, size_t n)
      : job_(job),
        steps_(job),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules),
        x_(static_cast<const T*>(job.x) + lane),
        y_(static_cast<Y*>(job.y) + lane),
        n_(n) {}

  // Every window by itself. False: the job is given up, see Reducer.
  HWY_INLINE bool Direct() const {
    const D d;
    S state = Reduce::Start(d);
    for (int64_t o = 0; o < steps_.outputs; ++o) {
      const T* p = x_ + o * steps_.x_output_step;
      V sum = hn::Zero(d);
      for (int64_t w = 0; w < steps_.taps_w; ++w) {
        const V v = Column<0>(p + w * steps_.w, state);
        sum = w == 0 ? v : Reduce::Combine(sum, v);
      }
      Put(o, sum, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  template <int kTaps, int kRows>
  HWY_INLINE bool Sliding(const Slide& slide) const {
    const D d;
    S state = Reduce::Start(d);
    const V zero = hn::Zero(d);
    V p1 = zero, p2 = zero, p3 = zero, p4 = zero, p5 = zero, p6 = zero;
    const int64_t total = slide.total, step = slide.step;
    int64_t complete = slide.taps - 1;  // the column that completes the next window
    int64_t o = 0;
    for (int64_t t = 0; t < total; ++t) {
      const V v = Column<kRows>(x_ + t * steps_.w, state);
      const V fold = Advance<kTaps, Reduce>(v, p1, p2, p3, p4, p5, p6);
      if (kTaps == 3 && t == 1 && job_.lead.exists) {
        state = PutEdge(job_, job_.lead, y_ - steps_.y_output_step, n_, p2, state);
      }
      if (t == complete) {
        Put(o++, fold, state);
        complete += step;
      }
    }
    if (kTaps == 3 && job_.trail.exists) {
      state = PutEdge(job_, job_.trail, y_ + o * steps_.y_output_step, n_, p2, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  HWY_INLINE V Load(const T* p) const {
    const D d;
    if (kPartial) return elem_.LoadN(d, p, n_, hn::Zero(d));
    return elem_.Load(d, p);
  }
  HWY_INLINE V Fresh(const T* p, S& state) const {
    V v = Load(p);
    if constexpr (!Reduce::kFoldTells) state = WatchLoaded<Reduce>(state, v);
    return v;
  }
  HWY_INLINE V Depth(const T* p, S& state) const {
    V acc = Fresh(p, state);
    for (int64_t d = 1; d < steps_.taps_d; ++d) {
      acc = Reduce::Combine(acc, Fresh(p + d * steps_.d, state));
    }
    return acc;
  }
  template <int kRows>
  HWY_INLINE V Column(const T* p, S& state) const {
    if constexpr (kRows > 0) {
      V acc = Fresh(p, state);
      if (kRows > 1) acc = Reduce::Combine(acc, Fresh(p + steps_.h, state));
      if (kRows > 2) acc = Reduce::Combine(acc, Fresh(p + 2 * steps_.h, state));
      return acc;
    }
    V acc = Depth(p, state);
    for (int64_t h = 1; h < steps_.taps_h; ++h) {
      acc = Reduce::Combine(acc, Depth(p + h * steps_.h, state));
    }
    return acc;
  }
  HWY_INLINE void Put(int64_t o, V acc, S& state) const {
    state = WatchFold<Reduce>(state, acc);
    PutTo(out_, y_ + o * steps_.y_output_step, n_, finish_.Apply(acc, state));
  }
  static HWY_INLINE void PutTo(const Out& out, Y* y, size_t n, V result) {
    const D d;
    if (kPartial) {
      out.StoreN(d, result, y, n);
    } else {
      out.Store(d, result, y);
    }
  }
  // Not a member that knows `this`, and the state by value: both would have to be in memory.
  static HWY_NOINLINE S PutEdge(const WindowJob& job, const EdgeWindow& edge, Y* y, size_t n, V acc,
                                S state) {
    const ElementRules rules = EdgeRules(job.rules, edge);
    const typename Op::EdgeFinish finish(edge.divisor, rules);
    state = WatchFold<Reduce>(state, acc);
    PutTo(Out(rules), y, n, finish.Apply(acc, state));
    return state;
  }

  const WindowJob& job_;
  const WindowSteps steps_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
  const T* const x_;
  Y* const y_;
  const size_t n_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
