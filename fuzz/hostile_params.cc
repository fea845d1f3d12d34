#include "hostile_params.h"

#include <cstring>

namespace fuzz {
namespace {

using support::Random;

constexpr int64_t kOneMore = 1;

// Any number, those where arithmetic goes wrong above all.
int64_t AnySize(Random* random) {
  switch (random->Between(0, 7)) {
    case 0:
      return random->Between(-2, 2);
    case 1:
      return INT64_MAX - random->Between(0, 3);
    case 2:
      return INT64_MIN + random->Between(0, 3);
    case 3:
      return (kOneMore << random->Between(0, 62)) + random->Between(-2, 2);
    case 4:
      return INT64_MAX / (1 + random->Between(0, 255)) - random->Between(0, 4);
    case 5:
      return random->Between(0, 70000);
    default:
      return static_cast<int64_t>(random->Bits());
  }
}

int64_t Size(Random* random, int64_t usual_low, int64_t usual_high, int any_chance) {
  if (random->Between(0, 99) < any_chance) return AnySize(random);
  return random->Between(usual_low, usual_high);
}

int32_t Code(Random* random, int32_t least, int32_t most) {
  if (random->Between(0, 255) == 77) return static_cast<int32_t>(random->Bits());
  return static_cast<int32_t>(random->Between(least, most));
}

int32_t Type(Random* random) {
  if (random->Between(0, 255) == 77) return static_cast<int32_t>(random->Bits());
  return random->Pick({LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8,
                       LANEPOOL_TYPE_UINT16, LANEPOOL_TYPE_INT16, LANEPOOL_TYPE_INT32,
                       LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_BFLOAT16});
}

int32_t Float(Random* random) {
  return random->Pick(
      {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16});
}

template <typename Number>
Number Real(Random* random) {
  const int64_t choice = random->Between(0, 5);
  if (choice == 0) {
    Number value;
    const uint64_t bits = random->Bits();
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  const Number whole = static_cast<Number>(random->Between(-3, 252));
  return choice < 3 ? whole / 16 : whole;
}

void Axes(Random* random, int any_chance, lanepool_params* p) {
  const int axes = random->Between(0, 63) == 7 ? 3 : p->rank;
  for (int i = 0; i < axes && i < 3; ++i) {
    p->input[i] = Size(random, 1, 40, any_chance);
    p->kernel[i] = Size(random, 1, 9, any_chance);
    if (random->Between(0, 1) == 1) p->strides[i] = Size(random, 1, 5, any_chance);
    if (random->Between(0, 3) == 1) p->dilations[i] = Size(random, 1, 4, any_chance);
    if (random->Between(0, 1) == 1) {
      p->pads_begin[i] = Size(random, 0, 4, any_chance);
      p->pads_end[i] = Size(random, 0, 4, any_chance);
    }
    if ((p->flags & LANEPOOL_FLAG_ADAPTIVE) != 0 || p->op == LANEPOOL_OP_MAX_UNPOOL) {
      p->output_size[i] = Size(random, 0, 40, any_chance);
      if ((p->flags & LANEPOOL_FLAG_ADAPTIVE) != 0) p->kernel[i] = 0;
    }
    if ((p->flags & LANEPOOL_FLAG_GLOBAL) != 0) p->kernel[i] = 0;
  }
}

void Views(Random* random, int any_chance, lanepool_params* p) {
  for (int64_t* const strides : {p->x_strides, p->y_strides, p->index_strides}) {
    if (random->Between(0, 7) != 1) continue;
    int64_t product = 1;
    for (int i = 4; i >= 0; --i) {
      if (i >= 2 + p->rank) continue;
      strides[i] = random->Between(0, 3) == 1 ? Size(random, 0, 3000, any_chance) : product;
      product = static_cast<int64_t>(static_cast<uint64_t>(strides[i]) *
                                     static_cast<uint64_t>(random->Between(1, 40)));
    }
  }
}

}  // namespace

HostileParams::HostileParams(Random* random) {
  lanepool_params& p = params;
  std::memset(&p, 0, sizeof p);
  std::memset(behind, 0, sizeof behind);
  lanepool_params_init(&p, sizeof p, static_cast<int32_t>(random->Between(0, 4)));
  const int any_chance = random->Pick({0, 0, 2, 10, 40});
  p.op = Code(random, LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX_UNPOOL);
  p.layout = Code(random, LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC);
  p.rank = Code(random, 1, 3);
  if (p.rank < 1 || p.rank > 3) return;
  const bool only_floats = p.op == LANEPOOL_OP_SUM || p.op == LANEPOOL_OP_LP;
  p.x_type = only_floats && random->Percent(90) ? Float(random) : Type(random);
  p.y_type = random->Between(0, 7) == 1 ? Type(random) : p.x_type;
  const int64_t form = random->Between(0, 15);
  if (form == 1) p.flags |= LANEPOOL_FLAG_GLOBAL;
  if (form == 2) p.flags |= LANEPOOL_FLAG_ADAPTIVE;
  if (random->Between(0, 15) == 1) p.flags ^= uint32_t{1} << random->Between(0, 31);
  p.batch = Size(random, 0, 3, any_chance);
  p.channels = Size(random, 0, 70, any_chance);
  Axes(random, any_chance, &p);
  Views(random, any_chance, &p);
  const int code_chance = random->Pick({0, 0, 4, 25});
  for (int32_t* const code :
       {&p.auto_pad, &p.ceil_mode, &p.valid_ceil, &p.oversize_kernel, &p.divisor, &p.empty_window,
        &p.nan_rule, &p.rounding, &p.index_mode, &p.storage_order}) {
    if (random->Percent(code_chance)) *code = Code(random, 0, random->Percent(10) ? 4 : 1);
  }
  if (p.divisor == LANEPOOL_DIVISOR_CONSTANT) p.divisor_value = Size(random, 1, 100, any_chance);
  const int index_chance = p.op == LANEPOOL_OP_MAX_UNPOOL ? 95 : p.op == LANEPOOL_OP_MAX ? 40 : 2;
  if (random->Percent(index_chance)) {
    p.index_type = random->Pick({LANEPOOL_TYPE_INT32, LANEPOOL_TYPE_INT64});
  }
  if (random->Between(0, 1) == 1) {
    p.x_scale = Real<float>(random);
    p.y_scale = Real<float>(random);
    p.x_zero_point = Code(random, -130, 260);
    p.y_zero_point = Code(random, -130, 260);
  }
  if (random->Between(0, 15) == 1) p.x_scale_count = static_cast<int32_t>(p.channels);
  if (random->Between(0, 15) == 1) p.y_scale_count = static_cast<int32_t>(p.channels);
  if ((p.flags & LANEPOOL_FLAG_CLAMP) != 0) {
    p.clamp_low = Real<double>(random);
    p.clamp_high = Real<double>(random);
  }
  if (random->Between(0, 7) == 1) p.lp_order = Real<double>(random);
  if (random->Between(0, 63) == 1) p.target_mask = random->Bits();
  if (random->Between(0, 127) == 1) p.struct_size = static_cast<uint32_t>(random->Bits());
  if (random->Between(0, 127) == 1) {
    p.struct_size = static_cast<uint32_t>(random->Between(0, sizeof(HostileParams)));
    behind[random->Between(0, sizeof behind - 1)] = random->Percent(50) ? 1 : 0;
  }
  if (random->Between(0, 127) == 1) p.reserved[random->Between(0, 3)] = random->Between(-1, 1);
}

}  // namespace fuzz
