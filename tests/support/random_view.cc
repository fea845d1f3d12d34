#include "random_view.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace support {
namespace {

// The axes from the innermost to the outermost: as in the dense tensor, or shuffled.
std::vector<int> AxisOrder(Random* random, const oracle::Tensor& dense, int axes) {
  std::vector<int> order(static_cast<size_t>(axes));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&dense](int a, int b) {
    return std::make_pair(dense.strides[a], a) < std::make_pair(dense.strides[b], b);
  });
  if (random->Percent(70)) return order;
  for (size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[static_cast<size_t>(random->Between(0, static_cast<int64_t>(i)))]);
  }
  return order;
}

int64_t* StridesOf(ViewOf which, lanepool_params* params) {
  if (which == ViewOf::kX) return params->x_strides;
  return which == ViewOf::kY ? params->y_strides : params->index_strides;
}

}  // namespace

void RandomView(Random* random, const oracle::Tensor& dense, ViewOf which,
                lanepool_params* params) {
  int64_t* const strides = StridesOf(which, params);
  const int axes = 2 + params->rank;
  const int gap_chance = random->Pick({0, 25, 60});
  int64_t span = 1;  // elements from the first to the last of the axes that are placed
  for (const int axis : AxisOrder(random, dense, axes)) {
    const bool repeats = which == ViewOf::kX && random->Percent(4);
    const int64_t gap = random->Percent(gap_chance) ? random->Between(1, 17) : 0;
    strides[axis] = repeats ? 0 : span + gap;
    span += (dense.sizes[axis] - 1) * strides[axis];
  }
}

void RandomViews(Random* random, int x_percent, int y_percent, lanepool_params* params) {
  const oracle::Tensor y = oracle::TensorOfY(*params, oracle::ResolveShape(*params));
  if (random->Percent(x_percent)) {
    RandomView(random, oracle::TensorOfX(*params), ViewOf::kX, params);
  }
  if (random->Percent(y_percent)) RandomView(random, y, ViewOf::kY, params);
}

}  // namespace support
