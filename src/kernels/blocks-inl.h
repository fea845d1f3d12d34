// Windows of many taps along one axis, at a cost that does not grow with their number: outputs are
// taken in blocks, and each window is the fold of two parts that it shares with its neighbours.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_BLOCKS_INL_H_
#undef LANEPOOL_SRC_KERNELS_BLOCKS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_BLOCKS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/mean_bytes-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most kBlockLineBytes, so that scratch has one size on every machine.
template <class Lane>
using BlockTag = hn::CappedTag<Lane, kBlockLineBytes / sizeof(Lane)>;

template <class Finish>
using Divides = std::is_base_of<DividesLanes, Finish>;

// One vector of lanes, or four that lie `apart`. kPartial: the first `n` lanes of one. kMixed:
// lanes have divisors of their own, see BlocksJob::lane_counts.
//
// All windows of a block contain its anchor, the first tap of the last one. Walking from the anchor
// back to the first window leaves at each window the fold of its taps before the anchor; walking on
// from the anchor adds to that the fold of the others.
template <class Elem, class Reduce, class Out, class Finish, bool kFour, bool kPartial,
          bool kMixed = false>
class BlockLanes {
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  using Y = typename Out::Memory;
  using D = BlockTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  using Planes = typename Finish::Planes;
  // The folds before the anchor wait where the results will be.
  static constexpr bool kInPlace = std::is_same<Out, LaneOf<Elem>>::value;

 public:
  // Distances of neighbouring vectors.
  struct Apart {
    int64_t x, y;
  };

  BlockLanes(const BlocksJob& job, const PlanesJob& finishing, size_t n, const Apart& apart)
      : job_(job), elem_(job.rules), out_(job.rules), finish_(finishing), n_(n), apart_(apart) {}

  // From a lane on, every step-th of the lines.
  HWY_INLINE S Run(int64_t line, int64_t lines, int64_t step, int64_t lane, S state) {
    for (; line < lines; line += step) Line(line, lane, state);
    return state;
  }

 private:
  HWY_INLINE void Line(int64_t line, int64_t lane, S& state) {
    const D d;
    finish_.BeginPlane();
    of_output_ = 0;
    V count = hn::Zero(d);
    if constexpr (Divides<Finish>::value) {
      const hn::RebindToFloat<D> df;
      if (!kMixed) count = hn::BitCast(d, hn::Set(df, job_.line_counts[line]));
      if (kMixed) count_ = job_.lane_counts + lane;
    }
    V divisor = count, reciprocal = count;
    const T* const x = static_cast<const T*>(job_.x) + line * job_.x_line_step + lane;
    Y* const y = static_cast<Y*>(job_.y) + line * job_.y_line_step + lane;
    for (int64_t begin = 0; begin < job_.outputs;) {
      const int64_t end = begin + job_.block - (begin + job_.skip) % job_.block;
      Block(x, y, begin, end, count, divisor, reciprocal, state);
      begin = end;
    }
  }

  // Outputs from `begin` on of a block that ends at `end`, which may be beyond the job's.
  HWY_INLINE void Block(const T* x, Y* y, int64_t begin, int64_t end, V count, V& divisor,
                        V& reciprocal, S& state) {
    const D d;
    const int64_t stride = job_.stride, positions = job_.positions, x_step = job_.x_step;
    const int64_t anchor = HWY_MAX(int64_t{0}, HWY_MIN(job_.first + (end - 1) * stride, positions));
    end = HWY_MIN(end, job_.outputs);
    V a = Reduce::Identity(d), b = a, c = a, e = a;
    int64_t at = anchor;
    for (int64_t o = end - 1; o >= begin; --o) {
      const int64_t start = HWY_MAX(int64_t{0}, job_.first + o * stride);
      while (at > start) {
        --at;
        More(x + at * x_step, a, b, c, e, state);
      }
      Keep(y, o - begin, o, a, b, c, e);
    }
    a = b = c = e = Reduce::Identity(d);
    at = anchor;
    for (int64_t o = begin; o < end; ++o) {
      const int64_t stop = HWY_MIN(job_.first + o * stride + job_.taps, positions);
      while (at < stop) {
        More(x + at * x_step, a, b, c, e, state);
        ++at;
      }
      Put(y, o - begin, o, a, b, c, e, count, divisor, reciprocal, state);
    }
  }

