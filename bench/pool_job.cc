#include "pool_job.h"

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "../tools/job.h"  // tests/support has another
#include "buffer.h"
#include "memcpy_roof.h"
#include "sample_data.h"
#include "thread_team.h"

namespace {

using lanepool_tool::Buffer;
using lanepool_tool::MemcpyRoof;
using lanepool_tool::ThreadTeam;

constexpr int64_t kColdBytes = 300000000;    // what buffers have together, at the least,
constexpr int64_t kColdCaches = 8;           // and how many last-level caches they would fill
constexpr int64_t kSmallestCold = 64 << 10;  // a job of fewer bytes is not timed cold

Conditions& TheConditions() {
  static Conditions conditions;
  return conditions;
}

double Seconds() {
  timespec now;
  const bool is_alone = TheConditions().threads == 1;
  (void)clock_gettime(is_alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
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

// How many sets of buffers take turns.
size_t SetsFor(const lanepool_desc& desc) {
  if (!TheConditions().is_cold) return 1;
  const int64_t caches = kColdCaches * lanepool_machine(LANEPOOL_MACHINE_L3_BYTES);
  return static_cast<size_t>(std::max(kColdBytes, caches) / std::max<int64_t>(1, BytesOf(desc)) +
                             1);
}

struct BufferSet {
  explicit BufferSet(const lanepool_desc& desc)
      : x(static_cast<size_t>(desc.x_bytes)),
        y(static_cast<size_t>(desc.y_bytes), lanepool_tool::kOutputShift),
        index(static_cast<size_t>(desc.index_bytes), 2 * lanepool_tool::kOutputShift) {}

  Buffer x, y, index;
};

// A planned job with its buffers.
class PoolJob {
 public:
  PoolJob(const lanepool_desc& desc, const lanepool_params& params, const Values& values,
          ThreadTeam* team)
      : used_(desc),
        table_(static_cast<size_t>(desc.table_bytes)),
        job_(desc, {&used_.x, &used_.y, &used_.index, &table_}, team) {
    lanepool_tool::FillWithNoise(params.x_type, used_.x);
    if (params.x_type == LANEPOOL_TYPE_FLOAT) Adjust(values, used_.x);
    if (params.op == LANEPOOL_OP_MAX_UNPOOL) {
      lanepool_tool::FillWithPositions(params, desc, used_.index);
    }
    if (desc.table_bytes != 0) InitTable(desc, params);
    for (size_t others = SetsFor(desc) - 1; others > 0; --others) {
      others_.emplace_back(desc);
      std::memcpy(others_.back().x.data(), used_.x.data(), used_.x.size());
      std::memcpy(others_.back().index.data(), used_.index.data(), used_.index.size());
    }
  }

  void Run() {
    if (!others_.empty()) {
      std::swap(used_, others_[next_]);
      next_ = (next_ + 1) % others_.size();
    }
    job_.Run();
  }

 private:
  // Every channel's scale differs a little; a table that could not be made fails in Run().
  void InitTable(const lanepool_desc& desc, const lanepool_params& params) const {
    std::vector<float> scales;
    for (int64_t c = 0; c < params.channels; ++c) {
      scales.push_back(params.x_scale * (1.0f + static_cast<float>(c) * 0x1p-12f));
    }
    (void)lanepool_table_init(&desc, scales.data(), nullptr, nullptr, nullptr, table_.data(),
                              table_.size(), nullptr);
  }

  BufferSet used_;  // the one that job_ looks at
  std::vector<BufferSet> others_;
  size_t next_ = 0;
  Buffer table_;
  lanepool_tool::Job job_;
};

// memcpy with as many sets of buffers as the job has.
class Copies {
 public:
  Copies(const lanepool_desc& desc, ThreadTeam* team) : team_(team) {
    for (size_t set = SetsFor(desc); set > 0; --set) roofs_.emplace_back(BytesOf(desc));
  }

  // Seconds for so many of them.
  double Time(int64_t count) {
    Copy();  // if there is one set: brings it back into the cache
    const double start = Seconds();
    for (int64_t i = 0; i < count; ++i) Copy();
    return Seconds() - start;
  }

 private:
  void Copy() {
    roofs_[next_].Copy(team_);
    next_ = (next_ + 1) % roofs_.size();
  }

  std::vector<MemcpyRoof> roofs_;
  size_t next_ = 0;
  ThreadTeam* team_;
};

void Time(benchmark::State& state, const lanepool_desc& desc, const lanepool_params& params,
          const Values& values) {
  ThreadTeam team(TheConditions().threads);
  PoolJob job(desc, params, values, &team);
  Copies copies(desc, &team);
  const int64_t count = std::max<int64_t>(1, state.max_iterations / 2);
  double memcpy_seconds = copies.Time(count);
  job.Run();
  const double start = Seconds();
  for (auto _ : state) {
    job.Run();
    benchmark::ClobberMemory();
  }
  const double per_job = (Seconds() - start) / static_cast<double>(state.iterations());
  memcpy_seconds += copies.Time(count);
  const double per_memcpy = memcpy_seconds / static_cast<double>(2 * count);
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
  try {
    Time(state, desc, params, values);
  } catch (const std::exception& failure) {
    state.SkipWithError(failure.what());
    return;
  }
  lanepool_explain(&desc, text, sizeof text);
  state.SetLabel(text);
}

bool IsTooSmall(const lanepool_params& params) {
  lanepool_desc desc;
  return TheConditions().is_cold && lanepool_plan(&params, &desc, nullptr) == LANEPOOL_OK &&
         BytesOf(desc) < kSmallestCold;
}

void AddForTarget(std::string name, lanepool_params params, uint64_t target, const Values& values) {
  const Conditions& conditions = TheConditions();
  if (target != 0) {
    params.target_mask = target;
    name += std::string("/") + lanepool_target_name(target);
  }
  if (conditions.is_cold) name += "/cold";
  if (conditions.threads > 1) name += "/threads:" + std::to_string(conditions.threads);
  const auto run = [=](benchmark::State& state) { Pool(state, params, values); };
  benchmark::internal::Benchmark* const added =
      benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
  if (conditions.threads > 1) added->UseRealTime();
}

}  // namespace

void SetConditions(const Conditions& conditions) { TheConditions() = conditions; }

void AddJob(const std::string& name, const lanepool_params& params, int32_t layout,
            const std::string& suffix, const Values& values) {
  lanepool_params in_layout = params;
  in_layout.layout = layout;
  if (IsTooSmall(in_layout)) return;
  const char* layout_name = layout == LANEPOOL_LAYOUT_NHWC ? "/nhwc" : "/nchw";
  const std::string full_name = name + layout_name + suffix;
  const std::vector<uint64_t>& targets = TheConditions().targets;
  if (targets.empty()) AddForTarget(full_name, in_layout, 0, values);
  for (const uint64_t target : targets) AddForTarget(full_name, in_layout, target, values);
}
