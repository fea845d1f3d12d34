#include "indices.h"

namespace lanepool {

IndexSteps IndexStepsOf(const lanepool_params& p, const Plan& plan) {
  IndexSteps steps = {};
  const bool window = p.index_mode == LANEPOOL_INDEX_WINDOW;
  const bool nhwc = p.index_mode == LANEPOOL_INDEX_NHWC;
  const bool columns = !nhwc && !window && p.storage_order == LANEPOOL_STORAGE_COLUMN_MAJOR;
  int64_t step = nhwc ? p.channels : 1;
  for (int i = 0; i < 3; ++i) {
    // Column major: the first spatial axis is the fastest. Those that are missing have size 1.
    const int axis = columns ? i : 2 - i;
    steps.axes[axis] = step;
    step *= window ? plan.axes[axis].kernel : plan.axes[axis].input;
  }
  if (p.index_mode == LANEPOOL_INDEX_PLANE || window) return steps;
  steps.c = nhwc ? 1 : step;
  steps.n = nhwc ? step : step * p.channels;
  return steps;
}

int64_t WindowSpan(const lanepool_params& p, const Plan& plan) {
  const IndexSteps steps = IndexStepsOf(p, plan);
  const bool window = p.index_mode == LANEPOOL_INDEX_WINDOW;
  int64_t span = 0;
  for (int i = 0; i < 3; ++i) {
    const Axis<int64_t>& axis = plan.axes[i];
    // Lanes along W count their taps from the first one, which may lie in the pad.
    const int64_t from_pad = axis.input - 1 + axis.pad_begin;
    const int64_t reach = EffectiveKernel(axis) - 1;
    const int64_t positions = reach < from_pad ? reach : from_pad;
    int64_t extent = 0;
    if (__builtin_mul_overflow(window ? axis.kernel - 1 : positions, steps.axes[i], &extent) ||
        __builtin_add_overflow(span, extent, &span)) {
      return INT64_MAX;
    }
  }
  return span;
}

}  // namespace lanepool
