// Large windows that share no work with their neighbours, lanes are channels: pass by pass over the
// channels, each for some taps of a row. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_PASSES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_PASSES_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_PASSES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_PASSES_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Taps of a pass at most; the second where taps lie whole pages apart, which all go to the same few
// places in a cache.
constexpr int64_t kPassTaps = 16;
constexpr int64_t kPagedTaps = 12;
constexpr int64_t kPageBytes = 4096;
// Bytes of scratch, and the lanes that it comes in: whole vectors of any length.
constexpr int64_t kPassBytes = 10 << 10;
constexpr int64_t kPassLanes = 64;

// What fetches ahead knows a stream of x by the instruction that loads it, so each tap of a pass
// has instructions of its own. Between passes the folds are in scratch. Levels of taps and steps as
// in WindowJob, innermost first.
template <class Op>
class Passes {
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
  // Whether windows share one of their two folds of the top level with the next.
  static bool Shares(const WindowJob& job, const int64_t* taps, const int64_t* steps) {
    const int top = TopLevel(taps);
    return job.outputs > 1 && taps[top] == 2 && job.x_output_step == steps[top];
  }

  // Windows of at least a vector of channels. By an object of its own, which no store to y can
  // change.
  static HWY_NOINLINE bool All(const WindowJob& job, const int64_t* taps, const int64_t* steps) {
    const D d;
    S state = Reduce::Start(d);
    const Passes passes(job, taps, steps);
    for (int64_t row = 0; row == 0 || row < job.rows; ++row) {
      passes.Row(static_cast<const T*>(job.x) + row * job.x_row_step,
                 static_cast<Y*>(job.y) + row * job.y_row_step, state);
    }
    return Reduce::Clean(d, state, job.divisor);
  }

 private:
  Passes(const WindowJob& job, const int64_t* taps, const int64_t* steps)
      : job_(job),
        taps_(taps),
        steps_(steps),
        elem_(job.rules),
        out_(job.rules),
        finish_(job.divisor, job.rules) {}

  static int TopLevel(const int64_t* taps) { return taps[2] > 1 ? 2 : 1; }

  // A row of windows.
  HWY_INLINE void Row(const T* x, Y* y, S& state) const {
    constexpr int64_t kScratch = kPassBytes / static_cast<int64_t>(sizeof(Lane));
    // The last vectors of each level have scratch of their own.
    HWY_ALIGN Lane scratch[kScratch + 3 * HWY_MAX_LANES_D(D)];
    const int64_t step_bytes = steps_[0] * static_cast<int64_t>(sizeof(T));
    const int64_t limit = step_bytes % kPageBytes == 0 ? kPagedTaps : kPassTaps;
    const int64_t passes = (taps_[0] + limit - 1) / limit;
    const int64_t most = (taps_[0] + passes - 1) / passes;  // not many in one and few in the next
    const bool saves[3] = {passes > 1, taps_[1] > 1, taps_[2] > 1};
    const int64_t levels = HWY_MAX(saves[0] + saves[1] + saves[2], 1);
    const int64_t block = kScratch / levels / kPassLanes * kPassLanes;
    Pass pass;
    Lane* free = scratch;
    for (int level = 0; level < 3; ++level) {
      pass.saved[level] = free;
      if (saves[level]) free += block + HWY_MAX_LANES_D(D);
    }
    // All at once, if each shares a fold with the next.
    const bool shares = Shares(job_, taps_, steps_);
    pass.shared = shares ? TopLevel(taps_) : 0;
    for (int level = 1; level < 3; ++level) {
      pass.folds[level] = level == pass.shared ? job_.outputs + 1 : taps_[level];
    }
    for (int64_t o = shares ? 1 : job_.outputs; o != 0; --o) {
      for (int64_t lane = 0; lane < job_.lanes; lane += block) {
        const int64_t lanes = HWY_MIN(block, job_.lanes - lane);
        Window(x + lane, y + lane, lanes, most, &pass, state);
      }
      x += job_.x_output_step;
      y += job_.y_output_step;
    }
  }

  // Vectors side by side.
  enum Width { kSixteen, kFour, kOne };

  // first[i] and last[i]: whether its taps begin, or end, the fold of level i that they belong to,
  // which waits in saved[i] for the next pass. A level has so many folds of the level below it;
  // those of level `shared`, if not 0, end one window and begin the next.
  struct Pass {
    const T* x;
    int64_t taps;
    int shared;
    int64_t folds[3];
    bool first[3], last[3];
    Lane* saved[3];
  };

