// Windows that share no work with their neighbours and stay folds: row by row, in the order of
// memory. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_FOLD_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_FOLD_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_FOLD_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether the results of an op are its folds.
template <class Op>
constexpr bool IsFold() {
  return !Op::kWide && std::is_same<typename Op::Finish, Unfinished>::value &&
         std::is_same<typename Op::Out, LaneOf<typename Op::Elem>>::value;
}

template <class Op>
class DirectFold {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  explicit DirectFold(const WindowJob& job) : job_(job), elem_(job.rules) {}

  HWY_INLINE bool All() const {
    const D d;
    S state = Reduce::Start(d);
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const bool one_axis = job_.taps[0] == 1 && job_.taps[1] == 1;
    if (job_.lanes < n) {
      state = Rows<false, true>(state);
    } else if (one_axis) {
      state = Rows<true, false>(state);
    } else {
      state = Rows<false, false>(state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // kPartial: less than a vector of lanes.
  template <bool kOneAxis, bool kPartial>
  HWY_INLINE S Rows(S state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    const int64_t taps = job_.taps[2], step = job_.x_tap[2];
    const T* x = static_cast<const T*>(job_.x);
    Lane* y = static_cast<Lane*>(job_.y);
    for (int64_t o = job_.outputs; o != 0; --o) {
      // The last vector overlaps the one before.
      int64_t lane = 0;
      if constexpr (kOneAxis) {
        for (; lane + 2 * n <= lanes; lane += 2 * n) {
          const T* p = x + lane;
          V a = Load<false>(p, state), b = Load<false>(p + n, state);
          for (int64_t t = 1; t < taps; ++t) {
            p += step;
            a = Reduce::Combine(a, Load<false>(p, state));
            b = Reduce::Combine(b, Load<false>(p + n, state));
          }
          hn::StoreU(a, d, y + lane);
          hn::StoreU(b, d, y + lane + n);
        }
      }
      for (; lane < lanes; lane += n) {
        const int64_t at = kPartial ? 0 : HWY_MIN(lane, lanes - n);
        const T* p = x + at;
        V acc = Column<kOneAxis, kPartial>(p, state);
        for (int64_t t = 1; t < taps; ++t) {
          p += step;
          acc = Reduce::Combine(acc, Column<kOneAxis, kPartial>(p, state));
        }
        if (kPartial) {
          hn::StoreN(acc, d, y, static_cast<size_t>(lanes));
        } else {
          hn::StoreU(acc, d, y + at);
        }
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }

  template <bool kOneAxis, bool kPartial>
  HWY_INLINE V Column(const T* p, S& state) const {
    if constexpr (kOneAxis) return Load<kPartial>(p, state);
    V acc = Depth<kPartial>(p, state);
    for (int64_t h = 1; h < job_.taps[1]; ++h) {
      acc = Reduce::Combine(acc, Depth<kPartial>(p + h * job_.x_tap[1], state));
    }
    return acc;
  }
  template <bool kPartial>
  HWY_INLINE V Depth(const T* p, S& state) const {
    V acc = Load<kPartial>(p, state);
    for (int64_t i = 1; i < job_.taps[0]; ++i) {
      acc = Reduce::Combine(acc, Load<kPartial>(p + i * job_.x_tap[0], state));
    }
    return acc;
  }
  template <bool kPartial>
  HWY_INLINE V Load(const T* p, S& state) const {
    const D d;
    V v = hn::Zero(d);
    if constexpr (kPartial) {
      v = elem_.LoadN(d, p, static_cast<size_t>(job_.lanes), v);
    } else {
      v = elem_.Load(d, p);
    }
    state = Reduce::Watch(state, v, v);
    return v;
  }

  const WindowJob& job_;
  const Elem elem_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
