// Windows of many taps along one axis, of which there are sums of integers: what enters a window is
// added, what has left it is subtracted. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_BLOCKS_OF_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_BLOCKS_OF_SUMS_INL_H_
#undef LANEPOOL_SRC_KERNELS_BLOCKS_OF_SUMS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_BLOCKS_OF_SUMS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/blocks-inl.h"
#include "kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// u8 and s8 (as x + 128) in lanes of 16 bits, or u16 in lanes of 32.
template <class T>
class ElemWider {
 public:
  using Memory = T;
  using Lane = hwy::MakeWide<T>;

  explicit ElemWider(const ElementRules& rules) : flip_(sizeof(T) == 1 ? rules.x_flip : 0) {}

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, const T* p) const {
    const hn::Rebind<T, D> dt;
    return Wide(d, hn::LoadU(dt, p));
  }
  template <class D>
  HWY_INLINE hn::VFromD<D> LoadN(D d, const T* p, size_t n, hn::VFromD<D>) const {
    const hn::Rebind<T, D> dt;
    return Wide(d, LoadBytes(dt, p, n));
  }
  // What Load makes zeros of.
  void FillZeros(T* to, size_t n) const {
    for (size_t i = 0; i < n; ++i) to[i] = flip_;
  }

 private:
  template <class D, class V>
  HWY_INLINE hn::VFromD<D> Wide(D d, V v) const {
    // Where nothing is flipped, a branch takes less than that.
    if (sizeof(T) == 1 && flip_ != 0) v = hn::Xor(v, hn::Set(hn::DFromV<V>(), flip_));
    return hn::PromoteTo(d, v);
  }

  const T flip_;
};

// Four vectors of lanes side by side, or one, of which maybe only some lanes are there.
template <class Elem, class Finish, bool kFour>
class RunningSums {
  using T = typename Elem::Memory;
  using Y = typename Finish::Memory;
  using D = BlockTag<typename Elem::Lane>;
  using V = hn::VFromD<D>;
  // Of sums of 16 bits in lanes of 32.
  static constexpr bool kOfSums = sizeof(T) == 2 && sizeof(typename Elem::Lane) == 4;

 public:
  // All lines, from a lane on, of `n` lanes.
  static HWY_NOINLINE void Run(const BlocksJob& job, int64_t lane, size_t n) {
    RunningSums vectors(job, n);
    for (int64_t line = 0; line < job.lines; ++line) vectors.Line(line, lane);
  }

 private:
  RunningSums(const BlocksJob& job, size_t n)
      : job_(job),
        elem_(job.rules),
        finish_(job),
        n_(n),
        whole_(n == hn::Lanes(D())),
        by_one_(job.stride == 1 && (!kOfSums || job.small)) {
    if constexpr (kFour && Finish::kStoresSome) finish_.StoreOf4(n);
  }

  HWY_INLINE void Line(int64_t line, int64_t lane) {
    const D d;
    finish_.BeginLine(d, line, lane, kFour ? 4 * hn::Lanes(d) : n_);
    const T* const x = static_cast<const T*>(job_.x) + line * job_.x_line_step + lane;
    Y* y = static_cast<Y*>(job_.y) + line * job_.y_line_step + lane;
    const int64_t step = job_.x_step, positions = job_.positions;
    V a = hn::Zero(d), b = a, c = a, e = a;
    // Taps [from, to) are in the sums. At `alike` more outputs one enters and one leaves, or does
    // one of both.
    enum { kSwaps, kGrows, kShrinks } change = kSwaps;
    int64_t from = 0, to = 0, alike = 0;
    for (int64_t o = 0; o < job_.outputs; ++o, y += job_.y_step) {
      if (kFour && alike > 0) {
        --alike;
        if (change == kSwaps) {
          Swap(x + to++ * step, x + from++ * step, a, b, c, e);
        } else if (change == kShrinks) {
          Take<false>(x + from++ * step, a, b, c, e);
        } else {
          Take<true>(x + to++ * step, a, b, c, e);
          if (alike == 0) {
            change = kSwaps;
            alike = positions - to;
          }
        }
      } else {
        const int64_t start = job_.first + o * job_.stride, stop = start + job_.taps;
        const int64_t begin = HWY_MIN(HWY_MAX(int64_t{0}, start), positions);
        const int64_t end = HWY_MIN(HWY_MAX(int64_t{0}, stop), positions);
        if (begin >= to) {
          a = b = c = e = hn::Zero(d);
          from = to = begin;
        }
        for (; to < end; ++to) Take<true>(x + to * step, a, b, c, e);
        for (; from < begin; ++from) Take<false>(x + from * step, a, b, c, e);
        if (kFour && by_one_ && start >= 0) {
          change = stop < positions ? kSwaps : kShrinks;
          alike = positions - (stop < positions ? stop : start + 1);
        } else if (kFour && by_one_ && stop > 0 && job_.taps <= positions) {
          change = kGrows;
          alike = -start;
        }
      }
      const auto counts = finish_.Output(o);
      if constexpr (kFour) {
        finish_.Store4(d, a, b, c, e, counts, y);
      } else {
        finish_.Store(d, a, 0, counts, y, whole_, n_);
      }
    }
  }

