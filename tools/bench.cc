// lanepool bench: how fast a job runs here, against memcpy of the same bytes in the same run.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>

#include "commands.h"
#include "job.h"
#include "json.h"
#include "memcpy_roof.h"
#include "names.h"
#include "pool_options.h"
#include "progress.h"
#include "timing.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

constexpr int kMostThreads = 1024;
constexpr double kMostSeconds = 3600;

struct BenchOptions {
  PoolOptions pool;
  std::string targets;
  int threads = 1;
  double seconds = 0.5;
  bool as_json = false;
};

// What was measured for one instruction set.
struct Result {
  std::string target;
  std::string explain;
  Timing time;
};

// Values between 1/2 and 1, of either sign, for floats; any bits for integers.
void FillWithNoise(int32_t type, const Buffer& x) {
  std::mt19937 random(1);
  uint8_t* bytes = x.data();
  for (size_t i = 0; i < x.size(); i += sizeof(uint32_t)) {
    uint32_t bits = static_cast<uint32_t>(random());
    if (type == LANEPOOL_TYPE_FLOAT) bits = (bits & 0x807fffffu) | 0x3f000000u;
    if (type == LANEPOOL_TYPE_FLOAT16) bits = (bits & 0x83ff83ffu) | 0x38003800u;
    if (type == LANEPOOL_TYPE_BFLOAT16) bits = (bits & 0x807f807fu) | 0x3f003f00u;
    std::memcpy(bytes + i, &bits, std::min(sizeof bits, x.size() - i));
  }
  if (type != LANEPOOL_TYPE_DOUBLE) return;
  for (size_t i = 0; i + sizeof(uint64_t) <= x.size(); i += sizeof(uint64_t)) {
    uint64_t bits;
    std::memcpy(&bits, bytes + i, sizeof bits);
    bits = (bits & 0x800fffffffffffffu) | 0x3fe0000000000000u;
    std::memcpy(bytes + i, &bits, sizeof bits);
  }
}

// The masks to plan with; the one that a caller gets by default comes first.
std::vector<uint64_t> TargetMasks(const BenchOptions& options) {
  if (options.targets.empty()) return {0};
  if (options.pool.target) throw BadInput("--target and --targets exclude each other");
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  const uint64_t wanted =
      options.targets == "all" ? supported : TargetMaskOf(options.targets, "--targets");
  std::vector<uint64_t> masks = TargetsIn(wanted & best);
  for (const uint64_t target : TargetsIn(wanted & ~best)) masks.push_back(target);
  return masks;
}

