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
#include "kernels/packs_of_rows-inl.h"
#include "kernels/reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_PACKS_ROWS
// PlanesJob of one tap along D whose rows are short, see PacksOf. A pack is folded along H where it
// lies, and then each tap along W of all its outputs is moved to them, as in MovedColumns; sums may
// have it the other way round, see PlanesJob::across_first.
template <class Op>
class PackedRows : PacksOfRows<Op> {
  using Base = PacksOfRows<Op>;
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using S = typename Reduce::template State<D>;
  using Lanes = typename Base::Lanes;
  using Whole = typename Base::Whole;
  using Kind = typename Base::Kind;
  using Pack = typename Base::Pack;
  using Base::at_;
  using Base::at_once_;
  using Base::count_;
  using Base::finish_;
  using Base::lanes_;
  using Base::own_;
  static constexpr bool kSums = std::is_base_of<SumExact, Reduce>::value;
  static constexpr bool kRounds = kSums && sizeof(Lane) >= 4;  // the order of terms matters

 public:
  explicit PackedRows(const PlanesJob& job) : Base(job), elem_(job.rules), out_(job.rules) {}

  using Base::Prepare;

  bool All() {
    this->Point();
    if (kRounds && own_.across_first) {
      return this->TwoVectors() ? Run<true, true>() : Run<false, true>();
    }
    return this->TwoVectors() ? Run<true, false>() : Run<false, false>();
  }

 private:
#if !LANEPOOL_MOVES_LANES
  // One pack after the other: there are few registers.
  template <bool kTwo, bool kAcross>
  HWY_NOINLINE bool Run() {
    constexpr int kVectors = kTwo ? 2 : 1;
    const int64_t at_once = at_once_, last_plane = own_.planes - at_once;
    const int64_t x_plane_step = own_.x_plane_step, y_plane_step = own_.y_plane_step;
    const int64_t other = this->OfSecond();
    const int64_t taps_w = own_.taps_w, taps_h = own_.taps_h;
    const int64_t tap_step = own_.h_tap * own_.x_row_step;
    const Whole a_whole = Lanes::WholeOf(this->Columns(0)), b_whole = this->WholeOfSecond();
    const Out out = out_;
    S state = Reduce::Start(D());
    const T* x = static_cast<const T*>(own_.x);
    Y* y = static_cast<Y*>(own_.y);
    const Pack* const end = at_ + count_;
    for (int64_t plane = 0;;) {
      for (const Pack* pack = at_; pack < end; ++pack) {
        const Kind& kind = *pack->kind;
        const T* p = x + pack->x;
        V a, b;
        if (HWY_LIKELY(kind.whole)) {
          a = b = Load(p, a_whole, state);
          if (kTwo) b = Load(p + other, b_whole, state);
          if (kAcross) a = lanes_.template Move<Reduce, kVectors>(taps_w, a, b);
          for (int64_t tap = 1; tap < taps_h; ++tap) {
            p += tap_step;
            V v = Load(p, a_whole, state), w = v;
            if (kTwo) w = Load(p + other, b_whole, state);
            if (kAcross) v = lanes_.template Move<Reduce, kVectors>(taps_w, v, w);
            a = Reduce::Combine(a, v);
            if (kTwo && !kAcross) b = Reduce::Combine(b, w);
          }
        } else {
          a = b = Reduce::Identity(D());
          for (int64_t tap = 0; tap < taps_h; ++tap) {
            if (tap > 0) p += tap_step;
            V v = LoadTap(p, kind, 0, tap, state), w = v;
            if (kTwo) w = LoadTap(p + other, kind, 1, tap, state);
            if (kAcross) v = lanes_.template Move<Reduce, kVectors>(taps_w, v, w);
            a = tap == 0 ? v : Reduce::Combine(a, v);
            if (kTwo && !kAcross) b = tap == 0 ? w : Reduce::Combine(b, w);
          }
        }
        if (!kAcross) a = lanes_.template Move<Reduce, kVectors>(taps_w, a, b);
        lanes_.Store(out, finish_.Apply(kind.finish, a, state), y + pack->y);
      }
      // The last planes again, if there are no more.
      const int64_t step = HWY_MIN(at_once, last_plane - plane);
      if (step <= 0) break;
      plane += step;
      x += step * x_plane_step;
      y += step * y_plane_step;
    }
    return Reduce::Clean(D(), state, own_.divisor);
  }
#else
  // Four packs at a time, those of a plane after the other; where there are fewer, the last one
  // again.
  template <bool kTwo, bool kAcross>
  HWY_NOINLINE bool Run() {
    const D d;
    // Local, out of reach of stores.
    const int64_t at_once = at_once_, last_plane = own_.planes - at_once;
    const int64_t count = count_, x_plane_step = own_.x_plane_step;
    const int64_t y_plane_step = own_.y_plane_step;
    const int64_t other = this->OfSecond();
    const int64_t taps_w = own_.taps_w, taps_h = own_.taps_h;
    const int64_t tap_step = own_.h_tap * own_.x_row_step;
    const Whole a_whole = Lanes::WholeOf(this->Columns(0)), b_whole = this->WholeOfSecond();
    const Out out = out_;
    S state = Reduce::Start(d), other_state = state;
    int64_t pack = 0, plane = 0, left = (own_.planes + at_once - 1) / at_once * count;
    const T* x = static_cast<const T*>(own_.x);
    Y* y = static_cast<Y*>(own_.y);
    const Pack* at = at_;
    const auto fold_taps = [&](V& a, V& b, const T* p, const auto& load) HWY_ATTR
        __attribute__((always_inline)) {
          load(p, 0, a, b);
          if constexpr (kAcross) a = lanes_.template Move<Reduce, kTwo ? 2 : 1>(taps_w, a, b);
          for (int64_t tap = 1; tap < taps_h; ++tap) {
            p += tap_step;
            V v, w;
            load(p, tap, v, w);
            if constexpr (kAcross) v = lanes_.template Move<Reduce, kTwo ? 2 : 1>(taps_w, v, w);
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
      lanes_.Store(out, finish_.Apply(of->kind->finish, v, state), to);
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
        lanes_.template Move4<Reduce, kTwo ? 2 : 1>(taps_w, a, a2, b, b2, c, c2, e, e2);
      }
      put(a, of_a, to_a);
      put(b, of_b, to_b);
      put(c, of_c, to_c);
      put(e, of_e, to_e);
    }
    return Reduce::Clean(d, state, own_.divisor) && Reduce::Clean(d, other_state, own_.divisor);
  }
#endif

  HWY_INLINE V Load(const T* p, const Whole& whole, S& state) const {
    const V v = lanes_.Load(elem_, p, whole);
    state = Reduce::Watch(state, v);
    return v;
  }
  HWY_INLINE V LoadTap(const T* p, const Kind& kind, int64_t i, int64_t tap, S& state) const {
    M read;
    const V v = lanes_.LoadTap(elem_, p, i, kind.read[i][tap], Reduce::Identity(D()), &read);
    state = Reduce::Watch(state, hn::IfThenElseZero(read, v));
    return v;
  }

  const Elem elem_;
  const Out out_;
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
#if LANEPOOL_MOVES_LANES
  return job.group == 1 && MoveColumns<Op>(job);
#else
  return false;
#endif
}
#endif

// Kernels::packed of Op, or of Plain where that Fits.
template <class Op, class Plain = Op>
constexpr auto PackedOf() -> bool (*)(const PlanesJob&) {
#if LANEPOOL_PACKS_ROWS
  if constexpr ((std::is_same<Op, Plain>::value || !LANEPOOL_MOVES_LANES) && !kCompact) {
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
