#include "output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "npy.h"
#include "tool_error.h"

namespace lanepool_tool {
namespace {

namespace fs = std::filesystem;

// What a rename must replace: the file that a symbolic link leads to, not the link.
std::string Resolved(const std::string& path) {
  std::error_code error;
  fs::path resolved = path;
  if (fs::is_symlink(path, error)) resolved = fs::weakly_canonical(path, error);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw BadInput(path + ": " + error.message());
  }
  return resolved.string();
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(Resolved(path)) {
  // A rename would put a plain file in the place of a device as /dev/null.
  struct stat status;
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw BadInput(path + ": not a regular file");
  }
  const fs::path place(path_);
  if (place.filename().empty()) throw BadInput("'" + path + "' is not the name of a file");
  temporary_ = (place.parent_path() / ("." + std::to_string(getpid()) + "-" +
                                       place.filename().string().substr(0, 200) + ".tmp"))
                   .string();
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw BadInput(path + ": " + std::strerror(errno));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::Write(const void* bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t written = write(descriptor_, static_cast<const char*>(bytes) + done, size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw Failure(path_ + ": " + std::strerror(errno));
    done += static_cast<size_t>(written);
  }
}

void OutputFile::Close() {
  const int result = close(descriptor_);
  descriptor_ = -1;
  if (result != 0) throw Failure(path_ + ": " + std::strerror(errno));
}

void OutputFile::Publish() {
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw Failure(path_ + ": " + std::strerror(errno));
  }
  temporary_.clear();
}

void WriteNpy(OutputFile& file, int32_t type, const std::vector<int64_t>& shape,
              const Buffer& data) {
  const std::string header = MakeNpyHeader(type, shape);
  file.Write(header.data(), header.size());
  file.Write(data.data(), data.size());
  file.Close();
}

}  // namespace lanepool_tool
