#include "buffer.h"

#include <unistd.h>

#include <cstring>
#include <new>

#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

Buffer::Buffer(size_t bytes, size_t shift) : bytes_(bytes), shift_(shift) {
  if (bytes > SIZE_MAX - shift - kPage) throw std::bad_alloc();
  const size_t pages = (bytes + shift) / kPage + 1;
  memory_.reset(static_cast<uint8_t*>(std::aligned_alloc(kPage, pages * kPage)));
  if (memory_ == nullptr) throw std::bad_alloc();
  std::memset(memory_.get(), 0, pages * kPage);
}

void CheckFitsMemory(const std::vector<int64_t>& buffer_bytes) {
  double wanted = 0;
  for (const int64_t bytes : buffer_bytes) wanted += static_cast<double>(bytes);
  const double present =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (present > 0 && wanted > present) {
    throw BadInput(Format("this needs %.1f GB of memory, the machine has %.1f GB", wanted * 1e-9,
                          present * 1e-9));
  }
}

}  // namespace lanepool_tool
