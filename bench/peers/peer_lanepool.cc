// lanepool itself, as a caller uses it: planned once, with its work items dealt out to threads.
#include <map>
#include <vector>

#include "buffer.h"
#include "lanepool_peer.h"
#include "thread_team.h"
#include "tool_error.h"

namespace peers {
namespace {

using lanepool_tool::Buffer;
using lanepool_tool::ThreadTeam;

class LanepoolJob : public Job {
 public:
  LanepoolJob(const Task& task, const lanepool_desc& desc)
      : desc_(desc), team_(SharedTeam(task.threads)) {
    for (int i = 0; i < task.threads; ++i) {
      workspaces_.emplace_back(static_cast<size_t>(desc.workspace_bytes));
    }
  }

  std::string Note() const override {
    char text[200];
    lanepool_explain(&desc_, text, sizeof text);
    return text;
  }

  void Bind(const std::vector<Tensors>& tensors) override { tensors_ = tensors; }

  void Run(size_t i) override {
    const Tensors& tensors = tensors_[i];
    if (team_.members() == 1) {
      Check(lanepool_run(&desc_, tensors.x, X(), tensors.y, Y(), nullptr, 0, workspaces_[0].data(),
                         workspaces_[0].size()));
      return;
    }
    const int64_t members = team_.members();
    std::vector<int32_t> statuses(static_cast<size_t>(members));
    team_.Do([&](int member) {
      const size_t m = static_cast<size_t>(member);
      statuses[m] = lanepool_run_range(&desc_, tensors.x, X(), tensors.y, Y(), nullptr, 0,
                                       workspaces_[m].data(), workspaces_[m].size(),
                                       desc_.work_items * member / members,
                                       desc_.work_items * (member + 1) / members);
    });
    for (const int32_t status : statuses) Check(status);
  }

 private:
  size_t X() const { return static_cast<size_t>(desc_.x_bytes); }
  size_t Y() const { return static_cast<size_t>(desc_.y_bytes); }

  static void Check(int32_t status) {
    if (status != LANEPOOL_OK) throw lanepool_tool::Failure(lanepool_status_name(status));
  }

  lanepool_desc desc_;
  ThreadTeam& team_;
  std::vector<Buffer> workspaces_;
  std::vector<Tensors> tensors_;
};

}  // namespace

ThreadTeam& SharedTeam(int threads) {
  static std::map<int, ThreadTeam> teams;
  return teams.try_emplace(threads, threads).first->second;
}

std::string LanepoolPeer::Name() const { return "lanepool"; }
std::string LanepoolPeer::Version() const { return lanepool_version(); }

std::string LanepoolPeer::Isa() const {
  return lanepool_target_name(lanepool_targets(LANEPOOL_TARGETS_BEST));
}

std::unique_ptr<Job> LanepoolPeer::Prepare(const Task& task) {
  return std::make_unique<LanepoolJob>(task, Plan(task.params));
}

lanepool_desc Plan(const lanepool_params& params) {
  lanepool_desc desc;
  lanepool_error error;
  if (lanepool_plan(&params, &desc, &error) != LANEPOOL_OK) {
    char text[200];
    lanepool_error_format(&error, text, sizeof text);
    throw lanepool_tool::Failure(text);
  }
  return desc;
}

}  // namespace peers
