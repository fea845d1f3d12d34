// What the figures were measured on.
#ifndef LANEPOOL_BENCH_PEERS_MACHINE_H_
#define LANEPOOL_BENCH_PEERS_MACHINE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace peers {

struct Bandwidth {
  int64_t bytes;  // of source and destination together
  double gbps;    // bytes read and written
};

struct Machine {
  std::string cpu, os, architecture, date;
  int64_t cores, l1d_bytes, l2_bytes, l3_bytes;
  std::vector<Bandwidth> memcpy_gbps;
};

// `cpu`: its name, if /proc/cpuinfo has none, as on Arm. The bandwidths take a second.
Machine DescribeMachine(const std::string& cpu);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_MACHINE_H_
