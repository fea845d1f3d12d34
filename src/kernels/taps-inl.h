// Windows tap by tap in row-major order: sums with one accumulator, and where a maximum is. Lanes
// are channels, or positions along W, of which those at the ends of a row lack some taps.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_TAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_TAPS_INL_H_
#undef LANEPOOL_SRC_KERNELS_TAPS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_TAPS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"
#include "kernels/taps_fold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Fold>
class TapsInOrder {
  using Elem = typename Fold::Elem;
  using T = typename Elem::Memory;
  using Lane = typename Elem::Lane;
  using Y = typename Fold::Y;
  using D = hn::ScalableTag<Lane>;
  using V = hn::VFromD<D>;
  using VY = typename Fold::VY;
  using Watched = typename Fold::Watched;

 public:
  explicit TapsInOrder(const TapsJob& job) : job_(job), elem_(job.rules), fold_(job.rules) {}

  // The last lanes may be worked out twice. False: the job is given up.
  bool Run() const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    Watched watched = Fold::StartWatch();
    if (job_.lanes < n) {
      Lanes(0, job_.lanes, watched);
      return Fold::Clean(watched);
    }
    int64_t i = 0;
    if (job_.w_step == 0 && job_.x_lane_step == 1) {
      for (; i + 4 * n <= job_.lanes; i += 4 * n) FourVectors(i, watched);
    }
    for (; i < job_.lanes; i += n) Lanes(HWY_MIN(i, job_.lanes - n), n, watched);
    return Fold::Clean(watched);
  }

 private:
  // Channels [i, i + 4 * Lanes).
  HWY_INLINE void FourVectors(int64_t i, Watched& watched) const {
    const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
    const auto valid = hn::Not(hn::MaskFalse(D()));
    V a, b, c, e;
    VY at_a, at_b, at_c, at_e;
    fold_.Begin(a, at_a);
    fold_.Begin(b, at_b);
    fold_.Begin(c, at_c);
    fold_.Begin(e, at_e);
    Watched seen = watched;
    const T* const x = static_cast<const T*>(job_.x) + i;
    const int64_t taps_d = job_.taps[0], taps_h = job_.taps[1], taps_w = job_.taps[2];
    for (int64_t d = 0; d < taps_d; ++d) {
      for (int64_t h = 0; h < taps_h; ++h) {
        const T* p = x + d * job_.x_tap[0] + h * job_.x_tap[1];
        int64_t at = d * job_.steps[0] + h * job_.steps[1];
        const bool first = d == 0 && h == 0;
        for (int64_t t = 0; t < taps_w; ++t, p += job_.x_tap[2], at += job_.steps[2]) {
          Tap(elem_.Load(D(), p), valid, at, first, a, at_a, seen);
          Tap(elem_.Load(D(), p + n), valid, at, first, b, at_b, seen);
          Tap(elem_.Load(D(), p + 2 * n), valid, at, first, c, at_c, seen);
          Tap(elem_.Load(D(), p + 3 * n), valid, at, first, e, at_e, seen);
        }
      }
    }
    watched = seen;
    const hn::ScalableTag<Y> dy;
    Y* const y = static_cast<Y*>(job_.y) + i;
    hn::StoreU(Fold::Result(a, at_a), dy, y);
    hn::StoreU(Fold::Result(b, at_b), dy, y + n);
    hn::StoreU(Fold::Result(c, at_c), dy, y + 2 * n);
    hn::StoreU(Fold::Result(e, at_e), dy, y + 3 * n);
  }

  HWY_INLINE void Tap(V v, hn::MFromD<D> valid, int64_t at, bool first, V& sum, VY& place,
                      Watched& watched) const {
    watched = Fold::Watch(watched, v);
    fold_.Add(v, valid, at, first, sum, place);
  }

  // Outputs [i, i + count).
  HWY_INLINE void Lanes(int64_t i, int64_t count, Watched& watched) const {
    V sum;
    VY place;
    fold_.Begin(sum, place);
    Watched seen = watched;
    const int64_t position = job_.w_first + i * job_.w_step;
    const T* const x = static_cast<const T*>(job_.x) +
                       (job_.w_step == 0 ? i * job_.x_lane_step : position * job_.x_w_step);
    const int64_t last = position + (count - 1) * job_.w_step + (job_.taps[2] - 1) * job_.w_tap;
    const bool whole = count == static_cast<int64_t>(hn::Lanes(D())) &&
                       (job_.w_step == 0 || (position >= 0 && last < job_.w_input));
    for (int64_t d = 0; d < job_.taps[0]; ++d) {
      for (int64_t h = 0; h < job_.taps[1]; ++h) {
        const T* const row = x + d * job_.x_tap[0] + h * job_.x_tap[1];
        const int64_t at = d * job_.steps[0] + h * job_.steps[1];
        const bool first = d == 0 && h == 0;
        if (whole) {
          WholeRow(row, position, at, first, sum, place, seen);
        } else {
          Row(row, position, count, at, first, sum, place, seen);
        }
      }
    }
    watched = seen;
    const hn::ScalableTag<Y> dy;
    Y* const y = static_cast<Y*>(job_.y) + i;
    if (count == static_cast<int64_t>(hn::Lanes(dy))) {
      hn::StoreU(Fold::Result(sum, place), dy, y);
    } else {
      hn::StoreN(Fold::Result(sum, place), dy, y, static_cast<size_t>(count));
    }
  }

  // All taps of all lanes are there.
  HWY_INLINE void WholeRow(const T* row, int64_t position, int64_t at, bool first, V& sum,
                           VY& place, Watched& watched) const {
    const auto valid = hn::Not(hn::MaskFalse(D()));
    for (int64_t t = 0; t < job_.taps[2]; ++t) {
      Tap(LoadAll(row, position), valid, at, first, sum, place, watched);
      row += job_.x_tap[2];
      position += job_.w_tap;
      at += job_.steps[2];
    }
  }

  // The taps along W: that of lane 0 and tap 0 is at `position`.
  HWY_INLINE void Row(const T* row, int64_t position, int64_t count, int64_t at, bool first, V& sum,
                      VY& place, Watched& watched) const {
    const D d;
    for (int64_t t = 0; t < job_.taps[2]; ++t, position += job_.w_tap, at += job_.steps[2]) {
      int64_t begin = 0, end = count;
      if (job_.w_step != 0) {
        if (position < 0) begin = HWY_MIN(count, (job_.w_step - 1 - position) / job_.w_step);
        const int64_t room = job_.w_input - position;
        if (room <= (count - 1) * job_.w_step) {
          end = room <= 0 ? 0 : (room + job_.w_step - 1) / job_.w_step;
        }
      }
      if (begin >= end) continue;
      const T* const p = row + t * job_.x_tap[2];
      const auto valid = hn::AndNot(hn::FirstN(d, static_cast<size_t>(begin)),
                                    hn::FirstN(d, static_cast<size_t>(end)));
      const bool whole = begin == 0 && end == static_cast<int64_t>(hn::Lanes(d));
      const V v = whole ? LoadAll(p, position) : LoadPart(p, begin, end, valid);
      Tap(v, valid, at, first, sum, place, watched);
    }
  }

  HWY_INLINE V LoadAll(const T* p, int64_t position) const {
    const D d;
    if (job_.x_lane_step == 1) return elem_.Load(d, p);
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    // Every second one, where that many follow each other in the row, or lie before its end.
    const bool pairs = job_.x_lane_step == 2 && job_.x_w_step == 1 && job_.w_step == 2;
    const hn::Rebind<T, D> memory;
    hn::VFromD<decltype(memory)> even, odd;
    if (pairs && position + 2 * n <= job_.w_input) {
      hn::LoadInterleaved2(memory, p, even, odd);
      return elem_.Of(d, even);
    }
    if (pairs && position > 0 && position + 2 * n - 1 <= job_.w_input) {
      hn::LoadInterleaved2(memory, p - 1, even, odd);
      return elem_.Of(d, odd);
    }
    return LoadStrided(elem_, d, p, job_.x_lane_step, static_cast<size_t>(n));
  }

  HWY_INLINE V LoadPart(const T* p, int64_t begin, int64_t end, hn::MFromD<D> valid) const {
    const D d;
    if (job_.x_lane_step == 1) {
      return hn::IfThenElse(valid, elem_.Of(d, RawBetween(hn::Rebind<T, D>(), p, begin, end)),
                            fold_.Missing());
    }
    HWY_ALIGN T lanes[HWY_MAX_LANES_D(D)] = {};
    for (int64_t i = begin; i < end; ++i) lanes[i] = p[i * job_.x_lane_step];
    return hn::IfThenElse(valid, elem_.Load(d, lanes), fold_.Missing());
  }

  const TapsJob& job_;
  const Elem elem_;
  const Fold fold_;
};

