#include "named_shapes.h"

#include <algorithm>

namespace support {
namespace {

using Axes = std::vector<int64_t>;

lanepool_params MakeParams(int32_t op, int32_t layout, int64_t batch, int64_t channels,
                           const Axes& input, const Axes& kernel, const Axes& strides,
                           const Axes& dilations, const Axes& pads, int32_t ceil_mode,
                           int32_t divisor, uint32_t flags) {
  lanepool_params p;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = op;
  p.layout = layout != 0 ? layout : LANEPOOL_LAYOUT_NCHW;
  p.rank = static_cast<int32_t>(input.size());
  p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
  p.ceil_mode = ceil_mode;
  p.divisor = divisor;
  p.flags = flags;
  p.batch = batch;
  p.channels = channels;
  std::copy(input.begin(), input.end(), p.input);
  std::copy(kernel.begin(), kernel.end(), p.kernel);
  std::copy(strides.begin(), strides.end(), p.strides);
  std::copy(dilations.begin(), dilations.end(), p.dilations);
  std::copy(pads.begin(), pads.begin() + p.rank, p.pads_begin);
  std::copy(pads.begin() + p.rank, pads.end(), p.pads_end);
  return p;
}

std::vector<NamedShape> MakeShapes() {
  constexpr bool TEST = false;
  constexpr bool TIME = true;
  constexpr int32_t LANEPOOL_LAYOUT_BOTH = 0;
#define AXES(...) {__VA_ARGS__}
#define LANEPOOL_SHAPE(use, name, reason, op, layout, batch, channels, input, kernel, strides,     \
                       dilations, pads, ceil_mode, divisor, flags)                                 \
  {use, #name, reason, LANEPOOL_LAYOUT_##layout,                                                   \
   MakeParams(LANEPOOL_OP_##op, LANEPOOL_LAYOUT_##layout, batch, channels, input, kernel, strides, \
              dilations, pads, LANEPOOL_CEIL_##ceil_mode, LANEPOOL_DIVISOR_##divisor, flags)},
  return {
#include "shapes.inc"
  };
#undef LANEPOOL_SHAPE
#undef AXES
}

}  // namespace

std::vector<int32_t> NamedShape::Layouts() const {
  if (layout != 0) return {layout};
  return {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC};
}

const std::vector<NamedShape>& NamedShapes() {
  static const std::vector<NamedShape> shapes = MakeShapes();
  return shapes;
}

}  // namespace support
