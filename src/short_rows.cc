#include "short_rows.h"

#include <stdint.h>

#include <initializer_list>

#include "compiled_in.h"
#include "kernel_table.h"
#include "plan_axes.h"
#include "plane_rules.h"
#include "types.h"

namespace lanepool {

bool LacksOneTap(const Axis<int64_t>& axis) {
  const int64_t end = WindowStart(axis, axis.output - 1) + EffectiveKernel(axis);
  return axis.pad_begin <= axis.dilation && end - axis.dilation <= axis.input &&
         axis.input >= (axis.kernel - 1) * axis.dilation;
}

bool AreShortMaxima(const lanepool_params& p, const Plan& plan) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t bytes = ElementBytes(p.x_type), stride = w.stride;
  if (kCompact || !IsExtreme(p.op) || bytes > 2 || plan.strategy.group > 1) return false;
  if (stride > 2 || (stride == 1 && (bytes > 1 || h.output == 1))) return false;
  if (plan.axes[0].kernel != 1) return false;
  for (const Axis<int64_t>* axis : {&h, &w}) {
    if (axis->kernel != 3 || axis->stride != stride || axis->dilation != 1 || IsAdaptive(*axis) ||
        !LacksOneTap(*axis)) {
      return false;
    }
  }
  // Narrow planes have few lanes in many rows.
  if (h.output >= 2 * w.output) return false;
  return w.input * bytes <= kShortestVector && w.output * stride * bytes <= kShortestVector &&
         h.output <= kShortRows && Contiguous(w.input, plan.x_stride[kW], 1) &&
         Contiguous(w.output, plan.y_stride[kW], 1) &&
         Contiguous(h.output, plan.y_stride[kH], w.output) &&
         Contiguous(PlanesOf(p, plan).channels, plan.y_stride[kC], h.output * w.output);
}

}  // namespace lanepool