// From positions within windows to indices.
template <class Y>
HWY_INLINE void IndicesAs(const IndicesJob& job) {
  const hn::ScalableTag<int64_t> d;
  const hn::Rebind<int32_t, decltype(d)> d32;
  const hn::Rebind<Y, decltype(d)> dy;
  const hn::RebindToUnsigned<decltype(d)> du;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const Y* const places = static_cast<const Y*>(job.places);
  char* const to = static_cast<char*>(job.to);
  const auto none = hn::Set(d, int64_t{-1});
  const auto steps = hn::Mul(hn::Iota(d, 0), hn::Set(d, job.lane_step));
  for (int64_t i = 0; i < job.lanes; i += n) {
    const size_t count = static_cast<size_t>(HWY_MIN(n, job.lanes - i));
    const auto place = hn::LoadN(dy, places + i, count);
    const auto missing = hn::Eq(place, hn::Set(dy, hwy::HighestValue<Y>()));
    hn::VFromD<decltype(d)> offset, gone;
    if constexpr (sizeof(Y) == 8) {
      offset = hn::BitCast(d, place);
      gone = hn::BitCast(d, hn::VecFromMask(du, missing));
    } else {
      offset = hn::BitCast(d, hn::PromoteTo(du, place));
      const hn::RebindToSigned<decltype(dy)> dsy;
      gone = hn::PromoteTo(d, hn::BitCast(dsy, hn::VecFromMask(dy, missing)));
    }
    const auto base = hn::Set(d, job.base + i * job.lane_step);
    const auto index = hn::Or(hn::Add(hn::Add(base, steps), offset), hn::And(gone, none));
    if (job.to_step == 1 && job.wide) {
      hn::StoreN(index, d, reinterpret_cast<int64_t*>(to) + i, count);
    } else if (job.to_step == 1) {
      hn::StoreN(hn::TruncateTo(hn::RebindToUnsigned<decltype(d32)>(), hn::BitCast(du, index)),
                 hn::RebindToUnsigned<decltype(d32)>(), reinterpret_cast<uint32_t*>(to) + i, count);
    } else {
      HWY_ALIGN int64_t lanes[HWY_MAX_LANES_D(decltype(d))];
      hn::Store(index, d, lanes);
      for (size_t k = 0; k < count; ++k) {
        const int64_t at = (i + static_cast<int64_t>(k)) * job.to_step;
        if (job.wide) {
          reinterpret_cast<int64_t*>(to)[at] = lanes[k];
        } else {
          reinterpret_cast<int32_t*>(to)[at] = static_cast<int32_t>(lanes[k]);
        }
      }
    }
  }
}

inline void Indices(const IndicesJob& job) {
  if (job.wide_places) {
    IndicesAs<uint64_t>(job);
  } else {
    IndicesAs<uint32_t>(job);
  }
}

template <class Fold>
void Taps(const TapsJob& job) {
  TapsInOrder<Fold>(job).Run();
}

inline void PlacesOfMaxF32(const TapsJob& job) {
  if (!TapsInOrder<PlaceOfMaxF32>(job).Run()) Taps<PlaceOfMax<ElemPlaced<int32_t, int32_t>>>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
