// Sizes, pads and strides: sections 1 and 3 of the semantics in integers too wide to overflow.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "tensor.h"
#include "window.h"

namespace oracle {
namespace {

constexpr Wide kMax = std::numeric_limits<int64_t>::max();

// Division toward -inf, +inf and zero; the divisor is positive.
Wide Floor(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }
Wide Ceil(Wide a, Wide b) { return -Floor(-a, b); }

struct AxisShape {
  Wide output, pad_begin, pad_end;
  Wide effective_kernel;
};

AxisShape ResolveSame(const Axis& axis, Wide effective_kernel, int32_t auto_pad) {
  const Wide output = Ceil(axis.input, axis.stride);
  const Wide total = (output - 1) * axis.stride + effective_kernel - axis.input;
  const Wide small = std::max<Wide>(total, 0) / 2;
  const Wide big = std::max<Wide>(total, 0) - small;
  if (auto_pad == LANEPOOL_AUTO_PAD_SAME_UPPER) return {output, small, big, effective_kernel};
  return {output, big, small, effective_kernel};
}

AxisShape ResolveExplicit(const Axis& axis, Wide effective_kernel, const lanepool_params& params) {
  const bool valid = params.auto_pad == LANEPOOL_AUTO_PAD_VALID;
  const Wide pad_begin = valid ? 0 : axis.pad_begin;
  const Wide pad_end = valid ? 0 : axis.pad_end;
  const Wide room = axis.input + pad_begin + pad_end - effective_kernel;
  const bool floor_mode =
      params.ceil_mode == LANEPOOL_CEIL_OFF || (valid && params.valid_ceil == LANEPOOL_VALID_FLOOR);
  Wide output;
  if (!floor_mode) {
    output = Ceil(room, axis.stride) + 1;
    const bool starts_in_end_pad = (output - 1) * axis.stride >= axis.input + pad_begin;
    if (params.ceil_mode == LANEPOOL_CEIL_ON && output > 0 && starts_in_end_pad) output -= 1;
  } else if (params.oversize_kernel == LANEPOOL_OVERSIZE_TRUNCATE) {
    output = room / axis.stride + 1;
  } else {
    output = Floor(room, axis.stride) + 1;
  }
  return {output, pad_begin, pad_end, effective_kernel};
}

AxisShape ResolveAxis(const Axis& axis, const lanepool_params& params) {
  if (axis.adaptive_outputs != 0) return {axis.adaptive_outputs, 0, 0, 1};
  const Wide effective_kernel = (static_cast<Wide>(axis.kernel) - 1) * axis.dilation + 1;
  const bool same = params.auto_pad == LANEPOOL_AUTO_PAD_SAME_UPPER ||
                    params.auto_pad == LANEPOOL_AUTO_PAD_SAME_LOWER;
  return same ? ResolveSame(axis, effective_kernel, params.auto_pad)
              : ResolveExplicit(axis, effective_kernel, params);
}

int32_t SignStatus(const Axis& axis, int64_t least_kernel) {
  if (axis.kernel < least_kernel) return LANEPOOL_KERNEL;
  if (axis.stride < 1) return LANEPOOL_STRIDE;
  if (axis.dilation < 1) return LANEPOOL_DILATION;
  if (axis.pad_begin < 0 || axis.pad_end < 0) return LANEPOOL_PAD;
  return LANEPOOL_OK;
}

// The first tap of the window that starts at `start` and is not before the input is in the input,
// or the window is empty. A window that starts in the input has its first tap there, so only those
// that start before or behind it need a look; of these at most kMostWindows are looked at.
bool AxisHasEmptyWindow(const Axis& axis, const AxisShape& shape) {
  if (axis.adaptive_outputs != 0) return false;
  const auto empty = [&](Wide output) {
    const Wide start = output * axis.stride - shape.pad_begin;
    const Wide first = start >= 0 ? 0 : Ceil(-start, axis.dilation);
    return first >= axis.kernel || start + first * axis.dilation >= axis.input;
  };
  const Wide looked_at = std::min<Wide>(shape.output, kMostWindows);
  for (Wide o = 0; o < looked_at && o * axis.stride < shape.pad_begin; ++o) {
    if (empty(o)) return true;
  }
  return empty(shape.output - 1);
}

// MAX_UNPOOL: the tensor that indices are positions in, and y.
struct Unpooled {
  Wide space, output;
};

Unpooled ResolveUnpool(const lanepool_params& params, int i) {
  const Wide given = params.output_size[i];
  if (params.kernel[i] == 0) return {given, given};
  const Wide space = (static_cast<Wide>(params.input[i]) - 1) * params.strides[i] +
                     params.kernel[i] - params.pads_begin[i] - params.pads_end[i];
  return {space, given == 0 ? space : given};
}

int32_t SignsStatus(const lanepool_params& params) {
  if ((params.flags & LANEPOOL_FLAG_GLOBAL) != 0) return LANEPOOL_OK;
  const bool unpool = params.op == LANEPOOL_OP_MAX_UNPOOL;
  int32_t status = LANEPOOL_OK;
  for (int i = 0; i < params.rank && status == LANEPOOL_OK; ++i) {
    status = SignStatus(AxisOf(params, i), unpool ? 0 : 1);
  }
  const bool negative = params.batch < 0 || params.channels < 0;
  if (status != LANEPOOL_OK) return status;
  return negative || *std::min_element(params.input, params.input + params.rank) < 1 ? LANEPOOL_DIM
                                                                                     : LANEPOOL_OK;
}

// Whether some index that MAX may write does not fit an INT32. Those that MAX_UNPOOL reads do.
bool IndexTooLarge(const lanepool_params& params, const Wide* space) {
  if (params.index_type != LANEPOOL_TYPE_INT32 || params.op != LANEPOOL_OP_MAX) return false;
  const bool whole_tensor =
      params.index_mode == LANEPOOL_INDEX_NCHW || params.index_mode == LANEPOOL_INDEX_NHWC;
  Wide count = 1;  // each factor is below 2^63, and counts beyond 2^62 are enough
  const Wide factors[5] = {space[0], space[1], space[2], whole_tensor ? params.batch : 1,
                           whole_tensor ? params.channels : 1};
  for (const Wide factor : factors) {
    count = std::min<Wide>(count * std::max<Wide>(factor, 1), Wide{1} << 62);
  }
  return count - 1 > std::numeric_limits<int32_t>::max();
}

// The taps of the largest window along an axis.
Wide WidestWindow(const Axis& axis) {
  if (axis.adaptive_outputs == 0) return axis.kernel;
  const Wide m = axis.adaptive_outputs;
  Wide most = 1;
  for (Wide o = 0; o < std::min<Wide>(m, kMostWindows); ++o) {
    most = std::max(most, Ceil((o + 1) * axis.input, m) - Floor(o * axis.input, m));
  }
  return most;
}

// What the axes of a job come to, and what is wrong with them.
struct Axes {
  Wide input[3] = {1, 1, 1};
  Wide output[3] = {1, 1, 1};
  Wide space[3] = {1, 1, 1};  // of indices
  bool overflow = false;
  bool empty_output = false;
};

void ResolvePoolAxis(const lanepool_params& params, int i, Axes* axes, Shape* shape) {
  const Axis axis = AxisOf(params, i);
  const AxisShape resolved = ResolveAxis(axis, params);
  const Wide padded = axis.input + resolved.pad_begin + resolved.pad_end;
  axes->overflow |= resolved.effective_kernel > kMax || padded > kMax || resolved.output > kMax;
  shape->near_overflow |= padded + resolved.effective_kernel + axis.stride > kMax ||
                          (Wide{axis.input} + 1) * axis.adaptive_outputs > kMax;
  axes->empty_output |= resolved.output < 1;
  axes->output[i] = resolved.output;
  axes->space[i] =
      params.index_mode == LANEPOOL_INDEX_WINDOW ? WidestWindow(axis) : Wide{axis.input};
  shape->pads_begin[i] = static_cast<int64_t>(resolved.pad_begin);
  shape->pads_end[i] = static_cast<int64_t>(resolved.pad_end);
  const bool good = !axes->overflow && !axes->empty_output;
  shape->has_empty_windows |= good && AxisHasEmptyWindow(axis, resolved);
}

void ResolveUnpoolAxis(const lanepool_params& params, int i, Axes* axes, Shape* shape) {
  const Unpooled resolved = ResolveUnpool(params, i);
  axes->overflow |= resolved.space > kMax;
  shape->near_overflow |= Wide{params.pads_begin[i]} + params.pads_end[i] > kMax ||
                          (Wide{params.input[i]} - 1) * params.strides[i] > kMax - params.kernel[i];
  axes->empty_output |= resolved.space < 1;
  axes->output[i] = resolved.output;
  axes->space[i] = resolved.space;
  if (params.kernel[i] == 0) return;
  shape->pads_begin[i] = params.pads_begin[i];
  shape->pads_end[i] = params.pads_end[i];
}

}  // namespace

Shape ResolveShape(const lanepool_params& params) {
  Shape shape = {};
  shape.status = SignsStatus(params);
  if (shape.status != LANEPOOL_OK) return shape;
  const bool unpool = params.op == LANEPOOL_OP_MAX_UNPOOL;
  Axes axes;
  for (int i = 0; i < params.rank; ++i) {
    axes.input[i] = params.input[i];
    (unpool ? ResolveUnpoolAxis : ResolvePoolAxis)(params, i, &axes, &shape);
    shape.output[i] = static_cast<int64_t>(axes.output[i]);
    shape.index_space[i] = unpool ? static_cast<int64_t>(axes.space[i]) : params.input[i];
  }
  const Wide* const indexed = unpool ? axes.input : axes.output;
  const bool has_index = params.index_type != LANEPOOL_TYPE_NONE;
  axes.overflow |= IsTooLarge(params, axes.input, params.x_strides, params.x_type);
  if (!axes.empty_output) {  // y and the index space have a size
    axes.overflow |=
        IsTooLarge(params, axes.output, params.y_strides, params.y_type) ||
        (has_index && IsTooLarge(params, indexed, params.index_strides, params.index_type)) ||
        IndexTooLarge(params, axes.space);
  }
  if (axes.overflow) {
    shape.status = LANEPOOL_OVERFLOW;
  } else if (axes.empty_output) {
    shape.status = LANEPOOL_EMPTY_OUTPUT;
  } else if (shape.has_empty_windows && params.empty_window == LANEPOOL_EMPTY_REJECT) {
    shape.status = LANEPOOL_EMPTY_WINDOW;
  }
  return shape;
}

}  // namespace oracle
