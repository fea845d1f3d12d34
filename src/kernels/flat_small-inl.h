// Small planes of bytes, many as one row: what the lanes of a vector differ in follows from where
// they are in their plane, and comes from tables. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FLAT_SMALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FLAT_SMALL_INL_H_
#undef LANEPOOL_SRC_KERNELS_FLAT_SMALL_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FLAT_SMALL_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/bytes-inl.h"
#include "kernels/flat_rows-inl.h"
#include "kernels/neighbours-inl.h"
#include "kernels/requant-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// PlanesJob of FlatPlanes, 3 x 3 taps with a pad of one all around, whole planes.
class SmallPlanes {
  using D = hn::ScalableTag<uint16_t>;
  using D8 = hn::Repartition<uint8_t, D>;
  using V = hn::VFromD<D>;
  static constexpr int64_t kMostPositions = 128;  // of a plane
  static constexpr int64_t kMostBytes = 1792;     // of planes copied together; a run has 16 KiB
  static constexpr int64_t kMostVector = HWY_MAX_LANES_D(D8);
  static constexpr int64_t kMargin = kMostPositions + kMostVector;
  // What lanes differ in: see Mul16; 1 << (16 - shift) shifts when it multiplies.
  enum Field { kInside, kWeight, kAdd, kMore, kMultiplier, kShift, kFlip, kFields };
  // Every second position of planes side by side, in whole vectors.
  static constexpr int64_t kEntries = kMostPositions / 2 + kMostVector;

 public:
  // Whether the job is one for this, its formulas included.
  static bool Fits(const PlanesJob& job) {
    if (job.taps_w != 3 || job.w_tap != 1 || job.w_first != -1 || job.taps_h != 3 ||
        job.h_tap != 1 || job.h_first != -1 || job.rows != job.h_input || job.rows < 2 ||
        job.w_input < 2 || job.rows * job.w_input > kMostPositions) {
      return false;
    }
    for (int64_t row = 0; row < job.rows; ++row) {
      for (int64_t i = 0; i < job.w_input; ++i) {
        const Requant& q = *RequantOf(job, row, i);
        if (q.plain == 0 || q.kind > RequantKind::kMul16Even || q.shift == 0) return false;
      }
    }
    return true;
  }

  explicit SmallPlanes(const PlanesJob& job)
      : job_(job), width_(job.w_input), positions_(job.rows * job.w_input) {
    PrepareTables();
  }

  void Run() {
    const int64_t most = HWY_MIN(kMostBytes / positions_, job_.planes);
    const bool x_dense = job_.x_plane_step == positions_;
    const bool y_dense = job_.y_plane_step == positions_;
    const size_t size = static_cast<size_t>(positions_);
    for (int64_t plane = 0; plane < job_.planes; plane += most) {
      const int64_t planes = HWY_MIN(most, job_.planes - plane);
      const uint8_t* x = static_cast<const uint8_t*>(job_.x) + plane * job_.x_plane_step;
      uint8_t* y = static_cast<uint8_t*>(job_.y) + plane * job_.y_plane_step;
      const size_t all = static_cast<size_t>(planes) * size;
      if (x_dense) {
        hwy::CopyBytes(x, x_ + kMargin, all);
      } else {
        for (int64_t i = 0; i < planes; ++i) {
          hwy::CopyBytes(x + i * job_.x_plane_step, x_ + kMargin + i * positions_, size);
        }
      }
      const int64_t lanes = planes * positions_;
      const int64_t done = y_dense ? lanes / Step() * Step() : 0;
      const int64_t phase = even_ ? Fold<true>(0, done, 0, y) : Fold<false>(0, done, 0, y);
      if (even_) {
        Fold<true>(done, lanes, phase, y_ - done);
      } else {
        Fold<false>(done, lanes, phase, y_ - done);
      }
      if (y_dense) {
        hwy::CopyBytes(y_, y + done, static_cast<size_t>(lanes - done));
        continue;
      }
      for (int64_t i = 0; i < planes; ++i) {
        hwy::CopyBytes(y_ + i * positions_, y + i * job_.y_plane_step, size);
      }
    }
  }

 private:
  static HWY_INLINE int64_t Step() { return static_cast<int64_t>(hn::Lanes(D8())); }
  static const Requant* RequantOf(const PlanesJob& job, int64_t row, int64_t lane) {
    return job.rules.requants[job.h_classes[row] * job.class_count + job.w_classes[lane]];
  }

  void PrepareTables() {
    const int64_t n = Step();
    even_ = false;
    int64_t row = 0, lane = 0;
    for (int64_t i = 0; i < positions_; ++i) {
      const Requant& q = *RequantOf(job_, row, lane);
      even_ = even_ || q.kind == RequantKind::kMul16Even;
      uint16_t* const fields = of_position_[i];
      fields[kInside] = lane == 0 ? 0 : 0xFFFF;
      fields[kWeight] = static_cast<uint16_t>(1u << q.pre_shift);
      fields[kAdd] = static_cast<uint16_t>(q.add);
      fields[kMore] = static_cast<uint16_t>(q.add_high - q.add);
      fields[kMultiplier] = static_cast<uint16_t>(q.multiplier);
      fields[kShift] = static_cast<uint16_t>(1u << (16 - q.shift));
      fields[kFlip] = q.flip;
      offset_[i] = static_cast<uint8_t>(q.y_offset + job_.rules.y_flip);
      // Of the position before.
      const int64_t next = i + 1 == positions_ ? 0 : i + 1;
      above_[next] = row == 0 ? 0 : 0xFF;
      below_[next] = row == job_.rows - 1 ? 0 : 0xFF;
      if (++lane == width_) {
        lane = 0;
        ++row;
      }
    }
    for (int64_t i = positions_; i < positions_ + n; ++i) {
      // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): there are positions, see Fits
      offset_[i] = offset_[i - positions_];
      above_[i] = above_[i - positions_];
      below_[i] = below_[i - positions_];
    }
    for (int64_t odd = 0; odd < 2; ++odd) {
      int64_t at = odd;
      for (int64_t i = 0; i < positions_ / 2 + n / 2 + 2; ++i) {
        for (int field = 0; field < kFields; ++field) {
          // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): as above
          tables_[odd][field][i] = of_position_[at][field];
        }
        at += 2;
        while (at >= positions_) at -= positions_;
      }
    }
  }

