// What planes divide by, or requantize with: for the loops of runner_planes.cc.
#ifndef LANEPOOL_SRC_PLANE_DIVISORS_H_
#define LANEPOOL_SRC_PLANE_DIVISORS_H_

#include <stdint.h>

#include "axis.h"
#include "kernel_table.h"
#include "runner_context.h"
#include "strategy.h"

namespace lanepool {

// Outputs along W of a job of Loop::kByTwo or kBySteps at most. Whole rows are read as they lie in
// memory.
constexpr int64_t kByTwoLanes = 512;

// Every step-th output of [begin, end) of an axis.
struct Outputs {
  int64_t begin, end, step;
};

// What rows and lanes divide by, or requantize with.
class Divisors {
 public:
  explicit Divisors(int rows_axis = 1, int lanes_axis = 2)
      : rows_axis_(rows_axis), lanes_axis_(lanes_axis) {}

  // For outputs along the axis of rows.
  void BeginRows(const Context& context, const Outputs& rows, const Span64& d, PlanesJob* job);
  // For so many rows like the first one, of floats.
  void RepeatRow(int64_t rows);
  // For outputs [begin, end) along that of lanes, so many lanes apart.
  void BeginLanes(const Context& context, int64_t begin, int64_t end, int64_t apart,
                  PlanesJob* job);

 private:
  // Keys along one axis of windows of at most five taps that are not empty.
  struct Classes {
    int32_t count = 0;
    WindowKey keys[kMostRequants];

    uint8_t Of(const WindowKey& key) {
      for (int32_t i = 0; i < count; ++i) {
        if (keys[i].taps == key.taps && keys[i].counted == key.counted) {
          return static_cast<uint8_t>(i);
        }
      }
      keys[count] = key;
      return static_cast<uint8_t>(count++);
    }
  };
  static void FillClasses(const Context& context, int axis, int64_t begin, int64_t end,
                          int64_t lanes, Classes* classes, uint8_t* of_outputs);

  // Of lanes and of rows.
  struct Counts {
    float w[kByTwoLanes + kCountSlack];
    float h[kPlaneRows];
  };
  struct ClassesOfBytes {
    uint8_t w[kByTwoLanes + kCountSlack];
    uint8_t h[kPlaneRows];
    const Requant* requants[kMostRequants * kMostRequants];
  };
  union CountsOrClasses {
    Counts counts;  // floats
    ClassesOfBytes classes;
  };
  const int rows_axis_, lanes_axis_;  // of the plan
  CountsOrClasses of_;
  WindowKey d_key_ = {};
  Classes h_keys_;
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PLANE_DIVISORS_H_
