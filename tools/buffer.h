// Memory for tensors, and the question whether a tensor fits this machine at all.
#ifndef LANEPOOL_TOOLS_BUFFER_H_
#define LANEPOOL_TOOLS_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace lanepool_tool {

// `bytes` of zeros. They begin `shift` bytes behind the start of a page: buffers that all begin
// with a page compete for the same places of the cache.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t bytes, size_t shift = 0);  // std::bad_alloc

  uint8_t* data() const { return memory_.get() + shift_; }
  size_t size() const { return bytes_; }

 private:
  struct Free {
    void operator()(uint8_t* memory) const { std::free(memory); }
  };
  std::unique_ptr<uint8_t, Free> memory_;
  size_t bytes_ = 0;
  size_t shift_ = 0;
};

// BadInput if these buffers together need more than the memory of this machine.
void CheckFitsMemory(const std::vector<int64_t>& buffer_bytes);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_BUFFER_H_
