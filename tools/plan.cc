// lanepool plan: what the library would do, without any data.
#include <cstdio>
#include <memory>

#include "commands.h"
#include "json.h"
#include "names.h"
#include "pool_options.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

struct PlanOptions {
  PoolOptions pool;
  bool as_json = false;
};

std::vector<int64_t> Spatial(const int64_t* values, int32_t rank) {
  return std::vector<int64_t>(values, values + rank);
}

void PrintJson(const lanepool_params& params, const lanepool_desc& desc) {
  const int32_t rank = params.rank;
  const bool global = (params.flags & LANEPOOL_FLAG_GLOBAL) != 0;
  JsonObject json;
  json.Add("explain", Explain(desc));
  json.Add("op", NameOf(Ops(), params.op)).Add("layout", NameOf(Layouts(), params.layout));
  json.Add("type", NameOf(Types(), params.x_type)).Add("global", global);
  json.Add("x_shape", ShapeOfX(params)).Add("y_shape", ShapeOfY(params, desc));
  json.Add("kernel", Spatial(global ? params.input : params.kernel, rank));
  json.Add("strides", Spatial(params.strides, rank));
  json.Add("dilations", Spatial(params.dilations, rank));
  json.Add("pads_begin", Spatial(desc.pads_begin, rank));
  json.Add("pads_end", Spatial(desc.pads_end, rank));
  json.Add("has_empty_windows", desc.has_empty_windows != 0);
  json.Add("element_count", desc.element_count);
  json.Add("x_bytes", desc.x_bytes).Add("y_bytes", desc.y_bytes);
  json.Add("index_bytes", desc.index_bytes).Add("workspace_bytes", desc.workspace_bytes);
  json.Add("work_items", desc.work_items);
  std::printf("%s\n", json.Text().c_str());
}

void PrintText(const lanepool_params& params, const lanepool_desc& desc) {
  const int32_t rank = params.rank;
  const bool global = (params.flags & LANEPOOL_FLAG_GLOBAL) != 0;
  const auto list = [&](const int64_t* values) { return Join(Spatial(values, rank)); };
  std::printf("plan           %s\n", Explain(desc).c_str());
  std::printf("x              %s, %lld bytes\n", Join(ShapeOfX(params)).c_str(),
              static_cast<long long>(desc.x_bytes));
  std::printf("y              %s, %lld bytes\n", Join(ShapeOfY(params, desc)).c_str(),
              static_cast<long long>(desc.y_bytes));
  std::printf("kernel         %s, strides %s, dilations %s\n",
              list(global ? params.input : params.kernel).c_str(), list(params.strides).c_str(),
              list(params.dilations).c_str());
  std::printf("pads           begin %s, end %s\n", list(desc.pads_begin).c_str(),
              list(desc.pads_end).c_str());
  std::printf("empty windows  %s\n", desc.has_empty_windows ? "yes" : "no");
  std::printf("workspace      %lld bytes\n", static_cast<long long>(desc.workspace_bytes));
  std::printf("work items     %lld\n", static_cast<long long>(desc.work_items));
}

void Plan(const PlanOptions& options) {
  const lanepool_params params = MakeParams(options.pool);
  const lanepool_desc desc = MakePlan(params);
  (options.as_json ? PrintJson : PrintText)(params, desc);
}

}  // namespace

void AddPlan(CLI::App* tool, Action* action) {
  CLI::App* command = tool->add_subcommand(
      "plan", "output shape, pads, strategy, workspace, bytes and work items of a job");
  auto options = std::make_shared<PlanOptions>();
  AddPoolOptions(command, &options->pool, ShapeFrom::kOptions);
  command->add_flag("--json", options->as_json, "print one JSON object");
  command->footer("Example:\n  lanepool plan --op average --shape 1,192,35,35 --kernel 3 --pads 1");
  command->callback([=] { *action = [=] { Plan(*options); }; });
}

}  // namespace lanepool_tool
