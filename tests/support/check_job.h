// What every job must hold, whatever its types: right results, and the same bytes on every
// instruction set, for every split into ranges and for every alignment.
#ifndef LANEPOOL_TESTS_SUPPORT_CHECK_JOB_H_
#define LANEPOOL_TESTS_SUPPORT_CHECK_JOB_H_

#include <cstdint>
#include <string>

#include "job.h"
#include "random.h"
#include "random_case.h"
#include "run_job.h"

namespace support {

// Empty, or what of the desc is not as the oracle has it.
std::string ShapeFault(const lanepool_params& params, const lanepool_desc& desc);

// Empty, or how y or the index disagrees with the oracle. y may have been made by any target.
std::string ValueFault(const RandomCase& item, uint64_t target_mask, const Inputs& inputs,
                       const Outputs& outputs);

// All of that on every instruction set, and gaps that stay as they are. Empty, or what is wrong
// first. The index that a MAX_UNPOOL reads is made here.
std::string JobFault(const RandomCase& item, const Bytes& x, Random* random);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_CHECK_JOB_H_
