// The named shapes of tests/support/shapes.inc, one thread, buffers warm.
//
// ratio_to_memcpy is, as for `lanepool bench`, the time of the job divided by the time of a memcpy
// that moves as many bytes, measured in the same run: half of it before the job and half after.
// GB/s counts bytes read and written. Both are made of this thread's CPU time, so that they mean
// something on a machine that does other things as well.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "buffer.h"
#include "lanepool/lanepool.h"
#include "memcpy_roof.h"
#include "named_shapes.h"
#include "thread_team.h"

namespace {

using lanepool_tool::Buffer;
using lanepool_tool::MemcpyRoof;
using lanepool_tool::ThreadTeam;

double CpuSeconds() {
  timespec now;
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Values between 1/2 and 1, times `scale`; or `constant` everywhere if it is not 0.
struct Values {
  const char* suffix;
  float scale, constant;
};
constexpr Values kOrdinary = {"", 1.0f, 0.0f};
// What the fast kernels give up on (tiny values: averages only), in each window: the most that
// repeating can cost.
constexpr Values kRare[] = {{"/all_nan", 1.0f, std::numeric_limits<float>::quiet_NaN()},
                            {"/all_tiny", 0x1p-126f, 0.0f}};

void Fill(const Values& values, const Buffer& x) {
  uint32_t random = 1;
  for (size_t i = 0; i + sizeof(float) <= x.size(); i += sizeof(float)) {
    random = random * 1664525u + 1013904223u;
    float value = (0.5f + static_cast<float>(random >> 9) * 0x1p-24f) * values.scale;
    if (values.constant != 0.0f) value = values.constant;
    std::memcpy(x.data() + i, &value, sizeof value);
  }
}

// A planned job with its buffers.
class Job {
 public:
  Job(const lanepool_desc& desc, const Values& values)
      : desc_(desc),
        x_(static_cast<size_t>(desc.x_bytes)),
        y_(static_cast<size_t>(desc.y_bytes), lanepool_tool::kOutputShift),
        workspace_(static_cast<size_t>(desc.workspace_bytes)) {
    Fill(values, x_);
  }
  int32_t Run() const {
    return lanepool_run(&desc_, x_.data(), x_.size(), y_.data(), y_.size(), nullptr, 0,
                        workspace_.data(), workspace_.size());
  }

 private:
  const lanepool_desc& desc_;
  Buffer x_, y_, workspace_;
};

double SecondsOfCopies(const MemcpyRoof& roof, int64_t copies) {
  ThreadTeam alone(1);
  roof.Copy(&alone);  // brings its buffers back into the cache
  const double start = CpuSeconds();
  for (int64_t i = 0; i < copies; ++i) roof.Copy(&alone);
  return CpuSeconds() - start;
}

void Time(benchmark::State& state, const lanepool_desc& desc, const Values& values) {
  const Job job(desc, values);
  const MemcpyRoof roof(desc.x_bytes, desc.y_bytes);
  const int64_t copies = std::max<int64_t>(1, state.max_iterations / 2);
  double memcpy_seconds = SecondsOfCopies(roof, copies);
  const int32_t status = job.Run();
  if (status != LANEPOOL_OK) {
    state.SkipWithError(lanepool_status_name(status));
    return;
  }
  const double start = CpuSeconds();
  for (auto _ : state) {
    benchmark::DoNotOptimize(job.Run());
    benchmark::ClobberMemory();
  }
  const double per_job = (CpuSeconds() - start) / static_cast<double>(state.iterations());
  memcpy_seconds += SecondsOfCopies(roof, copies);
  const double per_memcpy = memcpy_seconds / static_cast<double>(2 * copies);
  state.counters["ratio_to_memcpy"] = per_job / per_memcpy;
  state.counters["GB/s"] = static_cast<double>(desc.x_bytes + desc.y_bytes) * 1e-9 / per_job;
}

void Pool(benchmark::State& state, const lanepool_params& params, const Values& values) {
  lanepool_desc desc;
  lanepool_error error;
  char text[200];
  if (lanepool_plan(&params, &desc, &error) != LANEPOOL_OK) {
    lanepool_error_format(&error, text, sizeof text);
    state.SkipWithError(text);
    return;
  }
  Time(state, desc, values);
  lanepool_explain(&desc, text, sizeof text);
  state.SetLabel(text);
}

void Add(const support::NamedShape& shape, int32_t layout, const Values& values) {
  lanepool_params params = shape.params;
  params.layout = layout;
  const char* layout_name = layout == LANEPOOL_LAYOUT_NHWC ? "/nhwc" : "/nchw";
  const std::string name = shape.name + layout_name + values.suffix;
  const auto run = [=](benchmark::State& state) { Pool(state, params, values); };
  benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
}

void AddAll() {
  for (const support::NamedShape& shape : support::NamedShapes()) {
    if (!shape.is_timed) continue;
    const bool with_rare = shape.name == "inception_a" || shape.name == "googlenet28";
    for (const int32_t layout : shape.Layouts()) {
      Add(shape, layout, kOrdinary);
      if (!with_rare) continue;
      for (const Values& values : kRare) Add(shape, layout, values);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  (void)std::fprintf(stderr, "lanepool %s, %s\n", lanepool_version(), lanepool_target_name(best));
  AddAll();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
