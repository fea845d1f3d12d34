// Times several ways to do a job side by side: their samples take turns, so that a disturbance of
// the machine meets all of them.
#ifndef LANEPOOL_TOOLS_TIMING_H_
#define LANEPOOL_TOOLS_TIMING_H_

#include <functional>
#include <string>
#include <vector>

namespace lanepool_tool {

struct Contender {
  std::string name;
  std::function<void()> call;
};

struct Timing {
  double minimum = 0;  // seconds per call
  double median = 0;
  int samples = 0;
};

// About `seconds` of measuring for each contender, at least five samples. `progress` gets the
// fraction done.
std::vector<Timing> TimeInTurns(const std::vector<Contender>& contenders, double seconds,
                                const std::function<void(double)>& progress);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_TIMING_H_
