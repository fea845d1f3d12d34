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

// One vector of lanes, or four side by side. kPartial: the first `n` lanes of one. kArrays: what
// lanes divide by is kept in memory, so that they may differ, see BlocksJob::lane_counts.
//
// All windows of a block contain its anchor, the first tap of the last one. Walking from the anchor
// back to the first window leaves at each window the fold of its taps before the anchor; walking on
// from the anchor adds to that the fold of the others.
template <class Elem, class Reduce, class Out, class Finish, bool kFour, bool kPartial,
          bool kArrays = false>
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
  static constexpr bool kLight = std::is_same<Finish, DivideBy<DivideF32>>::value;

 public:
  // All lines, from a lane on. The object is a local one: its numbers are out of reach of stores to
  // y.
  static HWY_NOINLINE S Run(const BlocksJob& job, const PlanesJob& finishing, size_t n,
                            int64_t lane, S state) {
    BlockLanes vectors(job, finishing, n);
    for (int64_t line = 0; line < job.lines; ++line) vectors.Line(line, lane, state);
    return state;
  }

 private:
  BlockLanes(const BlocksJob& job, const PlanesJob& finishing, size_t n)
      : job_(job), elem_(job.rules), out_(job.rules), finish_(finishing), n_(n) {}

  HWY_INLINE void Line(int64_t line, int64_t lane, S& state) {
    const D d;
    finish_.BeginPlane();
    of_output_ = 0;
    V count = hn::Zero(d);
    if constexpr (Divides<Finish>::value) {
      const hn::RebindToFloat<D> df;
      spread_ = job_.lane_counts != nullptr;
      count_ = spread_ ? job_.lane_counts + lane : job_.line_counts + line;
      if (!kArrays) count = hn::BitCast(d, hn::Set(df, *count_));
    }
    V divisor = count, reciprocal = count;
    const T* const x = static_cast<const T*>(job_.x) + line * job_.x_line_step + lane;
    Y* const y = static_cast<Y*>(job_.y) + line * job_.y_line_step + lane;
    for (int64_t begin = 0; begin < job_.outputs;) {
      const int64_t end = begin + job_.block - (begin + job_.skip) % job_.block;
      const int64_t last = job_.first + (end - 1) * job_.stride;
      const int64_t anchor = HWY_MAX(int64_t{0}, HWY_MIN(last, job_.positions));
      Walk<true>(x, y, begin, HWY_MIN(end, job_.outputs), anchor, count, divisor, reciprocal,
                 state);
      Walk<false>(x, y, begin, HWY_MIN(end, job_.outputs), anchor, count, divisor, reciprocal,
                  state);
      begin = end;
    }
  }

  // Outputs [begin, end) of a block, from the anchor back or on.
  template <bool kBack>
  HWY_INLINE void Walk(const T* x, Y* y, int64_t begin, int64_t end, int64_t anchor, V count,
                       V& divisor, V& reciprocal, S& state) {
    const int64_t stride = job_.stride, positions = job_.positions, x_step = job_.x_step;
    V a = Reduce::Identity(D()), b = a, c = a, e = a;
    int64_t at = anchor;
    for (int64_t i = 0; i < end - begin; ++i) {
      const int64_t o = kBack ? end - 1 - i : begin + i;
      const int64_t start = job_.first + o * stride;
      if constexpr (kBack) {
        for (const int64_t to = HWY_MAX(int64_t{0}, start); at > to;) {
          --at;
          More(x + at * x_step, a, b, c, e, state);
        }
        Keep(y, o - begin, o, a, b, c, e);
      } else {
        for (const int64_t to = HWY_MIN(start + job_.taps, positions); at < to; ++at) {
          More(x + at * x_step, a, b, c, e, state);
        }
        Put(y, o - begin, o, a, b, c, e, count, divisor, reciprocal, state);
      }
    }
  }

  static HWY_INLINE int64_t Apart() { return static_cast<int64_t>(hn::Lanes(D())); }
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
      b = LoadOne(p + Apart());
      c = LoadOne(p + 2 * Apart());
      e = LoadOne(p + 3 * Apart());
      // Rows lie far apart: what comes next is foreseen by no hardware.
      if constexpr (kInPlace) {
        hwy::Prefetch(p + 4 * Apart());
        hwy::Prefetch(p + 5 * Apart());
        hwy::Prefetch(p + 6 * Apart());
        hwy::Prefetch(p + 7 * Apart());
      }
      state = Reduce::Watch(Reduce::Watch(state, a, b), c, e);
    } else {
      state = Reduce::Watch(state, a, a);
    }
  }
  // The taps along D at one position, one after the other.
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    int64_t taps = job_.taps_d;
    for (;;) {
      V a1 = a, b1 = b, c1 = c, e1 = e;
      Load(p, a1, b1, c1, e1, state);
      Combine(a, b, c, e, a1, b1, c1, e1);
      if (HWY_LIKELY(--taps == 0)) return;
      p += job_.x_tap_d;
    }
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
      return static_cast<Lane*>(job_.kept) + i * (kFour ? 4 : 1) * Apart();
    }
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
    KeepOne(b, to + Apart());
    KeepOne(c, to + 2 * Apart());
    KeepOne(e, to + 3 * Apart());
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
      b1 = Kept(kept + Apart());
      c1 = Kept(kept + 2 * Apart());
      e1 = Kept(kept + 3 * Apart());
    }
    Combine(a1, b1, c1, e1, a, b, c, e);
    Y* const to = y + o * job_.y_step;
    if constexpr (kArrays) {
      FillArrays(o);
      if constexpr (kLight || !kFour) {
        PutFromArrays(a1, 0, to, state);
        if (!kFour) return;
        PutFromArrays(b1, 1, to, state);
        PutFromArrays(c1, 2, to, state);
        PutFromArrays(e1, 3, to, state);
      } else {
        // A finisher of much code is there once.
        Keep(y, i, o, a1, b1, c1, e1);
        for (int64_t k = 0; k < 4; ++k) PutFromArrays(Kept(kept + k * Apart()), k, to, state);
      }
    } else {
      finish_.Row(D(), o, count, divisor, reciprocal);
      PutOne(a1, to, count, divisor, reciprocal, state);
      if (!kFour) return;
      PutOne(b1, to + Apart(), count, divisor, reciprocal, state);
      PutOne(c1, to + 2 * Apart(), count, divisor, reciprocal, state);
      PutOne(e1, to + 3 * Apart(), count, divisor, reciprocal, state);
    }
  }

  // Four vectors of divisors, and their reciprocals, would take too many registers.
  HWY_INLINE void FillArrays(int64_t o) {
    const hn::RebindToFloat<D> df;
    if (job_.counts[o] == of_output_) return;
    of_output_ = job_.counts[o];
    auto divisor = hn::Mul(hn::Set(df, *count_), hn::Set(df, of_output_));
    auto reciprocal = hn::Div(hn::Set(df, 1.0f), divisor);
    for (int64_t i = 0; i < (kFour ? 4 : 1) * Apart(); i += Apart()) {
      if (spread_) {
        divisor = hn::Mul(hn::LoadU(df, count_ + i), hn::Set(df, of_output_));
        reciprocal = hn::Div(hn::Set(df, 1.0f), divisor);
      }
      if constexpr (Finish::kWhole) {
        const hn::RebindToSigned<D> di;
        hn::Store(hn::BitCast(df, hn::ConvertTo(di, divisor)), df, divisors_ + i);
      } else {
        hn::Store(divisor, df, divisors_ + i);
      }
      hn::Store(reciprocal, df, reciprocals_ + i);
    }
  }
  // Vector k of them.
  HWY_INLINE void PutFromArrays(V v, int64_t k, Y* to, S& state) const {
    const D d;
    const hn::RebindToFloat<D> df;
    const V divisor = hn::BitCast(d, hn::Load(df, divisors_ + k * Apart()));
    const V reciprocal = hn::BitCast(d, hn::Load(df, reciprocals_ + k * Apart()));
    PutOne(v, to + k * Apart(), divisor, divisor, reciprocal, state);
  }

  const BlocksJob job_;
  const Elem elem_;
  const Out out_;
  Planes finish_;
  const size_t n_;
  // Of the line or, spread, of each lane; and the output that the divisors are of.
  const float* count_ = nullptr;
  bool spread_ = false;
  float of_output_ = 0;
  static constexpr size_t kDivisors = kArrays ? 4 * HWY_MAX_LANES_D(D) : 1;
  HWY_ALIGN float divisors_[kDivisors];
  HWY_ALIGN float reciprocals_[kDivisors];
};

