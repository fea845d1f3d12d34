// Sums of bytes along rows, windows of any width: what all bytes up to the end of a window sum up
// to, less what those before it do. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_ROW_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_ROW_SUMS_INL_H_
#undef LANEPOOL_SRC_KERNELS_ROW_SUMS_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_ROW_SUMS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/elem-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether any lanes of two vectors are found by one instruction.
#undef LANEPOOL_LOOKS_UP_SUMS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define LANEPOOL_LOOKS_UP_SUMS 1
#else
#define LANEPOOL_LOOKS_UP_SUMS 0
#endif

class SumsOfRows {
#if HWY_HAVE_SCALABLE
  using D = hn::FixedTag<uint16_t, 8>;
#else
  using D = hn::CappedTag<uint16_t, kBlockLineBytes / sizeof(uint16_t)>;
#endif
  using V = hn::VFromD<D>;
  using D8 = hn::Repartition<uint8_t, D>;
  using V8 = hn::VFromD<D8>;
  static constexpr int64_t kLanes = static_cast<int64_t>(HWY_MAX_LANES_D(D));
  static constexpr int64_t kBytes = 2 * kLanes;
  static constexpr int kBlocks = static_cast<int>(kLanes / 8);

 public:
  explicit SumsOfRows(const RowSumsJob& job)
      : job_(job),
        lead_((HWY_MAX(int64_t{0}, -job.first) / kRoundTo + 1) * kRoundTo - 1),
        behind_(job.first + job.outputs + job.taps - job.positions) {}

  // Some rows at a time, and all of those before what comes next along them: what has been stored
  // is not loaded at once.
  void Run() {
    const D d;
#if LANEPOOL_LOOKS_UP_SUMS
    if (job_.positions <= kBytes && job_.outputs <= kBytes) return LookUp();
#endif
    for (int64_t i = 0; i < kSumRows; ++i) {
      uint16_t* const sums = job_.scratch + i * job_.scratch_pitch;
      for (int64_t lane = 0; lane <= lead_; lane += kLanes) hn::StoreU(hn::Zero(d), d, sums + lane);
    }
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      for (int64_t row = 0; row < job_.rows; row += kSumRows) {
        x_ = job_.x + plane * job_.x_plane_step + row * job_.x_row_step;
        y_ = job_.y + (plane * job_.rows + row) * job_.y_row_step;
        room_ = job_.x_room - row * job_.x_row_step;
        rows_ = HWY_MIN(kSumRows, job_.rows - row);
        Sums();
        Windows();
      }
    }
  }

 private:
  static constexpr int64_t kRoundTo = kBlockLineBytes / sizeof(uint16_t);

  // Lane i becomes the sum of lanes [0, i].
  static HWY_INLINE V Scan(D d, V v) {
    v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
    v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
    v = hn::Add(v, hn::ShiftLeftLanes<4>(d, v));
    if constexpr (kBlocks >= 2) v = hn::Add(v, hn::SlideUpBlocks<1>(d, LastOfBlocks(d, v)));
    if constexpr (kBlocks >= 4) v = hn::Add(v, hn::SlideUpBlocks<2>(d, LastOfBlocks(d, v)));
    return v;
  }
  static HWY_INLINE V LastOfBlocks(D d, V v) {
    return hn::TableLookupBytes(v,
                                hn::BitCast(d, hn::OddEven(hn::Set(D8(), 15), hn::Set(D8(), 14))));
  }

#if LANEPOOL_LOOKS_UP_SUMS
  // Rows of two vectors of sums, which stay in registers.
  void LookUp() const {
    const D d;
    const D8 d8;
    HWY_ALIGN uint16_t ends[2 * kLanes], begins[2 * kLanes], there[2 * kLanes];
    for (int64_t o = 0; o < kBytes; ++o) {
      const int64_t start = o < job_.outputs ? job_.first + o : job_.positions;
      const int64_t begin = HWY_MIN(HWY_MAX(int64_t{0}, start), job_.positions);
      const int64_t end = HWY_MIN(HWY_MAX(int64_t{0}, start + job_.taps), job_.positions);
      ends[o] = IndexOf(end);
      begins[o] = IndexOf(begin);
      there[o] = begin > 0 ? 0xFFFF : 0;
    }
    const auto end0 = hn::SetTableIndices(d, ends), end1 = hn::SetTableIndices(d, ends + kLanes);
    const auto begin0 = hn::SetTableIndices(d, begins);
    const auto begin1 = hn::SetTableIndices(d, begins + kLanes);
    const V there0 = hn::Load(d, there), there1 = hn::Load(d, there + kLanes);
    const V8 flip = hn::Set(d8, job_.x_flip);
    const size_t positions = static_cast<size_t>(job_.positions);
    const int64_t x_step = job_.x_row_step, y_step = job_.y_row_step;
    uint16_t* y = job_.y;
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const uint8_t* x = job_.x + plane * job_.x_plane_step;
      int64_t room = job_.x_room;
      for (int64_t row = job_.rows; row > 0; --row, x += x_step, y += y_step, room -= x_step) {
        const V8 in = HWY_LIKELY(room >= kBytes) ? hn::LoadU(d8, x) : LoadBytes(d8, x, positions);
        const V8 bytes = hn::Xor(in, flip);
        const V odd = Scan(d, hn::SumsOf2(bytes));
        const V even = hn::Sub(odd, hn::PromoteOddTo(d, bytes));
        const V from0 = hn::And(hn::TwoTablesLookupLanes(d, even, odd, begin0), there0);
        const V from1 = hn::And(hn::TwoTablesLookupLanes(d, even, odd, begin1), there1);
        hn::StoreU(hn::Sub(hn::TwoTablesLookupLanes(d, even, odd, end0), from0), d, y);
        hn::StoreU(hn::Sub(hn::TwoTablesLookupLanes(d, even, odd, end1), from1), d, y + kLanes);
      }
    }
  }
  // Of the sum of positions [0, i) among those behind even and behind odd ones.
  static uint16_t IndexOf(int64_t i) {
    const int64_t last = HWY_MAX(int64_t{1}, i) - 1;
    return static_cast<uint16_t>(last / 2 + last % 2 * kLanes);
  }
