#include "runner.h"

#include <string.h>

#include "runner_context.h"
#include "strategy.h"

namespace lanepool {
namespace {

float FloatOfBits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

uint32_t BitsOfFloat(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float EmptyValue(const lanepool_params& p) {
  constexpr uint32_t kNan = 0x7FC00000u, kMinusInfinity = 0xFF800000u;
  if (p.op == LANEPOOL_OP_MAX) return FloatOfBits(kMinusInfinity);
  const bool mean_of_nothing =
      p.empty_window == LANEPOOL_EMPTY_NAN && p.divisor == LANEPOOL_DIVISOR_EXCLUDE_PAD;
  return mean_of_nothing ? FloatOfBits(kNan) : 0.0f;
}

Item ItemAt(const Context& context, const ItemGrid& grid, int64_t index) {
  const Strategy& s = context.plan.strategy;
  const int64_t row_block = index % grid.row_blocks;
  index /= grid.row_blocks;
  const int64_t d = index % grid.depths;
  index /= grid.depths;
  const int64_t channel_block = index % grid.channel_blocks;
  Item item;
  item.n = index / grid.channel_blocks;
  item.d = d;
  item.c_begin = channel_block * s.channel_block;
  item.c_end = item.c_begin + s.channel_block;
  if (item.c_end > context.params.channels) item.c_end = context.params.channels;
  item.h_begin = row_block * s.row_block;
  item.h_end = item.h_begin + s.row_block;
  if (item.h_end > context.plan.axes[1].output) item.h_end = context.plan.axes[1].output;
  return item;
}

}  // namespace

Divisor DivisorOf(const Context& context, int64_t count) {
  const lanepool_params& p = context.params;
  if (p.divisor == LANEPOOL_DIVISOR_CONSTANT) count = p.divisor_value;
  if (p.divisor == LANEPOOL_DIVISOR_FULL_KERNEL) {
    const Axis<int64_t>* axes = context.plan.axes;
    count = axes[0].kernel * axes[1].kernel * axes[2].kernel;
  }
  Divisor result;
  result.divisor = static_cast<float>(count);
  result.reciprocal = 1.0f / result.divisor;
  // From divisor * 2^-100 on, the quotient is normal and so are all bits of its remainder.
  result.rare_below = BitsOfFloat(result.divisor * FloatOfBits(0x0D800000u)) << 1;
  return result;
}

void FillEmpty(const Context& context, float* y, int64_t n, int64_t step) {
  for (int64_t i = 0; i < n; ++i) y[i * step] = context.empty_value;
}

void RunItems(const Sealed& sealed, const KernelTable& kernels, const void* x, void* y,
              void* workspace, int64_t begin, int64_t end) {
  const lanepool_params& p = sealed.params;
  const bool max = p.op == LANEPOOL_OP_MAX;
  const Reducer exact = p.nan_rule == LANEPOOL_NAN_IGNORE ? kMaxIgnoreNan : kMaxPropagateNan;
  const Context context = {p,
                           sealed.plan,
                           kernels,
                           static_cast<const float*>(x),
                           static_cast<float*>(y),
                           workspace,
                           max ? kMax : kSum,
                           max ? exact : kSumExact,
                           EmptyValue(p)};
  const ItemGrid grid = GridOf(p, sealed.plan);
  for (int64_t index = begin; index < end; ++index) {
    const Item item = ItemAt(context, grid, index);
    switch (sealed.plan.strategy.loop) {
      case Loop::kNothing:
        break;
      case Loop::kColumns:
        RunColumns(context, item);
        break;
      case Loop::kRows:
        RunRows(context, item);
        break;
      case Loop::kPlanes:
        RunPlanes(context, item);
        break;
      case Loop::kRuns:
        RunRuns(context, item);
        break;
    }
  }
}

}  // namespace lanepool
