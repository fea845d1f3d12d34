// Windows that are long runs of contiguous lanes, one output each. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many bytes of accumulators as kRunWidth floats have, or kRunWidth wider ones.
template <class Lane>
constexpr int64_t RunWidth() {
  return sizeof(Lane) < 4 ? kRunWidth * 4 / static_cast<int64_t>(sizeof(Lane)) : kRunWidth;
}

// kRunWidth accumulators whatever the vector length, so that the order of additions is the same
// too. They are combined in halves: down to four for each output by itself, the rest and the
// division for a vector of outputs at once.
template <class Op>
class Run {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::CappedTag<Lane, static_cast<size_t>(RunWidth<Lane>() / 2)>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  using D4 = hn::CappedTag<Lane, 4>;

 public:
  explicit Run(const FoldRunJob& job)
      : job_(job), elem_(job.rules), out_(job.rules), finish_(job.divisor, job.rules) {}

  HWY_INLINE bool All() const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    HWY_ALIGN Lane fours[4 * HWY_MAX_LANES_D(D)];
    for (int64_t i = 0; i < 4 * n; ++i) fours[i] = 0;
    S state = Reduce::Start(d);
    for (int64_t o = 0; o < job_.outputs; o += n) {
      const int64_t count = HWY_MIN(n, job_.outputs - o);
      const T* x = static_cast<const T*>(job_.x) + o * job_.x_output_step;
      for (int64_t i = 0; i < count; ++i) {
        Fold(x + i * job_.x_output_step, fours + 4 * i, state);
      }
      V a, b, c, e;
      hn::LoadInterleaved4(d, fours, a, b, c, e);
      const V fold = Reduce::Combine(Reduce::Combine(a, c), Reduce::Combine(b, e));
      const V result = finish_.Apply(fold, state);
      Put(result, static_cast<Y*>(job_.y) + o * job_.y_output_step, count);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // Four accumulators of the output whose window begins at x.
  HWY_INLINE void Fold(const T* x, Lane* four, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    HWY_ALIGN Lane acc[static_cast<size_t>(RunWidth<Lane>())];
    int64_t width = RunWidth<Lane>();
    if (n >= 4 && job_.length <= n) {
      // The other accumulators would stay what they are.
      width = n;
      hn::Store(FoldShort(x, state), d, acc);
    } else {
      FoldLong(x, acc, state);
    }
    // Whole vectors while there are several, then ever smaller parts.
    for (; width > n && width > 4; width /= 2) {
      for (int64_t i = 0; i < width / 2; i += n) {
        hn::Store(Reduce::Combine(hn::Load(d, acc + i), hn::Load(d, acc + width / 2 + i)), d,
                  acc + i);
      }
    }
#if HWY_HAVE_SCALABLE
    const D4 d4;
    const int64_t n4 = static_cast<int64_t>(hn::Lanes(d4));
    for (; width > 4; width /= 2) {
      for (int64_t i = 0; i < width / 2; i += n4) {
        hn::Store(Reduce::Combine(hn::Load(d4, acc + i), hn::Load(d4, acc + width / 2 + i)), d4,
                  acc + i);
      }
    }
    for (int64_t i = 0; i < 4; i += n4) hn::Store(hn::Load(d4, acc + i), d4, four + i);
#else
    if constexpr (HWY_MAX_LANES_D(D) < 4) {
      for (int64_t i = 0; i < 4; i += n) hn::Store(hn::Load(d, acc + i), d, four + i);
    } else {
      Halve(d, hn::Load(d, acc), four);
    }
#endif
  }

  // Runs of one vector at most.
  HWY_INLINE V FoldShort(const T* x, S& state) const {
    V sum = Reduce::Identity(D());
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const T* row = x + depth * job_.x_tap[0];
      for (int64_t h = 0; h < job_.taps[1]; ++h, row += job_.x_tap[1]) {
        sum = Reduce::Combine(sum, Rest(row, 0, state));
      }
    }
    return sum;
  }

  HWY_INLINE void FoldLong(const T* x, Lane* acc, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    // Two vectors of accumulators at a time take their lanes of all rows.
    for (int64_t i = 0; i < RunWidth<Lane>(); i += 2 * n) {
      V even = Reduce::Identity(d);
      V odd = even;
      for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
        const T* row = x + depth * job_.x_tap[0];
        for (int64_t h = 0; h < job_.taps[1]; ++h, row += job_.x_tap[1]) {
          int64_t at = i;
          for (; at + 2 * n <= job_.length; at += RunWidth<Lane>()) {
            const V v = elem_.Load(d, row + at);
            const V w = elem_.Load(d, row + at + n);
            state = Reduce::Watch(state, v, w);
            even = Reduce::Combine(even, v);
            odd = Reduce::Combine(odd, w);
          }
          even = Reduce::Combine(even, Rest(row, at, state));
          odd = Reduce::Combine(odd, Rest(row, at + n, state));
        }
      }
      hn::Store(even, d, acc + i);
      hn::Store(odd, d, acc + i + n);
    }
  }

  // The vector at `at`, identity behind the end of the row.
  HWY_INLINE V Rest(const T* row, int64_t at, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t count = HWY_MIN(HWY_MAX(job_.length - at, 0), n);
    const V v = elem_.LoadN(d, row + at, static_cast<size_t>(count), Reduce::Identity(d));
    state = Reduce::Watch(state, v, v);
    return v;
  }

#if !HWY_HAVE_SCALABLE
  template <class DV>
  static HWY_INLINE void Halve(DV d, hn::VFromD<DV> v, Lane* four) {
    if constexpr (HWY_MAX_LANES_D(DV) <= 4) {
      hn::StoreU(v, d, four);
    } else {
      const hn::Half<DV> half;
      Halve(half, Reduce::Combine(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), four);
    }
  }
#endif

  // The first `count` lanes.
  HWY_INLINE void Put(V result, Y* y, int64_t count) const {
    const D d;
    if (job_.y_output_step == 1) {
      out_.StoreN(d, result, y, static_cast<size_t>(count));
      return;
    }
    HWY_ALIGN Y lanes[HWY_MAX_LANES_D(D)];
    out_.Store(d, result, lanes);
    for (int64_t i = 0; i < count; ++i) y[i * job_.y_output_step] = lanes[i];
  }

  const FoldRunJob& job_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
};

template <class Op>
bool FoldRun(const FoldRunJob& job) {
  return Run<Op>(job).All();
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
