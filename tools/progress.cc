#include "progress.h"

#include <unistd.h>

#include <cstdio>

namespace lanepool_tool {

Progress::Progress()
    : on_terminal_(isatty(STDERR_FILENO) == 1), next_(Clock::now() + std::chrono::seconds(1)) {}

void Progress::Show(const std::string& stage, double fraction) {
  if (!on_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  std::fprintf(stderr, "\rlanepool: %s, %.0f %%\033[K", stage.c_str(), 100 * fraction);
  std::fflush(stderr);
}

void Progress::Clear() {
  if (!shown_) return;
  shown_ = false;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace lanepool_tool
