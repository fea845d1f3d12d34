// Limits of results, in place, for all types but bytes, whose formulas have them.
#include <stdint.h>

#include "element_rules.h"
#include "runner_context.h"
#include "types.h"

namespace lanepool {

void ClampItem(const Context& context, const Item& item) {
  const lanepool_params& p = context.params;
  const int64_t* const strides = context.y_stride;
  const OrderRules order = OrderOf({p.y_type, false, false, LANEPOOL_NAN_PROPAGATE});
  const Limits limits = ClampLimits(p, order);
  const auto clamp = KernelsFinish(context.target)->clamp;
  // Lanes lie side by side, and what follows on them is lanes, too.
  struct Extent {
    int64_t begin, count, stride;
  };
  Extent c = {item.c_begin, item.c_end - item.c_begin, strides[kC]};
  Extent h = {item.h_begin, item.h_end - item.h_begin, strides[kH]};
  Extent w = {item.w_begin, item.w_end - item.w_begin, strides[kW]};
  const bool channels = c.stride == 1 && c.count > 1;
  Extent extents[3] = {channels ? c : w, channels ? w : h, channels ? h : c};
  int64_t y = item.n * strides[kN] + item.d * strides[kD];
  for (const Extent& extent : extents) y += extent.begin * extent.stride;
  for (int i = 0; i < 2; ++i) {
    if (extents[1].stride != extents[0].count * extents[0].stride) break;
    extents[0].count *= extents[1].count;
    extents[1] = extents[2];
    extents[2] = {0, 1, 0};
  }
  ClampJob job = {
      nullptr, extents[0].count, extents[0].stride, static_cast<int32_t>(context.y_size),
      &order,  limits.low,       limits.high};
  for (int64_t i = 0; i < extents[2].count; ++i) {
    for (int64_t j = 0; j < extents[1].count; ++j) {
      job.y = context.Y(y + i * extents[2].stride + j * extents[1].stride);
      clamp(job);
    }
  }
}

}  // namespace lanepool
