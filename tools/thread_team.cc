#include "thread_team.h"

#include <system_error>

#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {

ThreadTeam::ThreadTeam(int members) {
  try {
    for (int member = 1; member < members; ++member) {
      workers_.emplace_back([this, member] { Serve(member); });
    }
  } catch (const std::system_error& error) {
    Dismiss();
    throw Failure(Format("%d threads cannot be had: ", members) + error.what());
  }
}

ThreadTeam::~ThreadTeam() { Dismiss(); }

void ThreadTeam::Dismiss() {
  round_.store(-1);
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::Do(const std::function<void(int)>& work) {
  work_ = &work;
  busy_.store(static_cast<int>(workers_.size()));
  round_.store((round_.load() + 1) & 0xffff);
  work(0);
  while (busy_.load() != 0) std::this_thread::yield();
}

// Waiting yields instead of sleeping: waking a sleeper takes longer than pooling a small tensor.
void ThreadTeam::Serve(int member) {
  for (int last = 0;;) {
    int now;
    while ((now = round_.load()) == last) std::this_thread::yield();
    if (now < 0) return;
    last = now;
    (*work_)(member);
    busy_.fetch_sub(1);
  }
}

}  // namespace lanepool_tool
