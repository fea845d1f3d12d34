// What a call costs that has hardly anything to compute: planning and running the tiny shapes.
//
// call_ns is the time of one lanepool_run. image_ns is what one more image costs in a call of many:
// loads, stores and arithmetic without the way into the library. over_ns is what is left, the cost
// of a call. They are the medians of rounds in which both take turns.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "buffer.h"
#include "lanepool/lanepool.h"
#include "memcpy_roof.h"
#include "plan_job.h"
#include "sample_data.h"

namespace {

using lanepool_tool::Buffer;

constexpr int64_t kImages = 4;  // more, of a call of many: all of it fits the first cache
// Calls between two looks at the clock, for one image and for many: both are short, and about as
// long, so that other processes disturb both alike.
constexpr int kCalls = 256, kCallsOfMany = 50;

// A planned job with its buffers.
class TinyJob {
 public:
  TinyJob(lanepool_params params, int64_t batch) {
    params.batch = batch;
    if (lanepool_plan(&params, &desc_, nullptr) != LANEPOOL_OK) Die("a tiny shape is refused");
    x_ = Buffer(static_cast<size_t>(desc_.x_bytes));
    y_ = Buffer(static_cast<size_t>(desc_.y_bytes), lanepool_tool::kOutputShift);
    workspace_ = Buffer(static_cast<size_t>(desc_.workspace_bytes));
    lanepool_tool::FillWithNoise(params.x_type, x_);
    if (Run() != LANEPOOL_OK) Die("a tiny shape does not run");
  }

  const lanepool_desc& desc() const { return desc_; }

  int32_t Run() {
    return lanepool_run(&desc_, x_.data(), x_.size(), y_.data(), y_.size(), nullptr, 0,
                        workspace_.data(), workspace_.size());
  }

  double NanosecondsPerCall(int calls) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < calls; ++i) {
      benchmark::DoNotOptimize(Run());
      benchmark::ClobberMemory();
    }
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / calls;
  }

 private:
  lanepool_desc desc_;
  Buffer x_, y_, workspace_;
};

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void CallOf(benchmark::State& state, const lanepool_params& params) {
  TinyJob one(params, 1), many(params, 1 + kImages);
  std::vector<double> calls, images;
  for (auto _ : state) {
    const double call = one.NanosecondsPerCall(kCalls);
    calls.push_back(call);
    images.push_back((many.NanosecondsPerCall(kCallsOfMany) - call) / static_cast<double>(kImages));
    state.SetIterationTime(call * 1e-9);
  }
  const double call = Median(calls), image = Median(images);
  state.counters["call_ns"] = call;
  state.counters["image_ns"] = image;
  state.counters["over_ns"] = call - image;
  state.SetLabel(Explain(one.desc()));
}

void Add(const std::string& name, const lanepool_params& params) {
  AddPlan(name, params);
  benchmark::RegisterBenchmark(("run/" + name).c_str(),
                               [=](benchmark::State& state) { CallOf(state, params); })
      ->UseManualTime()
      ->Iterations(400);
}

void AddAll() {
  for (const Layout& layout : kLayouts) {
    const auto average = Make(LANEPOOL_OP_AVERAGE, layout.code, 8, {4, 4}, 2, 2, 0);
    const auto max = Make(LANEPOOL_OP_MAX, layout.code, 16, {8, 8}, 3, 2, 0);
    const std::string suffix = std::string("/") + layout.name;
    Add("average_8x4x4_2/2/f32" + suffix, average);
    Add("average_8x4x4_2/2/u8" + suffix, Quantized(average));
    Add("max_16x8x8_3/2/f32" + suffix, max);
    Add("max_16x8x8_3/2/u8" + suffix, Quantized(max));
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  AddAll();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
