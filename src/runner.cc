#include "runner.h"

#include <math.h>
#include <string.h>

#include "blocks.h"
#include "compiled_in.h"
#include "dispatch.h"
#include "element_rules.h"
#include "level_rules.h"
#include "narrow_rules.h"
#include "quantization.h"
#include "runner_context.h"
#include "runner_items.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

// The element of `bytes` bytes with these bits, whatever the order of bytes in memory.
Element ElementOf(int64_t bits, int64_t bytes) {
  Element element = {};
  const uint8_t one = static_cast<uint8_t>(bits);
  const uint16_t two = static_cast<uint16_t>(bits);
  const uint32_t four = static_cast<uint32_t>(bits);
  if (bytes == 1) memcpy(element.bytes, &one, sizeof one);
  if (bytes == 2) memcpy(element.bytes, &two, sizeof two);
  if (bytes == 4) memcpy(element.bytes, &four, sizeof four);
  if (bytes == 8) memcpy(element.bytes, &bits, sizeof bits);
  return element;
}

// The result of a window without taps.
Element EmptyValue(const lanepool_params& p, int32_t y_zero_point) {
  const bool max = p.op == LANEPOOL_OP_MAX, min = p.op == LANEPOOL_OP_MIN;
  if (IsByte(p.y_type)) {
    int32_t least = 0, most = 0;
    ResultRange(p, &least, &most);
    int32_t value = max ? least : min ? most : y_zero_point;
    if (value < least) value = least;
    if (value > most) value = most;
    return ElementOf(value, 1);
  }
  const int64_t bytes = ElementBytes(p.y_type);
  if (IsFloating(p.y_type)) {
    const bool mean_of_nothing = p.op == LANEPOOL_OP_AVERAGE &&
                                 p.empty_window == LANEPOOL_EMPTY_NAN &&
                                 DivisorRule(p) == LANEPOOL_DIVISOR_EXCLUDE_PAD;
    const double value = max ? -HUGE_VAL : min ? HUGE_VAL : mean_of_nothing ? NAN : 0.0;
    return ElementOf(NearestBits(p.y_type, value), bytes);
  }
  return ElementOf(max ? LowestInteger(p.y_type) : min ? HighestInteger(p.y_type) : 0, bytes);
}

// Of x, from which on it is worth to ask for other vectors. Measured.
constexpr int64_t kNarrowBytes = 4096;
// Bytes of a line of empty outputs.
constexpr size_t kLine = 64;
// What of x stays in a cache, near enough.
constexpr int64_t kNearBytes = int64_t{8} << 20;
// What x and y are at most if both stay in a second cache of 2 MiB, near enough.
constexpr int64_t kSecondBytes = int64_t{1} << 20;
// More of x than the second cache holds of a core that reads by lines.
constexpr int64_t kByLinesBytes = int64_t{3} << 19;

// Whether y is written past the caches: there is no use in reading a line that is wholly written,
// nor in keeping what will be gone before it is read.
bool Streams(const Context& context, const CallBuffers& buffers) {
  if (buffers.x_bytes <= kCachedBytes && buffers.y_bytes <= kCachedBytes - buffers.x_bytes) {
    return false;
  }
  const lanepool_params& p = context.params;
  const Plan& plan = context.plan;
  const bool floats = p.x_type == LANEPOOL_TYPE_FLOAT && p.y_type == LANEPOOL_TYPE_FLOAT &&
                      plan.quantization.stage == Stage::kNone &&
                      (p.flags & LANEPOOL_FLAG_CLAMP) == 0;
  if (!floats) return false;
  int64_t bits = static_cast<int64_t>(reinterpret_cast<uintptr_t>(buffers.y));
  // Rows of these find their lines.
  if (plan.strategy.loop == Loop::kBlocks) {
    return plan.strategy.planes > 0 && bits % context.y_size == 0 && StreamsRows(p, plan);
  }
  if (plan.strategy.loop != Loop::kColumns) return false;
  if (p.batch > 1) bits |= plan.y_stride[kN] * context.y_size;
  if (plan.strategy.channel_block < p.channels)
    bits |= plan.strategy.channel_block * context.y_size;
  for (int i = 0; i < 3; ++i) {
    if (plan.axes[i].output > 1) bits |= plan.y_stride[kD + i] * context.y_size;
  }
  return bits % kStreamBytes == 0;
}

