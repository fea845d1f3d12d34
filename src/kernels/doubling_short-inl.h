// Maxima of bytes in windows of many taps along rows of at most a vector, in registers. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_
#undef LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Only where a vector has 64 bytes: rows of less are mostly those of small planes, which become
// channels.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
constexpr int64_t kShortRowBytes = 64;

// A window is the taps before its position and those behind it, with the tap there in both. Each of
// these is of 2 taps at first, then of 4 and so on. Lanes move in pairs: an odd tap is one of x.
// At the ends of the vector, where no lane is left to come, the last one comes again: windows that
// reach it have it anyway.
class ShortRowsByDoubling {
  using D = hn::FixedTag<uint8_t, kShortRowBytes>;
  using D16 = hn::Repartition<uint16_t, D>;
  using V = hn::VFromD<D>;

 public:
  explicit ShortRowsByDoubling(const DoublingJob& job)
      : job_(job), behind_(1, job.taps + job.first), before_(-1, 1 - job.first) {}

  static bool Fits(const DoublingJob& job) {
    return job.tap_step == 1 && HWY_MAX(job.positions, job.outputs) <= kShortRowBytes &&
           job.first <= 0 && -job.first < job.taps;
  }

  // Four rows at a time; where there are fewer, the last one again.
  HWY_INLINE void All() const {
    const int64_t steps = HWY_MAX(behind_.steps, before_.steps);
    for (int64_t row = 0; row < job_.rows; row += 4) {
      Row a = Load(row), b = Load(row + 1), c = Load(row + 2), e = Load(row + 3);
      for (int64_t i = 0; i < steps; ++i) {
        Step(i, a);
        Step(i, b);
        Step(i, c);
        Step(i, e);
      }
      Store(a, row);
      Store(b, row + 1);
      Store(c, row + 2);
      Store(e, row + 3);
    }
  }

 private:
  static constexpr int64_t kPairs = kShortRowBytes / 2;

  // Where pairs of lanes come from, for so many taps in the direction of `sign`.
  struct Direction {
    Direction(int64_t sign, int64_t all_taps) : taps(HWY_MIN(all_taps, kShortRowBytes)) {
      int64_t reach = 2;
      for (; 2 * reach <= taps; reach *= 2) Point(sign * reach / 2, pairs[steps++]);
      if (taps >= reach + 2) Point(sign * ((taps - reach) / 2), pairs[steps++]);
      // The other direction may have more steps.
      for (int64_t i = steps; i < kSteps; ++i) Point(0, pairs[i]);
      Point(sign * ((taps - 1) / 2), odd);
    }
    static void Point(int64_t distance, uint16_t* to) {
      for (int64_t i = 0; i < kPairs; ++i) {
        to[i] = static_cast<uint16_t>(HWY_MIN(HWY_MAX(i + distance, 0), kPairs - 1));
      }
    }

    static constexpr int64_t kSteps = 5;
    int64_t taps, steps = 0;
    HWY_ALIGN uint16_t pairs[kSteps][kPairs];
    HWY_ALIGN uint16_t odd[kPairs];  // of x, the last of an odd number of taps
  };

  struct Row {
    V x, behind, before;
  };

  static HWY_INLINE V Moved(V v, const uint16_t* pairs) {
    const D16 d16;
    const auto from = hn::SetTableIndices(d16, pairs);
    return hn::BitCast(D(), hn::TableLookupLanes(hn::BitCast(d16, v), from));
  }

  HWY_INLINE Row Load(int64_t row) const {
    const D d;
    const uint8_t* const x = job_.x + HWY_MIN(row, job_.rows - 1) * job_.x_row_step;
    const V v = hn::LoadN(d, x, static_cast<size_t>(job_.positions));
    return {v, behind_.taps > 1 ? hn::Max(v, hn::Slide1Down(d, v)) : v,
            before_.taps > 1 ? hn::Max(v, hn::Slide1Up(d, v)) : v};
  }
  HWY_INLINE void Step(int64_t i, Row& row) const {
    row.behind = hn::Max(row.behind, Moved(row.behind, behind_.pairs[i]));
    row.before = hn::Max(row.before, Moved(row.before, before_.pairs[i]));
  }
  HWY_INLINE void Store(const Row& of, int64_t row) const {
    const D d;
    uint8_t* const y = job_.y + HWY_MIN(row, job_.rows - 1) * job_.y_row_step;
    const V odd = hn::Max(Moved(of.x, behind_.odd), Moved(of.x, before_.odd));
    const V all = hn::Max(hn::Max(of.behind, of.before), odd);
    hn::StoreN(hn::Xor(all, hn::Set(d, job_.y_flip)), d, y, static_cast<size_t>(job_.outputs));
  }

  const DoublingJob job_;
  const Direction behind_, before_;
};

// False: these rows are not short.
inline bool DoubleShortRows(const DoublingJob& job) {
  if (!ShortRowsByDoubling::Fits(job)) return false;
  ShortRowsByDoubling(job).All();
  return true;
}
#else
inline bool DoubleShortRows(const DoublingJob&) { return false; }
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
