// How packs of short rows read columns, move them to outputs and store those: with masks and
// lookups of any lane where an instruction does that, and in halves of vectors elsewhere.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PACK_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PACK_LANES_INL_H_
#undef LANEPOOL_SRC_KERNELS_PACK_LANES_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PACK_LANES_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "hwy/highway.h"
#include "kernel_moves.h"
#include "kernel_table.h"
#include "kernels/moved_columns-inl.h"

// Whether there are packs.
#undef LANEPOOL_PACKS_ROWS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define LANEPOOL_PACKS_ROWS 1
#else
#define LANEPOOL_PACKS_ROWS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if LANEPOOL_PACKS_ROWS
// Of the outputs of a pack, those that are stored first and last: `piece` lanes each, which
// overlap. 0: as they lie.
struct PackOrder {
  int64_t outputs, piece;

  // The output of a lane. Lanes behind the outputs have the first one.
  int64_t Of(int64_t lane) const {
    if (piece == 0 || lane < piece) return lane < outputs ? lane : 0;
    return lane < 2 * piece ? outputs - 2 * piece + lane : 0;
  }
};
#endif

#if LANEPOOL_MOVES_LANES
// Vectors whose lanes are masked, and found by one instruction.
template <class Op, int64_t kTaps>
class PackLanes {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using DI = hn::RebindToSigned<D>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using VI = hn::VFromD<DI>;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D);

 public:
  using Whole = M;
  using Read = uint64_t;  // bits

  // Of a job and its packs; whether they can be read.
  bool Begin(const PlanesJob&, const Packs&, const int64_t*, int64_t outputs) {
    outputs_ = static_cast<size_t>(outputs);
    return true;
  }
  PackOrder Order() const { return {static_cast<int64_t>(outputs_), 0}; }

  // Of rows of two vectors: the first column of the second one, and as many as it reads.
  static int64_t OfSecond(int64_t) { return kLanes; }
  static int64_t OfWide(int64_t columns) { return columns; }
  static Whole WholeOf(int64_t columns) { return hn::FirstN(D(), static_cast<size_t>(columns)); }
  static Read Between(int64_t begin, int64_t end) {
    return begin < end ? BitsBelow(end) & ~BitsBelow(begin) : 0;
  }

  // Lanes that are not read are no taps of any output.
  HWY_INLINE V Load(const Elem& elem, const T* p, M lanes) const {
    return elem.LoadMasked(D(), p, lanes, hn::Zero(D()));
  }
  HWY_INLINE V LoadTap(const Elem& elem, const T* p, int64_t, const Read& read, V other,
                       M* lanes) const {
    *lanes = hn::LoadMaskBits(D(), reinterpret_cast<const uint8_t*>(&read));
    return elem.LoadMasked(D(), p, *lanes, other);
  }

  // The number of what is no column, in one vector or two.
  static int64_t None(bool two) { return (two ? 2 : 1) * kLanes - 1; }
  void SetTap(int64_t tap, VI columns) { hn::Store(columns, DI(), from_tap_[tap]); }

  template <class Reduce, int kVectors>
  HWY_INLINE V Move(int64_t taps, V lower, V upper) const {
    return MoveOne<Reduce, kVectors>(D(), from_tap_, taps, lower, upper);
  }
  template <class Reduce, int kVectors>
  HWY_INLINE void Move4(int64_t taps, V& a, V a2, V& b, V b2, V& c, V c2, V& e, V e2) const {
    MoveFour<Reduce, kVectors>(D(), from_tap_, taps, a, a2, b, b2, c, c2, e, e2);
  }

  HWY_INLINE void Store(const Out& out, V v, Y* y) const { out.StoreN(D(), v, y, outputs_); }

 private:
  static uint64_t BitsBelow(int64_t n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }

  size_t outputs_ = 0;
  HWY_ALIGN hn::TFromD<DI> from_tap_[kTaps][kLanes];
};
#elif LANEPOOL_PACKS_ROWS
// Vectors of which the lower half has the first columns that are read, or outputs that are stored,
// and the upper half the last ones: both may have the same, so that nothing else is touched. Lanes
// of few bytes are found by lookups in each block of 16.
template <class Op, int64_t kTaps>
class PackLanes {
  using Elem = typename Op::Elem;
  using Out = typename Op::Out;
  using T = typename Elem::Memory;
  using Y = typename Out::Memory;
  using D = hn::ScalableTag<typename Elem::Lane>;
  using DI = hn::RebindToSigned<D>;
  using D8 = hn::Repartition<uint8_t, D>;
  using DH = hn::Half<D>;
  using DQ = hn::Half<DH>;
  using TI = hn::TFromD<DI>;
  using V = hn::VFromD<D>;
  using M = hn::MFromD<D>;
  using VI = hn::VFromD<DI>;
  using V8 = hn::VFromD<D8>;
  static constexpr int64_t kLanes = HWY_MAX_LANES_D(D), kHalf = kLanes / 2;
  static constexpr bool kLooksUpBytes = sizeof(TI) < 4;
  static constexpr int64_t kBlock = 16, kBytes = kLanes * sizeof(TI);
  static constexpr int64_t kBlocks = 2 * kBytes / kBlock;

