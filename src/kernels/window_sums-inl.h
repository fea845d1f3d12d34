// Sliding windows of bytes whose sums are finished by the block, not one by one: formulas in loops
// of their own are faster and smaller than in every loop that folds. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_SUMS_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_SUMS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_SUMS_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/requant-inl.h"
#include "kernels/slide-inl.h"
#include "kernels/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of sums as they are in registers: two side by side are the even and the odd bytes.
struct SumsInRegisters {
  using Memory = uint16_t;

  explicit SumsInRegisters(const ElementRules&) {}

  template <class D>
  HWY_INLINE void Store(D d, hn::VFromD<D> v, uint16_t* p) const {
    hn::Store(v, d, p);
  }
  template <class D>
  HWY_INLINE void StoreN(D d, hn::VFromD<D> v, uint16_t* p, size_t) const {
    hn::Store(v, d, p);
  }
  template <class D, class V>
  HWY_INLINE void Store2(D d, V a, V b, uint16_t* p) const {
    hn::Store(a, d, p);
    hn::Store(b, d, p + hn::Lanes(d));
  }
  // Only for windows by themselves, which are never asked for.
  template <class D, class V>
  HWY_INLINE void Store4(D d, V a, V b, V c, V e, uint16_t* p) const {
    Store2(d, a, b, p);
    Store2(d, c, e, p + 2 * hn::Lanes(d));
  }
};

struct UnfinishedSums {
  static constexpr bool kWide = false;
  static constexpr bool kPairs = true;
  static constexpr bool kSmall = false;
  static constexpr bool kSlides = true;
  static constexpr bool kSlidesMany = true;
  static constexpr bool kSlidesEven = true;
  using Elem = ElemByteSum<uint16_t>;
  using Out = SumsInRegisters;
  using Reduce = SumPlain;
  using Finish = Unfinished;
  using EdgeFinish = Unfinished;
};

// What a block of sums becomes: `groups` of channels side by side, each of two vectors or one of
// sums, of `count` windows.
struct SumsBlock {
  const uint16_t* sums;
  int64_t pitch;  // from window to window
  int64_t group_pitch;
  int64_t groups;
  int64_t count;
  uint8_t* y;
  int64_t y_step;
  int64_t lanes;  // of a group
};

template <class Formula>
HWY_INLINE void FinishSums(const SumsBlock& block, const OutByte16& out, const Formula& formula) {
  const hn::ScalableTag<uint16_t> d;
  const size_t n = hn::Lanes(d), lanes = static_cast<size_t>(block.lanes);
  for (int64_t g = 0; g < block.groups; ++g) {
    const uint16_t* sums = block.sums + g * block.group_pitch;
    uint8_t* y = block.y + g * block.lanes;
    if (lanes > n) {
      for (int64_t i = 0; i < block.count; ++i, sums += block.pitch, y += block.y_step) {
        out.Store2(d, formula(hn::Load(d, sums)), formula(hn::Load(d, sums + n)), y);
      }
      continue;
    }
    for (int64_t i = 0; i < block.count; ++i, sums += block.pitch, y += block.y_step) {
      const auto result = formula(hn::Load(d, sums));
      if (lanes == n) {
        out.Store(d, result, y);
      } else {
        out.StoreN(d, result, y, lanes);
      }
    }
  }
}

// A loop per kind, as RequantClass has: a helper for both took windows of 7x7 from 60 to 68 us. `q`
// by value, see RequantRarely.
inline HWY_NOINLINE void FinishSumsBlock(const SumsBlock& block, const Requant q, uint8_t offset) {
  const OutByte16 out(offset);
  switch (q.kind) {
    case RequantKind::kMul16:
      return FinishSums(block, out,
                        [&](auto v) HWY_ATTR { return Mul16(RequantArgument(v, q), q, q.add); });
    case RequantKind::kMul16Even:
      return FinishSums(block, out, [&](auto v) HWY_ATTR {
        const auto argument = RequantArgument(v, q);
        return SelectEven(Mul16(argument, q, q.add), Mul16(argument, q, q.add_high), q);
      });
    case RequantKind::kMul16x32:
      return FinishSums(block, out,
                        [&](auto v) HWY_ATTR { return Mul16x32(RequantArgument(v, q), q, q.add); });
    default:
      return FinishSums(block, out, [&](auto v) HWY_ATTR {
        return RequantRarely(hn::DFromV<decltype(v)>(), RequantArgument(v, q), q);
      });
  }
}

// Sums of windows of a single row that share most of many taps, as they are in registers: each is
// the one before and what the windows differ in. Of a vector of channels, a part of one, or two.
class RunningSumsOfLine {
  using D = hn::ScalableTag<uint16_t>;
  using V = hn::VFromD<D>;

 public:
  static HWY_INLINE bool Fits(const WindowJob& job) {
    const int64_t taps = job.taps[2], two = 2 * static_cast<int64_t>(hn::Lanes(D()));
    if (job.outputs == 1 || job.taps[0] != 1 || job.taps[1] != 1) return false;
    // Long pixels from beyond the caches are best read once, in the order in which they lie.
    if (job.far && job.lanes > 2 * two && taps < kManyTaps) return false;
    return taps > Slide::kMostTaps && job.x_output_step == job.x_tap[2];
  }

  explicit RunningSumsOfLine(const WindowJob& job) : job_(job), elem_(job.rules) {}

