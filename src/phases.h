// Windows of an axis that share taps: those of one sequence, and the blocks of them.
#ifndef LANEPOOL_SRC_PHASES_H_
#define LANEPOOL_SRC_PHASES_H_

#include <stdint.h>

#include "axis.h"

namespace lanepool {

// Outputs of an axis that are `phases` apart are windows of one sequence of taps, which lie
// `dilation` apart. Within such a sequence they are `stride` taps apart.
struct Phases {
  int64_t phases, stride, dilation;
};
Phases PhasesOf(const Axis<int64_t>& axis);

// Outputs of an axis that belong to one sequence of taps, see Phases: `output` and every step-th
// after it.
struct Sequence {
  int64_t output, step, outputs;
  int64_t residue;  // input position of position 0 of the sequence
  int64_t positions;
  int64_t first, stride;  // of windows, in positions
  int64_t skip;           // outputs of the first one's block before it
};
// Of outputs [begin, end), given that only input positions [0, input) are there.
Sequence SequenceOf(const Axis<int64_t>& axis, int64_t phase, int64_t block, int64_t begin,
                    int64_t end);

// Outputs of a block: as many as share a tap, all blocks about alike.
int16_t BlockOf(const Axis<int64_t>& axis);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PHASES_H_
