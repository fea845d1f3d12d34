// XNNPACK through its operators: NHWC, one and two axes.
#include <pthreadpool.h>
#include <xnnpack.h>

#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "peer.h"

namespace {

using peers::Axis;
using peers::Task;
using peers::Tensors;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void Check(xnn_status status, const char* function) {
  if (status == xnn_status_success) return;
  throw std::runtime_error(std::string(function) + ": status " + std::to_string(status));
}
#define CHECKED(function, ...) Check(function(__VA_ARGS__), #function)

struct DeletePool {
  void operator()(pthreadpool* pool) const { pthreadpool_destroy(pool); }
};
struct DeleteOperator {
  void operator()(xnn_operator* op) const { (void)xnn_delete_operator(op); }
};

// Scratch memory, aligned as XNNPACK wants it at most.
class Workspace {
 public:
  Workspace() = default;
  explicit Workspace(size_t bytes) {
    if (bytes != 0) memory_.reset(::operator new(bytes, kAlignment));
  }
  void* data() const { return memory_.get(); }  // null if it has no bytes

 private:
  static constexpr std::align_val_t kAlignment{128};
  struct Delete {
    void operator()(void* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<void, Delete> memory_;
};

// Older releases of XNNPACK report a workspace here.
using Shape = size_t;
template <typename Operator, typename Pool>
size_t ReshapeAverage(xnn_status (*reshape)(Operator, size_t, size_t, size_t, size_t, size_t,
                                            size_t, size_t*, size_t*, size_t*, size_t*, Pool),
                      Operator op, const Shape (&s)[4], size_t* height, size_t* width, Pool pool) {
  size_t bytes = 0, alignment = 0;
  Check(reshape(op, s[0], s[1], s[2], s[3], s[3], s[3], &bytes, &alignment, height, width, pool),
        "reshape");
  return bytes;
}
template <typename Operator, typename Pool>
size_t ReshapeAverage(xnn_status (*reshape)(Operator, size_t, size_t, size_t, size_t, size_t,
                                            size_t, size_t*, size_t*, Pool),
                      Operator op, const Shape (&s)[4], size_t* height, size_t* width, Pool pool) {
  Check(reshape(op, s[0], s[1], s[2], s[3], s[3], s[3], height, width, pool), "reshape");
  return 0;
}
template <typename Operator, typename Pool>
size_t ReshapeReduce(xnn_status (*reshape)(Operator, size_t, const int64_t*, size_t, const size_t*,
                                           size_t*, size_t*, Pool),
                     Operator op, const int64_t (&axes)[2], const Shape (&s)[4], Pool pool) {
  size_t bytes = 0, alignment = 0;
  Check(reshape(op, 2, axes, 4, s, &bytes, &alignment, pool), "reshape");
  return bytes;
}
template <typename Operator, typename Pool>
size_t ReshapeReduce(xnn_status (*reshape)(Operator, size_t, const int64_t*, size_t, const size_t*,
                                           size_t*, Pool),
                     Operator op, const int64_t (&axes)[2], const Shape (&s)[4], Pool pool) {
  size_t bytes = 0;
  Check(reshape(op, 2, axes, 4, s, &bytes, pool), "reshape");
  return bytes;
}

// And take it here.
template <typename Operator, typename T>
xnn_status SetupAverage(xnn_status (*setup)(Operator, void*, const T*, T*), Operator op, void* work,
                        const void* x, void* y) {
  return setup(op, work, static_cast<const T*>(x), static_cast<T*>(y));
}
template <typename Operator>
xnn_status SetupAverage(xnn_status (*setup)(Operator, void*, const void*, void*), Operator op,
                        void* work, const void* x, void* y) {
  return setup(op, work, x, y);
}
template <typename Operator, typename T>
xnn_status SetupAverage(xnn_status (*setup)(Operator, const T*, T*), Operator op, void*,
                        const void* x, void* y) {
  return setup(op, static_cast<const T*>(x), static_cast<T*>(y));
}

struct Plane {
  explicit Plane(const Task& task) : h(task.axes[0]), w(task.axes[1]) {
    if (task.axes.size() > 2) throw std::invalid_argument("no pooling over three axes");
    shape[0] = static_cast<size_t>(task.params.batch);
    shape[1] = static_cast<size_t>(h.input);
    shape[2] = static_cast<size_t>(w.input);
    shape[3] = static_cast<size_t>(task.params.channels);
  }

  static uint32_t U(int64_t value) { return static_cast<uint32_t>(value); }

