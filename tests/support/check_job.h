// What every job must hold, whatever its types: right results, and the same bytes on every
// instruction set, for every split into ranges and for every alignment.
#ifndef LANEPOOL_TESTS_SUPPORT_CHECK_JOB_H_
#define LANEPOOL_TESTS_SUPPORT_CHECK_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "job.h"
#include "random.h"
#include "random_case.h"

namespace support {

using Bytes = std::vector<unsigned char>;

// Fills the gaps of a view and whatever a kernel forgets to write.
inline constexpr unsigned char kPoison = 0xC5;

// y with the gaps poisoned, as one call leaves it. Ends the process if the call fails, as all of
// these do.
Bytes RunOnce(const lanepool_desc& desc, const Bytes& x, const Table& table = {});

// The same in ranges of random length, from the first to the last or the other way round.
Bytes RunInRanges(const lanepool_desc& desc, const Bytes& x, const Table& table, Random* random,
                  bool backwards);

// x and y anywhere, aligned to their elements only.
Bytes RunUnaligned(const lanepool_desc& desc, const Bytes& x, const Table& table, Random* random);

// Empty, or the first element in which the two differ.
std::string Difference(const Bytes& a, const Bytes& b, int64_t element_bytes);

// Empty, or what of the desc is not as the oracle has it.
std::string ShapeFault(const lanepool_params& params, const lanepool_desc& desc);

// All of the above, and gaps that stay as they are. Empty, or what is wrong first.
std::string JobFault(const RandomCase& item, const Bytes& x, Random* random);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_CHECK_JOB_H_
