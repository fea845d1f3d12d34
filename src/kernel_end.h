// What the kernels of a run leave to be done for code of other instruction sets.
#ifndef LANEPOOL_SRC_KERNEL_END_H_
#define LANEPOOL_SRC_KERNEL_END_H_

#include <stdint.h>

namespace lanepool {

// What kernels of one Highway target that is compiled in may have left in the upper halves of
// vector registers is gone: code for fewer instruction sets, such as a caller's, else waits for it.
// Compilers see to that at the end of most functions, but not of those that they keep small, nor
// where one ends with another.
void EmptyUpperHalves(int64_t target);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_KERNEL_END_H_
