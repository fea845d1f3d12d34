// Sizes, pads and strides: sections 1 and 3 of the semantics in integers too wide to overflow.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "window.h"

namespace oracle {
namespace {

using Wide = __int128;
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
  const Wide effective_kernel = (static_cast<Wide>(axis.kernel) - 1) * axis.dilation + 1;
  const bool same = params.auto_pad == LANEPOOL_AUTO_PAD_SAME_UPPER ||
                    params.auto_pad == LANEPOOL_AUTO_PAD_SAME_LOWER;
  return same ? ResolveSame(axis, effective_kernel, params.auto_pad)
              : ResolveExplicit(axis, effective_kernel, params);
}

int32_t SignStatus(const Axis& axis) {
  if (axis.kernel < 1) return LANEPOOL_KERNEL;
  if (axis.stride < 1) return LANEPOOL_STRIDE;
  if (axis.dilation < 1) return LANEPOOL_DILATION;
  if (axis.pad_begin < 0 || axis.pad_end < 0) return LANEPOOL_PAD;
  return LANEPOOL_OK;
}

// The first tap of the window that starts at `start` and is not before the input is in the input,
// or the window is empty. A window that starts in the input has its first tap there, so only those
// that start before or behind it need a look; of these at most kMostWindows are looked at.
bool AxisHasEmptyWindow(const Axis& axis, const AxisShape& shape) {
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

bool IsView(const lanepool_params& params, const int64_t* strides) {
  return std::any_of(strides, strides + 2 + params.rank, [](int64_t s) { return s != 0; });
}

// The strides given by the caller, or those of a dense tensor if all are 0.
void SetStrides(const lanepool_params& params, const int64_t* given, Tensor* tensor) {
  if (IsView(params, given)) {
    std::copy(given, given + 2 + params.rank, tensor->strides);
    return;
  }
  const int nchw[5] = {0, 1, 2, 3, 4};
  const int nhwc[5] = {0, 2, 3, 4, 1};  // the channel is innermost
  const int* order = params.layout == LANEPOOL_LAYOUT_NHWC ? nhwc : nchw;
  int64_t stride = 1;
  for (int i = 4; i >= 0; --i) {
    tensor->strides[order[i]] = stride;
    stride *= tensor->sizes[order[i]];
  }
}

int64_t ElementBytes(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_UINT8:
    case LANEPOOL_TYPE_INT8:
      return 1;
    case LANEPOOL_TYPE_FLOAT16:
    case LANEPOOL_TYPE_BFLOAT16:
    case LANEPOOL_TYPE_INT16:
    case LANEPOOL_TYPE_UINT16:
      return 2;
    case LANEPOOL_TYPE_DOUBLE:
    case LANEPOOL_TYPE_INT64:
      return 8;
    default:
      return 4;
  }
}

// Whether a tensor of these sizes has more bytes than int64 can tell. A size of 0 does not hide
// that the others are too large.
bool TooLarge(const lanepool_params& params, const Wide* spatial, const int64_t* strides,
              int64_t element_bytes) {
  const Wide sizes[5] = {params.batch, params.channels, spatial[0], spatial[1], spatial[2]};
  Wide count = 1;  // elements of a dense tensor
  Wide last = 0;   // offset of the last element of a view
  for (int i = 0; i < 2 + params.rank; ++i) {
    const Wide size = std::max<Wide>(sizes[i], 1);
    if (!IsView(params, strides)) count *= size;
    last += (size - 1) * strides[i];  // below 2^126 in magnitude
    if (count > kMax || last < -kMax || last > kMax) return true;
  }
  return std::max(count, last + 1) * element_bytes > kMax;
}

}  // namespace

Shape ResolveShape(const lanepool_params& params) {
  Shape shape = {};
  Wide output[3] = {1, 1, 1};
  Wide input[3] = {1, 1, 1};
  for (int i = 0; i < params.rank && shape.status == LANEPOOL_OK; ++i) {
    shape.status = (params.flags & LANEPOOL_FLAG_GLOBAL) != 0 ? 0 : SignStatus(AxisOf(params, i));
  }
  if (shape.status != LANEPOOL_OK) return shape;
  const bool negative = params.batch < 0 || params.channels < 0;
  if (negative || *std::min_element(params.input, params.input + params.rank) < 1) {
    shape.status = LANEPOOL_DIM;
    return shape;
  }

  bool overflow = false;
  bool empty_output = false;
  for (int i = 0; i < params.rank; ++i) {
    const Axis axis = AxisOf(params, i);
    const AxisShape resolved = ResolveAxis(axis, params);
    const Wide padded = axis.input + resolved.pad_begin + resolved.pad_end;
    overflow |= resolved.effective_kernel > kMax || padded > kMax || resolved.output > kMax;
    shape.near_overflow |= padded + resolved.effective_kernel + axis.stride > kMax;
    empty_output |= resolved.output < 1;
    shape.output[i] = static_cast<int64_t>(resolved.output);
    shape.pads_begin[i] = static_cast<int64_t>(resolved.pad_begin);
    shape.pads_end[i] = static_cast<int64_t>(resolved.pad_end);
    input[i] = axis.input;
    output[i] = resolved.output;
    const bool good = !overflow && !empty_output;
    shape.has_empty_windows |= good && AxisHasEmptyWindow(axis, resolved);
  }
  overflow |= TooLarge(params, input, params.x_strides, ElementBytes(params.x_type)) ||
              TooLarge(params, output, params.y_strides, ElementBytes(params.y_type));
  if (overflow) {
    shape.status = LANEPOOL_OVERFLOW;
  } else if (empty_output) {
    shape.status = LANEPOOL_EMPTY_OUTPUT;
  } else if (shape.has_empty_windows && params.empty_window == LANEPOOL_EMPTY_REJECT) {
    shape.status = LANEPOOL_EMPTY_WINDOW;
  }
  return shape;
}

int64_t Tensor::Span() const {
  int64_t last = 0;
  for (int i = 0; i < 5; ++i) {
    if (sizes[i] == 0) return 0;
    last += (sizes[i] - 1) * strides[i];
  }
  return last + 1;
}

Tensor TensorOfX(const lanepool_params& params) {
  Tensor tensor = {{params.batch, params.channels, 1, 1, 1}, {}, ElementBytes(params.x_type)};
  std::copy(params.input, params.input + params.rank, tensor.sizes + 2);
  SetStrides(params, params.x_strides, &tensor);
  return tensor;
}

Tensor TensorOfY(const lanepool_params& params, const Shape& shape) {
  Tensor tensor = {{params.batch, params.channels, 1, 1, 1}, {}, ElementBytes(params.y_type)};
  std::copy(shape.output, shape.output + params.rank, tensor.sizes + 2);
  SetStrides(params, params.y_strides, &tensor);
  return tensor;
}

}  // namespace oracle
