// The two ways in which the tool gives up. main() turns them into one line and an exit status.
#ifndef LANEPOOL_TOOLS_TOOL_ERROR_H_
#define LANEPOOL_TOOLS_TOOL_ERROR_H_

#include <stdexcept>

namespace lanepool_tool {

// What the user gave cannot be worked with: exit status 2.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The input was fine, the machine was not (disk full, out of memory): exit status 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_TOOL_ERROR_H_