// kArrays: also where four vectors have one divisor.
template <class Elem, class Reduce, class Out, class Finish, bool kFour, bool kArrays>
HWY_INLINE bool RunBlocks(const BlocksJob& job) {
  constexpr bool kDivides = Divides<Finish>::value;
  const BlockTag<typename Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  PlanesJob finishing = {};
  finishing.h_counts = job.counts;
  finishing.divisor = job.divisor;
  finishing.rules = job.rules;
  using Four = BlockLanes<Elem, Reduce, Out, Finish, true, false, kArrays>;
  using One = BlockLanes<Elem, Reduce, Out, Finish, false, false, kDivides>;
  using Some = BlockLanes<Elem, Reduce, Out, Finish, false, true, kDivides>;
  auto state = Reduce::Start(d);
  if (job.lanes < n) {
    state = Some::Run(job, finishing, static_cast<size_t>(job.lanes), 0, state);
    return Reduce::Clean(d, state, job.divisor);
  }
  int64_t lane = 0;
  if constexpr (kFour) {
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) {
      state = Four::Run(job, finishing, 0, lane, state);
    }
  }
  for (; lane < job.lanes; lane += n) {
    // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
    state = One::Run(job, finishing, 0, HWY_MIN(lane, job.lanes - n), state);
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
  return RunBlocks<Elem, Reduce, LaneOf<Elem>, Unfinished, kFour, false>(job);
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
  constexpr bool kFour = Op::kWide && !Reduce::kRare;
  // The commonest average has its divisors in registers where they are alike.
  if constexpr (std::is_same<Finish, DivideBy<DivideF32>>::value && kFour) {
    if (job.lane_counts == nullptr) {
      return RunBlocks<Elem, Reduce, Out, Finish, kFour, false>(job);
    }
  }
  return RunBlocks<Elem, Reduce, Out, Finish, kFour, Divides<Finish>::value>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
