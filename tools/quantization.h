// The options that say what u8 and s8 elements mean, and how integers are rounded.
#ifndef LANEPOOL_TOOLS_QUANTIZATION_H_
#define LANEPOOL_TOOLS_QUANTIZATION_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"

namespace lanepool_tool {

// As given on the command line. A scale or zero point is a number, or a .npy file with one entry
// for each channel.
struct QuantizationOptions {
  std::optional<std::string> x_scale, x_zero_point, y_scale, y_zero_point, rounding;
};

void AddQuantizationOptions(CLI::App* command, QuantizationOptions* options);

// What came from files; an empty list leaves it to the number in the params.
struct ChannelQuantization {
  std::vector<float> x_scales, y_scales;
  std::vector<int32_t> x_zero_points, y_zero_points;

  bool HasX() const { return !x_scales.empty() || !x_zero_points.empty(); }
  bool HasY() const { return !y_scales.empty() || !y_zero_points.empty(); }
};

// Sets the numbers and counts of `params`, whose channels are known, and reads the files. BadInput
// names the option.
ChannelQuantization SetQuantization(const QuantizationOptions& options, lanepool_params* params);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_QUANTIZATION_H_
