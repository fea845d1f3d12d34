// Compares lanepool with other libraries, row by row. README.md says how, schema.md what it writes.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "compare.h"
#include "load_peers.h"
#include "machine.h"
#include "output_file.h"
#include "report.h"
#include "rows.h"
#include "thread_team.h"
#include "tool_error.h"
#include "tool_text.h"

namespace {

struct Options {
  std::string json, cpu;
  std::string modules = LANEPOOL_PEERS_FOLDER;
  std::vector<std::string> filters, peers;
  double seconds = 0.15;
  int threads = 1;
  bool list = false;
};

bool IsWanted(const peers::Row& row, const Options& options) {
  if (options.filters.empty()) return true;
  for (const std::string& filter : options.filters) {
    if (peers::PathOf(row).find(filter) != std::string::npos) return true;
  }
  return false;
}

std::vector<peers::Row> WantedRows(const Options& options) {
  std::vector<peers::Row> rows;
  for (const peers::Row& row : peers::RowsFor(options.threads)) {
    if (IsWanted(row, options)) rows.push_back(row);
  }
  if (rows.empty()) throw lanepool_tool::BadInput("--filter: no row has that in its path");
  return rows;
}

void PrintPeers(const std::vector<peers::LoadedPeer>& loaded) {
  for (const peers::LoadedPeer& peer : loaded) {
    const std::string what = peer.peer == nullptr ? "skipped: " + peer.why_absent
                                                  : peer.peer->Version() + " " + peer.peer->Isa();
    std::printf("%-12s %s\n", peer.name.c_str(), what.c_str());
  }
}

void Run(const Options& options) {
  const std::vector<peers::Row> rows = WantedRows(options);
  if (options.list) {
    for (const peers::Row& row : rows) std::printf("%s\n", peers::PathOf(row).c_str());
    return;
  }
  std::unique_ptr<lanepool_tool::OutputFile> file;  // opened first: an hour later is too late
  if (!options.json.empty()) file = std::make_unique<lanepool_tool::OutputFile>(options.json);
  const auto loaded = peers::LoadPeers(options.modules, options.peers);
  PrintPeers(loaded);
  const peers::Machine machine = peers::DescribeMachine(options.cpu);
  std::vector<std::string> texts;
  for (const peers::Row& row : rows) {
    const peers::Comparison comparison = peers::Compare(row, loaded, options.seconds);
    texts.push_back(peers::RowJson(row, comparison));
    std::printf("%s\n", peers::RowText(row, comparison).c_str());
    (void)std::fflush(stdout);
  }
  if (file == nullptr) return;
  const std::string json = peers::FileJson(machine, loaded, texts);
  file->Write(json.data(), json.size());
  file->Close();
  file->Publish();
}

void AddOptions(CLI::App* app, Options* options) {
  app->add_option("--json", options->json, "write everything to this file");
  app->add_option("--filter", options->filters, "only rows with this in their path; repeatable");
  app->add_option("--peers", options->peers, "only these peers, as onednn,xnnpack")->delimiter(',');
  app->add_option("--threads", options->threads, "more than 1: the rows that are worth dividing")
      ->check(CLI::Range(1, 1024));
  app->add_option("--seconds", options->seconds, "of measuring, for each peer of a row")
      ->check(CLI::Range(0.0, 60.0))
      ->capture_default_str();
  app->add_option("--modules", options->modules, "folder of the peers' modules");
  app->add_option("--cpu", options->cpu, "name of the CPU for the report");
  app->add_flag("--list", options->list, "print the paths of the rows and stop");
}

int Fail(const char* what, int status) {
  (void)std::fprintf(stderr, "bench_peers: %s\n", lanepool_tool::OneLine(what).c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App app("Times lanepool and other pooling libraries side by side, each checked first.");
  AddOptions(&app, &options);
  CLI11_PARSE(app, argc, argv);
  Run(options);
  return 0;
} catch (const lanepool_tool::BadInput& error) {
  return Fail(error.what(), 2);
} catch (const std::exception& error) {
  return Fail(error.what(), 1);
}
