// OpenVINO, CPU device: a model of one operation, made in memory. Its operations are NCHW; for NHWC
// tensors the model begins and ends with a transposition, which the compiler of the device turns
// into a choice of layouts where it can.
#include <openvino/openvino.hpp>
#include <openvino/opsets/opset14.hpp>
#include <sstream>
#include <stdexcept>

#include "peer.h"

namespace {

using peers::Axis;
using peers::Task;
using peers::Tensors;

ov::element::Type TypeOf(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_FLOAT:
      return ov::element::f32;
    case LANEPOOL_TYPE_FLOAT16:
      return ov::element::f16;
    case LANEPOOL_TYPE_BFLOAT16:
      return ov::element::bf16;
    case LANEPOOL_TYPE_DOUBLE:
      throw std::invalid_argument("computes f64 in f32");
    case LANEPOOL_TYPE_UINT8:
      return ov::element::u8;
    case LANEPOOL_TYPE_INT8:
      return ov::element::i8;
    default:
      throw std::invalid_argument("no such type");
  }
}

template <typename Numbers>
Numbers As(const std::vector<int64_t>& values) {
  return Numbers(values.begin(), values.end());
}

std::shared_ptr<ov::Node> Pool(const Task& task, const ov::Output<ov::Node>& x) {
  const auto strides = As<ov::Strides>(task.Each(&Axis::stride));
  const auto dilations = As<ov::Strides>(task.Each(&Axis::dilation));
  const auto begin = As<ov::Shape>(task.Each(&Axis::pad_begin));
  const auto end = As<ov::Shape>(task.Each(&Axis::pad_end));
  const auto kernel = As<ov::Shape>(task.Each(&Axis::kernel));
  if (task.IsMax()) {
    return std::make_shared<ov::opset14::MaxPool>(x, strides, dilations, begin, end, kernel);
  }
  if (task.IsDilated()) throw std::invalid_argument("no dilated averages");
  // ReduceMean of integers wraps around.
  if (!task.IsGlobal() || task.IsQuantized()) {
    return std::make_shared<ov::opset14::AvgPool>(x, strides, begin, end, kernel,
                                                  !task.CountsPads());
  }
  std::vector<int64_t> axes;
  for (size_t i = 0; i < task.axes.size(); ++i) axes.push_back(static_cast<int64_t>(i) + 2);
  const auto list = ov::opset14::Constant::create(ov::element::i64, {axes.size()}, axes);
  return std::make_shared<ov::opset14::ReduceMean>(x, list, true);
}

// N, C, spatial from N, spatial, C, or back.
ov::Output<ov::Node> Transpose(const ov::Output<ov::Node>& x, bool to_nchw) {
  const int64_t last = static_cast<int64_t>(x.get_partial_shape().size()) - 1;
  std::vector<int64_t> order = {0};
  if (to_nchw) order.push_back(last);
  for (int64_t axis = to_nchw ? 1 : 2; axis <= last - (to_nchw ? 1 : 0); ++axis) {
    order.push_back(axis);
  }
  if (!to_nchw) order.push_back(1);
  const auto list = ov::opset14::Constant::create(ov::element::i64, {order.size()}, order);
  return std::make_shared<ov::opset14::Transpose>(x, list);
}

std::shared_ptr<ov::Model> ModelOf(const Task& task) {
  const auto sizes = As<ov::Shape>(task.SizesInMemory(&Axis::input));
  const auto x =
      std::make_shared<ov::opset14::Parameter>(TypeOf(task.params.x_type), ov::PartialShape(sizes));
  ov::Output<ov::Node> y = task.IsNhwc() ? Transpose(x, true) : x->output(0);
  y = Pool(task, y)->output(0);
  if (task.IsNhwc()) y = Transpose(y, false);
  return std::make_shared<ov::Model>(ov::OutputVector{y}, ov::ParameterVector{x});
}

class OpenvinoJob : public peers::Job {
 public:
  OpenvinoJob(const Task& task, ov::Core* core)
      : type_(TypeOf(task.params.x_type)),
        x_sizes_(As<ov::Shape>(task.SizesInMemory(&Axis::input))),
        y_sizes_(As<ov::Shape>(task.SizesInMemory(&Axis::output))) {
    // Computes in the type asked for, not in one that the CPU has fast instructions for.
    const auto compiled = core->compile_model(
        ModelOf(task), "CPU", ov::inference_num_threads(task.threads), ov::num_streams(1),
        ov::hint::inference_precision(
            type_ == ov::element::f16 || type_ == ov::element::bf16 ? type_ : ov::element::f32));
    for (const auto& node : compiled.get_runtime_model()->get_ops()) {
      const auto& info = node->get_rt_info();
      const auto kind = info.find("layerType"), implementation = info.find("primitiveType");
      if (kind == info.end() || implementation == info.end()) continue;
      const auto name = kind->second.as<std::string>();
      if (name == "Input" || name == "Output" || name == "Const" || name == "Parameter" ||
          name == "Result") {
        continue;
      }
      note_ += (note_.empty() ? "" : ", ") + name + " " + implementation->second.as<std::string>();
    }
    request_ = ov::CompiledModel(compiled).create_infer_request();
  }

  std::string Note() const override { return note_; }

  void Bind(const std::vector<Tensors>& tensors) override {
    tensors_.clear();
    for (const Tensors& t : tensors) {
      tensors_.emplace_back(ov::Tensor(type_, x_sizes_, const_cast<void*>(t.x)),
                            ov::Tensor(type_, y_sizes_, t.y));
    }
    bound_ = tensors_.size();
  }

  void Run(size_t i) override {
    if (i != bound_) {
      request_.set_input_tensor(tensors_[i].first);
      request_.set_output_tensor(tensors_[i].second);
      bound_ = i;
    }
    request_.infer();
  }

 private:
  ov::element::Type type_;
  ov::Shape x_sizes_, y_sizes_;
  std::string note_;
  ov::InferRequest request_;
  std::vector<std::pair<ov::Tensor, ov::Tensor>> tensors_;
  size_t bound_ = 0;
};

class Openvino : public peers::Peer {
 public:
  Openvino() { (void)core_.get_property("CPU", ov::available_devices); }  // throws without one

  std::string Name() const override { return "openvino"; }
  std::string Version() const override {
    const std::string build = ov::get_openvino_version().buildNumber;  // 2026.4.1-22982-...
    return build.substr(0, build.find('-'));
  }

  std::unique_ptr<peers::Job> Prepare(const Task& task) override {
    return std::make_unique<OpenvinoJob>(task.WithTwoAxes(), &core_);
  }

 private:
  ov::Core core_;
};

}  // namespace

LANEPOOL_BENCH_PEER(Openvino)
