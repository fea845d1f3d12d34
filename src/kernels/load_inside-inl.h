// Vectors of a row that may hang over its ends, and rows that are shorter than one. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_
#undef LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_LOAD_INSIDE_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"

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

// What may be read of a job's input: whatever lies between its first and its last element.
template <class T>
struct Readable {
  const T* begin;
  int64_t count;
};

template <class T>
HWY_INLINE Readable<T> ReadableOf(const PlanesJob& job) {
  if (kCompact) return {};
  return {static_cast<const T*>(job.x), (job.planes - 1) * job.x_plane_step +
                                            (job.taps_d - 1) * job.x_tap_d +
                                            (job.h_input - 1) * job.x_row_step + job.w_input};
}

// Whether `count` positions of the row from `at` on may be read, inside of it or not.
template <class T>
HWY_INLINE bool IsReadable(const Readable<T>& input, const T* row, int64_t at, int64_t count) {
  if (kCompact) return false;
  const int64_t from = row - input.begin + at;
  return from >= 0 && from + count <= input.count;
}

// Of vectors that may be read whole: where they cannot be loaded in part.
template <class Elem, class D, class T = typename Elem::Memory>
HWY_INLINE hn::VFromD<D> LoadBeside(const Elem& elem, D d, const T* p, hn::MFromD<D> inside,
                                    hn::VFromD<D> other) {
#if HWY_MEM_OPS_MIGHT_FAULT
  return hn::IfThenElse(inside, elem.Load(d, p), other);
#else
  return elem.LoadMasked(d, p, inside, other);
#endif
}

// Positions [at, at + Lanes(d)) of a row of `size` positions, `other` outside of it. `inside` is
// LanesInside(d, at, size). Nothing is read outside of `input`; where vectors cannot be loaded in
// part, what is beside the row may be.
template <class Elem, class D, class T = typename Elem::Memory>
HWY_INLINE hn::VFromD<D> LoadInside(const Elem& elem, D d, const Readable<T>& input, const T* row,
                                    int64_t at, int64_t size, hn::MFromD<D> inside,
                                    hn::VFromD<D> other) {
#if !HWY_MEM_OPS_MIGHT_FAULT
  (void)input;
  (void)size;
  return elem.LoadMasked(d, row + at, inside, other);
#else
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  if (at >= 0 && at + n <= size) return elem.Load(d, row + at);
  if (IsReadable(input, row, at, n)) return LoadBeside(elem, d, row + at, inside, other);
  return LoadPartlyInside(elem, d, row, at, size, other);
#endif
}

// Where the last row of y ends, if rows follow each other without gaps; else where y begins.
template <class Y>
HWY_INLINE const Y* RowsEnd(const PlanesJob& job) {
  const int64_t plane = job.rows * job.lanes;
  const bool dense = !kCompact && (job.rows == 1 || job.y_row_step == job.lanes) &&
                     (job.planes == 1 || job.y_plane_step == plane);
  return static_cast<const Y*>(job.y) + (dense ? job.planes * plane : 0);
}

// A row of `count` lanes, less than a vector. Where vectors cannot be stored in part, it is stored
// with what is behind it before `end`: the next rows are stored later, and overwrite that.
template <class Out, class D, class Y = typename Out::Memory>
HWY_INLINE void StoreRow(const Out& out, D d, hn::VFromD<D> v, Y* y, size_t count, const Y* end) {
  if (HWY_MEM_OPS_MIGHT_FAULT && !kCompact && end - y >= static_cast<int64_t>(hn::Lanes(d))) {
    out.Store(d, v, y);
  } else {
    out.StoreN(d, v, y, count);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
