// A line on stderr for work that takes more than a second, if a person is watching.
#ifndef LANEPOOL_TOOLS_PROGRESS_H_
#define LANEPOOL_TOOLS_PROGRESS_H_

#include <chrono>
#include <string>

namespace lanepool_tool {

class Progress {
 public:
  Progress();
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(const std::string& stage, double fraction);  // fraction done, 0..1
  void Clear();                                          // before anything else is printed

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_PROGRESS_H_
