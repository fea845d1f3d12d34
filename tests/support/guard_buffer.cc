#include "guard_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace support {
namespace {

void Require(bool good, const char* what) {
  if (good) return;
  std::perror(what);
  std::abort();
}

}  // namespace

GuardBuffer::GuardBuffer(size_t bytes, Placement placement) : size_(bytes) {
  page_bytes_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t pages = std::max<size_t>(1, (bytes + page_bytes_ - 1) / page_bytes_);
  inner_bytes_ = pages * page_bytes_;
  void* const mapping =
      mmap(nullptr, inner_bytes_ + 2 * page_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Require(mapping != MAP_FAILED, "mmap");
  mapping_ = static_cast<unsigned char*>(mapping);
  unsigned char* const inner = mapping_ + page_bytes_;
  Require(mprotect(inner, inner_bytes_, PROT_READ | PROT_WRITE) == 0, "mprotect");
  std::memset(inner, kPattern, inner_bytes_);
  data_ = placement == Placement::kPageStart ? inner : inner + inner_bytes_ - bytes;
}

GuardBuffer::~GuardBuffer() { munmap(mapping_, inner_bytes_ + 2 * page_bytes_); }

void GuardBuffer::MakeReadOnly() {
  Require(mprotect(mapping_ + page_bytes_, inner_bytes_, PROT_READ) == 0, "mprotect");
}

bool GuardBuffer::IsIntact() const {
  const unsigned char* const inner = mapping_ + page_bytes_;
  const auto is_pattern = [](unsigned char byte) { return byte == kPattern; };
  return std::all_of<const unsigned char*>(inner, data_, is_pattern) &&
         std::all_of<const unsigned char*>(data_ + size_, inner + inner_bytes_, is_pattern);
}

}  // namespace support
