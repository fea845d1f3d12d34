#include "level_rules.h"

#include <stdint.h>

#include "axis.h"
#include "blocks.h"
#include "compiled_in.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

// All measured: what each output takes at most, and outputs of a row for each of that, at least.
constexpr int64_t kMostAdditions = 7;
constexpr int64_t kRowOfAddition = 16;
// Rows that are few make vectors that are not full, if they are transposed. Outputs of each of them
// for each row, at least.
constexpr int64_t kFewRows = 16;
constexpr int64_t kRowOfFew = 32;
// Planes that are few, and outputs of their rows from which on sliding takes longer.
constexpr int64_t kFewPlanes = 8;
constexpr int64_t kLevelRow = 112;
// Taps from which on it does, along windows of one row, of several, and of pixels of channels.
constexpr int64_t kTapsOfRows = 8;
constexpr int64_t kTapsOfPlanes = 6;
constexpr int64_t kTapsOfPixels = 10;
// Rows from which on it does, of planes of one row and of others.
constexpr int64_t kLoneRows = 8;
constexpr int64_t kManyRows = 64;
// Bytes of a row from which on those above and below it are far.
constexpr double kLongRow = 1600;

// Rows of outputs of an image, where lanes are positions.
int64_t RowsOfPlanes(const lanepool_params& p, const Plan& plan) {
  return plan.axes[1].output * (plan.strategy.group > 1 ? 1 : p.channels);
}

}  // namespace

bool AddsByLevels(const lanepool_params& p, const Plan& plan) {
  const Stage stage = plan.quantization.stage;
  const Axis<int64_t>& w = plan.axes[2];
  if (kCompact || p.op != LANEPOOL_OP_AVERAGE || p.x_type != LANEPOOL_TYPE_FLOAT) return false;
  if (w.stride > 1 || (stage != Stage::kNone && stage != Stage::kFloats)) return false;
  if (BlockLaneBytes(p, plan) != sizeof(float)) return false;
  const int64_t rows = RowsOfPlanes(p, plan);
  if (rows < kFewRows) return kRowOfFew * rows <= w.output;
  // Levels that are made, and terms of a window.
  int64_t additions = 1;
  for (int64_t taps = w.kernel; taps > 1; taps /= 2) additions += 1 + taps % 2;
  return additions <= kMostAdditions && w.output >= kRowOfAddition * (additions + 1);
}

bool PrefersLevels(const lanepool_params& p, const Plan& plan, int64_t taps) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const bool pixels = plan.strategy.group > 1;
  if (taps < (pixels ? kTapsOfPixels : h.kernel > 1 ? kTapsOfPlanes : kTapsOfRows)) return false;
  if (!AddsByLevels(p, plan) || w.kernel == 1) return false;
  if (!pixels && p.channels < kFewPlanes && w.output < kLevelRow) return false;
  return RowsOfPlanes(p, plan) >= (h.output == 1 ? kLoneRows : kManyRows);
}

bool WalksWholeRows(const lanepool_params& p, const Plan& plan) {
  const Axis<int64_t>& w = plan.axes[2];
  const auto bytes = static_cast<double>(ElementBytes(p.x_type));
  if (kCompact || plan.strategy.group > 1) return false;
  if (static_cast<double>(w.input) * bytes < kLongRow) return false;
  const bool grows = IsByte(p.x_type) && IsExtreme(p.op) && w.stride == 1;
  if (!grows && !AddsByLevels(p, plan)) return false;
  double x = bytes, y = bytes;
  for (const Axis<int64_t>& axis : plan.axes) {
    x *= static_cast<double>(axis.input);
    y *= static_cast<double>(axis.output);
  }
  const double planes = static_cast<double>(p.batch) * static_cast<double>(p.channels);
  return (x + y) * planes > static_cast<double>(kCachedBytes);
}

bool StreamsRows(const lanepool_params& p, const Plan& plan) {
  const auto outputs = static_cast<double>(plan.axes[2].output * plan.strategy.group);
  return outputs * sizeof(float) >= kLongRow && AddsByLevels(p, plan);
}

}  // namespace lanepool
