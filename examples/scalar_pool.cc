#include "scalar_pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace {

// Taps of one window along one axis that lie in the input: positions first, first + step, ... <
// end.
struct Span {
  int64_t first, end, step;
  int64_t Count() const { return first < end ? (end - first + step - 1) / step : 0; }
};

Span SpanOf(int64_t output, int64_t stride, int64_t pad, int64_t kernel, int64_t dilation,
            int64_t size) {
  const int64_t start = output * stride - pad;
  int64_t first = start;
  while (first < 0) first += dilation;
  return {first, std::min(size, start + (kernel - 1) * dilation + 1), dilation};
}

// Distances in elements between neighbours along each axis of a dense tensor.
struct Strides {
  int64_t n, c, h, w;
};

Strides DenseStrides(int32_t layout, int64_t channels, int64_t height, int64_t width) {
  if (layout == LANEPOOL_LAYOUT_NHWC) {
    return {height * width * channels, 1, width * channels, channels};
  }
  return {channels * height * width, height * width, width, 1};
}

float Average(const float* plane, const Strides& strides, const Span& rows, const Span& columns) {
  float sum = 0;
  for (int64_t h = rows.first; h < rows.end; h += rows.step) {
    for (int64_t w = columns.first; w < columns.end; w += columns.step) {
      sum += plane[h * strides.h + w * strides.w];
    }
  }
  const int64_t taps = rows.Count() * columns.Count();
  return taps == 0 ? 0 : sum / static_cast<float>(taps);
}

// Without a branch on the values, which nobody could predict.
float Maximum(const float* plane, const Strides& strides, const Span& rows, const Span& columns) {
  float maximum = -std::numeric_limits<float>::infinity();
  bool has_nan = false;
  for (int64_t h = rows.first; h < rows.end; h += rows.step) {
    for (int64_t w = columns.first; w < columns.end; w += columns.step) {
      const float value = plane[h * strides.h + w * strides.w];
      maximum = value > maximum ? value : maximum;
      has_nan |= value != value;
    }
  }
  return has_nan ? std::numeric_limits<float>::quiet_NaN() : maximum;
}

}  // namespace

void ScalarPool(const lanepool_params& p, const lanepool_desc& desc, const float* x, float* y) {
  const bool global = (p.flags & LANEPOOL_FLAG_GLOBAL) != 0;
  const int64_t kernel_h = global ? p.input[0] : p.kernel[0];
  const int64_t kernel_w = global ? p.input[1] : p.kernel[1];
  const Strides xs = DenseStrides(p.layout, p.channels, p.input[0], p.input[1]);
  const Strides ys = DenseStrides(p.layout, p.channels, desc.output[0], desc.output[1]);
  for (int64_t n = 0; n < p.batch; ++n) {
    for (int64_t h = 0; h < desc.output[0]; ++h) {
      const Span rows =
          SpanOf(h, p.strides[0], desc.pads_begin[0], kernel_h, p.dilations[0], p.input[0]);
      for (int64_t w = 0; w < desc.output[1]; ++w) {
        const Span columns =
            SpanOf(w, p.strides[1], desc.pads_begin[1], kernel_w, p.dilations[1], p.input[1]);
        for (int64_t c = 0; c < p.channels; ++c) {
          const float* plane = x + n * xs.n + c * xs.c;
          y[n * ys.n + c * ys.c + h * ys.h + w * ys.w] = p.op == LANEPOOL_OP_MAX
                                                             ? Maximum(plane, xs, rows, columns)
                                                             : Average(plane, xs, rows, columns);
        }
      }
    }
  }
}
