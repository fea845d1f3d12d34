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

#include "compiled_in.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/finish_blocks-inl.h"
#include "kernels/fours-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most kBlockLineBytes, so that scratch has one size on every machine.
template <class Lane>
using BlockTag = hn::CappedTag<Lane, kBlockLineBytes / sizeof(Lane)>;

// What is folded at once: one vector, of which maybe only some lanes are there, four side by side,
// or four of lines that are shorter, which overlap, or are those of two lines or of four.
enum class BlockWidth { kOne, kFour, kShort };

// All windows of a block contain its anchor, the first tap of the last one. Walking from the anchor
// back to the first window leaves at each window the fold of its taps before the anchor; walking on
// from the anchor adds to that the fold of the others.
template <class Elem, class Reduce, class Finish, BlockWidth kWidth>
class BlockLanes {
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  using Y = typename Finish::Memory;
  using D = BlockTag<Lane>;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;
  static constexpr bool kFour = kWidth != BlockWidth::kOne;
  static constexpr int64_t kLine = kBlockLineBytes / sizeof(Y);

 public:
  using Memory = T;
  using Result = Y;

  // All lines, from a lane on, of `n` lanes. The object is a local one: its numbers are out of
  // reach of stores to y.
  static HWY_NOINLINE S Run(const BlocksJob& job, int64_t lane, size_t n, S state) {
    BlockLanes vectors(job, n);
    const int64_t lines = vectors.lines_;
    for (int64_t line = 0; line < job.lines; line += lines) {
      // The last lines overlap those before: x and y are apart, so doing lanes twice is harmless.
      vectors.Line(HWY_MIN(line, job.lines - lines), lane, state);
    }
    return state;
  }

  // Of lines that are shorter than four vectors, but not than one.
  static int64_t LinesAtOnce(int64_t lanes) {
    return lanes > 2 * Apart() ? 1 : lanes > Apart() ? 2 : 4;
  }

 private:
  BlockLanes(const BlocksJob& job, size_t n)
      : job_(job), elem_(job.rules), finish_(job), n_(n), whole_(n == hn::Lanes(D())) {
    if constexpr (kWidth == BlockWidth::kShort) TakeLines();
  }

  void TakeLines() {
    const int64_t n = Apart(), lanes = job_.lanes;
    lines_ = LinesAtOnce(lanes);
    if (lines_ == 1) {
      x_ = y_ = FourPlaces::Of(n, lanes - 2 * n);
    } else if (lines_ == 2) {
      x_ = FourPlaces::Of(lanes - n, job_.x_line_step);
      y_ = FourPlaces::Of(lanes - n, job_.y_line_step);
    } else {
      x_ = FourPlaces::Of(job_.x_line_step, 2 * job_.x_line_step);
      y_ = FourPlaces::Of(job_.y_line_step, 2 * job_.y_line_step);
    }
  }

  HWY_INLINE void Line(int64_t line, int64_t lane, S& state) {
    finish_.BeginLine(D(), line, lane, kFour ? 4 * hn::Lanes(D()) : n_, lines_);
    const T* const x = static_cast<const T*>(job_.x) + line * job_.x_line_step + lane;
    Y* const y = static_cast<Y*>(job_.y) + line * job_.y_line_step + lane;
    soon_ = job_.soon == nullptr
                ? nullptr
                : static_cast<const Y*>(job_.soon) + line * job_.outputs * job_.lanes + lane;
    for (int64_t begin = 0; begin < job_.outputs;) {
      const int64_t end = begin + job_.block - (begin + job_.skip) % job_.block;
      const int64_t last = job_.first + (end - 1) * job_.stride;
      const int64_t anchor = HWY_MAX(int64_t{0}, HWY_MIN(last, job_.positions));
      // The folds before the anchor wait in scratch, if there is some, or where the results will
      // be.
      kept_ = static_cast<Lane*>(job_.kept);
      kept_step_ = (kFour ? 4 : 1) * Apart();
      kept_at_ = SideBySide();
      if (kept_ == nullptr) {
        kept_ = reinterpret_cast<Lane*>(y + begin * job_.y_step);
        kept_step_ = job_.y_step;
        kept_at_ = AtY();
      }
      const int64_t there = HWY_MIN(end, job_.outputs);
      if (kWidth == BlockWidth::kFour && job_.stride == 1) {
        Back(x, begin, there, anchor, state);
        On(x, y, begin, there, anchor, state);
      } else {
        Walk<true>(x, y, begin, there, anchor, state);
        Walk<false>(x, y, begin, there, anchor, state);
      }
      begin = end;
    }
  }

