// The long rows of random_case.h.
#include <algorithm>

#include "../oracle/types.h"
#include "random_case.h"
#include "random_pick.h"
#include "random_view.h"

namespace support {
namespace {

constexpr Limits kLimits = {120000, 400000};
constexpr int64_t kMostLanes = 900;  // of a row: more than three tiles, see kTileLanes

// Along the last axis; the others are short.
int64_t PickWidth(Random* random, const lanepool_params& p) {
  if (p.layout == LANEPOOL_LAYOUT_NCHW) {
    return random->Pick({random->Between(1, 90), random->Between(60, 600)});
  }
  const int64_t most = kMostLanes / p.channels;
  return random->Between(1, random->Pick({std::max<int64_t>(1, most), most / 3 + 1}));
}

void PickAxis(Random* random, int i, lanepool_params* p) {
  const bool is_last = i == p->rank - 1, is_square = i > 0 && random->Percent(60);
  p->input[i] = is_last ? PickWidth(random, *p) : random->Between(1, i == p->rank - 2 ? 14 : 3);
  p->kernel[i] = is_square ? p->kernel[i - 1] : random->Between(1, is_last ? 17 : 8);
  p->strides[i] =
      is_square ? p->strides[i - 1] : random->Pick<int64_t>({1, 1, 1, random->Between(2, 4)});
  p->dilations[i] = random->Percent(70) ? 1 : random->Between(2, 3);
}

void PickSomePads(Random* random, lanepool_params* p) {
  for (int i = 0; i < p->rank; ++i) {
    const int64_t reach = (p->kernel[i] - 1) * p->dilations[i];
    p->pads_begin[i] = random->Percent(50) ? reach / 2 : random->Between(0, reach);
    p->pads_end[i] = random->Percent(50) ? reach - reach / 2 : random->Between(0, reach);
  }
}

RandomCase MakeDenseRowsCase(Random* random) {
  RandomCase result = {};
  lanepool_params& p = result.params;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = random->Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX, LANEPOOL_OP_MIN});
  p.layout = random->Pick({LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC});
  p.rank = random->Pick({1, 2, 2, 2, 3});
  p.batch = random->Between(1, 2);
  p.channels = p.layout == LANEPOOL_LAYOUT_NCHW
                   ? random->Between(1, 3)
                   : random->Pick({random->Between(1, 12), random->Between(1, 90)});
  for (int i = 0; i < p.rank; ++i) PickAxis(random, i, &p);
  if (random->Percent(70)) PickSomePads(random, &p);
  if (random->Percent(20)) PickPolicies(random, &p);
  result.data = PickData(random);
  p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
  if (random->Percent(40)) {
    Quantize(random, random->Percent(50) ? Arrays::kPerTensor : Arrays::kAny, &result);
  } else {
    p.x_type = p.y_type =
        random->Pick({LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16,
                      LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_INT16});
    if (p.op == LANEPOOL_OP_MAX && random->Percent(20)) {
      p.index_type = random->Pick({LANEPOOL_TYPE_INT32, LANEPOOL_TYPE_INT64});
    } else if (oracle::IsFloating(p.x_type) && random->Percent(20)) {
      p.op = random->Pick({LANEPOOL_OP_SUM, LANEPOOL_OP_LP});
    }
  }
  return result;
}

}  // namespace

RandomCase MakeRowsCase(Random* random) {
  for (;;) {
    RandomCase result = MakeDenseRowsCase(random);
    const oracle::Shape shape = oracle::ResolveShape(result.params);
    if (shape.status != LANEPOOL_OK || !IsSmall(result.params, shape, kLimits)) continue;
    RandomViews(random, 30, 40, &result.params);
    return result;
  }
}

}  // namespace support
