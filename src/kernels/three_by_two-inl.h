// Whole planes with lanes along W, windows of 3 x 3 taps that step by 2 and lack at most one row at
// either end: each row is read once, and no row asks for anything. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_THREE_BY_TWO_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_THREE_BY_TWO_INL_H_
#undef LANEPOOL_SRC_KERNELS_THREE_BY_TWO_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_THREE_BY_TWO_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/edge_rows-inl.h"
#include "kernels/load_inside-inl.h"
#include "kernels/neighbours-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// See kLacks.
constexpr int kPart = 3;

// The outputs of one vector of lanes in all rows of all planes. Two vectors of columns, a and b,
// begin at the first column of the windows or the second one: of each window two taps are in them,
// the third is a neighbour's, and that is c for the window at one end. kSecond: the third is the
// first tap; else it is the last one. kLacks: how many columns are outside of the row: c, and with
// kSecond the last one of b. kPart: the vector is longer than the row, and what is outside of the
// row is asked for.
template <class Op, class D, bool kSecond, int kLacks>
class ThreeByTwoStrip {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using Finish = typename Op::Finish::Planes;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  ThreeByTwoStrip(const PlanesJob& job, int64_t lane)
      : job_(job),
        elem_(job.rules),
        out_(job.rules),
        depths_(job.taps_d),
        lane_(lane),
        x_step_(job.h_tap * job.x_row_step),
        y_step_(job.y_row_step),
        watches_c_(kSecond ? lane == 0 : lane + static_cast<int64_t>(hn::Lanes(D())) == job.lanes),
        part_(job) {}

