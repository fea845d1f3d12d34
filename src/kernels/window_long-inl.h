// Large windows that share no work with their neighbours, lanes are channels of short pixels: row
// of taps by row of taps, each folded in registers. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_LONG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_LONG_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_LONG_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_LONG_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Fewer bytes of channels than this are no stream.
constexpr int64_t kShortStream = 512;

// Where registers hold the folds of so few channels that passes (window_passes-inl.h) are slower,
// docs/decisions/0055. Of floats, as passes.
template <class Op>
constexpr bool HasLongRows() {
  return !kManyRegisters && !kCompact && hwy::IsFloat<typename Op::Elem::Lane>();
}

// Between rows of taps the folds are in scratch. Levels of taps and steps as in WindowJob,
// innermost first.
template <class Op>
class LongRows {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

  static constexpr int64_t kMostBytes = sizeof(T) == 2 ? 768 : 1024;  // of a pixel
  static constexpr int64_t kManyTaps = 28;
  static constexpr int64_t kMostLanes = kMostBytes / static_cast<int64_t>(sizeof(T));

 public:
  // Pixels that are no stream take rows of many taps.
  static bool Fits(const WindowJob& job, const int64_t* taps) {
    const int64_t bytes = job.lanes * static_cast<int64_t>(sizeof(T));
    if (job.lanes <= 4 * static_cast<int64_t>(hn::Lanes(D())) || bytes > kMostBytes) return false;
    return bytes >= kShortStream || taps[0] >= kManyTaps;
  }

  // By an object of its own, which no store to y can change.
  static HWY_NOINLINE bool All(const WindowJob& job, const int64_t* taps, const int64_t* steps) {
    // The last vector of a level has a place of its own.
    HWY_ALIGN Lane kept[2][kMostLanes + HWY_MAX_LANES_D(D)];
    const D d;
    S state = Reduce::Start(d);
    const LongRows windows(job, taps, steps);
    for (int64_t row = 0; row == 0 || row < job.rows; ++row) {
      const T* x = static_cast<const T*>(job.x) + row * job.x_row_step;
      Y* y = static_cast<Y*>(job.y) + row * job.y_row_step;
      for (int64_t o = job.outputs; o != 0; --o) {
        windows.Window(x, y, kept[0], kept[1], state);
        x += job.x_output_step;
        y += job.y_output_step;
      }
    }
    return Reduce::Clean(d, state, job.divisor);
  }

 private:
  LongRows(const WindowJob& job, const int64_t* taps, const int64_t* steps)
      : taps_{taps[0], taps[1], taps[2]},
        steps_{steps[0], steps[1], steps[2]},
        lanes_(job.lanes),
        streams_(job.streams),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules) {}

  // Whether a row of taps begins, or ends, the fold of level 1 that it belongs to; and that, of
  // level 2.
  struct Place {
    bool first[2], last[2];
  };

  HWY_INLINE void Window(const T* x, Y* y, Lane* rows, Lane* planes, S& state) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    Place place;
    for (int64_t i = 0; i < taps_[2]; ++i) {
      place.first[1] = i == 0;
      place.last[1] = i + 1 == taps_[2];
      for (int64_t j = 0; j < taps_[1]; ++j) {
        place.first[0] = j == 0;
        place.last[0] = j + 1 == taps_[1];
        const T* const p = x + i * steps_[2] + j * steps_[1];
        int64_t lane = 0;
        const auto fold = [&](auto vectors, int64_t at) HWY_ATTR {
          Row<decltype(vectors)::value>(p + at, y + at, place, rows + lane, planes + lane, state);
        };
        for (; lane + 8 * n <= lanes_; lane += 8 * n) fold(Vectors<8>(), lane);
        for (; lane + 4 * n <= lanes_; lane += 4 * n) fold(Vectors<4>(), lane);
        for (; lane < lanes_; lane += n) fold(Vectors<1>(), HWY_MIN(lane, lanes_ - n));
      }
    }
  }
  template <int kVectors>
  using Vectors = std::integral_constant<int, kVectors>;

  template <int kVectors>
  HWY_INLINE void Row(const T* p, Y* y, const Place& place, Lane* rows, Lane* planes,
                      S& state) const {
    constexpr bool kEight = kVectors == 8;
    constexpr int kEach = kEight ? 4 : kVectors;
    const D d;
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(d)), step = steps_[0];
    V a = hn::Zero(d), b = a, c = a, e = a, a1 = a, b1 = a, c1 = a, e1 = a;
    LoadFour<Reduce, kEach>(elem_, d, p, a, b, c, e, state);
    if (kEight) LoadFour<Reduce, kEach>(elem_, d, p + four, a1, b1, c1, e1, state);
    HWY_UNROLL(7)
    for (int64_t t = taps_[0]; t > 1; --t) {
      p += step;
      AddFour<Reduce, kEach>(elem_, d, p, a, b, c, e, state);
      if (kEight) AddFour<Reduce, kEach>(elem_, d, p + four, a1, b1, c1, e1, state);
    }
    Lane* const kept[2] = {rows, planes};
    for (int level = 0; level < 2; ++level) {
      if (!place.first[level]) {
        Join<kEach>(kept[level], a, b, c, e);
        if (kEight) Join<kEach>(kept[level] + four, a1, b1, c1, e1);
      }
      if (place.last[level]) continue;
      KeepFour<kEach>(d, a, b, c, e, kept[level]);
      if (kEight) KeepFour<kEach>(d, a1, b1, c1, e1, kept[level] + four);
      return;
    }
    FinishAndPut<Reduce, kEach>(finish_, out_, streams_, d, a, b, c, e, y, state);
    if (!kEight) return;
    FinishAndPut<Reduce, kEach>(finish_, out_, streams_, d, a1, b1, c1, e1, y + four, state);
  }
  // What earlier rows have kept, and then a and so on.
  template <int kVectors>
  static HWY_INLINE void Join(const Lane* from, V& a, V& b, V& c, V& e) {
    V v = a, w = b, u = c, z = e;
    KeptFour<kVectors>(D(), from, v, w, u, z);
    CombineFour<Reduce, kVectors>(v, w, u, z, a, b, c, e);
    a = v, b = w, c = u, e = z;
  }

  const int64_t taps_[3], steps_[3];
  const int64_t lanes_;
  const bool streams_;
  const Elem elem_;
  const Out out_;
  const typename Op::Finish finish_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
