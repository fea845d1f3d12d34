// Where the output of a RequantRule steps up, in exact integers.
#ifndef LANEPOOL_SRC_REQUANT_STEPS_H_
#define LANEPOOL_SRC_REQUANT_STEPS_H_

#include <stdint.h>

#include "requant.h"

namespace lanepool {

// Whether the rounding of a step is decided by an exact tie.
enum class Tie : uint8_t {
  kNone,
  kUp,   // at the step's sum, and it goes up
  kDown  // at the sum before, and it goes down
};

// Entry i belongs to the step into output y_least + i, for i in [0, y_most - y_least + 1]: one step
// more than there are on each side, so that one sees whether the clamp bounds cut a step off.
struct RequantStairs {
  int32_t count;
  bool has_ties;
  int64_t at[257];  // the least sum that rounds to this output or more; may be no possible sum
  Tie tie[257];
  // Outputs per unit of the sum, nearly: slope * 2^-slope_shift, slope in (2^61, 2^63).
  uint64_t slope;
  int32_t slope_shift;
};

void FindRequantStairs(const RequantRule& rule, RequantStairs* stairs);

// Which exact ties between the outputs y_least + i - 1 and y_least + i go up.
class TieRule {
 public:
  TieRule() = default;
  explicit TieRule(const RequantRule& rule);
  bool GoesUp(int32_t i) const;

 private:
  int32_t parity_ = 0, first_positive_ = 0;
  bool away_ = false;
};

// x_scale / y_scale as a fraction of two numbers up to `most`, if it is one.
struct SmallRatio {
  int32_t over, under;
};
bool FindSmallRatio(float x_scale, float y_scale, int32_t most, SmallRatio* ratio);

// The output for a sum, given one that is at most a few off.
int32_t OutputNear(const RequantRule& rule, uint64_t sum, int32_t near);

// The same of averages whose divisor is the number of their taps, or that have no zero point of x,
// with scales of which none is more than 2^17 times the other, prepared once.
class MeanOutputs {
 public:
  MeanOutputs() = default;
  explicit MeanOutputs(const RequantRule& rule);

  int32_t Near(uint32_t sum, int64_t divisor, int32_t near) const;

 private:
  TieRule ties_;
  int32_t x_zero_ = 0, y_zero_ = 0, least_ = 0, most_ = 0;
  int64_t over_ = 0, under_ = 0;  // where the divisor is 1
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_REQUANT_STEPS_H_
