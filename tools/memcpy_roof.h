// The yardstick: memcpy that moves as many bytes as the job does.
//
// A job reads x and writes y. A memcpy of (x_bytes + y_bytes) / 2 bytes reads that many and writes
// that many, so both move x_bytes + y_bytes in all, within a working set of that size. This is the
// same as (x_bytes + y_bytes) / bandwidth, with a bandwidth that counts bytes read and written.
#ifndef LANEPOOL_TOOLS_MEMCPY_ROOF_H_
#define LANEPOOL_TOOLS_MEMCPY_ROOF_H_

#include <cstdint>

#include "buffer.h"
#include "thread_team.h"

namespace lanepool_tool {

// y and the target of a copy begin this far into a page, so that stores and loads do not meet.
constexpr size_t kOutputShift = 1088;

class MemcpyRoof {
 public:
  MemcpyRoof(int64_t x_bytes, int64_t y_bytes);
  void Copy(ThreadTeam* team) const;  // every member copies its share

 private:
  void CopyPart(size_t begin, size_t end) const;

  size_t bytes_;
  Buffer from_;
  Buffer to_;
};

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_MEMCPY_ROOF_H_
