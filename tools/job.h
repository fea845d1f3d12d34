// A plan with the threads and scratch memory to run it.
#ifndef LANEPOOL_TOOLS_JOB_H_
#define LANEPOOL_TOOLS_JOB_H_

#include <functional>
#include <vector>

#include "buffer.h"
#include "lanepool/lanepool.h"
#include "thread_team.h"

namespace lanepool_tool {

struct JobBuffers {
  const Buffer* x = nullptr;
  const Buffer* y = nullptr;
  const Buffer* index = nullptr;  // NULL or empty without; max_unpool reads it
  const Buffer* table = nullptr;  // NULL or empty without per-channel quantization
};

// What runs it throws BadInput for an index that max_unpool cannot follow.
class Job {
 public:
  Job(const lanepool_desc& desc, const JobBuffers& buffers, ThreadTeam* team);

  // The whole tensor, as a host would: in one call on one thread, an equal share of the work items
  // for each of several.
  void Run();

  // In many small steps; `progress` gets the fraction done, on the calling thread.
  void RunInSteps(const std::function<void(double)>& progress);

 private:
  int32_t RunAll();
  int32_t RunItems(int member, int64_t begin, int64_t end);

  lanepool_desc desc_;
  JobBuffers buffers_;
  ThreadTeam* team_;
  std::vector<Buffer> workspaces_;  // one per member
};

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_JOB_H_