  HWY_INLINE V LoadOne(const T* p) const {
    const D d;
    if constexpr (kPartial) {
      return elem_.LoadN(d, p, n_, hn::Zero(d));
    } else {
      return elem_.Load(d, p);
    }
  }
  HWY_INLINE void Load(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    a = LoadOne(p);
    if constexpr (kFour) {
      b = LoadOne(p + apart_.x);
      c = LoadOne(p + 2 * apart_.x);
      e = LoadOne(p + 3 * apart_.x);
      // Rows lie far apart: what comes next is foreseen by no hardware.
      if constexpr (kInPlace) {
        hwy::Prefetch(p + 4 * apart_.x);
        hwy::Prefetch(p + 5 * apart_.x);
        hwy::Prefetch(p + 6 * apart_.x);
        hwy::Prefetch(p + 7 * apart_.x);
      }
      state = Reduce::Watch(Reduce::Watch(state, a, b), c, e);
    } else {
      state = Reduce::Watch(state, a, a);
    }
  }
  // The taps along D at one position.
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    V a1 = a, b1 = b, c1 = c, e1 = e;
    Load(p, a1, b1, c1, e1, state);
    for (int64_t i = 1; i < job_.taps_d; ++i) {
      V a2 = a, b2 = b, c2 = c, e2 = e;
      Load(p + i * job_.x_tap_d, a2, b2, c2, e2, state);
      Combine(a1, b1, c1, e1, a2, b2, c2, e2);
    }
    Combine(a, b, c, e, a1, b1, c1, e1);
  }
  static HWY_INLINE void Combine(V& a, V& b, V& c, V& e, V a1, V b1, V c1, V e1) {
    a = Reduce::Combine(a, a1);
    if (!kFour) return;
    b = Reduce::Combine(b, b1);
    c = Reduce::Combine(c, c1);
    e = Reduce::Combine(e, e1);
  }

  // Where folds wait, and how far apart.
  HWY_INLINE Lane* KeptAt(Y* y, int64_t i, int64_t o) const {
    if constexpr (kInPlace) {
      return y + o * job_.y_step;
    } else {
      return static_cast<Lane*>(job_.kept) + i * (kFour ? 4 : 1) * KeptApart();
    }
  }
  HWY_INLINE int64_t KeptApart() const {
    return kInPlace ? apart_.y : static_cast<int64_t>(hn::Lanes(D()));
  }
  HWY_INLINE void KeepOne(V v, Lane* to) const {
    const D d;
    if constexpr (kPartial && kInPlace) {
      hn::StoreN(v, d, to, n_);
    } else {
      hn::StoreU(v, d, to);
    }
  }
  HWY_INLINE void Keep(Y* y, int64_t i, int64_t o, V a, V b, V c, V e) const {
    Lane* const to = KeptAt(y, i, o);
    KeepOne(a, to);
    if (!kFour) return;
    KeepOne(b, to + KeptApart());
    KeepOne(c, to + 2 * KeptApart());
    KeepOne(e, to + 3 * KeptApart());
  }
  HWY_INLINE V Kept(const Lane* kept) const {
    const D d;
    if constexpr (kPartial && kInPlace) {
      return hn::LoadN(d, kept, n_);
    } else {
      return hn::LoadU(d, kept);
    }
  }
  HWY_INLINE void PutOne(V v, Y* to, V count, V divisor, V reciprocal, S& state) const {
    const D d;
    const V result = finish_.Apply(v, count, divisor, reciprocal, state);
    if constexpr (kPartial) {
      out_.StoreN(d, result, to, n_);
    } else {
      out_.Store(d, result, to);
    }
  }
  HWY_INLINE void Put(Y* y, int64_t i, int64_t o, V a, V b, V c, V e, V count, V& divisor,
                      V& reciprocal, S& state) {
    const Lane* const kept = KeptAt(y, i, o);
    V a1 = Kept(kept), b1 = a1, c1 = a1, e1 = a1;
    if constexpr (kFour) {
      b1 = Kept(kept + KeptApart());
      c1 = Kept(kept + 2 * KeptApart());
      e1 = Kept(kept + 3 * KeptApart());
    }
    Combine(a1, b1, c1, e1, a, b, c, e);
    Y* const to = y + o * job_.y_step;
    if constexpr (kMixed) {
      PutMixed(o, a1, b1, c1, e1, to, state);
      return;
    }
    finish_.Row(D(), o, count, divisor, reciprocal);
    PutOne(a1, to, count, divisor, reciprocal, state);
    if (!kFour) return;
    PutOne(b1, to + apart_.y, count, divisor, reciprocal, state);
    PutOne(c1, to + 2 * apart_.y, count, divisor, reciprocal, state);
    PutOne(e1, to + 3 * apart_.y, count, divisor, reciprocal, state);
  }

  // Divisors in memory: four vectors of them, and their reciprocals, would take too many registers.
  HWY_INLINE void PutMixed(int64_t o, V a, V b, V c, V e, Y* to, S& state) {
    const D d;
    const hn::RebindToFloat<D> df;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if (job_.counts[o] != of_output_) {
      of_output_ = job_.counts[o];
      const auto factor = hn::Set(df, of_output_);
      for (int64_t i = 0; i < (kFour ? 4 : 1) * n; i += n) {
        const auto divisor = hn::Mul(hn::LoadU(df, count_ + i), factor);
        hn::Store(divisor, df, divisors_ + i);
        hn::Store(hn::Div(hn::Set(df, 1.0f), divisor), df, reciprocals_ + i);
      }
    }
    const auto put = [&](int64_t i, V v) HWY_ATTR {
      const V divisor = hn::BitCast(d, hn::Load(df, divisors_ + i * n));
      const V reciprocal = hn::BitCast(d, hn::Load(df, reciprocals_ + i * n));
      PutOne(v, to + i * apart_.y, divisor, divisor, reciprocal, state);
    };
    put(0, a);
    if (!kFour) return;
    put(1, b);
    put(2, c);
    put(3, e);
  }

  const BlocksJob job_;  // a copy, out of reach of stores to y
  const Elem elem_;
  const Out out_;
  Planes finish_;
  const size_t n_;
  const Apart apart_;
  // kMixed: of the lanes, and of the output that the divisors are of.
  const float* count_ = nullptr;
  float of_output_ = 0;
  static constexpr size_t kDivisors = kMixed ? 4 * HWY_MAX_LANES_D(D) : 1;
  HWY_ALIGN float divisors_[kDivisors];
  HWY_ALIGN float reciprocals_[kDivisors];
};

