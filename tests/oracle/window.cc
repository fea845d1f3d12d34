#include "window.h"

#include <algorithm>
#include <cmath>

namespace oracle {
namespace {

bool InInput(const Axis& axis, int64_t t) { return t >= 0 && t < axis.input; }
bool InPads(const Axis& axis, int64_t t) {
  return t >= -axis.pad_begin && t < axis.input + axis.pad_end;
}

}  // namespace

Axis AxisOf(const lanepool_params& params, int i) {
  if ((params.flags & LANEPOOL_FLAG_GLOBAL) != 0) {
    return {params.input[i], params.input[i], 1, 1, 0, 0, 0};
  }
  if ((params.flags & LANEPOOL_FLAG_ADAPTIVE) != 0) {
    return {params.input[i], params.input[i], 1, 1, 0, 0, params.output_size[i]};
  }
  return {params.input[i],
          params.kernel[i],
          params.strides[i],
          params.dilations[i],
          params.pads_begin[i],
          params.pads_end[i],
          0};
}

Window WindowOf(const Axis& axis, int64_t output) {
  if (axis.adaptive_outputs == 0) {
    return {output * axis.stride - axis.pad_begin, axis.kernel, axis.dilation};
  }
  const int64_t n = axis.input;
  const int64_t m = axis.adaptive_outputs;
  const int64_t begin = output * n / m;
  const int64_t end = ((output + 1) * n + m - 1) / m;
  return {begin, end - begin, 1};
}

Job JobOf(const lanepool_params& params, const Shape& shape) {
  Job job = {};
  for (int i = 0; i < 3; ++i) {
    job.axes[i] = {1, 1, 1, 1, 0, 0, 0};
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

Taps TapsOf(const Job& job, const Position& at, int32_t type, const void* x) {
  const Axis* axes = job.axes;
  const Window w[3] = {WindowOf(axes[0], at[2]), WindowOf(axes[1], at[3]),
                       WindowOf(axes[2], at[4])};
  Taps taps = {};
  size_t most = 1;
  for (int i = 0; i < 3; ++i) most *= static_cast<size_t>(std::min(w[i].kernel, axes[i].input));
  taps.values.reserve(most);
  taps.places.reserve(most);
  for (int64_t j0 = 0; j0 < w[0].kernel; ++j0) {
    for (int64_t j1 = 0; j1 < w[1].kernel; ++j1) {
      for (int64_t j2 = 0; j2 < w[2].kernel; ++j2) {
        const int64_t number = taps.all++;
        const int64_t t0 = w[0].start + j0 * w[0].dilation;
        const int64_t t1 = w[1].start + j1 * w[1].dilation;
        const int64_t t2 = w[2].start + j2 * w[2].dilation;
        if (InPads(axes[0], t0) && InPads(axes[1], t1) && InPads(axes[2], t2)) {
          taps.inside_pads += 1;
        }
        if (InInput(axes[0], t0) && InInput(axes[1], t1) && InInput(axes[2], t2)) {
          taps.values.push_back(Load(type, x, Offset(job.x, {at[0], at[1], t0, t1, t2})));
          taps.places.push_back({{t0, t1, t2}, number});
        }
      }
    }
  }
  return taps;
}

Taps WithoutNans(const lanepool_params& params, Taps taps) {
  const bool sums = params.op == LANEPOOL_OP_AVERAGE || params.op == LANEPOOL_OP_SUM ||
                    params.op == LANEPOOL_OP_LP;
  if (!sums || params.nan_rule != LANEPOOL_NAN_IGNORE) return taps;
  const auto is_nan = [](double value) { return std::isnan(value); };
  const auto nans = std::count_if(taps.values.begin(), taps.values.end(), is_nan);
  if (nans == static_cast<std::ptrdiff_t>(taps.values.size())) return taps;
  taps.values.erase(std::remove_if(taps.values.begin(), taps.values.end(), is_nan),
                    taps.values.end());
  taps.places.clear();
  taps.skipped = nans;
  return taps;
}

}  // namespace oracle