  HWY_INLINE void Run() const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    if (job_.lanes > n) return Line<true, true>();
    return job_.lanes == n ? Line<false, true>() : Line<false, false>();
  }

 private:
  static constexpr int64_t kManyTaps = 16;

  template <bool kPair, bool kWhole>
  HWY_INLINE void Line() const {
    const D d;
    const int64_t step = job_.x_output_step, n = static_cast<int64_t>(hn::Lanes(d));
    const uint8_t* first = static_cast<const uint8_t*>(job_.x);
    const uint8_t* next = first;
    uint16_t* y = static_cast<uint16_t*>(job_.y);
    V a, b;
    Load<kPair, kWhole>(next, a, b);
    for (int64_t tap = 1; tap < job_.taps[2]; ++tap) {
      V c, e;
      next += step;
      Load<kPair, kWhole>(next, c, e);
      a = hn::Add(a, c);
      if (kPair) b = hn::Add(b, e);
    }
    for (int64_t left = job_.outputs;;) {
      hn::Store(a, d, y);
      if (kPair) hn::Store(b, d, y + n);
      if (--left == 0) return;
      V c, e, u, v;
      next += step;
      Load<kPair, kWhole>(next, c, e);
      Load<kPair, kWhole>(first, u, v);
      a = hn::Add(a, hn::Sub(c, u));
      if (kPair) b = hn::Add(b, hn::Sub(e, v));
      first += step;
      y += job_.y_output_step;
    }
  }
  template <bool kPair, bool kWhole>
  HWY_INLINE void Load(const uint8_t* p, V& a, V& b) const {
    const D d;
    if constexpr (kPair) {
      elem_.Load2(d, p, a, b);
    } else if constexpr (kWhole) {
      a = b = elem_.Load(d, p);
    } else {
      a = b = elem_.LoadN(d, p, static_cast<size_t>(job_.lanes), hn::Zero(d));
    }
  }

  const WindowJob& job_;
  const ElemByteSum<uint16_t> elem_;
};

// A row of windows that slide, in blocks of some channels and some windows.
class SlidingSums {
 public:
  explicit SlidingSums(const WindowJob& job)
      : job_(job), n_(static_cast<int64_t>(hn::Lanes(hn::ScalableTag<uint16_t>()))) {}

  HWY_INLINE void Run() const {
    if (job_.lanes < n_) return Channels(0, 1, job_.lanes);
    const int64_t pairs = job_.lanes / (2 * n_);
    if (pairs > 0) Channels(0, pairs, 2 * n_);
    for (int64_t lane = pairs * 2 * n_; lane < job_.lanes; lane += n_) {
      Channels(HWY_MIN(lane, job_.lanes - n_), 1, n_);
    }
  }

 private:
  static constexpr int64_t kSums = 4096;

  // `groups` of `lanes` channels, as many at a time as fit, each in blocks of about as many
  // windows.
  HWY_NOINLINE void Channels(int64_t lane, int64_t groups, int64_t lanes) const {
    const int64_t places = kSums / HWY_MAX(lanes, n_);  // of the sums of a window
    const int64_t blocks = (job_.outputs + places - 3) / (places - 2);
    // The longest block and the edge windows beside it fit at least once.
    const int64_t together = places / ((job_.outputs + blocks - 1) / blocks + 2);
    for (int64_t group = 0; group < groups; group += together) {
      const int64_t count = HWY_MIN(together, groups - group);
      for (int64_t i = 0; i < blocks; ++i) {
        Block(lane + group * lanes, count, lanes, job_.outputs * i / blocks,
              job_.outputs * (i + 1) / blocks);
      }
    }
  }

  // Windows [begin, end), and the edge windows beside the first and the last.
  HWY_INLINE void Block(int64_t lane, int64_t groups, int64_t lanes, int64_t begin,
                        int64_t end) const {
    HWY_ALIGN uint16_t sums[kSums];
    const int64_t pitch = HWY_MAX(lanes, n_);
    const int64_t group_pitch = (end - begin + 2) * pitch;
    WindowJob part = job_;
    part.rows = 1;
    part.lanes = lanes;
    part.outputs = end - begin;
    part.y_output_step = pitch;
    part.lead.exists = job_.lead.exists && begin == 0;
    part.trail.exists = job_.trail.exists && end == job_.outputs;
    const bool runs = RunningSumsOfLine::Fits(job_);
    for (int64_t g = 0; g < groups; ++g) {
      part.x = static_cast<const uint8_t*>(job_.x) + lane + g * lanes + begin * job_.x_output_step;
      part.y = sums + pitch + g * group_pitch;
      if (runs) {
        RunningSumsOfLine(part).Run();
      } else {
        Window<UnfinishedSums>(part);
      }
    }
    SumsBlock block = {
        sums + pitch,       pitch,
        group_pitch,        groups,
        part.outputs,       static_cast<uint8_t*>(job_.y) + lane + begin * job_.y_output_step,
        job_.y_output_step, lanes};
    Finish(block, job_.rules);
    if (part.lead.exists) FinishEdge(block, -1, job_.lead);
    if (part.trail.exists) FinishEdge(block, part.outputs, job_.trail);
  }
  static HWY_INLINE void Finish(const SumsBlock& block, const ElementRules& rules) {
    FinishSumsBlock(block, *rules.requants[0], OffsetOf(rules));
  }
  HWY_INLINE void FinishEdge(const SumsBlock& block, int64_t place, const EdgeWindow& edge) const {
    SumsBlock one = block;
    one.sums += place * block.pitch;
    one.y += place * block.y_step;
    one.count = 1;
    Finish(one, EdgeRules(job_.rules, edge));
  }

  const WindowJob& job_;
  const int64_t n_;  // lanes of a vector
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
