// Outputs picked from the windows of all positions of a row.
#ifndef LANEPOOL_SRC_PICK_OUTPUTS_H_
#define LANEPOOL_SRC_PICK_OUTPUTS_H_

#include <stdint.h>

#include "runner_context.h"

namespace lanepool {

// `rows` rows of `lanes` results without gaps, of which the groups of outputs are picked. y_step
// and y_row_step, from one output and one row of y to the next, in elements.
struct PickJob {
  const char* from;
  char* y;
  int64_t lanes, rows, y_step, y_row_step;
};
void PickOutputs(const Context& context, const PickJob& job);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PICK_OUTPUTS_H_