  HWY_INLINE bool Run(const EdgeRows& edges) const {
    const int64_t rows = job_.rows - edges.first - edges.last, from = From(edges);
    const bool fetches = job_.far && lane_ == 0;
    const D d;
    S state = Reduce::Start(d);
    V finish_a = hn::Zero(d), finish_b = finish_a;
    const FinishOfRows<Finish, D> finish(job_, edges, lane_, finish_a, finish_b);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = X(plane, from);
      Y* y = OfPlane(plane);
      V a, b, c;  // the first row of a window
      First(edges, finish, x, y, a, b, c, state);
      for (int64_t row = 0; row < rows; ++row) {
        if (fetches) FetchRows(job_, x, 2);
        Inner(finish, finish_a, finish_b, x, y, a, b, c, state);
      }
      Last(edges, finish, x, y, a, b, c, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }
  // This strip and the next one, row by row, see PlanesJob::by_lines.
  template <class Next>
  HWY_INLINE bool RunWith(const Next& next, const EdgeRows& edges) const {
    const int64_t rows = job_.rows - edges.first - edges.last;
    const int64_t from = From(edges), from_next = next.From(edges);
    const bool fetches = job_.far && lane_ == 0;
    const D d;
    S state = Reduce::Start(d);
    V finish_a = hn::Zero(d), finish_b = finish_a, next_a = finish_a, next_b = finish_a;
    const FinishOfRows<Finish, D> finish(job_, edges, lane_, finish_a, finish_b);
    const FinishOfRows<Finish, D> finish_next(job_, edges, next.lane_, next_a, next_b);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T *x = X(plane, from), *x2 = X(plane, from_next);
      Y *y = OfPlane(plane), *y2 = next.OfPlane(plane);
      V a, b, c, e, f, g;
      First(edges, finish, x, y, a, b, c, state);
      next.First(edges, finish_next, x2, y2, e, f, g, state);
      for (int64_t row = 0; row < rows; ++row) {
        if (fetches) FetchRows(job_, x, 2);
        Inner(finish, finish_a, finish_b, x, y, a, b, c, state);
        next.Inner(finish_next, next_a, next_b, x2, y2, e, f, g, state);
      }
      Last(edges, finish, x, y, a, b, c, state);
      next.Last(edges, finish_next, x2, y2, e, f, g, state);
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

 private:
  template <class, class, bool, int>
  friend class ThreeByTwoStrip;

  HWY_INLINE int64_t From(const EdgeRows& edges) const {
    return job_.w_first + 2 * lane_ + (job_.h_first + edges.first * job_.h_tap) * job_.x_row_step;
  }
  HWY_INLINE const T* X(int64_t plane, int64_t from) const {
    return static_cast<const T*>(job_.x) + plane * job_.x_plane_step + from;
  }
  HWY_INLINE Y* OfPlane(int64_t plane) const {
    return static_cast<Y*>(job_.y) + plane * job_.y_plane_step + lane_;
  }
  // The first row of the first window is at x; then that of the next, which a, b and c hold.
  HWY_INLINE void First(const EdgeRows& edges, const FinishOfRows<Finish, D>& finish, const T*& x,
                        Y*& y, V& a, V& b, V& c, S& state) const {
    Row(x, a, b, c, state);
    if (edges.first == 0) return;
    x += x_step_;
    Put(finish.First(NextTwo(x, a, b, c, state), state), y);
    y += y_step_;
  }
  HWY_INLINE void Inner(const FinishOfRows<Finish, D>& finish, V finish_a, V finish_b, const T*& x,
                        Y*& y, V& a, V& b, V& c, S& state) const {
    V e, f, g;
    Row(x + x_step_, e, f, g, state);
    Add(e, f, g, a, b, c);
    x += 2 * x_step_;
    Put(finish.Inner(NextTwo(x, a, b, c, state), finish_a, finish_b, state), y);
    y += y_step_;
  }
  HWY_INLINE void Last(const EdgeRows& edges, const FinishOfRows<Finish, D>& finish, const T* x,
                       Y* y, V& a, V& b, V& c, S& state) const {
    if (edges.last == 0) return;
    Put(finish.Last(NextTwo(x + x_step_, a, b, c, state), state), y);
  }

  // Of kPart: where rows of y end, the lanes of b that are inside, and whether c is.
  struct Part {
    explicit Part(const PlanesJob& job) : rows_end(RowsEnd<Y>(job)) {
      const int64_t n = static_cast<int64_t>(hn::Lanes(D())),
                    b = job.w_first + (kSecond ? 1 : 0) + n;
      b_inside = static_cast<size_t>(HWY_MIN(HWY_MAX(job.w_input - b, 0), n));
      has_c = kSecond && job.w_first >= 0;
    }
    const Y* rows_end;
    size_t b_inside;
    bool has_c;
  };
  struct Whole {
    explicit Whole(const PlanesJob&) {}
  };

  HWY_INLINE void Put(V v, Y* y) const {
    const D d;
    if constexpr (kLacks == kPart) {
      StoreRow(out_, d, v, y, static_cast<size_t>(job_.lanes), part_.rows_end);
    } else {
      out_.Store(d, v, y);
    }
  }
  // The windows whose last row is at x; that is then the first one of the next.
  HWY_INLINE V NextTwo(const T* x, V& a, V& b, V& c, S& state) const {
    V e, f, g;
    Row(x, e, f, g, state);
    Add(e, f, g, a, b, c);
    const V fold = AlongW(a, b, c);
    a = e;
    b = f;
    c = g;
    return fold;
  }
  // The folds along D of the row whose first tap of the first window is at x. All lanes of c are
  // alike.
  HWY_INLINE void Row(const T* x, V& a, V& b, V& c, S& state) const {
    Columns(x, a, b, c, state);
    for (int64_t depth = 1; depth < depths_; ++depth) {
      V e, f, g;
      x += job_.x_tap_d;
      Columns(x, e, f, g, state);
      Add(e, f, g, a, b, c);
    }
  }
  HWY_INLINE void Columns(const T* x, V& a, V& b, V& c, S& state) const {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d)), at = kSecond ? 1 : 0;
    a = elem_.Load(d, x + at);
    if constexpr (kLacks == kPart) {
      const auto inside = hn::FirstN(d, part_.b_inside);
      b = LoadBeside(elem_, d, x + at + n, inside, Reduce::Identity(d));
      state = Reduce::Watch(state, a, hn::IfThenElse(inside, b, a));
      c = Reduce::Identity(d);
      if (part_.has_c) {
        c = elem_.LoadToAll(d, x);
        state = Reduce::Watch(state, c);
      }
      return;
    }
    if constexpr (kLacks == 2) {
      b = LaneBehind(d, elem_.Load(d, x + n), Reduce::Identity(d));
    } else {
      b = elem_.Load(d, x + at + n);
    }
    state = WatchLoaded<Reduce>(state, a, b);
    if constexpr (kLacks != 0) {
      c = Reduce::Identity(d);
    } else {
      c = elem_.LoadToAll(d, x + (kSecond ? 0 : 2 * n));
      // Otherwise another strip has it in a or b.
      if (watches_c_) state = Reduce::Watch(state, c);
    }
  }
  static HWY_INLINE void Add(V e, V f, V g, V& a, V& b, V& c) {
    a = Reduce::Combine(a, e);
    b = Reduce::Combine(b, f);
    if (kLacks == 0 || kLacks == kPart) c = Reduce::Combine(c, g);
  }
  static HWY_INLINE V AlongW(V a, V b, V c) {
    const D d;
    const V even = hn::ConcatEven(d, b, a), odd = hn::ConcatOdd(d, b, a);
    if (kSecond) return Reduce::Combine(Reduce::Combine(LaneBefore(d, c, odd), even), odd);
    return Reduce::Combine(Reduce::Combine(even, odd), LaneBehind(d, even, c));
  }

