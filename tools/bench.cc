// lanepool bench: how fast a job runs here, against memcpy of the same bytes in the same run.
#include <cstdio>
#include <cstring>
#include <memory>

#include "commands.h"
#include "job.h"
#include "json.h"
#include "memcpy_roof.h"
#include "names.h"
#include "pool_options.h"
#include "progress.h"
#include "sample_data.h"
#include "timing.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

constexpr int kMostThreads = 1024;
constexpr double kMostSeconds = 3600;

struct BenchOptions {
  PoolOptions pool;
  std::string types, targets;
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

// The job for each element type; what one of them cannot do is refused before any is timed.
std::vector<PoolOptions> OfEachType(const BenchOptions& options) {
  if (options.types.empty()) return {options.pool};
  std::vector<PoolOptions> jobs;
  for (const std::string& type : SplitAtCommas(options.types)) {
    (void)CodeOf(Types(), type, "--types");
    jobs.push_back(options.pool);
    jobs.back().type = type;
    (void)MakePlan(MakeRequest(jobs.back()));
  }
  return jobs;
}

// The masks to plan with; the one that a caller gets by default comes first.
std::vector<uint64_t> TargetMasks(const BenchOptions& options) {
  if (options.targets.empty()) return {0};
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  const uint64_t wanted =
      options.targets == "all" ? supported : TargetMaskOf(options.targets, "--targets");
  std::vector<uint64_t> masks = TargetsIn(wanted & best);
  for (const uint64_t target : TargetsIn(wanted & ~best)) masks.push_back(target);
  return masks;
}

Buffer CopyOf(const Buffer& buffer) {
  Buffer copy(buffer.size());
  std::memcpy(copy.data(), buffer.data(), buffer.size());
  return copy;
}

bool AreEqual(const Buffer& a, const Buffer& b) {
  return std::memcmp(a.data(), b.data(), a.size()) == 0;
}

// The instruction set is the last word of the explanation.
std::string TargetOf(const std::string& explain) {
  return explain.substr(explain.find_last_of(' ') + 1);
}

// One job on one element type.
class Bench {
 public:
  Bench(const BenchOptions& options, const PoolOptions& pool)
      : options_(options), request_(MakeRequest(pool)), team_(options.threads) {
    for (const uint64_t mask : TargetMasks(options)) {
      Request request = request_;
      if (mask != 0) request.params.target_mask = mask;
      plans_.push_back(MakePlan(request));
    }
    const lanepool_desc& desc = FirstDesc();
    if (desc.element_count == 0) throw BadInput("the shape is empty, there is nothing to time");
    CheckFitsMemory({desc.x_bytes, desc.y_bytes, desc.index_bytes, Bytes()});
    x_ = Buffer(static_cast<size_t>(desc.x_bytes));
    y_ = Buffer(static_cast<size_t>(desc.y_bytes), kOutputShift);
    index_ = Buffer(static_cast<size_t>(desc.index_bytes), 2 * kOutputShift);
    FillWithNoise(request_.params.x_type, x_);
    if (IsUnpool()) FillWithPositions(request_.params, desc, index_);
  }

