#include "expected.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle.h"
#include "types.h"

namespace peers {
namespace {

// The oracle takes up to 100 ns for each.
constexpr double kMostTapsOfOracle = 1 << 24;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int64_t TapsOf(const Task& task) {
  int64_t taps = 1;
  for (const Axis& axis : task.axes) taps *= axis.kernel;
  return taps;
}

int64_t ElementsOf(const oracle::Tensor& tensor) {
  int64_t elements = 1;
  for (const int64_t size : tensor.sizes) elements *= size;
  return elements;
}

// The taps of one output along one axis: positions from `begin` in steps of the dilation.
struct Taps {
  int64_t begin, count;
};

Taps InsideInput(const Axis& axis, int64_t output) {
  Taps taps = {output * axis.stride - axis.pad_begin, 0};
  int64_t skipped = 0;
  for (; skipped < axis.kernel && taps.begin < 0; ++skipped) taps.begin += axis.dilation;
  for (int64_t at = taps.begin; skipped < axis.kernel && at < axis.input; ++skipped) {
    at += axis.dilation;
    ++taps.count;
  }
  return taps;
}

// One plane after the other as doubles, row by row, whatever the layout.
class Reference {
 public:
  Reference(const Task& task, const void* x)
      : task_(task),
        x_(x),
        x_tensor_(oracle::TensorOfX(task.params)),
        y_tensor_(oracle::TensorOfY(task.params, oracle::ResolveShape(task.params))) {
    for (size_t i = 0; i < task.axes.size(); ++i) axes_[3 - task.axes.size() + i] = task.axes[i];
  }

  std::vector<double> Compute() {
    values_.resize(static_cast<size_t>(ElementsOf(y_tensor_)));
    for (int64_t n = 0; n < task_.params.batch; ++n) {
      for (int64_t c = 0; c < task_.params.channels; ++c) {
        LoadPlane(n, c);
        PoolPlane(n, c);
      }
    }
    return std::move(values_);
  }

 private:
  // Where the element of a plane is whose position along each of three axes is known.
  int64_t OffsetIn(const oracle::Tensor& tensor, int64_t n, int64_t c, int64_t i, int64_t j,
                   int64_t k) const {
    const int64_t position[3] = {i, j, k};
    int64_t offset = n * tensor.strides[0] + c * tensor.strides[1];
    const size_t rank = task_.axes.size();
    for (size_t axis = 0; axis < rank; ++axis) {
      offset += position[3 - rank + axis] * tensor.strides[2 + axis];
    }
    return offset;
  }

  void LoadPlane(int64_t n, int64_t c) {
    plane_.clear();
    for (int64_t i = 0; i < axes_[0].input; ++i) {
      for (int64_t j = 0; j < axes_[1].input; ++j) {
        for (int64_t k = 0; k < axes_[2].input; ++k) {
          const int64_t offset = OffsetIn(x_tensor_, n, c, i, j, k);
          plane_.push_back(oracle::Load(task_.params.x_type, x_, offset));
        }
      }
    }
  }

  void PoolPlane(int64_t n, int64_t c) {
    for (int64_t i = 0; i < axes_[0].output; ++i) {
      for (int64_t j = 0; j < axes_[1].output; ++j) {
        for (int64_t k = 0; k < axes_[2].output; ++k) {
          const int64_t offset = OffsetIn(y_tensor_, n, c, i, j, k);
          values_[static_cast<size_t>(offset)] = PoolWindow(
              InsideInput(axes_[0], i), InsideInput(axes_[1], j), InsideInput(axes_[2], k));
        }
      }
    }
  }

  double PoolWindow(const Taps& d, const Taps& h, const Taps& w) const {
    double most = -kInfinity, sum = 0;
    for (int64_t i = 0; i < d.count; ++i) {
      for (int64_t j = 0; j < h.count; ++j) {
        const int64_t slice = d.begin + i * axes_[0].dilation;
        const int64_t line = h.begin + j * axes_[1].dilation;
        const double* const row =
            plane_.data() + (slice * axes_[1].input + line) * axes_[2].input + w.begin;
        for (int64_t k = 0; k < w.count; ++k) {
          const double value = row[k * axes_[2].dilation];
          most = std::max(most, value);
          sum += value;
        }
      }
    }
    if (task_.IsMax()) return most;
    const int64_t counted = task_.CountsPads() ? TapsOf(task_) : d.count * h.count * w.count;
    return sum / static_cast<double>(counted);
  }

  const Task& task_;
  const void* x_;
  oracle::Tensor x_tensor_, y_tensor_;
  Axis axes_[3] = {{1, 1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 1, 0, 0}, {}};
  std::vector<double> plane_, values_;
};

std::vector<double> ComputeByOracle(const Task& task, const void* x) {
  const lanepool_params& params = task.params;
  const oracle::Tensor tensor = oracle::TensorOfY(params, oracle::ResolveShape(params));
  std::vector<unsigned char> y(static_cast<size_t>(tensor.Bytes()));
  oracle::Pool(params, x, y.data());
  std::vector<double> values;
  for (int64_t i = 0; i < ElementsOf(tensor); ++i) {
    values.push_back(oracle::Load(params.y_type, y.data(), i));
  }
  return values;
}

}  // namespace

Expected MakeExpected(const Task& task, const void* x) {
  double taps = static_cast<double>(TapsOf(task) * task.params.batch * task.params.channels);
  for (const Axis& axis : task.axes) taps *= static_cast<double>(axis.output);
  if (taps <= kMostTapsOfOracle) return {ComputeByOracle(task, x), "oracle"};
  return {Reference(task, x).Compute(), "reference"};
}

double Tolerance(const Task& task) {
  if (task.IsMax()) return 0;
  if (task.IsQuantized()) return 1;
  const int precision = oracle::FormatOf(task.params.x_type).precision;
  return std::ldexp(static_cast<double>(TapsOf(task) + 1), -precision);
}

double LargestDifference(const Task& task, const Expected& expected, const void* y) {
  double largest = 0;
  for (size_t i = 0; i < expected.values.size(); ++i) {
    const double got = oracle::Load(task.params.y_type, y, static_cast<int64_t>(i));
    const double difference = std::abs(got - expected.values[i]);
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace peers
