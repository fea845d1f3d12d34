// Maxima of bytes in windows of many taps along rows of at most a vector, in registers. Per-target
// include guard.
#if defined(LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_
#undef LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_DOUBLING_SHORT_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Only where a vector has 64 bytes: rows of less are mostly those of small planes, which become
// channels.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
constexpr int64_t kShortRowBytes = 64;

// A window is the taps from its position on, in the direction where it has more of them, and as
// many from its first tap on, or from the end of the row if that is nearer. The former are of 2
// taps at first, then of 4 and so on.
class ShortRows {
 public:
  using D = hn::FixedTag<uint8_t, kShortRowBytes>;
  using V = hn::VFromD<D>;

  static bool Fits(const DoublingJob& job) {
    return job.tap_step == 1 && HWY_MAX(job.positions, job.outputs) <= kShortRowBytes &&
           job.first <= 0 && -job.first < job.taps;
  }

 protected:
  explicit ShortRows(const DoublingJob& job) : job_(job) {}

  // Taps of a window that are not its position.
  int64_t Before() const { return -job_.first; }
  int64_t Behind() const { return job_.taps - 1 - Before(); }

  // The last row again, where there are no more.
  HWY_INLINE V Load(int64_t row) const {
    const uint8_t* const x = job_.x + HWY_MIN(row, job_.rows - 1) * job_.x_row_step;
    return hn::LoadN(D(), x, static_cast<size_t>(job_.positions));
  }
  HWY_INLINE void Store(V v, int64_t row) const {
    const D d;
    uint8_t* const y = job_.y + HWY_MIN(row, job_.rows - 1) * job_.y_row_step;
    hn::StoreN(hn::Xor(v, hn::Set(d, job_.y_flip)), d, y, static_cast<size_t>(job_.outputs));
  }

  const DoublingJob job_;
};

#if HWY_TARGET <= HWY_AVX3_DL
// Any lanes come by one instruction. Where none is left to come, the last one comes again: windows
// that reach so far have it anyway.
class ShortRowsByDoubling : public ShortRows {
 public:
  explicit ShortRowsByDoubling(const DoublingJob& job) : ShortRows(job) {
    const int64_t before = Before(), behind = Behind(), sign = behind >= before ? 1 : -1;
    const int64_t taps = HWY_MIN(HWY_MAX(before, behind) + 1, kShortRowBytes);
    for (int64_t reach = 1; reach < taps;) {
      const int64_t more = HWY_MIN(reach, taps - reach);
      Point(sign * more);
      reach += more;
    }
    const int64_t others = HWY_MIN(HWY_MIN(before, behind), kShortRowBytes - 1);
    if (others > 0) Point(-sign * others);
  }

  // Four rows at a time.
  HWY_INLINE void All() const {
    for (int64_t row = 0; row < job_.rows; row += 4) {
      V a = Load(row), b = Load(row + 1), c = Load(row + 2), e = Load(row + 3);
      for (int64_t i = 0; i < steps_; ++i) {
        const auto from = hn::SetTableIndices(D(), from_[i]);
        a = hn::Max(a, hn::TableLookupLanes(a, from));
        b = hn::Max(b, hn::TableLookupLanes(b, from));
        c = hn::Max(c, hn::TableLookupLanes(c, from));
        e = hn::Max(e, hn::TableLookupLanes(e, from));
      }
      Store(a, row);
      Store(b, row + 1);
      Store(c, row + 2);
      Store(e, row + 3);
    }
  }

 private:
  static constexpr int64_t kSteps = 7;

  void Point(int64_t distance) {
    const D d;
    const hn::RebindToSigned<D> di;
    const auto from = hn::Add(hn::Iota(di, 0), hn::Set(di, static_cast<int8_t>(distance)));
    const auto last = hn::Set(di, kShortRowBytes - 1);
    hn::Store(hn::BitCast(d, hn::Min(hn::Max(from, hn::Zero(di)), last)), d, from_[steps_++]);
  }

  int64_t steps_ = 0;
  HWY_ALIGN uint8_t from_[kSteps][kShortRowBytes];  // where lanes come from
};
#else
// Lanes move in pairs, what is odd about it is a tap of x. Where no lane is left to come, those of
// the last pair come again: windows that reach so far have them anyway.
class ShortRowsByDoubling : public ShortRows {
  using D16 = hn::Repartition<uint16_t, D>;

