// Loop::kColumns, and maxima of Loop::kBlocks with channels last, of windows of as many taps along
// H as along W that step by one: jobs of many rows, see RingJob. Where a dilation interleaves
// sequences of windows, one after the other.
#include <stdint.h>

#include "blocks.h"
#include "dispatch.h"
#include "runner_context.h"
#include "strategy.h"

namespace lanepool {
namespace {

// Fewer rows are as fast in pairs.
constexpr int64_t kLeastRows = 5;

// Every `apart`-th output along an axis from `begin` on, `outputs` of them, of which the first
// `lead` and the last `trail` lack taps.
struct Outputs {
  int64_t begin, outputs, apart;
  int64_t lead, trail;

  int64_t last() const { return begin + (outputs - 1) * apart; }
};

// The windows of outputs [begin, end) in so many sequences. False: they do not step by one tap, are
// few, or lack more than RingJob knows.
class RingAxis {
 public:
  bool Set(const Axis<int64_t>& axis, int64_t begin, int64_t end, int64_t least) {
    if (IsAdaptive(axis)) return false;
    const Phases phases = PhasesOf(axis);
    axis_ = &axis;
    begin_ = begin;
    end_ = end;
    apart_ = phases.phases;
    if (phases.stride != 1 || (end - begin) / apart_ < least) return false;
    for (int64_t i = 0; i < apart_; ++i) {
      const Outputs outputs = Sequence(i);
      const int64_t taps = ClipWindow(axis, outputs.begin).taps;
      const int64_t most = axis.kernel > 3 ? 2 : 1;
      if (outputs.lead > most || outputs.trail > most ||
          outputs.lead + outputs.trail > outputs.outputs || taps + outputs.lead != axis.kernel ||
          ClipWindow(axis, outputs.last()).taps + outputs.trail != axis.kernel) {
        return false;
      }
    }
    return true;
  }

  int64_t sequences() const { return apart_; }
  Outputs Sequence(int64_t i) const {
    const int64_t begin = begin_ + i;
    Outputs outputs = {begin, (end_ - 1 - begin) / apart_ + 1, apart_, 0, 0};
    outputs.lead = TapsOutside(-WindowStart(*axis_, begin));
    const int64_t end = WindowStart(*axis_, outputs.last()) + EffectiveKernel(*axis_);
    outputs.trail = TapsOutside(end - axis_->input);
    return outputs;
  }

 private:
  // Of `positions` at an end of a window.
  int64_t TapsOutside(int64_t positions) const {
    return positions <= 0 ? 0 : (positions - 1) / axis_->dilation + 1;
  }

