// ncnn: its pooling layers on plain blobs of f32. It aligns each channel of a blob and has no
// batches, so tensors are copied into blobs of its own beforehand, one for each image.
#include <allocator.h>
#include <layer.h>
#include <mat.h>
#include <platform.h>

#include <cstring>
#include <stdexcept>

#include "peer.h"

namespace {

using peers::Axis;
using peers::Task;
using peers::Tensors;

// Ids of parameters, for the axes from the last to the first.
struct AxisIds {
  int kernel, stride, pad_begin, pad_end;
};
constexpr AxisIds kAxisIds[] = {{1, 2, 3, 14}, {11, 12, 13, 15}, {21, 22, 23, 16}};

ncnn::ParamDict ParametersOf(const Task& task) {
  ncnn::ParamDict parameters;
  parameters.set(0, task.IsMax() ? 0 : 1);
  parameters.set(4, task.IsGlobal() ? 1 : 0);
  parameters.set(5, 1);  // pads as given
  parameters.set(6, task.CountsPads() ? 1 : 0);
  for (size_t i = 0; i < task.axes.size(); ++i) {
    const Axis& axis = task.axes[task.axes.size() - 1 - i];
    parameters.set(kAxisIds[i].kernel, static_cast<int>(axis.kernel));
    parameters.set(kAxisIds[i].stride, static_cast<int>(axis.stride));
    parameters.set(kAxisIds[i].pad_begin, static_cast<int>(axis.pad_begin));
    parameters.set(kAxisIds[i].pad_end, static_cast<int>(axis.pad_end));
  }
  return parameters;
}

void Check(int status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string(what) + ": " + std::to_string(status));
}

class NcnnJob : public peers::Job {
 public:
  explicit NcnnJob(const Task& task) : task_(task) {
    constexpr const char* kNames[] = {"Pooling1D", "Pooling", "Pooling3D"};
    if (task.IsNhwc()) throw std::invalid_argument("no NHWC");
    if (task.params.x_type != LANEPOOL_TYPE_FLOAT) throw std::invalid_argument("f32 only");
    if (task.IsDilated()) throw std::invalid_argument("no dilation");
    name_ = kNames[task.axes.size() - 1];
    option_.num_threads = task.threads;
    option_.use_packing_layout = false;
    option_.use_fp16_packed = option_.use_fp16_storage = option_.use_fp16_arithmetic = false;
    option_.use_bf16_storage = false;
    option_.blob_allocator = &blobs_;
    option_.workspace_allocator = &workspace_;
    layer_.reset(ncnn::create_layer(name_.c_str()));
    if (layer_ == nullptr) throw std::runtime_error("built without " + name_);
    Check(layer_->load_param(ParametersOf(task)), "load_param");
    Check(layer_->create_pipeline(option_), "create_pipeline");
  }

  ~NcnnJob() override {
    results_.clear();
    (void)layer_->destroy_pipeline(option_);
  }

  std::string Note() const override { return name_ + ", elempack 1"; }

  void Bind(const std::vector<Tensors>& tensors) override {
    const size_t plane = PlaneOf(&Axis::input);
    y_.clear();
    images_.clear();
    for (const Tensors& t : tensors) {
      const float* x = static_cast<const float*>(t.x);
      std::vector<ncnn::Mat> images;
      for (int64_t n = 0; n < task_.params.batch; ++n) {
        images.push_back(MakeBlob());
        for (int c = 0; c < Channels(); ++c, x += plane) {
          std::memcpy(ChannelOf(images.back(), c), x, plane * sizeof(float));
        }
      }
      images_.push_back(images);
      y_.push_back(static_cast<float*>(t.y));
    }
  }

  void Run(size_t i) override {
    results_.resize(images_[i].size());
    for (size_t n = 0; n < results_.size(); ++n) {
      Check(layer_->forward(images_[i][n], results_[n], option_), "forward");
    }
  }

  void Fetch(size_t i) override {
    const size_t plane = PlaneOf(&Axis::output);
    float* y = y_[i];
    for (const ncnn::Mat& image : results_) {
      for (int c = 0; c < Channels(); ++c, y += plane) {
        const float* const channel =
            task_.IsGlobal() ? static_cast<const float*>(image) + c : ChannelOf(image, c);
        std::memcpy(y, channel, plane * sizeof(float));
      }
    }
  }

 private:
  int Channels() const { return static_cast<int>(task_.params.channels); }

  size_t PlaneOf(int64_t Axis::* size) const {
    int64_t elements = 1;
    for (const Axis& axis : task_.axes) elements *= axis.*size;
    return static_cast<size_t>(elements);
  }

  // Channels are rows where there is one spatial axis.
  ncnn::Mat MakeBlob() const {
    std::vector<int> sizes;
    for (const Axis& axis : task_.axes) sizes.push_back(static_cast<int>(axis.input));
    switch (sizes.size()) {
      case 1:
        return ncnn::Mat(sizes[0], Channels());
      case 2:
        return ncnn::Mat(sizes[1], sizes[0], Channels());
      default:
        return ncnn::Mat(sizes[2], sizes[1], sizes[0], Channels());
    }
  }

  float* ChannelOf(const ncnn::Mat& blob, int c) const {
    const size_t step = blob.dims == 2 ? static_cast<size_t>(blob.w) : blob.cstep;
    return static_cast<float*>(blob.data) + step * static_cast<size_t>(c);
  }

  Task task_;
  std::string name_;
  ncnn::UnlockedPoolAllocator blobs_;
  ncnn::PoolAllocator workspace_;
  ncnn::Option option_;
  std::unique_ptr<ncnn::Layer> layer_;
  std::vector<std::vector<ncnn::Mat>> images_;
  std::vector<ncnn::Mat> results_;
  std::vector<float*> y_;
};

class Ncnn : public peers::Peer {
 public:
  std::string Name() const override { return "ncnn"; }
  std::string Version() const override { return NCNN_VERSION_STRING; }

  std::unique_ptr<peers::Job> Prepare(const Task& task) override {
    return std::make_unique<NcnnJob>(task);
  }
};

}  // namespace

LANEPOOL_BENCH_PEER(Ncnn)
