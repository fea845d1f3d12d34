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
  // Before each sample, for calls on several threads. First nothing is done for so long: threads of
  // another library that wait by spinning would take a core away from the one that is timed. Then
  // the call is made for so long without being timed: threads that have slept begin on whatever
  // core woke them, often all on one, and are moved apart only some time later.
  double pause_seconds = 0;
};

// A sample is a call that is not timed, which brings code and buffers back into the caches, and as
// many calls as take 200 us, or a tenth of the pause, at least one.
std::vector<Timing> TimeInTurns(const std::vector<std::function<void()>>& calls,
                                const Effort& effort);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_MEASURE_H_
