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

 public:
  // All lines, from a lane on, of `n` lanes.
  static HWY_NOINLINE void Run(const BlocksJob& job, int64_t lane, size_t n) {
    RunningSums vectors(job, n);
    for (int64_t line = 0; line < job.lines; ++line) vectors.Line(line, lane);
  }

 private:
  RunningSums(const BlocksJob& job, size_t n)
      : job_(job), elem_(job.rules), finish_(job), n_(n), whole_(n == hn::Lanes(D())) {}

  HWY_INLINE void Line(int64_t line, int64_t lane) {
    const D d;
    finish_.BeginLine(d, line, lane, kFour ? 4 * hn::Lanes(d) : n_);
    const T* const x = static_cast<const T*>(job_.x) + line * job_.x_line_step + lane;
    Y* y = static_cast<Y*>(job_.y) + line * job_.y_line_step + lane;
    const int64_t step = job_.x_step, positions = job_.positions;
    V a = hn::Zero(d), b = a, c = a, e = a;
    // Taps [from, to) are in the sums.
    int64_t from = 0, to = 0, start = job_.first;
    for (int64_t o = 0; o < job_.outputs; ++o, start += job_.stride, y += job_.y_step) {
      const int64_t begin = HWY_MIN(HWY_MAX(int64_t{0}, start), positions);
      const int64_t end = HWY_MIN(HWY_MAX(int64_t{0}, start + job_.taps), positions);
      if (begin >= to) {
        a = b = c = e = hn::Zero(d);
        from = to = begin;
      }
      for (; to < end; ++to) Take<true>(x + to * step, a, b, c, e);
      for (; from < begin; ++from) Take<false>(x + from * step, a, b, c, e);
      const auto counts = finish_.Output(o);
      if constexpr (kFour) {
        finish_.Store4(d, a, b, c, e, counts, y);
      } else {
        finish_.Store(d, a, 0, counts, y, whole_, n_);
      }
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
};

// kWide: worth a loop over four vectors at a time.
template <class Elem, class Finish, bool kWide>
bool SumBlocks(const BlocksJob& job) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(BlockTag<typename Elem::Lane>()));
  int64_t lane = 0;
  if constexpr (kWide) {
    for (; lane + 4 * n <= job.lanes; lane += 4 * n) {
      RunningSums<Elem, Finish, true>::Run(job, lane, 0);
    }
  }
  for (; lane < job.lanes; lane += n) {
    // The last vector overlaps the one before: x and y are apart, so doing lanes twice is harmless.
    const int64_t from = HWY_MAX(int64_t{0}, HWY_MIN(lane, job.lanes - n));
    RunningSums<Elem, Finish, false>::Run(job, from, static_cast<size_t>(HWY_MIN(n, job.lanes)));
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