  const PlanesJob& job_;
  const Elem elem_;
  const Out out_;
  const int64_t depths_, lane_, x_step_, y_step_;
  const bool watches_c_;
  const std::conditional_t<kLacks == kPart, Part, Whole> part_;
};

// Out of line: what is hot keeps its registers.
template <class Op, bool kSecond, int kLacks, class D>
HWY_NOINLINE bool RunThreeByTwo(D, const PlanesJob& job, const EdgeRows& edges, int64_t lane) {
  return ThreeByTwoStrip<Op, D, kSecond, kLacks>(job, lane).Run(edges);
}

// The windows of a vector of lanes from `lane` on.
template <class Op, class D>
HWY_INLINE bool RunThreeByTwo(D d, const PlanesJob& job, const EdgeRows& edges, int64_t lane) {
  const int64_t first = job.w_first + 2 * lane;
  const bool has_next = first + 2 * static_cast<int64_t>(hn::Lanes(d)) < job.w_input;
  if (first < 0) {
    if (has_next || kCompact) return RunThreeByTwo<Op, true, 1>(d, job, edges, lane);
    return RunThreeByTwo<Op, true, 2>(d, job, edges, lane);
  }
  if (!has_next) return RunThreeByTwo<Op, false, 1>(d, job, edges, lane);
  return first % 2 != 0 ? RunThreeByTwo<Op, true, 0>(d, job, edges, lane)
                        : RunThreeByTwo<Op, false, 0>(d, job, edges, lane);
}
// Where there are registers for the strips of two vectors at once: of f32.
template <class Op, class D>
constexpr bool MayPair() {
  return HWY_ARCH_X86 && kManyRegisters && !kCompact && !Op::Reduce::kRare &&
         std::is_same<typename Op::Elem::Memory, float>::value && MayHalve<D>();
}
template <class Op, bool kSecond, int kLacks, class D>
HWY_NOINLINE bool RunTwoStrips(D d, const PlanesJob& job, const EdgeRows& edges, int64_t lane) {
  const ThreeByTwoStrip<Op, D, kSecond, 0> next(job, lane + static_cast<int64_t>(hn::Lanes(d)));
  return ThreeByTwoStrip<Op, D, kSecond, kLacks>(job, lane).RunWith(next, edges);
}
// The windows of two vectors of lanes. False: the second one's are not all inside of the row.
template <class Op, class D>
HWY_INLINE bool TwoStripsOf(D d, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                            bool* clean) {
  const int64_t first = job.w_first + 2 * lane;
  if (first + 4 * static_cast<int64_t>(hn::Lanes(d)) >= job.w_input) return false;
  *clean = first < 0        ? RunTwoStrips<Op, true, 1>(d, job, edges, lane)
           : first % 2 != 0 ? RunTwoStrips<Op, true, 0>(d, job, edges, lane)
                            : RunTwoStrips<Op, false, 0>(d, job, edges, lane);
  return true;
}
// Outputs [lane, end); the last vector overlaps the one before.
template <class Op, class D>
HWY_NOINLINE bool AllThreeByTwo(D d, const PlanesJob& job, const EdgeRows& edges, int64_t lane,
                                int64_t end) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (MayPair<Op, D>()) {
    while (job.by_lines && lane + 2 * n <= end) {
      bool clean = true;
      if (!TwoStripsOf<Op>(d, job, edges, lane, &clean)) break;
      if (!clean) return false;
      lane += 2 * n;
    }
  }
  for (; lane < end; lane += n) {
    lane = HWY_MIN(lane, job.lanes - n);
    if (!RunThreeByTwo<Op>(d, job, edges, lane)) return false;
  }
  return true;
}

