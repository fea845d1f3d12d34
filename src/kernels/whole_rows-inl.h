// What loops over rows of whole windows share, none of whose vectors hangs over an end of a row.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_WHOLE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_WHOLE_ROWS_INL_H_
#undef LANEPOOL_SRC_KERNELS_WHOLE_ROWS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_WHOLE_ROWS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/fours-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of columns that follow each other, folded along D, then H where they lie: a and b, of
// three also c, of four also e.
template <class Op, class D, int kVectors>
class WholeColumns {
  using Elem = typename Op::Elem;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  explicit WholeColumns(const PlanesJob& job) : job_(job), elem_(job.rules) {}

  // From x on. kPair: two taps along H, one along D.
  template <bool kPair>
  HWY_INLINE void Fold(const T* x, V& a, V& b, V& c, V& e, S& state) const {
    const int64_t tap = job_.h_tap * job_.x_row_step, taps = kPair ? 2 : job_.taps_h;
    Depths<kPair>(x, a, b, c, e, state);
    for (int64_t i = 1; i < taps; ++i) {
      V v, w, u, z;
      Depths<kPair>(x + i * tap, v, w, u, z, state);
      CombineFour<Reduce, kVectors>(a, b, c, e, v, w, u, z);
    }
  }

 private:
  template <bool kPair>
  HWY_INLINE void Depths(const T* x, V& a, V& b, V& c, V& e, S& state) const {
    Load(x, a, b, c, e, state);
    for (int64_t i = 1; !kPair && i < job_.taps_d; ++i) {
      V v, w, u, z;
      Load(x + i * job_.x_tap_d, v, w, u, z, state);
      CombineFour<Reduce, kVectors>(a, b, c, e, v, w, u, z);
    }
  }
  HWY_INLINE void Load(const T* x, V& a, V& b, V& c, V& e, S& state) const {
    const D d;
    const size_t n = hn::Lanes(d);
    a = elem_.Load(d, x);
    b = elem_.Load(d, x + n);
    c = e = kVectors > 2 ? elem_.Load(d, x + 2 * n) : b;
    if (kVectors > 3) e = elem_.Load(d, x + 3 * n);
    state = WatchLoaded<Reduce>(state, a, b);
    if (kVectors > 2) state = WatchLoaded<Reduce>(state, c, e);
  }

  const PlanesJob& job_;
  const Elem elem_;
};

// Rows<Op, D>(job).All() in vectors of D, or of less if a row has no more lanes. It has as many as
// the shortest vector.
template <class Op, template <class, class> class Rows, class D>
HWY_NOINLINE bool RunWholeRows(D d, const PlanesJob& job) {
  if constexpr (!HWY_HAVE_SCALABLE && D().MaxBytes() > 16) {
    if (job.lanes < static_cast<int64_t>(hn::Lanes(d))) {
      return RunWholeRows<Op, Rows>(hn::Half<D>(), job);
    }
  }
  return Rows<Op, D>(job).All();
}
template <class Op, template <class, class> class Rows>
bool RunWholeRows(const PlanesJob& job) {
  using Lane = typename Op::Elem::Lane;
  constexpr size_t kShort = 16 / sizeof(Lane);
  using D =
      std::conditional_t<HWY_HAVE_SCALABLE, hn::CappedTag<Lane, kShort>, hn::ScalableTag<Lane>>;
  return RunWholeRows<Op, Rows>(D(), job);
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
