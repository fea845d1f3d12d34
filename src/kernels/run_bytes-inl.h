// Sums of long runs of bytes, one output each. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Eight bytes at a time go to one 64-bit lane. The sums are u32.
inline bool FoldRunBytes(const FoldRunJob& job) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::RepartitionToWideX3<decltype(d8)> d64;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d8));
  const auto flip = hn::Set(d8, job.rules.x_flip);
  const size_t rest = static_cast<size_t>(job.length % n);
  const auto rest_mask = hn::FirstN(d8, rest);
  uint32_t* y = static_cast<uint32_t*>(job.y);
  for (int64_t o = 0; o < job.outputs; ++o) {
    const uint8_t* x = static_cast<const uint8_t*>(job.x) + o * job.x_output_step;
    auto even = hn::Zero(d64);
    auto odd = even;
    for (int64_t depth = 0; depth < job.taps[0]; ++depth) {
      const uint8_t* row = x + depth * job.x_tap[0];
      for (int64_t h = 0; h < job.taps[1]; ++h, row += job.x_tap[1]) {
        int64_t at = 0;
        for (; at + 2 * n <= job.length; at += 2 * n) {
          even = hn::Add(even, hn::SumsOf8(hn::Xor(hn::LoadU(d8, row + at), flip)));
          odd = hn::Add(odd, hn::SumsOf8(hn::Xor(hn::LoadU(d8, row + at + n), flip)));
        }
        if (at + n <= job.length) {
          even = hn::Add(even, hn::SumsOf8(hn::Xor(hn::LoadU(d8, row + at), flip)));
          at += n;
        }
        if (rest != 0) {
          const auto v = hn::Xor(hn::LoadN(d8, row + at, rest), flip);
          odd = hn::Add(odd, hn::SumsOf8(hn::IfThenElseZero(rest_mask, v)));
        }
      }
    }
    y[o * job.y_output_step] = static_cast<uint32_t>(hn::ReduceSum(d64, hn::Add(even, odd)));
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
