// Sums of bytes in windows that lie side by side: those of many windows are stored together.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_RUN_BESIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_RUN_BESIDE_INL_H_
#undef LANEPOOL_SRC_KERNELS_RUN_BESIDE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_RUN_BESIDE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What is made of `count` sums, y_step apart. Both arrays have room for a vector more.
inline void StoreMeans(const FoldRunJob& job, uint16_t* sums, int64_t count, uint8_t* results,
                       uint8_t* y) {
  const hn::ScalableTag<uint16_t> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), y_step = job.y_output_step;
  const OutByte16 out(job.rules);
  RequantAll(*job.rules.requants[0], sums, count);
  for (int64_t i = 0; i < count; i += n) out.Store(d, hn::Load(d, sums + i), results + i);
  if (y_step == 1) {
    hwy::CopyBytes(results, y, static_cast<size_t>(count));
  } else {
    for (int64_t i = 0; i < count; ++i) y[i * y_step] = results[i];
  }
}

// The sums of `count` windows of so many parts each, which take the place of those of their parts:
// two, three or four of them at a time become one.
inline void AddParts(int64_t parts, int64_t count, uint32_t* sums) {
  const hn::ScalableTag<uint32_t> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  hn::VFromD<decltype(d)> a, b, c, e;
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

// Sums of windows in the order of outputs, of some that follow each other at a time. `Runs` knows
// how many parts the sums of a window have, and those of a block of windows.
template <class Runs>
class SumsBeside {
  using D32 = hn::ScalableTag<uint32_t>;

 public:
  explicit SumsBeside(const FoldRunJob& job) : job_(job), runs_(job), parts_(runs_.Parts()) {}

  static constexpr int64_t kParts = kMostEighths / 8;

  // Calls put(sums, count), kParts at most.
  template <class Put>
  HWY_INLINE void All(const Put& put) const {
    constexpr size_t kBehind = 4 * HWY_MAX_LANES_D(D32);  // is read and written, too
    HWY_ALIGN uint32_t sums[kParts + kBehind];
    const uint8_t* x = static_cast<const uint8_t*>(job_.x);
    int64_t rows = job_.rows, outputs = job_.outputs;
    const bool single = job_.taps[0] == 1 && job_.taps[1] == 1;
    if (single && job_.x_row_step == outputs * job_.length) {  // rows go on from each other
      outputs *= rows;
      rows = 1;
    }
    // At a time: some planes, rows of one, or a part of a row.
    const int64_t most = kParts / parts_, all = rows * outputs;
    const int64_t most_planes = HWY_MAX(1, most / all), most_rows = HWY_MAX(1, most / outputs);
    for (int64_t plane = 0; plane < job_.planes; plane += most_planes) {
      const uint8_t* of_plane = x + plane * job_.x_plane_step;
      const int64_t planes = HWY_MIN(most_planes, job_.planes - plane);
      if (planes > 1) {
        for (int64_t i = 0; i < planes; ++i) {
          runs_.Sums(of_plane + i * job_.x_plane_step, rows, outputs, sums + i * all * parts_);
        }
        Finish(planes * all, sums, put);
        continue;
      }
      for (int64_t row = 0; row < rows; row += most_rows) {
        const int64_t some = HWY_MIN(most_rows, rows - row);
        for (int64_t o = 0; o < outputs; o += most) {
          const int64_t count = HWY_MIN(most, outputs - o);
          runs_.Sums(of_plane + row * job_.x_row_step + o * job_.length, some, count, sums);
          Finish(some * count, sums, put);
        }
      }
    }
  }

 private:
  template <class Next>
  HWY_INLINE void Finish(int64_t count, uint32_t* sums, const Next& next) const {
    AddParts(parts_, count, sums);
    next(sums, count);
  }

  const FoldRunJob& job_;
  const Runs runs_;
  const int64_t parts_;
};

// Kernels::fold_run of such windows: sums of 32 bits,
template <class Runs>
void StoreSumsBeside(const FoldRunJob& job) {
  uint32_t* y = static_cast<uint32_t*>(job.y);
  SumsBeside<Runs>(job).All([&](const uint32_t* sums, int64_t count) HWY_ATTR {
    for (int64_t i = 0; i < count; ++i, y += job.y_output_step) *y = sums[i];
  });
}
// and what is made of those of at most kMostTaps16 taps.
template <class Runs>
void StoreMeansBeside(const FoldRunJob& job) {
  using D = hn::ScalableTag<uint16_t>;
  constexpr int64_t kMost = SumsBeside<Runs>::kParts;
  HWY_ALIGN uint16_t sums[kMost + HWY_MAX_LANES_D(D)];
  HWY_ALIGN uint8_t results[kMost + HWY_MAX_LANES_D(D)];
  uint8_t* y = static_cast<uint8_t*>(job.y);
  SumsBeside<Runs>(job).All([&](const uint32_t* wide, int64_t count) HWY_ATTR {
    const D d;
    const hn::RepartitionToWide<D> d32;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d32));
    for (int64_t i = 0; i < count; i += 2 * n) {
      const auto low = hn::LoadU(d32, wide + i), high = hn::LoadU(d32, wide + i + n);
      hn::Store(hn::OrderedTruncate2To(d, low, high), d, sums + i);
    }
    StoreMeans(job, sums, count, results, y);
    y += count * job.y_output_step;
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
