// lanepool_machine gives each number under its own code.
#include "machine.h"

#include <gtest/gtest.h>

#include "lanepool/lanepool.h"

namespace lanepool {
namespace {

TEST(Machine, EveryNumberHasItsCode) {
  const Machine machine = DetectMachine();
  EXPECT_EQ(lanepool_machine(LANEPOOL_MACHINE_L1D_BYTES), machine.l1d_bytes);
  EXPECT_EQ(lanepool_machine(LANEPOOL_MACHINE_L2_BYTES), machine.l2_bytes);
  EXPECT_EQ(lanepool_machine(LANEPOOL_MACHINE_L3_BYTES), machine.l3_bytes);
  EXPECT_EQ(lanepool_machine(LANEPOOL_MACHINE_CORES), machine.cores);
  EXPECT_EQ(lanepool_machine(LANEPOOL_MACHINE_DETECTED), machine.detected ? 1 : 0);
}

}  // namespace
}  // namespace lanepool
