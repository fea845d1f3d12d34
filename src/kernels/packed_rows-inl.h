// Small windows over rows so short that a vector has the outputs of several: columns are moved to
// the outputs that they are taps of. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PACKED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PACKED_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_PACKED_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PACKED_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/packed_finish-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_MOVES_LANES
// PlanesJob of one tap along D whose rows are short, see PacksOf. A pack is folded along H where it
// lies, and then each tap along W of all its outputs is moved to them, as in MovedColumns; sums may
// have it the other way round, see PlanesJob::across_first. The last pack overlaps the one before.
template <class Op>
class PackedRows {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using DI = hn::RebindToSigned<D>;
  using TI = hn::TFromD<DI>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using VI = hn::VFromD<DI>;
  using S = typename Reduce::template State<D>;
  static constexpr bool kSums = std::is_base_of<SumExact, Reduce>::value;
  static constexpr bool kRounds = kSums && sizeof(Lane) >= 4;  // the order of terms matters
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);
  using Finish = FinishOfPacks<Op>;
  static constexpr int64_t kMostKinds = 8;
  static constexpr int64_t kTaps = Finish::kClasses ? kFormulaTaps : kMovedTaps;

 public:
  explicit PackedRows(const PlanesJob& job)
      : job_(job), own_(job), elem_(job.rules), out_(job.rules), finish_(job) {
    const int64_t start = own_.w_first;
    const int64_t last = own_.w_first + (own_.lanes - own_.group) * own_.w_stride +
                         (own_.taps_w - 1) * own_.w_tap + own_.group - 1;
    const bool lacks = start < 0 || last >= own_.w_input;
    const int64_t columns = kLanes - (kSums && lacks ? 1 : 0);
    const bool alone = own_.group > 1 || Finish::kClasses;
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
    outputs_ = static_cast<size_t>(packs_.All() * own_.lanes);
    count_ = (own_.rows + rows - 1) / rows;
    return count_ <= kMostPacks && MakePacks();
  }

  bool All() {
    Point();
    if (kRounds && own_.across_first) return TwoVectors() ? Run<true, true>() : Run<false, true>();
    return TwoVectors() ? Run<true, false>() : Run<false, false>();
  }

 private:
  // What packs of the same rows have, or of rows that have all their taps.
  struct Kind {
    bool whole;
    uint64_t read[2][kTaps];  // lanes, for each tap along H: bits
    typename Finish::Kind finish;
  };

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

  struct Pack {
    int64_t x, y;  // of its first tap and of its outputs, in the plane
    const Kind* kind;
  };

  // Of one plane.
  int64_t RowsOfPack() const { return own_.rows == 1 ? 1 : packs_.Rows(); }
  int64_t Start(int64_t row) const { return own_.h_first + row * own_.h_stride; }
  bool IsWhole(int64_t row) const {
    return Start(row) >= 0 && Start(row) + (own_.taps_h - 1) * own_.h_tap < own_.h_input;
  }
  bool TwoVectors() const { return packs_.of_vector[1] > 0 || packs_.wide; }
  // Of vector i, if it has all its rows.
  int64_t Columns(int64_t i) const {
    if (packs_.wide) return i == 0 ? kLanes : own_.w_input - kLanes;
    return (packs_.of_vector[i] - 1) * step_ + own_.w_input;
  }

  static uint64_t BitsBelow(int64_t n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }

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
          const uint64_t lanes =
              begin < end ? BitsBelow((end - 1) * step_ + (packs_.wide ? Columns(i) : own_.w_input))
                          : 0;
          kind->read[i][tap] = lanes & ~BitsBelow(begin * step_);
        }
      }
    }
    finish_.Make(first, packs_.All(), at_once_ > 1 ? own_.rows : packs_.All(), &kind->finish);
  }

  // The columns of the taps of each output. Lanes behind the outputs have those of the first one.
  void Point() {
    const DI d;
    const auto set = [&](int64_t i) HWY_ATTR { return hn::Set(d, static_cast<TI>(i)); };
    HWY_ALIGN TI row[kLanes], column[kLanes];
    const int64_t first = own_.w_first;
    int64_t lane = 0;
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < packs_.of_vector[i]; ++j) {
        const int64_t of_row = i * kLanes + j * step_, apart = own_.w_stride * own_.group;
        for (int64_t o = 0, at = first; o < own_.lanes; o += own_.group, at += apart) {
          for (int64_t c = 0; c < own_.group; ++c, ++lane) {
            row[lane] = static_cast<TI>(of_row);
            column[lane] = static_cast<TI>(at + c);
          }
        }
      }
    }
    for (; lane < kLanes; ++lane) {
      row[lane] = 0;
      column[lane] = static_cast<TI>(first);
    }
    const VI of_row = hn::Load(d, row), tap = set(own_.w_tap), end = set(own_.w_input);
    const VI zero = hn::Zero(d), none = set((TwoVectors() ? 2 : 1) * kLanes - 1);
    VI at = hn::Load(d, column);
    VI taps[kTaps];
    const int64_t n = own_.taps_w;
    for (int64_t i = 0; i < n; ++i, at = hn::Add(at, tap)) taps[i] = at;
    if (kSums) {
      for (int64_t i = 0; i < n; ++i) {
        const auto in = hn::And(hn::Ge(taps[i], zero), hn::Lt(taps[i], end));
        hn::Store(hn::IfThenElse(in, hn::Add(taps[i], of_row), none), d, from_tap_[i]);
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
      hn::Store(hn::Add(taps[i], of_row), d, from_tap_[i]);
    }
  }

  // Four packs at a time, those of a plane after the other; where there are fewer, the last one
  // again.
  template <bool kTwo, bool kAcross>
  HWY_NOINLINE bool Run() {
    const D d;
    // Local, out of reach of stores.
    const int64_t at_once = at_once_, last_plane = own_.planes - at_once;
    const int64_t count = count_, x_plane_step = own_.x_plane_step;
    const int64_t y_plane_step = own_.y_plane_step;
    const int64_t other = packs_.two_planes ? x_plane_step
                          : packs_.wide     ? kLanes
                                            : packs_.of_vector[0] * step_;
    const int64_t taps_w = own_.taps_w, taps_h = own_.taps_h;
    const int64_t tap_step = own_.h_tap * own_.x_row_step;
    const M a_whole = hn::FirstN(d, static_cast<size_t>(Columns(0)));
    const M b_whole = hn::FirstN(d, static_cast<size_t>(kTwo ? Columns(1) : 0));
    const size_t outputs = outputs_;
    const Out out = out_;
    S state = Reduce::Start(d), other_state = state;
    int64_t pack = 0, plane = 0, left = (own_.planes + at_once - 1) / at_once * count;
    const T* x = static_cast<const T*>(own_.x);
    Y* y = static_cast<Y*>(own_.y);
    const Pack* at = at_;
    const auto fold_taps = [&](V& a, V& b, const T* p, const auto& load) HWY_ATTR
        __attribute__((always_inline)) {
          load(p, 0, a, b);
          if constexpr (kAcross) a = MoveOne<Reduce, kTwo ? 2 : 1>(d, from_tap_, taps_w, a, b);
          for (int64_t tap = 1; tap < taps_h; ++tap) {
            p += tap_step;
            V v, w;
            load(p, tap, v, w);
            if constexpr (kAcross) v = MoveOne<Reduce, kTwo ? 2 : 1>(d, from_tap_, taps_w, v, w);
            a = Reduce::Combine(a, v);
            if (kTwo && !kAcross) b = Reduce::Combine(b, w);
          }
        };
    const auto fold = [&](V& a, V& b, const Pack*& of, Y*& to) HWY_ATTR
        __attribute__((always_inline)) {
          of = at;
          to = y + at->y;
          const Kind& kind = *at->kind;
          if (HWY_LIKELY(kind.whole)) {
            fold_taps(a, b, x + at->x, [&](const T* p, int64_t, V& v, V& w) HWY_ATTR {
              v = w = Load(p, a_whole, state);
              if (kTwo) w = Load(p + other, b_whole, other_state);
            });
          } else {
            fold_taps(a, b, x + at->x, [&](const T* p, int64_t tap, V& v, V& w) HWY_ATTR {
              v = w = LoadTap(p, kind, 0, tap, state);
              if (kTwo) w = LoadTap(p + other, kind, 1, tap, other_state);
            });
          }
          if (--left <= 0) return;
          ++at;
          if (++pack < count) return;
          pack = 0;
          at = at_;
          // The last planes again, if there are no more.
          const int64_t step = HWY_MIN(at_once, last_plane - plane);
          plane += step;
          x += step * x_plane_step;
          y += step * y_plane_step;
        };
    const auto put = [&](V v, const Pack* of, Y* to) HWY_ATTR __attribute__((always_inline)) {
      out.StoreN(d, finish_.Apply(of->kind->finish, v, state), to, outputs);
    };
    while (left > 0) {
      V a, b, c, e, a2, b2, c2, e2;
      Y *to_a, *to_b, *to_c, *to_e;
      const Pack *of_a, *of_b, *of_c, *of_e;
      fold(a, a2, of_a, to_a);
      fold(b, b2, of_b, to_b);
      fold(c, c2, of_c, to_c);
      fold(e, e2, of_e, to_e);
      if constexpr (!kAcross) {
        MoveFour<Reduce, kTwo ? 2 : 1>(d, from_tap_, taps_w, a, a2, b, b2, c, c2, e, e2);
      }
      put(a, of_a, to_a);
      put(b, of_b, to_b);
      put(c, of_c, to_c);
      put(e, of_e, to_e);
    }
    return Reduce::Clean(d, state, own_.divisor) && Reduce::Clean(d, other_state, own_.divisor);
  }

  // Lanes that are not read are no taps of any output.
  HWY_INLINE V Load(const T* p, M lanes, S& state) const {
    const D d;
    const V v = elem_.LoadMasked(d, p, lanes, hn::Zero(d));
    state = Reduce::Watch(state, v);
    return v;
  }
  HWY_INLINE V LoadTap(const T* p, const Kind& kind, int64_t i, int64_t tap, S& state) const {
    const D d;
    const M lanes = hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&kind.read[i][tap]));
    const V v = elem_.LoadMasked(d, p, lanes, Reduce::Identity(d));
    state = Reduce::Watch(state, hn::IfThenElseZero(lanes, v));
    return v;
  }

  const PlanesJob& job_;
  PlanesJob own_;
  const Elem elem_;
  const Out out_;
  Finish finish_;
  Packs packs_;
  int64_t at_once_ = 1;  // planes
  size_t outputs_ = 0;   // of a pack
  int64_t step_ = 0;     // elements from a row of a vector to the next
  int64_t count_ = 0;    // packs of a plane
  Pack at_[kMostPacks];
  Kind kinds_[kMostKinds];
  HWY_ALIGN TI from_tap_[kTaps][kLanes];
};

// False: the rows make no packs. Out of line: what else is done has the stack for itself.
template <class Op>
HWY_NOINLINE bool RunPacks(const PlanesJob& job, bool* clean) {
  PackedRows<Op> packed(job);
  if (!packed.Prepare()) return false;
  *clean = packed.All();
  return true;
}
// Rows that make no packs go one by one, if they are no groups.
template <class Op>
HWY_NOINLINE bool RunPacked(const PlanesJob& job) {
  bool clean = false;
  if (RunPacks<Op>(job, &clean)) return clean;
  return job.group == 1 && MoveColumns<Op>(job);
}
#endif

// Kernels::packed of Op, or of Plain where that Fits.
template <class Op, class Plain = Op>
constexpr auto PackedOf() -> bool (*)(const PlanesJob&) {
#if LANEPOOL_MOVES_LANES
  if constexpr (std::is_same<Op, Plain>::value && !kCompact) {
    return &RunPacked<Op>;
  } else if constexpr (!kCompact) {
    return [](const PlanesJob& job) {
      return Plain::Fits(job.rules) ? RunPacked<Plain>(job) : RunPacked<Op>(job);
    };
  }
#endif
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
