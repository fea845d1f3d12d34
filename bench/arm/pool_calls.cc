// Makes a given number of calls of one job by one library, for whoever counts what they execute.
//
//   pool_calls PEER ROW CALLS    ROW as bench_peers --list prints it
//   pool_calls PEER ROW check    one call, whose result is checked
//
// Prints the number of outputs and the peer's note. The difference between two runs is made of
// calls alone: everything else is done once in each. Exit status 3: the library cannot do the job;
// 4: its result is wrong.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "buffer.h"
#include "expected.h"
#include "lanepool_peer.h"
#include "load_peers.h"
#include "make_task.h"
#include "memcpy_roof.h"
#include "rows.h"
#include "sample_data.h"
#include "tool_error.h"

namespace {

using lanepool_tool::BadInput;
using lanepool_tool::Buffer;

constexpr int kUnsupported = 3, kWrong = 4;
constexpr uint8_t kPoison = 0x7e;

peers::Row RowNamed(const std::string& path) {
  for (const peers::Row& row : peers::RowsFor(1)) {
    if (peers::PathOf(row) == path) return row;
  }
  throw BadInput("no row " + path);
}

std::unique_ptr<peers::Peer> PeerNamed(const std::string& name) {
  for (peers::LoadedPeer& loaded : peers::LoadPeers(LANEPOOL_PEERS_FOLDER, {name})) {
    if (loaded.name != name) continue;
    if (loaded.peer == nullptr) throw lanepool_tool::Failure(name + ": " + loaded.why_absent);
    return std::move(loaded.peer);
  }
  throw BadInput("no peer " + name);
}

int Run(const std::string& peer_name, const std::string& path, const std::string& calls) {
  const peers::Row row = RowNamed(path);
  const lanepool_desc desc = peers::Plan(row.params);
  const peers::Task task = peers::MakeTask(row, desc);
  Buffer x(static_cast<size_t>(desc.x_bytes) + peers::kReadBeyond);
  Buffer y(static_cast<size_t>(desc.y_bytes) + peers::kReadBeyond, lanepool_tool::kOutputShift);
  lanepool_tool::FillWithNoise(task.params.x_type, x);
  std::memset(y.data(), kPoison, y.size());

  const std::unique_ptr<peers::Peer> peer = PeerNamed(peer_name);
  std::unique_ptr<peers::Job> job;
  try {
    job = peer->Prepare(task);
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "pool_calls: %s\n", error.what());
    return kUnsupported;
  }
  job->Bind({{x.data(), y.data()}});
  const bool checks = calls == "check";
  for (int64_t i = checks ? 1 : std::stoll(calls); i > 0; --i) job->Run(0);
  std::printf("%lld %s\n", static_cast<long long>(desc.element_count), job->Note().c_str());
  if (!checks) return 0;
  const peers::Expected expected = peers::MakeExpected(task, x.data());
  const double difference = peers::LargestDifference(task, expected, y.data());
  return difference <= peers::Tolerance(task) ? 0 : kWrong;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw BadInput("usage: pool_calls PEER ROW CALLS|check");
  return Run(argv[1], argv[2], argv[3]);
} catch (const std::exception& error) {
  (void)std::fprintf(stderr, "pool_calls: %s\n", error.what());
  return 1;
}
