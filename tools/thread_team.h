// A few threads that do the same function at the same time, again and again, with little delay.
#ifndef LANEPOOL_TOOLS_THREAD_TEAM_H_
#define LANEPOOL_TOOLS_THREAD_TEAM_H_

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lanepool_tool {

class ThreadTeam {
 public:
  explicit ThreadTeam(int members);  // the caller is member 0; Failure if threads cannot be had
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int members() const { return static_cast<int>(workers_.size()) + 1; }

  // work(member) on every member; returns when all have returned. `work` must not throw.
  void Do(const std::function<void(int)>& work);

 private:
  void Serve(int member);
  int NextRound(int last);
  void Wake();
  void Dismiss();

  std::vector<std::thread> workers_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<int> round_{0};  // a new round starts the workers; -1 ends them
  std::atomic<int> busy_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<int> sleepers_{0};
};

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_THREAD_TEAM_H_