  // Sums along H of the positions from `at` on.
  HWY_INLINE void Columns(int64_t at, int64_t phase, V& even, V& odd) const {
    const D d;
    const D8 d8;
    const uint8_t* p = x_ + kMargin + at;
    const auto flip = hn::Set(d8, job_.rules.x_flip);
    const auto above =
        hn::And(hn::Xor(hn::LoadU(d8, p - width_), flip), hn::LoadU(d8, above_ + phase));
    const auto below =
        hn::And(hn::Xor(hn::LoadU(d8, p + width_), flip), hn::LoadU(d8, below_ + phase));
    const V a = WideLanes(d, above);
    const V b = WideLanes(d, hn::Xor(hn::LoadU(d8, p), flip));
    const V c = WideLanes(d, below);
    const V low = hn::Set(d, uint16_t{0xFF});
    even = hn::Add(hn::Add(hn::And(a, low), hn::And(b, low)), hn::And(c, low));
    odd = hn::Add(hn::Add(hn::ShiftRight<8>(a), hn::ShiftRight<8>(b)), hn::ShiftRight<8>(c));
  }

  HWY_INLINE V Table(int64_t phase, Field field, int64_t more) const {
    return hn::LoadU(D(), tables_[phase & 1][field] + (phase >> 1) + more);
  }

  template <bool kEven>
  HWY_INLINE V Result(V sum, int64_t phase) const {
    const V argument = hn::Add(hn::Mul(sum, Table(phase, kWeight, 0)), Table(phase, kAdd, 0));
    const V multiplier = Table(phase, kMultiplier, 0);
    const V shift = Table(phase, kShift, 0);
    const V low = hn::MulHigh(hn::MulHigh(argument, multiplier), shift);
    if (!kEven) return low;
    const V more = hn::Add(argument, Table(phase, kMore, 0));
    const V high = hn::MulHigh(hn::MulHigh(more, multiplier), shift);
    return hn::Add(low, hn::And(hn::Sub(high, low), hn::Xor(low, Table(phase, kFlip, 0))));
  }

  // Positions [at, end), to y + at, in whole vectors. Returns the phase of `end`.
  template <bool kEven>
  HWY_INLINE int64_t Fold(int64_t at, int64_t end, int64_t phase, uint8_t* y) const {
    const D d;
    const D8 d8;
    const int64_t n = Step();
    if (at >= end) return phase;
    // From the position before the outputs on.
    V even, odd;
    Columns(at - 1, phase, even, odd);
    for (; at < end; at += n) {
      int64_t next = phase + n;
      while (next >= positions_) next -= positions_;
      V next_even, next_odd;
      Columns(at + n - 1, next, next_even, next_odd);
      const V then_even = LaneBehind(d, even, next_even);
      const V then_odd = LaneBehind(d, odd, next_odd);
      const V inside = Table(phase, kInside, 0);
      const V inside_next = Table(phase + 1, kInside, 0);
      const V inside_then = Table(phase, kInside, 1);
      const V first = hn::Add(hn::Add(hn::And(even, inside), odd), hn::And(then_even, inside_next));
      const V second =
          hn::Add(hn::Add(hn::And(odd, inside_next), then_even), hn::And(then_odd, inside_then));
      const V low = Result<kEven>(first, phase);
      const V high = Result<kEven>(second, phase + 1);
      const auto bytes = NarrowLanes(d8, hn::Or(low, hn::ShiftLeft<8>(high)));
      hn::StoreU(hn::Add(bytes, hn::LoadU(d8, offset_ + phase)), d8, y + at);
      even = next_even;
      odd = next_odd;
      phase = next;
    }
    return phase;
  }

  const PlanesJob& job_;
  const int64_t width_, positions_;
  bool even_;
  uint16_t of_position_[kMostPositions][kFields];
  HWY_ALIGN uint16_t tables_[2][kFields][kEntries];
  HWY_ALIGN uint8_t offset_[kMostPositions + kMostVector];
  HWY_ALIGN uint8_t above_[kMostPositions + kMostVector];
  HWY_ALIGN uint8_t below_[kMostPositions + kMostVector];
  // Beside the planes lie bytes that are masked.
  HWY_ALIGN uint8_t x_[kMargin + kMostBytes + kMostVector + kMargin];
  HWY_ALIGN uint8_t y_[kMostBytes + kMostVector];
};

// False: the job is not one for this.
inline HWY_NOINLINE bool RunSmallPlanes(const PlanesJob& job) {
  if (!SmallPlanes::Fits(job)) return false;
  SmallPlanes(job).Run();
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