// In vectors of D, or of less where a row has no more. False: no job for ThreeByTwoStrip.
template <class Op, class D>
HWY_INLINE bool TakeThreeByTwo(D d, const PlanesJob& job, const EdgeRows& edges, bool* clean) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), last = job.w_first + 2 * job.lanes;
  if (job.lanes < n) {
    if constexpr (MayShorten<Op, D>()) {
      return TakeThreeByTwo<Op>(hn::Half<D>(), job, edges, clean);
    }
    return false;
  }
  if (job.w_first < -1 || last > job.w_input) return false;
  if (kCompact && job.lanes == n && job.w_first < 0 && last == job.w_input) return false;
  int64_t whole = job.lanes;
  if constexpr (MayHalve<D>()) {
    whole = WholeVectors(d, job.lanes);
    *clean = AllThreeByTwo<Op>(hn::Half<D>(), job, edges, whole, job.lanes);
    if (!*clean) return true;
  }
  *clean = AllThreeByTwo<Op>(d, job, edges, 0, whole);
  return true;
}

// Where rows of more than half a vector are faster in one that is not full than in two of half the
// lanes, in so many planes.
constexpr bool kMasksAreFast = HWY_ARCH_X86 && kManyRegisters && !kCompact;
constexpr int64_t kLeastParts = 4;

// Rows shorter than a vector (the shortest one, unless kMasksAreFast), but of more than half of it;
// where vectors cannot be loaded in part, in all planes but the last few, behind whose last rows
// there is too little to load whole ones from. How many planes those are.
template <class Op, class D>
HWY_NOINLINE int64_t TakePartOfThreeByTwo(D d, const PlanesJob& job, const EdgeRows& edges,
                                          bool* clean) {
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), last = job.w_first + 2 * job.lanes;
  const bool fits = job.lanes < n && 2 * job.lanes > n;
  if constexpr (MayShorten<Op, D>()) {
    if (!kMasksAreFast || !fits) {
      return TakePartOfThreeByTwo<Op>(hn::Half<D>(), job, edges, clean);
    }
  }
  if constexpr (kMasksAreFast || !MayShorten<Op, D>()) {
    if (!fits || job.w_first < -1 || last > job.w_input) return 0;
    const bool second = job.w_first % 2 != 0;
    const int64_t least = MayShorten<Op, D>() ? kLeastParts : 1;
    const auto run =
        second ? &RunThreeByTwo<Op, true, kPart, D> : &RunThreeByTwo<Op, false, kPart, D>;
    if constexpr (!HWY_MEM_OPS_MIGHT_FAULT) {
      if (job.planes < least) return 0;
      *clean = run(d, job, edges, 0);
      return job.planes;
    }
    const int64_t beyond = job.w_first + (second ? 1 : 0) + 2 * n - job.w_input;
    PlanesJob some = job;
    while (some.planes > 0 && (job.planes - some.planes) * job.x_plane_step < beyond) --some.planes;
    if (some.planes < least) return 0;
    *clean = run(d, some, edges, 0);
    return some.planes;
  }
  return 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
