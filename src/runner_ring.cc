// Loop::kColumns, windows of 3 x 3 taps that overlap by two: jobs of many rows, see RingJob. Where
// a dilation interleaves sequences of windows, one after the other.
#include <stdint.h>

#include "blocks.h"
#include "runner_context.h"
#include "strategy.h"

namespace lanepool {
namespace {

// Fewer rows are as fast in pairs.
constexpr int64_t kLeastRows = 5;

// Every `apart`-th output along an axis from `begin` on, `outputs` of them.
struct Outputs {
  int64_t begin, outputs, apart;
  bool lacks_first, lacks_last;  // see RingJob

  int64_t last() const { return begin + (outputs - 1) * apart; }
};

// The windows of outputs [begin, end) in so many sequences. False: they do not step by one tap, are
// few, or lack more than RingJob knows.
class RingAxis {
 public:
  bool Set(const Axis<int64_t>& axis, int64_t begin, int64_t end, int64_t least) {
    if (axis.kernel != 3 || IsAdaptive(axis)) return false;
    const Phases phases = PhasesOf(axis);
    axis_ = &axis;
    begin_ = begin;
    end_ = end;
    apart_ = phases.phases;
    if (phases.stride != 1 || (end - begin) / apart_ < least) return false;
    for (int64_t i = 0; i < apart_; ++i) {
      const Outputs outputs = Sequence(i);
      const Span64 first = ClipWindow(axis, outputs.begin), last = ClipWindow(axis, outputs.last());
      if (first.taps < 2 || last.taps < 2) return false;
    }
    return true;
  }

  int64_t sequences() const { return apart_; }
  Outputs Sequence(int64_t i) const {
    const int64_t begin = begin_ + i;
    Outputs outputs = {begin, (end_ - 1 - begin) / apart_ + 1, apart_, false, false};
    outputs.lacks_first = WindowStart(*axis_, begin) < 0;
    outputs.lacks_last = WindowStart(*axis_, outputs.last()) + 2 * axis_->dilation >= axis_->input;
    return outputs;
  }

 private:
  const Axis<int64_t>* axis_ = nullptr;
  int64_t begin_ = 0, end_ = 0, apart_ = 1;
};

bool RunSequences(const Context& context, const Item& item, const Outputs& h, const Outputs& w) {
  const Plan& plan = context.plan;
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  const Outputs* const of_axes[2] = {&h, &w};
  RingJob job;
  Span64 spans[2][RingJob::kPlaces];
  for (int i = 0; i < 2; ++i) {
    const Axis<int64_t>& axis = plan.axes[i + 1];
    const Outputs& outputs = *of_axes[i];
    job.lacks_first[i] = outputs.lacks_first;
    job.lacks_last[i] = outputs.lacks_last;
    spans[i][RingJob::kFirst] = ClipWindow(axis, outputs.begin);
    spans[i][RingJob::kLast] = ClipWindow(axis, outputs.last());
    const int64_t inner = outputs.begin + (outputs.lacks_first ? outputs.apart : 0);
    spans[i][RingJob::kInner] = ClipWindow(axis, inner);
  }
  for (int row = 0; row < RingJob::kPlaces; ++row) {
    for (int column = 0; column < RingJob::kPlaces; ++column) {
      const Finishing finishing =
          FinishingOf(context, item.c_begin, d, spans[0][row], spans[1][column]);
      job.endings[row][column] = {finishing.divisor, finishing.requant};
    }
  }
  const Span64& first_h = spans[0][RingJob::kFirst];
  const Span64& first_w = spans[1][RingJob::kFirst];
  job.x = context.X(item.n * plan.x_stride[kN] + item.c_begin + d.position * plan.x_stride[kD] +
                    first_h.position * plan.x_stride[kH] + first_w.position * plan.x_stride[kW]);
  job.y = context.Y(item.n * context.y_stride[kN] + item.c_begin * context.y_stride[kC] +
                    item.d * context.y_stride[kD] + h.begin * context.y_stride[kH] +
                    w.begin * context.y_stride[kW]);
  job.lanes = item.c_end - item.c_begin;
  job.rows = h.outputs;
  job.outputs = w.outputs;
  job.y_row_step = h.apart * context.y_stride[kH];
  job.y_output_step = w.apart * context.y_stride[kW];
  job.taps_d = d.taps;
  for (int i = 0; i < 3; ++i) job.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  job.rules = context.rules;
  return context.kernels->ring(job);
}

}  // namespace

bool RunRing(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Kernels& kernels = *context.kernels;
  if (kernels.ring == nullptr || plan.strategy.tile != kByColumns || context.streams) return false;
  if (item.c_end - item.c_begin < kernels.ring_lanes) return false;
  RingAxis h, w;
  if (!h.Set(plan.axes[1], item.h_begin, item.h_end, kLeastRows)) return false;
  if (!w.Set(plan.axes[2], item.w_begin, item.w_end, 2)) return false;
  if (ClipWindow(plan.axes[0], item.d).taps == 0) return false;
  for (int64_t i = 0; i < h.sequences(); ++i) {
    for (int64_t j = 0; j < w.sequences(); ++j) {
      if (!RunSequences(context, item, h.Sequence(i), w.Sequence(j))) return false;
    }
  }
  return true;
}

}  // namespace lanepool
