// The `lanepool` command. Exit status: 0 done, 2 bad input (one line on stderr says what), 1 the
// machine failed.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "commands.h"
#include "lanepool/lanepool.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

constexpr int kFailure = 1;
constexpr int kBadInput = 2;

int Fail(int status, const std::string& why) {
  std::fprintf(stderr, "lanepool: %s\n", OneLine(why).c_str());
  return status;
}

int Main(int argc, char** argv) {
  CLI::App tool{"lanepool pools tensors: average, max and relatives, exactly and fast."};
  tool.name("lanepool");
  tool.set_version_flag("--version", std::string("lanepool ") + lanepool_version());
  tool.require_subcommand(1);
  tool.footer("lanepool SUBCOMMAND --help tells more, with an example.");
  Action action;
  AddInfo(&tool, &action);
  AddPlan(&tool, &action);
  AddRun(&tool, &action);
  AddBench(&tool, &action);

  try {
    tool.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return tool.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return Fail(kBadInput, std::string(error.what()) + " (try --help)");
  }
  action();
  return 0;
}

// What could not be printed was not done.
int FlushOutput(int status) {
  if (status != 0 || (std::fflush(stdout) == 0 && !std::ferror(stdout))) return status;
  return Fail(kFailure, std::string("standard output: ") + std::strerror(errno));
}

int GuardedMain(int argc, char** argv) {
  try {
    return FlushOutput(Main(argc, argv));
  } catch (const BadInput& error) {
    return Fail(kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return Fail(kFailure, "out of memory");
  } catch (const std::exception& error) {
    return Fail(kFailure, error.what());
  }
}

}  // namespace
}  // namespace lanepool_tool

int main(int argc, char** argv) { return lanepool_tool::GuardedMain(argc, argv); }