  Axis h, w;
  Shape shape[4];
};

// The order of arguments that all operators begin with.
#define WINDOW(p)                                                                              \
  p.U(p.h.pad_begin), p.U(p.w.pad_end), p.U(p.h.pad_end), p.U(p.w.pad_begin), p.U(p.h.kernel), \
      p.U(p.w.kernel), p.U(p.h.stride), p.U(p.w.stride)
#define DILATIONS(p) p.U(p.h.dilation), p.U(p.w.dilation)

class XnnJob : public peers::Job {
 public:
  explicit XnnJob(const Task& task) : type_(task.params.x_type), plane_(task) {
    if (!task.IsNhwc()) throw std::invalid_argument("NHWC only");
    if (task.threads > 1) pool_.reset(pthreadpool_create(static_cast<size_t>(task.threads)));
  }

  std::string Note() const override { return note_; }

  void Bind(const std::vector<Tensors>& tensors) override {
    tensors_ = tensors;
    bound_ = tensors.size();
  }

  void Run(size_t i) override {
    if (i != bound_) {
      Check(Setup(tensors_[i]), "setup");
      bound_ = i;
    }
    Check(xnn_run_operator(op_.get(), pool_.get()), "xnn_run_operator");
  }

 protected:
  virtual xnn_status Setup(const Tensors& tensors) = 0;

  void CheckSizes(size_t height, size_t width) const {
    if (Plane::U(plane_.h.output) == height && Plane::U(plane_.w.output) == width) return;
    throw std::invalid_argument("makes y of another size");
  }

  int32_t type_;
  Plane plane_;
  std::unique_ptr<pthreadpool, DeletePool> pool_;
  std::unique_ptr<xnn_operator, DeleteOperator> op_;
  std::string note_;

 private:
  std::vector<Tensors> tensors_;
  size_t bound_ = 0;
};

class MaxJob : public XnnJob {
 public:
  explicit MaxJob(const Task& task) : XnnJob(task) {
    xnn_operator_t op = nullptr;
    switch (type_) {
      case LANEPOOL_TYPE_FLOAT:
        CHECKED(xnn_create_max_pooling2d_nhwc_f32, WINDOW(plane_), DILATIONS(plane_), -kInfinity,
                kInfinity, 0, &op);
        break;
      case LANEPOOL_TYPE_FLOAT16:
        CHECKED(xnn_create_max_pooling2d_nhwc_f16, WINDOW(plane_), DILATIONS(plane_), -kInfinity,
                kInfinity, 0, &op);
        break;
      case LANEPOOL_TYPE_UINT8:
        CHECKED(xnn_create_max_pooling2d_nhwc_u8, WINDOW(plane_), DILATIONS(plane_), 0, 255, 0,
                &op);
        break;
      case LANEPOOL_TYPE_INT8:
        CHECKED(xnn_create_max_pooling2d_nhwc_s8, WINDOW(plane_), DILATIONS(plane_), -128, 127, 0,
                &op);
        break;
      default:
        throw std::invalid_argument("no max pooling of this type");
    }
    op_.reset(op);
    size_t height = 0, width = 0;
    const Shape(&s)[4] = plane_.shape;
    const auto reshape = ReshapeOf(type_);
    Check(reshape(op, s[0], s[1], s[2], s[3], s[3], s[3], &height, &width, pool_.get()), "reshape");
    CheckSizes(height, width);
    note_ = "max_pooling2d_nhwc";
  }

 private:
  using Reshape = decltype(&xnn_reshape_max_pooling2d_nhwc_f32);

  static Reshape ReshapeOf(int32_t type) {
    switch (type) {
      case LANEPOOL_TYPE_FLOAT:
        return xnn_reshape_max_pooling2d_nhwc_f32;
      case LANEPOOL_TYPE_FLOAT16:
        return xnn_reshape_max_pooling2d_nhwc_f16;
      case LANEPOOL_TYPE_UINT8:
        return xnn_reshape_max_pooling2d_nhwc_u8;
      default:
        return xnn_reshape_max_pooling2d_nhwc_s8;
    }
  }

