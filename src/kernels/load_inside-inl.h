// Vectors of a row that may hang over its ends. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_
#undef LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes i with 0 <= at + i < size.
template <class D>
HWY_INLINE hn::MFromD<D> LanesInside(D d, int64_t at, int64_t size) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const int64_t before = HWY_MIN(HWY_MAX(-at, 0), n);
  const int64_t end = HWY_MIN(HWY_MAX(size - at, 0), n);
  return hn::AndNot(hn::FirstN(d, static_cast<size_t>(before)),
                    hn::FirstN(d, static_cast<size_t>(end)));
}

#if HWY_MEM_OPS_MIGHT_FAULT
// Long code wherever it is inlined.
template <class Elem, class D>
HWY_NOINLINE hn::VFromD<D> LoadPartlyInside(const Elem& elem, D d, const typename Elem::Memory* row,
                                            int64_t at, int64_t size, hn::VFromD<D> other) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  const int64_t before = HWY_MIN(HWY_MAX(-at, 0), n);
  const int64_t end = HWY_MIN(HWY_MAX(size - at, 0), n);
  if (before == n || end == 0) return other;
  if (before == 0) return elem.LoadN(d, row + at, static_cast<size_t>(end), other);
  const hn::VFromD<D> v =
      size >= n ? elem.Load(d, row) : elem.LoadN(d, row, static_cast<size_t>(end - before), other);
  const hn::VFromD<D> moved = hn::SlideUpLanes(d, v, static_cast<size_t>(before));
  return hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(before)), other, moved);
}
#endif

// Positions [at, at + Lanes(d)) of a row of `size` positions, `other` outside of it, where nothing
// is read. `inside` is LanesInside(d, at, size).
template <class Elem, class D>
HWY_INLINE hn::VFromD<D> LoadInside(const Elem& elem, D d, const typename Elem::Memory* row,
                                    int64_t at, int64_t size, hn::MFromD<D> inside,
                                    hn::VFromD<D> other) {
#if !HWY_MEM_OPS_MIGHT_FAULT
  (void)size;
  return elem.LoadMasked(d, row + at, inside, other);
#else
  (void)inside;
  if (at >= 0 && at + static_cast<int64_t>(hn::Lanes(d)) <= size) return elem.Load(d, row + at);
  return LoadPartlyInside(elem, d, row, at, size, other);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
