// Taps along W of positions that are taken as one row, though they are several: those beyond an end
// of their own row are masked. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_CHAINED_TAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_CHAINED_TAPS_INL_H_
#undef LANEPOOL_SRC_KERNELS_CHAINED_TAPS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_CHAINED_TAPS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_MOVES_LANES
// A bit for each of so many positions.
template <int64_t kPositions>
class PositionBits {
 public:
  // `rows` rows of `width` positions, but `lacks` of each at its end, or at its beginning.
  void SetRows(int64_t rows, int64_t width, int64_t lacks, bool at_end) {
    // Eight rows are whole bytes, which are then repeated.
    const int64_t some = HWY_MIN(rows, 8), all = Bytes(rows * width);
    const int64_t filled = rows <= some ? all : width;
    memset(bits_, 0xFF, static_cast<size_t>(HWY_MIN(filled + kMore, all)));
    const uint64_t ones = (uint64_t{1} << lacks) - 1;
    int64_t at = at_end ? width - lacks : 0;
    for (int64_t row = 0; row < some; ++row, at += width) {
      uint64_t word;
      memcpy(&word, bits_ + at / 8, sizeof word);
      word &= ~(ones << (at % 8));
      memcpy(bits_ + at / 8, &word, sizeof word);
    }
    for (int64_t done = filled; done < all; done *= 2) {
      memcpy(bits_ + done, bits_, static_cast<size_t>(HWY_MIN(done, all - done)));
    }
  }

  // Of so many positions those in [begin, end).
  void SetRange(int64_t begin, int64_t end, int64_t positions) {
    memset(bits_, 0, static_cast<size_t>(Bytes(positions)));
    if (begin >= end) return;
    const int64_t first = begin / 8, last = end / 8;
    memset(bits_ + first, 0xFF, static_cast<size_t>(last - first));
    bits_[last] = static_cast<uint8_t>((1 << (end % 8)) - 1);
    bits_[first] = static_cast<uint8_t>(bits_[first] & (0xFF << (begin % 8)));
  }

  // The lanes of a vector from position i on, a multiple of 8.
  template <class D>
  HWY_INLINE hn::MFromD<D> Mask(D d, int64_t i) const {
    return hn::LoadMaskBits(d, bits_ + i / 8);
  }

 private:
  static constexpr int64_t kMore = 16;  // a vector of bytes, and a word
  static constexpr int64_t Bytes(int64_t positions) { return positions / 8 + kMore; }

  uint8_t bits_[Bytes(kPositions)];
};

// The taps of windows that have at most kSide of them before their output and behind it.
template <class Reduce, class D, int kSide, int64_t kPositions>
class ChainedTaps {
  using DU = hn::RebindToUnsigned<D>;
  using V = hn::VFromD<D>;
  using Indices = decltype(hn::IndicesFromVec(D(), hn::VFromD<DU>()));
  static constexpr bool kSums = std::is_base_of<SumExact, Reduce>::value;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);

 public:
  // Where taps of a vector are in those beside it.
  struct Beside {
    Indices before[kSide], behind[kSide];
  };

  // Of so many rows of a job. Taps that no window has are nowhere.
  void Set(const PlanesJob& job, int64_t rows) {
    const DU d;
    const int64_t width = job.w_input;
    const int64_t lead = -job.w_first / job.w_tap, trail = job.taps_w - 1 - lead;
    for (int64_t k = 0; k < 2 * kSide; ++k) {
      const bool behind = k >= kSide;
      const int64_t away = behind ? k - kSide + 1 : kSide - k;
      const bool is_tap = away <= (behind ? trail : lead);
      const int64_t apart = is_tap ? away * job.w_tap : 0, lacks = HWY_MIN(apart, width);
      const auto from = static_cast<hn::TFromD<DU>>(behind ? apart : kLanes - apart);
      hn::Store(hn::Add(hn::Iota(d, 0), hn::Set(d, from)), d, from_[k]);
      if (is_tap) {
        inside_[k].SetRows(rows, width, lacks, behind);
      } else {
        inside_[k].SetRange(0, 0, rows * width);
      }
    }
  }

  HWY_INLINE Beside Find() const {
    const D d;
    const DU du;
    Beside beside;
    for (int k = 0; k < kSide; ++k) {
      beside.before[k] = hn::IndicesFromVec(d, hn::Load(du, from_[k]));
      beside.behind[k] = hn::IndicesFromVec(d, hn::Load(du, from_[kSide + k]));
    }
    return beside;
  }

  // The fold of the windows whose outputs are where `now` is, at position i, which is between
  // those.
  HWY_INLINE V Fold(const Beside& beside, int64_t i, V last, V now, V next) const {
    const D d;
    V fold = kSums ? hn::Zero(d) : now;
    const auto add = [&](int k, V v) HWY_ATTR __attribute__((always_inline)) {
      fold = hn::IfThenElse(inside_[k].Mask(d, i), Reduce::Combine(fold, v), fold);
    };
    for (int k = 0; k < kSide; ++k) {
      add(k, hn::TwoTablesLookupLanes(d, last, now, beside.before[k]));
    }
    if constexpr (kSums) fold = Reduce::Combine(fold, now);
    for (int k = 0; k < kSide; ++k) {
      add(kSide + k, hn::TwoTablesLookupLanes(d, now, next, beside.behind[k]));
    }
    return fold;
  }

 private:
  HWY_ALIGN hn::TFromD<DU> from_[2 * kSide][kLanes];
  PositionBits<kPositions> inside_[2 * kSide];
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
