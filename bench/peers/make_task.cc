#include "make_task.h"

#include <algorithm>

namespace peers {

Task MakeTask(const Row& row, const lanepool_desc& desc) {
  const lanepool_params& p = row.params;
  Task task{p, {}, row.threads};
  for (int32_t i = 0; i < p.rank; ++i) {
    const bool is_global = task.IsGlobal();
    Axis axis = {p.input[i],      desc.output[i], is_global ? p.input[i] : p.kernel[i],
                 p.strides[i],    p.dilations[i], desc.pads_begin[i],
                 desc.pads_end[i]};
    // With ceil_mode the last window may begin inside and end behind the pads.
    const int64_t span = (axis.kernel - 1) * axis.dilation + 1;
    const int64_t last_end = (axis.output - 1) * axis.stride - axis.pad_begin + span;
    axis.pad_end = std::max(axis.pad_end, last_end - axis.input);
    task.axes.push_back(axis);
  }
  return task;
}

}  // namespace peers
