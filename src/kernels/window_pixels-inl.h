// Sums of bytes in windows of many taps that share none of them, in lanes of 32 bits. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_PIXELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_PIXELS_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_PIXELS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_PIXELS_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/slide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Pairs of bytes are added as SumsOfPairs does, as many as 16 bits hold the sums of, then as lanes
// of 32 bits. Pixels of less than a vector follow each other: some of them are one tap of more
// lanes, and what they add up to is added in the end.
class SumsOfPixels {
  static constexpr int64_t kMostBytes = 64;  // of a vector
  static constexpr int64_t kLeastTaps = 16;
  using D8 = hn::CappedTag<uint8_t, kMostBytes>;
  using D = hn::RepartitionToWide<D8>;
  using D32 = hn::RepartitionToWide<D>;
  using V8 = hn::VFromD<D8>;
  using V = hn::VFromD<D>;

 public:
  // Whether the job is one for this: what follows the taps must pay.
  static bool Fits(const WindowJob& job) {
    if (job.taps[0] * job.taps[1] * job.taps[2] < kLeastTaps) return false;
    Slide slide;
    if (job.outputs > 1 && job.taps[2] > 1 &&
        Slide::Make(job.outputs, job.taps[2], job.x_output_step, job.x_tap[2], &slide)) {
      return false;
    }
    return job.lanes >= Bytes() || RunOf(job).step == job.lanes;
  }

  explicit SumsOfPixels(const WindowJob& job) : job_(job), flip_(job.rules.x_flip) {
    const int64_t n = Bytes();
    Run run = RunOf(job);
    int64_t last = (job.outputs - 1) * job.x_output_step + (run.taps - 1) * run.step + job.lanes;
    for (int level = run.levels; level < 3; ++level) {
      taps_[level - 1] = job.taps[level];
      tap_[level - 1] = job.x_tap[level];
      last += (job.taps[level] - 1) * job.x_tap[level];
    }
    end_ = static_cast<const uint8_t*>(job.x) + last;
    step_ = run.step;
    steps_ = run.taps;
    if (job.lanes >= n) return;
    const int64_t bytes = run.taps * run.step;
    two_ = bytes > n && (bytes <= 2 * n || n % job.lanes > n / 4);
    together_ = HWY_MIN(run.taps, (two_ ? 2 : 1) * n / job.lanes);
    bytes_ = step_ = together_ * job.lanes;
    steps_ = run.taps / together_;
    rest_ = bytes % step_;
    if (bytes > step_) return;
    // Runs of one tap make one run.
    const int level = taps_[0] > 1 ? 0 : 1;
    steps_ = taps_[level];
    step_ = tap_[level];
    taps_[level] = 1;
  }

  void All() const {
    const uint8_t* x = static_cast<const uint8_t*>(job_.x);
    uint32_t* y = static_cast<uint32_t*>(job_.y);
    for (int64_t o = 0; o < job_.outputs; ++o, x += job_.x_output_step, y += job_.y_output_step) {
      if (job_.lanes < Bytes()) {
        Pixels(x, y);
      } else {
        Channels(x, y);
      }
    }
  }

 private:
  // The first taps of a window that follow each other at one distance, of so many of its levels.
  struct Run {
    int64_t taps, step;
    int levels;
  };

  static int64_t Bytes() { return static_cast<int64_t>(hn::Lanes(D8())); }
  static Run RunOf(const WindowJob& job) {
    Run run = {job.taps[0], job.x_tap[0], 1};
    for (; run.levels < 3; ++run.levels) {
      const int64_t taps = job.taps[run.levels], step = job.x_tap[run.levels];
      if (run.taps == 1) run.step = step;
      if (taps > 1 && step != run.taps * run.step) break;
      run.taps *= taps;
    }
    return run;
  }

  void Channels(const uint8_t* x, uint32_t* y) const {
    const int64_t n = Bytes(), lanes = job_.lanes;
    int64_t lane = 0;
    for (; lane + 2 * n <= lanes; lane += 2 * n) Sum<true>(x + lane, y + lane);
    for (; lane < lanes; lane += n) {
      const int64_t from = HWY_MIN(lane, lanes - n);
      Sum<false>(x + from, y + from);
    }
  }
  void Pixels(const uint8_t* x, uint32_t* y) const {
    const D32 d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job_.lanes;
    HWY_ALIGN uint32_t sums[2 * kMostBytes + HWY_MAX_LANES_D(D32)];
    if (two_) {
      Sum<true>(x, sums);
    } else {
      Sum<false>(x, sums);
    }
    for (int64_t lane = 0; lane < lanes; lane += n) {
      const uint32_t* p = sums + lane;
      auto sum = hn::LoadU(d, p);
      for (int64_t i = 1; i < together_; ++i) sum = hn::Add(sum, hn::LoadU(d, p += lanes));
      hn::StoreN(sum, d, y + lane, static_cast<size_t>(HWY_MIN(n, lanes - lane)));
    }
  }

