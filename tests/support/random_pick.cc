#include "random_pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../oracle/types.h"

namespace support {
namespace {

// Kernel and pads stay 0, strides and dilations 1.
void ClearWindow(lanepool_params* p) {
  p->auto_pad = LANEPOOL_AUTO_PAD_NOTSET;
  for (int i = 0; i < p->rank; ++i) {
    p->kernel[i] = p->pads_begin[i] = p->pads_end[i] = 0;
    p->strides[i] = p->dilations[i] = 1;
  }
}

int64_t Elements(const oracle::Tensor& tensor) {
  int64_t count = 1;
  for (const int64_t size : tensor.sizes) count *= size;
  return count;
}

// Of the largest window along an axis, or a little more.
int64_t TapsOfAxis(const lanepool_params& p, int i) {
  if ((p.flags & LANEPOOL_FLAG_ADAPTIVE) != 0) return p.input[i] / p.output_size[i] + 2;
  if ((p.flags & LANEPOOL_FLAG_GLOBAL) != 0) return p.input[i];
  return std::max<int64_t>(p.kernel[i], 1);
}

// Ends of clamp ranges of floats: what activations have, numbers between those of the type, numbers
// beyond it.
double ClampEnd(Random* random) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto any = static_cast<double>(random->Between(-9000000, 9000000));
  return random->Pick({0.0, 6.0, 1.0, -1.0, any / 65536, any / 65537 / 1000, any, any * 1e35,
                       any * 1e301, infinity, -infinity, -0.0});
}

}  // namespace

void PickSizes(Random* random, lanepool_params* p) {
  if (p->rank == 0) p->rank = random->Pick({1, 2, 2, 2, 3, 3});
  if (p->layout == 0) p->layout = random->Pick({LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC});
  p->batch = random->Pick({1, 1, 1, 2, 3});
  const int64_t most_channels = random->Pick({1, 4, 9, 20, 40, 130});
  p->channels = random->Between(1, most_channels);
  for (int i = 0; i < p->rank; ++i) p->input[i] = random->Between(1, p->rank == 3 ? 7 : 12);
  const int64_t most = random->Pick({8, 18, 35, 70, 70, p->rank == 1 ? 400 : 70});
  p->input[random->Between(0, p->rank - 1)] = random->Between(1, most);
}

void PickWindow(Random* random, lanepool_params* p) {
  const int64_t most_taps = random->Pick({1, 2, 3, 3, 5, 7, 13, 25});
  const bool square = random->Percent(50);
  for (int i = 0; i < p->rank; ++i) {
    const bool repeat = square && i > 0;
    p->kernel[i] = repeat ? p->kernel[0] : random->Between(1, most_taps);
    if (random->Percent(6)) p->kernel[i] = p->input[i];
    p->strides[i] = repeat ? p->strides[0] : random->Pick<int64_t>({1, 1, 1, 2, 2, 3, 4, 9});
    p->dilations[i] = repeat ? p->dilations[0] : random->Pick<int64_t>({1, 1, 1, 1, 2, 3, 7});
  }
}

void PickPads(Random* random, lanepool_params* p) {
  if (random->Percent(30)) {
    p->auto_pad = random->Pick(
        {LANEPOOL_AUTO_PAD_VALID, LANEPOOL_AUTO_PAD_SAME_UPPER, LANEPOOL_AUTO_PAD_SAME_LOWER});
    return;
  }
  const bool any = random->Percent(70);
  for (int i = 0; any && i < p->rank; ++i) {
    const int64_t reach = (p->kernel[i] - 1) * p->dilations[i];
    const int64_t most = random->Percent(10) ? reach + 4 : reach;  // beyond reach: empty windows
    p->pads_begin[i] = random->Percent(40) ? most / 2 : random->Between(0, most);
    p->pads_end[i] = random->Percent(60) ? p->pads_begin[i] : random->Between(0, most);
  }
}

