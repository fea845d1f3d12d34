// Memory between two pages that cannot be touched.
#ifndef LANEPOOL_TESTS_SUPPORT_GUARD_BUFFER_H_
#define LANEPOOL_TESTS_SUPPORT_GUARD_BUFFER_H_

#include <cstddef>
#include <cstdint>

namespace support {

enum class Placement {
  kPageStart,  // the byte before the buffer is out of bounds: access ends the process
  kPageEnd     // the byte behind the buffer is
};

// The buffer's own pages beyond the buffer hold a pattern that IsIntact looks for.
class GuardBuffer {
 public:
  GuardBuffer(size_t bytes, Placement placement);
  ~GuardBuffer();
  GuardBuffer(const GuardBuffer&) = delete;
  GuardBuffer& operator=(const GuardBuffer&) = delete;

  void* data() const { return data_; }
  size_t size() const { return size_; }

  void MakeReadOnly();

  // Whether the rest of the buffer's pages is as it was.
  bool IsIntact() const;

 private:
  static constexpr unsigned char kPattern = 0xC7;

  unsigned char* mapping_;  // guard page, pages, guard page
  size_t page_bytes_;
  size_t inner_bytes_;
  unsigned char* data_;
  size_t size_;
};

// Pages between two that cannot be touched, for one buffer after the other.
class GuardPages {
 public:
  GuardPages() = default;
  ~GuardPages();
  GuardPages(const GuardPages&) = delete;
  GuardPages& operator=(const GuardPages&) = delete;

  // Memory that is valid until the next call; what it holds is anything.
  unsigned char* Place(size_t bytes, Placement placement);

 private:
  void Unmap();

  unsigned char* mapping_ = nullptr;  // guard page, pages, guard page
  size_t inner_bytes_ = 0;
};

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_GUARD_BUFFER_H_
