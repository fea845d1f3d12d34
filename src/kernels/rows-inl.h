// Rows whose lanes are positions along W: fold the taps along D and H into a scratch row with
// identity margins, then fold along W from there. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ------------------------------------------------------------------ fold along D and H

// The fold along D and H is a window that steps along H, its lanes positions along W.
template <class Op>
struct FoldOf : Op {
  static constexpr bool kWide = false;  // rows of scratch are short
  static constexpr bool kPairs = false;
  static constexpr bool kSlides = Op::kSlides && Op::kSlidesMany;
  using Out = LaneOf<typename Op::Elem>;
  using Finish = Unfinished;
  using EdgeFinish = Unfinished;
};

// Where the results are such folds anyway, the loops are the same.
template <class Op>
using FoldOrOp = std::conditional_t<IsFold<Op>(), Op, FoldOf<Op>>;

// Lanes that lie x_lane_step apart.
template <class Op>
bool FoldStridedRow(const FoldRowsJob& job, const typename Op::Elem::Memory* x,
                    typename Op::Elem::Lane* out) {
  using Reduce = typename Op::Reduce;
  const hn::ScalableTag<typename Op::Elem::Lane> d;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const typename Op::Elem elem(job.rules);
  auto state = Reduce::Start(d);
  for (int64_t i = 0; i < job.lanes; i += n) {
    const size_t some = static_cast<size_t>(HWY_MIN(n, job.lanes - i));
    V acc = hn::Zero(d);
    for (int64_t h = 0; h < job.taps[1]; ++h) {
      V column = hn::Zero(d);
      for (int64_t depth = 0; depth < job.taps[0]; ++depth) {
        const auto* p = x + i * job.x_lane_step + depth * job.x_tap[0] + h * job.x_tap[1];
        const V v = LoadStrided(elem, d, p, job.x_lane_step, some);
        state = Reduce::Watch(state, v);
        column = depth == 0 ? v : Reduce::Combine(column, v);
      }
      acc = h == 0 ? column : Reduce::Combine(acc, column);
    }
    hn::StoreN(acc, d, out + i, some);
  }
  return Reduce::Clean(d, state, Divisor());
}

template <class Op>
bool FoldRows(const FoldRowsJob& job) {
  using T = typename Op::Elem::Memory;
  using Lane = typename Op::Elem::Lane;
  const Lane margin = hn::GetLane(Op::Reduce::Identity(hn::ScalableTag<Lane>()));
  Lane* scratch = static_cast<Lane*>(job.scratch);
  const int64_t margins = job.left + job.right;
  for (int64_t row = kCompact ? 0 : job.margined; row < job.rows && margins > 0; ++row) {
    Lane* out = scratch + row * job.pitch;
    for (int64_t i = 0; i < job.left; ++i) out[i] = margin;
    for (int64_t i = 0; i < job.right; ++i) out[job.left + job.lanes + i] = margin;
  }
  if (job.lanes == 0) return true;
  if (job.x_lane_step != 1) {
    for (int64_t row = 0; row < job.rows; ++row) {
      if (!FoldStridedRow<Op>(job, static_cast<const T*>(job.x) + row * job.x_row_step,
                              scratch + row * job.pitch + job.left)) {
        return false;
      }
    }
    return true;
  }
  WindowJob window = {};
  window.x = job.x;
  window.y = scratch + job.left;
  window.lanes = job.lanes;
  window.outputs = job.rows;
  window.x_output_step = job.x_row_step;
  window.y_output_step = job.pitch;
  window.taps[0] = 1;
  window.taps[1] = job.taps[0];
  window.taps[2] = job.taps[1];
  window.x_tap[1] = job.x_tap[0];
  window.x_tap[2] = job.x_tap[1];
  window.rules = job.rules;
  return Window<FoldOrOp<Op>>(window);
}

// ------------------------------------------------------------------ fold along W

// Every other lane from p on, and those between. Highway 1.3 changes no lanes either, but on 32-bit
// Arm it asks for a pointer that may.
template <class D, class Lane = hn::TFromD<D>>
HWY_INLINE void LoadPairs(D d, const Lane* p, hn::VFromD<D>& a, hn::VFromD<D>& b) {
  hn::LoadInterleaved2(d, const_cast<Lane*>(p), a, b);
}

