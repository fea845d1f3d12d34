// ONNX Runtime, CPU execution provider: a model of one node, made in memory.
//
// The library is opened by its path. Linked, it would be looked up by its soname, and an older one
// of the system might be found.
#include <dlfcn.h>
#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>

#include <stdexcept>

#include "peer.h"

namespace {

using peers::Axis;
using peers::Task;
using peers::Tensors;

constexpr const char* kMicrosoft = "com.microsoft";

struct Type {
  ONNXTensorElementDataType code;
  int64_t bytes;
};

Type TypeOf(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_FLOAT:
      return {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 4};
    case LANEPOOL_TYPE_FLOAT16:
      return {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, 2};
    case LANEPOOL_TYPE_BFLOAT16:
      return {ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, 2};
    case LANEPOOL_TYPE_DOUBLE:
      return {ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, 8};
    case LANEPOOL_TYPE_UINT8:
      return {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, 1};
    case LANEPOOL_TYPE_INT8:
      return {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, 1};
    default:
      throw std::invalid_argument("no such type");
  }
}

// The operator of a task: standard ONNX where there is one, else of ONNX Runtime's own domain.
struct Operator {
  std::string name;
  std::string domain;
  bool has_scales;  // takes those of x and y as further inputs
};

Operator OperatorOf(const Task& task) {
  if (!task.IsQuantized()) {
    if (task.IsNhwc()) throw std::invalid_argument("no NHWC pooling of floats");
    if (task.IsGlobal()) return {task.IsMax() ? "GlobalMaxPool" : "GlobalAveragePool", "", false};
    return {task.IsMax() ? "MaxPool" : "AveragePool", "", false};
  }
  if (task.IsMax()) {
    if (!task.IsNhwc()) return {"MaxPool", "", false};
    if (task.axes.size() != 2) throw std::invalid_argument("NhwcMaxPool is for two axes");
    return {"NhwcMaxPool", kMicrosoft, false};
  }
  return {task.IsGlobal() ? "QLinearGlobalAveragePool" : "QLinearAveragePool", kMicrosoft, true};
}

Ort::OpAttr Attribute(const char* name, const std::vector<int64_t>& values) {
  return Ort::OpAttr(name, values.data(), static_cast<int>(values.size()), ORT_OP_ATTR_INTS);
}

Ort::OpAttr Attribute(const char* name, int64_t value) {
  return Ort::OpAttr(name, &value, 1, ORT_OP_ATTR_INT);
}

std::vector<Ort::OpAttr> AttributesOf(const Task& task, const Operator& op) {
  std::vector<Ort::OpAttr> attributes;
  if (op.has_scales) attributes.push_back(Attribute("channels_last", task.IsNhwc() ? 1 : 0));
  if (task.IsGlobal()) return attributes;
  attributes.push_back(Attribute("kernel_shape", task.Each(&Axis::kernel)));
  attributes.push_back(Attribute("strides", task.Each(&Axis::stride)));
  attributes.push_back(Attribute("pads", task.Each(&Axis::pad_begin, &Axis::pad_end)));
  if (task.IsDilated()) attributes.push_back(Attribute("dilations", task.Each(&Axis::dilation)));
  if (!task.IsMax()) {
    attributes.push_back(Attribute("count_include_pad", task.CountsPads() ? 1 : 0));
  }
  return attributes;
}

Ort::ValueInfo Declare(const char* name, const Task& task, int64_t Axis::* size) {
  const Ort::TensorTypeAndShapeInfo shape(TypeOf(task.params.x_type).code,
                                          task.SizesInMemory(size));
  const Ort::TypeInfo type = Ort::TypeInfo::CreateTensorInfo(shape.GetConst());
  return Ort::ValueInfo(name, type.GetConst());
}

void AddScale(Ort::Graph* graph, const char* name, float scale) {
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value value = Ort::Value::CreateTensor<float>(allocator, nullptr, 0);
  *value.GetTensorMutableData<float>() = scale;
  graph->AddInitializer(name, value, false);
}

void AddZeroPoint(Ort::Graph* graph, const char* name, int32_t type, int32_t zero_point) {
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value value = Ort::Value::CreateTensor(allocator, nullptr, 0, TypeOf(type).code);
  *static_cast<uint8_t*>(value.GetTensorMutableRawData()) = static_cast<uint8_t>(zero_point);
  graph->AddInitializer(name, value, false);
}

