// Maxima of bytes and of 16-bit lanes in short rows: a row of x is one load or two, and results of
// several rows are one vector. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_SHORT_MAXIMA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_SHORT_MAXIMA_INL_H_
#undef LANEPOOL_SRC_KERNELS_SHORT_MAXIMA_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_SHORT_MAXIMA_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/neighbours-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// PlanesJob of windows of kTaps x kTaps taps that step by kStep along H and W: 3 and 1, 3 and 2, or
// 2 and 2. A row of x is kBytes at most. Folds of rows along H are kept until there are many, and
// then folded along W, as many at once as a full vector has room for.
template <class Op, int kBytes, int kTaps, int kStep>
class ShortMaxima {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  static constexpr int kSize = sizeof(Lane);
  static constexpr int64_t kRow = kBytes / kSize;  // lanes of a row of x, and of one of results
  static constexpr int64_t kOut = kRow / kStep;
  using DMost =
      std::conditional_t<HWY_HAVE_SCALABLE, hn::CappedTag<Lane, 16 / kSize>, hn::ScalableTag<Lane>>;
  using DPart = hn::CappedTag<Lane, HWY_MIN(kRow, HWY_MAX_LANES_D(DMost))>;  // of a row of x
  using DOut = hn::CappedTag<Lane, kOut>;
  // Lanes are moved within blocks of 16 bytes, or in a row of 32.
  using D = std::conditional_t<kOut * kSize <= 16, DMost, DOut>;
  using V = hn::VFromD<D>;
  using VPart = hn::VFromD<DPart>;
  static constexpr int64_t kPart = HWY_MAX_LANES_D(DPart);
  static constexpr int64_t kLast = kRow - kPart;  // where the last part of a row begins: 0 or kPart
  static constexpr int64_t kN = HWY_MAX_LANES_D(D);
  static constexpr int64_t kAtOnce = kN / kOut;  // rows of results in a vector
  // Whether rows of whole vectors are no faster in other loops.
  static constexpr bool kBest = kBytes == 16 || (kTaps == 3 && kStep == 2);

 public:
  static bool Fits(const PlanesJob& job) {
    const int64_t columns = Columns(job);
    return job.taps_d == 1 && job.w_tap == 1 && job.group == 1 && columns <= kRow &&
           columns > kLast && job.w_first >= (kTaps == 3 ? -1 : 0) && job.lanes <= kOut &&
           (kBest || job.lanes < kOut) && job.rows <= kShortRows &&
           (job.rows == 1 || job.y_row_step == job.lanes) &&
           (job.planes == 1 || job.y_plane_step == job.rows * job.lanes);
  }

  ShortMaxima(const PlanesJob& job, const EdgeRows& edges)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        before_(job.w_first < 0),
        first_(edges.first != 0),
        last_(edges.last != 0),
        inner_(job.rows - edges.first - edges.last),
        x_step_(job.h_tap * job.x_row_step),
        columns_(Columns(job)),
        lanes_(job.lanes),
        x_end_(static_cast<const T*>(job.x) + ReadableOf<T>(job).count),
        y_(static_cast<Y*>(job.y)),
        y_end_(y_ + job.planes * job.rows * job.lanes) {}