  // Outputs [begin, end) of a block, from the anchor back or on.
  template <bool kBack>
  HWY_INLINE void Walk(const T* x, Y* y, int64_t begin, int64_t end, int64_t anchor, S& state) {
    const int64_t stride = job_.stride, positions = job_.positions, x_step = job_.x_step;
    V a = Reduce::Identity(D()), b = a, c = a, e = a;
    int64_t at = anchor;
    for (int64_t i = 0; i < end - begin; ++i) {
      const int64_t o = kBack ? end - 1 - i : begin + i;
      const int64_t start = job_.first + o * stride;
      Lane* const kept = kept_ + (o - begin) * kept_step_;
      if constexpr (kBack) {
        for (const int64_t to = HWY_MAX(int64_t{0}, start); at > to;) {
          --at;
          More(x + at * x_step, a, b, c, e, state);
        }
        Keep(kept, a, b, c, e);
      } else {
        for (const int64_t to = HWY_MIN(start + job_.taps, positions); at < to; ++at) {
          More(x + at * x_step, a, b, c, e, state);
        }
        Put(kept, y + o * job_.y_step, o, a, b, c, e);
      }
    }
  }

  // The same for windows that step by one: but for the first output, each takes one tap more as
  // long as there are some.
  HWY_INLINE void Back(const T* x, int64_t begin, int64_t end, int64_t anchor, S& state) {
    const int64_t x_step = job_.x_step, kept_step = kept_step_;
    V a = Reduce::Identity(D()), b = a, c = a, e = a;
    int64_t o = end - 1;
    Lane* kept = kept_ + (end - begin) * kept_step;
    const T* from = x + anchor * x_step;
    // Outputs from `none` on begin at the anchor or behind it.
    const int64_t none = HWY_MIN(end, HWY_MAX(begin, anchor - job_.first));
    const int64_t some = HWY_MAX(begin, -job_.first);
    for (; o >= none; --o) {
      kept -= kept_step;
      Keep(kept, a, b, c, e);
    }
    for (int64_t at = anchor; at > HWY_MAX(int64_t{0}, job_.first + o + 1); --at) {
      from -= x_step;
      More(from, a, b, c, e, state);
    }
    for (; o >= begin; --o) {
      if (HWY_LIKELY(o >= some)) {
        from -= x_step;
        More(from, a, b, c, e, state);
      }
      kept -= kept_step;
      Keep(kept, a, b, c, e);
    }
  }
  HWY_INLINE void On(const T* x, Y* y, int64_t begin, int64_t end, int64_t anchor, S& state) {
    const int64_t x_step = job_.x_step, y_step = job_.y_step, kept_step = kept_step_;
    V a = Reduce::Identity(D()), b = a, c = a, e = a;
    const int64_t lead = job_.first + job_.taps - 1;  // the last tap of output 0
    // Outputs before `some` end before the anchor.
    const int64_t some = HWY_MIN(end, HWY_MAX(begin, anchor - lead));
    const int64_t none = HWY_MIN(end, job_.positions - lead);
    const T* from = x + anchor * x_step;
    for (int64_t at = anchor; at < HWY_MIN(some + lead, job_.positions); ++at, from += x_step) {
      More(from, a, b, c, e, state);
    }
    const Lane* kept = kept_;
    Y* to = y + begin * y_step;
    const Y* soon = soon_ == nullptr ? nullptr : soon_ + begin * job_.lanes;
    for (int64_t o = begin; o < end; ++o, kept += kept_step, to += y_step) {
      if (soon != nullptr) {
        for (int64_t i = 0; i < 4 * Apart(); i += kLine) hwy::Prefetch(soon + i);
        soon += job_.lanes;
      }
      if (HWY_LIKELY(o >= some && o < none)) {
        More(from, a, b, c, e, state);
        from += x_step;
      }
      Put(kept, to, o, a, b, c, e);
    }
  }

