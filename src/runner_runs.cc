// Loop::kRuns: every window is one long run along W, for several channels in one job.
#include <stdint.h>

#include "beside_rules.h"
#include "compiled_in.h"
#include "dispatch.h"
#include "kernel_moves.h"
#include "runner_context.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

// Where a job of runs begins, and its windows.
struct Runs {
  int64_t channel;  // the first
  int64_t x, y;     // offsets of the first output
  Span64 d, h, w;
};

using FoldRun = bool (*)(const FoldRunJob&);

void RunJob(const Context& context, FoldRun fold, const Runs& runs, FoldRunJob* job) {
  job->y = context.Y(runs.y);
  if (runs.d.taps == 0 || runs.h.taps == 0 || runs.w.taps == 0) {
    FillEmpty(context, runs.channel, static_cast<char*>(job->y),
              job->outputs * job->rows * job->planes, job->y_output_step);
    return;
  }
  const Plan& plan = context.plan;
  job->x = context.X(runs.x + runs.d.position * plan.x_stride[kD] +
                     runs.h.position * plan.x_stride[kH] + runs.w.position);
  job->length = runs.w.taps;
  job->taps[0] = runs.d.taps;
  job->taps[1] = runs.h.taps;
  const int64_t counted =
      Counted(context, runs.d) * Counted(context, runs.h) * Counted(context, runs.w);
  job->divisor = DivisorOf(context, counted);
  const Requant* requant = nullptr;
  if (context.requants != nullptr) {
    const WindowKey dh = Times(AxisKey(context, 0, runs.d), AxisKey(context, 1, runs.h));
    requant = RequantOf(context, runs.channel, Times(dh, AxisKey(context, 2, runs.w)));
  }
  job->rules = RulesOf(context, &requant);
  if (!fold(*job)) context.exact_kernels->fold_run(*job);
}

// `beside`: whether sums lie side by side.
void RunRunsBy(const Context& context, FoldRun fold, bool beside, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h_axis = plan.axes[1];
  const Axis<int64_t>& w_axis = plan.axes[2];
  FoldRunJob job;
  job.far = context.large;
  for (int i = 0; i < 2; ++i) job.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  job.x_row_step = h_axis.stride * plan.x_stride[kH];
  const int64_t* const x_stride = plan.x_stride;
  const int64_t* const y_stride = context.y_stride;
  const int64_t x_item = item.n * x_stride[kN];
  const int64_t y_item = item.n * y_stride[kN] + item.d * y_stride[kD];
  const int64_t channels = item.c_end - item.c_begin;
  // Windows that are alike go together: along W, and in rows that follow each other in y; else
  // those of all channels.
  const int64_t begin = Max(item.w_begin, w_axis.lead);
  const int64_t alike = Min(item.w_end, w_axis.interior_end) - begin;
  const bool sums = context.requants != nullptr && !IsExtreme(context.params.op);
  const bool rows_at_once = (context.kernels->many_rows && !sums) || beside;
  const bool along_w = alike > 1 && rows_at_once && context.requants_per_channel == 0;
  const bool rows_follow = along_w && (h_axis.output == 1 || y_stride[kH] == alike * y_stride[kW]);
  // Planes of windows that are all alike are more rows: those of one row, or that follow each
  // other.
  const int64_t all_rows = h_axis.output;
  const bool whole_planes = rows_follow && item.h_end - item.h_begin == all_rows &&
                            IsWhole(h_axis) && alike == w_axis.output &&
                            y_stride[kC] == all_rows * alike * y_stride[kW];
  if (whole_planes && all_rows == 1) job.x_row_step = x_stride[kC];
  const bool planes_follow = whole_planes && x_stride[kC] == all_rows * job.x_row_step;
  const bool gaps = beside && whole_planes && !planes_follow;  // between planes of x
  job.x_plane_step = x_stride[kC];
  Runs runs;
  runs.d = ClipWindow(plan.axes[0], item.d);
  for (int64_t h = item.h_begin, rows = 1; h < item.h_end; h += rows) {
    runs.h = ClipWindow(h_axis, h);
    rows = 1;
    if (rows_follow && alike == item.w_end - item.w_begin && h >= h_axis.lead) {
      rows = Max(1, Min(h_axis.interior_end, item.h_end) - h);
    }
    for (int64_t w = item.w_begin; w < item.w_end;) {
      runs.w = ClipWindow(w_axis, w);
      const bool together = along_w && w == begin;
      const int64_t planes = together && (planes_follow || gaps) ? channels : 1;
      job.planes = gaps ? planes : 1;
      job.rows = !together ? 1 : gaps ? rows : rows * planes;
      job.outputs = together ? alike : channels;
      job.x_output_step = together ? w_axis.stride : x_stride[kC];
      job.y_output_step = together ? y_stride[kW] : y_stride[kC];
      for (int64_t c = item.c_begin; c < item.c_end; c += together ? planes : channels) {
        runs.channel = c;
        runs.x = x_item + c * x_stride[kC];
        runs.y = y_item + c * y_stride[kC] + h * y_stride[kH] + w * y_stride[kW];
        RunJob(context, fold, runs, &job);
      }
      w += together ? alike : 1;
    }
  }
}

// Null: windows are not laid out.
FoldRun FoldLaidOut(const Context& context) {
  if (context.plan.strategy.moved_folds != MovedFolds::kLaidOut) return nullptr;
  if (context.requants_per_channel != 0) return nullptr;
  const MoveKernels* const kernels = KernelsMoves(MovesTarget(context.target));
  if (IsExtreme(context.params.op)) {
    return context.requants == nullptr ? kernels->laid_out_maxima : nullptr;
  }
  return context.lane_size == 2 ? kernels->laid_out16 : kernels->laid_out32;
}

}  // namespace

void RunRuns(const Context& context, const Item& item) {
  const bool beside = AreRunsSideBySide(context.params, context.plan);
  const FoldRun laid_out = FoldLaidOut(context);
  RunRunsBy(context, laid_out != nullptr ? laid_out : context.kernels->fold_run, beside, item);
}

bool LaysOut(const Context& context) { return FoldLaidOut(context) != nullptr; }

bool RunLaidOut(const Context& context, const Item& item) {
  const FoldRun fold = FoldLaidOut(context);
  if (fold == nullptr) return false;
  RunRunsBy(context, fold, true, item);
  return true;
}

}  // namespace lanepool
