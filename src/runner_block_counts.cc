#include "runner_block_counts.h"

#include <stdint.h>

#include "blocks.h"
#include "quantization.h"
#include "runner_context.h"

namespace lanepool {
namespace {

int64_t CountAlong(const Context& context, int axis, int64_t output) {
  const Axis<int64_t>& a = context.plan.axes[axis];
  const bool interior = output >= a.lead && output < a.interior_end;
  return interior ? a.kernel : Counted(context, ClipWindow(a, output));
}

}  // namespace

float ColumnCount(const Context& context, int64_t output) {
  return DivisorIsFixed(context.params) ? 1.0f : static_cast<float>(CountAlong(context, 2, output));
}

void FillColumnCounts(const Context& context, const Sequence& outputs, float* counts) {
  for (int64_t i = 0; i < outputs.outputs; ++i) {
    counts[i] = ColumnCount(context, outputs.output + i * outputs.step);
  }
}

void FillRowCounts(const Context& context, const Span64& d, const Sequence& rows, float* counts) {
  const bool fixed = DivisorIsFixed(context.params);
  const float divisor = fixed ? DivisorOf(context, 1).divisor : 0.0f;
  const int64_t along_d = Counted(context, d);
  for (int64_t i = 0; i < rows.outputs; ++i) {
    const int64_t row = rows.output + i * rows.step;
    counts[i] = fixed ? divisor : static_cast<float>(along_d * CountAlong(context, 1, row));
  }
}

void FillLaneCounts(const Context& context, const Span64& d, const Sequence& rows, int64_t planes,
                    int64_t padded, float* counts) {
  FillRowCounts(context, d, rows, counts);
  for (int64_t i = rows.outputs; i < planes * rows.outputs; ++i) {
    counts[i] = counts[i - rows.outputs];
  }
  for (int64_t i = planes * rows.outputs; i < padded; ++i) counts[i] = counts[i - 1];
  for (int64_t i = padded; i < padded * context.plan.strategy.group; ++i) {
    counts[i] = counts[i - padded];
  }
}

}  // namespace lanepool
