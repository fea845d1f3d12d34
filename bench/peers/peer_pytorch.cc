// PyTorch's tensor library, ATen, with outputs that exist already. Its maxima come with their
// positions: there is no way to have them alone.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/quantized/Quantizer.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/api/include/torch/version.h>

#include <cstring>
#include <stdexcept>

#include "peer.h"

namespace {

using peers::Axis;
using peers::Task;
using peers::Tensors;

at::ScalarType TypeOf(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_FLOAT:
      return at::kFloat;
    case LANEPOOL_TYPE_FLOAT16:
      return at::kHalf;
    case LANEPOOL_TYPE_BFLOAT16:
      return at::kBFloat16;
    case LANEPOOL_TYPE_DOUBLE:
      return at::kDouble;
    case LANEPOOL_TYPE_UINT8:
      return at::kQUInt8;
    case LANEPOOL_TYPE_INT8:
      return at::kQInt8;
    default:
      throw std::invalid_argument("no such type");
  }
}

// Pads are the same at both ends here, and at most half the kernel. End pads that reach further out
// for ceil_mode are its own affair.
void CheckPads(const Task& task) {
  for (const Axis& axis : task.axes) {
    const bool has_overhang = task.params.ceil_mode != LANEPOOL_CEIL_OFF;
    if (axis.pad_begin != axis.pad_end && !has_overhang) throw std::invalid_argument("pads differ");
    if (2 * axis.pad_begin > axis.kernel) {
      throw std::invalid_argument("pads of more than half the kernel");
    }
  }
}

class TorchJob : public peers::Job {
 public:
  explicit TorchJob(const Task& task) : task_(task) {
    CheckPads(task);
    kernel_ = task.Each(&Axis::kernel);
    strides_ = task.Each(&Axis::stride);
    pads_ = task.Each(&Axis::pad_begin);
    dilations_ = task.Each(&Axis::dilation);
    for (size_t i = 0; i < task.axes.size(); ++i) {
      spatial_axes_.push_back(static_cast<int64_t>(i) + 2);
    }
    ceil_ = task.params.ceil_mode != LANEPOOL_CEIL_OFF;
    if (!task.IsMax() && task.IsDilated()) throw std::invalid_argument("no dilated averages");
    const bool is_3d_average = task.axes.size() == 3 && !task.IsMax() && !task.IsGlobal();
    if (is_3d_average && task.IsNhwc()) throw std::invalid_argument("avg_pool3d is NCHW only");
    if (task.IsQuantized() && task.axes.size() != 2) throw std::invalid_argument("two axes only");
    at::set_num_threads(task.threads);
    if (!task.IsMax() || task.IsQuantized()) return;
    const auto sizes = task.Sizes(&Axis::output);
    positions_ = at::empty_strided(sizes, StridesOf(sizes), at::kLong);
  }

  std::string Note() const override {
    const std::string rank = std::to_string(task_.axes.size()) + "d";
    if (task_.IsQuantized()) {
      return (task_.IsMax() ? "quantized_max_pool" : "quantized avg_pool") + rank;
    }
    if (task_.IsMax()) return "max_pool" + rank + "_with_indices";
    return task_.IsGlobal() ? "mean" : "avg_pool" + rank;
  }

  void Bind(const std::vector<Tensors>& tensors) override {
    x_.clear();
    y_.clear();
    memory_.clear();
    for (const Tensors& t : tensors) {
      x_.push_back(Wrap(const_cast<void*>(t.x), &Axis::input));
      y_.push_back(Wrap(t.y, &Axis::output));
      memory_.push_back(t.y);
    }
  }

  void Run(size_t i) override {
    const c10::InferenceMode without_gradients;
    if (at::get_num_threads() != task_.threads) at::set_num_threads(task_.threads);
    if (task_.IsQuantized()) {
      result_ = task_.IsMax()
                    ? at::quantized_max_pool2d(x_[i], kernel_, strides_, pads_, dilations_, ceil_)
                    : at::avg_pool2d(x_[i], kernel_, strides_, pads_, ceil_, task_.CountsPads());
    } else if (task_.IsMax()) {
      PoolMax(x_[i], y_[i]);
    } else {
      PoolAverage(x_[i], y_[i]);
    }
  }

  // Quantized results are always in new memory.
  void Fetch(size_t i) override {
    if (!task_.IsQuantized()) return;
    const auto format =
        task_.IsNhwc() ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
    const at::Tensor dense = result_.contiguous(format);
    std::memcpy(memory_[i], dense.data_ptr(), static_cast<size_t>(dense.numel()));
  }

 private:
  // Of a dense tensor of the task's layout whose sizes are listed as N, C, spatial.
  std::vector<int64_t> StridesOf(const std::vector<int64_t>& sizes) const {
    std::vector<int64_t> strides(sizes.size());
    int64_t stride = 1;
    const auto place = [&](size_t axis) {
      strides[axis] = stride;
      stride *= sizes[axis];
    };
    if (task_.IsNhwc()) place(1);
    for (size_t axis = sizes.size() - 1; axis > 1; --axis) place(axis);
    if (!task_.IsNhwc()) place(1);
    place(0);
    return strides;
  }

  at::Tensor Wrap(void* data, int64_t Axis::* size) const {
    const auto sizes = task_.Sizes(size);
    const auto strides = StridesOf(sizes);
    const auto type = TypeOf(task_.params.x_type);
    if (!task_.IsQuantized()) return at::from_blob(data, sizes, strides, type);
    return at::from_blob_quantized_per_tensor_affine(
        data, sizes, strides, [](void*) {}, task_.params.x_scale, task_.params.x_zero_point,
        at::TensorOptions(type));
  }

  void PoolMax(const at::Tensor& x, at::Tensor& y) {
    if (task_.axes.size() == 2) {
      at::max_pool2d_with_indices_out(y, positions_, x, kernel_, strides_, pads_, dilations_,
                                      ceil_);
    } else {
      at::max_pool3d_with_indices_out(y, positions_, x, kernel_, strides_, pads_, dilations_,
                                      ceil_);
    }
  }

  void PoolAverage(const at::Tensor& x, at::Tensor& y) const {
    const bool counts_pads = task_.CountsPads();
    if (task_.IsGlobal()) {
      at::mean_out(y, x, spatial_axes_, true);
    } else if (task_.axes.size() == 2) {
      at::avg_pool2d_out(y, x, kernel_, strides_, pads_, ceil_, counts_pads);
    } else {
      at::avg_pool3d_out(y, x, kernel_, strides_, pads_, ceil_, counts_pads);
    }
  }

  Task task_;
  std::vector<int64_t> kernel_, strides_, pads_, dilations_, spatial_axes_;
  bool ceil_;
  at::Tensor positions_, result_;
  std::vector<at::Tensor> x_, y_;
  std::vector<void*> memory_;
};

class Pytorch : public peers::Peer {
 public:
  std::string Name() const override { return "pytorch"; }
  std::string Version() const override { return TORCH_VERSION; }
  std::string Isa() const override { return at::get_cpu_capability(); }

  std::unique_ptr<peers::Job> Prepare(const Task& task) override {
    return std::make_unique<TorchJob>(task.WithTwoAxes());
  }
};

}  // namespace

LANEPOOL_BENCH_PEER(Pytorch)
