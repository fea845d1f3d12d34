#include "job.h"

#include <algorithm>
#include <atomic>

#include "tool_error.h"

namespace lanepool_tool {
namespace {

constexpr int64_t kStepsPerMember = 100;

struct Memory {
  uint8_t* data = nullptr;
  size_t bytes = 0;
};

Memory MemoryOf(const Buffer* buffer) {
  if (buffer == nullptr || buffer->size() == 0) return {};
  return {buffer->data(), buffer->size()};
}

void CheckStatus(int32_t status) {
  if (status == LANEPOOL_INDEX) {
    throw BadInput("an index is neither -1 nor a position in the plane of its element (INDEX)");
  }
  if (status != LANEPOOL_OK) {
    throw Failure(std::string("the library answered ") + lanepool_status_name(status));
  }
}

}  // namespace

Job::Job(const lanepool_desc& desc, const JobBuffers& buffers, ThreadTeam* team)
    : desc_(desc), buffers_(buffers), team_(team) {
  for (int member = 0; member < team->members(); ++member) {
    workspaces_.emplace_back(static_cast<size_t>(desc.workspace_bytes));
  }
}

int32_t Job::RunItems(int member, int64_t begin, int64_t end) {
  const Memory table = MemoryOf(buffers_.table);
  const Memory index = MemoryOf(buffers_.index);
  const Buffer& workspace = workspaces_[static_cast<size_t>(member)];
  return lanepool_run_table(&desc_, table.data, table.bytes, buffers_.x->data(), buffers_.x->size(),
                            buffers_.y->data(), buffers_.y->size(), index.data, index.bytes,
                            workspace.data(), workspace.size(), begin, end);
}

int32_t Job::RunAll() {
  if (desc_.table_bytes != 0) return RunItems(0, 0, desc_.work_items);
  const Memory index = MemoryOf(buffers_.index);
  return lanepool_run(&desc_, buffers_.x->data(), buffers_.x->size(), buffers_.y->data(),
                      buffers_.y->size(), index.data, index.bytes, workspaces_[0].data(),
                      workspaces_[0].size());
}

void Job::Run() {
  const int members = team_->members();
  if (members == 1) {
    CheckStatus(RunAll());
    return;
  }
  std::atomic<int32_t> status{LANEPOOL_OK};
  const int64_t share = desc_.work_items / members;
  const int64_t extra = desc_.work_items % members;  // the first members take one item more
  team_->Do([&](int member) {
    const int64_t begin = share * member + std::min<int64_t>(member, extra);
    const int64_t end = begin + share + (member < extra ? 1 : 0);
    const int32_t result = RunItems(member, begin, end);
    if (result != LANEPOOL_OK) status = result;
  });
  CheckStatus(status);
}

void Job::RunInSteps(const std::function<void(double)>& progress) {
  const int64_t items = desc_.work_items;
  const int64_t step = std::max<int64_t>(1, items / (kStepsPerMember * team_->members()));
  std::atomic<int32_t> status{LANEPOOL_OK};
  std::atomic<int64_t> next{0};
  team_->Do([&](int member) {
    for (int64_t begin; (begin = next.fetch_add(step)) < items;) {
      const int32_t result = RunItems(member, begin, std::min(begin + step, items));
      if (result != LANEPOOL_OK) status = result;
      if (member == 0) progress(static_cast<double>(begin) / static_cast<double>(items));
    }
  });
  CheckStatus(status);
}

}  // namespace lanepool_tool
