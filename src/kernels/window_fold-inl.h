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

#include "compiled_in.h"
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

// Shorter vectors where a whole one would be masked: loading a part of short elements takes long.
template <class Elem>
using ShortTag = hn::CappedTag<typename Elem::Lane, 16 / sizeof(typename Elem::Lane)>;

template <class Op, class D>
class DirectFold {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
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
      state = Rows<true>(state);
    } else if (one_axis) {
      state = RowsOfOneAxis(state);
    } else {
      state = Rows<false>(state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  // There are taps along W only. The last vectors overlap those before.
  HWY_INLINE S RowsOfOneAxis(S state) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D())), lanes = job_.lanes;
    const int64_t taps = job_.taps[2], step = job_.x_tap[2];
    if (!kCompact && lanes <= 2 * n && taps == 2) return ShortRows<2>(state);
    if (!kCompact && lanes <= 2 * n && taps == 3) return ShortRows<3>(state);
    const T* x = static_cast<const T*>(job_.x);
    Lane* y = static_cast<Lane*>(job_.y);
    for (int64_t o = job_.outputs; o != 0; --o) {
      for (int64_t lane = 0; lane < lanes; lane += 2 * n) {
        const int64_t at = HWY_MIN(lane, lanes - n);
        const int64_t next = HWY_MIN(n, lanes - n - at);
        const T* p = x + at;
        V a, b;
        LoadTwo(p, next, a, b, state);
        for (int64_t t = 1; t < taps; ++t) {
          p += step;
          AddTwo(p, next, a, b, state);
        }
        StoreTwo(a, b, y + at, next);
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }
  // Rows of one or two vectors, windows of kTaps taps.
  template <int kTaps>
  HWY_INLINE S ShortRows(S state) const {
    const int64_t step = job_.x_tap[2], next = job_.lanes - static_cast<int64_t>(hn::Lanes(D()));
    const int64_t x_step = job_.x_output_step, y_step = job_.y_output_step;
    const T* x = static_cast<const T*>(job_.x);
    Lane* y = static_cast<Lane*>(job_.y);
    for (int64_t o = job_.outputs; o != 0; --o) {
      V a, b;
      LoadTwo(x, next, a, b, state);
      AddTwo(x + step, next, a, b, state);
      if (kTaps > 2) AddTwo(x + 2 * step, next, a, b, state);
      StoreTwo(a, b, y, next);
      x += x_step;
      y += y_step;
    }
    return state;
  }

  HWY_INLINE void LoadTwo(const T* p, int64_t next, V& a, V& b, S& state) const {
    const D d;
    a = elem_.Load(d, p);
    b = elem_.Load(d, p + next);
    state = WatchLoaded<Reduce>(state, a, b);
  }
  HWY_INLINE void AddTwo(const T* p, int64_t next, V& a, V& b, S& state) const {
    V v, w;
    LoadTwo(p, next, v, w, state);
    a = Reduce::Combine(a, v);
    b = Reduce::Combine(b, w);
  }
  static HWY_INLINE void StoreTwo(V a, V b, Lane* y, int64_t next) {
    const D d;
    hn::StoreU(a, d, y);
    hn::StoreU(b, d, y + next);
  }

  // Any taps, four vectors at a time, the last of which overlap. kPartial: one, less than whole.
  template <bool kPartial>
  HWY_INLINE S Rows(S state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    const T* x = static_cast<const T*>(job_.x);
    Lane* y = static_cast<Lane*>(job_.y);
    for (int64_t o = job_.outputs; o != 0; --o) {
      for (int64_t lane = 0; lane < lanes; lane += kPartial ? n : 4 * n) {
        const int64_t at = kPartial ? 0 : HWY_MIN(lane, lanes - n);
        const int64_t most = kPartial ? 0 : lanes - n - at;
        Fold<kPartial>(x + at, y + at, HWY_MIN(n, most), HWY_MIN(2 * n, most), HWY_MIN(3 * n, most),
                       state);
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
    return state;
  }

  // The vectors at x and, unless they are partial, second, third and fourth lanes on.
  template <bool kPartial>
  HWY_INLINE void Fold(const T* x, Lane* y, int64_t second, int64_t third, int64_t fourth,
                       S& state) const {
    const D d;
    const V zero = hn::Zero(d);
    V a = zero, b = zero, c = zero, e = zero;
    V a1 = zero, b1 = zero, c1 = zero, e1 = zero;
    V a2 = zero, b2 = zero, c2 = zero, e2 = zero;
    const auto join = [](bool first, V& to, V v)
                          HWY_ATTR { to = first ? v : Reduce::Combine(to, v); };
    for (int64_t w = 0; w < job_.taps[2]; ++w) {
      for (int64_t h = 0; h < job_.taps[1]; ++h) {
        const T* p = x + w * job_.x_tap[2] + h * job_.x_tap[1];
        for (int64_t i = 0; i < job_.taps[0]; ++i, p += job_.x_tap[0]) {
          join(i == 0, a2, Load<kPartial>(p, state));
          if constexpr (kPartial) continue;
          join(i == 0, b2, Load<kPartial>(p + second, state));
          join(i == 0, c2, Load<kPartial>(p + third, state));
          join(i == 0, e2, Load<kPartial>(p + fourth, state));
        }
        join(h == 0, a1, a2);
        if constexpr (kPartial) continue;
        join(h == 0, b1, b2);
        join(h == 0, c1, c2);
        join(h == 0, e1, e2);
      }
      join(w == 0, a, a1);
      if constexpr (kPartial) continue;
      join(w == 0, b, b1);
      join(w == 0, c, c1);
      join(w == 0, e, e1);
    }
    if constexpr (kPartial) {
      hn::StoreN(a, d, y, static_cast<size_t>(job_.lanes));
    } else {
      hn::StoreU(a, d, y);
      hn::StoreU(b, d, y + second);
      hn::StoreU(c, d, y + third);
      hn::StoreU(e, d, y + fourth);
    }
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
    state = WatchLoaded<Reduce>(state, v);
    return v;
  }

  const WindowJob& job_;
  const Elem elem_;
};

template <class Op>
bool DirectFolds(const WindowJob& job) {
  using Elem = typename Op::Elem;
  const hn::ScalableTag<typename Elem::Lane> d;
  const ShortTag<Elem> d_short;
  // Without masks, loads and stores of a part of a vector take long.
  constexpr bool kLacksMasks = HWY_MAX_LANES_D(decltype(d)) * sizeof(typename Elem::Lane) == 32;
  if constexpr (sizeof(typename Elem::Memory) <= 2 || kLacksMasks) {
    const bool is_short = job.lanes < static_cast<int64_t>(hn::Lanes(d)) &&
                          job.lanes >= static_cast<int64_t>(hn::Lanes(d_short));
    if (is_short) return DirectFold<Op, decltype(d_short)>(job).All();
  }
  return DirectFold<Op, decltype(d)>(job).All();
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
