#include "job.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "registers.h"

namespace support {
namespace {

void SetAxes(const Params::List& from, int32_t count, int64_t* to) {
  if (from.size() < static_cast<size_t>(count)) {
    std::fprintf(stderr, "a list of %zu entries for %d axes\n", from.size(), count);
    std::abort();
  }
  std::copy(from.begin(), from.begin() + count, to);
}

// What a run returned, unless it leaves its caller something to wait for.
int32_t Left(int32_t status, const lanepool_desc& desc) {
  if (AreUpperHalvesEmpty()) return status;
  std::fprintf(stderr, "upper halves of vector registers are in use after %s\n",
               Explanation(desc).c_str());
  std::abort();
}

}  // namespace

Planned Plan(const lanepool_params& params) {
  Planned planned = {};
  planned.status = lanepool_plan(&params, &planned.desc, &planned.error);
  return planned;
}

Planned Plan(lanepool_params params, uint64_t target_mask) {
  params.target_mask = target_mask;
  return Plan(params);
}

std::string Explanation(const lanepool_desc& desc) {
  char text[2000];
  return lanepool_explain(&desc, text, sizeof text) < 0 ? "" : text;
}

std::string WayOf(const lanepool_desc& desc) {
  const std::string line = Explanation(desc);
  return line.substr(line.find(": ") + 2);
}

Table MakeTable(const lanepool_desc& desc, const oracle::PerChannel& arrays) {
  Table table(static_cast<size_t>(desc.table_bytes) / sizeof(uint64_t));
  if (table.empty()) return table;
  const auto data = [](const auto& array) { return array.empty() ? nullptr : array.data(); };
  lanepool_error error;
  const int32_t status = lanepool_table_init(
      &desc, data(arrays.x_scales), data(arrays.x_zero_points), data(arrays.y_scales),
      data(arrays.y_zero_points), table.data(), table.size() * sizeof(uint64_t), &error);
  if (status != LANEPOOL_OK) {
    std::fprintf(stderr, "lanepool_table_init: %s\n", lanepool_status_name(status));
    std::abort();
  }
  return table;
}

int32_t Run(const lanepool_desc& desc, const void* x, void* y, const Table& table, void* index) {
  if (!table.empty()) return RunRange(desc, x, y, 0, desc.work_items, table, index);
  std::vector<unsigned char> workspace(static_cast<size_t>(desc.workspace_bytes));
  const size_t index_bytes = index == nullptr ? 0 : static_cast<size_t>(desc.index_bytes);
  const int32_t status = lanepool_run(&desc, x, static_cast<size_t>(desc.x_bytes), y,
                                      static_cast<size_t>(desc.y_bytes), index, index_bytes,
                                      workspace.data(), workspace.size());
  return Left(status, desc);
}

int32_t RunRange(const lanepool_desc& desc, const void* x, void* y, int64_t begin, int64_t end,
                 const Table& table, void* index) {
  std::vector<unsigned char> workspace(static_cast<size_t>(desc.workspace_bytes));
  const auto x_bytes = static_cast<size_t>(desc.x_bytes);
  const auto y_bytes = static_cast<size_t>(desc.y_bytes);
  const size_t index_bytes = index == nullptr ? 0 : static_cast<size_t>(desc.index_bytes);
  if (table.empty()) {
    const int32_t status = lanepool_run_range(&desc, x, x_bytes, y, y_bytes, index, index_bytes,
                                              workspace.data(), workspace.size(), begin, end);
    return Left(status, desc);
  }
  const int32_t status = lanepool_run_table(&desc, table.data(), table.size() * sizeof(uint64_t), x,
                                            x_bytes, y, y_bytes, index, index_bytes,
                                            workspace.data(), workspace.size(), begin, end);
  return Left(status, desc);
}

Params::Params(int32_t op, const List& input) {
  lanepool_params_init(&params_, sizeof params_, LANEPOOL_DIALECT_ONNX);
  params_.op = op;
  params_.layout = LANEPOOL_LAYOUT_NHWC;
  params_.rank = static_cast<int32_t>(input.size());
  SetAxes(input, params_.rank, params_.input);
  Type(LANEPOOL_TYPE_FLOAT);
}

Params& Params::Batch(int64_t batch) {
  params_.batch = batch;
  return *this;
}

Params& Params::Channels(int64_t channels) {
  params_.channels = channels;
  return *this;
}

Params& Params::Layout(int32_t layout) {
  params_.layout = layout;
  return *this;
}

Params& Params::Kernel(const List& kernel) {
  SetAxes(kernel, params_.rank, params_.kernel);
  return *this;
}

Params& Params::Strides(const List& strides) {
  SetAxes(strides, params_.rank, params_.strides);
  return *this;
}

Params& Params::Dilations(const List& dilations) {
  SetAxes(dilations, params_.rank, params_.dilations);
  return *this;
}

Params& Params::Pads(const List& pads) {
  SetAxes(pads, params_.rank, params_.pads_begin);
  SetAxes(List(pads.begin() + params_.rank, pads.end()), params_.rank, params_.pads_end);
  return *this;
}

Params& Params::AutoPad(int32_t auto_pad) {
  params_.auto_pad = auto_pad;
  return *this;
}

Params& Params::Ceil(int32_t ceil_mode) {
  params_.ceil_mode = ceil_mode;
  return *this;
}

Params& Params::Divisor(int32_t divisor, int64_t value) {
  params_.divisor = divisor;
  params_.divisor_value = value;
  return *this;
}

Params& Params::EmptyWindow(int32_t empty_window) {
  params_.empty_window = empty_window;
  return *this;
}

Params& Params::Oversize(int32_t oversize_kernel) {
  params_.oversize_kernel = oversize_kernel;
  return *this;
}

Params& Params::ValidCeil(int32_t valid_ceil) {
  params_.valid_ceil = valid_ceil;
  return *this;
}

Params& Params::NanRule(int32_t nan_rule) {
  params_.nan_rule = nan_rule;
  return *this;
}

Params& Params::Global() {
  params_.flags |= LANEPOOL_FLAG_GLOBAL;
  return *this;
}

Params& Params::Types(int32_t x_type, int32_t y_type) {
  params_.x_type = x_type;
  params_.y_type = y_type;
  return *this;
}

Params& Params::Scales(float x_scale, float y_scale) {
  params_.x_scale = x_scale;
  params_.y_scale = y_scale;
  return *this;
}

Params& Params::ZeroPoints(int32_t x_zero_point, int32_t y_zero_point) {
  params_.x_zero_point = x_zero_point;
  params_.y_zero_point = y_zero_point;
  return *this;
}

Params& Params::ScaleCounts(int64_t x_scale_count, int64_t y_scale_count) {
  params_.x_scale_count = static_cast<int32_t>(x_scale_count);
  params_.y_scale_count = static_cast<int32_t>(y_scale_count);
  return *this;
}

Params& Params::Rounding(int32_t rounding) {
  params_.rounding = rounding;
  return *this;
}

Params& Params::Clamp(double low, double high) {
  params_.flags |= LANEPOOL_FLAG_CLAMP;
  params_.clamp_low = low;
  params_.clamp_high = high;
  return *this;
}

Params& Params::LpOrder(double order) {
  params_.lp_order = order;
  return *this;
}

Params& Params::Flag(uint32_t flag) {
  params_.flags |= flag;
  return *this;
}

Params& Params::Adaptive(const List& output_size) {
  return Flag(LANEPOOL_FLAG_ADAPTIVE).OutputSize(output_size);
}

Params& Params::OutputSize(const List& output_size) {
  SetAxes(output_size, params_.rank, params_.output_size);
  return *this;
}

Params& Params::Index(int32_t type, int32_t mode, int32_t storage_order) {
  params_.index_type = type;
  params_.index_mode = mode;
  params_.storage_order = storage_order;
  return *this;
}

}  // namespace support