  const Axis<int64_t>* axis_ = nullptr;
  int64_t begin_ = 0, end_ = 0, apart_ = 1;
};

// Whether the order in which a ring folds is that of the plan. Maxima have none.
bool IsOrder(const Context& context) {
  const Plan& plan = context.plan;
  if (plan.strategy.loop == Loop::kColumns) return plan.strategy.tile == kByColumns;
  return context.params.op == LANEPOOL_OP_MAX && context.requants_per_channel == 0 &&
         plan.x_stride[kC] == 1 && context.y_stride[kC] == 1;
}

// From beyond the near caches, where maxima of 2 x 2 halves are no slower than their input is read,
// the ring reads long pixels in pieces.
constexpr int64_t kLongPixel = 256;  // bytes
constexpr double kNearBytes = 1 << 20;

// Whether pairs of rows are faster: the first cache keeps few positions of x and of y that are such
// a distance apart, too few to ask for them ahead. Measured.
bool IsCrowded(const Context& context) {
  constexpr int64_t kCrowdedBytes = 1024, kFewTaps = 3;
  const int64_t taps = context.plan.axes[1].kernel;
  const int64_t apart = context.plan.x_stride[kW] * context.x_size;
  if (taps == 2 && context.x_size == 2) {
    double bytes = static_cast<double>(context.params.batch) * static_cast<double>(apart);
    for (const Axis<int64_t>& axis : context.plan.axes) bytes *= static_cast<double>(axis.input);
    return apart >= kLongPixel && bytes > kNearBytes;
  }
  if (taps > kFewTaps || context.x_size < 4 || apart % kCrowdedBytes != 0) return false;
  // On Zen 4 pairs are faster only where there is a division to wait for as well.
  const bool waits = context.divides && taps == 3 && context.x_size == 4 &&
                     context.plan.axes[1].dilation == 1 && context.plan.axes[2].dilation == 1;
  return IsIntel() || (waits && CoreOfCpu() == Core::kZen4);
}

// How many loads of a band wait for stores just before them which only look as if they were to the
// same place, as the last 12 bits of addresses agree: those of the next vector, or all rows' for a
// while.
struct Meetings {
  int64_t next = 0, soon = 0;  // pairs of rows
};
Meetings MeetingsOf(const Context& context, const RingJob& job) {
  constexpr int64_t kRows = 4, kTapRows = 6, kPlaces = 4096;
  constexpr int64_t kNext = 128, kSoon = 512;  // bytes
  const int64_t x_row = job.x_tap[1] * context.x_size, y_row = job.y_row_step * context.y_size;
  const int64_t column = (job.taps - 1 - job.lead[1]) * job.x_tap[2] * context.x_size;
  // From the newest column of a band to its outputs.
  const int64_t ahead = static_cast<int64_t>(reinterpret_cast<uintptr_t>(job.y) -
                                             reinterpret_cast<uintptr_t>(job.x)) -
                        column + job.lead[0] * y_row;
  Meetings meetings;
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t tap = 0; tap < kTapRows; ++tap) {
      const int64_t at = (ahead + row * y_row - tap * x_row) & (kPlaces - 1);
      if (at > 0 && at < kNext) ++meetings.next;
      if (at < kSoon) ++meetings.soon;
    }
  }
  return meetings;
}

// From how many bytes of a pixel on bands are faster where vectors are of 32 bytes. Measured.
int64_t LeastShortPixel(const Context& context) {
  constexpr int64_t kWideLanes = 80, kHalves = 128, kMaxima = 192, kSumsOfBytes = 64;
  if (context.x_size >= 4) return kWideLanes;
  if (context.lane_size == context.x_size) return kMaxima;
  return context.x_size == 2 ? kHalves : kSumsOfBytes;
}

// Whether bands of rows, see RingJob, are no slower from caches, and from memory faster. Measured.
bool IsForBands(const Context& context, const RingJob& job) {
  if (CoreOfCpu() < Core::kZen4 || job.taps != 3 || job.taps_d != 1) return false;
  const Plan& plan = context.plan;
  if (plan.axes[1].dilation != 1 || plan.axes[2].dilation != 1) return false;
  const int64_t bytes = job.lanes * context.x_size, vector = context.kernels->ring_lanes;
  if (job.lanes < 2 * vector) return false;
  constexpr int64_t kLongVector = 64;  // bytes
  if (vector * context.lane_size < kLongVector) {
    // A strip is a small piece of a pixel: the ring is slow from farther caches, too.
    constexpr int64_t kMostMeetings = 12;
    return bytes >= LeastShortPixel(context) &&
           (context.by_lines || MeetingsOf(context, job).next <= kMostMeetings);
  }
  constexpr int64_t kLeastPixel = 192, kLeastOnZen5 = 257;  // bytes
  constexpr int64_t kMostPixel = 1280, kRowsOfFloats = 14;  // of floats
  if (bytes < (CoreOfCpu() == Core::kZen5 ? kLeastOnZen5 : kLeastPixel)) return false;
  if (context.x_size != 1 && (bytes > kMostPixel || job.rows < kRowsOfFloats)) return false;
  constexpr int64_t kFew = 3, kMany = 12;
  const Meetings meetings = MeetingsOf(context, job);
  return meetings.next < kFew && meetings.soon < kMany;
}

