#include "runner_block_counts.h"

#include <stdint.h>

#include "blocks.h"
#include "quantization.h"
#include "runner_context.h"
#include "types.h"

namespace lanepool {
namespace {

int64_t CountAlong(const Context& context, int axis, int64_t output) {
  return Counted(context, ClipWindow(context.plan.axes[axis], output));
}

// Of all outputs of the sequence.
void FillCounts(const Context& context, int axis, const Sequence& outputs, int64_t factor,
                float* counts) {
  const Axis<int64_t>& a = context.plan.axes[axis];
  const float interior = a.lead < a.interior_end ? static_cast<float>(factor * a.kernel) : 0.0f;
  for (int64_t i = 0, output = outputs.output; i < outputs.outputs; ++i, output += outputs.step) {
    const bool whole = output >= a.lead && output < a.interior_end;
    counts[i] = whole ? interior : static_cast<float>(factor * CountAlong(context, axis, output));
  }
}

void Fill(float value, int64_t n, float* counts) {
  for (int64_t i = 0; i < n; ++i) counts[i] = value;
}

}  // namespace

void UseMeans(const Context& context, MeansOfBlocks* means, ElementRules* rules) {
  if (!context.divides || !IsByte(context.params.x_type)) return;
  means->rules = MeanRulesOf(context.params, context.plan, &means->outputs);
  rules->mean = &means->rules;
}

float ColumnCount(const Context& context, int64_t output) {
  return DivisorIsFixed(context.params) ? 1.0f : static_cast<float>(CountAlong(context, 2, output));
}

void FillColumnCounts(const Context& context, const Sequence& outputs, float* counts) {
  if (DivisorIsFixed(context.params)) return Fill(1.0f, outputs.outputs, counts);
  FillCounts(context, 2, outputs, 1, counts);
}

void FillLanesOfColumns(const Context& context, int64_t w_begin, int64_t w_end, float* counts) {
  const int64_t group = context.plan.strategy.group, outputs = w_end - w_begin;
  Sequence all = {};
  all.output = w_begin;
  all.step = 1;
  all.outputs = outputs;
  FillColumnCounts(context, all, counts);
  for (int64_t i = outputs * group - 1; group > 1 && i > 0; --i) counts[i] = counts[i / group];
  Fill(1.0f, kCountSlack, counts + outputs * group);
}

void FillRowCounts(const Context& context, const Span64& d, const Sequence& rows, float* counts) {
  if (DivisorIsFixed(context.params)) {
    return Fill(DivisorOf(context, 1).divisor, rows.outputs, counts);
  }
  FillCounts(context, 1, rows, Counted(context, d), counts);
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
