// From the words of the command line to params, and to a plan.
#include <algorithm>

#include "names.h"
#include "pool_options.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

// One number per axis into `values`; a single number stands for every axis.
void SetPerAxis(const std::optional<std::string>& text, const char* option, int32_t rank,
                int64_t* values) {
  if (!text) return;
  const std::vector<int64_t> given = ParseIntegers(*text, option);
  if (given.size() != 1 && given.size() != static_cast<size_t>(rank)) {
    throw BadInput(
        Format("%s has %zu numbers, the shape has %d spatial axes", option, given.size(), rank));
  }
  for (int32_t axis = 0; axis < rank; ++axis)
    values[axis] = given.size() == 1 ? given[0] : given[axis];
}

void SetPads(const PoolOptions& options, lanepool_params* params) {
  if (!options.pads) return;
  const std::vector<int64_t> given = ParseIntegers(*options.pads, "--pads");
  const size_t rank = static_cast<size_t>(params->rank);
  if (given.size() != 1 && given.size() != 2 * rank) {
    throw BadInput(Format("--pads has %zu numbers, %zu are needed: all begins, then all ends",
                          given.size(), 2 * rank));
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    params->pads_begin[axis] = given.size() == 1 ? given[0] : given[axis];
    params->pads_end[axis] = given.size() == 1 ? given[0] : given[rank + axis];
  }
}

void SetDivisor(const PoolOptions& options, lanepool_params* params) {
  if (options.count_include_pad) {
    if (options.divisor) throw BadInput("--divisor and --count-include-pad exclude each other");
    const NameTable zero_or_one = {{"0", LANEPOOL_DIVISOR_EXCLUDE_PAD},
                                   {"1", LANEPOOL_DIVISOR_INCLUDE_PAD}};
    params->divisor = CodeOf(zero_or_one, *options.count_include_pad, "--count-include-pad");
  }
  if (!options.divisor) return;
  const std::string& text = *options.divisor;
  if (!text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))) {
    params->divisor = LANEPOOL_DIVISOR_CONSTANT;
    params->divisor_value = ParseInteger(text, "--divisor");
  } else {
    params->divisor = CodeOf(Divisors(), text, "--divisor");
  }
}

void SetClamp(const PoolOptions& options, lanepool_params* params) {
  if (!options.clamp) return;
  const std::vector<std::string> ends = SplitAtCommas(*options.clamp);
  if (ends.size() != 2) {
    throw BadInput(Format("--clamp has %zu numbers, 2 are needed: LOW,HIGH", ends.size()));
  }
  params->flags |= LANEPOOL_FLAG_CLAMP;
  params->clamp_low = ParseReal(ends[0], "--clamp");
  params->clamp_high = ParseReal(ends[1], "--clamp");
}

void SetFlags(const PoolOptions& options, lanepool_params* params) {
  if (options.global) params->flags |= LANEPOOL_FLAG_GLOBAL;
  if (options.adaptive) params->flags |= LANEPOOL_FLAG_ADAPTIVE;
  if (options.strict_order) params->flags |= LANEPOOL_FLAG_STRICT_ORDER;
  if (options.accumulate_f64) params->flags |= LANEPOOL_FLAG_ACCUMULATE_F64;
}

void SetCode(const std::optional<std::string>& text, const NameTable& table, const char* option,
             int32_t* field) {
  if (text) *field = CodeOf(table, *text, option);
}

// The library would name fields that the user never saw.
void CheckWindowsAreGiven(const PoolOptions& options, const lanepool_params& params) {
  if (options.adaptive && !options.output_size) throw BadInput("--adaptive needs --output-size");
  const bool needs_kernel =
      !options.global && !options.adaptive && params.op != LANEPOOL_OP_MAX_UNPOOL;
  if (needs_kernel && !options.kernel) {
    throw BadInput("--kernel, --global or --adaptive is needed");
  }
}

void SetShape(const std::vector<int64_t>& shape, lanepool_params* params) {
  if (shape.size() < 3 || shape.size() > 5) {
    throw BadInput(
        Format("the shape (%s) has %zu axes, not 3 to 5: batch, channels and 1 to 3 spatial",
               Join(shape).c_str(), shape.size()));
  }
  params->rank = static_cast<int32_t>(shape.size()) - 2;
  const bool channels_last = params->layout == LANEPOOL_LAYOUT_NHWC;
  params->batch = shape[0];
  params->channels = channels_last ? shape.back() : shape[1];
  std::copy_n(shape.begin() + (channels_last ? 1 : 2), params->rank, params->input);
}

