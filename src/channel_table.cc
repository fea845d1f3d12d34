#include "channel_table.h"

#include <string.h>

#include "error.h"
#include "types.h"
#include "validate.h"

namespace lanepool {
namespace {

constexpr uint32_t kMagic = 0x4C505442u;

// What a table begins with. Then come the scales of x, of y, the zero points of x, of y, one entry
// per channel each; then a Requant of each channel and key, or by key the arrays of Steps64.
struct Header {
  uint32_t magic;
  uint32_t fingerprint;
  int64_t channels;
  uint8_t narrow[Quantization::kMostKeys];  // of Steps64, by key
};

// One channel of the scales and zero points.
constexpr int64_t kScalesBytes = 2 * sizeof(float) + 2 * sizeof(int32_t);
// One channel of Steps64, made up to whole words.
constexpr int64_t kStepsBytes = 2 * sizeof(uint64_t) + 8 * sizeof(uint32_t);

bool HasRequants(const lanepool_params& params, const Plan& plan) {
  return IsByte(params.x_type) && IsByte(params.y_type) && plan.quantization.key_count > 0;
}

uint32_t Fingerprint(const lanepool_params& params, const Quantization& quantization) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  const auto mix = [&](const void* data, size_t bytes) {
    const unsigned char* p = static_cast<const unsigned char*>(data);
    for (size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001B3u;
  };
  mix(&params, sizeof params);
  mix(quantization.keys, sizeof quantization.keys);
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

// One side of the job as the caller gives it.
struct Side {
  const float* scales;
  const int32_t* zero_points;
  int32_t count, type;
  Field scale_field, zero_point_field, count_field;
};

int32_t CheckSide(const Side& side, int64_t channels, lanepool_error* error) {
  const int64_t low = LowestInteger(side.type), high = HighestInteger(side.type);
  if (side.count == 0 && (side.scales != nullptr || side.zero_points != nullptr)) {
    return Fail(error, LANEPOOL_SCALE, side.count_field, Rule::kWithArrays, 0, channels);
  }
  for (int64_t c = 0; c < channels && side.scales != nullptr; ++c) {
    if (FiniteAndPositive(side.scales[c])) continue;
    return Fail(error, LANEPOOL_SCALE, side.scale_field, Rule::kPositive, 0, 0,
                static_cast<int32_t>(c), side.scales[c]);
  }
  for (int64_t c = 0; c < channels && side.zero_points != nullptr; ++c) {
    const int64_t value = side.zero_points[c];
    if (value >= low && value <= high) continue;
    return Fail(error, LANEPOOL_ZERO_POINT, side.zero_point_field,
                value < low ? Rule::kAtLeast : Rule::kAtMost, value, value < low ? low : high,
                static_cast<int32_t>(c));
  }
  return LANEPOOL_OK;
}

// Writes entry `channel` of arrays that follow each other, one for each value.
template <class... Values>
void PutEntries(int64_t channels, int64_t channel, char* arrays, const Values&... values) {
  const auto put = [&](const auto& value) {
    memcpy(arrays + channel * static_cast<int64_t>(sizeof value), &value, sizeof value);
    arrays += channels * static_cast<int64_t>(sizeof value);
  };
  (put(values), ...);
}

}  // namespace

OneSteps64::OneSteps64(const Requant& requant) {
  const Requant wide = WidenRequant(requant, 64);
  multiplier = wide.multiplier;
  sum_least = wide.plain != 0 ? 0 : wide.sum_least;
  sum_most = wide.plain != 0 ? UINT32_MAX : wide.sum_most;
  shapes = wide.shift | static_cast<uint32_t>(wide.flip) << 8 |
           static_cast<uint32_t>(wide.y_offset) << 16;
  if (wide.kind == RequantKind::kSteps) shapes |= kShapeSteps;
  caps = wide.slack == 0 ? 0xFFFF0000u : wide.slack | (uint32_t{wide.slack} + wide.span) << 16;
  add = wide.add;
  add_high = RequantIsEven(wide.kind) ? wide.add_high : wide.add;
  narrow = RequantBits(requant.kind) == 16 || RequantBits(requant.kind) == 32;
  add32 = narrow ? static_cast<uint32_t>(add) : 0;
  add_high32 = narrow ? static_cast<uint32_t>(add_high) : 0;
}

FinishJob::Steps64 OneSteps64::Arrays() const {
  return {&multiplier, &sum_least,  &sum_most, &shapes,   &caps,
          &add32,      &add_high32, &add,      &add_high, narrow};
}

void PlanTable(const lanepool_params& params, Plan* plan, int64_t* bytes) {
  *bytes = 0;
  if (!IsPerChannel(params)) return;
  Quantization& q = plan->quantization;
  q.fingerprint = Fingerprint(params, q);
  // Channels are at most INT32_MAX here, so nothing overflows.
  int64_t each = kScalesBytes;
  if (HasRequants(params, *plan)) {
    each += q.key_count * (q.stage == Stage::kNone ? int64_t{sizeof(Requant)} : kStepsBytes);
  }
  *bytes = int64_t{sizeof(Header)} + params.channels * each;
}

int32_t FillTable(const lanepool_params& params, const Plan& plan, const ChannelArrays& arrays,
                  void* table, lanepool_error* error) {
  const int64_t channels = params.channels;
  const Side sides[] = {{arrays.x_scales, arrays.x_zero_points, params.x_scale_count, params.x_type,
                         Field::kXScale, Field::kXZeroPoint, Field::kXScaleCount},
                        {arrays.y_scales, arrays.y_zero_points, params.y_scale_count, params.y_type,
                         Field::kYScale, Field::kYZeroPoint, Field::kYScaleCount}};
  for (const Side& side : sides) {
    const int32_t status = CheckSide(side, channels, error);
    if (status != LANEPOOL_OK) return status;
  }

  const Quantization& q = plan.quantization;
  char* const base = static_cast<char*>(table);
  Header header = {kMagic, q.fingerprint, channels, {}};
  memset(header.narrow, 1, sizeof header.narrow);
  char* const scales_at = base + sizeof header;
  char* const requants_at = scales_at + channels * kScalesBytes;
  const bool requants = HasRequants(params, plan);
  for (int64_t c = 0; c < channels; ++c) {
    ChannelScales scales = TensorScales(params);
    if (arrays.x_scales != nullptr) scales.x_scale = arrays.x_scales[c];
    if (arrays.y_scales != nullptr) scales.y_scale = arrays.y_scales[c];
    if (arrays.x_zero_points != nullptr) scales.x_zero_point = arrays.x_zero_points[c];
    if (arrays.y_zero_points != nullptr) scales.y_zero_point = arrays.y_zero_points[c];
    PutEntries(channels, c, scales_at, scales.x_scale, scales.y_scale, scales.x_zero_point,
               scales.y_zero_point);
    for (int32_t key = 0; requants && key < q.key_count; ++key) {
      const Requant requant = MakeRequant(RuleOf(params, plan, scales, q.keys[key]));
      if (q.stage == Stage::kNone) {
        const int64_t entry = c * q.key_count + key;
        memcpy(requants_at + entry * static_cast<int64_t>(sizeof requant), &requant,
               sizeof requant);
      } else {
        const OneSteps64 one(requant);
        PutEntries(channels, c, requants_at + key * channels * kStepsBytes, one.add, one.add_high,
                   one.multiplier, one.sum_least, one.sum_most, one.shapes, one.caps, one.add32,
                   one.add_high32, uint32_t{0});
        if (!one.narrow) header.narrow[key] = 0;
      }
    }
  }
  memcpy(base, &header, sizeof header);
  return Succeed(error);
}

bool IsTableOf(const void* table, const Plan& plan) {
  Header header;
  memcpy(&header, table, sizeof header);
  return header.magic == kMagic && header.fingerprint == plan.quantization.fingerprint;
}

ChannelTable::ChannelTable(const lanepool_params& params, const Plan& plan, const void* table)
    : params_(params), table_(static_cast<const char*>(table)) {
  if (table_ == nullptr) return;
  const char* const requants_at = Array(0) + params.channels * kScalesBytes;
  if (!HasRequants(params, plan)) return;
  if (plan.quantization.stage == Stage::kNone) {
    requants_ = reinterpret_cast<const Requant*>(requants_at);
  } else {
    steps_ = requants_at;
  }
}

const char* ChannelTable::Array(int64_t number) const {
  static_assert(sizeof(float) == sizeof(int32_t), "all arrays have the same size");
  return table_ + sizeof(Header) + number * params_.channels * static_cast<int64_t>(sizeof(float));
}

ChannelScales ChannelTable::Scales(int64_t channel) const {
  if (table_ == nullptr) return TensorScales(params_);
  return {XScales()[channel], YScales()[channel], XZeroPoints()[channel], YZeroPoints()[channel]};
}

FinishJob::Steps64 ChannelTable::Steps(int32_t key, int64_t channel) const {
  const int64_t channels = params_.channels;
  const char* const arrays = steps_ + key * channels * kStepsBytes;
  const auto* const u64 = reinterpret_cast<const uint64_t*>(arrays) + channel;
  const auto* const u32 = reinterpret_cast<const uint32_t*>(arrays + 2 * 8 * channels) + channel;
  const uint8_t narrow = reinterpret_cast<const Header*>(table_)->narrow[key];
  return {u32,
          u32 + channels,
          u32 + 2 * channels,
          u32 + 3 * channels,
          u32 + 4 * channels,
          u32 + 5 * channels,
          u32 + 6 * channels,
          u64,
          u64 + channels,
          narrow != 0};
}

}  // namespace lanepool
