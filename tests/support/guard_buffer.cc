#include "guard_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

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

void Protect(unsigned char* inner, size_t inner_bytes, int protection) {
  Require(mprotect(inner, inner_bytes, protection) == 0, "mprotect");
}

// Pages between guards that no buffer has, by their bytes.
std::map<size_t, std::vector<unsigned char*>> idle_pages;
constexpr size_t kMostIdleBytes = 1 << 18;  // larger ones are not kept

unsigned char* TakePages(size_t inner_bytes) {
  std::vector<unsigned char*>& idle = idle_pages[inner_bytes];
  if (!idle.empty()) {
    unsigned char* const inner = idle.back();
    idle.pop_back();
    return inner;
  }
  const size_t page = PageBytes();
  void* const mapping =
      mmap(nullptr, inner_bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Require(mapping != MAP_FAILED, "mmap");
  unsigned char* const inner = static_cast<unsigned char*>(mapping) + page;
  Protect(inner, inner_bytes, PROT_READ | PROT_WRITE);
  return inner;
}

void GiveBackPages(unsigned char* inner, size_t inner_bytes) {
  const size_t page = PageBytes();
  if (inner_bytes > kMostIdleBytes) {
    Require(munmap(inner - page, inner_bytes + 2 * page) == 0, "munmap");
  } else {
    idle_pages[inner_bytes].push_back(inner);
  }
}

}  // namespace

GuardBuffer::GuardBuffer(size_t bytes, Placement placement)
    : inner_bytes_(WholePages(bytes)), inner_(TakePages(inner_bytes_)), size_(bytes) {
  std::memset(inner_, kPattern, inner_bytes_);
  data_ = placement == Placement::kPageStart ? inner_ : inner_ + inner_bytes_ - bytes;
}

GuardBuffer::~GuardBuffer() {
  if (is_read_only_) Protect(inner_, inner_bytes_, PROT_READ | PROT_WRITE);
  GiveBackPages(inner_, inner_bytes_);
}

void GuardBuffer::MakeReadOnly() {
  Protect(inner_, inner_bytes_, PROT_READ);
  is_read_only_ = true;
}

bool GuardBuffer::IsIntact() const {
  const auto is_pattern = [](unsigned char byte) { return byte == kPattern; };
  return std::all_of<const unsigned char*>(inner_, data_, is_pattern) &&
         std::all_of<const unsigned char*>(data_ + size_, inner_ + inner_bytes_, is_pattern);
}

}  // namespace support
