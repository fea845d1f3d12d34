// Rows of windows of 3 x 3 taps that step by one tap: each row of x is read once, kept in a ring of
// two rows, and folded with those. Per-target include guard.
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
#include "kernels/ring_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether there is a ring, docs/decisions/0039.
constexpr bool kKeepsRing = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !kCompact;

// kVectors of channels over all rows; a row in tiles that the ring has room for. Where positions of
// x lie a power of two apart, the first cache keeps few of them, and the ring all.
template <class Op, int kVectors>
class RowsOfRing {
  using Row = RingRow<typename Op::Elem, typename Op::Out, typename Op::Reduce, kVectors>;
  using Finish = typename Op::Finish;
  using EdgeFinish = typename Op::EdgeFinish;
  using T = typename Op::Elem::Memory;
  using Y = typename Op::Out::Memory;
  using Lane = typename Op::Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using S = typename Op::Reduce::template State<D>;

  static constexpr int64_t kRingBytes = 10240;

 public:
  RowsOfRing(const RingJob& job, int64_t lane)
      : job_(job), x_(static_cast<const T*>(job.x) + lane), y_(static_cast<Y*>(job.y) + lane) {}

  // Outputs of a row for which the ring has room. A tile reads two columns more.
  static HWY_INLINE int64_t MostOutputs() {
    return kRingBytes / static_cast<int64_t>(sizeof(Lane)) / 2 / Row::Step() - 2;
  }

  HWY_INLINE bool Run() const {
    HWY_ALIGN Lane ring[kRingBytes / sizeof(Lane)];
    S state = Op::Reduce::Start(D());
    const int64_t most = MostOutputs();
    const int64_t tiles = (job_.outputs - 1) / most + 1;
    const int64_t each = (job_.outputs - 1) / tiles + 1;
    for (int64_t begin = 0; begin < job_.outputs; begin += each) {
      const int64_t end = HWY_MIN(begin + each, job_.outputs);
      state = Rows(begin, end, ring, state);
    }
    return Op::Reduce::Clean(D(), state, job_.endings[RingJob::kInner][RingJob::kInner].divisor);
  }

 private:
  // Outputs [begin, end) of all rows.
  HWY_INLINE S Rows(int64_t begin, int64_t end, Lane* ring, S state) const {
    RingTile tile = {};
    tile.lead = begin == 0 && job_.lacks_first[1];
    tile.trail = end == job_.outputs && job_.lacks_last[1];
    tile.inner = end - begin - (tile.lead ? 1 : 0) - (tile.trail ? 1 : 0);
    const int64_t columns = tile.inner + 2;
    const int64_t skipped = begin - (begin > 0 && job_.lacks_first[1] ? 1 : 0);
    const T* x = x_ + skipped * job_.x_tap[2];
    Y* y = y_ + begin * job_.y_output_step;
    Lane *older = ring, *newer = ring + columns * Row::Step();
    int64_t rows = job_.rows - (job_.lacks_last[0] ? 1 : 0);
    if (job_.lacks_first[0]) {
      state = Row::Fill(job_, tile, x, newer, state);
      x += job_.x_tap[1];
      state =
          Row::template PutAny<EdgeFinish>(job_, tile, RingJob::kFirst, x, older, newer, y, state);
      y += job_.y_row_step;
      --rows;
      std::swap(older, newer);
    } else {
      state = Row::Fill(job_, tile, x, older, state);
      x += job_.x_tap[1];
      state = Row::Fill(job_, tile, x, newer, state);
    }
    for (; rows > 0; --rows) {
      x += job_.x_tap[1];
      state = job_.taps_d == 1 ? Row::template PutInner<Finish, EdgeFinish>(job_, tile, x, older,
                                                                            newer, y, state)
                               : Row::template PutAny<EdgeFinish>(job_, tile, RingJob::kInner, x,
                                                                  older, newer, y, state);
      y += job_.y_row_step;
      std::swap(older, newer);
    }
    if (job_.lacks_last[0]) {
      state =
          Row::template PutAny<EdgeFinish>(job_, tile, RingJob::kLast, x, older, newer, y, state);
    }
    return state;
  }

  const RingJob& job_;
  const T* const x_;
  Y* const y_;
};

template <class Op, int kVectors>
HWY_NOINLINE bool VectorsOfRing(const RingJob& job, int64_t lane) {
  return RowsOfRing<Op, kVectors>(job, lane).Run();
}

// All lanes of a job. False: given up, or a divisor for which there are no registers.
template <class Op>
bool Ring(const RingJob& job) {
  const RingJob::Ending& inner = job.endings[RingJob::kInner][RingJob::kInner];
  if (WatchesTiny(typename Op::Finish(inner.divisor, EndingRules(job, inner)))) return false;
  using Lane = typename Op::Elem::Lane;
  const int64_t n = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<Lane>()));
  // Four vectors at a time, two where that spares tiles: but of halves two are not a line of x.
  constexpr bool kHalves = hwy::IsFloat<Lane>() && sizeof(typename Op::Elem::Memory) == 2;
  const bool spares = !kHalves && job.outputs > RowsOfRing<Op, 4>::MostOutputs() &&
                      job.outputs <= RowsOfRing<Op, 2>::MostOutputs();
  const bool four = !spares && job.lanes >= 4 * n;
  // The last vectors may overlap those before: x and y are apart, so doing lanes twice is harmless.
  for (int64_t lane = 0; lane < job.lanes;) {
    const int64_t rest = job.lanes - lane;
    const int64_t vectors = four && rest > 2 * n ? 4 : rest > n && job.lanes >= 2 * n ? 2 : 1;
    const int64_t from = HWY_MIN(lane, job.lanes - vectors * n);
    if (!(vectors == 4   ? VectorsOfRing<Op, 4>(job, from)
          : vectors == 2 ? VectorsOfRing<Op, 2>(job, from)
                         : VectorsOfRing<Op, 1>(job, from))) {
      return false;
    }
    lane += vectors * n;
  }
  return true;
}

// Such kernels with the ring, where there is one.
template <class Op>
constexpr Kernels WithRing(Kernels kernels) {
  if constexpr (kKeepsRing) {
    kernels.ring = &Ring<Op>;
    kernels.ring_lanes = HWY_MAX_LANES_D(hn::ScalableTag<typename Op::Elem::Lane>);
  }
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
