// What a library has to offer to be compared: one file per library fills this interface and becomes
// a module of its own, which bench_peers loads with its symbols kept to itself. So each peer brings
// the libraries it needs, and one that is not installed leaves nothing behind but its name.
#ifndef LANEPOOL_BENCH_PEERS_PEER_H_
#define LANEPOOL_BENCH_PEERS_PEER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"

namespace peers {

// One spatial axis, with everything resolved: the pads are such that every window ends inside them.
struct Axis {
  int64_t input, output, kernel, stride, dilation, pad_begin, pad_end;
};

// What to compute: AVERAGE or MAX of dense tensors, as ONNX has it.
struct Task {
  lanepool_params params;  // for what is not an axis: op, layout, types, quantization, batch, flags
  std::vector<Axis> axes;  // first spatial axis first
  int threads;

  bool IsMax() const { return params.op == LANEPOOL_OP_MAX; }
  bool IsNhwc() const { return params.layout == LANEPOOL_LAYOUT_NHWC; }
  bool IsGlobal() const { return (params.flags & LANEPOOL_FLAG_GLOBAL) != 0; }
  bool CountsPads() const { return params.divisor == LANEPOOL_DIVISOR_INCLUDE_PAD; }
  bool IsQuantized() const {
    return params.x_type == LANEPOOL_TYPE_UINT8 || params.x_type == LANEPOOL_TYPE_INT8;
  }

  // One number of every axis: task.Each(&Axis::kernel).
  std::vector<int64_t> Each(int64_t Axis::* number) const {
    std::vector<int64_t> values;
    for (const Axis& axis : axes) values.push_back(axis.*number);
    return values;
  }

  // The same for two numbers, one after the other: pads as ONNX lists them.
  std::vector<int64_t> Each(int64_t Axis::* first, int64_t Axis::* second) const {
    std::vector<int64_t> values = Each(first);
    for (const Axis& axis : axes) values.push_back(axis.*second);
    return values;
  }

  // Sizes of x (&Axis::input) or y (&Axis::output) in the order N, C, spatial, whatever the layout.
  std::vector<int64_t> Sizes(int64_t Axis::* size) const {
    std::vector<int64_t> sizes = {params.batch, params.channels};
    for (const Axis& axis : axes) sizes.push_back(axis.*size);
    return sizes;
  }

  // The same in the order in which they lie in memory.
  std::vector<int64_t> SizesInMemory(int64_t Axis::* size) const {
    std::vector<int64_t> sizes = Sizes(size);
    if (IsNhwc()) {
      sizes.erase(sizes.begin() + 1);
      sizes.push_back(params.channels);
    }
    return sizes;
  }

  // The same with a first axis of 1 before an only one: for libraries that have no pooling over one
  // axis, or a slow one.
  Task WithTwoAxes() const {
    Task task = *this;
    if (axes.size() == 1) task.axes.insert(task.axes.begin(), Axis{1, 1, 1, 1, 1, 0, 0});
    return task;
  }

  bool IsPadded() const {
    for (const Axis& axis : axes) {
      if (axis.pad_begin != 0 || axis.pad_end != 0) return true;
    }
    return false;
  }

  bool IsDilated() const {
    for (const Axis& axis : axes) {
      if (axis.dilation != 1) return true;
    }
    return false;
  }
};

struct Tensors {
  const void* x;
  void* y;
};

// A task that is ready to run.
class Job {
 public:
  virtual ~Job() = default;

  // The name that the library itself has for the way it computes this; else of the function called.
  virtual std::string Note() const = 0;

  // Tensors of the sizes of the task, that outlive the job or the next Bind. Not timed.
  virtual void Bind(const std::vector<Tensors>& tensors) = 0;

  // Pools tensors[i]. This is what is timed.
  virtual void Run(size_t i) = 0;

  // For a library that writes to memory of its own only: copies what Run(i) wrote. Not timed.
  virtual void Fetch(size_t) {}
};

// A library. Whatever it throws is a std::exception.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string Name() const = 0;
  virtual std::string Version() const = 0;
  virtual std::string Isa() const { return ""; }  // if the library tells

  // Throws if the library does not do this; the text says why.
  virtual std::unique_ptr<Job> Prepare(const Task& task) = 0;
};

}  // namespace peers

// At the end of a module, outside of all namespaces.
#define LANEPOOL_BENCH_PEER(Class)                                            \
  extern "C" __attribute__((visibility("default"))) peers::Peer* MakePeer() { \
    return new Class; /* lives until the process ends */                      \
  }

#endif  // LANEPOOL_BENCH_PEERS_PEER_H_
