// Which rows of a job make packs, and where their vectors have what: see packed_rows-inl.h.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PACKS_OF_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PACKS_OF_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_PACKS_OF_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PACKS_OF_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "kernels/pack_lanes-inl.h"
#include "kernels/packed_finish-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_PACKS_ROWS
// Of a PlanesJob of one tap along D. The last pack of a plane overlaps the one before.
template <class Op>
class PacksOfRows {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using DI = hn::RebindToSigned<D>;
  using TI = hn::TFromD<DI>;
  using VI = hn::VFromD<DI>;
  static constexpr bool kSums = std::is_base_of<SumExact, Reduce>::value;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);
  using Finish = FinishOfPacks<Op>;
  static constexpr int64_t kMostKinds = 8;
  static constexpr int64_t kTaps = Finish::kClasses ? kFormulaTaps : kMovedTaps;

 public:
  using Lanes = PackLanes<Op, kTaps>;
  using Whole = typename Lanes::Whole;

  explicit PacksOfRows(const PlanesJob& job) : job_(job), own_(job), finish_(job) {
    const int64_t start = own_.w_first;
    const int64_t last = own_.w_first + (own_.lanes - own_.group) * own_.w_stride +
                         (own_.taps_w - 1) * own_.w_tap + own_.group - 1;
    const bool lacks = start < 0 || last >= own_.w_input;
    const int64_t columns = kLanes - (kSums && lacks ? 1 : 0);
    const bool alone = own_.group > 1 || Finish::kClasses || !LANEPOOL_MOVES_LANES;
    if (JoinsPlanes()) {
      packs_ = PacksOf({1, own_.planes, own_.h_input, own_.w_input, own_.lanes, true, false},
                       kLanes, columns, alone);
      step_ = own_.x_plane_step;
      at_once_ = packs_.All();
    } else {
      const bool dense = own_.x_row_step == own_.w_input && own_.y_row_step == own_.lanes;
      packs_ = PacksOf({own_.planes, own_.rows, own_.h_stride, own_.w_input, own_.lanes, dense,
                        own_.y_plane_step == own_.rows * own_.lanes},
                       kLanes, columns, alone);
      // The stride of a single row may be any number.
      step_ = own_.rows > 1 ? own_.h_stride * own_.x_row_step : 0;
      at_once_ = packs_.two_planes ? 2 : 1;
    }
  }

  // False: nothing is done.
  bool Prepare() {
    if (packs_.All() == 0) return false;
    const int64_t rows = RowsOfPack();
    const int64_t columns[] = {Columns(0), TwoVectors() ? Columns(1) : 0};
    if (!lanes_.Begin(job_, packs_, columns, packs_.All() * own_.lanes)) return false;
    count_ = (own_.rows + rows - 1) / rows;
    return count_ <= kMostPacks && MakePacks();
  }

 protected:
  // What packs of the same rows have, or of rows that have all their taps.
  struct Kind {
    bool whole;
    typename Lanes::Read read[2][kTaps];  // for each tap along H
    typename Finish::Kind finish;
  };

  struct Pack {
    int64_t x, y;  // of its first tap and of its outputs, in the plane
    const Kind* kind;
  };

  bool TwoVectors() const { return packs_.of_vector[1] > 0 || packs_.wide; }
  // Of vector i, if it has all its rows.
  int64_t Columns(int64_t i) const {
    if (packs_.wide) return i == 0 ? kLanes : own_.w_input - kLanes;
    return (packs_.of_vector[i] - 1) * step_ + own_.w_input;
  }

  // From the first column of a pack to that of its second vector, and what that reads.
  int64_t OfSecond() const {
    if (packs_.two_planes) return own_.x_plane_step;
    return packs_.wide ? Lanes::OfSecond(own_.w_input) : packs_.of_vector[0] * step_;
  }
  Whole WholeOfSecond() const {
    if (!TwoVectors()) return Lanes::WholeOf(0);
    return Lanes::WholeOf(packs_.wide ? Lanes::OfWide(Columns(1)) : Columns(1));
  }

  // The columns of the taps of each output.
  void Point() {
    const DI d;
    const auto set = [&](int64_t i) HWY_ATTR { return hn::Set(d, static_cast<TI>(i)); };
    HWY_ALIGN TI row[kLanes], column[kLanes], rows[kLanes], columns[kLanes];
    const int64_t first = own_.w_first;
    int64_t lane = 0;
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < packs_.of_vector[i]; ++j) {
        const int64_t of_row = i * kLanes + j * step_, apart = own_.w_stride * own_.group;
        for (int64_t o = 0, at = first; o < own_.lanes; o += own_.group, at += apart) {
          for (int64_t c = 0; c < own_.group; ++c, ++lane) {
            rows[lane] = static_cast<TI>(of_row);
            columns[lane] = static_cast<TI>(at + c);
          }
        }
      }
    }
    const PackOrder order = lanes_.Order();
    for (lane = 0; lane < kLanes; ++lane) {
      row[lane] = rows[order.Of(lane)];
      column[lane] = columns[order.Of(lane)];
    }
    const VI of_row = hn::Load(d, row), tap = set(own_.w_tap), end = set(own_.w_input);
    const VI zero = hn::Zero(d), none = set(Lanes::None(TwoVectors()));
    VI at = hn::Load(d, column);
    VI taps[kTaps];
    const int64_t n = own_.taps_w;
    for (int64_t i = 0; i < n; ++i, at = hn::Add(at, tap)) taps[i] = at;
    if (kSums) {
      for (int64_t i = 0; i < n; ++i) {
        const auto in = hn::And(hn::Ge(taps[i], zero), hn::Lt(taps[i], end));
        lanes_.SetTap(i, hn::IfThenElse(in, hn::Add(taps[i], of_row), none));
      }
      return;
    }
    // What is so far behind the row that its number has wrapped looks as if it was before it.
    for (int64_t i = n - 1; i >= 0; --i) {
      const VI other = i == n - 1 ? set(kMovedReach - 1) : taps[i + 1];
      taps[i] = hn::IfThenElse(hn::Lt(taps[i], zero), other, taps[i]);
    }
    for (int64_t i = 0; i < n; ++i) {
      if (i > 0) taps[i] = hn::IfThenElse(hn::Ge(taps[i], end), taps[i - 1], taps[i]);
      lanes_.SetTap(i, hn::Add(taps[i], of_row));
    }
  }

  const PlanesJob& job_;
  PlanesJob own_;
  Finish finish_;
  Packs packs_;
  int64_t at_once_ = 1;  // planes
  int64_t step_ = 0;     // elements from a row of a vector to the next
  int64_t count_ = 0;    // packs of a plane
  Pack at_[kMostPacks];
  Kind kinds_[kMostKinds];
  Lanes lanes_;

 private:
  // Planes that lie side by side and have one row of outputs are taken as rows of one.
  bool JoinsPlanes() {
    if (job_.rows > 1 || job_.planes == 1) return false;
    if (job_.h_input > 1 && job_.x_row_step != job_.w_input) return false;
    if (job_.x_plane_step != job_.h_input * job_.w_input || job_.y_plane_step != job_.lanes) {
      return false;
    }
    int64_t h = job_.h_first, taps = job_.taps_h;
    for (; h < 0; h += job_.h_tap) --taps;
    while (h + (taps - 1) * job_.h_tap >= job_.h_input) --taps;
    own_.x = static_cast<const T*>(job_.x) + h * job_.x_row_step;
    own_.h_first = 0;
    own_.taps_h = taps;
    return true;
  }

  // Of one plane.
  int64_t RowsOfPack() const { return own_.rows == 1 ? 1 : packs_.Rows(); }
  int64_t Start(int64_t row) const { return own_.h_first + row * own_.h_stride; }
  bool IsWhole(int64_t row) const {
    return Start(row) >= 0 && Start(row) + (own_.taps_h - 1) * own_.h_tap < own_.h_input;
  }

  bool MakePacks() {
    const int64_t rows = RowsOfPack();
    Kind *next = kinds_, *inner = nullptr, *last = nullptr;
    int64_t last_first = 0;
    for (int64_t pack = 0; pack < count_; ++pack) {
      const int64_t first = HWY_MIN(pack * rows, own_.rows - rows);
      const bool whole = IsWhole(first) && IsWhole(first + rows - 1);
      Kind* kind = whole ? inner : nullptr;
      if (kind == nullptr && last != nullptr && rows == 1 && HaveSameTaps(first, last_first)) {
        kind = last;
      }
      if (kind == nullptr) {
        if (next == kinds_ + kMostKinds) return false;
        kind = next++;
        if (whole) inner = kind;
        kind->whole = whole;
        MakeKind(first, kind);
      }
      last = kind;
      last_first = first;
      at_[pack] = {Start(first) * own_.x_row_step, first * own_.y_row_step, kind};
    }
    return true;
  }

  // Whether two rows lack the same taps along H.
  bool HaveSameTaps(int64_t row, int64_t other) const {
    for (int64_t tap = 0; tap < own_.taps_h; ++tap) {
      if (IsThere(row, tap) != IsThere(other, tap)) return false;
    }
    return finish_.IsLike(row, other);
  }
  bool IsThere(int64_t row, int64_t tap) const {
    const int64_t h = Start(row) + tap * own_.h_tap;
    return h >= 0 && h < own_.h_input;
  }

  void MakeKind(int64_t first, Kind* kind) {
    if (!kind->whole) {
      for (int64_t i = 0; i < 2; ++i) {
        const bool is_next = i > 0 && at_once_ == 1 && !packs_.wide;
        const int64_t row = first + (is_next ? packs_.of_vector[0] : 0);
        for (int64_t tap = 0; tap < own_.taps_h; ++tap) {
          int64_t begin = 0, end = packs_.wide ? 1 : packs_.of_vector[i];
          const int64_t h = Start(row) + tap * own_.h_tap;
          while (begin < end && h + begin * own_.h_stride < 0) ++begin;
          while (end > begin && h + (end - 1) * own_.h_stride >= own_.h_input) --end;
          const int64_t row_end = packs_.wide ? Lanes::OfWide(Columns(i)) : own_.w_input;
          kind->read[i][tap] = begin < end
                                   ? Lanes::Between(begin * step_, (end - 1) * step_ + row_end)
                                   : Lanes::Between(0, 0);
        }
      }
    }
    finish_.Make(first, packs_.All(), at_once_ > 1 ? own_.rows : packs_.All(), lanes_.Order(),
                 &kind->finish);
  }
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
