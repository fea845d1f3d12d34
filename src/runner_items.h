// Work items of a call, and which of them go together.
#ifndef LANEPOOL_SRC_RUNNER_ITEMS_H_
#define LANEPOOL_SRC_RUNNER_ITEMS_H_

#include <stdint.h>

#include "plan.h"
#include "runner_context.h"
#include "strategy.h"

namespace lanepool {

// The item at `index`, of a plan with so many channels and such a grid.
Item ItemAt(const Plan& plan, int64_t channels, const ItemGrid& grid, int64_t index);

// Whether items side by side go together: longer streams of x, and fewer jobs. Those of blocks do
// if they are moved.
bool JoinsItems(const Context& context);

// The item at *index with as many of those before `end` as go with it; the last one to *index.
Item JoinedItem(const Plan& plan, int64_t channels, const ItemGrid& grid, int64_t end,
                int64_t* index);

// Images behind an item that is a whole one and the first of `items` items.
int64_t ImagesBehind(const Item& item, const Plan& plan, int64_t channels, const ItemGrid& grid,
                     int64_t items);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_ITEMS_H_
