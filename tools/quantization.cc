#include "quantization.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "names.h"
#include "npy.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

constexpr char kGroup[] = "Integers (u8 and s8: real = scale * (q - zero point))";

template <typename Element, typename Value>
void Append(const Buffer& data, std::vector<Value>* values) {
  for (size_t i = 0; i < data.size(); i += sizeof(Element)) {
    Element element;
    std::memcpy(&element, data.data() + i, sizeof element);
    values->push_back(element);
  }
}

void FromArray(const NpyArray& array, std::vector<float>* scales) {
  if (array.type != LANEPOOL_TYPE_FLOAT) {
    throw BadInput(std::string("scales are f32, not ") + NameOf(Types(), array.type));
  }
  Append<float>(array.data, scales);
}

void FromArray(const NpyArray& array, std::vector<int32_t>* zero_points) {
  switch (array.type) {
    case LANEPOOL_TYPE_UINT8:
      return Append<uint8_t>(array.data, zero_points);
    case LANEPOOL_TYPE_INT8:
      return Append<int8_t>(array.data, zero_points);
    case LANEPOOL_TYPE_INT32:
      return Append<int32_t>(array.data, zero_points);
    default:
      throw BadInput(std::string("zero points are u8, s8 or s32, not ") +
                     NameOf(Types(), array.type));
  }
}

template <typename Value>
void ReadChannels(const std::string& path, int64_t channels, std::vector<Value>* values) {
  const NpyArray array = ReadNpy(path);
  try {
    if (array.shape.size() != 1) {
      throw BadInput(Format("the array has %zu axes, not 1", array.shape.size()));
    }
    if (array.shape[0] != channels) {
      throw BadInput(Format("%lld entries for %lld channels",
                            static_cast<long long>(array.shape[0]),
                            static_cast<long long>(channels)));
    }
    FromArray(array, values);
  } catch (const BadInput& error) {
    throw BadInput(path + ": " + error.what());
  }
}

// Whether all of `text` is a number. What the library should refuse (0, nan, inf) is one.
bool ParseNumber(const std::string& text, const char* /*option*/, float* value) {
  char* end = nullptr;
  *value = std::strtof(text.c_str(), &end);  // the nearest f32, not one rounded twice
  return end != text.c_str() && *end == '\0';
}

bool ParseNumber(const std::string& text, const char* option, int32_t* value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, *value);
  if (result.ptr != end || result.ec == std::errc::invalid_argument) return false;
  if (result.ec == std::errc::result_out_of_range) {
    throw BadInput(std::string(option) + " '" + text + "' does not fit in 32 bits");
  }
  return true;
}

// One number for the whole tensor, or else a file with one for each channel.
template <typename Value>
void SetValue(const std::optional<std::string>& text, const char* option, int64_t channels,
              Value* number, std::vector<Value>* values) {
  if (!text) return;
  Value parsed;
  if (ParseNumber(*text, option, &parsed)) {
    *number = parsed;
    return;
  }
  try {
    ReadChannels(*text, channels, values);
  } catch (const BadInput& error) {
    throw BadInput(std::string(option) + " (a number or a .npy file): " + error.what());
  }
}

int32_t CountOf(bool per_channel, int64_t channels) {
  if (!per_channel) return 0;
  if (channels > INT32_MAX) throw BadInput("too many channels for a scale or zero point of each");
  return static_cast<int32_t>(channels);
}

}  // namespace

void AddQuantizationOptions(CLI::App* command, QuantizationOptions* o) {
  command
      ->add_option("--x-scale", o->x_scale,
                   "scale of the input; default 1. Scales and zero points are numbers, or .npy "
                   "files with one entry per channel: f32 for scales; u8, s8, s32 for zero points")
      ->group(kGroup);
  command->add_option("--x-zero-point", o->x_zero_point, "zero point of the input; default 0")
      ->group(kGroup);
  command->add_option("--y-scale", o->y_scale, "scale of the output; default 1")->group(kGroup);
  command->add_option("--y-zero-point", o->y_zero_point, "zero point of the output; default 0")
      ->group(kGroup);
  command
      ->add_option("--rounding", o->rounding,
                   "half_even: before the zero point is added; after_zero_point: half_even of the "
                   "sum; half_away: away from zero, of the sum; also of averages of u16 and s16; "
                   "default from the dialect")
      ->group(kGroup);
}

ChannelQuantization SetQuantization(const QuantizationOptions& options, lanepool_params* params) {
  ChannelQuantization channels;
  const int64_t count = params->channels;
  SetValue(options.x_scale, "--x-scale", count, &params->x_scale, &channels.x_scales);
  SetValue(options.y_scale, "--y-scale", count, &params->y_scale, &channels.y_scales);
  SetValue(options.x_zero_point, "--x-zero-point", count, &params->x_zero_point,
           &channels.x_zero_points);
  SetValue(options.y_zero_point, "--y-zero-point", count, &params->y_zero_point,
           &channels.y_zero_points);
  params->x_scale_count = CountOf(channels.HasX(), count);
  params->y_scale_count = CountOf(channels.HasY(), count);
  if (options.rounding) params->rounding = CodeOf(Roundings(), *options.rounding, "--rounding");
  return channels;
}

}  // namespace lanepool_tool
