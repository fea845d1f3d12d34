#include "memcpy_roof.h"

#include <cstring>

namespace lanepool_tool {

MemcpyRoof::MemcpyRoof(int64_t bytes)
    : bytes_(static_cast<size_t>(bytes) / 2), from_(bytes_), to_(bytes_, kOutputShift) {}

void MemcpyRoof::CopyPart(size_t begin, size_t end) const {
  std::memcpy(to_.data() + begin, from_.data() + begin, end - begin);
  asm volatile("" ::: "memory");  // nobody reads the copy: the compiler may not know that
}

void MemcpyRoof::Copy(ThreadTeam* team) const {
  const size_t members = static_cast<size_t>(team->members());
  if (members == 1) {
    CopyPart(0, bytes_);
    return;
  }
  const size_t share = bytes_ / members;
  team->Do([&](int member) {
    const size_t begin = share * static_cast<size_t>(member);
    CopyPart(begin, static_cast<size_t>(member) + 1 == members ? bytes_ : begin + share);
  });
}

}  // namespace lanepool_tool
