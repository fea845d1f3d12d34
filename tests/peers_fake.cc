// A peer for peers_test.py that takes the place of oneDNN. It refuses NHWC, forgets to write
// maxima, and averages 2x2 windows not exactly, but well enough.
#include <stdexcept>

#include "../bench/peers/peer.h"

namespace {

using peers::Axis;
using peers::Task;
using peers::Tensors;

class FakeJob : public peers::Job {
 public:
  explicit FakeJob(const Task& task) : task_(task) {}

  std::string Note() const override { return "fake"; }
  void Bind(const std::vector<Tensors>& tensors) override { tensors_ = tensors; }

  void Run(size_t i) override {
    if (task_.IsMax()) return;
    const Axis &h = task_.axes[0], &w = task_.axes[1];
    const float* x = static_cast<const float*>(tensors_[i].x);
    float* y = static_cast<float*>(tensors_[i].y);
    for (int64_t c = 0; c < task_.params.channels; ++c, x += h.input * w.input) {
      for (int64_t row = 0; row < h.output; ++row) {
        for (int64_t column = 0; column < w.output; ++column) {
          *y++ = Average2x2(x + row * 2 * w.input + column * 2, w.input) + 0x1p-23f;
        }
      }
    }
  }

 private:
  static float Average2x2(const float* x, int64_t row) {
    return (x[0] + x[1] + x[row] + x[row + 1]) / 4;
  }

  Task task_;
  std::vector<Tensors> tensors_;
};

class Fake : public peers::Peer {
 public:
  std::string Name() const override { return "onednn"; }
  std::string Version() const override { return "fake"; }

  std::unique_ptr<peers::Job> Prepare(const Task& task) override {
    if (task.IsNhwc()) throw std::invalid_argument("no NHWC\nat all");
    return std::make_unique<FakeJob>(task);
  }
};

}  // namespace

LANEPOOL_BENCH_PEER(Fake)
