// Times several ways to do a job side by side. Their samples take turns, so that a disturbance of
// the machine meets all of them.
#ifndef LANEPOOL_BENCH_PEERS_MEASURE_H_
#define LANEPOOL_BENCH_PEERS_MEASURE_H_

#include <functional>
#include <vector>

namespace peers {

struct Timing {
  double median, minimum;  // seconds per call
  double spread;           // (75th - 25th percentile) / median
  int samples;
};

struct Effort {
  double seconds;  // of measuring for each
  // Before each sample, for threads that wait by spinning: another library's would take a core away
  // from the one that is timed.
  double pause_seconds;
};

// A sample is a call that is not timed, which brings code and buffers back into the caches, and as
// many calls as take 200 us, at least one.
std::vector<Timing> TimeInTurns(const std::vector<std::function<void()>>& calls,
                                const Effort& effort);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_MEASURE_H_
