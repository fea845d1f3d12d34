// Ways to run a job: at once, in ranges, at any address. What may differ between them never does.
#ifndef LANEPOOL_TESTS_SUPPORT_RUN_JOB_H_
#define LANEPOOL_TESTS_SUPPORT_RUN_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "job.h"
#include "random.h"

namespace support {

using Bytes = std::vector<unsigned char>;

// Fills the gaps of a view and whatever a kernel forgets to write.
inline constexpr unsigned char kPoison = 0xC5;

struct Inputs {
  Bytes x;
  // NOLINTBEGIN(readability-redundant-member-init): without, {x} would warn
  Bytes index = {};  // of MAX_UNPOOL
  Table table = {};
  // NOLINTEND(readability-redundant-member-init)
};

struct Outputs {
  Bytes y;
  Bytes index;  // of MAX
};

// The outputs with their gaps poisoned, as one call leaves them. These end the process if the call
// fails, or if it changes the index that it reads.
Outputs RunOnce(const lanepool_desc& desc, const Inputs& inputs);

// The same in ranges of random length, from the first to the last or the other way round.
Outputs RunInRanges(const lanepool_desc& desc, const Inputs& inputs, Random* random,
                    bool backwards);

// The buffers anywhere, aligned to their elements only, half of them against a guard page. One
// thread at a time.
Outputs RunUnaligned(const lanepool_desc& desc, const Inputs& inputs, Random* random);

// y of a job without indices.
Bytes RunOnce(const lanepool_desc& desc, const Bytes& x, const Table& table = {});

// Empty, or the first element in which the two differ.
std::string Difference(const Bytes& a, const Bytes& b, int64_t element_bytes,
                       const char* tensor = "y");

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RUN_JOB_H_
