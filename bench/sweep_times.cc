// Times many small jobs, for bench/sweep.py: one job per line of standard input, one line of
// standard output for each.
//
//   op layout type batch channels H W kH kW sH sW dH dW auto_pad x_shift y_shift
//   average nhwc f32 1 64 17 17 3 3 1 1 1 1 same_upper 0 4
//
// Shifts are bytes behind the start of a cache line. Averages of u8 and s8 have the scales of a
// calibrated network, maxima keep theirs. A line of the answer is "MINIMUM MEDIAN BYTES
// EXPLANATION", nanoseconds per call and the bytes of x and y, or "refused" and the library's
// sentence. Samples of all jobs take turns.
//
// Usage: sweep_times [SECONDS [TARGETS]]   measuring time for each job, at least five samples;
//                                          instruction sets to choose from, e.g. AVX2
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "buffer.h"
#include "lanepool/lanepool.h"
#include "memcpy_roof.h"
#include "names.h"
#include "sample_data.h"
#include "timing.h"
#include "tool_error.h"
#include "tool_text.h"

namespace {

using lanepool_tool::BadInput;
using lanepool_tool::Buffer;

struct SmallJob {
  lanepool_params params;
  size_t x_shift = 0, y_shift = 0;
  lanepool_desc desc;
  std::string refusal;  // the library's sentence; empty if there is a plan
};

SmallJob Parse(const std::string& line, uint64_t targets) {
  SmallJob job;
  lanepool_params& p = job.params;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  std::istringstream words(line);
  std::string op, layout, type, auto_pad;
  words >> op >> layout >> type >> p.batch >> p.channels;
  for (int64_t* const axes : {p.input, p.kernel, p.strides, p.dilations}) {
    words >> axes[0] >> axes[1];
  }
  words >> auto_pad >> job.x_shift >> job.y_shift;
  if (!words) throw BadInput("this is no job: " + lanepool_tool::Quote(line));
  p.rank = 2;
  p.target_mask = targets;
  p.op = CodeOf(lanepool_tool::Ops(), op, "op");
  p.layout = CodeOf(lanepool_tool::Layouts(), layout, "layout");
  p.auto_pad = CodeOf(lanepool_tool::AutoPads(), auto_pad, "auto_pad");
  p.x_type = p.y_type = CodeOf(lanepool_tool::Types(), type, "type");
  if (lanepool_tool::IsQuantized(p.x_type) && p.op == LANEPOOL_OP_AVERAGE) {
    p.x_scale = 0.0235f;
    p.y_scale = 0.0187f;
  }
  lanepool_error error;
  if (lanepool_plan(&p, &job.desc, &error) != LANEPOOL_OK) {
    char text[200];
    lanepool_error_format(&error, text, sizeof text);
    job.refusal = text;
  }
  return job;
}

std::vector<SmallJob> ReadJobs(uint64_t targets) {
  std::vector<SmallJob> jobs;
  for (std::string line; std::getline(std::cin, line);) jobs.push_back(Parse(line, targets));
  return jobs;
}

// Memory that all jobs use one after the other: what a job finds in the cache then depends on its
// own size alone.
class SharedBuffers {
 public:
  explicit SharedBuffers(const std::vector<SmallJob>& jobs) {
    size_t y_bytes = 0, workspace_bytes = 0;
    std::map<int32_t, size_t> x_bytes;
    for (const SmallJob& job : jobs) {
      if (!job.refusal.empty()) continue;
      const auto larger = [](size_t bytes, int64_t wanted, size_t shift) {
        return std::max(bytes, static_cast<size_t>(wanted) + shift);
      };
      size_t& x_most = x_bytes[job.params.x_type];
      x_most = larger(x_most, job.desc.x_bytes, job.x_shift);
      y_bytes = larger(y_bytes, job.desc.y_bytes, job.y_shift);
      workspace_bytes = larger(workspace_bytes, job.desc.workspace_bytes, 0);
    }
    for (const auto& [type, bytes] : x_bytes) {
      x_.emplace(type, Buffer(bytes));
      FillWithNoise(type, x_.at(type));
    }
    y_ = Buffer(y_bytes, lanepool_tool::kOutputShift);
    workspace_ = Buffer(workspace_bytes, 2 * lanepool_tool::kOutputShift);
  }

  int32_t Run(const SmallJob& job) const {
    const Buffer& x = x_.at(job.params.x_type);
    return lanepool_run(&job.desc, x.data() + job.x_shift, x.size() - job.x_shift,
                        y_.data() + job.y_shift, y_.size() - job.y_shift, nullptr, 0,
                        workspace_.data(), workspace_.size());
  }

 private:
  std::map<int32_t, Buffer> x_;  // of each element type
  Buffer y_, workspace_;
};

void Print(const SmallJob& job, const lanepool_tool::Timing& time) {
  char text[200];
  lanepool_explain(&job.desc, text, sizeof text);
  const std::string bytes = std::to_string(job.desc.x_bytes + job.desc.y_bytes);
  std::printf("%.1f %.1f %s %s\n", time.minimum * 1e9, time.median * 1e9, bytes.c_str(), text);
}

void TimeAll(double seconds, uint64_t targets) {
  const std::vector<SmallJob> jobs = ReadJobs(targets);
  const SharedBuffers buffers(jobs);
  std::vector<lanepool_tool::Contender> contenders;
  for (const SmallJob& job : jobs) {
    if (!job.refusal.empty()) continue;
    const int32_t status = buffers.Run(job);
    if (status != LANEPOOL_OK) throw BadInput(lanepool_status_name(status));
    contenders.push_back({"", [&job, &buffers] { (void)buffers.Run(job); }});
  }
  if (contenders.empty()) throw BadInput("there is no job that can be run");
  const std::vector<lanepool_tool::Timing> times =
      lanepool_tool::TimeInTurns(contenders, seconds, [](double) {});
  size_t timed = 0;
  for (const SmallJob& job : jobs) {
    if (job.refusal.empty()) {
      Print(job, times[timed++]);
    } else {
      std::printf("refused %s\n", job.refusal.c_str());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const uint64_t targets = argc > 2 ? lanepool_tool::TargetMaskOf(argv[2], "TARGETS") : 0;
    TimeAll(argc > 1 ? lanepool_tool::ParseReal(argv[1], "SECONDS") : 0, targets);
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "sweep_times: %s\n", error.what());
    return 2;
  }
  return 0;
}
