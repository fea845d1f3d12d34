// Sums of long runs of bytes, one output each. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_BYTES_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/run_beside-inl.h"
#include "kernels/run_eighths-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Eight bytes at a time go to one 64-bit lane.
class RunOfBytes {
  using D8 = hn::ScalableTag<uint8_t>;
  using D64 = hn::RepartitionToWideX3<D8>;
  using V64 = hn::VFromD<D64>;

 public:
  explicit RunOfBytes(const FoldRunJob& job)
      : job_(job),
        flip_(job.rules.x_flip),
        rest_(job.length % static_cast<int64_t>(hn::Lanes(D8()))) {}

  // Whole vectors of windows of one row, kRow for more of them, or kLong for many and for several
  // rows.
  static constexpr int kRow = 5, kLong = 6;
  static constexpr int64_t kMany = 32;
  int WholeVectors() const {
    if (kCompact || job_.taps[0] > 1 || job_.taps[1] > 1) return kLong;
    const int64_t vectors = job_.length / static_cast<int64_t>(hn::Lanes(D8()));
    return vectors < kRow ? static_cast<int>(vectors) : vectors < kMany ? kRow : kLong;
  }

  // Lanes whose sum is that of the window at x.
  template <int kWhole>
  HWY_INLINE V64 Sums(const uint8_t* x) const {
    if constexpr (kWhole == kLong) {
      return LongSums(x);
    } else if constexpr (kWhole == kRow) {
      return RowSums(x);
    } else if constexpr (kWhole == 0) {
      return hn::SumsOf8(Rest(x, 0));
    } else {
      const V64 whole = WholeSums<kWhole>(x);
      const int64_t n = static_cast<int64_t>(hn::Lanes(D8()));
      return rest_ == 0 ? whole : hn::Add(whole, hn::SumsOf8(Rest(x, kWhole * n)));
    }
  }

 private:
  template <int kWhole>
  HWY_INLINE V64 WholeSums(const uint8_t* x) const {
    const D8 d8;
    const V64 sums = hn::SumsOf8(Flipped(hn::LoadU(d8, x)));
    if constexpr (kWhole == 1) {
      return sums;
    } else {
      return hn::Add(sums, WholeSums<kWhole - 1>(x + hn::Lanes(d8)));
    }
  }
  // Of two vectors at least.
  HWY_INLINE V64 RowSums(const uint8_t* x) const {
    const D8 d8;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d8));
    V64 even = hn::SumsOf8(Flipped(hn::LoadU(d8, x)));
    V64 odd = hn::SumsOf8(Flipped(hn::LoadU(d8, x + n)));
    int64_t at = 2 * n;
    for (; at + 2 * n <= job_.length; at += 2 * n) {
      even = hn::Add(even, hn::SumsOf8(Flipped(hn::LoadU(d8, x + at))));
      odd = hn::Add(odd, hn::SumsOf8(Flipped(hn::LoadU(d8, x + at + n))));
    }
    if (at + n <= job_.length) {
      even = hn::Add(even, hn::SumsOf8(Flipped(hn::LoadU(d8, x + at))));
      at += n;
    }
    if (rest_ != 0) odd = hn::Add(odd, hn::SumsOf8(Rest(x, at)));
    return hn::Add(even, odd);
  }
  HWY_NOINLINE V64 LongSums(const uint8_t* x) const {
    const D8 d8;
    const D64 d64;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d8));
    const int64_t length = job_.length;
    V64 even = hn::Zero(d64);
    V64 odd = even;
    for (int64_t depth = 0; depth < job_.taps[0]; ++depth) {
      const uint8_t* row = x + depth * job_.x_tap[0];
      if (!kCompact && length <= n) {
        SumsOfRows(row, even, odd);
        continue;
      }
      for (int64_t h = 0; h < job_.taps[1]; ++h, row += job_.x_tap[1]) {
        int64_t at = 0;
        for (; at + 2 * n <= length; at += 2 * n) {
          even = hn::Add(even, hn::SumsOf8(Flipped(hn::LoadU(d8, row + at))));
          odd = hn::Add(odd, hn::SumsOf8(Flipped(hn::LoadU(d8, row + at + n))));
        }
        if (at + n <= length) {
          even = hn::Add(even, hn::SumsOf8(Flipped(hn::LoadU(d8, row + at))));
          at += n;
        }
        if (rest_ != 0) odd = hn::Add(odd, hn::SumsOf8(Rest(row, at)));
      }
    }
    return hn::Add(even, odd);
  }
  // Rows that are a vector each, or less.
  HWY_INLINE void SumsOfRows(const uint8_t* row, V64& even, V64& odd) const {
    const D8 d8;
    const int64_t taps = job_.taps[1], step = job_.x_tap[1];
    const auto add = [&](const auto& load) HWY_ATTR {
      for (int64_t h = 0; h + 2 <= taps; h += 2, row += 2 * step) {
        even = hn::Add(even, hn::SumsOf8(load(row)));
        odd = hn::Add(odd, hn::SumsOf8(load(row + step)));
      }
      if (taps % 2 != 0) even = hn::Add(even, hn::SumsOf8(load(row)));
    };
    if (rest_ != 0) return add([&](const uint8_t* p) HWY_ATTR { return Rest(p, 0); });
    add([&](const uint8_t* p) HWY_ATTR { return Flipped(hn::LoadU(d8, p)); });
  }
  HWY_INLINE hn::VFromD<D8> Flipped(hn::VFromD<D8> v) const {
    return flip_ == 0 ? v : hn::Xor(v, hn::Set(D8(), flip_));
  }
  // What is left of the row from `at` on, 0 in the other lanes.
  HWY_INLINE hn::VFromD<D8> Rest(const uint8_t* row, int64_t at) const {
    const D8 d8;
    const size_t count = static_cast<size_t>(rest_);
#if HWY_MEM_OPS_MIGHT_FAULT
    if (at > 0) {
      // The last vector of the row, without what it shares with the one before.
      const size_t shared = hn::Lanes(d8) - count;
      return hn::IfThenZeroElse(hn::FirstN(d8, shared), Flipped(hn::LoadU(d8, row + at - shared)));
    }
    const auto v = Flipped(LoadBytes(d8, row + at, count));
#else
    const auto v = Flipped(hn::MaskedLoad(hn::FirstN(d8, count), d8, row + at));
#endif
    return flip_ == 0 ? v : hn::IfThenElseZero(hn::FirstN(d8, count), v);
  }

  const FoldRunJob& job_;
  const uint8_t flip_;
  const int64_t rest_;
};

