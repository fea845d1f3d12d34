// Rows of windows that step by one tap, as of 3 x 3 taps: each row of x is read once, kept in a
// ring of rows, and folded with those. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WINDOW_RING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WINDOW_RING_INL_H_
#undef LANEPOOL_SRC_KERNELS_WINDOW_RING_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WINDOW_RING_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <utility>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/ring_bands-inl.h"
#include "kernels/ring_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether there is a ring, docs/decisions/0039.
constexpr bool kKeepsRing = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !kCompact;

// kVectors of channels over all rows; a row in tiles that the ring has room for. Where positions of
// x lie a power of two apart, the first cache keeps few of them, and the ring all.
template <class Op, int kVectors, int kTaps>
class RowsOfRing {
  using Row = RingRow<typename Op::Elem, typename Op::Out, typename Op::Reduce, kVectors, kTaps>;
  using Finish = typename Op::Finish;
  using EdgeFinish = typename Op::EdgeFinish;
  using T = typename Op::Elem::Memory;
  using Y = typename Op::Out::Memory;
  using Lane = typename Op::Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using S = typename Op::Reduce::template State<D>;

  static constexpr int64_t kKept = kTaps - 1;
  // Of many taps formulas leave less room on the stack.
  static constexpr int64_t kRingBytes = sizeof(Lane) == 2 && kKept > 3 ? 9216 : 10240;

 public:
  RowsOfRing(const RingJob& job, int64_t lane)
      : job_(job), x_(static_cast<const T*>(job.x) + lane), y_(static_cast<Y*>(job.y) + lane) {}

  // Outputs of a row for which the ring has room. A tile reads kKept columns more.
  static HWY_INLINE int64_t MostOutputs() {
    return kRingBytes / static_cast<int64_t>(sizeof(Lane)) / kKept / Row::Step() - kKept;
  }

  HWY_INLINE bool Run() const {
    HWY_ALIGN Lane ring[kRingBytes / sizeof(Lane)];
    S state = Op::Reduce::Start(D());
    const int64_t tiles = (job_.outputs - 1) / MostOutputs() + 1;
    int64_t begin = 0;
    for (int64_t i = 1; i <= tiles; ++i) {
      const int64_t end = i == tiles ? job_.outputs : job_.outputs * i / tiles;
      state = Rows(begin, end, ring, state);
      begin = end;
    }
    return Op::Reduce::Clean(D(), state, job_.endings[RingJob::kInner][RingJob::kInner].divisor);
  }

 private:
  // Outputs [begin, end) of all rows.
  HWY_INLINE S Rows(int64_t begin, int64_t end, Lane* at, S state) const {
    const int64_t lead = job_.lead[1], inner_end = job_.outputs - job_.trail[1];
    RingTile tile;
    tile.lead = HWY_MAX(HWY_MIN(lead, end) - begin, 0);
    tile.trail = HWY_MAX(end - HWY_MAX(inner_end, begin), 0);
    tile.inner = end - begin - tile.lead - tile.trail;
    const T* x = x_ + HWY_MAX(begin - lead, 0) * job_.x_tap[2];
    Y* y = y_ + begin * job_.y_output_step;
    const int64_t pitch = tile.columns(kTaps) * Row::Step();
    RingRows<Lane> ring = {at, at, at, at};
    if (kKept > 1) ring.b = at + pitch;
    if (kKept > 2) ring.c = at + 2 * pitch;
    if (kKept > 3) ring.e = at + 3 * pitch;
    // Windows that lack rows begin with the rows that there are.
    for (int64_t i = job_.lead[0]; i < kKept; ++i, x += job_.x_tap[1]) {
      state = Row::Fill(job_, tile, x, at + i * pitch, state);
    }
    for (int64_t place = RingJob::kInner - job_.lead[0]; place < RingJob::kInner; ++place) {
      state = Row::template PutAny<EdgeFinish>(job_, tile, place, x, ring, y, state);
      Next(&ring, &x, &y);
    }
    for (int64_t rows = job_.rows - job_.lead[0] - job_.trail[0]; rows > 0; --rows) {
      state =
          job_.taps_d == 1
              ? Row::template PutInner<Finish, EdgeFinish>(job_, tile, x, ring, y, state)
              : Row::template PutAny<EdgeFinish>(job_, tile, RingJob::kInner, x, ring, y, state);
      Next(&ring, &x, &y);
    }
    for (int64_t place = 1; place <= job_.trail[0]; ++place, y += job_.y_row_step) {
      state =
          Row::template PutAny<EdgeFinish>(job_, tile, RingJob::kInner + place, x, ring, y, state);
    }
    return state;
  }
  // The row that was read is the last of the ring.
  HWY_INLINE void Next(RingRows<Lane>* ring, const T** x, Y** y) const {
    Lane* const newest = ring->a;
    if (kKept > 1) ring->a = ring->b;
    if (kKept > 2) ring->b = ring->c;
    if (kKept > 3) ring->c = ring->e;
    (kKept > 3 ? ring->e : kKept > 2 ? ring->c : kKept > 1 ? ring->b : ring->a) = newest;
    *x += job_.x_tap[1];
    *y += job_.y_row_step;
  }

