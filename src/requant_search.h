// The search for multipliers: a line, in integers, that climbs a staircase step for step.
#ifndef LANEPOOL_SRC_REQUANT_SEARCH_H_
#define LANEPOOL_SRC_REQUANT_SEARCH_H_

#include <stdint.h>

namespace lanepool {

// Step j, for j in [1, count], is at at[j] - origin, above 0 and not above `last`: the result must
// be below j before it and at least j from it on. Arguments of the line are 0 .. last < 2^32.
struct Staircase {
  const int64_t* at;
  int64_t origin;
  int64_t last;
  int32_t count;  // 1 .. 255
};

// The line is (argument << pre_shift) * multiplier + offset, in units of 2^-shift results.
struct LineFormat {
  int32_t pre_shift;
  int32_t shift;  // (count + 1 + 2 * slack) << shift <= 2^62
  int64_t multiplier_most;
  bool whole_units;    // offsets are multiples of the multiplier,
  int64_t units_most;  // at most this many
  int32_t slack;       // results are this much higher, and may be this much too low or too high
};

// Steps that contradicted an earlier candidate. They are asked first: mostly they settle the next
// candidates too, also those of other formats and ranges of the same staircase.
struct Witnesses {
  static constexpr int32_t kMost = 8;
  int32_t step[kMost];
  int32_t count;
  int32_t next;  // the entry to overwrite
};

// Every offset in [least, most] will do; in multiples of the multiplier if whole_units. With one
// class of steps only entry 0 is used; with two, entry 0 is for odd j and entry 1 for even j.
struct Line {
  int64_t multiplier;
  int64_t least[2], most[2];
};

// Finds a line for all steps (classes 1), or one multiplier with offsets for each class (classes
// 2, count >= 2), beginning near `guess`. Whatever is found takes every step exactly. False: there
// is none, or none was found in a few tries.
bool FindLine(const Staircase& stairs, const LineFormat& format, int32_t classes, int64_t guess,
              Witnesses* witnesses, Line* line);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_REQUANT_SEARCH_H_
