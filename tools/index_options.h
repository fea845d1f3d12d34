// The options about the positions of maxima: what max gives besides y, and max_unpool takes.
#ifndef LANEPOOL_TOOLS_INDEX_OPTIONS_H_
#define LANEPOOL_TOOLS_INDEX_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "lanepool/lanepool.h"

namespace lanepool_tool {

// As given on the command line.
struct IndexOptions {
  std::optional<std::string> type, mode, storage_order;
};

void AddIndexOptions(CLI::App* command, IndexOptions* options);

// Sets the index fields of `params`, whose op is known: max_unpool always has an index type.
void SetIndex(const IndexOptions& options, lanepool_params* params);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_INDEX_OPTIONS_H_