  HWY_INLINE void Run() {
    const PlanesJob& job = job_;
    // Planes whose rows are all followed by what is read with them.
    int64_t whole = job.planes;
    while (whole > 0 && (job.planes - whole) * job.x_plane_step < kRow - columns_) --whole;
    const int64_t first = job.h_first + (first_ ? job.h_tap : 0);
    const T* x = static_cast<const T*>(job.x) + HWY_MAX(job.w_first, 0) + first * job.x_row_step;
    const DPart d;
    const VPart all = hn::Set(d, hwy::HighestValue<Lane>()), none = Reduce::Identity(d);
    const int64_t columns = columns_ - kLast;
    const VPart most = hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(columns)), all, none);
    const int64_t planes = job.planes, x_step = job.x_plane_step, folds = job.rows * kRow;
    Lane* fold = folds_;
    for (int64_t plane = 0; plane < planes; ++plane) {
      if (fold + folds > folds_ + kShortRows * kRow) fold = AlongW<false>(fold);
      if (plane < whole) {
        if (kLast > 0) Plane<false>(x, all, kPart, fold);
        Plane<false>(x + kLast, most, columns, fold + kLast);
      } else {
        if (kLast > 0) Plane<true>(x, all, kPart, fold);
        Plane<true>(x + kLast, most, columns, fold + kLast);
      }
      fold += folds;
      x += x_step;
    }
    AlongW<true>(fold);
  }

 private:
  static int64_t Columns(const PlanesJob& job) { return job.w_input - HWY_MAX(job.w_first, 0); }

  // The folds along H of a plane, of so many columns from x on; others become the identity, with
  // `most`. kEnd: some rows may be followed by less than is read.
  template <bool kEnd>
  HWY_INLINE void Plane(const T* x, VPart most, int64_t columns, Lane* fold) const {
    const DPart d;
    const int64_t step = x_step_;
    const auto next = [&]() HWY_ATTR __attribute__((always_inline)) {
      const bool at_end = kEnd && x_end_ - x < kPart;
      const VPart v = at_end ? RowAtEnd(x, columns) : elem_.Load(d, x);
      x += step;
      return v;
    };
    const auto put = [&](VPart v) HWY_ATTR __attribute__((always_inline)) {
      hn::Store(hn::Min(v, most), d, fold);
      fold += kRow;
    };
    VPart one = most, two = most;  // the last row, and the last two
    if (kTaps == 3) one = next();
    if (kTaps == 3 && kStep == 1) {
      const VPart v = next();
      two = Reduce::Combine(one, v);
      one = v;
    }
    if (first_) {
      const VPart v = kStep == 1 ? one : next();
      put(kStep == 1 ? two : kTaps == 2 ? v : Reduce::Combine(one, v));
      one = v;
    }
    for (int64_t row = inner_; row > 0; --row) {
      if constexpr (kStep == 1) {
        const VPart v = next();
        put(Reduce::Combine(two, v));
        two = Reduce::Combine(one, v);
        one = v;
      } else {
        const VPart a = next(), b = next(), both = Reduce::Combine(a, b);
        put(kTaps == 2 ? both : Reduce::Combine(one, both));
        one = b;
      }
    }
    if (last_) put(kStep == 1 ? two : kTaps == 2 ? next() : Reduce::Combine(one, next()));
  }
  HWY_NOINLINE VPart RowAtEnd(const T* x, int64_t columns) const {
    const DPart d;
    return elem_.LoadN(d, x, static_cast<size_t>(columns), Reduce::Identity(d));
  }

  // Folds up to `end`. kAll: with those that are less than a vector, which else are moved to the
  // front. Where the next one is to be.
  template <bool kAll>
  HWY_NOINLINE Lane* AlongW(const Lane* end) {
    return before_ ? AlongW<kAll, true>(end) : AlongW<kAll, false>(end);
  }
  template <bool kAll, bool kBefore>
  HWY_INLINE Lane* AlongW(const Lane* end) {
    const D d;
    const Out out = out_;
    const Finish finish(job_.divisor, job_.rules);
    auto state = Reduce::Start(d);
    const int64_t lanes = lanes_, reach = (kAtOnce - 1) * lanes + kOut;
    Y* y = y_;
    Y* const y_end = y_end_;
    const Lane* fold = folds_;
    for (; end - fold >= kAtOnce * kRow; fold += kAtOnce * kRow) {
      const V v = finish.Apply(OfFolds<kBefore>(fold), state);
      if (HWY_LIKELY(y_end - y >= reach)) {
        PutRows(out, d, v, y, lanes);
      } else {
        hn::Store(v, d, results_);
        PutEach(y, kAtOnce);
      }
      y += kAtOnce * lanes;
    }
    const int64_t left = (end - fold) / kRow;
    if (kAll) {
      if (left > 0) {
        hn::Store(finish.Apply(OfFolds<kBefore>(fold), state), d, results_);
        PutEach(y, left);
      }
      return folds_;
    }
    y_ = y;
    for (int64_t i = 0; i < (kAtOnce - 1) * kRow; i += kPart) {
      hn::Store(hn::Load(DPart(), fold + i), DPart(), folds_ + i);
    }
    return folds_ + left * kRow;
  }
  template <bool kBefore>
  static HWY_INLINE V OfFolds(const Lane* fold) {
    const D d;
    const V none = Reduce::Identity(d), a = hn::Load(d, fold);
    if constexpr (kStep == 1) {
      const V next = Behind(a, none);
      return Reduce::Combine(Reduce::Combine(a, next),
                             kBefore ? Before(a, none) : Behind(next, none));
    } else {
      const V b = hn::Load(d, fold + kN);
      const V even = hn::ConcatEven(d, b, a), odd = hn::ConcatOdd(d, b, a);
      const V both = Reduce::Combine(even, odd);
      if constexpr (kTaps == 2) return both;
      return Reduce::Combine(both, kBefore ? Before(odd, none) : Behind(even, none));
    }
  }
  // The lanes before those of v in their row of kOut, and those behind them.
  static HWY_INLINE V Before(V v, V none) {
    const D d;
    if constexpr (kOut * kSize == 8) {
      const hn::Repartition<uint64_t, D> d64;
      return hn::Or(hn::BitCast(d, hn::ShiftLeft<8 * kSize>(hn::BitCast(d64, v))),
                    hn::BitCast(d, hn::Set(d64, kNone)));
    } else if constexpr (kOut * kSize == 16) {
      return BlocksFrom<16 - kSize>(d, v, none);
    } else {
      return LaneBefore(d, none, v);
    }
  }
  static HWY_INLINE V Behind(V v, V none) {
    const D d;
    if constexpr (kOut * kSize == 8) {
      const hn::Repartition<uint64_t, D> d64;
      return hn::Or(hn::BitCast(d, hn::ShiftRight<8 * kSize>(hn::BitCast(d64, v))),
                    hn::BitCast(d, hn::Set(d64, kNone << (64 - 8 * kSize))));
    } else if constexpr (kOut * kSize == 16) {
      return BlocksFrom<kSize>(d, none, v);
    } else {
      return LaneBehind(d, v, none);
    }
  }
  // The identity.
  static constexpr uint64_t kNone =
      std::is_signed<Lane>::value ? uint64_t{1} << (8 * kSize - 1) : 0;

  // Each row is stored with what is behind it: the next rows are stored later.
  template <class DV, class VV>
  static HWY_INLINE void PutRows(const Out& out, DV d, VV v, Y* y, int64_t lanes) {
    if constexpr (HWY_MAX_LANES_D(DV) == kOut) {
      out.Store(d, v, y);
    } else {
      const hn::Half<DV> half;
      PutRows(out, half, hn::LowerHalf(half, v), y, lanes);
      PutRows(out, half, hn::UpperHalf(half, v), y + HWY_MAX_LANES_D(decltype(half)) / kOut * lanes,
              lanes);
    }
  }
  HWY_NOINLINE void PutEach(Y* y, int64_t rows) const {
    const DOut d;
    for (int64_t row = 0; row < rows; ++row) {
      const auto of_row = hn::Load(d, results_ + row * kOut);
      if (y_end_ - y >= kOut) {
        out_.Store(d, of_row, y);
      } else {
        out_.StoreN(d, of_row, y, static_cast<size_t>(lanes_));
      }
      y += lanes_;
    }
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const bool before_, first_, last_;  // whether windows lack taps
  const int64_t inner_, x_step_, columns_, lanes_;
  const T* const x_end_;
  Y* y_;
  Y* const y_end_;
  HWY_ALIGN Lane results_[kN];
  // With room for those that were moved to the front, or for a vector behind the last one.
  HWY_ALIGN Lane folds_[kShortRows * kRow + 2 * kN];
};

template <class Op, int kBytes, int kTaps, int kStep>
HWY_NOINLINE void RunShortMaxima(const PlanesJob& job, const EdgeRows& edges) {
  ShortMaxima<Op, kBytes, kTaps, kStep>(job, edges).Run();
}

// False: no job for this.
template <class Op, int kTaps, int kStep>
HWY_INLINE bool TakeShortMaxima(const PlanesJob& job) {
  EdgeRows edges;
  if (!FindEdgeRows(job, kTaps, kStep, &edges)) return false;
  if (ShortMaxima<Op, 16, kTaps, kStep>::Fits(job)) {
    RunShortMaxima<Op, 16, kTaps, kStep>(job, edges);
    return true;
  }
  constexpr bool kWhole = hn::ScalableTag<uint8_t>().MaxBytes() >= 32 && !HWY_HAVE_SCALABLE;
  if constexpr (kWhole || (kStep == 2 && sizeof(typename Op::Elem::Lane) == 1)) {
    if (ShortMaxima<Op, 32, kTaps, kStep>::Fits(job)) {
      RunShortMaxima<Op, 32, kTaps, kStep>(job, edges);
      return true;
    }
  }
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