// Maxima and minima of all types but bytes. `order` is filled, and the context points to it.
void UseOrderedKernels(OrderRules* order, Context* context) {
  const lanepool_params& p = context->params;
  const int64_t bytes = ElementBytes(p.x_type);
  *order = OrderOf({p.x_type, p.op == LANEPOOL_OP_MIN, IsLargestMagnitude(p), p.nan_rule});
  context->rules.order = order;
  context->lane_size = bytes;
  const OrderedBits width = bytes == 2 ? kOrdered16 : bytes == 4 ? kOrdered32 : kOrdered64;
  context->kernels = &KernelsOrdered(context->target)[width];
  if (p.op != LANEPOOL_OP_MAX) return;
  if (kComparesFloats && p.x_type == LANEPOOL_TYPE_FLOAT) {
    context->exact_kernels = context->kernels;
    context->kernels = &KernelsFloat(context->target)[kMax];
  } else if (Compiled(ops::kMax, types::kF64) && p.x_type == LANEPOOL_TYPE_DOUBLE &&
             context->plan.strategy.loop != Loop::kBlocks) {
    context->exact_kernels = context->kernels;
    context->kernels = &KernelsDouble(context->target)[kDoubleMax];
  }
}

// Averages and sums of floats.
void UseSumKernels(Context* context) {
  const int32_t type = context->params.x_type;
  context->lane_size = sizeof(float);
  context->divides = true;
  if (Compiled(ops::kSums, types::kF64) && type == LANEPOOL_TYPE_DOUBLE) {
    context->lane_size = sizeof(double);
    context->kernels = &KernelsDouble(context->target)[kDoubleSum];
  } else if (type == LANEPOOL_TYPE_FLOAT) {
    const Kernels* const kernels = KernelsFloat(context->target);
    context->kernels = &kernels[kSum];
    context->exact_kernels = &kernels[kSumExact];
  } else {
    const HalfType half = type == LANEPOOL_TYPE_BFLOAT16 ? kBfloat16 : kFloat16;
    context->kernels = &KernelsHalf(context->target)[half];
  }
}

