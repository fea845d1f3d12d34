#include "plane_divisors.h"

#include <string.h>

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

// How many from `o` on are interior.
int64_t InteriorFrom(const Axis<int64_t>& axis, int64_t o, const Outputs& outputs) {
  if (o < axis.lead || o >= axis.interior_end) return 0;
  return (Min(axis.interior_end, outputs.end) - o + outputs.step - 1) / outputs.step;
}

// Divisor extents of outputs, each of them for `lanes`, times `others`; `others` alone where the
// divisor does not depend on the window.
void FillCounts(const Context& context, const Axis<int64_t>& axis, const Outputs& outputs,
                int64_t lanes, float others, float* counts) {
  const bool fixed = DivisorIsFixed(context.params);
  for (int64_t o = outputs.begin, some = 1; o < outputs.end; o += some * outputs.step) {
    some = InteriorFrom(axis, o, outputs);
    const int64_t count = some > 0 ? axis.kernel : Counted(context, ClipWindow(axis, o));
    const float value = fixed ? others : static_cast<float>(count) * others;
    some = Max(some, 1);
    for (int64_t i = 0; i < some * lanes; ++i) *counts++ = value;
  }
}

}  // namespace

// The interior is class 0. Each output is `lanes` lanes.
void Divisors::FillClasses(const Context& context, int axis_number, int64_t begin, int64_t end,
                           int64_t lanes, Classes* classes, uint8_t* of_outputs) {
  const Axis<int64_t>& axis = context.plan.axes[axis_number];
  if (axis.lead < axis.interior_end) {
    classes->Of(AxisKey(context, axis_number, ClipWindow(axis, axis.lead)));
  }
  for (int64_t o = begin, some = 1; o < end; o += some) {
    some = InteriorFrom(axis, o, {begin, end, 1});
    const uint8_t own =
        some > 0 ? 0 : classes->Of(AxisKey(context, axis_number, ClipWindow(axis, o)));
    some = Max(some, 1);
    for (int64_t i = 0; i < some * lanes; ++i) *of_outputs++ = own;
  }
}

void Divisors::BeginRows(const Context& context, const Outputs& rows, const Span64& d,
                         PlanesJob* job) {
  const Plan& plan = context.plan;
  const int64_t d_count = Counted(context, d);
  job->w_counts = of_.counts.w;
  job->h_counts = of_.counts.h;
  job->w_classes = of_.classes.w;
  job->h_classes = of_.classes.h;
  job->divisor = DivisorOf(context, d_count * plan.axes[1].kernel * plan.axes[2].kernel);
  job->rules = context.rules;
  if (context.requants != nullptr) {
    // Of a maximum the only one, of an average not the right one yet.
    of_.classes.requants[0] = context.requants;
    job->rules.requants = of_.classes.requants;
    if (context.params.op != LANEPOOL_OP_AVERAGE) return;
    d_key_ = AxisKey(context, 0, d);
    FillClasses(context, rows_axis_, rows.begin, rows.end, 1, &h_keys_, of_.classes.h);
  } else if (context.divides) {
    const float others =
        DivisorIsFixed(context.params) ? job->divisor.divisor : static_cast<float>(d_count);
    FillCounts(context, plan.axes[rows_axis_], rows, 1, others, of_.counts.h);
  }
}

void Divisors::RepeatRow(int64_t rows) {
  for (int64_t row = 1; row < rows; ++row) of_.counts.h[row] = of_.counts.h[0];
}

void Divisors::BeginLanes(const Context& context, int64_t begin, int64_t end, int64_t apart,
                          PlanesJob* job) {
  if (context.divides) {
    // What is no output has the divisor of the one before.
    FillCounts(context, context.plan.axes[lanes_axis_], {begin, end, 1}, apart, 1.0f, of_.counts.w);
    float* const behind = of_.counts.w + (end - begin) * apart;
    for (int64_t i = 0; i < kCountSlack; ++i) behind[i] = 1.0f;
    return;
  }
  if (context.requants == nullptr || context.params.op != LANEPOOL_OP_AVERAGE) return;
  Classes w;
  if (end - begin > kSumsOfTile) {
    FillClasses(context, lanes_axis_, begin, begin + kFlatEnds, 1, &w, of_.classes.w);
    FillClasses(context, lanes_axis_, end - kFlatEnds, end, 1, &w, of_.classes.w + kFlatEnds);
  } else {
    FillClasses(context, lanes_axis_, begin, end, apart, &w, of_.classes.w);
    memset(of_.classes.w + (end - begin) * apart, 0, kCountSlack);
  }
  job->class_count = w.count;
  for (int32_t i = 0; i < h_keys_.count; ++i) {
    for (int32_t j = 0; j < w.count; ++j) {
      const WindowKey key = Times(Times(d_key_, h_keys_.keys[i]), w.keys[j]);
      of_.classes.requants[i * w.count + j] = RequantOf(context, 0, key);
    }
  }
}

}  // namespace lanepool
