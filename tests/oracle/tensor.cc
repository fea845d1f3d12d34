#include "tensor.h"

#include <algorithm>
#include <limits>

#include "types.h"

namespace oracle {
namespace {

constexpr Wide kMax = std::numeric_limits<int64_t>::max();

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

// A tensor with these spatial sizes.
Tensor Make(const lanepool_params& params, const int64_t* spatial, const int64_t* strides,
            int32_t type) {
  Tensor tensor = {{params.batch, params.channels, 1, 1, 1}, {}, ElementBytes(type)};
  std::copy(spatial, spatial + params.rank, tensor.sizes + 2);
  SetStrides(params, strides, &tensor);
  return tensor;
}

}  // namespace

bool IsTooLarge(const lanepool_params& params, const Wide* spatial, const int64_t* strides,
                int32_t type) {
  const Wide sizes[5] = {params.batch, params.channels, spatial[0], spatial[1], spatial[2]};
  Wide count = 1;  // elements of a dense tensor
  Wide last = 0;   // offset of the last element of a view
  for (int i = 0; i < 2 + params.rank; ++i) {
    const Wide size = std::max<Wide>(sizes[i], 1);
    if (!IsView(params, strides)) count *= size;
    last += (size - 1) * strides[i];  // below 2^126 in magnitude
    if (count > kMax || last < -kMax || last > kMax) return true;
  }
  return std::max(count, last + 1) * ElementBytes(type) > kMax;
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
  return Make(params, params.input, params.x_strides, params.x_type);
}

Tensor TensorOfY(const lanepool_params& params, const Shape& shape) {
  return Make(params, shape.output, params.y_strides, params.y_type);
}

Tensor TensorOfIndex(const lanepool_params& params, const Shape& shape) {
  if (params.index_type == LANEPOOL_TYPE_NONE) return {};
  const bool unpool = params.op == LANEPOOL_OP_MAX_UNPOOL;
  return Make(params, unpool ? params.input : shape.output, params.index_strides,
              params.index_type);
}

}  // namespace oracle
