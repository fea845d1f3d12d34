#include "machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

#include "lanepool/lanepool.h"
#include "measure.h"
#include "memcpy_roof.h"
#include "thread_team.h"

namespace peers {
namespace {

using lanepool_tool::MemcpyRoof;
using lanepool_tool::ThreadTeam;

constexpr int64_t kWorkingSets[] = {16 << 10, 256 << 10, 1 << 20, 8 << 20, 64 << 20, 256 << 20};

// What follows `separator` in the first line of the file that begins with `start`.
std::string FindLine(const char* path, const std::string& start, const std::string& separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t end = line.find(separator);
    if (line.compare(0, start.size(), start) != 0 || end == std::string::npos) continue;
    return line.substr(end + separator.size());
  }
  return "";
}

std::string OsName(const utsname& names) {
  std::string name = FindLine("/etc/os-release", "PRETTY_NAME", "=");
  if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
  const std::string kernel = std::string(names.sysname) + " " + names.release;
  return name.empty() ? kernel : name + ", " + kernel;
}

std::string Today() {
  const time_t now = std::time(nullptr);
  tm parts;
  char text[16];
  (void)gmtime_r(&now, &parts);
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts));
}

std::vector<Bandwidth> MeasureMemcpy() {
  std::vector<Bandwidth> bandwidths;
  ThreadTeam alone(1);
  for (const int64_t bytes : kWorkingSets) {
    const MemcpyRoof roof(bytes);
    const Timing timing = TimeInTurns({[&] { roof.Copy(&alone); }}, {0.1})[0];
    bandwidths.push_back({bytes, static_cast<double>(bytes) * 1e-9 / timing.median});
  }
  return bandwidths;
}

}  // namespace

Machine DescribeMachine(const std::string& cpu) {
  utsname names;
  (void)uname(&names);
  Machine machine;
  machine.cpu = cpu.empty() ? FindLine("/proc/cpuinfo", "model name", ": ") : cpu;
  if (machine.cpu.empty()) machine.cpu = "unknown";
  machine.os = OsName(names);
  machine.architecture = names.machine;
  machine.date = Today();
  machine.cores = sysconf(_SC_NPROCESSORS_ONLN);
  machine.l1d_bytes = lanepool_machine(LANEPOOL_MACHINE_L1D_BYTES);
  machine.l2_bytes = lanepool_machine(LANEPOOL_MACHINE_L2_BYTES);
  machine.l3_bytes = lanepool_machine(LANEPOOL_MACHINE_L3_BYTES);
  machine.memcpy_gbps = MeasureMemcpy();
  return machine;
}

}  // namespace peers
