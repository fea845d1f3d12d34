// Planes of bytes as one row: sums along H of all rows at once, then sums along W in which taps
// beyond an end of their row are masked. No lane is wasted, however short the rows. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_FLAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FLAT_INL_H_
#undef LANEPOOL_SRC_KERNELS_FLAT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FLAT_INL_H_
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

// `lanes` results in 16-bit lanes to y. There is a vector of them to read.
HWY_INLINE void PutResults(const OutByte16& out, const uint16_t* from, int64_t lanes, uint8_t* y) {
  const hn::ScalableTag<uint16_t> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  if (lanes < n) {
    out.StoreN(d, hn::LoadU(d, from), y, static_cast<size_t>(lanes));
    return;
  }
  for (int64_t i = 0; i < lanes; i += n) {
    const int64_t at = HWY_MIN(i, lanes - n);  // the last vector overlaps the one before
    out.Store(d, hn::LoadU(d, from + at), y + at);
  }
}

// Rows of the input and of y that are as long as each other and follow each other, windows that
// step by 1, at most five taps along H and W.
HWY_INLINE bool AreFlat(const PlanesJob& job) {
  return job.group == 1 && job.lanes == job.w_input && job.x_row_step == job.w_input &&
         job.y_row_step == job.lanes && job.h_stride == 1 && job.taps_w <= 5 && job.taps_h <= 5;
}
// The same of rows that are not long.
HWY_INLINE bool IsFlat(const PlanesJob& job) { return AreFlat(job) && job.w_input <= kTileLanes; }

// PlanesJob that IsFlat, of one tap along D.
class FlatPlanes {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;
  static constexpr int64_t kMostVector = HWY_MAX_LANES_D(D);
  static constexpr int64_t kLanes = 896;  // of the scratch, in whole rows
  // Taps lie less than this before and behind their output.
  static constexpr int64_t kMargin = kTileLanes;
  static constexpr int64_t kPeriod = kTileLanes + kMostVector;
  static constexpr int kMostTaps = 5;

 public:
  explicit FlatPlanes(const PlanesJob& job)
      : job_(job), elem_(job.rules), out_(job.rules), width_(job.w_input) {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    for (int64_t tap = 0; tap < job.taps_w; ++tap) {
      const int64_t offset = job.w_first + tap * job.w_tap;
      // A vector may begin at the end of a row.
      for (int64_t i = 0, at = 0; i < width_ + n; ++i) {
        masks_[tap][i] = at + offset >= 0 && at + offset < width_ ? 0xFFFF : 0;
        if (++at == width_) at = 0;
      }
    }
    for (int64_t i = 0; i < kMargin; ++i) scratch_[i] = scratch_[kMargin + kLanes + i] = 0;
  }

  void Run() {
    if (2 * job_.rows * width_ <= kLanes) {
      RunWholePlanes();
    } else {
      RunRows();
    }
  }

 private:
  // Several planes at a time.
  void RunWholePlanes() {
    const int64_t plane_lanes = job_.rows * width_;
    const int64_t most = HWY_MIN(kLanes / plane_lanes, job_.planes);
    const Requant* requants[kMostRequants];
    int32_t count = 0;
    for (int64_t row = 0; row < job_.rows; ++row) {
      for (int64_t i = 0; i < width_; ++i) {
        const Requant* own =
            job_.rules.requants[job_.h_classes[row] * job_.class_count + job_.w_classes[i]];
        int32_t c = 0;
        while (c < count && requants[c] != own) ++c;
        if (c == count) requants[count++] = own;
        classes_[row * width_ + i] = static_cast<uint16_t>(c);
      }
    }
    RepeatClasses(plane_lanes, most * plane_lanes);
    for (int64_t plane = 0; plane < job_.planes; plane += most) {
      const int64_t planes = HWY_MIN(most, job_.planes - plane);
      for (int64_t i = 0; i < planes; ++i) {
        FoldAlongH(X(plane + i), 0, job_.rows, scratch_ + kMargin + i * plane_lanes);
      }
      Finish(scratch_ + kMargin, planes * plane_lanes, requants, count);
      for (int64_t i = 0; i < planes; ++i) Put(i * plane_lanes, plane_lanes, Y(plane + i));
    }
  }