  // One tap enters as another one leaves.
  HWY_INLINE void Swap(const T* enters, const T* leaves, V& a, V& b, V& c, V& e) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (kOfSums) {
      const hn::Repartition<int16_t, D> d16;
      const hn::RebindToSigned<D> ds;
      const auto at = [&](const T* p) HWY_ATTR { return reinterpret_cast<const int16_t*>(p); };
      const auto low = hn::Sub(hn::LoadU(d16, at(enters)), hn::LoadU(d16, at(leaves)));
      const auto high =
          hn::Sub(hn::LoadU(d16, at(enters + 2 * n)), hn::LoadU(d16, at(leaves + 2 * n)));
      a = hn::Add(a, hn::BitCast(d, hn::PromoteLowerTo(ds, low)));
      b = hn::Add(b, hn::BitCast(d, hn::PromoteUpperTo(ds, low)));
      c = hn::Add(c, hn::BitCast(d, hn::PromoteLowerTo(ds, high)));
      e = hn::Add(e, hn::BitCast(d, hn::PromoteUpperTo(ds, high)));
    } else {
      Take<true>(enters, a, b, c, e);
      Take<false>(leaves, a, b, c, e);
    }
  }

  // kEnters: adds them.
  template <bool kEnters>
  HWY_INLINE void Take(const T* p, V& a, V& b, V& c, V& e) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (kFour) {
      // Rows lie far apart: what comes next is foreseen by no hardware. What comes at once would be
      // asked for too late.
      if (kEnters && job_.kept == nullptr) {
        for (int64_t i = 8; i < 12; ++i) hwy::Prefetch(p + i * n);
      }
      a = Sum<kEnters>(a, elem_.Load(d, p));
      b = Sum<kEnters>(b, elem_.Load(d, p + n));
      c = Sum<kEnters>(c, elem_.Load(d, p + 2 * n));
      e = Sum<kEnters>(e, elem_.Load(d, p + 3 * n));
    } else {
      a = Sum<kEnters>(a,
                       HWY_LIKELY(whole_) ? elem_.Load(d, p) : elem_.LoadN(d, p, n_, hn::Zero(d)));
    }
  }
  template <bool kEnters>
  static HWY_INLINE V Sum(V sum, V v) {
    return kEnters ? hn::Add(sum, v) : hn::Sub(sum, v);
  }

  const BlocksJob job_;
  const Elem elem_;
  Finish finish_;
  const size_t n_;
  const bool whole_;
  const bool by_one_;  // whether windows step by one, and x is small
};

// kWide: worth a loop over four vectors at a time.
template <class Elem, class Finish, bool kWide>
bool SumBlocks(const BlocksJob& job) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(BlockTag<typename Elem::Lane>()));
  int64_t lane = 0;
  const auto run4 = [&](int64_t from, int64_t lanes) {
    RunningSums<Elem, Finish, true>::Run(job, from, static_cast<size_t>(lanes));
  };
  if constexpr (kWide) {
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) run4(lane, 4 * n);
    // The last four vectors overlap those before: x and y are apart, so doing lanes twice is
    // harmless. Or there are not as many.
    if (lane > 0 && lane + n < job.lanes) {
      run4(job.lanes - 4 * n, 4 * n);
      return true;
    }
    if (Finish::kStoresSome && lane == 0 && job.padded && 2 * n < job.lanes) {
      run4(0, job.lanes);
      return true;
    }
  }
  for (; lane < job.lanes; lane += n) {
    // So does the last vector.
    const int64_t from = HWY_MAX(int64_t{0}, HWY_MIN(lane, job.lanes - n));
    RunningSums<Elem, Finish, false>::Run(job, from, static_cast<size_t>(HWY_MIN(n, job.lanes)));
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
