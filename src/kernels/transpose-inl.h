// Rows become columns: 128 bits of as many rows as those have elements, transposed in registers.
// Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_TRANSPOSE_INL_H_
#undef LANEPOOL_SRC_KERNELS_TRANSPOSE_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_TRANSPOSE_INL_H_
#endif

#include <stdint.h>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernel_table.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vector i of the first half and vector i of the second half become vectors 2 i and 2 i + 1, their
// lanes interleaved. As often as 2 divides the number of lanes, that transposes.
template <class V>
HWY_INLINE void Shuffle2(V a, V b, V& c, V& e) {
  const hn::DFromV<V> d;
  c = hn::InterleaveLower(d, a, b);
  e = hn::InterleaveUpper(d, a, b);
}
template <class V>
HWY_INLINE void Shuffle4(V& a, V& b, V& c, V& e) {
  V a1, b1, c1, e1;
  Shuffle2(a, c, a1, b1);
  Shuffle2(b, e, c1, e1);
  a = a1, b = b1, c = c1, e = e1;
}
template <class V>
HWY_INLINE void Shuffle8(V& a, V& b, V& c, V& e, V& f, V& g, V& h, V& i) {
  V a1, b1, c1, e1, f1, g1, h1, i1;
  Shuffle2(a, f, a1, b1);
  Shuffle2(b, g, c1, e1);
  Shuffle2(c, h, f1, g1);
  Shuffle2(e, i, h1, i1);
  a = a1, b = b1, c = c1, e = e1, f = f1, g = g1, h = h1, i = i1;
}

// A tile: of each block of 16 bytes in vectors of D, load(i) become store(i, v).
template <class D, class Load, class Store>
HWY_INLINE void TransposeTile(D d, const Load& load, const Store& store) {
  using V = hn::VFromD<D>;
  constexpr int kLanes = static_cast<int>(16 / sizeof(hn::TFromD<D>));
  (void)d;
  if constexpr (kLanes == 2) {
    V a, b;
    Shuffle2<V>(load(0), load(1), a, b);
    store(0, a);
    store(1, b);
  } else if constexpr (kLanes == 4) {
    V a = load(0), b = load(1), c = load(2), e = load(3);
    Shuffle4(a, b, c, e);
    Shuffle4(a, b, c, e);
    store(0, a);
    store(1, b);
    store(2, c);
    store(3, e);
  } else if constexpr (kLanes == 8) {
    V a = load(0), b = load(1), c = load(2), e = load(3);
    V f = load(4), g = load(5), h = load(6), i = load(7);
    Shuffle8(a, b, c, e, f, g, h, i);
    Shuffle8(a, b, c, e, f, g, h, i);
    Shuffle8(a, b, c, e, f, g, h, i);
    store(0, a);
    store(1, b);
    store(2, c);
    store(3, e);
    store(4, f);
    store(5, g);
    store(6, h);
    store(7, i);
  } else {
    // Two rounds of each four vectors, then two more of one of each: sixteen at once, and those of
    // the next round, would be more than many machines have registers for.
    const auto two_rounds = [&](int first, V& a, V& b, V& c, V& e) HWY_ATTR {
      a = load(first), b = load(first + 4), c = load(first + 8), e = load(first + 12);
      Shuffle4(a, b, c, e);
      Shuffle4(a, b, c, e);
    };
    const auto last_rounds = [&](int at, V a, V b, V c, V e) HWY_ATTR {
      Shuffle4(a, b, c, e);
      Shuffle4(a, b, c, e);
      store(at, a);
      store(at + 1, b);
      store(at + 2, c);
      store(at + 3, e);
    };
    V a0, b0, c0, e0, a1, b1, c1, e1, a2, b2, c2, e2, a3, b3, c3, e3;
    two_rounds(0, a0, b0, c0, e0);
    two_rounds(1, a1, b1, c1, e1);
    two_rounds(2, a2, b2, c2, e2);
    two_rounds(3, a3, b3, c3, e3);
    last_rounds(0, a0, a1, a2, a3);
    last_rounds(4, b0, b1, b2, b3);
    last_rounds(8, c0, c1, c2, c3);
    last_rounds(12, e0, e1, e2, e3);
  }
}

