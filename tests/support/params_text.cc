#include "params_text.h"

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace support {
namespace {

std::string ListText(const int64_t* values, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::to_string(values[i]);
  return text;
}

bool IsAll(const int64_t* values, int count, int64_t value) {
  for (int i = 0; i < count; ++i) {
    if (values[i] != value) return false;
  }
  return true;
}

std::string OpText(int32_t op) {
  const char* const names[] = {"?", "average", "max", "min", "sum", "lp", "max_unpool"};
  return op >= 1 && op <= 6 ? names[op] : "op " + std::to_string(op);
}

std::string LayoutText(int32_t layout) {
  if (layout == LANEPOOL_LAYOUT_NCHW) return "nchw";
  return layout == LANEPOOL_LAYOUT_NHWC ? "nhwc" : "layout " + std::to_string(layout);
}

}  // namespace

std::string ParamsText(const lanepool_params& params) {
  const int rank = params.rank >= 1 && params.rank <= 3 ? params.rank : 3;
  std::string text =
      OpText(params.op) + " " + LayoutText(params.layout) + " rank=" + std::to_string(params.rank);
  const auto number = [&text](const char* name, int64_t value, int64_t usual) {
    if (value != usual) text += std::string(" ") + name + "=" + std::to_string(value);
  };
  const auto list = [&text](const char* name, const int64_t* values, int count, int64_t usual) {
    if (!IsAll(values, count, usual)) {
      text += std::string(" ") + name + "=" + ListText(values, count);
    }
  };
  const auto real = [&text](const char* name, double value, double usual) {
    char digits[40];
    const bool single = static_cast<double>(static_cast<float>(value)) == value;
    std::snprintf(digits, sizeof digits, single ? "%.9g" : "%.17g", value);  // all that it has
    const bool same = value == usual && std::signbit(value) == std::signbit(usual);
    if (!same) text += std::string(" ") + name + "=" + digits;
  };
  number("batch", params.batch, 0);
  number("channels", params.channels, 0);
  list("input", params.input, rank, 0);
  list("kernel", params.kernel, rank, 0);
  list("strides", params.strides, rank, 1);
  list("dilations", params.dilations, rank, 1);
  list("pads_begin", params.pads_begin, rank, 0);
  list("pads_end", params.pads_end, rank, 0);
  number("auto_pad", params.auto_pad, 0);
  number("ceil_mode", params.ceil_mode, 0);
  number("valid_ceil", params.valid_ceil, 0);
  number("oversize_kernel", params.oversize_kernel, 0);
  number("divisor", params.divisor, 0);
  number("divisor_value", params.divisor_value, 0);
  number("empty_window", params.empty_window, 0);
  number("nan_rule", params.nan_rule, 0);
  number("flags", params.flags, 0);
  list("output_size", params.output_size, rank, 0);
  number("index_type", params.index_type, 0);
  number("index_mode", params.index_mode, 0);
  number("storage_order", params.storage_order, 0);
  real("lp_order", params.lp_order, 2);
  list("x_strides", params.x_strides, 2 + rank, 0);
  list("y_strides", params.y_strides, 2 + rank, 0);
  list("index_strides", params.index_strides, 2 + rank, 0);
  number("x_type", params.x_type, LANEPOOL_TYPE_FLOAT);
  number("y_type", params.y_type, LANEPOOL_TYPE_FLOAT);
  real("x_scale", static_cast<double>(params.x_scale), 1);
  real("y_scale", static_cast<double>(params.y_scale), 1);
  number("x_zero_point", params.x_zero_point, 0);
  number("y_zero_point", params.y_zero_point, 0);
  number("x_scale_count", params.x_scale_count, 0);
  number("y_scale_count", params.y_scale_count, 0);
  number("rounding", params.rounding, 0);
  real("clamp_low", params.clamp_low, 0);
  real("clamp_high", params.clamp_high, 0);
  return text;
}

std::string ErrorText(const lanepool_error& error) {
  char text[400];
  lanepool_error_format(&error, text, sizeof text);
  return text;
}

}  // namespace support
