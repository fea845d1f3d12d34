#include "runner_items.h"

#include <stdint.h>

#include "compiled_in.h"
#include "plan.h"
#include "plan_axes.h"
#include "runner_context.h"
#include "strategy.h"

namespace lanepool {
namespace {

// index % size, and index / size to *index. Most sizes are 1, and divisions take long.
int64_t TakeDigit(int64_t size, int64_t* index) {
  if (size == 1) return 0;
  const int64_t digit = *index % size;
  *index /= size;
  return digit;
}

// Adds the item after `item` to it, if it lies beside it, in channels or in rows.
bool Join(const Item& next, Item* item) {
  if (next.n != item->n || next.d != item->d) return false;
  if (next.h_begin == item->h_begin && next.h_end == item->h_end && next.c_begin == item->c_end) {
    item->c_end = next.c_end;
    return true;
  }
  if (next.c_begin != item->c_begin || next.h_begin != item->h_end) return false;
  item->h_end = next.h_end;
  return true;
}

}  // namespace

Item ItemAt(const Plan& plan, int64_t channels, const ItemGrid& grid, int64_t index) {
  const Strategy& s = plan.strategy;
  Item item;
  const int64_t row_block = TakeDigit(grid.row_blocks, &index);
  item.d = TakeDigit(grid.depths, &index);
  const int64_t channel_block = TakeDigit(grid.channel_blocks, &index);
  item.n = index;
  item.c_begin = channel_block * s.channel_block;
  item.c_end = item.c_begin + s.channel_block;
  if (item.c_end > channels) item.c_end = channels;
  item.h_begin = row_block * s.row_block;
  item.h_end = item.h_begin + s.row_block;
  if (item.h_end > plan.axes[1].output) item.h_end = plan.axes[1].output;
  item.w_begin = 0;
  item.w_end = plan.axes[2].output;
  if (AreImagesAlongW(plan)) {
    item.w_begin = row_block * s.row_block;
    if (item.w_begin + s.row_block < item.w_end) item.w_end = item.w_begin + s.row_block;
    item.h_begin = 0;
  }
  return item;
}

bool JoinsItems(const Context& context) {
  const Strategy& strategy = context.plan.strategy;
  if (context.requants_per_channel != 0) return false;
  switch (strategy.loop) {
    case Loop::kColumns:
      return strategy.tile != kThroughScratch;
    case Loop::kPlanes:
    case Loop::kByTwo:
    case Loop::kBySteps:
    case Loop::kRows:
    case Loop::kRuns:
      // A job has kPlaneRows rows at most.
      return !kCompact && strategy.row_block == context.plan.axes[1].output;
    case Loop::kBlocks:
      return context.moved != nullptr && strategy.row_block == context.plan.axes[1].output;
    default:
      return false;
  }
}

Item JoinedItem(const Plan& plan, int64_t channels, const ItemGrid& grid, int64_t end,
                int64_t* index) {
  Item item = ItemAt(plan, channels, grid, *index);
  while (*index + 1 < end && Join(ItemAt(plan, channels, grid, *index + 1), &item)) ++*index;
  // All rows of some channels, and of those beside them.
  if (!kCompact && grid.depths == 1 && item.h_end - item.h_begin == plan.axes[1].output) {
    while (end - *index > grid.row_blocks) {
      const Item next = ItemAt(plan, channels, grid, *index + grid.row_blocks);
      if (next.n != item.n) break;
      item.c_end = next.c_end;
      *index += grid.row_blocks;
    }
  }
  return item;
}

int64_t ImagesBehind(const Item& item, const Plan& plan, int64_t channels, const ItemGrid& grid,
                     int64_t items) {
  const bool all = item.h_end - item.h_begin == plan.axes[1].output &&
                   item.c_end - item.c_begin == channels && grid.depths == 1;
  return all ? (items - 1) / (grid.channel_blocks * grid.row_blocks) : 0;
}

}  // namespace lanepool