Ort::Model ModelOf(const Task& task) {
  const lanepool_params& p = task.params;
  const Operator op = OperatorOf(task);
  Ort::Graph graph;
  std::vector<Ort::ValueInfo> inputs, outputs;
  inputs.push_back(Declare("x", task, &Axis::input));
  outputs.push_back(Declare("y", task, &Axis::output));
  graph.SetInputs(inputs);
  graph.SetOutputs(outputs);
  std::vector<std::string> names = {"x"};
  if (op.has_scales) {
    AddScale(&graph, "x_scale", p.x_scale);
    AddZeroPoint(&graph, "x_zero_point", p.x_type, p.x_zero_point);
    AddScale(&graph, "y_scale", p.y_scale);
    AddZeroPoint(&graph, "y_zero_point", p.y_type, p.y_zero_point);
    names = {"x", "x_scale", "x_zero_point", "y_scale", "y_zero_point"};
  }
  std::vector<Ort::OpAttr> attributes = AttributesOf(task, op);
  Ort::Node node(op.name, op.domain, "pool", names, {"y"}, attributes);
  graph.AddNode(node);
  // Averages have dilations since opset 19. Opset 18 otherwise: the rewrite to blocked layouts of
  // some versions does not know the operator of 19.
  const int opset = task.IsDilated() && !task.IsMax() ? 19 : 18;
  Ort::Model model({{"", opset}, {kMicrosoft, 1}});
  model.AddGraph(graph);
  return model;
}

Ort::SessionOptions OptionsFor(const Task& task) {
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(task.threads);
  options.SetInterOpNumThreads(1);
  options.SetExecutionMode(ORT_SEQUENTIAL);
  options.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
  return options;
}

class OrtJob : public peers::Job {
 public:
  OrtJob(const Task& task, const Ort::Env& env)
      : task_(task), session_(env, ModelOf(task), OptionsFor(task)) {}

  std::string Note() const override { return OperatorOf(task_).name; }

  void Bind(const std::vector<Tensors>& tensors) override {
    bindings_.clear();
    for (const Tensors& t : tensors) {
      Ort::IoBinding binding(session_);
      binding.BindInput("x", Wrap(const_cast<void*>(t.x), task_.SizesInMemory(&Axis::input)));
      binding.BindOutput("y", Wrap(t.y, task_.SizesInMemory(&Axis::output)));
      bindings_.push_back(std::move(binding));
    }
  }

  void Run(size_t i) override { session_.Run(Ort::RunOptions{nullptr}, bindings_[i]); }

 private:
  Ort::Value Wrap(void* data, const std::vector<int64_t>& sizes) const {
    const Type type = TypeOf(task_.params.x_type);
    int64_t bytes = type.bytes;
    for (const int64_t size : sizes) bytes *= size;
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    return Ort::Value::CreateTensor(memory, data, static_cast<size_t>(bytes), sizes.data(),
                                    sizes.size(), type.code);
  }

  Task task_;
  Ort::Session session_;
  std::vector<Ort::IoBinding> bindings_;
};

class Onnxruntime : public peers::Peer {
 public:
  Onnxruntime() {
    void* const library = dlopen(LANEPOOL_ORT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    using GetBase = const OrtApiBase* (*)();
    const auto get = reinterpret_cast<GetBase>(dlsym(library, "OrtGetApiBase"));
    if (get == nullptr) throw std::runtime_error("no OrtGetApiBase in " LANEPOOL_ORT_LIBRARY);
    const OrtApi* const api = get()->GetApi(ORT_API_VERSION);
    if (api == nullptr) throw std::runtime_error("the library is older than its headers");
    Ort::InitApi(api);
    version_ = get()->GetVersionString();
    env_ = Ort::Env(ORT_LOGGING_LEVEL_ERROR, "bench_peers");
  }

  std::string Name() const override { return "onnxruntime"; }
  std::string Version() const override { return version_; }

  std::unique_ptr<peers::Job> Prepare(const Task& task) override {
    return std::make_unique<OrtJob>(task, env_);
  }

 private:
  std::string version_;
  Ort::Env env_{nullptr};
};

}  // namespace

LANEPOOL_BENCH_PEER(Onnxruntime)
