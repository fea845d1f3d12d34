// Windows whose lanes are channels: direct folds, and slides along the row that fold each column
// once. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/slide-inl.h"
#include "kernels/window_apart-inl.h"
#include "kernels/window_fold-inl.h"
#include "kernels/window_four-inl.h"
#include "kernels/window_one-inl.h"
#include "kernels/window_short-inl.h"
#include "kernels/window_whole-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four vectors of long windows take many registers.
constexpr int kFourTaps = kManyRegisters ? 7 : 3;

template <class Op>
bool DirectWindows(const WindowJob& job);

// All lanes of the job. kTaps: sliding windows of so many taps; 0: every window by itself.
template <class Op, int kTaps, int kRows>
bool WindowLanes(const WindowJob& job, const Slide& slide) {
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const auto run = [&](const auto& vectors) HWY_ATTR {
    if constexpr (kTaps == 0) {
      return vectors.Direct();
    } else {
      return vectors.template Sliding<kTaps, kRows>(slide);
    }
  };
  if (job.lanes < n) {
    // Of few lanes, only windows that can have edges slide: less code.
    if constexpr (kTaps == 0 || kTaps == 3) {
      return run(OneVector<Op, true>(job, 0, static_cast<size_t>(job.lanes)));
    } else {
      return DirectWindows<Op>(job);
    }
  }
  int64_t lane = 0;
  if constexpr (kTaps <= (Op::kWide ? kFourTaps : 0) && Op::kSlides) {
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) {
      if (!run(FourVectors<Op, false>(job, lane))) return false;
    }
  }
  if constexpr (Op::kPairs) {
    for (; lane + 2 * n <= job.lanes; lane += 2 * n) {
      if (!run(FourVectors<Op, true>(job, lane))) return false;
    }
  }
  while (lane < job.lanes) {
    // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
    if (!run(OneVector<Op, false>(job, HWY_MIN(lane, job.lanes - n), 0))) return false;
    lane += n;
  }
  return true;
}

// A row of windows of 3 x 3 taps that slide.
template <class Op>
bool RowOfThreeByThree(const WindowJob& job, const Slide& slide) {
  if constexpr (HasWholePixels<Op>()) {
    if (WholePixels<Op>::Fits(job, slide)) return WholePixels<Op>::Run(job);
  }
  return WindowLanes<Op, 3, 3>(job, slide);
}

// Whether windows of two large columns, which could slide, are faster by themselves. The order of
// additions is the same.
template <class Op>
bool PrefersPasses(const WindowJob& job) {
  if constexpr (Op::kWide && !Op::Reduce::kRare && hwy::IsFloat<typename Op::Elem::Lane>()) {
    const int64_t bytes = job.lanes * static_cast<int64_t>(sizeof(typename Op::Elem::Memory));
    return job.taps[2] == 2 && job.taps[0] * job.taps[1] > kFewTaps && bytes >= kShortStream;
  }
  return false;
}

// Whether windows of a single row of few taps, which can slide, are faster by themselves: those of
// ShortWindows hardly wait for what is loaded twice. The order of additions is the same.
template <class Op>
bool PrefersLine(const WindowJob& job) {
  if constexpr (!Op::kWide || Op::Reduce::kRare) return false;
  const int64_t taps = job.taps[2], most = 5;
  if (job.taps[0] != 1 || job.taps[1] != 1 || taps > most) return false;
  if (job.lead.exists || job.trail.exists) return false;
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  if (job.lanes >= 4 * static_cast<int64_t>(hn::Lanes(d))) return false;
  constexpr size_t kBytes = sizeof(typename Op::Elem::Memory);
  const bool steps = job.x_output_step != job.x_tap[2];
  return kBytes == 2 ? steps && taps == 3 : kBytes == 1 || steps || taps == 2;
}

// Whether windows of four or six taps along W, which can slide, are not faster by themselves: of
// short elements that share but half of six taps, or are read from beyond the caches more than
// once.
template <class Op>
bool PrefersSlide(const WindowJob& job, const Slide& slide) {
  if constexpr (!Op::kSmall) return true;
  const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<typename Op::Elem::Lane>()));
  return !(slide.taps == 6 && slide.step >= 3) && !(job.far && job.lanes > 4 * n);
}

// Windows by themselves. Apart, where that is worth its code.
template <class Op>
HWY_NOINLINE bool DirectWindows(const WindowJob& job) {
  if constexpr (Op::kWide && !Op::Reduce::kRare) {
    using Less = ShortWindows<Op, PixelLanes::kLess>;
    using One = ShortWindows<Op, PixelLanes::kOne>;
    using More = ShortWindows<Op, PixelLanes::kMore>;
    if (Less::Fits(job)) return Less::All(job);
    if (One::Fits(job)) return One::All(job);
    if (More::Fits(job)) return More::All(job);
    return Apart<Op>(job).All();
  } else if constexpr (IsFold<Op>()) {
    return DirectFolds<Op>(job);
  } else {
    return WindowLanes<Op, 0, 0>(job, Slide());
  }
}

// One row.
template <class Op>
bool SlidingWindows(const WindowJob& job, const Slide& slide) {
  if constexpr (Op::kSlides) {
    const bool flat = job.taps[0] == 1;
    switch (slide.taps) {
      case 3:
        if constexpr (Op::kWide) {
          if (flat && job.taps[1] == 3) return RowOfThreeByThree<Op>(job, slide);
        }
        return WindowLanes<Op, 3, 0>(job, slide);
      default:
        break;
    }
    if constexpr (Op::kSlidesMany) {
      switch (slide.taps) {
        case 2:
          return WindowLanes<Op, 2, 0>(job, slide);
        case 5:
          return WindowLanes<Op, 5, 0>(job, slide);
        case 7:
          return WindowLanes<Op, 7, 0>(job, slide);
        default:
          break;
      }
    }
    if constexpr (Op::kSlidesEven) {
      if (slide.taps == 4 && PrefersSlide<Op>(job, slide)) return WindowLanes<Op, 4, 0>(job, slide);
      if (slide.taps == 6 && PrefersSlide<Op>(job, slide)) return WindowLanes<Op, 6, 0>(job, slide);
    }
  }
  return DirectWindows<Op>(job);
}

template <class Op>
bool Window(const WindowJob& job) {
  Slide slide = {};
  const bool slides =
      Op::kSlides && job.outputs > 1 && !PrefersPasses<Op>(job) && !PrefersLine<Op>(job) &&
      Slide::Make(job.outputs, job.taps[2], job.x_output_step, job.x_tap[2], &slide);
  if (!slides && Op::kWide && !Op::Reduce::kRare) return DirectWindows<Op>(job);
  WindowJob row = job;
  row.rows = 1;
  for (int64_t i = 0; i == 0 || i < job.rows; ++i) {
    if (!(slides ? SlidingWindows<Op>(row, slide) : DirectWindows<Op>(row))) return false;
    row.x = static_cast<const typename Op::Elem::Memory*>(row.x) + job.x_row_step;
    row.y = static_cast<typename Op::Out::Memory*>(row.y) + job.y_row_step;
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
