// Sums of bytes in windows that step by 1 along W, of rows that FlatPlanes does not take: wide
// ones, pixels of a few channels, shorter or longer results. Row after row of a tile. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_
#undef LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_TILE_SUMS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/flat-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// PlanesJob of one tap along D, of at most kSumsOfTile lanes and positions beside them.
class TileSums {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;
  static constexpr int64_t kMostVector = HWY_MAX_LANES_D(D);

 public:
  explicit TileSums(const PlanesJob& job)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        total_(job.lanes + (job.taps_w - 1) * job.w_tap),
        begin_(HWY_MIN(HWY_MAX(-job.w_first, 0), total_)),
        end_(HWY_MIN(HWY_MAX(job.w_input - job.w_first, begin_), total_)) {
    const D d;
    const int64_t n = Lanes();
    // Positions outside of the row are zeros, and none of them is written again.
    for (int64_t i = 0; i < total_ + n; i += n) hn::StoreU(hn::Zero(d), d, columns_ + i);
    for (int64_t i = 0; i < job.lanes; ++i) classes_[i] = job.w_classes[i];
    // The lanes behind the last one, of a vector, have its class.
    for (int64_t i = 0; i < n; ++i) classes_[job.lanes + i] = job.w_classes[job.lanes - 1];
    FindClasses();
  }

  HWY_INLINE void Run() {
    const uint8_t* x = static_cast<const uint8_t*>(job_.x) + job_.w_first + begin_;
    uint8_t* y = static_cast<uint8_t*>(job_.y);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      for (int64_t row = 0; row < job_.rows; ++row) {
        int64_t h = job_.h_first + row * job_.h_stride, taps = job_.taps_h;
        for (; h < 0; h += job_.h_tap) --taps;
        while (h + (taps - 1) * job_.h_tap >= job_.h_input) --taps;
        FoldAlongH(x + h * job_.x_row_step, taps);
        FoldAlongW();
        Requantize(job_.rules.requants + job_.h_classes[row] * job_.class_count);
        PutResults(out_, results_, job_.lanes, y + row * job_.y_row_step);
      }
      x += job_.x_plane_step;
      y += job_.y_plane_step;
    }
  }

 private:
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  // The vectors in which each class has a lane.
  void FindClasses() {
    const int64_t n = Lanes();
    for (int64_t c = 0; c < job_.class_count; ++c) first_[c] = last_[c] = -1;
    for (int64_t i = 0; i < job_.lanes; ++i) {
      const uint16_t c = classes_[i];
      if (first_[c] < 0) first_[c] = i / n * n;
      last_[c] = i / n * n + n;
    }
  }

  HWY_INLINE void FoldAlongH(const uint8_t* x, int64_t taps) {
    if (end_ - begin_ < Lanes()) return FoldPart(x, taps);
    if (taps == 3) return FoldVectors<3>(x, taps);
    if (taps == 2) return FoldVectors<2>(x, taps);
    FoldVectors<0>(x, taps);
  }
  // kTaps: 0: any.
  template <int kTaps>
  HWY_INLINE void FoldVectors(const uint8_t* x, int64_t any_taps) {
    const D d;
    const int64_t count = end_ - begin_, n = Lanes(), step = job_.h_tap * job_.x_row_step;
    const int64_t taps = kTaps > 0 ? kTaps : any_taps;
    uint16_t* const to = columns_ + begin_;
    for (int64_t i = 0; i < count; i += n) {
      const int64_t at = HWY_MIN(i, count - n);  // the last vector overlaps the one before
      V sum = elem_.Load(d, x + at);
      for (int64_t tap = 1; tap < taps; ++tap) {
        sum = hn::Add(sum, elem_.Load(d, x + at + tap * step));
      }
      hn::StoreU(sum, d, to + at);
    }
  }
  HWY_NOINLINE void FoldPart(const uint8_t* x, int64_t taps) {
    const D d;
    const size_t count = static_cast<size_t>(end_ - begin_);
    V sum = hn::Zero(d);
    for (int64_t tap = 0; tap < taps && count > 0; ++tap) {
      const uint8_t* const from = x + tap * job_.h_tap * job_.x_row_step;
      sum = hn::Add(sum, elem_.LoadN(d, from, count, hn::Zero(d)));
    }
    hn::StoreN(sum, d, columns_ + begin_, count);
  }

  HWY_INLINE void FoldAlongW() {
    if (job_.taps_w == 3) return SumColumns<3>();
    if (job_.taps_w == 2) return SumColumns<2>();
    SumColumns<0>();
  }
  template <int kTaps>
  HWY_INLINE void SumColumns() {
    const D d;
    const int64_t taps = kTaps > 0 ? kTaps : job_.taps_w, step = job_.w_tap;
    for (int64_t i = 0; i < job_.lanes; i += Lanes()) {
      V sum = hn::LoadU(d, columns_ + i);
      for (int64_t tap = 1; tap < taps; ++tap) {
        sum = hn::Add(sum, hn::LoadU(d, columns_ + i + tap * step));
      }
      hn::Store(sum, d, results_ + i);
    }
  }

  HWY_INLINE void Requantize(const Requant* const* requants) {
    for (int32_t c = 0; c < job_.class_count; ++c) {
      if (first_[c] < 0) continue;
      RequantClass(*requants[c], job_.rules, static_cast<uint16_t>(c), results_ + first_[c],
                   classes_ + first_[c], Lanes(), last_[c] - first_[c]);
    }
  }

  const PlanesJob& job_;
  const ElemByteSum<uint16_t> elem_;
  const OutByte16 out_;
  // Of the positions under the lanes, those that are inside.
  const int64_t total_, begin_, end_;
  int64_t first_[kMostRequants], last_[kMostRequants];  // lanes of classes
  HWY_ALIGN uint16_t columns_[2 * kSumsOfTile + 2 * kMostVector];
  HWY_ALIGN uint16_t classes_[kSumsOfTile + 2 * kMostVector];
  HWY_ALIGN uint16_t results_[kSumsOfTile + 2 * kMostVector];
};

inline HWY_NOINLINE void RunTileSums(const PlanesJob& job) { TileSums(job).Run(); }

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
