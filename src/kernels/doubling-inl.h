// Maxima of bytes in windows of many taps along rows, lanes along W: of 4 taps, of 16 and so on,
// each from four of the size before, and last from up to four that may overlap. Per-target include
// guard.
#if defined(LANEPOOL_SRC_KERNELS_DOUBLING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_DOUBLING_INL_H_
#undef LANEPOOL_SRC_KERNELS_DOUBLING_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_DOUBLING_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/doubling_short-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class RowsByDoubling {
  using D = hn::CappedTag<uint8_t, kBlockLineBytes>;
  using V = hn::VFromD<D>;

 public:
  explicit RowsByDoubling(const DoublingJob& job)
      : job_(job), length_(job.outputs + (job.taps - 1) * job.tap_step) {}

  // As many rows at a time as there is scratch for, one behind the other without gaps: what is
  // folded across their ends is not used.
  HWY_INLINE void All() const {
    const int64_t room = (job_.scratch_bytes - 2 * kBlockLineBytes) / length_;
    for (int64_t row = 0; row < job_.rows; row += room) {
      const int64_t rows = HWY_MIN(room, job_.rows - row);
      for (int64_t i = 0; i < rows; ++i) {
        LayOut(job_.x + (row + i) * job_.x_row_step, job_.scratch + i * length_);
      }
      int64_t taps = 1;
      for (; 4 * taps < job_.taps; taps *= 4) Quadruple(taps * job_.tap_step, rows * length_);
      // Up to four windows of so many taps make the whole one.
      const int64_t last = (job_.taps - taps) * job_.tap_step, step = taps * job_.tap_step;
      const int64_t second = HWY_MIN(step, last), third = HWY_MIN(2 * step, last);
      for (int64_t i = 0; i < rows; ++i) {
        Finish(job_.scratch + i * length_, second, third, last,
               job_.y + (row + i) * job_.y_row_step);
      }
    }
  }

 private:
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  // A row between what is not there. Up to a vector behind it is written too.
  HWY_INLINE void LayOut(const uint8_t* x, uint8_t* to) const {
    const D d;
    const int64_t n = Lanes();
    const int64_t begin = HWY_MIN(HWY_MAX(-job_.first, 0), length_);
    const int64_t from = HWY_MAX(job_.first, 0);
    const int64_t count = HWY_MAX(HWY_MIN(job_.positions - from, length_ - begin), 0);
    Clear(to, begin);
    x += from;
    to += begin;
    int64_t i = 0;
    for (; i + n <= count; i += n) hn::StoreU(hn::LoadU(d, x + i), d, to + i);
    if (i < count && count >= n) {
      hn::StoreU(hn::LoadU(d, x + count - n), d, to + count - n);
    } else if (i < count) {
      hn::StoreU(hn::LoadN(d, x, static_cast<size_t>(count)), d, to);
    }
    Clear(to + count, length_ - begin - count);
  }
  // A vector at least.
  static HWY_INLINE void Clear(uint8_t* to, int64_t bytes) {
    const D d;
    hn::StoreU(hn::Zero(d), d, to);
    for (int64_t i = Lanes(); i < bytes; i += Lanes()) hn::StoreU(hn::Zero(d), d, to + i);
  }

  static HWY_INLINE V Of4(const uint8_t* p, int64_t second, int64_t third, int64_t fourth) {
    const D d;
    return hn::Max(hn::Max(hn::LoadU(d, p), hn::LoadU(d, p + second)),
                   hn::Max(hn::LoadU(d, p + third), hn::LoadU(d, p + fourth)));
  }

  // Windows of four times as many taps, in the place of the first of the four.
  HWY_INLINE void Quadruple(int64_t step, int64_t bytes) const {
    uint8_t* const p = job_.scratch;
    for (int64_t i = 0; i < bytes - 3 * step; i += Lanes()) {
      hn::StoreU(Of4(p + i, step, 2 * step, 3 * step), D(), p + i);
    }
  }

  HWY_INLINE void Finish(const uint8_t* p, int64_t second, int64_t third, int64_t last,
                         uint8_t* y) const {
    const D d;
    const int64_t n = Lanes(), outputs = job_.outputs;
    const V flip = hn::Set(d, job_.y_flip);
    const auto at = [&](int64_t i)
                        HWY_ATTR { return hn::Xor(Of4(p + i, second, third, last), flip); };
    int64_t i = 0;
    for (; i + n <= outputs; i += n) hn::StoreU(at(i), d, y + i);
    if (i == outputs) return;
    if (outputs >= n) {
      hn::StoreU(at(outputs - n), d, y + outputs - n);
    } else {
      hn::StoreN(at(0), d, y, static_cast<size_t>(outputs));
    }
  }

  const DoublingJob job_;
  const int64_t length_;
};

inline bool DoubleRows(const DoublingJob& job) {
  if (DoubleShortRows(job)) return true;
  if (job.scratch == nullptr) return false;
  RowsByDoubling(job).All();
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
