// The yardstick: memcpy that moves as many bytes as the job does.
//
// A job reads x and writes y, and reads or writes the index if it has one: `bytes` in all. A memcpy
// of bytes / 2 reads that many and writes that many, so both move as many bytes, within a working
// set of that size. This is the same as bytes / bandwidth, with a bandwidth that counts bytes read
// and written.
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
  explicit MemcpyRoof(int64_t bytes);  // read and written, together
  void Copy(ThreadTeam* team) const;   // every member copies its share

 private:
  void CopyPart(size_t begin, size_t end) const;

  size_t bytes_;
  Buffer from_;
  Buffer to_;
};

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_MEMCPY_ROOF_H_
