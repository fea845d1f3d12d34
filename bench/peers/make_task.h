// From a row to what a peer is given.
#ifndef LANEPOOL_BENCH_PEERS_MAKE_TASK_H_
#define LANEPOOL_BENCH_PEERS_MAKE_TASK_H_

#include <cstddef>

#include "peer.h"
#include "rows.h"

namespace peers {

constexpr size_t kReadBeyond = 256;  // XNNPACK reads a little behind its input

Task MakeTask(const Row& row, const lanepool_desc& desc);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_MAKE_TASK_H_
