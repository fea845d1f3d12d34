// What a fuzz target is. Each is linked with libFuzzer, with AFL++'s driver, or with
// replay_main.cc, which feeds it stored or generated inputs.
#ifndef LANEPOOL_FUZZ_TARGET_H_
#define LANEPOOL_FUZZ_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// Ends the process when something is wrong.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fuzz {

[[noreturn]] inline void Report(const std::string& what) {
  std::fprintf(stderr, "found: %s\n", what.c_str());
  std::abort();
}

}  // namespace fuzz

#endif  // LANEPOOL_FUZZ_TARGET_H_
