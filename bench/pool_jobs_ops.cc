// Ops besides average and max, maxima with their positions, and what options cost. Each row changes
// a named shape, which AddFloats() times as it is.
#include <limits>

#include "pool_job.h"
#include "pool_jobs.h"

namespace {

using Params = lanepool_params;

Params OfOp(Params p, int32_t op) {
  p.op = op;
  return p;
}

Params OfLp(Params p, double order) {
  p.lp_order = order;
  return OfOp(p, LANEPOOL_OP_LP);
}

Params OfType(Params p, int32_t type) {
  p.x_type = p.y_type = type;
  return p;
}

Params WithIndex(Params p, int32_t index_type) {
  p.index_type = index_type;
  return p;
}

Params WithFlag(Params p, uint32_t flag) {
  p.flags |= flag;
  return p;
}

Params Clamped(Params p) {
  p.clamp_low = 0;
  p.clamp_high = 6;
  return WithFlag(p, LANEPOOL_FLAG_CLAMP);
}

Params IgnoringNan(Params p) {
  p.nan_rule = LANEPOOL_NAN_IGNORE;
  return p;
}

Params Adaptive(Params p, int64_t outputs) {
  for (int32_t axis = 0; axis < p.rank; ++axis) {
    p.kernel[axis] = 0;
    p.strides[axis] = p.dilations[axis] = 1;
    p.pads_begin[axis] = p.pads_end[axis] = 0;
    p.output_size[axis] = outputs;
  }
  return WithFlag(p, LANEPOOL_FLAG_ADAPTIVE);
}

// The way back from what the max of these params gives, where kernels divide the input.
Params Unpool(Params p) {
  for (int32_t axis = 0; axis < p.rank; ++axis) p.input[axis] /= p.kernel[axis];
  return OfOp(WithIndex(p, LANEPOOL_TYPE_INT64), LANEPOOL_OP_MAX_UNPOOL);
}

void Add(const char* name, const char* suffix, Params (*change)(Params)) {
  const support::NamedShape& shape = ShapeNamed(name);
  for (const int32_t layout : shape.Layouts()) {
    AddJob("ops/" + shape.name, change(shape.params), layout, suffix);
  }
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int32_t kF16 = LANEPOOL_TYPE_FLOAT16, kU8 = LANEPOOL_TYPE_UINT8;
constexpr int32_t kS32 = LANEPOOL_TYPE_INT32, kS64 = LANEPOOL_TYPE_INT64;

void AddSumsAndMinima() {
  Add("inception_a", "/sum", [](Params p) { return OfOp(p, LANEPOOL_OP_SUM); });
  Add("inception_a", "/lp1", [](Params p) { return OfLp(p, 1); });
  Add("inception_a", "/lp2", [](Params p) { return OfLp(p, 2); });
  Add("inception_a", "/lp2/f16", [](Params p) { return OfType(OfLp(p, 2), kF16); });
  Add("inception_a", "/lp3", [](Params p) { return OfLp(p, 3); });
  Add("inception_a", "/lp2.5", [](Params p) { return OfLp(p, 2.5); });
  Add("inception_a", "/lp_inf", [](Params p) { return OfLp(p, kInfinity); });
  Add("gap_mobilenet", "/lp2", [](Params p) { return OfLp(p, 2); });
  Add("resnet_stem", "/min", [](Params p) { return OfOp(p, LANEPOOL_OP_MIN); });
  Add("resnet_stem", "/min/u8",
      [](Params p) { return OfType(OfOp(p, LANEPOOL_OP_MIN), LANEPOOL_TYPE_UINT8); });
}

void AddPositions() {
  Add("resnet_stem", "/index_int64", [](Params p) { return WithIndex(p, kS64); });
  Add("resnet_stem", "/index_int32", [](Params p) { return WithIndex(p, kS32); });
  Add("resnet_stem", "/index_int32/f16", [](Params p) { return WithIndex(OfType(p, kF16), kS32); });
  Add("resnet_stem", "/index_int32/u8", [](Params p) { return WithIndex(OfType(p, kU8), kS32); });
  Add("vgg", "/index_int64", [](Params p) { return WithIndex(p, kS64); });
  Add("vgg", "/index_int32", [](Params p) { return WithIndex(p, kS32); });
  Add("i3d", "/index_int64", [](Params p) { return WithIndex(p, kS64); });
  Add("vgg", "/unpool", Unpool);
}

void AddOptions() {
  Add("inception_a", "/adaptive_6", [](Params p) { return Adaptive(p, 6); });
  Add("inception_a", "/adaptive_32", [](Params p) { return Adaptive(p, 32); });
  Add("psp", "/adaptive_6", [](Params p) { return Adaptive(p, 6); });
  Add("vgg_late", "/adaptive_7", [](Params p) { return Adaptive(p, 7); });
  Add("inception_a", "/clamp", Clamped);
  Add("inception_a", "/strict_order",
      [](Params p) { return WithFlag(p, LANEPOOL_FLAG_STRICT_ORDER); });
  Add("inception_a", "/accumulate_f64",
      [](Params p) { return WithFlag(p, LANEPOOL_FLAG_ACCUMULATE_F64); });
  Add("inception_a", "/nan_ignore", IgnoringNan);
  Add("resnet_stem", "/nan_ignore", IgnoringNan);
}

}  // namespace

void AddOps() {
  AddSumsAndMinima();
  AddPositions();
  AddOptions();
}
