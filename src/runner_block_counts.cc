#include "runner_block_counts.h"

#include <stdint.h>

#include "blocks.h"
#include "quantization.h"
#include "runner_context.h"
#include "types.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

int64_t CountAlong(const Context& context, int axis, int64_t output) {
  return Counted(context, ClipWindow(context.plan.axes[axis], output));
}

// Of all outputs of a sequence, `apart` from one to the next; none of them has no taps. Counts rise
// by a stride each until they are the kernel's, and then fall until the last one.
void FillCounts(const Context& context, int axis, const Sequence& outputs, int64_t factor,
                int64_t apart, float* counts) {
  const Axis<int64_t>& a = context.plan.axes[axis];
  const int64_t last = outputs.outputs - 1;
  if (last < 0) return;
  const bool pads = context.params.divisor == LANEPOOL_DIVISOR_INCLUDE_PAD;
  const int64_t positions =
      pads ? (a.input + a.pad_end - 1 - outputs.residue) / PhasesOf(a).dilation + 1
           : outputs.positions;
  // Sums are exact as far as they are the smaller ones: a kernel has at most 2^24 taps.
  const float most = static_cast<float>(pads ? a.kernel : Min(a.kernel, positions));
  const float rise = pads ? most : static_cast<float>(outputs.first + a.kernel);
  const float fall = static_cast<float>(positions - outputs.first - last * outputs.stride);
  const float stride = static_cast<float>(outputs.stride), times = static_cast<float>(factor);
  const auto step = [&](int64_t i) { return stride * static_cast<float>(static_cast<int32_t>(i)); };
  for (int64_t i = 0; i <= last; ++i) counts[i * apart] = times * most;
  // Those of windows at the ends, which lack taps.
  for (int64_t i = 0; i <= last && rise + step(i) < most; ++i) {
    counts[i * apart] = times * (rise + step(i));
  }
  for (int64_t i = last; i >= 0 && fall + step(last - i) < most; --i) {
    const float left = times * (fall + step(last - i));
    if (left < counts[i * apart]) counts[i * apart] = left;
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
  FillCounts(context, 2, outputs, 1, 1, counts);
}

void FillLanesOfColumns(const Context& context, int64_t w_begin, int64_t w_end, float* counts) {
  const int64_t group = context.plan.strategy.group, outputs = w_end - w_begin;
  if (DivisorIsFixed(context.params)) {
    Fill(1.0f, outputs, counts);
  } else {
    const Axis<int64_t>& w = context.plan.axes[2];
    for (int64_t phase = 0; phase < Min(PhasesOf(w).phases, w.output); ++phase) {
      const Sequence s = SequenceOf(w, phase, 1, w_begin, w_end);
      FillCounts(context, 2, s, 1, s.step, counts + (s.output - w_begin));
    }
  }
  for (int64_t i = outputs * group - 1; group > 1 && i > 0; --i) counts[i] = counts[i / group];
  Fill(1.0f, kCountSlack, counts + outputs * group);
}

void FillRowCounts(const Context& context, const Span64& d, const Sequence& rows, float* counts) {
  if (DivisorIsFixed(context.params)) {
    return Fill(DivisorOf(context, 1).divisor, rows.outputs, counts);
  }
  FillCounts(context, 1, rows, Counted(context, d), 1, counts);
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
