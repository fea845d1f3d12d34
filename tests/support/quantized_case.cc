// The quantized part of random_case.h.
#include <algorithm>
#include <cmath>
#include <limits>

#include "../oracle/types.h"
#include "random_case.h"
#include "random_pick.h"

namespace support {
namespace {

constexpr float kLeastScale = std::numeric_limits<float>::denorm_min();
constexpr float kMostScale = std::numeric_limits<float>::max();

// 24 random bits, in [2^(exponent - 1), 2^exponent).
float RandomScale(Random* random, int64_t least_exponent, int64_t most_exponent) {
  const auto mantissa = static_cast<float>(random->Between(1 << 23, (1 << 24) - 1));
  const auto exponent = static_cast<int>(random->Between(least_exponent, most_exponent));
  return std::max(std::ldexp(mantissa, exponent - 24), kLeastScale);
}

struct Scales {
  float x, y;
};

Scales RandomScales(Random* random) {
  const float x = RandomScale(random, -8, 2);
  const int steps = static_cast<int>(random->Between(-6, 6));
  switch (random->Between(0, 9)) {
    case 0:
    case 1:
      return {x, x};
    case 2:  // a power of two apart
      return {x, std::ldexp(x, steps)};
    case 3:  // a small fraction apart
      return {static_cast<float>(random->Between(1, 33)),
              static_cast<float>(random->Between(1, 33))};
    case 4:
    case 5:  // unrelated, of one magnitude
      return {x, x * RandomScale(random, -1, 2)};
    case 6:  // unrelated, up to 2^80 apart
      return {RandomScale(random, -40, 40), RandomScale(random, -40, 40)};
    case 7:  // subnormal, both or one
      return {RandomScale(random, -148, -126), RandomScale(random, -148, random->Pick({-126, 0}))};
    case 8:  // as far apart as they get
      return random->Percent(50) ? Scales{kMostScale, kLeastScale}
                                 : Scales{kLeastScale, kMostScale};
    default:  // neighbours
      return {x, std::nextafter(x, random->Pick({0.0f, kMostScale}))};
  }
}

int32_t RandomZeroPoint(Random* random, int32_t type) {
  if (!oracle::IsByte(type)) return 0;
  const int64_t low = type == LANEPOOL_TYPE_INT8 ? -128 : 0;
  const int64_t any = random->Between(low, low + 255);
  return static_cast<int32_t>(
      random->Pick({low, low + 1, low + 127, low + 128, low + 255, any, any, any}));
}

void PickTypes(Random* random, Arrays arrays, lanepool_params* p) {
  const int32_t byte = random->Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
  const int32_t other = random->Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
  const int64_t choice = arrays == Arrays::kPerTensor ? 0 : random->Between(0, 9);
  p->x_type = choice == 8 ? LANEPOOL_TYPE_FLOAT : byte;
  p->y_type = choice == 9 ? LANEPOOL_TYPE_FLOAT : random->Pick({byte, other});
}

}  // namespace

void PickArrays(Random* random, RandomCase* item) {
  lanepool_params* const p = &item->params;
  const bool x_has = oracle::IsByte(p->x_type) && random->Percent(70);
  const bool y_has = oracle::IsByte(p->y_type) && (!x_has || random->Percent(70));
  const auto channels = static_cast<int32_t>(p->channels);
  p->x_scale_count = x_has ? channels : 0;
  p->y_scale_count = y_has ? channels : 0;
  const bool x_scales = x_has && random->Percent(80);
  const bool y_scales = y_has && random->Percent(80);
  const bool x_zero_points = x_has && random->Percent(70);
  const bool y_zero_points = y_has && random->Percent(70);
  for (int32_t c = 0; c < channels; ++c) {
    const Scales scales = RandomScales(random);
    if (x_scales) item->arrays.x_scales.push_back(scales.x);
    if (y_scales) item->arrays.y_scales.push_back(scales.y);
    if (x_zero_points) item->arrays.x_zero_points.push_back(RandomZeroPoint(random, p->x_type));
    if (y_zero_points) item->arrays.y_zero_points.push_back(RandomZeroPoint(random, p->y_type));
  }
}

void PickQuantization(Random* random, lanepool_params* p) {
  const Scales scales = RandomScales(random);
  p->x_scale = scales.x;
  p->y_scale = scales.y;
  p->x_zero_point = RandomZeroPoint(random, p->x_type);
  p->y_zero_point = RandomZeroPoint(random, p->y_type);
  // What the usual models have, and the case in which a maximum passes as it is.
  if (random->Percent(25) && p->x_type == p->y_type) {
    p->y_zero_point = p->x_zero_point;
    if (random->Percent(50)) p->y_scale = p->x_scale;
  }
}

void Quantize(Random* random, Arrays arrays, RandomCase* item) {
  lanepool_params* const p = &item->params;
  PickTypes(random, arrays, p);
  PickQuantization(random, p);
  p->rounding = PickRounding(random);
  if (oracle::IsByte(p->y_type) && random->Percent(25)) PickClamp(random, p);
  item->integers = static_cast<IntegerData>(random->Between(0, kIntegerDataKinds - 1));
  if (arrays == Arrays::kAny && random->Percent(20)) PickArrays(random, item);
}

RandomCase MakeQuantizedCase(Random* random) {
  RandomCase item = random->Percent(12) ? MakeWideRandomCase(random) : MakeRandomCase(random);
  Quantize(random, Arrays::kAny, &item);
  return item;
}

}  // namespace support