  // Some rows of one plane at a time.
  void RunRows() {
    const int64_t most = kLanes / width_;
    for (int64_t i = 0; i < width_; ++i) classes_[i] = job_.w_classes[i];
    RepeatClasses(width_, HWY_MIN(job_.rows, most) * width_);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      for (int64_t row = 0; row < job_.rows; row += most) {
        const int64_t end = HWY_MIN(row + most, job_.rows);
        FoldAlongH(X(plane), row, end, scratch_ + kMargin);
        FinishRows(Y(plane), row, end);
      }
    }
  }

  const uint8_t* X(int64_t plane) const {
    return static_cast<const uint8_t*>(job_.x) + plane * job_.x_plane_step;
  }
  uint8_t* Y(int64_t plane) const {
    return static_cast<uint8_t*>(job_.y) + plane * job_.y_plane_step;
  }

  // Classes of the lanes behind the first `done` ones, up to `lanes`.
  void RepeatClasses(int64_t done, int64_t lanes) {
    while (done < lanes) {
      const int64_t more = HWY_MIN(done, lanes - done);
      hwy::CopyBytes(classes_, classes_ + done, static_cast<size_t>(more) * sizeof(classes_[0]));
      done += more;
    }
    for (int64_t i = 0; i < kMostVector; ++i) classes_[lanes + i] = 0;
  }

  // Rows with all taps go together.
  void FoldAlongH(const uint8_t* x, int64_t row, int64_t end, uint16_t* out) const {
    const int64_t reach = (job_.taps_h - 1) * job_.h_tap;
    while (row < end) {
      const int64_t start = job_.h_first + row;
      int64_t rows = 1, first = 0, taps = job_.taps_h;
      if (start >= 0 && start + reach < job_.h_input) {
        rows = HWY_MIN(end - row, job_.h_input - reach - start);
      } else {
        while (start + first * job_.h_tap < 0) ++first;
        while (start + (taps - 1) * job_.h_tap >= job_.h_input) --taps;
      }
      const int64_t at = (start + first * job_.h_tap) * width_;
      const int64_t readable = job_.h_input * width_ - at;
      FoldRowsFlat(x + at, readable, rows * width_, taps - first, out);
      out += rows * width_;
      row += rows;
    }
  }

  // `readable` bytes of the plane begin at x.
  void FoldRowsFlat(const uint8_t* x, int64_t readable, int64_t lanes, int64_t taps,
                    uint16_t* out) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    const int64_t step = job_.h_tap * width_;
    if (lanes < n && readable >= (taps - 1) * step + n) {
      lanes = n;  // those behind are written next, or are masked
    }
    if (lanes < n) {
      const size_t some = static_cast<size_t>(lanes);
      V sum = elem_.LoadN(d, x, some, hn::Zero(d));
      for (int64_t tap = 1; tap < taps; ++tap) {
        sum = hn::Add(sum, elem_.LoadN(d, x + tap * step, some, hn::Zero(d)));
      }
      hn::StoreU(sum, d, out);
      return;
    }
    int64_t i = 0;
    if (taps == 3) {
      for (; i + 2 * n <= lanes; i += 2 * n) {
        V a, b, a1, b1, a2, b2;
        elem_.Load2(d, x + i, a, b);
        elem_.Load2(d, x + i + step, a1, b1);
        elem_.Load2(d, x + i + 2 * step, a2, b2);
        a = hn::Add(hn::Add(a, a1), a2);
        b = hn::Add(hn::Add(b, b1), b2);
        hn::StoreInterleaved2(a, b, d, out + i);
      }
    }
    while (i < lanes) {
      i = HWY_MIN(i, lanes - n);
      V sum = elem_.Load(d, x + i);
      for (int64_t tap = 1; tap < taps; ++tap)
        sum = hn::Add(sum, elem_.Load(d, x + i + tap * step));
      hn::StoreU(sum, d, out + i);
      i += n;
    }
  }

  // Rows of one class along H together.
  void FinishRows(uint8_t* y, int64_t row, int64_t end) {
    const uint16_t* from = scratch_ + kMargin;
    while (row < end) {
      int64_t rows = 1;
      while (row + rows < end && job_.h_classes[row + rows] == job_.h_classes[row]) ++rows;
      const int64_t lanes = rows * width_;
      Finish(from, lanes, job_.rules.requants + job_.h_classes[row] * job_.class_count,
             job_.class_count);
      Put(0, lanes, y + row * width_);
      from += lanes;
      row += rows;
    }
  }

  template <int kTaps>
  HWY_INLINE V SumAlongW(const uint16_t* p, int64_t phase) const {
    const D d;
    const auto tap = [&](int64_t j) HWY_ATTR {
      const V v = hn::LoadU(d, p + job_.w_first + j * job_.w_tap);
      return hn::And(v, hn::LoadU(d, masks_[j] + phase));
    };
    if (kTaps == 3) return hn::Add(hn::Add(tap(0), tap(1)), tap(2));
    V sum = tap(0);
    for (int64_t j = 1; j < job_.taps_w; ++j) sum = hn::Add(sum, tap(j));
    return sum;
  }

  // `lanes` lanes of whole rows become results.
  void Finish(const uint16_t* from, int64_t lanes, const Requant* const* requants, int32_t count) {
    if (job_.taps_w == 3) {
      SumRows<3>(from, lanes);
    } else {
      SumRows<0>(from, lanes);
    }
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const int64_t whole = (lanes + n - 1) / n * n;
    for (int32_t c = 0; c < count; ++c) {
      RequantClass(*requants[c], job_.rules, static_cast<uint16_t>(c), results_, classes_, n,
                   whole);
    }
  }

  template <int kTaps>
  void SumRows(const uint16_t* from, int64_t lanes) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    int64_t phase = 0;
    for (int64_t i = 0; i < lanes; i += n) {
      hn::Store(SumAlongW<kTaps>(from + i, phase), d, results_ + i);
      phase += n;
      if (phase >= width_) phase = phase < 2 * width_ ? phase - width_ : phase % width_;
    }
  }

  void Put(int64_t first, int64_t lanes, uint8_t* y) const {
    PutResults(out_, results_ + first, lanes, y);
  }

  const PlanesJob& job_;
  const ElemByteSum<uint16_t> elem_;
  const OutByte16 out_;
  const int64_t width_;
  HWY_ALIGN uint16_t masks_[kMostTaps][kPeriod];
  HWY_ALIGN uint16_t classes_[kLanes + kMostVector];
  HWY_ALIGN uint16_t scratch_[kMargin + kLanes + kMargin];
  HWY_ALIGN uint16_t results_[kLanes + kMostVector];
};

inline HWY_NOINLINE void RunFlatPlanes(const PlanesJob& job) { FlatPlanes(job).Run(); }

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
