// What the result of a task has to be, and how far from it a peer may be.
#ifndef LANEPOOL_BENCH_PEERS_EXPECTED_H_
#define LANEPOOL_BENCH_PEERS_EXPECTED_H_

#include <string>
#include <vector>

#include "peer.h"

namespace peers {

struct Expected {
  std::vector<double> values;  // in the order of y's elements
  std::string checked_by;      // "oracle" or "reference"
};

// By the oracle of the tests, which is exact and slow; where it would take too long, by a plain
// loop in double precision.
Expected MakeExpected(const Task& task, const void* x);

// How far an element may be off. Maxima: not at all. Quantized: by 1, as ties are rounded in more
// than one way. Averages of floats: by what the additions may lose if they are made in the element
// type, in any order, where |x| <= 1.
double Tolerance(const Task& task);

// The largest difference of an element of y; NaN if one is NaN.
double LargestDifference(const Task& task, const Expected& expected, const void* y);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_EXPECTED_H_
