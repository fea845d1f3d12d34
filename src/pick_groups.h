// Groups of bytes that lie some distance apart, copied to some other distance: outputs picked from
// the windows of all positions of a row.
#ifndef LANEPOOL_SRC_PICK_GROUPS_H_
#define LANEPOOL_SRC_PICK_GROUPS_H_

#include <stdint.h>
#include <string.h>

namespace lanepool {

// n groups of kWord bytes.
template <size_t kWord>
void CopyWords(const char* from, int64_t from_step, char* y, int64_t y_step, int64_t n) {
  for (int64_t i = 0; i < n; ++i, from += from_step, y += y_step) memcpy(y, from, kWord);
}

// n groups of `bytes` bytes, from kWord to twice that.
template <size_t kWord>
void CopyGroups(const char* from, int64_t from_step, char* y, int64_t y_step, int64_t bytes,
                int64_t n) {
  if (bytes == kWord) {
    CopyWords<kWord>(from, from_step, y, y_step, n);
    return;
  }
  for (int64_t i = 0; i < n; ++i, from += from_step, y += y_step) {
    char begin[kWord], end[kWord];
    memcpy(begin, from, kWord);
    memcpy(end, from + bytes - kWord, kWord);
    memcpy(y, begin, kWord);
    memcpy(y + bytes - kWord, end, kWord);
  }
}

// n groups of `bytes` bytes.
inline void PickGroups(const char* from, int64_t from_step, char* y, int64_t y_step, int64_t bytes,
                       int64_t n) {
  if (bytes == 1) {
    for (int64_t i = 0; i < n; ++i) y[i * y_step] = from[i * from_step];
  } else if (bytes < 4) {
    CopyGroups<2>(from, from_step, y, y_step, bytes, n);
  } else if (bytes < 8) {
    CopyGroups<4>(from, from_step, y, y_step, bytes, n);
  } else if (bytes < 16) {
    CopyGroups<8>(from, from_step, y, y_step, bytes, n);
  } else if (bytes < 32) {
    CopyGroups<16>(from, from_step, y, y_step, bytes, n);
  } else if (bytes <= 64) {
    CopyGroups<32>(from, from_step, y, y_step, bytes, n);
  } else {
    const size_t size = static_cast<size_t>(bytes);
    for (int64_t i = 0; i < n; ++i) memcpy(y + i * y_step, from + i * from_step, size);
  }
}

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PICK_GROUPS_H_
