// Small windows along rows whose columns are moved to the outputs that they are taps of. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_MOVED_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_MOVED_COLUMNS_INL_H_
#undef LANEPOOL_SRC_KERNELS_MOVED_COLUMNS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_MOVED_COLUMNS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "kernels/reduce-inl.h"

// Whether any lanes of a vector, or of two, are found by one instruction.
#undef LANEPOOL_MOVES_LANES
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define LANEPOOL_MOVES_LANES 1
#else
#define LANEPOOL_MOVES_LANES 0
#endif

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns that outputs have a tap at, from one vector or two.
template <int kVectors, class D, class V, class VI>
HWY_INLINE V MovedLanes(D d, V lower, V upper, VI from) {
  const auto lanes = hn::IndicesFromVec(d, from);
  if constexpr (kVectors > 1) return hn::TwoTablesLookupLanes(d, lower, upper, lanes);
  (void)upper;
  return hn::TableLookupLanes(lower, lanes);
}

#if LANEPOOL_MOVES_LANES
// Folds `taps` of them along W.
template <class Reduce, int kVectors, class D, class TI, class V>
HWY_INLINE V MoveOne(D d, const TI (*from_tap)[HWY_MAX_LANES_D(D)], int64_t taps, V lower,
                     V upper) {
  const hn::RebindToSigned<D> di;
  V fold = MovedLanes<kVectors>(d, lower, upper, hn::Load(di, from_tap[0]));
  for (int64_t tap = 1; tap < taps; ++tap) {
    const auto from = hn::Load(di, from_tap[tap]);
    fold = Reduce::Combine(fold, MovedLanes<kVectors>(d, lower, upper, from));
  }
  return fold;
}

// The same of four vectors of outputs: they share the loads of indices.
template <class Reduce, int kVectors, class D, class TI, class V>
HWY_INLINE void MoveFour(D d, const TI (*from_tap)[HWY_MAX_LANES_D(D)], int64_t taps, V& a, V a2,
                         V& b, V b2, V& c, V c2, V& e, V e2) {
  const hn::RebindToSigned<D> di;
  const V a1 = a, b1 = b, c1 = c, e1 = e;
  const auto first = hn::Load(di, from_tap[0]);
  a = MovedLanes<kVectors>(d, a1, a2, first);
  b = MovedLanes<kVectors>(d, b1, b2, first);
  c = MovedLanes<kVectors>(d, c1, c2, first);
  e = MovedLanes<kVectors>(d, e1, e2, first);
  for (int64_t tap = 1; tap < taps; ++tap) {
    const auto from = hn::Load(di, from_tap[tap]);
    a = Reduce::Combine(a, MovedLanes<kVectors>(d, a1, a2, from));
    b = Reduce::Combine(b, MovedLanes<kVectors>(d, b1, b2, from));
    c = Reduce::Combine(c, MovedLanes<kVectors>(d, c1, c2, from));
    e = Reduce::Combine(e, MovedLanes<kVectors>(d, e1, e2, from));
  }
}