  static HWY_INLINE int64_t Apart() { return static_cast<int64_t>(hn::Lanes(D())); }
  static HWY_INLINE FourPlaces SideBySide() { return FourPlaces::Of(Apart(), 2 * Apart()); }
  HWY_INLINE FourPlaces AtX() const { return kWidth == BlockWidth::kShort ? x_ : SideBySide(); }
  HWY_INLINE FourPlaces AtY() const { return kWidth == BlockWidth::kShort ? y_ : SideBySide(); }
  HWY_INLINE FourPlaces AtKept() const {
    return kWidth == BlockWidth::kShort ? kept_at_ : SideBySide();
  }
  HWY_INLINE void More(const T* p, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    if constexpr (kFour) {
      const FourPlaces at = AtX();
      const V a1 = elem_.Load(d, p), b1 = elem_.Load(d, p + at.b);
      const V c1 = elem_.Load(d, p + at.c), e1 = elem_.Load(d, p + at.e);
      // Rows lie far apart: what comes next is foreseen by no hardware. What comes at once would be
      // asked for too late.
      if (job_.far) {
        for (int64_t i = 8; i < 12; ++i) hwy::Prefetch(p + i * Apart());
      }
      state = Reduce::Watch(state, a1, b1, c1, e1);
      CombineFour<Reduce>(a, b, c, e, a1, b1, c1, e1);
    } else {
      const V v = HWY_LIKELY(whole_) ? elem_.Load(d, p) : elem_.LoadN(d, p, n_, hn::Zero(d));
      state = Reduce::Watch(state, v);
      a = Reduce::Combine(a, v);
    }
  }

  HWY_INLINE void Keep(Lane* to, V a, V b, V c, V e) const {
    const D d;
    hn::StoreU(a, d, to);
    if (!kFour) return;
    const FourPlaces at = AtKept();
    hn::StoreU(b, d, to + at.b);
    hn::StoreU(c, d, to + at.c);
    hn::StoreU(e, d, to + at.e);
  }
  HWY_INLINE void Put(const Lane* kept, Y* to, int64_t o, V a, V b, V c, V e) {
    const D d;
    V a1 = hn::LoadU(d, kept), b1 = a1, c1 = a1, e1 = a1;
    if constexpr (kFour) {
      const FourPlaces at = AtKept();
      b1 = hn::LoadU(d, kept + at.b);
      c1 = hn::LoadU(d, kept + at.c);
      e1 = hn::LoadU(d, kept + at.e);
    }
    CombineFour<Reduce, kFour ? 4 : 1>(a1, b1, c1, e1, a, b, c, e);
    const auto counts = finish_.Output(o);
    if constexpr (kFour) {
      finish_.Store4(d, a1, b1, c1, e1, counts, to, AtY());
    } else {
      finish_.Store(d, a1, 0, counts, to, whole_, n_);
    }
  }

  const BlocksJob job_;
  const Elem elem_;
  Finish finish_;
  const size_t n_;
  const bool whole_;
  int64_t lines_ = 1;        // at once
  FourPlaces x_, y_;         // of kShort
  FourPlaces kept_at_ = {};  // of kept_
  Lane* kept_ = nullptr;
  const Y* soon_ = nullptr;
  int64_t kept_step_ = 0;
};