 public:
  explicit ShortRowsByDoubling(const DoublingJob& job) : ShortRows(job) {
    const int64_t before = Before(), behind = Behind();
    ahead_ = behind >= before;
    const int64_t sign = ahead_ ? 1 : -1;
    const int64_t taps = HWY_MIN(HWY_MAX(before, behind) + 1, kShortRowBytes);
    for (int64_t reach = 2; reach + 2 <= taps;) {
      const int64_t more = HWY_MIN(reach, taps - reach) / 2;
      Point(sign * more, pairs_[steps_++]);
      reach += 2 * more;
    }
    is_one_ = taps == 1;
    is_odd_ = taps % 2 == 1;
    Point(sign * (taps / 2), odd_);
    others_ = HWY_MIN(HWY_MIN(before, behind), kShortRowBytes);
    Point(-sign * ((others_ - 1) / 2), other_);
    Point(-sign * (others_ / 2), other_odd_);
  }

  HWY_INLINE void All() const { return ahead_ ? Rows<true>() : Rows<false>(); }

 private:
  static constexpr int64_t kPairs = kShortRowBytes / 2;
  static constexpr int64_t kSteps = 5;

  static void Point(int64_t distance, uint16_t* to) {
    const D16 d16;
    const hn::RebindToSigned<D16> di;
    const auto from = hn::Add(hn::Iota(di, 0), hn::Set(di, static_cast<int16_t>(distance)));
    const auto last = hn::Set(di, kPairs - 1);
    hn::Store(hn::BitCast(d16, hn::Min(hn::Max(from, hn::Zero(di)), last)), d16, to);
  }

  static HWY_INLINE auto Pairs(const uint16_t* pairs) { return hn::SetTableIndices(D16(), pairs); }
  template <class Indices>
  static HWY_INLINE V Moved(V v, Indices pairs) {
    return hn::BitCast(D(), hn::TableLookupLanes(hn::BitCast(D16(), v), pairs));
  }
  // The lane at each one's side: that ahead, or the one behind.
  template <bool kAhead>
  static HWY_INLINE V Next(V v) {
    if constexpr (kAhead) return hn::Slide1Down(D(), v);
    return hn::Slide1Up(D(), v);
  }

  // Four rows at a time.
  template <bool kAhead>
  HWY_INLINE void Rows() const {
    for (int64_t row = 0; row < job_.rows; row += 4) {
      const V xa = Load(row), xb = Load(row + 1), xc = Load(row + 2), xe = Load(row + 3);
      V a = xa, b = xb, c = xc, e = xe;
      if (!is_one_) {
        a = hn::Max(a, Next<kAhead>(a));
        b = hn::Max(b, Next<kAhead>(b));
        c = hn::Max(c, Next<kAhead>(c));
        e = hn::Max(e, Next<kAhead>(e));
      }
      for (int64_t i = 0; i < steps_; ++i) {
        const auto pairs = Pairs(pairs_[i]);
        a = hn::Max(a, Moved(a, pairs));
        b = hn::Max(b, Moved(b, pairs));
        c = hn::Max(c, Moved(c, pairs));
        e = hn::Max(e, Moved(e, pairs));
      }
      Store(Others<kAhead>(xa, a), row);
      Store(Others<kAhead>(xb, b), row + 1);
      Store(Others<kAhead>(xc, c), row + 2);
      Store(Others<kAhead>(xe, e), row + 3);
    }
  }

  template <bool kAhead>
  HWY_INLINE V Others(V x, V v) const {
    if (is_odd_) v = hn::Max(v, Moved(x, Pairs(odd_)));
    if (others_ == 0) return v;
    if (others_ % 2 == 0) x = hn::Max(v, Moved(x, Pairs(other_odd_)));
    // With the tap beside it, either lane of the last pair has the end of the row.
    const V all = Moved(hn::Max(v, Next<!kAhead>(v)), Pairs(other_));
    return hn::Max(others_ % 2 == 0 ? x : v, all);
  }

  bool ahead_;  // the direction with more taps
  bool is_one_, is_odd_;
  int64_t steps_ = 0, others_;
  HWY_ALIGN uint16_t pairs_[kSteps][kPairs];  // where pairs of lanes come from
  HWY_ALIGN uint16_t odd_[kPairs];            // of x, the last of an odd number of taps
  HWY_ALIGN uint16_t other_[kPairs], other_odd_[kPairs];
};
#endif

// False: these rows are not short.
inline bool DoubleShortRows(const DoublingJob& job) {
  if (!ShortRowsByDoubling::Fits(job)) return false;
  ShortRowsByDoubling(job).All();
  return true;
}
#else
inline bool DoubleShortRows(const DoublingJob&) { return false; }
#endif

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