// Every kStride-th lane from p on. kStride 0: any stride, but then only the first `count` lanes:
// the others may lie far behind the scratch.
template <int kStride, class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LoadEvery(D d, const Lane* p, int64_t stride, size_t count) {
  hn::VFromD<D> a, b, c, e;
  switch (kStride) {
    case 1:
      return hn::LoadU(d, p);
    case 2:
      LoadPairs(d, p, a, b);
      return a;
    case 3:
      hn::LoadInterleaved3(d, p, a, b, c);
      return a;
    case 4:
      hn::LoadInterleaved4(d, p, a, b, c, e);
      return a;
    default:
      if constexpr (sizeof(Lane) >= 4) {
        const hn::RebindToSigned<D> di;
        using Index = hn::TFromD<decltype(di)>;
        const auto index = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<Index>(stride)));
        return hn::GatherIndexN(d, p, index, count);
      } else {
        HWY_ALIGN Lane lanes[HWY_MAX_LANES_D(D)] = {};
        for (size_t i = 0; i < count; ++i) lanes[i] = p[static_cast<int64_t>(i) * stride];
        return hn::Load(d, lanes);
      }
  }
}

// Folds the windows of one vector of outputs, the first of which begins at p.
template <class Reduce, int kStride, class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> FoldAlong(D d, const SlideRowsJob& job, const Lane* p, size_t count) {
  // Short lanes take long to be taken apart: that is done once, where more may be read.
  if constexpr (kStride == 2 && sizeof(Lane) <= 2) {
    if (job.taps > 1 && (job.tap_step > 1 || job.taps % 2 != 0)) {
      const size_t n = hn::Lanes(d);
      auto first = hn::LoadU(d, p), second = hn::LoadU(d, p + n);
      for (int64_t i = 1; i < job.taps; ++i) {
        p += job.tap_step;
        first = Reduce::Combine(first, hn::LoadU(d, p));
        second = Reduce::Combine(second, hn::LoadU(d, p + n));
      }
      return hn::ConcatEven(d, second, first);
    }
  }
  // One de-interleaving load serves as many neighbouring taps as it makes vectors.
  hn::VFromD<D> acc;
  int64_t tap = 0;
  if (job.tap_step == 1) {
    hn::VFromD<D> a, b, c, e;
    for (; kStride == 2 && tap + 2 <= job.taps; tap += 2) {
      LoadPairs(d, p + tap, a, b);
      acc = Reduce::Combine(tap == 0 ? a : Reduce::Combine(acc, a), b);
    }
    for (; kStride == 3 && tap + 3 <= job.taps; tap += 3) {
      hn::LoadInterleaved3(d, p + tap, a, b, c);
      acc = Reduce::Combine(Reduce::Combine(tap == 0 ? a : Reduce::Combine(acc, a), b), c);
    }
    for (; kStride == 4 && tap + 4 <= job.taps; tap += 4) {
      hn::LoadInterleaved4(d, p + tap, a, b, c, e);
      acc = Reduce::Combine(Reduce::Combine(tap == 0 ? a : Reduce::Combine(acc, a), b), c);
      acc = Reduce::Combine(acc, e);
    }
  }
  if (tap == 0) {
    acc = LoadEvery<kStride>(d, p, job.stride, count);
    tap = 1;
  }
  for (; tap < job.taps; ++tap) {
    acc = Reduce::Combine(acc, LoadEvery<kStride>(d, p + tap * job.tap_step, job.stride, count));
  }
  return acc;
}

// Rows of one vector of lanes.
template <class Op, int kStride, class D>
class RowsOfVector {
  using Reduce = typename Op::Reduce;
  using Rows = typename Op::Finish::Rows;
  using Y = typename Op::Out::Memory;
  using Lane = typename Op::Elem::Lane;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  RowsOfVector(const SlideRowsJob& job, int64_t lane, size_t count)
      : job_(job),
        out_(job.rules),
        scratch_(static_cast<const Lane*>(job.scratch) + lane * job.stride),
        y_(static_cast<Y*>(job.y) + lane),
        count_(count) {}

