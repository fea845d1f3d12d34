// Finishers: from the fold of a window to the result. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_FINISH_INL_H_
#undef LANEPOOL_SRC_KERNELS_FINISH_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_FINISH_INL_H_
#endif

#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/divide-inl.h"
#include "kernels/elem-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A finisher is an object made from the job's Divisor and ElementRules, with
//   Apply(v, state)   the result of the fold v, in jobs whose outputs are all finished alike;
//   `state`
//                     is the reducer's, to give the job up
//   Rows, Planes      the same for jobs whose lanes differ, see AlikeRows and AlikePlanes

// Lanes of SlideRowsJob: Prepare once, Begin for each vector of lanes, Apply for each row of it. a
// and b are what Begin keeps for Apply. Only the first `count` lanes count; the others may be
// anything. kBlocks: where Alike() is false, ApplyBlock makes results of several rows in place.
template <class Finish>
class AlikeRows {
 public:
  static constexpr bool kBlocks = false;

  explicit AlikeRows(const SlideRowsJob& job) : finish_(job.divisor, job.rules) {}

  template <class D>
  HWY_INLINE void Prepare(D) {}
  template <class D, class V>
  HWY_INLINE void Begin(D, int64_t, V&, V&) {}
  template <class D, class V, class S>
  HWY_INLINE V Apply(D, V v, V, V, size_t, S& state) const {
    return finish_.Apply(v, state);
  }

 private:
  const Finish finish_;
};

// Lanes of PlanesJob: Begin for each vector of lanes, Row at each row, which sets a and b for
// Apply.
template <class Finish>
class AlikePlanes {
 public:
  explicit AlikePlanes(const PlanesJob& job) : finish_(job.divisor, job.rules) {}

  template <class D, class V>
  HWY_INLINE void Begin(D, int64_t, V&) {}
  HWY_INLINE void BeginPlane() {}
  template <class D, class V>
  HWY_INLINE void Row(D, int64_t, V, V&, V&) {}
  template <class V, class S>
  HWY_INLINE V Apply(V v, V, V, V, S& state) const {
    return finish_.Apply(v, state);
  }

 private:
  const Finish finish_;
};

// Four vectors at once, or each by itself.
template <class Finish, class V, class S>
HWY_INLINE auto FinishFour(const Finish& finish, V& a, V& b, V& c, V& e, S& state, int)
    -> decltype(finish.Apply4(a, b, c, e, state)) {
  finish.Apply4(a, b, c, e, state);
}
template <class Finish, class V, class S>
HWY_INLINE void FinishFour(const Finish& finish, V& a, V& b, V& c, V& e, S& state, ...) {
  a = finish.Apply(a, state);
  b = finish.Apply(b, state);
  c = finish.Apply(c, state);
  e = finish.Apply(e, state);
}

// Averages, of Lane.
template <class Formula, class Lane = float>
class DivideBy {
 public:
  DivideBy(const Divisor& divisor, const ElementRules&)
      : divisor_(divisor), tiny_(!DividesTinySums(divisor.divisor)) {}

  bool tiny() const { return tiny_; }
  template <class V, class S>
  HWY_INLINE V Apply(V v, S& state) const {
    const hn::DFromV<V> d;
    return Formula::Apply(v, hn::Set(d, Lane{divisor_.divisor}),
                          hn::Set(d, Lane{divisor_.reciprocal}), tiny_, state);
  }

  // Four vectors, where the formula has a way for them. kLarge: of a divisor that is not tiny().
  template <bool kLarge = false, class V, class S, class F = Formula,
            class = decltype(&F::template Apply4<V, S>)>
  HWY_INLINE void Apply4(V& a, V& b, V& c, V& e, S& state) const {
    const hn::DFromV<V> d;
    Formula::Apply4(a, b, c, e, hn::Set(d, divisor_.divisor), hn::Set(d, divisor_.reciprocal),
                    !kLarge && tiny_, state);
  }

  // Divisors of the lanes are prepared once for the rows of a job.
  class Rows {
   public:
    static constexpr bool kBlocks = false;

    explicit Rows(const SlideRowsJob& job) : job_(job) {}

