#include "window.h"

namespace oracle {
namespace {

bool InInput(const Axis& axis, int64_t t) { return t >= 0 && t < axis.input; }
bool InPads(const Axis& axis, int64_t t) {
  return t >= -axis.pad_begin && t < axis.input + axis.pad_end;
}

}  // namespace

Axis AxisOf(const lanepool_params& params, int i) {
  if ((params.flags & LANEPOOL_FLAG_GLOBAL) != 0) {
    return {params.input[i], params.input[i], 1, 1, 0, 0};
  }
  return {params.input[i],     params.kernel[i],     params.strides[i],
          params.dilations[i], params.pads_begin[i], params.pads_end[i]};
}

Job JobOf(const lanepool_params& params, const Shape& shape) {
  Job job = {};
  for (int i = 0; i < 3; ++i) {
    job.axes[i] = {1, 1, 1, 1, 0, 0};
    if (i >= params.rank) continue;
    job.axes[i] = AxisOf(params, i);
    job.axes[i].pad_begin = shape.pads_begin[i];
    job.axes[i].pad_end = shape.pads_end[i];
  }
  job.x = TensorOfX(params);
  job.y = TensorOfY(params, shape);
  return job;
}

int64_t Offset(const Tensor& tensor, const Position& at) {
  int64_t offset = 0;
  for (int i = 0; i < 5; ++i) offset += at[i] * tensor.strides[i];
  return offset;
}

double Load(int32_t type, const void* base, int64_t index) {
  switch (type) {
    case LANEPOOL_TYPE_DOUBLE:
      return static_cast<const double*>(base)[index];
    case LANEPOOL_TYPE_UINT8:
      return static_cast<const uint8_t*>(base)[index];
    case LANEPOOL_TYPE_INT8:
      return static_cast<const int8_t*>(base)[index];
    default:
      return static_cast<double>(static_cast<const float*>(base)[index]);
  }
}

Taps TapsOf(const Job& job, const Position& at, int32_t type, const void* x) {
  const Axis* axes = job.axes;
  Taps taps = {};
  for (int64_t j0 = 0; j0 < axes[0].kernel; ++j0) {
    for (int64_t j1 = 0; j1 < axes[1].kernel; ++j1) {
      for (int64_t j2 = 0; j2 < axes[2].kernel; ++j2) {
        const int64_t t0 = at[2] * axes[0].stride - axes[0].pad_begin + j0 * axes[0].dilation;
        const int64_t t1 = at[3] * axes[1].stride - axes[1].pad_begin + j1 * axes[1].dilation;
        const int64_t t2 = at[4] * axes[2].stride - axes[2].pad_begin + j2 * axes[2].dilation;
        if (InPads(axes[0], t0) && InPads(axes[1], t1) && InPads(axes[2], t2)) {
          taps.inside_pads += 1;
        }
        if (InInput(axes[0], t0) && InInput(axes[1], t1) && InInput(axes[2], t2)) {
          taps.values.push_back(Load(type, x, Offset(job.x, {at[0], at[1], t0, t1, t2})));
        }
      }
    }
  }
  return taps;
}

}  // namespace oracle