  void Measure() {
    Progress progress;
    CheckSameBytes(&progress);
    const MemcpyRoof roof(Bytes());
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

  JsonObject Json() const {
    const lanepool_params& params = request_.params;
    JsonObject json = ToJson(results_[0]);
    json.Add("x_shape", ShapeOfX(params)).Add("y_shape", ShapeOfY(params, FirstDesc()));
    json.Add("x_type", NameOf(Types(), params.x_type));
    json.Add("y_type", NameOf(Types(), params.y_type));
    json.Add("x_bytes", FirstDesc().x_bytes).Add("y_bytes", FirstDesc().y_bytes);
    json.Add("index_bytes", FirstDesc().index_bytes);
    json.Add("threads", int64_t{options_.threads});
    json.Add("memcpy_min_us", memcpy_.minimum * 1e6);
    json.Add("memcpy_median_us", memcpy_.median * 1e6);
    json.Add("memcpy_gb_per_s", GbPerS(memcpy_));
    std::vector<JsonObject> targets;
    for (const Result& result : results_) targets.push_back(ToJson(result));
    return json.Add("targets", targets);
  }

  void PrintText() const {
    std::printf("%s\n", results_[0].explain.c_str());
    const lanepool_params& params = request_.params;
    const std::string index =
        HasIndex() ? std::string(", index ") + NameOf(IndexTypes(), params.index_type) : "";
    std::printf("x %s %s, y %s %s%s, %lld bytes in all, threads %d\n",
                NameOf(Types(), params.x_type), Join(ShapeOfX(params)).c_str(),
                NameOf(Types(), params.y_type), Join(ShapeOfY(params, FirstDesc())).c_str(),
                index.c_str(), static_cast<long long>(Bytes()), options_.threads);
    std::printf("%-20s %12s %12s %9s %10s %10s\n", "", "min us", "median us", "GB/s", "x memcpy",
                "(medians)");
    PrintRow("memcpy", memcpy_);
    for (const Result& result : results_) PrintRow(result.target, result.time);
  }

 private:
  const lanepool_desc& FirstDesc() const { return plans_[0].desc; }
  bool IsUnpool() const { return request_.params.op == LANEPOOL_OP_MAX_UNPOOL; }
  bool HasIndex() const { return FirstDesc().index_bytes != 0; }
  JobBuffers BuffersOf(const Plan& plan) const { return {&x_, &y_, &index_, &plan.table}; }
  int64_t Bytes() const {
    return FirstDesc().x_bytes + FirstDesc().y_bytes + FirstDesc().index_bytes;
  }
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
    Buffer first_y, first_index;
    for (const Plan& plan : plans_) {
      std::memset(y_.data(), 0xa5, y_.size());
      if (!IsUnpool()) std::memset(index_.data(), 0xa5, index_.size());
      Job(plan.desc, BuffersOf(plan), &team_).RunInSteps([&](double fraction) {
        progress->Show("checking " + TargetOf(Explain(plan.desc)), fraction);
      });
      if (&plan == &plans_[0]) {
        first_y = CopyOf(y_);
        first_index = CopyOf(index_);
      } else if (!AreEqual(first_y, y_) || !AreEqual(first_index, index_)) {
        throw Failure("'" + Explain(plan.desc) + "' and '" + Explain(FirstDesc()) +
                      "' give different results");
      }
    }
  }

  BenchOptions options_;
  Request request_;
  ThreadTeam team_;
  std::vector<Plan> plans_;
  Buffer x_, y_, index_;
  Timing memcpy_;
  std::vector<Result> results_;
};

// One object for one job, {"types": [...]} for --types.
void PrintJson(const BenchOptions& options, const std::vector<PoolOptions>& jobs) {
  std::vector<JsonObject> results;
  for (const PoolOptions& job : jobs) {
    Bench bench(options, job);
    bench.Measure();
    results.push_back(bench.Json());
  }
  const JsonObject all = options.types.empty() ? results[0] : JsonObject().Add("types", results);
  std::printf("%s\n", all.Text().c_str());
}

void PrintText(const BenchOptions& options, const std::vector<PoolOptions>& jobs) {
  for (const PoolOptions& job : jobs) {
    if (&job != &jobs[0]) std::printf("\n");
    Bench bench(options, job);
    bench.Measure();
    bench.PrintText();
  }
}

}  // namespace

void AddBench(CLI::App* tool, Action* action) {
  CLI::App* command = tool->add_subcommand("bench", "time a job against memcpy of the same bytes");
  auto options = std::make_shared<BenchOptions>();
  AddPoolOptions(command, &options->pool, ShapeFrom::kOptions);
  command
      ->add_option("--types", options->types,
                   "element types to time one after the other, as f32,f16,bf16")
      ->excludes(command->get_option("--type"))
      ->group("What to compute");
  command
      ->add_option("--targets", options->targets,
                   "instruction sets to compare: all, or a list as AVX2,SSE2")
      ->excludes(command->get_option("--target"))
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
      "(input + output + index bytes) / 2 bytes, which moves as many bytes in all, on the same\n"
      "number of threads. Samples of all rows take turns; buffers are warm; GB/s and the ratio "
      "are\n"
      "those of the fastest samples, '(medians)' of the median ones.\n"
      "Example:\n  lanepool bench --op average --layout nhwc --shape 1,35,35,192 --kernel 3 --pads "
      "1 "
      "--targets all");
  command->callback([=] {
    *action = [=] { (options->as_json ? PrintJson : PrintText)(*options, OfEachType(*options)); };
  });
}

}  // namespace lanepool_tool