// As many blocks of 16 bytes as the widest vectors have, where their number is known.
template <class T>
#if HWY_HAVE_SCALABLE
using TileTag = hn::FixedTag<T, 16 / sizeof(T)>;
#else
using TileTag = hn::CappedTag<T, kBlockLineBytes / sizeof(T)>;
#endif

// The block of column `at` of every kStep-th row is one of the vector's.
template <int64_t kStep, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LoadBlocks(D d, void* const* rows, int64_t at) {
  if constexpr (HWY_MAX_LANES_D(D) * sizeof(T) <= 16) {
    return hn::LoadU(d, static_cast<const T*>(*rows) + at);
  } else {
    constexpr int64_t kHalf = static_cast<int64_t>(HWY_MAX_LANES_D(D) * sizeof(T) / 32) * kStep;
    const hn::Half<D> half;
    return hn::Combine(d, LoadBlocks<kStep>(half, rows + kHalf, at),
                       LoadBlocks<kStep>(half, rows, at));
  }
}
// The same in the other direction.
template <int64_t kStep, class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreBlocks(D d, hn::VFromD<D> v, void* const* rows, int64_t at) {
  if constexpr (HWY_MAX_LANES_D(D) * sizeof(T) <= 16) {
    hn::StoreU(v, d, static_cast<T*>(*rows) + at);
  } else {
    constexpr int64_t kHalf = static_cast<int64_t>(HWY_MAX_LANES_D(D) * sizeof(T) / 32) * kStep;
    const hn::Half<D> half;
    StoreBlocks<kStep>(half, hn::LowerHalf(half, v), rows, at);
    StoreBlocks<kStep>(half, hn::UpperHalf(half, v), rows + kHalf, at);
  }
}

// As many rows of a vector each as that has lanes: load(i) become store(i, v). Vectors are two or
// four blocks: first those of as many rows as a block has lanes are transposed among themselves,
// then blocks of rows that lie so many apart.
template <class D, class Load, class Store>
HWY_INLINE void TransposeSquare(D d, const Load& load, const Store& store) {
  using V = hn::VFromD<D>;
  constexpr int kLanes = static_cast<int>(16 / sizeof(hn::TFromD<D>));
  static_assert(kLanes == 4, "lanes of 32 bits");
  const auto group = [&](int row, V& a, V& b, V& c, V& e) HWY_ATTR {
    a = load(row), b = load(row + 1), c = load(row + 2), e = load(row + 3);
    Shuffle4(a, b, c, e);
    Shuffle4(a, b, c, e);
  };
  V a0, b0, c0, e0, a1, b1, c1, e1;
  group(0, a0, b0, c0, e0);
  group(4, a1, b1, c1, e1);
  if constexpr (HWY_MAX_LANES_D(D) == 2 * kLanes) {
    const auto put = [&](int column, V v0, V v1) HWY_ATTR {
      store(column, hn::ConcatLowerLower(d, v1, v0));
      store(column + 4, hn::ConcatUpperUpper(d, v1, v0));
    };
    put(0, a0, a1);
    put(1, b0, b1);
    put(2, c0, c1);
    put(3, e0, e1);
  } else {
    V a2, b2, c2, e2, a3, b3, c3, e3;
    group(8, a2, b2, c2, e2);
    group(12, a3, b3, c3, e3);
    const auto put = [&](int column, V v0, V v1, V v2, V v3) HWY_ATTR {
      const V even01 = hn::InterleaveEvenBlocks(d, v0, v1);
      const V even23 = hn::InterleaveEvenBlocks(d, v2, v3);
      store(column, hn::ConcatLowerLower(d, even23, even01));
      store(column + 8, hn::ConcatUpperUpper(d, even23, even01));
      const V odd01 = hn::InterleaveOddBlocks(d, v0, v1);
      const V odd23 = hn::InterleaveOddBlocks(d, v2, v3);
      store(column + 4, hn::ConcatLowerLower(d, odd23, odd01));
      store(column + 12, hn::ConcatUpperUpper(d, odd23, odd01));
    };
    put(0, a0, a1, a2, a3);
    put(1, b0, b1, b2, b3);
    put(2, c0, c1, c2, c3);
    put(3, e0, e1, e2, e3);
  }
}