void PickPolicies(Random* random, lanepool_params* p) {
  p->ceil_mode = random->Pick({LANEPOOL_CEIL_OFF, LANEPOOL_CEIL_OFF, LANEPOOL_CEIL_ON,
                               LANEPOOL_CEIL_ON, LANEPOOL_CEIL_KEEP});
  p->valid_ceil = random->Pick({LANEPOOL_VALID_CEIL, LANEPOOL_VALID_FLOOR});
  p->oversize_kernel = random->Pick({LANEPOOL_OVERSIZE_REJECT, LANEPOOL_OVERSIZE_TRUNCATE});
  p->empty_window = random->Pick(
      {LANEPOOL_EMPTY_ZERO, LANEPOOL_EMPTY_ZERO, LANEPOOL_EMPTY_NAN, LANEPOOL_EMPTY_REJECT});
  p->divisor = random->Pick({LANEPOOL_DIVISOR_EXCLUDE_PAD, LANEPOOL_DIVISOR_EXCLUDE_PAD,
                             LANEPOOL_DIVISOR_INCLUDE_PAD, LANEPOOL_DIVISOR_INCLUDE_PAD,
                             LANEPOOL_DIVISOR_FULL_KERNEL, LANEPOOL_DIVISOR_CONSTANT});
  if (p->divisor == LANEPOOL_DIVISOR_CONSTANT) {
    p->divisor_value =
        random->Pick<int64_t>({1, 2, 3, 7, 9, 64, 1000003, (1 << 24) + 1, int64_t{1} << 40});
  }
  if (p->op == LANEPOOL_OP_MAX) {
    p->nan_rule = random->Pick({LANEPOOL_NAN_PROPAGATE, LANEPOOL_NAN_IGNORE});
  }
}

void MakeGlobal(lanepool_params* p) {
  p->flags |= LANEPOOL_FLAG_GLOBAL;
  ClearWindow(p);
}

void MakeAdaptive(Random* random, lanepool_params* p) {
  p->flags |= LANEPOOL_FLAG_ADAPTIVE;
  ClearWindow(p);
  for (int i = 0; i < p->rank; ++i) {
    const int64_t n = p->input[i];
    p->output_size[i] = random->Pick({random->Between(1, n), random->Between(1, n), (n + 1) / 2,
                                      random->Between(1, n + 5), int64_t{1}, n});
  }
}

int32_t PickRounding(Random* random) {
  return random->Pick({LANEPOOL_ROUND_HALF_EVEN, LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT,
                       LANEPOOL_ROUND_HALF_AWAY});
}

void PickClamp(Random* random, lanepool_params* p) {
  p->flags |= LANEPOOL_FLAG_CLAMP;
  if (oracle::IsFloating(p->y_type)) {
    const double one = ClampEnd(random);
    const double two = ClampEnd(random);
    p->clamp_low = std::min(one, two);
    p->clamp_high = std::max(one, two);
    return;
  }
  // Quarters, so that ends lie between integers; one of them is an integer of the type.
  const int64_t low = oracle::LowestInteger(p->y_type);
  const int64_t high = oracle::HighestInteger(p->y_type);
  const auto end = [&] { return static_cast<double>(random->Between(4 * low, 4 * high)) / 4; };
  const double one = end();
  const double two = end();
  const double infinity = std::numeric_limits<double>::infinity();
  p->clamp_low = random->Percent(20) ? -infinity : std::min(std::floor(one), two);
  p->clamp_high = random->Percent(20) ? 1e300 : std::max(std::floor(one), two);
}

bool IsSmall(const lanepool_params& p, const oracle::Shape& shape, const Limits& limits) {
  const int64_t outputs = Elements(oracle::TensorOfY(p, shape));
  if (Elements(oracle::TensorOfX(p)) > limits.elements || outputs > limits.elements) return false;
  int64_t taps = outputs;
  for (int i = 0; i < p.rank; ++i) taps *= TapsOfAxis(p, i);
  return taps <= limits.taps;
}

Data PickData(Random* random) {
  if (random->Percent(30)) return Data::kIntegers;
  return static_cast<Data>(random->Between(0, kDataKinds - 1));
}

}  // namespace support
