// oneDNN: the pooling primitive, in plain layouts, with whatever kernel it picks.
#include <oneapi/dnnl/dnnl.hpp>
#include <stdexcept>
#include <unordered_map>

#include "openmp_threads.h"
#include "peer.h"

namespace {

using peers::Axis;
using peers::Task;
using peers::Tensors;

dnnl::memory::data_type TypeOf(int32_t type) {
  using DataType = dnnl::memory::data_type;
  switch (type) {
    case LANEPOOL_TYPE_FLOAT:
      return DataType::f32;
    case LANEPOOL_TYPE_FLOAT16:
      return DataType::f16;
    case LANEPOOL_TYPE_BFLOAT16:
      return DataType::bf16;
    case LANEPOOL_TYPE_DOUBLE:
      return DataType::f64;
    case LANEPOOL_TYPE_UINT8:
      return DataType::u8;
    case LANEPOOL_TYPE_INT8:
      return DataType::s8;
    default:
      throw std::invalid_argument("no such type");
  }
}

dnnl::memory::desc DescOf(const Task& task, int64_t Axis::* size) {
  using Tag = dnnl::memory::format_tag;
  Tag tag = task.IsNhwc() ? Tag::acdb : Tag::abcd;
  if (task.axes.size() == 3) tag = task.IsNhwc() ? Tag::acdeb : Tag::abcde;
  return dnnl::memory::desc(task.Sizes(size), TypeOf(task.params.x_type), tag);
}

dnnl::algorithm AlgorithmOf(const Task& task) {
  if (task.IsMax()) return dnnl::algorithm::pooling_max;
  return task.CountsPads() ? dnnl::algorithm::pooling_avg_include_padding
                           : dnnl::algorithm::pooling_avg_exclude_padding;
}

dnnl::pooling_forward::primitive_desc Describe(const Task& task, const dnnl::engine& engine) {
  const lanepool_params& p = task.params;
  if (p.x_scale != p.y_scale || p.x_zero_point != p.y_zero_point) {
    throw std::invalid_argument("no scales and zero points");
  }
  std::vector<int64_t> dilations = task.Each(&Axis::dilation);
  for (int64_t& dilation : dilations) --dilation;  // counts the elements between two taps
  return dnnl::pooling_forward::primitive_desc(
      engine, dnnl::prop_kind::forward_inference, AlgorithmOf(task), DescOf(task, &Axis::input),
      DescOf(task, &Axis::output), task.Each(&Axis::stride), task.Each(&Axis::kernel), dilations,
      task.Each(&Axis::pad_begin), task.Each(&Axis::pad_end));
}

class OnednnJob : public peers::Job {
 public:
  OnednnJob(const Task& task, const dnnl::engine& engine)
      : threads_(task.threads),
        engine_(engine),
        stream_(engine),
        x_(DescOf(task, &Axis::input)),
        y_(DescOf(task, &Axis::output)) {
    threads_.Set();  // the kernel is made for this number of threads
    const auto description = Describe(task, engine);
    note_ = description.impl_info_str();
    pooling_ = dnnl::pooling_forward(description);
  }

  std::string Note() const override { return note_; }

  void Bind(const std::vector<Tensors>& tensors) override {
    arguments_.clear();
    for (const Tensors& t : tensors) {
      arguments_.push_back({{DNNL_ARG_SRC, dnnl::memory(x_, engine_, const_cast<void*>(t.x))},
                            {DNNL_ARG_DST, dnnl::memory(y_, engine_, t.y)}});
    }
  }

  void Run(size_t i) override {
    threads_.Set();
    pooling_.execute(stream_, arguments_[i]);
    stream_.wait();
  }

 private:
  peers::OpenmpThreads threads_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::memory::desc x_, y_;
  dnnl::pooling_forward pooling_;
  std::string note_;
  std::vector<std::unordered_map<int, dnnl::memory>> arguments_;
};

class Onednn : public peers::Peer {
 public:
  std::string Name() const override { return "onednn"; }

  std::string Version() const override {
    const dnnl_version_t& v = *dnnl_version();
    return std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
  }

  std::string Isa() const override {
    switch (dnnl::get_effective_cpu_isa()) {
      case dnnl::cpu_isa::isa_default:
        return "";
      case dnnl::cpu_isa::sse41:
        return "SSE4.1";
      case dnnl::cpu_isa::avx:
        return "AVX";
      case dnnl::cpu_isa::avx2:
      case dnnl::cpu_isa::avx2_vnni:
        return "AVX2";
      default:
        return "AVX-512";
    }
  }

  std::unique_ptr<peers::Job> Prepare(const Task& task) override {
    return std::make_unique<OnednnJob>(task.WithTwoAxes(), engine_);
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
};

}  // namespace

LANEPOOL_BENCH_PEER(Onednn)
