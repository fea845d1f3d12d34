// What an accepted plan promises, computed again in 128 bits.
#ifndef LANEPOOL_FUZZ_PLAN_BOUNDS_H_
#define LANEPOOL_FUZZ_PLAN_BOUNDS_H_

#include <string>

#include "lanepool/lanepool.h"

namespace fuzz {

// Empty, or which number of the desc is not what the params ask for: sizes of outputs and buffers,
// the number of elements. No tap and no output lies outside of these buffers then.
std::string BoundsFault(const lanepool_params& params, const lanepool_desc& desc);

}  // namespace fuzz

#endif  // LANEPOOL_FUZZ_PLAN_BOUNDS_H_