 public:
  using Whole = int64_t;  // columns
  struct Read {
    TI begin, end;
  };

  bool Begin(const PlanesJob& job, const Packs& packs, const int64_t* columns, int64_t outputs) {
    first_ = static_cast<const T*>(job.x);
    last_ = first_ + (job.planes - 1) * job.x_plane_step + (job.h_input - 1) * job.x_row_step +
            job.w_input;
    is_wide_ = packs.wide;
    outputs_ = outputs;
    piece_ = outputs >= kHalf ? kHalf : outputs >= kHalf / 2 ? kHalf / 2 : 0;
    const DI d;
    for (int64_t i = 0; i < 2; ++i) {
      columns_[i] = columns[i];
      read_[i] = is_wide_ && i > 0 ? kLanes : columns[i];
      const VI lane = hn::Iota(d, 0), half = hn::Set(d, static_cast<TI>(kHalf));
      const VI more = hn::Set(d, static_cast<TI>(read_[i] - kLanes));
      const VI column = hn::Add(lane, hn::IfThenElseZero(hn::Ge(lane, half), more));
      hn::Store(column, d, column_[i]);
    }
    return read_[0] >= kHalf && (packs.of_vector[1] == 0 || read_[1] >= kHalf);
  }
  PackOrder Order() const { return {outputs_, piece_}; }

  // The second vector of a wide row is its end.
  static int64_t OfSecond(int64_t w_input) { return w_input - kLanes; }
  static int64_t OfWide(int64_t) { return kLanes; }
  static Whole WholeOf(int64_t columns) { return columns; }
  static Read Between(int64_t begin, int64_t end) {
    return {static_cast<TI>(begin), static_cast<TI>(end)};
  }

  HWY_INLINE V Load(const Elem& elem, const T* p, int64_t columns) const {
    const DH d;
    return hn::Combine(D(), elem.Load(d, p + columns - kHalf), elem.Load(d, p));
  }
  HWY_INLINE V LoadTap(const Elem& elem, const T* p, int64_t i, const Read& read, V other,
                       M* lanes) const {
    const DI d;
    const VI column = hn::Load(d, column_[i]);
    if (read.begin == 0 && read.end == read_[i]) {
      *lanes = hn::RebindMask(D(), hn::Eq(column, column));
      return Load(elem, p, read_[i]);
    }
    if (read.begin >= read.end) {
      *lanes = hn::MaskFalse(D());
      return other;
    }
    const auto in =
        hn::And(hn::Ge(column, hn::Set(d, read.begin)), hn::Lt(column, hn::Set(d, read.end)));
    *lanes = hn::RebindMask(D(), in);
    const bool inside = p >= first_ && p + read_[i] <= last_;
    const V v = HWY_LIKELY(inside) ? Load(elem, p, read_[i]) : LoadBetween(elem, p, i, read);
    return hn::IfThenElse(*lanes, v, other);
  }

  static int64_t None(bool) { return -1; }
  void SetTap(int64_t tap, VI columns) {
    const DI d;
    const VI from = LanesOf(columns);
    if constexpr (kLooksUpBytes) {
      // Of the bytes that each block has not, bit 7 is set.
      const D8 d8;
      V8 bytes = hn::BitCast(d8, from);
      if constexpr (sizeof(TI) == 2) {
        const VI both = hn::Mul(from, hn::Set(d, static_cast<TI>(0x0202)));
        bytes = hn::BitCast(d8, hn::Add(both, hn::Set(d, static_cast<TI>(0x0100))));
      }
      for (int64_t i = 0; i < kBlocks; ++i) {
        const V8 of_block = hn::Sub(bytes, hn::Set(d8, static_cast<uint8_t>(i * kBlock)));
        hn::Store(hn::SaturatedAdd(of_block, hn::Set(d8, uint8_t{0x70})), d8, bytes_[tap][i]);
      }
    } else {
      hn::Store(from, d, from_tap_[tap]);
    }
  }

