// lanepool plan: what the library would do, without any data.
#include <cstdio>
#include <memory>
#include <optional>

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

bool Has(const lanepool_params& params, uint32_t flag) { return (params.flags & flag) != 0; }

const int64_t* KernelOf(const lanepool_params& params) {
  return Has(params, LANEPOOL_FLAG_GLOBAL) ? params.input : params.kernel;
}

// Whether kernel, strides and dilations say where the windows are.
bool HasKernel(const lanepool_params& params) { return KernelOf(params)[0] != 0; }

bool HasRounding(const lanepool_params& params) {
  const bool is_mean = params.op == LANEPOOL_OP_AVERAGE && (params.y_type == LANEPOOL_TYPE_UINT16 ||
                                                            params.y_type == LANEPOOL_TYPE_INT16);
  return is_mean || IsQuantized(params.y_type);
}

// What the flags say, as they are named on the command line.
constexpr struct {
  uint32_t flag;
  const char* key;
  const char* words;
} kFlags[] = {{LANEPOOL_FLAG_GLOBAL, "global", "global"},
              {LANEPOOL_FLAG_ADAPTIVE, "adaptive", "adaptive"},
              {LANEPOOL_FLAG_STRICT_ORDER, "strict_order", "strict order"},
              {LANEPOOL_FLAG_ACCUMULATE_F64, "accumulate_f64", "accumulate in f64"}};

// A tensor's type, and what its elements mean if it is quantized: none if each channel has its own.
struct Side {
  std::string name;
  int32_t type;
  std::optional<float> scale;
  std::optional<int32_t> zero_point;

  bool IsPerChannel() const { return !scale || !zero_point; }
};

template <typename Value>
std::optional<Value> ForAllChannels(Value value, const std::vector<Value>& of_each) {
  return of_each.empty() ? std::optional<Value>(value) : std::nullopt;
}

Side SideOfX(const Request& request) {
  const lanepool_params& params = request.params;
  return {"x", params.x_type, ForAllChannels(params.x_scale, request.channels.x_scales),
          ForAllChannels(params.x_zero_point, request.channels.x_zero_points)};
}

Side SideOfY(const Request& request) {
  const lanepool_params& params = request.params;
  return {"y", params.y_type, ForAllChannels(params.y_scale, request.channels.y_scales),
          ForAllChannels(params.y_zero_point, request.channels.y_zero_points)};
}

void AddSide(const Side& side, JsonObject* json) {
  const auto key = [&](const char* what) { return side.name + "_" + what; };
  json->Add(key("type").c_str(), NameOf(Types(), side.type));
  if (!IsQuantized(side.type)) return;
  json->Add(key("per_channel").c_str(), side.IsPerChannel());
  if (side.scale) json->Add(key("scale").c_str(), *side.scale);
  if (side.zero_point) json->Add(key("zero_point").c_str(), int64_t{*side.zero_point});
}

void AddValues(const lanepool_params& params, JsonObject* json) {
  if (params.op == LANEPOOL_OP_LP) json->Add("lp_order", params.lp_order);
  if (HasRounding(params)) json->Add("rounding", NameOf(Roundings(), params.rounding));
  if (!Has(params, LANEPOOL_FLAG_CLAMP)) return;
  json->Add("clamp_low", params.clamp_low).Add("clamp_high", params.clamp_high);
}

void AddIndex(const lanepool_params& params, JsonObject* json) {
  if (params.index_type == LANEPOOL_TYPE_NONE) return;
  json->Add("index_type", NameOf(IndexTypes(), params.index_type));
  json->Add("index_mode", NameOf(IndexModes(), params.index_mode));
  json->Add("storage_order", int64_t{params.storage_order});
}

void PrintJson(const Request& request, const lanepool_desc& desc) {
  const lanepool_params& params = request.params;
  const int32_t rank = params.rank;
  JsonObject json;
  json.Add("explain", Explain(desc));
  json.Add("op", NameOf(Ops(), params.op)).Add("layout", NameOf(Layouts(), params.layout));
  AddSide(SideOfX(request), &json);
  AddSide(SideOfY(request), &json);
  AddValues(params, &json);
  AddIndex(params, &json);
  for (const auto& flag : kFlags) json.Add(flag.key, Has(params, flag.flag));
  json.Add("x_shape", ShapeOfX(params)).Add("y_shape", ShapeOfY(params, desc));
  json.Add("kernel", Spatial(KernelOf(params), rank));
  json.Add("strides", Spatial(params.strides, rank));
  json.Add("dilations", Spatial(params.dilations, rank));
  json.Add("pads_begin", Spatial(desc.pads_begin, rank));
  json.Add("pads_end", Spatial(desc.pads_end, rank));
  json.Add("has_empty_windows", desc.has_empty_windows != 0);
  json.Add("element_count", desc.element_count);
  json.Add("x_bytes", desc.x_bytes).Add("y_bytes", desc.y_bytes);
  json.Add("index_bytes", desc.index_bytes).Add("workspace_bytes", desc.workspace_bytes);
  json.Add("table_bytes", desc.table_bytes).Add("work_items", desc.work_items);
  std::printf("%s\n", json.Text().c_str());
}