  // Of one vector of lanes, or two.
  template <bool kTwo>
  HWY_NOINLINE void Sum(const uint8_t* x, uint32_t* sums) const {
    const D8 d8;
    const int64_t n = Bytes();
    V a = hn::Zero(D()), b = a, upper_a = a, upper_b = a;
    int64_t room = kMostTaps16;
    bool first = true;
    const auto keep = [&]() HWY_ATTR {
      HWY_ALIGN uint16_t parts[4 * HWY_MAX_LANES_D(D)];
      Split(a, upper_a, parts);
      if (kTwo) Split(b, upper_b, parts + n);
      Keep(parts, kTwo ? 2 : 1, first, sums);
      a = b = upper_a = upper_b = hn::Zero(D());
      room = kMostTaps16;
      first = false;
    };
    for (int64_t outer = 0; outer < taps_[1]; ++outer) {
      for (int64_t inner = 0; inner < taps_[0]; ++inner) {
        const uint8_t* p = x + outer * tap_[1] + inner * tap_[0];
        const int64_t inside = Inside(p, kTwo ? 2 * n : n);
        for (int64_t left = inside; left > 0;) {
          const int64_t some = HWY_MIN(left, room);
          for (int64_t i = 0; i < some; ++i, p += step_) {
            Add(hn::LoadU(d8, p), a, upper_a);
            if (kTwo) Add(hn::LoadU(d8, p + n), b, upper_b);
          }
          left -= some;
          room -= some;
          if (room == 0) keep();
        }
        for (int64_t left = steps_ - inside; left >= 0; --left, p += step_) {
          const int64_t bytes = left > 0 ? bytes_ : rest_;
          if (bytes == 0) break;
          AddPart(p, bytes, a, upper_a);
          if (kTwo) AddPart(p + n, bytes - n, b, upper_b);
          if (--room == 0) keep();
        }
      }
    }
    if (room < kMostTaps16) keep();
  }

  // How many whole steps from p on may be loaded as so many bytes.
  HWY_INLINE int64_t Inside(const uint8_t* p, int64_t bytes) const {
    const int64_t room = end_ - p - bytes;
    if (together_ == 0 || room >= (steps_ - 1) * step_) return steps_;
    return room < 0 ? 0 : room / step_ + 1;
  }

  HWY_INLINE V8 Flipped(V8 v) const { return flip_ == 0 ? v : hn::Xor(v, hn::Set(D8(), flip_)); }
  static HWY_INLINE void AddBytes(V8 bytes, V& all, V& upper) {
    const V pairs = WideLanes(D(), bytes);
    all = hn::Add(all, pairs);
    upper = hn::Add(upper, hn::ShiftRight<8>(pairs));
  }
  HWY_INLINE void Add(V8 bytes, V& all, V& upper) const { AddBytes(Flipped(bytes), all, upper); }
  // `count` bytes, maybe none, or more than there are in a vector.
  HWY_INLINE void AddPart(const uint8_t* p, int64_t count, V& all, V& upper) const {
    const D8 d8;
    if (count <= 0) return;
    const size_t some = static_cast<size_t>(HWY_MIN(count, Bytes()));
    const V8 bytes = end_ - p >= Bytes() ? hn::LoadU(d8, p) : LoadBytes(d8, p, some);
    AddBytes(hn::IfThenElseZero(hn::FirstN(d8, some), Flipped(bytes)), all, upper);
  }

  // The lower and the upper bytes.
  static HWY_INLINE void Split(V all, V upper, uint16_t* parts) {
    const D d;
    hn::Store(hn::Sub(all, hn::ShiftLeft<8>(upper)), d, parts);
    hn::Store(upper, d, parts + hn::Lanes(d));
  }
  // What Split made of some vectors, in the order of bytes, to `sums`, or to what is there. Takes
  // no vectors: to return with upper halves in use makes the code of others slow.
  static HWY_NOINLINE void Keep(const uint16_t* parts, int64_t vectors, bool first,
                                uint32_t* sums) {
    const D d;
    const D32 d32;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d32));
    const auto keep = [&](auto v) HWY_ATTR {
      hn::StoreU(first ? v : hn::Add(v, hn::LoadU(d32, sums)), d32, sums);
      sums += n;
    };
    for (; vectors > 0; --vectors, parts += 4 * n) {
      const V lower = hn::Load(d, parts), upper = hn::Load(d, parts + 2 * n);
      const V before = hn::InterleaveWholeLower(d, lower, upper);
      const V behind = hn::InterleaveWholeUpper(d, lower, upper);
      keep(hn::PromoteLowerTo(d32, before));
      keep(hn::PromoteUpperTo(d32, before));
      keep(hn::PromoteLowerTo(d32, behind));
      keep(hn::PromoteUpperTo(d32, behind));
    }
  }

  const WindowJob& job_;
  const uint8_t flip_;
  bool two_ = false;
  int64_t together_ = 0;  // pixels of a tap; 0: vectors of channels
  int64_t bytes_ = 0;     // of a tap, and of what is behind the taps of a run
  int64_t rest_ = 0;
  int64_t step_, steps_;      // of a run
  int64_t taps_[2] = {1, 1};  // of runs
  int64_t tap_[2] = {};
  const uint8_t* end_;  // of what may be read
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