    template <class D>
    HWY_INLINE void Prepare(D d) {
      const int64_t n = static_cast<int64_t>(hn::Lanes(d));
      const auto other = hn::Set(d, Lane{job_.other_count});
      for (int64_t i = 0; i < job_.lanes; i += n) {
        auto divisor = hn::Set(d, Lane{job_.divisor.divisor});
        auto reciprocal = hn::Set(d, Lane{job_.divisor.reciprocal});
        const int64_t end = HWY_MIN(i + n, job_.lanes);
        if (i < job_.uniform_begin || end > job_.uniform_end) {
          divisor = hn::Mul(LoadCounts(d, job_.counts + i), other);
          reciprocal = hn::Div(hn::Set(d, Lane{1}), divisor);
        }
        hn::StoreU(divisor, d, divisors_ + i);
        hn::StoreU(reciprocal, d, reciprocals_ + i);
      }
    }
    template <class D, class V>
    HWY_INLINE void Begin(D d, int64_t i, V& a, V& b) {
      a = hn::LoadU(d, divisors_ + i);
      b = hn::LoadU(d, reciprocals_ + i);
    }
    // Lanes that do not count must not give the job up.
    template <class D, class V, class S>
    HWY_INLINE V Apply(D d, V v, V a, V b, size_t count, S& state) const {
      if (count == hn::Lanes(d)) return Formula::Apply(v, a, b, true, state);
      const auto valid = hn::FirstN(d, count);
      const V one = hn::Set(d, Lane{1});
      return Formula::Apply(hn::IfThenElseZero(valid, v), hn::IfThenElse(valid, a, one),
                            hn::IfThenElse(valid, b, one), true, state);
    }

   private:
    const SlideRowsJob& job_;
    // The last vector may lie anywhere.
    Lane divisors_[kTileLanes + HWY_MAX_LANES_D(hn::ScalableTag<Lane>)];
    Lane reciprocals_[kTileLanes + HWY_MAX_LANES_D(hn::ScalableTag<Lane>)];
  };

  // Rows with another extent along H need other divisors.
  class Planes {
   public:
    explicit Planes(const PlanesJob& job) : job_(job) {}

    template <class D, class V>
    HWY_INLINE void Begin(D d, int64_t lane, V& counts) {
      counts = LoadCounts(d, job_.w_counts + lane);
    }
    HWY_INLINE void BeginPlane() { h_count_ = 0; }
    template <class D, class V>
    HWY_INLINE void Row(D d, int64_t row, V counts, V& a, V& b) {
      if (job_.h_counts[row] == h_count_) return;
      h_count_ = job_.h_counts[row];
      a = hn::Mul(counts, hn::Set(d, Lane{h_count_}));
      b = hn::Div(hn::Set(d, Lane{1}), a);
    }
    template <class V, class S>
    HWY_INLINE V Apply(V v, V, V a, V b, S& state) const {
      return Formula::Apply(v, a, b, true, state);
    }

   private:
    const PlanesJob& job_;
    float h_count_ = 0;
  };

 private:
  const Divisor divisor_;
  const bool tiny_;  // whether tiny sums are rare values
};

// Whether a finisher has to look for tiny sums.
template <class Finish>
HWY_INLINE bool WatchesTiny(const Finish&) {
  return false;
}
HWY_INLINE bool WatchesTiny(const DivideBy<DivideByRemainder>& finish) { return finish.tiny(); }

// A maximum that met no NaN. Adding +0 turns -0 into +0 and changes nothing else.
struct PlainZero {
  using Rows = AlikeRows<PlainZero>;
  using Planes = AlikePlanes<PlainZero>;

  PlainZero(const Divisor&, const ElementRules&) {}
  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    return hn::Add(v, hn::Zero(hn::DFromV<V>()));
  }
};

// No result yet: accumulators on their way to scratch or to a stage.
struct Unfinished {
  using Rows = AlikeRows<Unfinished>;
  using Planes = AlikePlanes<Unfinished>;

  Unfinished(const Divisor&, const ElementRules&) {}
  template <class V, class S>
  HWY_INLINE V Apply(V v, S&) const {
    return v;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