// The sums are u32: two outputs are reduced together, as the halves of 64 bits.
template <int kWhole>
HWY_INLINE void SumLongRuns(const RunOfBytes& run, const FoldRunJob& job) {
  const hn::ScalableTag<uint64_t> d64;
  const uint8_t* x = static_cast<const uint8_t*>(job.x);
  uint32_t* y = static_cast<uint32_t*>(job.y);
  const int64_t step = job.x_output_step, y_step = job.y_output_step;
  int64_t o = 0;
  for (; o + 2 <= job.outputs; o += 2, x += 2 * step, y += 2 * y_step) {
    const auto a = run.Sums<kWhole>(x), b = run.Sums<kWhole>(x + step);
    const uint64_t two = hn::ReduceSum(d64, hn::Add(a, hn::ShiftLeft<32>(b)));
    *y = static_cast<uint32_t>(two);
    y[y_step] = static_cast<uint32_t>(two >> 32);
  }
  if (o < job.outputs) *y = static_cast<uint32_t>(hn::ReduceSum(d64, run.Sums<kWhole>(x)));
}

inline bool FoldRunBytes(const FoldRunJob& job) {
  if (!kCompact && AreSideBySide(job)) {
    StoreSumsBeside<RunsOfEighths>(job);
    return true;
  }
  const RunOfBytes run(job);
  const int whole = run.WholeVectors();
  if (whole >= 2 && whole <= RunOfBytes::kRow) {
    SumLongRuns<RunOfBytes::kRow>(run, job);
  } else {
    SumLongRuns<RunOfBytes::kLong>(run, job);
  }
  return true;
}

// Of at most kMostTaps16 taps: four outputs are reduced together, as the four parts of 64 bits.
template <int kWhole>
HWY_INLINE void SumRuns(const RunOfBytes& run, const uint8_t* x, int64_t step, int64_t count,
                        uint16_t* sums) {
  const hn::ScalableTag<uint64_t> d64;
  int64_t i = 0;
  for (; i + 4 <= count; i += 4, x += 4 * step) {
    const auto a = run.Sums<kWhole>(x), b = run.Sums<kWhole>(x + step);
    const auto c = run.Sums<kWhole>(x + 2 * step), e = run.Sums<kWhole>(x + 3 * step);
    const auto ab = hn::Add(a, hn::ShiftLeft<16>(b));
    const auto ce = hn::ShiftLeft<32>(hn::Add(c, hn::ShiftLeft<16>(e)));
    const uint64_t four = hn::ReduceSum(d64, hn::Add(ab, ce));
    for (int k = 0; k < 4; ++k) sums[i + k] = static_cast<uint16_t>(four >> 16 * k);
  }
  for (; i < count; ++i, x += step) {
    sums[i] = static_cast<uint16_t>(hn::ReduceSum(d64, run.Sums<kWhole>(x)));
  }
}
template <int kWhole = 0>
HWY_INLINE void SumRunsOf(int whole, const RunOfBytes& run, const uint8_t* x, int64_t step,
                          int64_t count, uint16_t* sums) {
  if constexpr (!kCompact && kWhole < RunOfBytes::kLong) {
    if (whole == kWhole) return SumRuns<kWhole>(run, x, step, count, sums);
    SumRunsOf<kWhole + 1>(whole, run, x, step, count, sums);
  } else {
    SumRuns<RunOfBytes::kLong>(run, x, step, count, sums);
  }
}

inline bool FoldRunSums16(const FoldRunJob& job) {
  if (!kCompact && AreSideBySide(job)) {
    StoreMeansBeside<RunsOfEighths>(job);
    return true;
  }
  using D = hn::ScalableTag<uint16_t>;
  constexpr int64_t kBlock = 256;
  HWY_ALIGN uint16_t sums[kBlock + HWY_MAX_LANES_D(D)];
  HWY_ALIGN uint8_t results[kBlock + HWY_MAX_LANES_D(D)];
  const uint8_t* x = static_cast<const uint8_t*>(job.x);
  uint8_t* y = static_cast<uint8_t*>(job.y);
  const RunOfBytes run(job);
  const int whole = run.WholeVectors();
  const int64_t step = job.x_output_step;
  for (int64_t o = 0; o < job.outputs; o += kBlock, x += kBlock * step) {
    const int64_t count = HWY_MIN(kBlock, job.outputs - o);
    SumRunsOf(whole, run, x, step, count, sums);
    StoreMeans(job, sums, count, results, y + o * job.y_output_step);
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
