// Small windows along rows, where lanes move by one instruction: one row at a time, or several.
#include <stdint.h>

#include "chain_rules.h"
#include "dispatch.h"
#include "kernel_moves.h"
#include "move_rules.h"
#include "pack_rules.h"
#include "plan.h"
#include "plane_divisors.h"
#include "runner_context.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a > b ? a : b; }

// Averages of bytes by blocks divide. Kernels that move lanes know formulas.
bool AreMeans(const Context& context) {
  return context.divides && IsByte(context.params.x_type) && context.requants == nullptr;
}
// Whether all their windows have a formula that loops know: means need none.
bool HasFormulas(const Quantization& q) {
  if (q.key_count < 1 || q.requant_count != q.key_count) return false;
  for (int32_t i = 0; i < q.requant_count; ++i) {
    if (q.requants[i].kind == RequantKind::kSteps) return false;
  }
  return true;
}
Context WithFormulas(const Context& means) {
  Context context = means;
  UseByteKernels(kSum16, &context);
  context.pack_bytes = PackBytes(context.target, context.lane_size);
  context.divides = false;
  context.requants = context.plan.quantization.requants;
  return context;
}

// Whether windows are laid out, and their rows are more than half a vector.
bool AreLongLaidOut(const Context& context) {
  return context.plan.axes[2].input > kBlockLineBytes / 2 && LaysOut(context);
}

// Whether windows of pixels are summed by pairs, and sums finished where they are.
bool ArePairs(const Context& context) {
  return context.plan.strategy.moved_folds == MovedFolds::kPixelPairs && context.lane_size == 2 &&
         context.requants != nullptr && context.requants_per_channel == 0;
}

// Whether rows go on in each other, and there is a loop for that. Measured on AMD's Zen 5.
bool ChainsRows(const Context& context) {
  const Plan& plan = context.plan;
  return plan.strategy.moved_folds == MovedFolds::kChained && context.requants == nullptr &&
         context.y_stride[kH] == plan.y_stride[kH] && context.y_stride[kW] == 1 &&
         !context.streams && !IsIntel();
}

// Of a context, what is chosen for `to`.
void ChooseKernel(const Context& context, Context* to) {
  if (ArePairs(context)) {
    to->moved = KernelsMoves(MovesTarget(context.target))->pixel_pairs;
    to->moved_outputs = kByTwoLanes / context.plan.strategy.group;
    to->moved_rows = kPlaneRows;
    if (to->moved != nullptr) return;
  }
  const bool are_bytes = context.lane_size == 1;
  const MoveKernels* const bytes = are_bytes ? KernelsMoves(MovesTarget(context.target)) : nullptr;
  const MovedKernel packed = are_bytes ? bytes->packed : context.kernels->packed;
  const MovedKernel moved = are_bytes ? bytes->maxima : context.kernels->moved;
  if (packed == nullptr) return;
  if (ChainsRows(context)) {
    to->moved_outputs = context.plan.axes[2].output;
    to->moved_rows = ChainedRowsOf(context.plan, context.lane_size);
    to->moved = are_bytes ? bytes->chained : context.kernels->chained;
    if (to->moved != nullptr) return;
  }
  const bool packs = PrefersPacks(context);
  if (!packs && (moved == nullptr || !PrefersMoves(context) || AreLongLaidOut(context))) return;
  const PackedPart part = packs ? PackedPartOf(context) : PackedPart{kTileLanes, kPlaneRows};
  to->moved_outputs = part.outputs;
  to->moved_rows = Min(part.rows, kPlaneRows);
  to->moved = packs ? packed : moved;
}

// Out of line: of the stack, one is enough.
[[gnu::noinline]] bool MoveItem(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const auto [rows_axis, lanes_axis] = MovedAxesOf(context);
  const Axis<int64_t>& h = plan.axes[rows_axis];
  const Axis<int64_t>& w = plan.axes[lanes_axis];
  const bool turned = rows_axis == 2;
  const int64_t group = plan.strategy.group;
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  if (d.taps != 1) return false;  // empty
  const int64_t y_row_step = context.y_stride[kD + rows_axis];
  const int64_t row_begin = turned ? item.w_begin : item.h_begin;
  const int64_t row_end = turned ? item.w_end : item.h_end;
  const int64_t lane_begin = turned ? item.h_begin : item.w_begin;
  const int64_t lane_end = turned ? item.h_end : item.w_end;
  const char* const x = context.X(item.n * plan.x_stride[kN] + item.c_begin * plan.x_stride[kC] +
                                  d.position * plan.x_stride[kD]);
  PlanesJob job;
  job.x = x;
  job.planes = PlanesOfItem(plan, item.c_end - item.c_begin);
  job.x_plane_step = plan.x_stride[kC];
  job.y_plane_step = context.y_stride[kC];
  job.taps_d = 1;
  job.x_tap_d = 0;
  job.x_row_step = plan.x_stride[kD + rows_axis];
  job.y_row_step = y_row_step;
  job.h_input = h.input;
  job.h_stride = h.stride;
  job.taps_h = h.kernel;
  job.h_tap = h.kernel == 1 ? 1 : h.dilation;
  job.w_input = w.input * group;
  job.taps_w = w.kernel;
  job.w_tap = (w.kernel == 1 ? 1 : w.dilation) * group;
  job.w_stride = w.stride;
  job.group = group;
  job.class_count = 0;
  job.across_first = AddsAcrossFirst(context);
  job.far = job.by_lines = false;
  const int64_t y = item.n * context.y_stride[kN] + item.c_begin * context.y_stride[kC] +
                    item.d * context.y_stride[kD];
  Divisors divisors(rows_axis, lanes_axis);
  // As many in each job.
  const int64_t jobs = (row_end - row_begin - 1) / context.moved_rows + 1;
  const int64_t rows = (row_end - row_begin - 1) / jobs + 1;
  for (int64_t row = row_begin; row < row_end; row += rows) {
    job.rows = Min(rows, row_end - row);
    job.h_first = WindowStart(h, row);
    divisors.BeginRows(context, {row, row + job.rows, 1}, d, &job);
    for (int64_t o = lane_begin; o < lane_end; o += context.moved_outputs) {
      const int64_t outputs = Min(context.moved_outputs, lane_end - o);
      job.lanes = outputs * group;
      const int64_t start = WindowStart(w, o);
      job.w_first = start * group;
      if (outputs < w.output) {
        // Only the positions that the windows reach.
        const int64_t begin = Max(0, start);
        const int64_t end = start + (outputs - 1) * w.stride + EffectiveKernel(w);
        job.x = x + begin * group * context.x_size;
        job.w_input = (Min(end, w.input) - begin) * group;
        job.w_first -= begin * group;
      }
      job.y = context.Y(y + row * y_row_step + o * group);
      divisors.BeginLanes(context, o, o + outputs, group, &job);
      if (!context.moved(job)) return false;
    }
  }
  return true;
}

}  // namespace

void ChooseMoves(Context* context) {
  context->pack_bytes = PackBytes(context->target, context->lane_size);
  if (!AreMeans(*context)) return ChooseKernel(*context, context);
  if (KernelsBytes(context->target)[kSum16].packed == nullptr) return;
  if (HasFormulas(context->plan.quantization)) ChooseKernel(WithFormulas(*context), context);
}

bool RunMoves(const Context& context, const Item& item) {
  return AreMeans(context) ? MoveItem(WithFormulas(context), item) : MoveItem(context, item);
}

}  // namespace lanepool
