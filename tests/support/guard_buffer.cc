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

size_t PageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

size_t WholePages(size_t bytes) {
  const size_t page = PageBytes();
  return std::max<size_t>(1, (bytes + page - 1) / page) * page;
}

// The guard page before `inner_bytes` that can be used.
unsigned char* MapBetweenGuards(size_t inner_bytes) {
  const size_t page = PageBytes();
  void* const mapping =
      mmap(nullptr, inner_bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Require(mapping != MAP_FAILED, "mmap");
  auto* const bytes = static_cast<unsigned char*>(mapping);
  Require(mprotect(bytes + page, inner_bytes, PROT_READ | PROT_WRITE) == 0, "mprotect");
  return bytes;
}

}  // namespace

GuardBuffer::GuardBuffer(size_t bytes, Placement placement) : size_(bytes) {
  page_bytes_ = PageBytes();
  inner_bytes_ = WholePages(bytes);
  mapping_ = MapBetweenGuards(inner_bytes_);
  unsigned char* const inner = mapping_ + page_bytes_;
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

GuardPages::~GuardPages() { Unmap(); }

void GuardPages::Unmap() {
  if (mapping_ != nullptr) munmap(mapping_, inner_bytes_ + 2 * PageBytes());
}

unsigned char* GuardPages::Place(size_t bytes, Placement placement) {
  if (bytes > inner_bytes_ || mapping_ == nullptr) {
    Unmap();
    inner_bytes_ = WholePages(bytes);
    mapping_ = MapBetweenGuards(inner_bytes_);
  }
  unsigned char* const inner = mapping_ + PageBytes();
  return placement == Placement::kPageStart ? inner : inner + inner_bytes_ - bytes;
}

}  // namespace support
