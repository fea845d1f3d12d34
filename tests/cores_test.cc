// The walks through memory that are for other cores than this one, see docs/decisions/0040: tests
// of guard_test.cc with a library that is told which core it runs on.
//   cores_test other|intel|zen4|zen5 [GTEST OPTION...]
#include <gtest/gtest.h>
#include <stdio.h>
#include <string.h>

#include "dispatch.h"

int main(int argc, char** argv) {
  const struct {
    const char* name;
    lanepool::Core core;
  } cores[] = {{"other", lanepool::Core::kOther},
               {"intel", lanepool::Core::kIntel},
               {"zen4", lanepool::Core::kZen4},
               {"zen5", lanepool::Core::kZen5}};
  testing::InitGoogleTest(&argc, argv);
  for (const auto& core : cores) {
    if (argc != 2 || strcmp(argv[1], core.name) != 0) continue;
    lanepool::core.store(core.core);
    return RUN_ALL_TESTS();
  }
  fprintf(stderr, "usage: cores_test other|intel|zen4|zen5 [GTEST OPTION...]\n");
  return 2;
}
