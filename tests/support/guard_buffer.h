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

// The buffer's own pages beyond the buffer hold a pattern that IsIntact looks for. Pages are kept
// for the next buffer: to map them takes longer than most calls that tests make. For one thread.
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

  size_t inner_bytes_;
  unsigned char* inner_;  // pages with a guard page on either side
  unsigned char* data_;
  size_t size_;
  bool is_read_only_ = false;
};

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_GUARD_BUFFER_H_