  const RingJob& job_;
  const T* const x_;
  Y* const y_;
};

template <class Op, int kVectors, int kTaps>
HWY_NOINLINE bool VectorsOfRing(const RingJob& job, int64_t lane) {
  return RowsOfRing<Op, kVectors, kTaps>(job, lane).Run();
}

// All lanes of a job. False: given up, or a divisor for which there are no registers.
template <class Op, int kTaps>
bool RingOf(const RingJob& job) {
  const RingJob::Ending& inner = job.endings[RingJob::kInner][RingJob::kInner];
  if (WatchesTiny(typename Op::Finish(inner.divisor, EndingRules(job, inner)))) return false;
  if constexpr (HasBands<Op>() && kTaps == 3) {
    if (job.by_bands) return BandsOf<Op>(job);
  }
  using Lane = typename Op::Elem::Lane;
  const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<Lane>()));
  // Four vectors at a time, two where that spares tiles: but of halves two are not a line of x. Of
  // many taps the ring has room for two.
  constexpr int kMost = kTaps > 3 ? 2 : 4;
  constexpr bool kHalves = hwy::IsFloat<Lane>() && sizeof(typename Op::Elem::Memory) == 2;
  const bool spares = !kHalves && job.outputs > RowsOfRing<Op, 4, kTaps>::MostOutputs() &&
                      job.outputs <= RowsOfRing<Op, 2, kTaps>::MostOutputs();
  const bool four = kMost == 4 && !spares && job.lanes >= 4 * n;
  // The last vectors may overlap those before: x and y are apart, so doing lanes twice is harmless.
  for (int64_t lane = 0; lane < job.lanes;) {
    const int64_t rest = job.lanes - lane;
    const int64_t vectors = four && rest > 2 * n ? 4 : rest > n && job.lanes >= 2 * n ? 2 : 1;
    const int64_t from = HWY_MIN(lane, job.lanes - vectors * n);
    if (!(vectors == 4   ? VectorsOfRing<Op, kMost, kTaps>(job, from)
          : vectors == 2 ? VectorsOfRing<Op, 2, kTaps>(job, from)
                         : VectorsOfRing<Op, 1, kTaps>(job, from))) {
      return false;
    }
    lane += vectors * n;
  }
  return true;
}

template <class Op>
bool Ring(const RingJob& job) {
  return RingOf<Op, 3>(job);
}
template <class Op>
bool RingOfAnyTaps(const RingJob& job) {
  switch (job.taps) {
    case 2:
      return RingOf<Op, 2>(job);
    case 3:
      return RingOf<Op, 3>(job);
    case 4:
      return RingOf<Op, 4>(job);
    default:
      return RingOf<Op, 5>(job);
  }
}

// Such kernels with the ring, where there is one: of 3 x 3 taps, or of 2 x 2 to 5 x 5.
template <class Op, bool kAnyTaps = false>
constexpr Kernels WithRing(Kernels kernels) {
  if constexpr (kKeepsRing) {
    kernels.ring_taps = kAnyTaps ? 0x3C : 1 << 3;
    kernels.ring = kAnyTaps ? &RingOfAnyTaps<Op> : &Ring<Op>;
    kernels.ring_lanes = HWY_MAX_LANES_D(hn::ScalableTag<typename Op::Elem::Lane>);
  }
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
