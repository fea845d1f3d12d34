// Bounded text output without locale or allocation, with snprintf's convention for lengths.
#ifndef LANEPOOL_SRC_TEXT_H_
#define LANEPOOL_SRC_TEXT_H_

#include <stddef.h>
#include <stdint.h>

namespace lanepool {

class Text {
 public:
  // Writes at most size - 1 characters and a terminating 0 into `out`; nothing when size is 0.
  Text(char* out, size_t size) : out_(out), size_(out == nullptr ? 0 : size) {
    if (size_ > 0) out_[0] = '\0';
  }

  Text& Char(char c) {
    if (length_ + 1 < size_) {
      out_[length_] = c;
      out_[length_ + 1] = '\0';
    }
    ++length_;
    return *this;
  }

  Text& String(const char* s) {
    while (*s != '\0') Char(*s++);
    return *this;
  }

  Text& Integer(int64_t value) {
    char digits[20];
    int count = 0;
    uint64_t magnitude = static_cast<uint64_t>(value);
    if (value < 0) {
      Char('-');
      magnitude = 0 - magnitude;
    }
    do {
      digits[count++] = static_cast<char>('0' + magnitude % 10);
      magnitude /= 10;
    } while (magnitude != 0);
    while (count > 0) Char(digits[--count]);
    return *this;
  }

  // Length of the whole text, cut or not.
  int32_t Length() const { return static_cast<int32_t>(length_); }

 private:
  char* out_;
  size_t size_;
  size_t length_ = 0;
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_TEXT_H_
