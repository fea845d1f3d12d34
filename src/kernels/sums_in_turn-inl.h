// Sums of columns of bytes that go on from row to row. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_SUMS_IN_TURN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_SUMS_IN_TURN_INL_H_
#undef LANEPOOL_SRC_KERNELS_SUMS_IN_TURN_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_SUMS_IN_TURN_INL_H_
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

template <bool kEnters, bool kLeaves>
HWY_NOINLINE void AddRow(const SumsInTurnJob& job) {
  const hn::ScalableTag<uint16_t> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  using V = hn::VFromD<decltype(d)>;
  const int64_t n = static_cast<int64_t>(hn::Lanes(d)), lanes = job.lanes;
  const auto flip = hn::Set(d8, job.x_flip);
  const auto all = [&](const uint8_t* p) HWY_ATTR { return hn::LoadU(d8, p); };
  for (int64_t line = 0; line < job.lines; ++line) {
    const uint8_t* const enters = kEnters ? job.enters + line * job.x_line_step : nullptr;
    const uint8_t* const leaves = kLeaves ? job.leaves + line * job.x_line_step : nullptr;
    uint16_t* const sums = job.sums + line * lanes;
    const auto changed = [&](V sum, int64_t i, const auto& load) HWY_ATTR {
      if (kEnters) sum = hn::Add(sum, hn::PromoteTo(d, hn::Xor(load(enters + i), flip)));
      if (kLeaves) sum = hn::Sub(sum, hn::PromoteTo(d, hn::Xor(load(leaves + i), flip)));
      return sum;
    };
    int64_t i = 0;
    for (; i + 2 * n <= lanes; i += 2 * n) {
      const V a = changed(hn::LoadU(d, sums + i), i, all);
      const V b = changed(hn::LoadU(d, sums + i + n), i + n, all);
      hn::StoreU(a, d, sums + i);
      hn::StoreU(b, d, sums + i + n);
    }
    for (; i < lanes; i += n) {
      const size_t some = static_cast<size_t>(HWY_MIN(n, lanes - i));
      const auto part = [&](const uint8_t* p) HWY_ATTR { return LoadBytes(d8, p, some); };
      hn::StoreN(changed(hn::LoadN(d, sums + i, some), i, part), d, sums + i, some);
    }
  }
}

inline void SumsInTurn(const SumsInTurnJob& job) {
  if (job.enters != nullptr && job.leaves != nullptr) {
    AddRow<true, true>(job);
  } else if (job.enters != nullptr) {
    AddRow<true, false>(job);
  } else if (job.leaves != nullptr) {
    AddRow<false, true>(job);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
