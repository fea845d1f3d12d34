// One row: every peer's result checked, then all of them timed side by side, memcpy with them.
#ifndef LANEPOOL_BENCH_PEERS_COMPARE_H_
#define LANEPOOL_BENCH_PEERS_COMPARE_H_

#include <string>
#include <vector>

#include "load_peers.h"
#include "measure.h"
#include "rows.h"

namespace peers {

enum class Status { kOk, kWrong, kUnsupported, kAbsent };

struct Result {
  std::string peer;
  Status status;
  std::string note;
  double difference;  // kOk, kWrong: from what is expected
  Timing timing;      // the same
};

struct Comparison {
  Task task;
  int64_t bytes;  // of x and y together
  std::string checked_by;
  Timing memcpy_timing;
  Timing one_thread;  // lanepool's, of rows on several
  std::vector<Result> results;
};

// `seconds` of measuring for each peer.
Comparison Compare(const Row& row, const std::vector<LoadedPeer>& peers, double seconds);

// The fastest right one but lanepool; nullptr if there is none.
const Result* BestPeer(const Comparison& comparison);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_COMPARE_H_