// The instruction set is the last word of the explanation.
std::string TargetOf(const std::string& explain) {
  return explain.substr(explain.find_last_of(' ') + 1);
}

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : options_(options), request_(MakeRequest(options.pool)), team_(options.threads) {
    for (const uint64_t mask : TargetMasks(options)) {
      Request request = request_;
      if (mask != 0) request.params.target_mask = mask;
      plans_.push_back(MakePlan(request));
    }
    const lanepool_desc& desc = FirstDesc();
    if (desc.element_count == 0) throw BadInput("the shape is empty, there is nothing to time");
    CheckFitsMemory({desc.x_bytes, desc.x_bytes, desc.y_bytes, desc.y_bytes});
    x_ = Buffer(static_cast<size_t>(desc.x_bytes));
    y_ = Buffer(static_cast<size_t>(desc.y_bytes), kOutputShift);
    FillWithNoise(request_.params.x_type, x_);
  }

  void Measure() {
    Progress progress;
    CheckSameBytes(&progress);
    const lanepool_desc& desc = FirstDesc();
    const MemcpyRoof roof(desc.x_bytes, desc.y_bytes);
    std::vector<Contender> contenders = {{"memcpy", [&] { roof.Copy(&team_); }}};
    for (const Plan& plan : plans_) {
      auto job = std::make_shared<Job>(plan.desc, BuffersOf(plan), &team_);
      contenders.push_back({Explain(plan.desc), [job] { job->Run(); }});
    }
    const std::vector<Timing> timings = TimeInTurns(
        contenders, options_.seconds, [&](double fraction) { progress.Show("timing", fraction); });
    memcpy_ = timings[0];
    for (size_t i = 1; i < timings.size(); ++i) {
      results_.push_back({TargetOf(contenders[i].name), contenders[i].name, timings[i]});
    }
  }

  void PrintJson() const {
    const lanepool_params& params = request_.params;
    JsonObject json = ToJson(results_[0]);
    json.Add("x_shape", ShapeOfX(params)).Add("y_shape", ShapeOfY(params, FirstDesc()));
    json.Add("x_type", NameOf(Types(), params.x_type));
    json.Add("y_type", NameOf(Types(), params.y_type));
    json.Add("x_bytes", FirstDesc().x_bytes).Add("y_bytes", FirstDesc().y_bytes);
    json.Add("threads", int64_t{options_.threads});
    json.Add("memcpy_min_us", memcpy_.minimum * 1e6);
    json.Add("memcpy_median_us", memcpy_.median * 1e6);
    json.Add("memcpy_gb_per_s", GbPerS(memcpy_));
    std::vector<JsonObject> targets;
    for (const Result& result : results_) targets.push_back(ToJson(result));
    json.Add("targets", targets);
    std::printf("%s\n", json.Text().c_str());
  }

  void PrintText() const {
    std::printf("%s\n", results_[0].explain.c_str());
    const lanepool_params& params = request_.params;
    std::printf("x %s %s, y %s %s, %lld bytes in all, threads %d\n", NameOf(Types(), params.x_type),
                Join(ShapeOfX(params)).c_str(), NameOf(Types(), params.y_type),
                Join(ShapeOfY(params, FirstDesc())).c_str(), static_cast<long long>(Bytes()),
                options_.threads);
    std::printf("%-20s %12s %12s %9s %10s %10s\n", "", "min us", "median us", "GB/s", "x memcpy",
                "(medians)");
    PrintRow("memcpy", memcpy_);
    for (const Result& result : results_) PrintRow(result.target, result.time);
  }

 private:
  const lanepool_desc& FirstDesc() const { return plans_[0].desc; }
  JobBuffers BuffersOf(const Plan& plan) const { return {&x_, &y_, nullptr, &plan.table}; }
  int64_t Bytes() const { return FirstDesc().x_bytes + FirstDesc().y_bytes; }
  double GbPerS(const Timing& time) const {
    return static_cast<double>(Bytes()) * 1e-9 / time.minimum;
  }

  void PrintRow(const std::string& name, const Timing& time) const {
    std::printf("%-20s %12.3f %12.3f %9.2f %10.2f %10.2f\n", name.c_str(), time.minimum * 1e6,
                time.median * 1e6, GbPerS(time), time.minimum / memcpy_.minimum,
                time.median / memcpy_.median);
  }

  JsonObject ToJson(const Result& result) const {
    JsonObject json;
    json.Add("target", result.target).Add("explain", result.explain);
    json.Add("min_us", result.time.minimum * 1e6).Add("median_us", result.time.median * 1e6);
    json.Add("samples", int64_t{result.time.samples});
    json.Add("gb_per_s", GbPerS(result.time));
    json.Add("ratio_to_memcpy", result.time.minimum / memcpy_.minimum);
    json.Add("ratio_to_memcpy_median", result.time.median / memcpy_.median);
    return json;
  }

  // Nothing is timed that disagrees with the first target.
  void CheckSameBytes(Progress* progress) {
    Buffer first(y_.size());
    for (const Plan& plan : plans_) {
      std::memset(y_.data(), 0xa5, y_.size());
      Job(plan.desc, BuffersOf(plan), &team_).RunInSteps([&](double fraction) {
        progress->Show("checking " + TargetOf(Explain(plan.desc)), fraction);
      });
      if (&plan == &plans_[0]) {
        std::memcpy(first.data(), y_.data(), y_.size());
      } else if (std::memcmp(first.data(), y_.data(), y_.size()) != 0) {
        throw Failure("'" + Explain(plan.desc) + "' and '" + Explain(FirstDesc()) +
                      "' give different results");
      }
    }
  }

  BenchOptions options_;
  Request request_;
  ThreadTeam team_;
  std::vector<Plan> plans_;
  Buffer x_, y_;
  Timing memcpy_;
  std::vector<Result> results_;
};

}  // namespace

void AddBench(CLI::App* tool, Action* action) {
  CLI::App* command = tool->add_subcommand("bench", "time a job against memcpy of the same bytes");
  auto options = std::make_shared<BenchOptions>();
  AddPoolOptions(command, &options->pool, ShapeFrom::kOptions);
  command
      ->add_option("--targets", options->targets,
                   "instruction sets to compare: all, or a list as AVX2,SSE4")
      ->group("How to compute");
  command->add_option("--threads", options->threads, "number of threads, for memcpy too")
      ->check(CLI::Range(1, kMostThreads))
      ->capture_default_str()
      ->group("How to compute");
  command->add_option("--seconds", options->seconds, "measuring time for each row")
      ->check(CLI::Range(0.001, kMostSeconds))
      ->capture_default_str()
      ->group("How to compute");
  command->add_flag("--json", options->as_json, "print one JSON object");
  command->footer(
      "'x memcpy' (ratio_to_memcpy) is the time of the job divided by the time of a memcpy of\n"
      "(input + output bytes) / 2 bytes, which reads and writes as many bytes in all, on the same\n"
      "number of threads. Samples of all rows take turns; buffers are warm; GB/s and the ratio "
      "are\n"
      "those of the fastest samples, '(medians)' of the median ones.\n"
      "Example:\n  lanepool bench --op average --layout nhwc --shape 1,35,35,192 --kernel 3 --pads "
      "1 "
      "--targets all");
  command->callback([=] {
    *action = [=] {
      Bench bench(*options);
      bench.Measure();
      options->as_json ? bench.PrintJson() : bench.PrintText();
    };
  });
}

}  // namespace lanepool_tool
