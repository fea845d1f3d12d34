// Sums of bytes in windows that lie side by side and have multiples of eight bytes of each row: one
// instruction adds eight bytes of a row to one lane. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_EIGHTHS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_EIGHTHS_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_EIGHTHS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_EIGHTHS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A job of FoldRunJob for which AreSideBySide. Its rows are walked once, some columns at a time.
class RunsOfEighths {
  using D8 = hn::ScalableTag<uint8_t>;
  using D32 = hn::ScalableTag<uint32_t>;

 public:
  explicit RunsOfEighths(const FoldRunJob& job)
      : job_(job), eighths_(job.length / 8), most_(kEighths / eighths_) {}

  // Calls put(sums, count) for the sums of all outputs in their order, some at a time.
  template <class Put>
  HWY_INLINE void All(const Put& put) const {
    constexpr size_t kBehind = 4 * HWY_MAX_LANES_D(D32);  // is read, too
    HWY_ALIGN uint32_t sums[kEighths + kBehind];
    const uint8_t* row = static_cast<const uint8_t*>(job_.x);
    int64_t rows = job_.rows, outputs = job_.outputs;
    const bool single = job_.taps[0] == 1 && job_.taps[1] == 1;
    if (single && job_.x_row_step == outputs * job_.length) {  // rows go on from each other
      outputs *= rows;
      rows = 1;
    }
    for (; rows > 0; --rows, row += job_.x_row_step) {
      for (int64_t o = 0; o < outputs; o += most_) {
        const int64_t count = HWY_MIN(most_, outputs - o);
        Columns(row + o * job_.length, count * job_.length, sums);
        Windows(count, sums);
        put(sums, count);
      }
    }
  }

 private:
  static constexpr int64_t kEighths = kMostEighths / 8;

  // Of each eight of `bytes` columns.
  HWY_INLINE void Columns(const uint8_t* x, int64_t bytes, uint32_t* sums) const {
    const D8 d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    int64_t at = 0;
    for (; at + 4 * n <= bytes; at += 4 * n) Strip<4>(d, x + at, sums + at / 8);
    if (at + 2 * n <= bytes) {
      Strip<2>(d, x + at, sums + at / 8);
      at += 2 * n;
    }
    if (at == bytes) return;
    if (bytes < n) return Short(hn::Half<D8>(), x, bytes, sums);
    for (; at < bytes; at += n) {
      // The last one overlaps the one before.
      at = HWY_MIN(at, bytes - n);
      Strip<1>(d, x + at, sums + at / 8);
    }
  }
  // Of less than a vector.
  template <class D>
  HWY_INLINE void Short(D d, const uint8_t* x, int64_t bytes, uint32_t* sums) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (hn::MaxLanes(d) > 8) {
      if (bytes < n) return Short(hn::Half<D>(), x, bytes, sums);
    }
    Strip<1>(d, x, sums);
    if (bytes > n) Strip<1>(d, x + bytes - n, sums + (bytes - n) / 8);
  }
  template <int kVectors, class D>
  HWY_INLINE void Strip(D d, const uint8_t* x, uint32_t* sums) const {
    const hn::Repartition<uint64_t, D> d64;
    const hn::Rebind<uint32_t, decltype(d64)> d32;
    const size_t n = hn::Lanes(d), n64 = hn::Lanes(d64);
    const auto flip = hn::Set(d, job_.rules.x_flip);
    const auto eighths = [&](const uint8_t* p)
                             HWY_ATTR { return hn::SumsOf8(hn::Xor(hn::LoadU(d, p), flip)); };
    auto a = hn::Zero(d64), b = a, c = a, e = a;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const uint8_t* p = x + depth * job_.x_tap[0];
      for (int64_t h = 0; h < job_.taps[1]; ++h, p += job_.x_tap[1]) {
        a = hn::Add(a, eighths(p));
        if (kVectors > 1) b = hn::Add(b, eighths(p + n));
        if (kVectors > 2) c = hn::Add(c, eighths(p + 2 * n));
        if (kVectors > 2) e = hn::Add(e, eighths(p + 3 * n));
      }
    }
    hn::StoreU(hn::TruncateTo(d32, a), d32, sums);
    if (kVectors > 1) hn::StoreU(hn::TruncateTo(d32, b), d32, sums + n64);
    if (kVectors > 2) hn::StoreU(hn::TruncateTo(d32, c), d32, sums + 2 * n64);
    if (kVectors > 2) hn::StoreU(hn::TruncateTo(d32, e), d32, sums + 3 * n64);
  }

  // The sums of `count` windows, which take the place of those of their parts: two, three or four
  // of them at a time become one.
  HWY_INLINE void Windows(int64_t count, uint32_t* sums) const {
    const D32 d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    int64_t parts = eighths_;
    hn::VFromD<D32> a, b, c, e;
    while (parts % 4 == 0) {
      parts /= 4;
      for (int64_t o = 0; o < count * parts; o += n) {
        hn::LoadInterleaved4(d, sums + 4 * o, a, b, c, e);
        hn::StoreU(hn::Add(hn::Add(a, b), hn::Add(c, e)), d, sums + o);
      }
    }
    while (parts % 3 == 0) {
      parts /= 3;
      for (int64_t o = 0; o < count * parts; o += n) {
        hn::LoadInterleaved3(d, sums + 3 * o, a, b, c);
        hn::StoreU(hn::Add(hn::Add(a, b), c), d, sums + o);
      }
    }
    if (parts % 2 == 0) {
      parts /= 2;
      for (int64_t o = 0; o < count * parts; o += n) {
        hn::LoadInterleaved2(d, sums + 2 * o, a, b);
        hn::StoreU(hn::Add(a, b), d, sums + o);
      }
    }
    if (parts == 1) return;
    for (int64_t o = 0; o < count; ++o) {
      uint32_t sum = sums[o * parts];
      for (int64_t i = 1; i < parts; ++i) sum += sums[o * parts + i];
      sums[o] = sum;
    }
  }

  const FoldRunJob& job_;
  const int64_t eighths_, most_;  // most_: outputs at a time
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