// kLines: four vectors may be of four lines; then all lines divide by the same.
template <class Elem, class Reduce, class Out, class Finish, bool kFour, bool kLines, bool kMixed>
HWY_INLINE bool RunBlocks(const BlocksJob& job) {
  const BlockTag<typename Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  PlanesJob finishing = {};
  finishing.h_counts = job.counts;
  finishing.divisor = job.divisor;
  finishing.rules = job.rules;
  using Four = BlockLanes<Elem, Reduce, Out, Finish, true, false, kMixed>;
  using One = BlockLanes<Elem, Reduce, Out, Finish, false, false, kMixed>;
  using Some = BlockLanes<Elem, Reduce, Out, Finish, false, true>;
  auto state = Reduce::Start(d);
  if constexpr (!kMixed) {
    if (job.lanes < n) {
      Some some(job, finishing, static_cast<size_t>(job.lanes), {0, 0});
      state = some.Run(0, job.lines, 1, 0, state);
      return Reduce::Clean(d, state, job.divisor);
    }
  }
  int64_t lane = 0;
  if constexpr (kFour) {
    Four four(job, finishing, 0, {n, n});
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) {
      state = four.Run(0, job.lines, 1, lane, state);
    }
  }
  const int64_t fours = kFour && kLines ? job.lines / 4 * 4 : 0;
  for (; lane < job.lanes; lane += n) {
    // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
    const int64_t first = HWY_MIN(lane, job.lanes - n);
    if constexpr (kFour && kLines) {
      Four four(job, finishing, 0, {job.x_line_step, job.y_line_step});
      state = four.Run(0, fours, 4, first, state);
    }
    One one(job, finishing, 0, {0, 0});
    state = one.Run(fours, job.lines, 1, first, state);
  }
  return Reduce::Clean(d, state, job.divisor);
}

// Partial folds need no exact reducer: they are given up, if at all, for what shows in the results.
template <class Reduce>
using PartReducer = std::conditional_t<
    std::is_base_of<SumExact, Reduce>::value, SumPlain,
    std::conditional_t<std::is_base_of<MaxInteger, Reduce>::value, MaxInteger, Reduce>>;

// From x to scratch.
template <class Elem, class Reduce, bool kFour>
bool FoldBlocksOf(const BlocksJob& job) {
  return RunBlocks<Elem, Reduce, LaneOf<Elem>, Unfinished, kFour, kFour, false>(job);
}

// Ops that differ in how they finish share it.
template <class Op>
constexpr auto FoldBlocks() {
  return &FoldBlocksOf<typename Op::Elem, PartReducer<typename Op::Reduce>, Op::kWide>;
}

// How lanes of scratch are read.
template <class Op, class = void>
struct FromScratch {
  using Elem = ElemPlain<typename Op::Elem::Lane>;
};
template <class Op>
struct FromScratch<Op, std::enable_if_t<(sizeof(typename Op::ScratchElem) > 0)>> {
  using Elem = typename Op::ScratchElem;
};

// From scratch to y.
template <class Op>
bool SlideBlocks(const BlocksJob& job) {
  using Elem = typename FromScratch<Op>::Elem;
  using Reduce = typename Op::Reduce;
  using Out = typename Op::Out;
  using Finish = typename Op::Finish;
  if constexpr (Divides<Finish>::value) {
    if (job.lane_counts != nullptr) {
      return RunBlocks<Elem, Reduce, Out, Finish, Op::kWide, false, true>(job);
    }
  }
  return RunBlocks<Elem, Reduce, Out, Finish, Op::kWide, false, false>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
