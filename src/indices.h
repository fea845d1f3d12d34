// What the indices of MAX count: docs/semantics.md section 5.
#ifndef LANEPOOL_SRC_INDICES_H_
#define LANEPOOL_SRC_INDICES_H_

#include <stdint.h>

#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

// How an index grows from one batch entry, channel or position along D, H, W to the next. Of
// index_mode WINDOW: from one tap to the next; adaptive axes are the caller's, as their windows
// differ.
struct IndexSteps {
  int64_t n, c, axes[3];
};
IndexSteps IndexStepsOf(const lanepool_params& params, const Plan& plan);

// The greatest difference of two indices of one window. The index space has been checked.
int64_t WindowSpan(const lanepool_params& params, const Plan& plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_INDICES_H_
