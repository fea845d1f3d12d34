#include "compare.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "buffer.h"
#include "expected.h"
#include "lanepool_peer.h"
#include "make_task.h"
#include "memcpy_roof.h"
#include "sample_data.h"
#include "thread_team.h"
#include "tool_text.h"

namespace peers {
namespace {

using lanepool_tool::Buffer;
using lanepool_tool::kOutputShift;
using lanepool_tool::MemcpyRoof;
using lanepool_tool::ThreadTeam;

constexpr int64_t kColdBytes = int64_t{300} << 20;
constexpr int64_t kColdCaches = 8;       // or so many times the last-level cache
constexpr uint8_t kPoison = 0x7e;        // what no peer would write everywhere
constexpr double kPauseSeconds = 20e-3;  // after it threads of OpenMP and ONNX Runtime sleep

// How many pairs of tensors are pooled in turn.
size_t PairsFor(const Row& row, int64_t bytes) {
  if (!row.is_cold) return 1;
  const int64_t cache = std::max<int64_t>(0, lanepool_machine(LANEPOOL_MACHINE_L3_BYTES));
  return static_cast<size_t>(std::max(kColdBytes, kColdCaches * cache) / bytes + 1);
}

// x and y of a task, as often as it takes.
class TensorPairs {
 public:
  TensorPairs(const Task& task, const lanepool_desc& desc, size_t count) {
    const size_t x_bytes = static_cast<size_t>(desc.x_bytes);
    for (size_t i = 0; i < count; ++i) {
      x_.emplace_back(x_bytes + kReadBeyond);
      y_.emplace_back(static_cast<size_t>(desc.y_bytes) + kReadBeyond, kOutputShift);
      if (i == 0) {
        lanepool_tool::FillWithNoise(task.params.x_type, x_[0]);
      } else {
        std::memcpy(x_[i].data(), x_[0].data(), x_bytes);
      }
      tensors_.push_back({x_[i].data(), y_[i].data()});
    }
  }

  const std::vector<Tensors>& tensors() const { return tensors_; }
  void PoisonFirst() { std::memset(y_[0].data(), kPoison, y_[0].size()); }

 private:
  std::vector<Buffer> x_, y_;
  std::vector<Tensors> tensors_;
};

// Calls of one peer after the other go on where the last one stopped, so that none finds in a cache
// what it left there.
class Turns {
 public:
  explicit Turns(size_t count) : count_(count) {}
  size_t Next() { return next_ = next_ + 1 < count_ ? next_ + 1 : 0; }

 private:
  size_t count_, next_ = 0;
};

// A peer that takes part in a row.
struct Entrant {
  size_t result;  // its place in the results
  std::unique_ptr<Job> job;
};

// What the peer says of the task; its job, if its result could be checked.
std::unique_ptr<Job> Enter(const LoadedPeer& loaded, const Task& task, const Expected& expected,
                           TensorPairs* pairs, Result* result) {
  result->peer = loaded.name;
  result->status = Status::kAbsent;
  result->note = loaded.why_absent;
  if (loaded.peer == nullptr) return nullptr;
  try {
    std::unique_ptr<Job> job = loaded.peer->Prepare(task);
    result->note = lanepool_tool::OneLine(job->Note());
    pairs->PoisonFirst();
    job->Bind(pairs->tensors());
    job->Run(0);
    job->Fetch(0);
    result->difference = LargestDifference(task, expected, pairs->tensors()[0].y);
    result->status = result->difference <= Tolerance(task) ? Status::kOk : Status::kWrong;
    return job;
  } catch (const std::exception& error) {
    result->status = Status::kUnsupported;
    result->note = lanepool_tool::OneLine(error.what());
    return nullptr;
  }
}

std::vector<MemcpyRoof> RoofsFor(int64_t bytes, size_t count) {
  std::vector<MemcpyRoof> roofs;
  for (size_t i = 0; i < count; ++i) roofs.emplace_back(bytes);
  return roofs;
}

}  // namespace

Comparison Compare(const Row& row, const std::vector<LoadedPeer>& peers, double seconds) {
  const lanepool_desc desc = Plan(row.params);
  Comparison comparison{MakeTask(row, desc), desc.x_bytes + desc.y_bytes, "", {}, {}, {}};
  const size_t count = PairsFor(row, comparison.bytes);
  TensorPairs pairs(comparison.task, desc, count);
  const Expected expected = MakeExpected(comparison.task, pairs.tensors()[0].x);
  comparison.checked_by = expected.checked_by;

  std::vector<Entrant> entrants;
  for (const LoadedPeer& peer : peers) {
    Result result{};
    std::unique_ptr<Job> job = Enter(peer, comparison.task, expected, &pairs, &result);
    if (job != nullptr) entrants.push_back({comparison.results.size(), std::move(job)});
    comparison.results.push_back(result);
  }

  const std::vector<MemcpyRoof> roofs = RoofsFor(comparison.bytes, count);
  ThreadTeam& team = SharedTeam(row.threads);
  Turns turns(count), memcpy_turns(count);
  std::vector<std::function<void()>> calls = {[&] { roofs[memcpy_turns.Next()].Copy(&team); }};
  for (const Entrant& entrant : entrants) {
    Job* const job = entrant.job.get();
    calls.emplace_back([job, &turns] { job->Run(turns.Next()); });
  }
  std::unique_ptr<Job> alone;
  if (row.threads > 1) {
    Task task = comparison.task;
    task.threads = 1;
    alone = LanepoolPeer().Prepare(task);
    alone->Bind(pairs.tensors());
    calls.emplace_back([&] { alone->Run(turns.Next()); });
  }
  const Effort effort = {seconds, row.threads > 1 ? kPauseSeconds : 0};
  const std::vector<Timing> timings = TimeInTurns(calls, effort);
  comparison.memcpy_timing = timings[0];
  if (alone != nullptr) comparison.one_thread = timings.back();
  for (size_t i = 0; i < entrants.size(); ++i) {
    comparison.results[entrants[i].result].timing = timings[i + 1];
  }
  return comparison;
}

const Result* BestPeer(const Comparison& comparison) {
  const Result* best = nullptr;
  for (const Result& result : comparison.results) {
    if (result.status != Status::kOk || result.peer == "lanepool") continue;
    if (best == nullptr || result.timing.median < best->timing.median) best = &result;
  }
  return best;
}

}  // namespace peers