std::vector<int64_t> InLayout(const lanepool_params& params, const int64_t* spatial) {
  std::vector<int64_t> shape = {params.batch};
  if (params.layout == LANEPOOL_LAYOUT_NCHW) shape.push_back(params.channels);
  shape.insert(shape.end(), spatial, spatial + params.rank);
  if (params.layout == LANEPOOL_LAYOUT_NHWC) shape.push_back(params.channels);
  return shape;
}

[[noreturn]] void ThrowStatus(const lanepool_error& error) {
  char text[400];
  lanepool_error_format(&error, text, sizeof text);
  throw BadInput(std::string(text) + " (" + lanepool_status_name(error.status) + ")");
}

template <typename Value>
const Value* DataOrNull(const std::vector<Value>& values) {
  return values.empty() ? nullptr : values.data();
}

}  // namespace

Request MakeRequest(const PoolOptions& options, const std::vector<int64_t>& shape, int32_t type) {
  Request request;
  lanepool_params& params = request.params;
  lanepool_params_init(&params, sizeof params, CodeOf(Dialects(), options.dialect, "--dialect"));
  params.op = CodeOf(Ops(), options.op, "--op");
  params.layout = CodeOf(Layouts(), options.layout, "--layout");
  params.x_type = params.y_type = type;
  SetCode(options.y_type, Types(), "--y-type", &params.y_type);
  SetShape(shape, &params);
  CheckWindowsAreGiven(options, params);
  SetPerAxis(options.kernel, "--kernel", params.rank, params.kernel);
  SetPerAxis(options.strides, "--strides", params.rank, params.strides);
  SetPerAxis(options.dilations, "--dilations", params.rank, params.dilations);
  SetPerAxis(options.output_size, "--output-size", params.rank, params.output_size);
  SetPads(options, &params);
  SetCode(options.auto_pad, AutoPads(), "--auto-pad", &params.auto_pad);
  SetCode(options.ceil_mode, CeilModes(), "--ceil-mode", &params.ceil_mode);
  SetCode(options.valid_ceil, ValidCeils(), "--valid-ceil", &params.valid_ceil);
  SetCode(options.oversize_kernel, OversizeKernels(), "--oversize-kernel", &params.oversize_kernel);
  SetCode(options.empty_window, EmptyWindows(), "--empty-window", &params.empty_window);
  SetCode(options.nan, NanRules(), "--nan-rule", &params.nan_rule);
  SetDivisor(options, &params);
  if (options.lp_order) params.lp_order = ParseReal(*options.lp_order, "--lp-order");
  SetClamp(options, &params);
  SetFlags(options, &params);
  SetIndex(options.index, &params);
  if (options.target) params.target_mask = TargetMaskOf(*options.target, "--target");
  request.channels = SetQuantization(options.quantization, &params);
  return request;
}

Request MakeRequest(const PoolOptions& options) {
  return MakeRequest(options, ParseIntegers(options.shape, "--shape"),
                     CodeOf(Types(), options.type, "--type"));
}

Plan MakePlan(const Request& request) {
  Plan plan;
  lanepool_error error;
  if (lanepool_plan(&request.params, &plan.desc, &error) != LANEPOOL_OK) ThrowStatus(error);
  if (plan.desc.table_bytes == 0) return plan;
  CheckFitsMemory({plan.desc.table_bytes});
  plan.table = Buffer(static_cast<size_t>(plan.desc.table_bytes));
  const ChannelQuantization& channels = request.channels;
  const int32_t status = lanepool_table_init(
      &plan.desc, DataOrNull(channels.x_scales), DataOrNull(channels.x_zero_points),
      DataOrNull(channels.y_scales), DataOrNull(channels.y_zero_points), plan.table.data(),
      plan.table.size(), &error);
  if (status != LANEPOOL_OK) ThrowStatus(error);
  return plan;
}

std::string Explain(const lanepool_desc& desc) {
  const int32_t length = lanepool_explain(&desc, nullptr, 0);
  if (length < 0) throw Failure("the library does not know its own plan");
  std::string text(static_cast<size_t>(length) + 1, '\0');
  lanepool_explain(&desc, text.data(), text.size());
  text.pop_back();
  return text;
}

std::vector<int64_t> ShapeOfX(const lanepool_params& params) {
  return InLayout(params, params.input);
}

std::vector<int64_t> ShapeOfY(const lanepool_params& params, const lanepool_desc& desc) {
  return InLayout(params, desc.output);
}

}  // namespace lanepool_tool