// Lines of fewer vectors than are taken at once, and fewer of them: parts of a line, of whole
// blocks of windows that have all taps, are so many lines. What is left of it goes by One.
template <class Short, class One, class S>
HWY_NOINLINE S FoldPartsOfLines(const BlocksJob& job, int64_t at_once, size_t n, S state) {
  const int64_t lead = (HWY_MAX(-job.first, 0) + job.stride - 1) / job.stride;
  const int64_t skipped = (lead + job.skip) % job.block;
  const int64_t begin = skipped == 0 ? lead : lead + job.block - skipped;
  const int64_t spare = job.positions - job.taps - job.first;
  const int64_t whole = spare < 0 ? 0 : HWY_MIN(spare / job.stride + 1, job.outputs);
  const int64_t outputs = HWY_MAX(whole - begin, 0) / job.block / at_once * job.block;
  using T = typename Short::Memory;
  using Y = typename Short::Result;
  const auto run = [&](int64_t line, int64_t from, int64_t count, int64_t lines) HWY_ATTR {
    if (count <= 0) return;
    BlocksJob part = job;
    part.x = static_cast<const T*>(job.x) + line * job.x_line_step;
    part.y = static_cast<Y*>(job.y) + line * job.y_line_step + from * job.y_step;
    part.first = job.first + from * job.stride;
    part.outputs = count;
    part.skip = from == 0 ? job.skip : 0;
    if (job.counts != nullptr) part.counts = job.counts + from;
    part.soon = nullptr;
    part.lines = lines;
    float counts[4];
    if (job.line_counts != nullptr) {
      for (float& each : counts) each = job.line_counts[line];
      part.line_counts = counts;
    }
    if (lines == 1) {
      for (int64_t lane = 0; lane < job.lanes; lane += static_cast<int64_t>(n)) {
        const int64_t at = HWY_MIN(lane, job.lanes - static_cast<int64_t>(n));
        state = One::Run(part, at, n, state);
      }
    } else {
      part.x_line_step = count * job.stride * job.x_step;
      part.y_line_step = count * job.y_step;
      state = Short::Run(part, 0, 0, state);
    }
  };
  for (int64_t line = 0; line < job.lines; ++line) {
    if (outputs > 0) {
      run(line, 0, begin, 1);
      run(line, begin, outputs, at_once);
    }
    const int64_t done = outputs > 0 ? begin + at_once * outputs : 0;
    run(line, done, job.outputs - done, 1);
  }
  return state;
}

// kWide: worth a loop over four vectors at a time.
template <class Elem, class Reduce, class Finish, bool kWide>
bool FoldBlocks(const BlocksJob& job) {
  const BlockTag<typename Elem::Lane> d;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  using Four = BlockLanes<Elem, Reduce, Finish, BlockWidth::kFour>;
  using One = BlockLanes<Elem, Reduce, Finish, BlockWidth::kOne>;
  auto state = Reduce::Start(d);
  int64_t lane = 0;
  if constexpr (kWide) {
    if constexpr (!kCompact) {
      using Short = BlockLanes<Elem, Reduce, Finish, BlockWidth::kShort>;
      const bool is_short = n <= job.lanes && job.lanes < 4 * n && job.lane_counts == nullptr;
      if (is_short) {
        const int64_t at_once = Short::LinesAtOnce(job.lanes);
        state = at_once <= job.lines
                    ? Short::Run(job, 0, 0, state)
                    : FoldPartsOfLines<Short, One>(job, at_once, static_cast<size_t>(n), state);
        return Reduce::Clean(d, state, Divisor());
      }
    }
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) state = Four::Run(job, lane, 0, state);
    // More than one vector that is left: with some of those before.
    if (lane > 0 && lane + n < job.lanes) {
      state = Four::Run(job, job.lanes - 4 * n, 0, state);
      lane = job.lanes;
    }
  }
  for (; lane < job.lanes; lane += n) {
    // The last vector overlaps the one before.
    const int64_t from = HWY_MAX(int64_t{0}, HWY_MIN(lane, job.lanes - n));
    state = One::Run(job, from, static_cast<size_t>(HWY_MIN(n, job.lanes)), state);
  }
  return Reduce::Clean(d, state, Divisor());
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