  template <class Reduce, int kVectors>
  HWY_INLINE V Move(int64_t taps, V lower, V upper) const {
    if constexpr (kLooksUpBytes) {
      const D8 d8;
      const V8 v = hn::BitCast(d8, lower), w = hn::BitCast(d8, upper);
      const V8 a = hn::ConcatLowerLower(d8, v, v), b = hn::ConcatUpperUpper(d8, v, v);
      const V8 c = hn::ConcatLowerLower(d8, w, w), e = hn::ConcatUpperUpper(d8, w, w);
      V fold = LookUp<kVectors>(a, b, c, e, 0);
      for (int64_t tap = 1; tap < taps; ++tap) {
        fold = Reduce::Combine(fold, LookUp<kVectors>(a, b, c, e, tap));
      }
      return fold;
    } else {
      V fold = Moved<kVectors>(lower, upper, 0);
      for (int64_t tap = 1; tap < taps; ++tap) {
        fold = Reduce::Combine(fold, Moved<kVectors>(lower, upper, tap));
      }
      return fold;
    }
  }
  template <class Reduce, int kVectors>
  HWY_INLINE void Move4(int64_t taps, V& a, V a2, V& b, V b2, V& c, V c2, V& e, V e2) const {
    a = Move<Reduce, kVectors>(taps, a, a2);
    b = Move<Reduce, kVectors>(taps, b, b2);
    c = Move<Reduce, kVectors>(taps, c, c2);
    e = Move<Reduce, kVectors>(taps, e, e2);
  }

  HWY_INLINE void Store(const Out& out, V v, Y* y) const {
    const DH d;
    const DQ dq;
    if (HWY_LIKELY(piece_ == kHalf)) {
      out.Store(d, hn::LowerHalf(d, v), y);
      out.Store(d, hn::UpperHalf(d, v), y + outputs_ - kHalf);
    } else if (piece_ > 0) {
      const auto lower = hn::LowerHalf(d, v);
      out.Store(dq, hn::LowerHalf(dq, lower), y);
      out.Store(dq, hn::UpperHalf(dq, lower), y + outputs_ - kHalf / 2);
    } else {
      out.StoreN(D(), v, y, static_cast<size_t>(outputs_));
    }
  }

 private:
  // Some of the columns are outside of x.
  HWY_NOINLINE V LoadBetween(const Elem& elem, const T* p, int64_t i, const Read& read) const {
    HWY_ALIGN T columns[kLanes] = {};
    for (int64_t column = read.begin; column < read.end; ++column) columns[column] = p[column];
    return Load(elem, columns, read_[i]);
  }

  // Of columns as they lie, kLanes in each vector, the lanes that they are in.
  VI LanesOf(VI columns) const {
    const DI d;
    const auto set = [&](int64_t i) HWY_ATTR { return hn::Set(d, static_cast<TI>(i)); };
    const auto second = hn::Ge(columns, set(kLanes));
    const VI move = hn::IfThenElse(second, set(kLanes - columns_[1]), set(kLanes - columns_[0]));
    const VI least = hn::IfThenElse(second, set(kLanes + (is_wide_ ? 0 : kHalf)), set(kHalf));
    return hn::Add(columns, hn::IfThenElseZero(hn::Ge(columns, least), move));
  }

  template <int kVectors>
  HWY_INLINE V LookUp(V8 a, V8 b, V8 c, V8 e, int64_t tap) const {
    const D8 d;
    const auto& bytes = bytes_[tap];
    const auto find = [&](V8 block, int64_t i) HWY_ATTR {
      return hn::TableLookupBytesOr0(block, hn::Load(d, bytes[i]));
    };
    V8 found = hn::Or(find(a, 0), find(b, 1));
    if constexpr (kVectors > 1) found = hn::Or(found, hn::Or(find(c, 2), find(e, 3)));
    return hn::BitCast(D(), found);
  }
  template <int kVectors>
  HWY_INLINE V Moved(V lower, V upper, int64_t tap) const {
    const VI from = hn::Load(DI(), from_tap_[tap]);
    const V v = MovedLanes<kVectors>(D(), lower, upper, hn::And(from, hn::Set(DI(), kLast)));
    return hn::IfThenZeroElse(hn::RebindMask(D(), hn::Lt(from, hn::Zero(DI()))), v);
  }

  static constexpr TI kLast = 2 * kLanes - 1;
  const T* first_ = nullptr;  // of x
  const T* last_ = nullptr;   // behind it
  int64_t columns_[2], read_[2];
  int64_t outputs_ = 0, piece_ = 0;
  bool is_wide_ = false;
  HWY_ALIGN TI column_[2][kLanes];  // of each lane
  HWY_ALIGN uint8_t bytes_[kLooksUpBytes ? kTaps : 1][kBlocks][kBytes];
  HWY_ALIGN TI from_tap_[kLooksUpBytes ? 1 : kTaps][kLanes];
};
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
