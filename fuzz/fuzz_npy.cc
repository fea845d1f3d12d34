// The tool's reader of .npy headers: a file is refused with a message, or its header is one that
// fits the file.
#include <algorithm>
#include <string>

#include "npy.h"
#include "oracle/types.h"
#include "target.h"
#include "tool_error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string file(reinterpret_cast<const char*>(data), size);
  try {
    const lanepool_tool::NpyHeader header =
        lanepool_tool::ParseNpyHeader(file.substr(0, lanepool_tool::kNpyHeaderLimit), size);
    // A size of 0 may be the last of many whose product has no end.
    const bool empty = std::count(header.shape.begin(), header.shape.end(), 0) > 0;
    __int128 bytes = empty ? 0 : oracle::ElementBytes(header.type);
    for (const int64_t n : header.shape) {
      if (n < 0) fuzz::Report("a negative size");
      bytes *= n;
    }
    if (bytes != static_cast<__int128>(header.data_bytes)) fuzz::Report("data_bytes");
    if (header.data_offset > size || header.data_bytes > size - header.data_offset) {
      fuzz::Report("data beyond the end of the file");
    }
  } catch (const lanepool_tool::BadInput&) {
    return 0;  // refused
  }
  return 0;
}
