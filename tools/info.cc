// lanepool info: what this machine offers and what the library makes of it.
#include <cstdio>
#include <fstream>
#include <memory>

#include "commands.h"
#include "json.h"
#include "lanepool/lanepool.h"
#include "names.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

std::string CpuName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.compare(0, 10, "model name") != 0) continue;
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string Bytes(int64_t bytes) {
  if (bytes <= 0) return "none";
  if (bytes % (1 << 20) == 0) return Format("%lld MiB", static_cast<long long>(bytes >> 20));
  return Format("%lld KiB", static_cast<long long>(bytes >> 10));
}

std::vector<std::string> NameList(uint64_t mask) {
  std::vector<std::string> names;
  for (const uint64_t target : TargetsIn(mask)) names.push_back(lanepool_target_name(target));
  return names;
}

void Info(bool as_json) {
  const uint64_t compiled = lanepool_targets(LANEPOOL_TARGETS_COMPILED);
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  const int64_t l1d = lanepool_machine(LANEPOOL_MACHINE_L1D_BYTES);
  const int64_t l2 = lanepool_machine(LANEPOOL_MACHINE_L2_BYTES);
  const int64_t l3 = lanepool_machine(LANEPOOL_MACHINE_L3_BYTES);
  const int64_t cores = lanepool_machine(LANEPOOL_MACHINE_CORES);
  const bool detected = lanepool_machine(LANEPOOL_MACHINE_DETECTED) == 1;
  if (as_json) {
    JsonObject json;
    json.Add("version", lanepool_version()).Add("abi_version", int64_t{lanepool_abi_version()});
    json.Add("cpu", CpuName()).Add("cores", cores);
    json.Add("l1d_bytes", l1d).Add("l2_bytes", l2).Add("l3_bytes", l3);
    json.Add("machine_detected", detected);
    json.Add("targets_compiled", NameList(compiled)).Add("targets_supported", NameList(supported));
    json.Add("target_chosen", TargetNames(best));
    std::printf("%s\n", json.Text().c_str());
    return;
  }
  std::printf("version            %s (ABI %d)\n", lanepool_version(), lanepool_abi_version());
  std::printf("cpu                %s\n", CpuName().c_str());
  std::printf("cores              %lld\n", static_cast<long long>(cores));
  std::printf("caches             L1d %s, L2 %s, L3 %s\n", Bytes(l1d).c_str(), Bytes(l2).c_str(),
              Bytes(l3).c_str());
  std::printf("cores and caches   %s\n",
              detected ? "asked the CPU (cpuinfo)" : "fixed defaults, the CPU was not asked");
  std::printf("targets compiled   %s\n", TargetNames(compiled).c_str());
  std::printf("targets supported  %s\n", TargetNames(supported).c_str());
  std::printf("target chosen      %s\n", TargetNames(best).c_str());
}

}  // namespace

void AddInfo(CLI::App* tool, Action* action) {
  CLI::App* command =
      tool->add_subcommand("info", "CPU, caches, instruction sets compiled in, supported, chosen");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "print one JSON object");
  command->callback([=] { *action = [=] { Info(*as_json); }; });
}

}  // namespace lanepool_tool