  xnn_status Setup(const Tensors& t) override {
    switch (type_) {
      case LANEPOOL_TYPE_FLOAT:
        return xnn_setup_max_pooling2d_nhwc_f32(op_.get(), static_cast<const float*>(t.x),
                                                static_cast<float*>(t.y));
      case LANEPOOL_TYPE_FLOAT16:
        return xnn_setup_max_pooling2d_nhwc_f16(op_.get(), t.x, t.y);
      case LANEPOOL_TYPE_UINT8:
        return xnn_setup_max_pooling2d_nhwc_u8(op_.get(), static_cast<const uint8_t*>(t.x),
                                               static_cast<uint8_t*>(t.y));
      default:
        return xnn_setup_max_pooling2d_nhwc_s8(op_.get(), static_cast<const int8_t*>(t.x),
                                               static_cast<int8_t*>(t.y));
    }
  }
};

class AverageJob : public XnnJob {
 public:
  explicit AverageJob(const Task& task) : XnnJob(task) {
    if (task.IsDilated()) throw std::invalid_argument("no dilated averages");
    if (task.CountsPads() && task.IsPadded()) throw std::invalid_argument("no count_include_pad");
    xnn_operator_t op = nullptr;
    const lanepool_params& p = task.params;
    switch (type_) {
      case LANEPOOL_TYPE_FLOAT:
        CHECKED(xnn_create_average_pooling2d_nhwc_f32, WINDOW(plane_), -kInfinity, kInfinity, 0,
                &op);
        Reshape(xnn_reshape_average_pooling2d_nhwc_f32, op);
        break;
      case LANEPOOL_TYPE_FLOAT16:
        CHECKED(xnn_create_average_pooling2d_nhwc_f16, WINDOW(plane_), -kInfinity, kInfinity, 0,
                &op);
        Reshape(xnn_reshape_average_pooling2d_nhwc_f16, op);
        break;
#ifdef LANEPOOL_XNNPACK_HAS_QU8_AVERAGE
      case LANEPOOL_TYPE_UINT8:
        CHECKED(xnn_create_average_pooling2d_nhwc_qu8, WINDOW(plane_),
                static_cast<uint8_t>(p.x_zero_point), p.x_scale,
                static_cast<uint8_t>(p.y_zero_point), p.y_scale, 0, 255, 0, &op);
        Reshape(xnn_reshape_average_pooling2d_nhwc_qu8, op);
        break;
#endif
      default:
        (void)p;
        throw std::invalid_argument("no average pooling of this type");
    }
    note_ = "average_pooling2d_nhwc";
  }

 private:
  template <typename Function>
  void Reshape(Function* function, xnn_operator_t op) {
    op_.reset(op);
    size_t height = 0, width = 0;
    work_ = Workspace(ReshapeAverage(function, op, plane_.shape, &height, &width, pool_.get()));
    CheckSizes(height, width);
  }

  xnn_status Setup(const Tensors& t) override {
    switch (type_) {
      case LANEPOOL_TYPE_FLOAT:
        return SetupAverage(xnn_setup_average_pooling2d_nhwc_f32, op_.get(), work_.data(), t.x,
                            t.y);
#ifdef LANEPOOL_XNNPACK_HAS_QU8_AVERAGE
      case LANEPOOL_TYPE_UINT8:
        return SetupAverage(xnn_setup_average_pooling2d_nhwc_qu8, op_.get(), work_.data(), t.x,
                            t.y);
#endif
      default:
        return SetupAverage(xnn_setup_average_pooling2d_nhwc_f16, op_.get(), work_.data(), t.x,
                            t.y);
    }
  }

  Workspace work_;
};

// XNNPACK's own way to global averages: its global pooling operators are gone or deprecated.
class MeanJob : public XnnJob {
 public:
  explicit MeanJob(const Task& task) : XnnJob(task) {
    const lanepool_params& p = task.params;
    const xnn_quantization_params x{p.x_zero_point, p.x_scale}, y{p.y_zero_point, p.y_scale};
    xnn_operator_t op = nullptr;
    CHECKED(xnn_create_reduce_nd, xnn_reduce_mean, TypeOf(type_), &x, &y, 0, &op);
    op_.reset(op);
    const int64_t axes[2] = {1, 2};
    const size_t bytes = ReshapeReduce(xnn_reshape_reduce_nd, op, axes, plane_.shape, pool_.get());
    // Sums of f32 are made in y. Given a workspace all the same, it would convert from there.
    if (type_ != LANEPOOL_TYPE_FLOAT) work_ = Workspace(bytes);
    note_ = "reduce_nd mean";
  }

 private:
  static xnn_datatype TypeOf(int32_t type) {
    switch (type) {
      case LANEPOOL_TYPE_FLOAT:
        return xnn_datatype_fp32;
      case LANEPOOL_TYPE_FLOAT16:
        return xnn_datatype_fp16;
      case LANEPOOL_TYPE_UINT8:
        return xnn_datatype_quint8;
      case LANEPOOL_TYPE_INT8:
        return xnn_datatype_qint8;
      default:
        throw std::invalid_argument("no mean of this type");
    }
  }

  xnn_status Setup(const Tensors& t) override {
    return xnn_setup_reduce_nd(op_.get(), work_.data(), t.x, t.y);
  }

  Workspace work_;
};

class Xnnpack : public peers::Peer {
 public:
  Xnnpack() { Check(xnn_initialize(nullptr), "xnn_initialize"); }

  std::string Name() const override { return "xnnpack"; }
  std::string Version() const override { return LANEPOOL_XNNPACK_VERSION; }

  std::unique_ptr<peers::Job> Prepare(const Task& given) override {
    const Task task = given.WithTwoAxes();
    if (task.IsMax()) return std::make_unique<MaxJob>(task);
    if (task.IsGlobal()) return std::make_unique<MeanJob>(task);
    return std::make_unique<AverageJob>(task);
  }
};

}  // namespace

LANEPOOL_BENCH_PEER(Xnnpack)
