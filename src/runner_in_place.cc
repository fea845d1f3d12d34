// What is done to results in place: limits of all types but bytes, whose formulas have them, and
// the formula of maxima of bytes.
#include <stdint.h>

#include "compiled_in.h"
#include "element_rules.h"
#include "kernel_in_place.h"
#include "runner_context.h"
#include "types.h"

namespace lanepool {
namespace {

// Calls run(y, lanes, step) for all outputs of the item. Lanes lie side by side where they can, and
// what follows on them is lanes, too.
template <class Run>
void ForEachStretch(const Context& context, const Item& item, const Run& run) {
  const int64_t* const strides = context.y_stride;
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
  for (int64_t i = 0; i < extents[2].count; ++i) {
    for (int64_t j = 0; j < extents[1].count; ++j) {
      run(context.Y(y + i * extents[2].stride + j * extents[1].stride), extents[0].count,
          extents[0].stride);
    }
  }
}

// Whether no window along the axis lacks all taps, as far as this can be told at once.
bool HaveTaps(const Axis<int64_t>& axis) {
  const bool first = axis.pad_begin == 0 || (axis.dilation == 1 && axis.pad_begin < axis.kernel);
  return first && WindowStart(axis, axis.output - 1) < axis.input;
}

}  // namespace

void ClampItem(const Context& context, const Item& item) {
  const lanepool_params& p = context.params;
  const OrderRules order = OrderOf({p.y_type, false, false, LANEPOOL_NAN_PROPAGATE});
  const Limits limits = ClampLimits(p, order);
  const auto clamp = KernelsFinish(context.target)->clamp;
  const int32_t bytes = static_cast<int32_t>(context.y_size);
  ForEachStretch(context, item, [&](char* y, int64_t lanes, int64_t step) {
    clamp({y, lanes, step, bytes, &order, limits.low, limits.high});
  });
}

bool RequantizesInPlace(const Context& context) {
  const lanepool_params& p = context.params;
  if (kCompact || context.requants == nullptr || context.requants_per_channel != 0) return false;
  if (!IsExtreme(p.op) || p.index_type != LANEPOOL_TYPE_NONE) return false;
  // In NHWC vectors of channels are full as they are, and items may be of groups of lanes.
  const Plan& plan = context.plan;
  if (plan.strategy.group != 1 || AreImagesAlongW(plan)) return false;
  if (p.layout != LANEPOOL_LAYOUT_NCHW || plan.y_stride[kW] != 1) return false;
  const Axis<int64_t>* const axes = plan.axes;
  return HaveTaps(axes[0]) && HaveTaps(axes[1]) && HaveTaps(axes[2]);
}

void RequantizeItem(const Context& context, const Requant& requant, const Item& item) {
  RequantInPlace* const run = KernelInPlace(context.target);
  const ElementRules& rules = context.rules;
  ForEachStretch(context, item, [&](char* y, int64_t lanes, int64_t) {
    run({reinterpret_cast<uint8_t*>(y), lanes, &requant, rules.x_flip, rules.y_flip});
  });
}

}  // namespace lanepool
