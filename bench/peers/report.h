// Comparisons as lines for people and as the JSON that schema.md describes.
#ifndef LANEPOOL_BENCH_PEERS_REPORT_H_
#define LANEPOOL_BENCH_PEERS_REPORT_H_

#include <string>
#include <vector>

#include "compare.h"
#include "machine.h"

namespace peers {

// The whole file but for the rows, each of which is one text of RowJson.
std::string FileJson(const Machine& machine, const std::vector<LoadedPeer>& peers,
                     const std::vector<std::string>& rows);
std::string RowJson(const Row& row, const Comparison& comparison);

// "resnet_stem nhwc: lanepool 130.1 us, 1.5 x memcpy; best peer xnnpack 160.2 us, 1.23 x" and what
// is wrong.
std::string RowText(const Row& row, const Comparison& comparison);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_REPORT_H_
