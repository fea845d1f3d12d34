#include "pool_job.h"

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "buffer.h"
#include "memcpy_roof.h"
#include "sample_data.h"
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

void Adjust(const Values& values, const Buffer& x) {
  for (size_t i = 0; i + sizeof(float) <= x.size(); i += sizeof(float)) {
    float value;
    std::memcpy(&value, x.data() + i, sizeof value);
    value = (values.constant != 0.0f ? values.constant : value) * values.scale;
    std::memcpy(x.data() + i, &value, sizeof value);
  }
}

int64_t BytesOf(const lanepool_desc& desc) {
  return desc.x_bytes + desc.y_bytes + desc.index_bytes;
}

// A planned job with its buffers.
class Job {
 public:
  Job(const lanepool_desc& desc, const lanepool_params& params, const Values& values)
      : desc_(desc),
        x_(static_cast<size_t>(desc.x_bytes)),
        y_(static_cast<size_t>(desc.y_bytes), lanepool_tool::kOutputShift),
        index_(static_cast<size_t>(desc.index_bytes), 2 * lanepool_tool::kOutputShift),
        workspace_(static_cast<size_t>(desc.workspace_bytes)),
        table_(static_cast<size_t>(desc.table_bytes)) {
    lanepool_tool::FillWithNoise(params.x_type, x_);
    if (params.x_type == LANEPOOL_TYPE_FLOAT) Adjust(values, x_);
    if (params.op == LANEPOOL_OP_MAX_UNPOOL) {
      lanepool_tool::FillWithPositions(params, desc, index_);
    }
    if (desc.table_bytes != 0) InitTable(params);
  }

  int32_t Run() const {
    uint8_t* const index = desc_.index_bytes == 0 ? nullptr : index_.data();
    if (desc_.table_bytes == 0) {
      return lanepool_run(&desc_, x_.data(), x_.size(), y_.data(), y_.size(), index, index_.size(),
                          workspace_.data(), workspace_.size());
    }
    return lanepool_run_table(&desc_, table_.data(), table_.size(), x_.data(), x_.size(), y_.data(),
                              y_.size(), index, index_.size(), workspace_.data(), workspace_.size(),
                              0, desc_.work_items);
  }

 private:
  // Every channel's scale differs a little; a table that could not be made fails in Run().
  void InitTable(const lanepool_params& params) const {
    std::vector<float> scales;
    for (int64_t c = 0; c < params.channels; ++c) {
      scales.push_back(params.x_scale * (1.0f + static_cast<float>(c) * 0x1p-12f));
    }
    (void)lanepool_table_init(&desc_, scales.data(), nullptr, nullptr, nullptr, table_.data(),
                              table_.size(), nullptr);
  }

  const lanepool_desc& desc_;
  Buffer x_, y_, index_, workspace_, table_;
};

double SecondsOfCopies(const MemcpyRoof& roof, int64_t copies) {
  ThreadTeam alone(1);
  roof.Copy(&alone);  // brings its buffers back into the cache
  const double start = CpuSeconds();
  for (int64_t i = 0; i < copies; ++i) roof.Copy(&alone);
  return CpuSeconds() - start;
}

void Time(benchmark::State& state, const lanepool_desc& desc, const lanepool_params& params,
          const Values& values) {
  const Job job(desc, params, values);
  const MemcpyRoof roof(BytesOf(desc));
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
  state.counters["GB/s"] = static_cast<double>(BytesOf(desc)) * 1e-9 / per_job;
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
  Time(state, desc, params, values);
  lanepool_explain(&desc, text, sizeof text);
  state.SetLabel(text);
}

}  // namespace

void AddJob(const std::string& name, const lanepool_params& params, int32_t layout,
            const std::string& suffix, const Values& values) {
  lanepool_params in_layout = params;
  in_layout.layout = layout;
  const char* layout_name = layout == LANEPOOL_LAYOUT_NHWC ? "/nhwc" : "/nchw";
  const auto run = [=](benchmark::State& state) { Pool(state, in_layout, values); };
  benchmark::RegisterBenchmark((name + layout_name + suffix).c_str(), run)
      ->Unit(benchmark::kMicrosecond);
}
