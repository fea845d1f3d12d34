#include "npy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tool_error.h"

namespace lanepool_tool {
namespace {

class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) throw BadInput(std::strerror(errno));
    struct stat status;
    if (fstat(descriptor_, &status) != 0) {
      const int error = errno;
      close(descriptor_);
      throw BadInput(std::strerror(error));
    }
    if (!S_ISREG(status.st_mode)) {
      close(descriptor_);
      throw BadInput("not a regular file");
    }
    bytes_ = static_cast<uint64_t>(status.st_size);
  }
  ~InputFile() { close(descriptor_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  uint64_t bytes() const { return bytes_; }

  void Read(uint64_t offset, void* to, size_t bytes) const {
    for (size_t done = 0; done < bytes;) {
      const ssize_t got = pread(descriptor_, static_cast<char*>(to) + done, bytes - done,
                                static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw BadInput(std::strerror(errno));
      if (got == 0) throw BadInput("the file became shorter while it was read");
      done += static_cast<size_t>(got);
    }
  }

 private:
  int descriptor_;
  uint64_t bytes_ = 0;
};

NpyArray Read(const std::string& path) {
  const InputFile file(path);
  std::string start(static_cast<size_t>(std::min<uint64_t>(file.bytes(), kNpyHeaderLimit)), '\0');
  file.Read(0, start.data(), start.size());
  NpyHeader header = ParseNpyHeader(start, file.bytes());
  CheckFitsMemory({static_cast<int64_t>(header.data_bytes)});  // a sparse file can claim anything
  NpyArray array;
  array.type = header.type;
  array.shape = std::move(header.shape);
  array.data = Buffer(header.data_bytes);
  file.Read(header.data_offset, array.data.data(), array.data.size());
  return array;
}

}  // namespace

NpyArray ReadNpy(const std::string& path) {
  try {
    return Read(path);
  } catch (const BadInput& error) {
    throw BadInput(path + ": " + error.what());
  }
}

}  // namespace lanepool_tool
