// What gains from moving bytes to any lane of 64 by one instruction: kernels for CPUs that have
// AVX-512 VBMI, beside those for AVX3. AVX2 has packs alone, which serve AVX3 without VBMI, too;
// all others go without.
#include <stdint.h>

#include "compiled_in.h"
#include "kernel_moves.h"

// The baseline must not be left out, see LanepoolTargets.cmake.
#ifdef LANEPOOL_MOVES_BYTES
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (~(HWY_AVX3_DL | HWY_AVX2 | HWY_SSE2))
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels_moves.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "kernels/chained_rows-inl.h"
#include "kernels/doubling_short-inl.h"
#include "kernels/finish-inl.h"
#include "kernels/maxima_laid_out-inl.h"
#include "kernels/moved_columns-inl.h"
#include "kernels/packed_rows-inl.h"
#include "kernels/pixel_pairs-inl.h"
#include "kernels/reduce-inl.h"
#include "kernels/run_beside-inl.h"
#include "kernels/run_laid_out-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && (HWY_TARGET <= HWY_AVX3_DL || HWY_TARGET == HWY_AVX2)
namespace hn = hwy::HWY_NAMESPACE;

// Columns that are not there are never moved: what they become does not matter.
class FlippedBytes {
 public:
  using Memory = uint8_t;
  using Lane = uint8_t;

  explicit FlippedBytes(const ElementRules& rules) : flip_(rules.order_flip) {}

  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE V Load(D d, const uint8_t* p) const {
    return hn::Xor(hn::LoadU(d, p), hn::Set(d, flip_));
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE V LoadMasked(D d, const uint8_t* p, hn::MFromD<D> mask, V other) const {
    return hn::IfThenElse(mask, hn::Xor(hn::MaskedLoad(mask, d, p), hn::Set(d, flip_)), other);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store(D d, V v, uint8_t* p) const {
    hn::StoreU(hn::Xor(v, hn::Set(d, flip_)), d, p);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void StoreN(D d, V v, uint8_t* p, size_t n) const {
    hn::StoreN(hn::Xor(v, hn::Set(d, flip_)), d, p, n);
  }

 private:
  const uint8_t flip_;
};
// The same where nothing is flipped, maxima of u8. What is not there is 0, the least.
class PlainBytes {
 public:
  using Memory = uint8_t;
  using Lane = uint8_t;

  explicit PlainBytes(const ElementRules&) {}

  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE V Load(D d, const uint8_t* p) const {
    return hn::LoadU(d, p);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE V LoadMasked(D d, const uint8_t* p, hn::MFromD<D> mask, V) const {
    return hn::MaskedLoad(mask, d, p);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void Store(D d, V v, uint8_t* p) const {
    hn::StoreU(v, d, p);
  }
  template <class D, class V = hn::VFromD<D>>
  HWY_INLINE void StoreN(D d, V v, uint8_t* p, size_t n) const {
    hn::StoreN(v, d, p, n);
  }
};
struct MaxOfBytes {
  using Elem = FlippedBytes;
  using Out = FlippedBytes;
  using Reduce = MaxInteger;
  using Finish = Unfinished;
};
struct MaxOfPlainBytes : MaxOfBytes {
  static bool Fits(const ElementRules& rules) { return rules.order_flip == 0; }

  using Elem = PlainBytes;
  using Out = PlainBytes;
};

#endif

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
bool MaximaOfRuns(const FoldRunJob& job) {
  StoreMaximaBeside<MaximaLaidOut>(job);
  return true;
}
bool MeansLaidOut(const FoldRunJob& job) {
  StoreMeansBeside<RunsLaidOut>(job);
  return true;
}
bool SumsLaidOut(const FoldRunJob& job) {
  StoreSumsBeside<RunsLaidOut>(job);
  return true;
}
#endif

constexpr MoveKernels Moves() {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  MoveKernels kernels = {};
  if constexpr (Compiled(ops::kOrdered, types::kBytes) && !kCompact) {
    kernels.maxima = MovedOf<MaxOfBytes, MaxOfPlainBytes>();
    kernels.packed = PackedOf<MaxOfBytes, MaxOfPlainBytes>();
    kernels.chained = ChainedOf<MaxOfBytes, MaxOfPlainBytes>();
    kernels.double_rows = &DoubleShortRows;
    kernels.laid_out_maxima = &MaximaOfRuns;
  }
  if constexpr (Compiled(ops::kAverage, types::kBytes) && !kCompact) {
    kernels.laid_out16 = &MeansLaidOut;
    kernels.laid_out32 = &SumsLaidOut;
    kernels.pixel_pairs = &SumPixelPairs;
  }
  return kernels;
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
  MoveKernels kernels = {};
  if constexpr (Compiled(ops::kOrdered, types::kBytes) && !kCompact) {
    kernels.packed = PackedOf<MaxOfBytes>();
  }
  return kernels;
#else
  return {};
#endif
}

const MoveKernels* TableMoves() {
  static constexpr MoveKernels kTable = Moves();
  return &kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/table-inl.h"

namespace lanepool {
LANEPOOL_EXPORT_TABLE(const MoveKernels*, KernelsMoves, TableMoves)
}  // namespace lanepool
#endif  // HWY_ONCE
