// What is compared: the timed shapes of tests/support/shapes.inc, and some of them in other types,
// with cold buffers and on several threads.
#ifndef LANEPOOL_BENCH_PEERS_ROWS_H_
#define LANEPOOL_BENCH_PEERS_ROWS_H_

#include <string>
#include <vector>

#include "lanepool/lanepool.h"

namespace peers {

struct Row {
  std::string name;
  std::string group;
  lanepool_params params;
  int threads;
  bool is_cold;
};

// Those of one thread; with threads > 1 instead those that are worth dividing, on so many.
std::vector<Row> RowsFor(int threads);

std::string PathOf(const Row& row);  // "max/resnet_stem/nhwc", which --filter looks into

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_ROWS_H_