  // A window, or all that share. `most`: taps of a pass.
  HWY_INLINE void Window(const T* x, Y* y, int64_t lanes, int64_t most, Pass* pass,
                         S& state) const {
    const auto set = [&](int level, int64_t fold) HWY_ATTR {
      pass->first[level] = fold == 0;
      pass->last[level] = level == pass->shared ? fold != 0 : fold + 1 == pass->folds[level];
    };
    for (int64_t i = 0; i < pass->folds[2]; ++i) {
      set(2, i);
      for (int64_t j = 0; j < pass->folds[1]; ++j) {
        set(1, j);
        for (int64_t t = 0; t < taps_[0]; t += most) {
          pass->first[0] = t == 0;
          pass->last[0] = t + most >= taps_[0];
          pass->taps = HWY_MIN(most, taps_[0] - t);
          pass->x = x + i * steps_[2] + j * steps_[1] + t * steps_[0];
          Channels(*pass, y, lanes, state);
        }
        if (pass->shared == 1 && j != 0) y += job_.y_output_step;
      }
      if (pass->shared == 2 && i != 0) y += job_.y_output_step;
    }
  }

  HWY_INLINE void Channels(const Pass& pass, Y* y, int64_t lanes, S& state) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    int64_t lane = 0;
    if constexpr (kManyRegisters) {
      for (; !job_.by_lines && lane + 16 * n <= lanes; lane += 16 * n)
        Fold<kSixteen>(pass, lane, lane, y, state);
    }
    for (; lane + 4 * n <= lanes; lane += 4 * n) Fold<kFour>(pass, lane, lane, y, state);
    // The last vector overlaps the one before; what it saves has a place of its own.
    for (; lane < lanes; lane += n) Fold<kOne>(pass, HWY_MIN(lane, lanes - n), lane, y, state);
  }

  // The vectors of channels from `lane` on. `place`: of what is saved.
  template <Width kWidth>
  HWY_INLINE void Fold(const Pass& pass, int64_t lane, int64_t place, Y* y, S& state) const {
    constexpr int kEach = kWidth == kOne ? 1 : 4;
    const D d;
    const int64_t four = 4 * static_cast<int64_t>(hn::Lanes(d)), step = steps_[0];
    V a = hn::Zero(d), b = a, c = a, e = a, a1 = a, b1 = a, c1 = a, e1 = a;
    V a2 = a, b2 = a, c2 = a, e2 = a, a3 = a, b3 = a, c3 = a, e3 = a;
    const auto each = [&](const auto& quad) HWY_ATTR __attribute__((always_inline)) {
      EachFour<kWidth == kSixteen>(quad, four, a, b, c, e, a1, b1, c1, e1, a2, b2, c2, e2, a3, b3,
                                   c3, e3);
    };
    const T* p = pass.x + lane;
    const auto join = [&](Lane* from, bool saves) HWY_ATTR __attribute__((always_inline)) {
      each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR
           __attribute__((always_inline)) { Join<kEach>(from + at, saves, v, w, u, z); });
    };
    const auto save = [&](Lane* to) HWY_ATTR __attribute__((always_inline)) {
      each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR
           __attribute__((always_inline)) { KeepFour<kEach>(d, v, w, u, z, to + at); });
    };
    const auto next = [&]() HWY_ATTR __attribute__((always_inline)) {
      p += step;
      each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR __attribute__((always_inline)) {
        AddFour<Reduce, kEach>(elem_, d, p + at, v, w, u, z, state);
      });
    };
    each([&](int64_t at, V& v, V& w, V& u, V& z) HWY_ATTR __attribute__((always_inline)) {
      LoadFour<Reduce, kEach>(elem_, d, p + at, v, w, u, z, state);
    });
    // A fold continues in the order of its taps.
    if (!pass.first[0]) join(pass.saved[0] + place, false);
    HWY_UNROLL(kPassTaps)
    for (int64_t t = 1; t < kPassTaps; ++t) {
      if (t == pass.taps) break;
      next();
    }
    if (!pass.last[0]) return save(pass.saved[0] + place);
    for (int level = 1; level < 3; ++level) {
      if (!pass.first[level]) join(pass.saved[level] + place, level == pass.shared);
      if (!pass.last[level]) return save(pass.saved[level] + place);
    }
    each([&](int64_t at, V v, V w, V u, V z) HWY_ATTR __attribute__((always_inline)) {
      FinishAndPut<Reduce, kEach>(finish_, out_, job_.streams, d, v, w, u, z, y + lane + at, state);
    });
  }

  // What an earlier pass has saved, and then a and so on. `saves`: those take its place.
  template <int kVectors>
  static HWY_INLINE void Join(Lane* from, bool saves, V& a, V& b, V& c, V& e) {
    V v = a, w = b, u = c, z = e;
    KeptFour<kVectors>(D(), from, v, w, u, z);
    if (saves) KeepFour<kVectors>(D(), a, b, c, e, from);
    CombineFour<Reduce, kVectors>(v, w, u, z, a, b, c, e);
    a = v, b = w, c = u, e = z;
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