// kBack: from columns to rows.
template <bool kBack, class D, class T = hn::TFromD<D>>
HWY_INLINE void TransposeRows(D d, const TransposeJob& job) {
  constexpr int64_t kLanes = static_cast<int64_t>(16 / sizeof(T));
  constexpr int64_t kRows = static_cast<int64_t>(HWY_MAX_LANES_D(D));
  constexpr int64_t kLine = static_cast<int64_t>(kBlockLineBytes / sizeof(T));
  const int64_t step = job.column_step;
  for (int64_t next = 0; next < job.padded_rows; next += kRows) {
    // The last tile overlaps the one before, here and along the columns.
    const int64_t row = HWY_MIN(next, job.padded_rows - kRows);
    T* const columns = static_cast<T*>(job.columns) + row;
    void* const* rows = job.row + row;
    void* some[kRows];
    const int64_t there = job.rows - row;
    if (there < kRows) {
      for (int64_t i = 0; i < kRows; ++i) some[i] = job.row[HWY_MIN(row + i, job.rows - 1)];
      rows = some;
    }
    // Many rows at a time are more than hardware foresees.
    const auto ask = [&](int64_t column) HWY_ATTR {
      if (!job.far || column >= job.lanes) return;
      for (int64_t i = 0; i < kRows; ++i) hwy::Prefetch(static_cast<const T*>(rows[i]) + column);
    };
    int64_t column = 0;
    if constexpr (sizeof(T) == 4 && kRows > kLanes) {
      for (; column + kRows <= job.lanes; column += kRows) {
        T* const square = columns + column * step;
        if (kRows >= kLine || column % kLine == 0) ask(column + 4 * kLine);
        const auto row_at = [&](int i) HWY_ATTR { return static_cast<T*>(rows[i]) + column; };
        const auto column_at = [&](int i) HWY_ATTR { return square + i * step; };
        if constexpr (kBack) {
          TransposeSquare(
              d, [&](int i) HWY_ATTR { return hn::LoadU(d, column_at(i)); },
              [&](int i, hn::VFromD<D> v) HWY_ATTR { hn::StoreU(v, d, row_at(i)); });
        } else {
          TransposeSquare(
              d, [&](int i) HWY_ATTR { return hn::LoadU(d, row_at(i)); },
              [&](int i, hn::VFromD<D> v) HWY_ATTR { hn::StoreU(v, d, column_at(i)); });
        }
      }
    }
    for (; column < job.lanes; column += kLanes) {
      const int64_t at = HWY_MIN(column, job.lanes - kLanes);
      if (at < 0) {
        for (int64_t i = 0; i < kRows; ++i) {
          for (int64_t k = 0; k < job.lanes; ++k) {
            if constexpr (kBack) {
              static_cast<T*>(rows[i])[k] = columns[k * step + i];
            } else {
              columns[k * step + i] = static_cast<const T*>(rows[i])[k];
            }
          }
        }
        break;
      }
      if (column % kLine == 0) ask(column + 4 * kLine);
      if constexpr (kBack) {
        TransposeTile(
            d, [&](int i) HWY_ATTR { return hn::LoadU(d, columns + (at + i) * step); },
            [&](int i, hn::VFromD<D> v) HWY_ATTR { StoreBlocks<kLanes>(d, v, rows + i, at); });
      } else {
        TransposeTile(
            d, [&](int i) HWY_ATTR { return LoadBlocks<kLanes>(d, rows + i, at); },
            [&](int i, hn::VFromD<D> v) HWY_ATTR { hn::StoreU(v, d, columns + (at + i) * step); });
      }
    }
  }
}

template <bool kBack>
void Transpose(const TransposeJob& job) {
  switch (job.bytes) {
    case 1:
      return TransposeRows<kBack>(TileTag<uint8_t>(), job);
    case 2:
      return TransposeRows<kBack>(TileTag<uint16_t>(), job);
    case 4:
      return TransposeRows<kBack>(TileTag<uint32_t>(), job);
    default:
      return TransposeRows<kBack>(TileTag<uint64_t>(), job);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
