#include "runner.h"

#include <string.h>

#include "runner_context.h"
#include "strategy.h"
#include "types.h"

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

// The result of a window without taps.
Element EmptyValue(const lanepool_params& p, int32_t y_zero_point) {
  constexpr uint32_t kNan = 0x7FC00000u, kMinusInfinity = 0xFF800000u;
  Element element = {};
  const bool max = p.op == LANEPOOL_OP_MAX;
  if (IsByte(p.y_type)) {
    int32_t least = 0, most = 0;
    ResultRange(p, &least, &most);
    int32_t value = max ? least : y_zero_point;
    if (value < least) value = least;
    if (value > most) value = most;
    element.bytes[0] = static_cast<unsigned char>(value);
    return element;
  }
  const bool mean_of_nothing =
      p.empty_window == LANEPOOL_EMPTY_NAN && p.divisor == LANEPOOL_DIVISOR_EXCLUDE_PAD;
  const uint32_t bits = max ? kMinusInfinity : mean_of_nothing ? kNan : 0;
  memcpy(element.bytes, &bits, sizeof bits);
  return element;
}

Item ItemAt(const Plan& plan, int64_t channels, const ItemGrid& grid, int64_t index) {
  const Strategy& s = plan.strategy;
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
  if (item.c_end > channels) item.c_end = channels;
  item.h_begin = row_block * s.row_block;
  item.h_end = item.h_begin + s.row_block;
  if (item.h_end > plan.axes[1].output) item.h_end = plan.axes[1].output;
  item.w_begin = 0;
  item.w_end = plan.axes[2].output;
  return item;
}

void UseFloatKernels(int64_t target, Context* context) {
  const lanepool_params& p = context->params;
  const bool max = p.op == LANEPOOL_OP_MAX;
  const Reducer exact = p.nan_rule == LANEPOOL_NAN_IGNORE ? kMaxIgnoreNan : kMaxPropagateNan;
  const Kernels* const kernels = KernelsFloat(target);
  context->kernels = &kernels[max ? kMax : kSum];
  context->exact_kernels = &kernels[max ? exact : kSumExact];
  context->lane_size = sizeof(float);
  context->divides = !max;
}

// The context of y. Stages replace what they do otherwise.
Context MakeContext(const Sealed& sealed, int64_t target, const CallBuffers& buffers,
                    const ChannelTable& table) {
  const lanepool_params& p = sealed.params;
  const Plan& plan = sealed.plan;
  Context context = {p,
                     plan,
                     static_cast<const char*>(buffers.x),
                     static_cast<char*>(buffers.y),
                     0,
                     plan.y_stride,
                     buffers.workspace,
                     ElementBytes(p.x_type),
                     ElementBytes(p.y_type),
                     0,
                     nullptr,
                     nullptr,
                     EmptyValue(p, p.y_zero_point),
                     false,
                     0,
                     static_cast<uint8_t>(p.y_type == LANEPOOL_TYPE_INT8 ? 0x80 : 0),
                     nullptr,
                     0,
                     p.y_scale_count != 0 ? &table : nullptr};
  if (!IsByte(p.x_type)) {
    UseFloatKernels(target, &context);
    return context;
  }
  const Quantization& q = plan.quantization;
  if (p.op == LANEPOOL_OP_MAX) {
    UseByteKernels(target, p.x_type == LANEPOOL_TYPE_INT8 ? kMaxS8 : kMaxU8, &context);
  } else {
    UseByteKernels(target, kSum16, &context);
  }
  if (q.stage == Stage::kNone && q.key_count > 0) {
    context.requants = table.exists() ? table.Requants() : q.requants;
    context.requants_per_channel = table.exists() ? q.key_count : 0;
  }
  return context;
}

// Whether every channel of the item has a formula that the loops know.
bool HasFormulas(const Context& context, const Item& item) {
  if (context.requants_per_channel == 0) return true;
  const Requant* const begin = context.requants + item.c_begin * context.requants_per_channel;
  const Requant* const end = context.requants + item.c_end * context.requants_per_channel;
  for (const Requant* requant = begin; requant < end; ++requant) {
    if (requant->kind == RequantKind::kSteps) return false;
  }
  return true;
}

}  // namespace

void UseByteKernels(int64_t target, ByteReducer reducer, Context* context) {
  context->kernels = &KernelsBytes(target)[reducer];
  context->exact_kernels = nullptr;
  context->lane_size = reducer == kSum16 ? 2 : reducer == kSum32 ? 4 : 1;
  context->x_flip = context->params.x_type == LANEPOOL_TYPE_INT8 ? 0x80 : 0;
}

Divisor DivisorOf(const Context& context, int64_t count) {
  Divisor result = {};
  if (!context.divides) return result;
  result.divisor = static_cast<float>(DivisorOfWindow(context.params, context.plan, count));
  result.reciprocal = 1.0f / result.divisor;
  // From divisor * 2^-100 on, the quotient is normal and so are all bits of its remainder.
  result.rare_below = BitsOfFloat(result.divisor * FloatOfBits(0x0D800000u)) << 1;
  return result;
}

const Requant* RequantOf(const Context& context, int64_t channel, const WindowKey& key) {
  if (context.requants == nullptr) return nullptr;
  const Requant* const of_channel = context.requants + channel * context.requants_per_channel;
  if (context.params.op == LANEPOOL_OP_MAX) return of_channel;
  return of_channel + FindKey(context.plan.quantization, key);
}

void FillEmpty(const Context& context, int64_t channel, char* y, int64_t n, int64_t step) {
  const size_t size = static_cast<size_t>(context.y_size);
  Element value = context.empty_value;
  if (context.table != nullptr) {
    value = EmptyValue(context.params, context.table->Scales(channel).y_zero_point);
  }
  for (int64_t i = 0; i < n; ++i) memcpy(y + i * step * context.y_size, value.bytes, size);
}

void RunLoop(const Context& context, const Item& item) {
  switch (context.plan.strategy.loop) {
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

void RunItems(const Sealed& sealed, int64_t target, const CallBuffers& buffers, int64_t begin,
              int64_t end) {
  const ChannelTable table(sealed.params, sealed.plan, buffers.table);
  const Context context = MakeContext(sealed, target, buffers, table);
  const ItemGrid grid = GridOf(sealed.params, sealed.plan);
  const bool staged = sealed.plan.quantization.stage != Stage::kNone;
  for (int64_t index = begin; index < end; ++index) {
    const Item item = ItemAt(sealed.plan, sealed.params.channels, grid, index);
    if (staged || !HasFormulas(context, item)) {
      RunStaged({context, table, target}, item);
    } else {
      RunLoop(context, item);
    }
  }
}

}  // namespace lanepool
