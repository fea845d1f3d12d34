// The subcommands. Each adds itself to the command line; the one named there sets `action`.
#ifndef LANEPOOL_TOOLS_COMMANDS_H_
#define LANEPOOL_TOOLS_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <functional>

namespace lanepool_tool {

using Action = std::function<void()>;

void AddInfo(CLI::App* tool, Action* action);
void AddPlan(CLI::App* tool, Action* action);
void AddRun(CLI::App* tool, Action* action);
void AddBench(CLI::App* tool, Action* action);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_COMMANDS_H_