bool RunSequences(const Context& context, const Item& item, const Outputs& h, const Outputs& w) {
  const Plan& plan = context.plan;
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  const Outputs* const of_axes[2] = {&h, &w};
  RingJob job;
  Span64 spans[2][RingJob::kPlaces];
  int64_t places[2][2];  // the first and behind the last
  for (int i = 0; i < 2; ++i) {
    const Outputs& outputs = *of_axes[i];
    job.lead[i] = outputs.lead;
    job.trail[i] = outputs.trail;
    places[i][0] = RingJob::kInner - outputs.lead;
    places[i][1] = RingJob::kInner + outputs.trail + 1;
    for (int64_t place = places[i][0]; place < places[i][1]; ++place) {
      const bool behind = place > RingJob::kInner;
      const int64_t o = behind ? outputs.outputs - (places[i][1] - place) : place - places[i][0];
      spans[i][place] = ClipWindow(plan.axes[i + 1], outputs.begin + o * outputs.apart);
    }
    // Where no window is whole, the kernels ask all the same whether they know its divisor.
    if (context.divides && outputs.lead + outputs.trail == outputs.outputs) {
      Span64& inner = spans[i][RingJob::kInner];
      inner.taps = inner.counted = plan.axes[i + 1].kernel;
    }
  }
  for (int64_t row = places[0][0]; row < places[0][1]; ++row) {
    for (int64_t column = places[1][0]; column < places[1][1]; ++column) {
      const Finishing finishing =
          FinishingOf(context, item.c_begin, d, spans[0][row], spans[1][column]);
      job.endings[row][column] = {finishing.divisor, finishing.requant};
    }
  }
  const Span64& first_h = spans[0][places[0][0]];
  const Span64& first_w = spans[1][places[1][0]];
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
  job.taps = plan.axes[1].kernel;
  job.taps_d = d.taps;
  for (int i = 0; i < 3; ++i) job.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  job.fetches = IsIntel();
  job.by_bands = IsForBands(context, job);
  job.rules = context.rules;
  return context.kernels->ring(job);
}

bool HasRing(const Kernels& kernels, const Plan& plan) {
  const int64_t taps = plan.axes[1].kernel;
  return kernels.ring != nullptr && taps <= 5 && (kernels.ring_taps >> taps & 1) != 0 &&
         plan.axes[2].kernel == taps;
}

}  // namespace

bool HasNarrowRing(const Context& context) {
  const Kernels* const kernels = context.kernels;
  const int64_t lanes = kernels->ring_lanes, channels = context.params.channels;
  if (channels >= lanes || 2 * channels < lanes) return false;
  // Sums of bytes gain in rows of 3x3 taps, see NarrowBytes.
  const Plan& plan = context.plan;
  if (plan.strategy.loop == Loop::kColumns && context.requants != nullptr) {
    const bool three = plan.axes[1].kernel == 3 && plan.axes[2].kernel == 3;
    if (context.lane_size != context.x_size) return three && plan.axes[2].stride <= 2;
  }
  if (!HasRing(*kernels, plan)) return false;
  // Of halves and bytes only maxima gain. Of 3x3 taps rows in pairs are as fast, unless the
  // channels are a whole vector or bytes, and of halves other loops. Measured.
  if (context.lane_size != context.x_size || !IsOrder(context)) return false;
  const bool as_fast = (plan.axes[1].kernel == 3 && context.x_size > 1) || context.x_size == 2;
  if (as_fast && 2 * channels != lanes) return false;
  RingAxis h, w;
  return h.Set(plan.axes[1], 0, plan.axes[1].output, kLeastRows) &&
         w.Set(plan.axes[2], 0, plan.axes[2].output, 2);
}

bool RunRing(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Kernels& kernels = *context.kernels;
  if (!HasRing(kernels, plan) || !IsOrder(context) || context.streams) return false;
  if (item.c_end - item.c_begin < kernels.ring_lanes) return false;
  if (IsCrowded(context)) return false;
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
