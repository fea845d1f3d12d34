// Which rows go by Kernels::packed: they are so short that a vector has room for all their outputs,
// or those of several rows, or of a part.
#ifndef LANEPOOL_SRC_PACK_RULES_H_
#define LANEPOOL_SRC_PACK_RULES_H_

#include <stdint.h>

#include "move_rules.h"
#include "runner_context.h"

namespace lanepool {

MovedAxes MovedAxesOf(const Context& context);

// Whether sums, whose order of terms matters, are folded along lanes, then rows.
bool AddsAcrossFirst(const Context& context);

bool PrefersPacks(const Context& context);

// Outputs of a row that a pack has, all or those of a part, and rows of a plane of a job at most.
struct PackedPart {
  int64_t outputs, rows;
};
PackedPart PackedPartOf(const Context& context);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PACK_RULES_H_
