// What the library knows of the machine: cache sizes and cores. They may choose tile sizes, never
// an order of additions.
#ifndef LANEPOOL_SRC_MACHINE_H_
#define LANEPOOL_SRC_MACHINE_H_

#include <stdint.h>

namespace lanepool {

struct Machine {
  int64_t l1d_bytes;
  int64_t l2_bytes;
  int64_t l3_bytes;  // 0: none
  int64_t cores;
  bool detected;
};

Machine DetectMachine();

}  // namespace lanepool

#endif  // LANEPOOL_SRC_MACHINE_H_
