// Single windows of many taps over channels of bytes. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_BYTES_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_BYTES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_BYTES_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Pairs of bytes are added as lanes of 16 bits, and their upper bytes once more by themselves. What
// the lanes lose when they wrap does not matter: the lower bytes have the sum of all less 256 times
// that of the upper ones, which fits 16 bits.
class SumsOfPairs {
  using D = hn::ScalableTag<uint16_t>;
  using D8 = hn::Repartition<uint8_t, D>;
  using V = hn::VFromD<D>;

 public:
  // Whether the job is one for this: the split of two bytes at the end must pay.
  static bool Fits(const WindowJob& job) {
    return job.outputs == 1 && job.lanes >= static_cast<int64_t>(hn::Lanes(D8())) &&
           job.taps[0] * job.taps[1] * job.taps[2] >= 16;
  }

  explicit SumsOfPairs(const WindowJob& job)
      : job_(job), flip_(job.rules.x_flip), out_(job.rules) {}

  void Run() const {
    const D8 d8;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d8));
    int64_t lane = 0;
    if constexpr (kManyRegisters) {
      for (; job_.by_fours && lane + 8 * n <= job_.lanes; lane += 8 * n) Eight(lane);
    }
    if constexpr (!kSparesInstructions) {
      for (; !job_.by_fours && lane + 8 * n <= job_.lanes; lane += 4 * n) Four<true>(lane);
    }
    for (; lane + 4 * n <= job_.lanes; lane += 4 * n) Four<false>(lane);
    for (; lane < job_.lanes; lane += n) One(HWY_MIN(lane, job_.lanes - n));
  }

 private:
  // Calls add(address) for all taps.
  template <class Add>
  HWY_INLINE void ForTaps(int64_t lane, const Add& add) const {
    const uint8_t* x = static_cast<const uint8_t*>(job_.x) + lane;
    const int64_t taps_d = job_.taps[0], taps_h = job_.taps[1], taps_w = job_.taps[2];
    const int64_t step_d = job_.x_tap[0], step_h = job_.x_tap[1], step_w = job_.x_tap[2];
    for (int64_t d = 0; d < taps_d; ++d) {
      for (int64_t h = 0; h < taps_h; ++h) {
        const uint8_t* p = x + d * step_d + h * step_h;
        for (int64_t w = 0; w < taps_w; ++w, p += step_w) add(p);
      }
    }
  }
  HWY_INLINE void Add(const uint8_t* p, V& all, V& upper) const {
    const D8 d8;
    auto bytes = hn::LoadU(d8, p);
    if (!kSparesInstructions || flip_ != 0) bytes = hn::Xor(bytes, hn::Set(d8, flip_));
    const V pairs = WideLanes(D(), bytes);
    all = hn::Add(all, pairs);
    upper = hn::Add(upper, hn::ShiftRight<8>(pairs));
  }
  // The lower and the upper bytes of vector number `i`.
  HWY_INLINE void Keep(int64_t i, V all, V upper, uint16_t* sums) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    hn::Store(hn::Sub(all, hn::ShiftLeft<8>(upper)), d, sums + 2 * i * n);
    hn::Store(upper, d, sums + (2 * i + 1) * n);
  }
  HWY_INLINE void Put(int64_t vectors, uint16_t* sums, int64_t lane) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    uint8_t* y = static_cast<uint8_t*>(job_.y) + lane;
    RequantAll(*job_.rules.requants[0], sums, 2 * vectors * n);
    for (int64_t i = 0; i < 2 * vectors * n; i += 2 * n) {
      out_.Store2(d, hn::Load(d, sums + i), hn::Load(d, sums + i + n), y + i);
    }
  }

  HWY_NOINLINE void One(int64_t lane) const {
    HWY_ALIGN uint16_t sums[2 * HWY_MAX_LANES_D(D)];
    V all = hn::Zero(D()), upper = all;
    ForTaps(lane, [&](const uint8_t* p) HWY_ATTR { Add(p, all, upper); });
    Keep(0, all, upper, sums);
    Put(1, sums, lane);
  }
  // See WindowJob::by_fours.
  HWY_NOINLINE void Eight(int64_t lane) const {
    HWY_ALIGN uint16_t sums[16 * HWY_MAX_LANES_D(D)];
    const int64_t n = static_cast<int64_t>(hn::Lanes(D8()));
    const V zero = hn::Zero(D());
    V a = zero, b = zero, c = zero, e = zero, a1 = zero, b1 = zero, c1 = zero, e1 = zero;
    V upper_a = zero, upper_b = zero, upper_c = zero, upper_e = zero;
    V upper_a1 = zero, upper_b1 = zero, upper_c1 = zero, upper_e1 = zero;
    ForTaps(lane, [&](const uint8_t* p) HWY_ATTR {
      Add(p, a, upper_a);
      Add(p + n, b, upper_b);
      Add(p + 2 * n, c, upper_c);
      Add(p + 3 * n, e, upper_e);
      Add(p + 4 * n, a1, upper_a1);
      Add(p + 5 * n, b1, upper_b1);
      Add(p + 6 * n, c1, upper_c1);
      Add(p + 7 * n, e1, upper_e1);
    });
    Keep(0, a, upper_a, sums);
    Keep(1, b, upper_b, sums);
    Keep(2, c, upper_c, sums);
    Keep(3, e, upper_e, sums);
    Keep(4, a1, upper_a1, sums);
    Keep(5, b1, upper_b1, sums);
    Keep(6, c1, upper_c1, sums);
    Keep(7, e1, upper_e1, sums);
    Put(8, sums, lane);
  }
  // kAhead: there are four more vectors, which are fetched meanwhile.
  template <bool kAhead>
  HWY_NOINLINE void Four(int64_t lane) const {
    HWY_ALIGN uint16_t sums[8 * HWY_MAX_LANES_D(D)];
    const int64_t n = static_cast<int64_t>(hn::Lanes(D8()));
    const V zero = hn::Zero(D());
    V a = zero, b = zero, c = zero, e = zero;
    V upper_a = zero, upper_b = zero, upper_c = zero, upper_e = zero;
    ForTaps(lane, [&](const uint8_t* p) HWY_ATTR {
      Add(p, a, upper_a);
      Add(p + n, b, upper_b);
      Add(p + 2 * n, c, upper_c);
      Add(p + 3 * n, e, upper_e);
      if (kAhead) {
        for (int64_t i = 4 * n; i < 8 * n; i += 64) hwy::Prefetch(p + i);
      }
    });
    Keep(0, a, upper_a, sums);
    Keep(1, b, upper_b, sums);
    Keep(2, c, upper_c, sums);
    Keep(3, e, upper_e, sums);
    Put(4, sums, lane);
  }

  const WindowJob& job_;
  const uint8_t flip_;
  const OutByte16 out_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
