// The options that plan, run and bench share: they say what to compute.
#ifndef LANEPOOL_TOOLS_POOL_OPTIONS_H_
#define LANEPOOL_TOOLS_POOL_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "buffer.h"
#include "index_options.h"
#include "lanepool/lanepool.h"
#include "quantization.h"

namespace lanepool_tool {

// As given on the command line. What was not given is left to the dialect.
struct PoolOptions {
  std::string op;
  std::string layout = "nchw";
  std::string type = "f32";
  std::string shape;
  std::string dialect = "onnx";
  std::optional<std::string> kernel, strides, pads, dilations, output_size;
  std::optional<std::string> auto_pad, ceil_mode, valid_ceil, oversize_kernel;
  std::optional<std::string> count_include_pad, divisor, empty_window, nan, lp_order, clamp, target;
  std::optional<std::string> y_type;  // as x
  IndexOptions index;
  QuantizationOptions quantization;
  bool global = false;
  bool adaptive = false;
  bool strict_order = false;
  bool accumulate_f64 = false;
};

enum class ShapeFrom { kOptions, kFile };

// With kFile there are no --shape and --type.
void AddPoolOptions(CLI::App* command, PoolOptions* options, ShapeFrom shape_from);

// What to compute, in the library's terms.
struct Request {
  lanepool_params params;
  ChannelQuantization channels;
};

// `shape`: sizes of all axes of x in the layout's own order. BadInput for what cannot be said in
// params, and for files that do not fit; all else is judged by the library.
Request MakeRequest(const PoolOptions& options, const std::vector<int64_t>& shape, int32_t type);
Request MakeRequest(const PoolOptions& options);  // --shape and --type

struct Plan {
  lanepool_desc desc;
  Buffer table;  // of per-channel quantization; else empty
};

// lanepool_plan and lanepool_table_init; BadInput with the library's own sentence.
Plan MakePlan(const Request& request);
std::string Explain(const lanepool_desc& desc);

// The axes of x and y in the layout's own order.
std::vector<int64_t> ShapeOfX(const lanepool_params& params);
std::vector<int64_t> ShapeOfY(const lanepool_params& params, const lanepool_desc& desc);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_POOL_OPTIONS_H_
