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

// `count` results, y_output_step apart.
HWY_INLINE void StoreBytesBeside(const FoldRunJob& job, const uint8_t* from, int64_t count,
                                 uint8_t* y) {
  if (job.y_output_step == 1) {
    hwy::CopyBytes(from, y, static_cast<size_t>(count));
  } else {
    for (int64_t i = 0; i < count; ++i) y[i * job.y_output_step] = from[i];
  }
}

// What is made of `count` sums. Both arrays have room for a vector more.
inline void StoreMeans(const FoldRunJob& job, uint16_t* sums, int64_t count, uint8_t* results,
                       uint8_t* y) {
  const hn::ScalableTag<uint16_t> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const OutByte16 out(job.rules);
  RequantAll(*job.rules.requants[0], sums, count);
  for (int64_t i = 0; i < count; i += n) out.Store(d, hn::Load(d, sums + i), results + i);
  StoreBytesBeside(job, results, count, y);
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

// Folds of windows in the order of outputs, of some that follow each other at a time. `Runs` knows
// those of some rows, and how many parts that are added the fold of a window has.
template <class Runs>
class FoldsBeside {
  using Lane = typename Runs::Lane;

 public:
  explicit FoldsBeside(const FoldRunJob& job) : job_(job), runs_(job), parts_(runs_.Parts()) {}

  static constexpr int64_t kParts = kMostEighths / 8;

  // Calls put(folds, count), kParts at most.
  template <class Put>
  HWY_INLINE void All(const Put& put) const {
    constexpr size_t kBehind =
        4 * HWY_MAX_LANES_D(hn::ScalableTag<Lane>);  // is read and written, too
    HWY_ALIGN Lane folds[kParts + kBehind];
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
          runs_.Folds(of_plane + i * job_.x_plane_step, rows, outputs, folds + i * all * parts_);
        }
        Finish(planes * all, folds, put);
        continue;
      }
      for (int64_t row = 0; row < rows; row += most_rows) {
        const int64_t some = HWY_MIN(most_rows, rows - row);
        for (int64_t o = 0; o < outputs; o += most) {
          const int64_t count = HWY_MIN(most, outputs - o);
          runs_.Folds(of_plane + row * job_.x_row_step + o * job_.length, some, count, folds);
          Finish(some * count, folds, put);
        }
      }
    }
  }

 private:
  template <class Next>
  HWY_INLINE void Finish(int64_t count, Lane* folds, const Next& next) const {
    if constexpr (sizeof(Lane) == 4) AddParts(parts_, count, folds);
    next(folds, count);
  }

  const FoldRunJob& job_;
  const Runs runs_;
  const int64_t parts_;
};

// Kernels::fold_run of such windows: maxima,
template <class Runs>
void StoreMaximaBeside(const FoldRunJob& job) {
  uint8_t* y = static_cast<uint8_t*>(job.y);
  FoldsBeside<Runs>(job).All([&](const uint8_t* maxima, int64_t count) HWY_ATTR {
    StoreBytesBeside(job, maxima, count, y);
    y += count * job.y_output_step;
  });
}
// sums of 32 bits,
template <class Runs>
void StoreSumsBeside(const FoldRunJob& job) {
  uint32_t* y = static_cast<uint32_t*>(job.y);
  FoldsBeside<Runs>(job).All([&](const uint32_t* sums, int64_t count) HWY_ATTR {
    for (int64_t i = 0; i < count; ++i, y += job.y_output_step) *y = sums[i];
  });
}
// and what is made of those of at most kMostTaps16 taps.
template <class Runs>
void StoreMeansBeside(const FoldRunJob& job) {
  using D = hn::ScalableTag<uint16_t>;
  constexpr int64_t kMost = FoldsBeside<Runs>::kParts;
  HWY_ALIGN uint16_t sums[kMost + HWY_MAX_LANES_D(D)];
  HWY_ALIGN uint8_t results[kMost + HWY_MAX_LANES_D(D)];
  uint8_t* y = static_cast<uint8_t*>(job.y);
  FoldsBeside<Runs>(job).All([&](const uint32_t* wide, int64_t count) HWY_ATTR {
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