#endif

  // Element i of a row of sums becomes the sum of positions [0, i), wrapped around.
  HWY_INLINE void Sums() const {
    const D d;
    const D8 d8;
    const V8 flip = hn::Set(d8, job_.x_flip);
    const int64_t positions = job_.positions, pitch = job_.scratch_pitch, step = job_.x_row_step;
    int64_t i = 0;
    for (; i + kBytes <= positions; i += kBytes) {
      uint16_t* sums = job_.scratch + lead_ + i;
      const uint8_t* x = x_ + i;
      for (int64_t row = 0; row < rows_; ++row, x += step, sums += pitch) {
        SumBytes(hn::Xor(hn::LoadU(d8, x), flip), sums);
      }
    }
    if (i < positions) {
      uint16_t* sums = job_.scratch + lead_ + i;
      const uint8_t* x = x_ + i;
      int64_t room = room_ - i;
      for (int64_t row = 0; row < rows_; ++row, x += step, room -= step, sums += pitch) {
        const V8 bytes = room >= kBytes ? hn::LoadU(d8, x)
                                        : LoadBytes(d8, x, static_cast<size_t>(positions - i));
        SumBytes(hn::Xor(bytes, flip), sums);
      }
    }
    uint16_t* sums = job_.scratch + lead_ + positions;
    for (int64_t row = 0; row < rows_; ++row, sums += pitch) {
      const V all = hn::Set(d, *sums);
      for (i = 1; i < behind_; i += kLanes) hn::StoreU(all, d, sums + i);
    }
  }

  // Those of some bytes, behind that of all before them.
  static HWY_INLINE void SumBytes(V8 bytes, uint16_t* sums) {
    const D d;
    const V odd = hn::Add(Scan(d, hn::SumsOf2(bytes)), hn::Set(d, *sums));
    const V even = hn::Sub(odd, hn::PromoteOddTo(d, bytes));
    hn::StoreU(hn::InterleaveWholeLower(d, even, odd), d, sums + 1);
    hn::StoreU(hn::InterleaveWholeUpper(d, even, odd), d, sums + 1 + kLanes);
  }

  HWY_INLINE void Windows() const {
    const D d;
    const int64_t taps = job_.taps, pitch = job_.scratch_pitch, step = job_.y_row_step;
    const int64_t outputs = job_.outputs, whole = outputs / kLanes * kLanes;
    for (int64_t o = 0; o < whole; o += kLanes) {
      const uint16_t* sums = job_.scratch + lead_ + job_.first + o;
      uint16_t* y = y_ + o;
      for (int64_t row = 0; row < rows_; ++row, sums += pitch, y += step) {
        hn::StoreU(hn::Sub(hn::LoadU(d, sums + taps), hn::LoadU(d, sums)), d, y);
      }
    }
    if (whole == outputs) return;
    const auto there = hn::FirstN(d, static_cast<size_t>(outputs - whole));
    const uint16_t* sums = job_.scratch + lead_ + job_.first + whole;
    uint16_t* y = y_ + whole;
    for (int64_t row = 0; row < rows_; ++row, sums += pitch, y += step) {
      const V windows = hn::Sub(hn::LoadU(d, sums + taps), hn::LoadU(d, sums));
      hn::StoreU(hn::IfThenElseZero(there, windows), d, y);
    }
  }

  const RowSumsJob job_;
  const int64_t lead_;    // elements before those of a row of sums
  const int64_t behind_;  // those behind the last position that windows end at, and one more
  // Some rows.
  const uint8_t* x_ = nullptr;
  uint16_t* y_ = nullptr;
  int64_t room_ = 0, rows_ = 0;
};

inline void SumRows(const RowSumsJob& job) { SumsOfRows(job).Run(); }

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
