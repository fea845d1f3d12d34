#include "window.h"

#include <algorithm>
#include <cmath>

namespace oracle {
namespace {

// The taps of a window at [low, high): they follow each other.
TapRange TapsWithin(const Window& window, int64_t low, int64_t high) {
  TapRange range = {0, 0};
  for (int64_t j = 0; j < window.kernel; ++j) {
    const int64_t t = window.start + j * window.dilation;
    if (t < low) ++range.first;
    if (t >= low && t < high) ++range.taps;
  }
  return range;
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

int64_t InsideTaps::All() const { return axes[0].taps * axes[1].taps * axes[2].taps; }

InsideTaps InsideTapsOf(const Job& job, const Position& at) {
  InsideTaps inside;
  for (int i = 0; i < 3; ++i) {
    const Axis& axis = job.axes[i];
    inside.windows[i] = WindowOf(axis, at[i + 2]);
    inside.axes[i] = TapsWithin(inside.windows[i], 0, axis.input);
  }
  return inside;
}

Place PlaceOfTap(const InsideTaps& inside, size_t tap) {
  Place place = {};
  int64_t j[3], rest = static_cast<int64_t>(tap);
  for (int i = 2; i >= 0; --i) {
    j[i] = inside.axes[i].first + rest % inside.axes[i].taps;
    rest /= inside.axes[i].taps;
  }
  for (int i = 0; i < 3; ++i) {
    const Window& w = inside.windows[i];
    place.t[i] = w.start + j[i] * w.dilation;
    place.number = place.number * w.kernel + j[i];
  }
  return place;
}

Taps TapsOf(const Job& job, const Position& at, int32_t type, const void* x) {
  const InsideTaps inside = InsideTapsOf(job, at);
  Taps taps = {};
  taps.all = taps.inside_pads = 1;
  for (int i = 0; i < 3; ++i) {
    const Axis& axis = job.axes[i];
    const Window& w = inside.windows[i];
    taps.all *= w.kernel;
    taps.inside_pads *= TapsWithin(w, -axis.pad_begin, axis.input + axis.pad_end).taps;
  }
  const auto n = static_cast<size_t>(inside.All());
  taps.values.reserve(n);
  for (size_t tap = 0; tap < n;) {
    // A row of taps.
    const Place place = PlaceOfTap(inside, tap);
    int64_t offset = Offset(job.x, {at[0], at[1], place.t[0], place.t[1], place.t[2]});
    for (int64_t j = 0; j < inside.axes[2].taps; ++j, ++tap) {
      taps.values.push_back(Load(type, x, offset));
      offset += inside.windows[2].dilation * job.x.strides[4];
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
  taps.skipped = nans;
  return taps;
}

}  // namespace oracle
