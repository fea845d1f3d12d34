#include "thread_team.h"

#include <chrono>
#include <system_error>

#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

// Others may want the core that a thread without work waits on.
constexpr std::chrono::microseconds kPatience{500};

}  // namespace

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
  Wake();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::Do(const std::function<void(int)>& work) {
  work_ = &work;
  busy_.store(static_cast<int>(workers_.size()));
  round_.store((round_.load() + 1) & 0xffff);
  Wake();
  work(0);
  while (busy_.load() != 0) std::this_thread::yield();
}

void ThreadTeam::Wake() {
  if (sleepers_.load() == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  wake_.notify_all();
}

// Yields at first: waking a sleeper takes longer than pooling a small tensor.
int ThreadTeam::NextRound(int last) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < kPatience) {
    for (int i = 0; i < 100; ++i) {
      const int now = round_.load();
      if (now != last) return now;
      std::this_thread::yield();
    }
  }
  std::unique_lock<std::mutex> lock(mutex_);
  sleepers_.fetch_add(1);
  wake_.wait(lock, [&] { return round_.load() != last; });
  sleepers_.fetch_sub(1);
  return round_.load();
}

void ThreadTeam::Serve(int member) {
  for (int last = 0;;) {
    const int now = NextRound(last);
    if (now < 0) return;
    last = now;
    (*work_)(member);
    busy_.fetch_sub(1);
  }
}

}  // namespace lanepool_tool