// PlanesJob of one tap along D and lanes that are not grouped. A row of x is folded along H where
// it lies, kVectors vectors of columns at a time. For each tap along W, one instruction moves what
// outputs have there from any of these: the step and the distance of taps cost nothing, nor do
// borders, where a tap that is not there is a column of zeros in a sum, and another tap of its
// window in a maximum.
template <class Op, int kVectors>
class MovedColumns {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using Lane = typename Elem::Lane;
  using D = hn::ScalableTag<Lane>;
  using DI = hn::RebindToSigned<D>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using VI = hn::VFromD<DI>;
  using S = typename Reduce::template State<D>;
  static constexpr bool kSums = std::is_base_of<SumExact, Reduce>::value;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);
  static constexpr int64_t kColumns = kVectors * kLanes - 1;  // and one of zeros
  static constexpr int64_t kAtOnce = 4;

 public:
  // How many outputs from o on are taken at a time, at most. Columns outside of the row need no
  // room.
  static int64_t Outputs(const PlanesJob& job, int64_t o) {
    const int64_t start = job.w_first + o * job.w_stride, from = HWY_MAX(start, 0);
    if (job.w_input - from <= kColumns) return kLanes;
    const int64_t window = (job.taps_w - 1) * job.w_tap + 1 - (from - start);
    return MovedOutputs(kVectors, kLanes, window, job.w_stride);
  }

  explicit MovedColumns(const PlanesJob& job)
      : job_(job), elem_(job.rules), out_(job.rules), finish_(job) {}

  bool All() {
    S state = Reduce::Start(D());
    const int64_t x_plane = job_.x_plane_step, y_plane = job_.y_plane_step;
    for (int64_t o = 0; o < job_.lanes;) {
      const int64_t n = HWY_MIN(Outputs(job_, o), job_.lanes - o);
      Begin(o, n);
      const T* x = static_cast<const T*>(job_.x) + from_;
      Y* y = static_cast<Y*>(job_.y) + o;
      const int64_t alike = Alike(o, n);
      if (alike > 1) {
        for (int64_t plane = 0; plane < job_.planes; ++plane, x += x_plane, y += y_plane) {
          Rows(x, y, alike, n * job_.w_stride, n, state);
        }
      } else {
        Rows(x, y, job_.planes, x_plane, y_plane, state);
      }
      o += alike * n;
    }
    return Reduce::Clean(D(), state, job_.divisor);
  }

 private:
  // How many times n outputs from o on are taken as if they were those of so many planes: they
  // lack no column, and are more than there are planes, of one row each.
  int64_t Alike(int64_t o, int64_t n) const {
    if (job_.rows > 1) return 1;
    const int64_t start = job_.w_first + o * job_.w_stride;
    const int64_t more = job_.w_input - 1 - (job_.taps_w - 1) * job_.w_tap - start;
    if (start < 0 || more < 0) return 1;
    const int64_t whole = HWY_MIN(more / job_.w_stride + 1, job_.lanes - o);
    return whole / n < job_.planes ? 1 : whole / n;
  }

  // Of outputs [o, o + n).
  void Begin(int64_t o, int64_t n) {
    const int64_t start = job_.w_first + o * job_.w_stride;
    const int64_t end = start + (n - 1) * job_.w_stride + (job_.taps_w - 1) * job_.w_tap + 1;
    from_ = HWY_MAX(start, 0);
    const int64_t columns = HWY_MIN(end, job_.w_input) - from_;
    first_ = o;
    outputs_ = static_cast<size_t>(n);
    const D d;
    lower_ = hn::FirstN(d, static_cast<size_t>(columns));
    upper_ = hn::FirstN(d, static_cast<size_t>(HWY_MAX(columns - kLanes, 0)));
    // Where no column is lacking they lie as they did, for as many outputs or fewer.
    const bool whole = start >= 0 && end <= job_.w_input;
    if (!whole || !whole_) Point(start - from_, columns);
    whole_ = whole;
  }

  // Columns of the taps of outputs, the first of which has its first tap at `start`. Lanes behind
  // the outputs have any.
  void Point(int64_t start, int64_t columns) {
    const DI d;
    const auto set = [&](int64_t i) HWY_ATTR { return hn::Set(d, static_cast<hn::TFromD<DI>>(i)); };
    VI at = set(start);
    for (int64_t i = 0; i < job_.w_stride; ++i) at = hn::Add(at, hn::Iota(d, 0));
    const VI tap = set(job_.w_tap), zero = hn::Zero(d), none = set(kColumns), end = set(columns);
    const VI low = set(kVectors * kLanes - 1);
    VI taps[kMovedTaps];
    const int64_t n = job_.taps_w;
    for (int64_t i = 0; i < n; ++i, at = hn::Add(at, tap)) taps[i] = at;
    for (int64_t i = n - 1; i >= 0; --i) {
      const VI other = kSums || i == n - 1 ? none : taps[i + 1];
      taps[i] = hn::IfThenElse(hn::Lt(taps[i], zero), other, taps[i]);
    }
    for (int64_t i = 0; i < n; ++i) {
      const VI other = kSums || i == 0 ? none : taps[i - 1];
      taps[i] = hn::And(hn::IfThenElse(hn::Ge(taps[i], end), other, taps[i]), low);
      hn::Store(taps[i], d, from_tap_[i]);
    }
  }

  // kAtOnce rows at a time, those of a plane after the other; where there are fewer, the last one
  // again. x and y: the first column and output of the first plane.
  void Rows(const T* x, Y* y, int64_t planes, int64_t x_plane_step, int64_t y_plane, S& all) {
    const D d;
    // Local, out of reach of stores.
    const int64_t rows = job_.rows, y_row_step = job_.y_row_step, h_stride = job_.h_stride;
    const int64_t x_row_step = job_.x_row_step, h_tap = job_.h_tap, taps_h = job_.taps_h;
    const int64_t h_first = job_.h_first, h_last = job_.h_input - (taps_h - 1) * h_tap;
    const int64_t y_plane_step = y_plane - rows * y_row_step;
    const int64_t taps_w = job_.taps_w, step = h_tap * x_row_step;
    const size_t outputs = outputs_;
    const Out out = out_;
    typename Op::Finish::Planes finish = finish_;
    S state = all;
    V lanes = hn::Zero(d);
    finish.Begin(d, first_, lanes);
    V finish_a = lanes, finish_b = lanes;
    int64_t h = h_first, row = 0, left = planes * rows;
    const auto fold = [&](V& a, V& b, Y*& to, int64_t& of) HWY_ATTR __attribute__((always_inline)) {
      int64_t first = h, taps = taps_h;
      if (HWY_UNLIKELY(h < 0 || h >= h_last)) {
        for (; first < 0; first += h_tap) --taps;
        while (first + (taps - 1) * h_tap >= job_.h_input) --taps;
      }
      const T* p = x + first * x_row_step;
      Load(p, a, b, state);
      for (; taps > 1; --taps) {
        V v, w;
        p += step;
        Load(p, v, w, state);
        a = Reduce::Combine(a, v);
        if (kVectors > 1) b = Reduce::Combine(b, w);
      }
      to = y;
      of = row;
      if (--left <= 0) return;
      y += y_row_step;
      h += h_stride;
      if (++row < rows) return;
      row = 0;
      h = h_first;
      x += x_plane_step;
      y += y_plane_step;
    };
    const auto put = [&](V v, Y* to, int64_t of) HWY_ATTR __attribute__((always_inline)) {
      if (of == 0) finish.BeginPlane();
      finish.Row(d, of, lanes, finish_a, finish_b);
      out.StoreN(d, finish.Apply(v, lanes, finish_a, finish_b, state), to, outputs);
    };
    const bool lone = rows == 1;
    const int64_t x_next = lone ? x_plane_step : h_stride * x_row_step;
    const int64_t y_next = lone ? y_plane : y_row_step;
    const auto step_four = [&]() HWY_ATTR __attribute__((always_inline)) {
      left -= kAtOnce;
      y += kAtOnce * y_next;
      if (lone) {
        x += kAtOnce * x_next;
        return;
      }
      h += kAtOnce * h_stride;
      row += kAtOnce;
      if (row < rows) return;
      row = 0;
      h = h_first;
      x += x_plane_step;
      y += y_plane_step;
    };
    while (left > 0) {
      V a, b, c, e, a2, b2, c2, e2;
      Y *to_a, *to_b, *to_c, *to_e;
      int64_t of_a, of_b, of_c, of_e;
      const bool four = left >= kAtOnce && (lone || row + kAtOnce <= rows);
      if (four && h >= 0 && h + (lone ? 0 : (kAtOnce - 1) * h_stride) < h_last) {
        const T* p = x + h * x_row_step;
        LoadFour(p, x_next, a, a2, b, b2, c, c2, e, e2, state);
        for (int64_t tap = 1; tap < taps_h; ++tap) {
          V a3, b3, c3, e3, a4, b4, c4, e4;
          p += step;
          LoadFour(p, x_next, a3, a4, b3, b4, c3, c4, e3, e4, state);
          a = Reduce::Combine(a, a3);
          b = Reduce::Combine(b, b3);
          c = Reduce::Combine(c, c3);
          e = Reduce::Combine(e, e3);
          if (kVectors > 1) {
            a2 = Reduce::Combine(a2, a4);
            b2 = Reduce::Combine(b2, b4);
            c2 = Reduce::Combine(c2, c4);
            e2 = Reduce::Combine(e2, e4);
          }
        }
        const int64_t next = lone ? 0 : 1;
        to_a = y, to_b = y + y_next, to_c = y + 2 * y_next, to_e = y + 3 * y_next;
        of_a = row, of_b = row + next, of_c = row + 2 * next, of_e = row + 3 * next;
        step_four();
      } else {
        fold(a, a2, to_a, of_a);
        fold(b, b2, to_b, of_b);
        fold(c, c2, to_c, of_c);
        fold(e, e2, to_e, of_e);
      }
      MoveFour<Reduce, kVectors>(d, from_tap_, taps_w, a, a2, b, b2, c, c2, e, e2);
      put(a, to_a, of_a);
      put(b, to_b, of_b);
      put(c, to_c, of_c);
      put(e, to_e, of_e);
    }
    all = state;
  }

  HWY_INLINE void LoadFour(const T* x, int64_t next, V& a, V& a2, V& b, V& b2, V& c, V& c2, V& e,
                           V& e2, S& state) const {
    Load(x, a, a2, state);
    Load(x + next, b, b2, state);
    Load(x + 2 * next, c, c2, state);
    Load(x + 3 * next, e, e2, state);
  }
  HWY_INLINE void Load(const T* x, V& a, V& b, S& state) const {
    const D d;
    a = b = elem_.LoadMasked(d, x, lower_, hn::Zero(d));
    if constexpr (kVectors > 1) {
      b = elem_.LoadMasked(d, x + kLanes, upper_, hn::Zero(d));
      state = Reduce::Watch(state, a, b);
    } else {
      state = Reduce::Watch(state, a);
    }
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  typename Op::Finish::Planes finish_;
  int64_t from_ = 0;   // column of x
  int64_t first_ = 0;  // output
  size_t outputs_ = 0;
  bool whole_ = false;  // from_tap_ is of outputs that lack no column
  M lower_, upper_;     // columns that are read
  HWY_ALIGN hn::TFromD<DI> from_tap_[kMovedTaps][kLanes];
};

// Two vectors of columns where one does not have those of all outputs.
template <class Op>
HWY_NOINLINE bool MoveColumns(const PlanesJob& job) {
  if (MovedColumns<Op, 1>::Outputs(job, 0) >= job.lanes) return MovedColumns<Op, 1>(job).All();
  return MovedColumns<Op, 2>(job).All();
}
#endif

// Kernels::moved of Op, or of Plain where that Fits.
template <class Op, class Plain = Op>
constexpr auto MovedOf() -> bool (*)(const PlanesJob&) {
#if LANEPOOL_MOVES_LANES
  if constexpr (std::is_same<Op, Plain>::value && !kCompact) {
    return &MoveColumns<Op>;
  } else if constexpr (!kCompact) {
    return [](const PlanesJob& job) {
      return Plain::Fits(job.rules) ? MoveColumns<Plain>(job) : MoveColumns<Op>(job);
    };
  }
#endif
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
