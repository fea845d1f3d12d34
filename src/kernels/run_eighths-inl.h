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
#include "kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Runs of FoldsBeside where AreSideBySide: eight bytes are a part.
class RunsOfEighths {
  using D8 = hn::ScalableTag<uint8_t>;

 public:
  using Lane = uint32_t;

  explicit RunsOfEighths(const FoldRunJob& job) : job_(job) {}

  HWY_INLINE int64_t Parts() const { return job_.length / 8; }
  // Those of so many windows in each of some rows.
  HWY_INLINE void Folds(const uint8_t* x, int64_t rows, int64_t windows, Lane* sums) const {
    for (; rows > 0; --rows, x += job_.x_row_step, sums += windows * Parts()) {
      Columns(x, windows * job_.length, sums);
    }
  }

 private:
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
    constexpr size_t kLine = 64;
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
        for (size_t i = 0; i < kVectors * n; i += kLine) AskAhead(p + i, job_.x_row_step);
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

  const FoldRunJob& job_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
