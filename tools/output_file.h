// Result files that appear complete or not at all.
#ifndef LANEPOOL_TOOLS_OUTPUT_FILE_H_
#define LANEPOOL_TOOLS_OUTPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "buffer.h"

namespace lanepool_tool {

// A file of `path`'s directory under a temporary name. Publish() gives it the name `path`, which
// may exist; without it the destructor removes the file.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);  // BadInput if `path` cannot be written
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(const void* bytes, size_t size);  // Failure
  void Close();                                // Failure; needed before Publish
  void Publish();                              // Failure

 private:
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

// Writes one array as .npy; the caller publishes it.
void WriteNpy(OutputFile& file, int32_t type, const std::vector<int64_t>& shape,
              const Buffer& data);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_OUTPUT_FILE_H_
