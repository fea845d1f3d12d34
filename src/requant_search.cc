#include "requant_search.h"

namespace lanepool {
namespace {

// Eight find nearly every line that a thousand find.
constexpr int32_t kTries = 8;

// The offsets allowed by one demand on the line: at least, or at most, rise - run * multiplier.
struct Bound {
  int64_t rise, run;
  int64_t At(int64_t multiplier) const { return rise - run * multiplier; }
};

struct Bounds {
  Bound least, most;
};

// b > 0.
int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }
// a and b have the same sign, or a is 0.
int64_t CeilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0); }

// Collects the tightest bounds on the offset at one multiplier.
//   step j is reached at its argument:  offset >= needed = (j << shift) - argument * unit
//   and not one argument earlier:       offset <  needed + unit
// where unit = multiplier << pre_shift: one product per step serves both.
class Tightest {
 public:
  Tightest(const Staircase& stairs, const LineFormat& format, int64_t multiplier)
      : stairs_(stairs), format_(format), multiplier_(multiplier) {}

  void Ask(int32_t j) {
    const int64_t needed = Rise(j) - Argument(j) * (multiplier_ << format_.pre_shift);
    if (needed > most_) {
      most_ = needed;
      most_step_ = j;
    }
    if (needed < least_) {
      least_ = needed;
      least_step_ = j;
    }
  }

  // Besides the steps: the offset is not negative, the last result is not above `count`, and the
  // offset is at most units_most multipliers.
  Bounds Get() const {
    Bounds bounds = {{0, 0}, {Rise(stairs_.count + 1 + format_.slack) - 1, Run(stairs_.last)}};
    if (most_ > 0) bounds.least = {Rise(most_step_), Run(Argument(most_step_))};
    if (least_step_ != 0) {
      Tighten({Rise(least_step_) - 1, Run(Argument(least_step_) - 1)}, &bounds.most);
    }
    if (format_.whole_units) Tighten({0, -format_.units_most}, &bounds.most);
    return bounds;
  }

  // The steps behind Get(), 0 for none.
  int32_t MostStep() const { return most_step_; }
  int32_t LeastStep() const { return least_step_; }

 private:
  int64_t Rise(int32_t j) const { return static_cast<int64_t>(j + format_.slack) << format_.shift; }
  int64_t Argument(int32_t j) const { return stairs_.at[j] - stairs_.origin; }
  int64_t Run(int64_t argument) const { return argument * (int64_t{1} << format_.pre_shift); }
  void Tighten(const Bound& other, Bound* bound) const {
    if (other.At(multiplier_) < bound->At(multiplier_)) *bound = other;
  }

  const Staircase& stairs_;
  const LineFormat& format_;
  const int64_t multiplier_;
  int64_t most_ = INT64_MIN, least_ = INT64_MAX;
  int32_t most_step_ = 0, least_step_ = 0;
};

// The multipliers that are not excluded yet.
struct Range {
  int64_t low, high;
};

// Bounds that contradict each other at one multiplier do so at all on one side of it. Returns the
// nearest multiplier that they allow, having cut the range there; 0 when none is left.
int64_t Cut(const Bounds& bounds, Range* range) {
  // Allowed: run * multiplier <= rise. Bounds of one run follow the order of the steps and do not
  // contradict each other: run is not 0. Where it is negative, so is rise.
  const int64_t run = bounds.most.run - bounds.least.run;
  const int64_t rise = bounds.most.rise - bounds.least.rise;
  const int64_t next = run > 0 ? FloorDivide(rise, run) : CeilDivide(rise, run);
  if (run > 0) {
    range->high = next;
  } else {
    range->low = next;
  }
  return range->low <= next && next <= range->high ? next : 0;
}

// Offsets of class c in whole units, if the format wants them.
bool Settle(const LineFormat& format, const Bounds& bounds, int32_t c, Line* line) {
  line->least[c] = bounds.least.At(line->multiplier);
  line->most[c] = bounds.most.At(line->multiplier);
  if (format.whole_units) {
    line->least[c] = CeilDivide(line->least[c], line->multiplier);
    line->most[c] = FloorDivide(line->most[c], line->multiplier);
  }
  return line->least[c] <= line->most[c];
}

void Remember(int32_t step, Witnesses* witnesses) {
  witnesses->step[witnesses->next] = step;
  witnesses->next = (witnesses->next + 1) % Witnesses::kMost;
  if (witnesses->count < Witnesses::kMost) ++witnesses->count;
}

// Fills class c of the line at its multiplier. Returns that multiplier when it succeeds, else the
// one to try next, or one outside of the range when none is left.
int64_t FitOffsets(const Staircase& stairs, const LineFormat& format, int32_t classes, int32_t c,
                   Witnesses* witnesses, Range* range, Line* line) {
  Tightest asked(stairs, format, line->multiplier);
  for (int32_t i = 0; i < witnesses->count; ++i) {
    const int32_t j = witnesses->step[i];
    if (classes == 1 || (j - 1) % 2 == c) asked.Ask(j);
  }
  Bounds bounds = asked.Get();
  if (Settle(format, bounds, c, line)) {
    Tightest all(stairs, format, line->multiplier);
    for (int32_t j = 1 + c; j <= stairs.count; j += classes) all.Ask(j);
    bounds = all.Get();
    if (Settle(format, bounds, c, line)) return line->multiplier;
    Remember(all.MostStep(), witnesses);
    Remember(all.LeastStep(), witnesses);
  }
  const bool contradict = bounds.least.At(line->multiplier) > bounds.most.At(line->multiplier);
  return contradict ? Cut(bounds, range) : line->multiplier + 1;
}

}  // namespace

bool FindLine(const Staircase& stairs, const LineFormat& format, int32_t classes, int64_t guess,
              Witnesses* witnesses, Line* line) {
  // Beyond this the line passes the top within its arguments. It also keeps every product below
  // (count + 1 + 2 * slack) << shift.
  const int64_t steepest = (((stairs.count + int64_t{1} + 2 * format.slack) << format.shift) - 1) /
                           (stairs.last << format.pre_shift);
  Range range = {1, steepest < format.multiplier_most ? steepest : format.multiplier_most};
  int64_t next = guess < range.low ? range.low : guess > range.high ? range.high : guess;
  for (int32_t tries = 0; tries < kTries && range.low <= next && next <= range.high; ++tries) {
    line->multiplier = next;
    for (int32_t c = 0; c < classes && next == line->multiplier; ++c) {
      next = FitOffsets(stairs, format, classes, c, witnesses, &range, line);
    }
    if (next == line->multiplier) return true;
  }
  return false;
}

}  // namespace lanepool