// "u8, scale 0.5, zero point per channel"
std::string Text(const Side& side) {
  std::string text = NameOf(Types(), side.type);
  if (!IsQuantized(side.type)) return text;
  text += ", scale " + (side.scale ? ShortestText(*side.scale) : "per channel");
  return text + ", zero point " +
         (side.zero_point ? std::to_string(*side.zero_point) : "per channel");
}

void PrintSide(const Side& side, const std::vector<int64_t>& shape, int64_t bytes) {
  std::printf("%s              %s, %lld bytes, %s\n", side.name.c_str(), Join(shape).c_str(),
              static_cast<long long>(bytes), Text(side).c_str());
}

void PrintValues(const lanepool_params& params) {
  if (params.op == LANEPOOL_OP_LP) std::printf("lp order       %g\n", params.lp_order);
  if (HasRounding(params)) {
    std::printf("rounding       %s\n", NameOf(Roundings(), params.rounding));
  }
  if (Has(params, LANEPOOL_FLAG_CLAMP)) {
    std::printf("clamp          %g to %g\n", params.clamp_low, params.clamp_high);
  }
}

void PrintIndex(const lanepool_params& params, const lanepool_desc& desc) {
  if (params.index_type == LANEPOOL_TYPE_NONE) return;
  const bool by_columns = params.storage_order == LANEPOOL_STORAGE_COLUMN_MAJOR;
  std::printf("index          %lld bytes, %s, counted in the %s%s\n",
              static_cast<long long>(desc.index_bytes), NameOf(IndexTypes(), params.index_type),
              NameOf(IndexModes(), params.index_mode), by_columns ? ", column major" : "");
}

void PrintWindows(const lanepool_params& params, const lanepool_desc& desc) {
  const auto list = [&](const int64_t* values) { return Join(Spatial(values, params.rank)); };
  if (HasKernel(params)) {
    std::printf("kernel         %s, strides %s, dilations %s\n", list(KernelOf(params)).c_str(),
                list(params.strides).c_str(), list(params.dilations).c_str());
    std::printf("pads           begin %s, end %s\n", list(desc.pads_begin).c_str(),
                list(desc.pads_end).c_str());
  }
  std::string flags;
  for (const auto& flag : kFlags) {
    if (Has(params, flag.flag)) flags += (flags.empty() ? "" : ", ") + std::string(flag.words);
  }
  if (!flags.empty()) std::printf("flags          %s\n", flags.c_str());
}

void PrintText(const Request& request, const lanepool_desc& desc) {
  const lanepool_params& params = request.params;
  std::printf("plan           %s\n", Explain(desc).c_str());
  PrintSide(SideOfX(request), ShapeOfX(params), desc.x_bytes);
  PrintSide(SideOfY(request), ShapeOfY(params, desc), desc.y_bytes);
  PrintIndex(params, desc);
  PrintValues(params);
  PrintWindows(params, desc);
  std::printf("empty windows  %s\n", desc.has_empty_windows ? "yes" : "no");
  std::printf("workspace      %lld bytes\n", static_cast<long long>(desc.workspace_bytes));
  if (desc.table_bytes != 0) {
    std::printf("table          %lld bytes\n", static_cast<long long>(desc.table_bytes));
  }
  std::printf("work items     %lld\n", static_cast<long long>(desc.work_items));
}

void PrintPlan(const PlanOptions& options) {
  const Request request = MakeRequest(options.pool);
  const Plan plan = MakePlan(request);
  (options.as_json ? PrintJson : PrintText)(request, plan.desc);
}

}  // namespace

void AddPlan(CLI::App* tool, Action* action) {
  CLI::App* command = tool->add_subcommand(
      "plan", "output shape, pads, strategy, workspace, bytes and work items of a job");
  auto options = std::make_shared<PlanOptions>();
  AddPoolOptions(command, &options->pool, ShapeFrom::kOptions);
  command->add_flag("--json", options->as_json, "print one JSON object");
  command->footer(
      "Example:\n"
      "  lanepool plan --op average --shape 1,192,35,35 --kernel 3 --pads 1\n"
      "and of a quantized one:\n"
      "  lanepool plan --op average --shape 1,192,35,35 --kernel 3 --pads 1 --type u8\n"
      "    --x-scale 0.0235 --x-zero-point 128 --y-scale 0.0187 --y-zero-point 121");
  command->callback([=] { *action = [=] { PrintPlan(*options); }; });
}

}  // namespace lanepool_tool