  HWY_INLINE void Run(const Rows& finish, V a, V b, S& state) const {
    const D d;
    if constexpr (Rows::kBlocks) {
      if (!finish.Alike()) {
        RunBlocks(finish, a);
        return;
      }
    }
    for (int64_t row = 0; row < job_.rows; ++row) {
      Put(row, finish.Apply(d, Fold(row), a, b, count_, state));
    }
  }

 private:
  HWY_INLINE V Fold(int64_t row) const {
    return FoldAlong<Reduce, kStride>(D(), job_, scratch_ + row * job_.pitch, count_);
  }
  // What lies behind the lanes may never have been written.
  HWY_INLINE void Put(int64_t row, V v) const {
    const D d;
    Y* y = y_ + row * job_.y_row_step;
    if (count_ == hn::Lanes(d)) {
      out_.Store(d, v, y);
    } else {
      out_.StoreN(d, v, y, count_);
    }
  }
  HWY_INLINE void RunBlocks(const Rows& finish, V classes) const {
    const D d;
    constexpr int64_t kMostRows = 16;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    HWY_ALIGN Lane block[kMostRows * HWY_MAX_LANES_D(D)];
    for (int64_t first = 0; first < job_.rows; first += kMostRows) {
      const int64_t rows = HWY_MIN(kMostRows, job_.rows - first);
      for (int64_t i = 0; i < rows; ++i) hn::Store(Fold(first + i), d, block + i * n);
      finish.ApplyBlock(d, classes, rows, block);
      for (int64_t i = 0; i < rows; ++i) Put(first + i, hn::Load(d, block + i * n));
    }
  }

  const SlideRowsJob& job_;
  const typename Op::Out out_;
  const Lane* const scratch_;
  Y* const y_;
  const size_t count_;
};

template <class Op, int kStride, class D = hn::ScalableTag<typename Op::Elem::Lane>>
bool SlideRowsBy(const SlideRowsJob& job) {
  const D d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  typename Op::Finish::Rows finish(job);
  finish.Prepare(d);
  auto state = Op::Reduce::Start(d);
  for (int64_t i = 0; i < job.lanes;) {
    const int64_t count = HWY_MIN(n, job.lanes);
    if (i + count > job.lanes) i = job.lanes - count;  // overlap the vector before
    auto a = hn::Zero(d), b = a;
    finish.Begin(d, i, a, b);
    RowsOfVector<Op, kStride, D>(job, i, static_cast<size_t>(count)).Run(finish, a, b, state);
    i += count;
  }
  return Op::Reduce::Clean(d, state, job.divisor);
}

template <class Op, class D>
HWY_INLINE bool SlideRowsApart(const SlideRowsJob& job) {
  switch (job.stride) {
    case 2:
      return SlideRowsBy<Op, 2, D>(job);
    case 3:
      return SlideRowsBy<Op, 3, D>(job);
    case 4:
      return SlideRowsBy<Op, 4, D>(job);
    default:
      return SlideRowsBy<Op, 0, D>(job);
  }
}

constexpr int64_t kShortRow = 32;

template <class Op>
bool SlideRows(const SlideRowsJob& job) {
  if (job.stride == 1) return SlideRowsBy<Op, 1>(job);
  if constexpr (!Op::kSlides) return SlideRowsBy<Op, 0>(job);
  if constexpr (!Op::kSlidesMany) {
    return job.stride == 2 ? SlideRowsBy<Op, 2>(job) : SlideRowsBy<Op, 0>(job);
  }
  // Long vectors of bytes take long to gather, and rows are often short.
  if constexpr (sizeof(typename Op::Elem::Lane) == 1) {
    if (job.lanes < kShortRow) {
      return SlideRowsApart<Op, hn::CappedTag<typename Op::Elem::Lane, kShortRow / 2>>(job);
    }
  }
  return SlideRowsApart<Op, hn::ScalableTag<typename Op::Elem::Lane>>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
