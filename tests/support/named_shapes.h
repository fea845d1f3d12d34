// shapes.inc as data.
#ifndef LANEPOOL_TESTS_SUPPORT_NAMED_SHAPES_H_
#define LANEPOOL_TESTS_SUPPORT_NAMED_SHAPES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"

namespace support {

struct NamedShape {
  bool is_timed;  // TIME of shapes.inc: may be too large for the oracle
  std::string name;
  std::string reason;
  int32_t layout;          // LANEPOOL_LAYOUT_*, or 0 for both
  lanepool_params params;  // f32, with the layout NCHW if it is to be tried in both

  std::vector<int32_t> Layouts() const;
};

const std::vector<NamedShape>& NamedShapes();

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_NAMED_SHAPES_H_
