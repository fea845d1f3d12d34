// The .npy files of numpy: format versions 1.0 to 3.0, C order, the byte order of this machine.
// A file is taken as hostile: every length in it is checked before it is used.
#ifndef LANEPOOL_TOOLS_NPY_H_
#define LANEPOOL_TOOLS_NPY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "buffer.h"

namespace lanepool_tool {

struct NpyHeader {
  int32_t type = 0;  // LANEPOOL_TYPE_*
  std::vector<int64_t> shape;
  size_t data_offset = 0;  // from the start of the file
  size_t data_bytes = 0;
};

// `start`: the first bytes of a file that has `file_bytes`, at least the first
// min(file_bytes, kNpyHeaderLimit). BadInput says what is wrong with it, without the file's name.
constexpr size_t kNpyHeaderLimit = 65536 + 12;
NpyHeader ParseNpyHeader(const std::string& start, uint64_t file_bytes);

// What precedes the data in a file of version 1.0.
std::string MakeNpyHeader(int32_t type, const std::vector<int64_t>& shape);

struct NpyArray {
  int32_t type = 0;
  std::vector<int64_t> shape;
  Buffer data;
};

// BadInput names the file.
NpyArray ReadNpy(const std::string& path);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_NPY_H_