// The context of y. Stages replace what they do otherwise.
Context MakeContext(const Sealed& sealed, int64_t target, const CallBuffers& buffers,
                    const ChannelTable& table, OrderRules* order) {
  const lanepool_params& p = sealed.params;
  const Plan& plan = sealed.plan;
  Context context(p, plan);
  context.target = target;
  context.x = static_cast<const char*>(buffers.x);
  context.far = buffers.x_bytes > kNearBytes;
  context.large = buffers.y_bytes > kSecondBytes - buffers.x_bytes;
  context.by_lines = buffers.x_bytes > kByLinesBytes && ReadsByLines();
  context.y = static_cast<char*>(buffers.y);
  context.y_stride = plan.y_stride;
  context.workspace = buffers.workspace;
  context.x_size = ElementBytes(p.x_type);
  context.y_size = ElementBytes(p.y_type);
  context.table = p.y_scale_count != 0 ? &table : nullptr;
  context.rules.y_flip = p.y_type == LANEPOOL_TYPE_INT8 ? 0x80 : 0;
  const Quantization& q = plan.quantization;
  const bool maximum = IsExtreme(p.op) || IsLargestMagnitude(p);
  const bool means = IsByte(p.x_type) && !maximum && plan.strategy.loop == Loop::kBlocks;
  if (means && q.stage == Stage::kNone) {
    UseByteKernels(SettlesMeans(p, plan) ? kQuotient : kMean, &context);
    context.divides = true;
    return context;
  }
  if (IsByte(p.x_type)) {
    UseByteKernels(maximum ? kMaxBytes : kSum16, &context);
  } else if (maximum) {
    UseOrderedKernels(order, &context);
  } else if (IsFloating(p.x_type) && q.stage != Stage::kMapped) {
    UseSumKernels(&context);
  }
  if (IsByte(p.x_type) && q.stage == Stage::kNone && q.key_count > 0) {
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

// Scratch holds the channels of one item: those of items that were joined to be moved go one after
// the other.
void RunBlocksOf(const Context& context, const Item& item) {
  const int64_t most = context.plan.strategy.channel_block;
  Item part = item;
  for (; part.c_begin < item.c_end; part.c_begin = part.c_end) {
    part.c_end = item.c_end - part.c_begin < most ? item.c_end : part.c_begin + most;
    RunBlocks(context, part);
  }
}

// To find out where scratch is takes as long as a small job that is moved.
void UseScratch(BlockScratch* blocks, Context* context) {
  if (context->plan.strategy.loop != Loop::kBlocks || context->blocks != nullptr) return;
  *blocks = ScratchOf(context->params, context->plan);
  context->blocks = blocks;
}

void RunItem(const Item& item, BlockScratch* blocks, Context* context) {
  if (!kCompact && context->moved != nullptr && RunMoves(*context, item)) return;
  UseScratch(blocks, context);
  RunLoop(*context, item);
}

// A line and more of values of so many bytes. Out of line: most empty outputs are fewer.
[[gnu::noinline]] void FillLines(Element value, size_t size, size_t all, char* y) {
  const size_t eight = sizeof(value.bytes);
  char line[kLine];
  for (size_t i = size; i < eight; ++i) value.bytes[i] = value.bytes[i - size];
  for (size_t i = 0; i < kLine; i += eight) memcpy(line + i, value.bytes, eight);
  for (size_t i = kLine; i <= all; i += kLine) memcpy(y + i - kLine, line, kLine);
  memcpy(y + all - kLine, line, kLine);
}

}  // namespace

void UseByteKernels(ByteReducer reducer, Context* context) {
  context->kernels = &KernelsBytes(context->target)[reducer];
  context->exact_kernels = nullptr;
  const bool sums16 = reducer == kSum16 || reducer == kMean || reducer == kQuotient;
  const bool sums32 = reducer == kSum32 || reducer == kSumShorts;
  context->lane_size = sums16 ? 2 : sums32 ? 4 : 1;
  SetFlips(context->params, &context->rules);
}

Divisor DivisorOf(const Context& context, int64_t count) {
  if (!context.divides) return {};
  return MakeDivisor(DivisorOfWindow(context.params, context.plan, count));
}

const Requant* RequantOf(const Context& context, int64_t channel, const WindowKey& key) {
  if (context.requants == nullptr) return nullptr;
  const Requant* const of_channel = context.requants + channel * context.requants_per_channel;
  if (IsExtreme(context.params.op)) return of_channel;
  return of_channel + FindKey(context.plan.quantization, key);
}

void FillEmpty(const Context& context, int64_t channel, char* y, int64_t n, int64_t step) {
  const size_t size = static_cast<size_t>(context.y_size);
  Element value = {};
  if (!context.staged) {
    const bool per_channel = context.table != nullptr;
    const lanepool_params& p = context.params;
    value =
        EmptyValue(p, per_channel ? context.table->Scales(channel).y_zero_point : p.y_zero_point);
  }
  if (step == 1) {
    // Most empty windows lie beside others.
    if (n <= 0) return;
    const size_t all = static_cast<size_t>(n) * size;
    if (all >= kLine) {
      FillLines(value, size, all, y);
      return;
    }
    // Copies of copies.
    memcpy(y, value.bytes, size);
    for (size_t done = size; done < all; done *= 2) {
      memcpy(y + done, y, done < all - done ? done : all - done);
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) memcpy(y + i * step * context.y_size, value.bytes, size);
}

void RunLoop(const Context& context, const Item& item) {
  switch (context.plan.strategy.loop) {
    case Loop::kNothing:
      break;
    case Loop::kColumns:
      RunColumns(context, item, 0);
      break;
    case Loop::kRows:
      if (kCompact || !RunLaidOut(context, item)) RunRows(context, item);
      break;
    case Loop::kPlanes:
    case Loop::kByTwo:
    case Loop::kBySteps:
      if (kCompact || !RunLaidOut(context, item)) RunPlanes(context, item);
      break;
    case Loop::kBlocks:
      if (!kCompact && context.plan.strategy.planes == kRowSums) {
        RunRowSums(context, item);
      } else if (kCompact || !RunRing(context, item)) {
        RunBlocksOf(context, item);
      }
      break;
    case Loop::kRuns:
      RunRuns(context, item);
      break;
    case Loop::kTaps:
      RunTaps(context, item);
      break;
    case Loop::kScatter:
      break;
  }
}

int32_t RunItems(const Sealed& sealed, int64_t target, const CallBuffers& buffers, int64_t begin,
                 int64_t end) {
  const lanepool_params& p = sealed.params;
  if (Compiled(ops::kUnpool, types::kAll) && sealed.plan.strategy.loop == Loop::kScatter) {
    return ScatterItems(sealed, buffers, begin, end);
  }
  if (sealed.plan.strategy.lone != 0 && begin != end && RunLone(sealed, target, buffers)) {
    return LANEPOOL_OK;
  }
  const ChannelTable table(p, sealed.plan, buffers.table);
  OrderRules order;
  Context context = MakeContext(sealed, target, buffers, table, &order);
  context.streams = Streams(context, buffers);
  const ItemGrid grid = GridOf(p, sealed.plan);
  const int64_t channels = PlanesOf(p, sealed.plan).channels;
  const bool staged = sealed.plan.quantization.stage != Stage::kNone;
  const bool clamps = (p.flags & LANEPOOL_FLAG_CLAMP) != 0 && !IsByte(p.y_type);
  // What makes results of the maxima that loops leave in y.
  const Requant* const later = !staged && RequantizesInPlace(context) ? context.requants : nullptr;
  if (later != nullptr) context.requants = nullptr;
  if (!kCompact && !staged) ChooseMoves(&context);
  const bool joins = !staged && JoinsItems(context);
  const bool same = !kCompact && joins && sealed.plan.strategy.loop == Loop::kColumns && !clamps &&
                    later == nullptr && p.index_type == LANEPOOL_TYPE_NONE;
  const bool maybe_narrow = !kCompact && buffers.x_bytes >= kNarrowBytes && !context.streams;
  if (maybe_narrow && context.moved == nullptr && IsNarrow(context)) {
    const uint64_t next = NextTarget(p.target_mask, static_cast<uint64_t>(target));
    if (next != 0) return RunItems(sealed, static_cast<int64_t>(next), buffers, begin, end);
  }
  BlockScratch blocks;
  for (int64_t index = begin; index < end; ++index) {
    const Item item = joins ? JoinedItem(sealed.plan, channels, grid, end, &index)
                            : ItemAt(sealed.plan, channels, grid, index);
    const int64_t images = same ? ImagesBehind(item, sealed.plan, channels, grid, end - index) : 0;
    if (staged || !HasFormulas(context, item)) {
      UseScratch(&blocks, &context);
      RunStaged({context, table}, item);
    } else if (images == 0) {
      RunItem(item, &blocks, &context);
    } else if (RunColumns(context, item, images)) {
      index += images * grid.channel_blocks * grid.row_blocks;
    }
    if (later != nullptr) RequantizeItem(context, *later, item);
    if (clamps) ClampItem(context, item);
    if (p.index_type != LANEPOOL_TYPE_NONE) RunPositions(context, item, buffers.index);
  }
  if (context.streams) FinishStreams();
  return LANEPOOL_OK;
}

}  // namespace lanepool
