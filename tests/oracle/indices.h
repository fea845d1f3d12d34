// Positions that indices stand for: section 5 of the semantics.
#ifndef LANEPOOL_TESTS_ORACLE_INDICES_H_
#define LANEPOOL_TESTS_ORACLE_INDICES_H_

#include <cstdint>

#include "window.h"

namespace oracle {

// The index of a position of the plane (n, c), but for INDEX_WINDOW.
int64_t IndexAt(const lanepool_params& params, const Shape& shape, int64_t n, int64_t c,
                const int64_t (&place)[3]);

// The index of the maximum of a window; -1 without taps.
int64_t IndexOf(const lanepool_params& params, const Shape& shape, const Job& job,
                const Position& at, const Taps& taps);

// IndexAt the other way round: whether `index` is a position of the plane (n, c) of
// the index space, and which one.
bool PlaceOf(const lanepool_params& params, const Shape& shape, int64_t n, int64_t c, int64_t index,
             int64_t (&place)[3]);

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_INDICES_H_
