// How windows that lie side by side are walked, some of a row in each vector and four vectors at a
// time. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_LAID_OUT_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LAID_OUT_WALK_INL_H_
#undef LANEPOOL_SRC_KERNELS_LAID_OUT_WALK_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LAID_OUT_WALK_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

// Windows of a row that are one vector.
struct WindowsOfVector {
  const uint8_t* x;
  int64_t windows;
};

// `windows` of each of `rows` rows from x on, at most `at_once` in a vector. Calls
// strip.Of<kVectors>(a, b, c, e, to) for some vectors, of which the others are repeated, and moves
// `to` on by their windows.
template <class Lane>
class LaidOutWalk {
  using Some = WindowsOfVector;

 public:
  LaidOutWalk(const FoldRunJob& job, int64_t at_once)
      : length_(job.length), row_step_(job.x_row_step), at_once_(at_once) {}

  template <class Strip>
  HWY_INLINE void Run(const uint8_t* x, int64_t rows, int64_t windows, Lane* to,
                      const Strip& strip) const {
    const int64_t bytes = at_once_ * length_, step = row_step_;
    if (windows <= at_once_) {
      for (; rows >= 4; rows -= 4, x += 4 * step, to += 4 * windows) {
        const uint8_t* below = x + 2 * step;
        strip.template Of<4>({x, windows}, {x + step, windows}, {below, windows},
                             {below + step, windows}, to);
      }
    } else if (windows <= 2 * at_once_) {
      const int64_t rest = windows - at_once_;
      for (; rows >= 2; rows -= 2, x += 2 * step, to += 2 * windows) {
        const uint8_t* below = x + step;
        strip.template Of<4>({x, at_once_}, {x + bytes, rest}, {below, at_once_},
                             {below + bytes, rest}, to);
      }
    }
    Place place = {x, rows, windows, 0};
    for (;;) {
      for (; windows - place.done >= 4 * at_once_; place.done += 4 * at_once_) {
        const uint8_t* p = place.row + place.done * length_;
        strip.template Of<4>({p, at_once_}, {p + bytes, at_once_}, {p + 2 * bytes, at_once_},
                             {p + 3 * bytes, at_once_}, to);
        to += 4 * at_once_;
      }
      const Some a = Next(&place);
      if (a.windows == 0) return;
      const Some b = Next(&place);
      if (b.windows == 0) return strip.template Of<1>(a, a, a, a, to);
      const Some c = Next(&place);
      if (c.windows == 0) return strip.template Of<2>(a, b, b, b, to);
      const Some e = Next(&place);
      if (e.windows == 0) return strip.template Of<3>(a, b, c, c, to);
      strip.template Of<4>(a, b, c, e, to);
      to += a.windows + b.windows + c.windows + e.windows;
    }
  }

 private:
  struct Place {
    const uint8_t* row;
    int64_t rows, windows;  // that are left, of each row
    int64_t done;           // of the row
  };

  // Without windows: there are none left.
  HWY_INLINE Some Next(Place* place) const {
    if (place->done == place->windows) {
      place->done = 0;
      place->row += row_step_;
      --place->rows;
    }
    const int64_t left = place->rows == 0 ? 0 : place->windows - place->done;
    const Some some = {place->row + place->done * length_, HWY_MIN(at_once_, left)};
    place->done += some.windows;
    return some;
  }

  const int64_t length_, row_step_, at_once_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
