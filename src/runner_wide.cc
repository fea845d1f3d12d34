// Windows with more taps than 32 bits hold sums of.
#include <stdint.h>

#include "runner_context.h"
#include "runner_finish.h"
#include "scratch.h"
#include "types.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

// Parts of a window are summed one after the other.
class WideSummer {
 public:
  WideSummer(const StagedCall& call, const Item& item)
      : context_(call.context),
        item_(item),
        finisher_(call),
        sums_(StageScratchOf(context_.plan, context_.workspace)->stage),
        part_(StageScratchOf(context_.plan, context_.workspace)->wide) {
    const bool shorts = IsShort(context_.params.x_type);
    most_taps_ = shorts ? kMostTapsShorts : kMostTaps32;
    UseByteKernels(shorts ? kSumShorts : kSum32, &context_);
  }

  void Run() {
    for (int64_t h = item_.h_begin; h < item_.h_end; ++h) {
      for (int64_t w = item_.w_begin; w < item_.w_end; ++w) {
        for (int64_t c = item_.c_begin; c < item_.c_end; c += kStageLanes) {
          RunOutputs(c, Min(kStageLanes, item_.c_end - c), h, w);
        }
      }
    }
  }

 private:
  void RunOutputs(int64_t c, int64_t channels, int64_t h, int64_t w) {
    const Plan& plan = context_.plan;
    const Span64 spans[3] = {ClipWindow(plan.axes[0], item_.d), ClipWindow(plan.axes[1], h),
                             ClipWindow(plan.axes[2], w)};
    const int64_t* const strides = context_.y_stride;
    char* const y = context_.Y(item_.n * strides[kN] + c * strides[kC] + item_.d * strides[kD] +
                               h * strides[kH] + w * strides[kW]);
    const WindowSize size = {
        spans[0].taps * spans[1].taps * spans[2].taps,
        Counted(context_, spans[0]) * Counted(context_, spans[1]) * Counted(context_, spans[2])};
    if (size.taps == 0) {
      for (int64_t i = 0; i < channels; ++i) {
        FillEmpty(context_, c + i, y + i * strides[kC] * context_.y_size, 1, 1);
      }
      return;
    }
    for (int64_t i = 0; i < channels; ++i) sums_[i] = 0;
    SumParts(c, channels, spans);
    finisher_.FinishWide({sums_, nullptr, y, channels, 1, channels, strides[kC], 0, c, true, size});
  }

  // As many whole rows at a time as 32 bits allow, or parts of one row.
  void SumParts(int64_t c, int64_t channels, const Span64 (&spans)[3]) {
    const int64_t width = Min(spans[2].taps, most_taps_);
    const int64_t rows = Min(spans[1].taps, most_taps_ / width);
    for (int64_t d = 0; d < spans[0].taps; ++d) {
      for (int64_t h = 0; h < spans[1].taps; h += rows) {
        for (int64_t w = 0; w < spans[2].taps; w += width) {
          const int64_t taps[2] = {Min(rows, spans[1].taps - h), Min(width, spans[2].taps - w)};
          SumPart(c, channels, spans, d, h, w, taps);
        }
      }
    }
  }

  void SumPart(int64_t c, int64_t channels, const Span64 (&spans)[3], int64_t d, int64_t h,
               int64_t w, const int64_t (&taps)[2]) {
    const Plan& plan = context_.plan;
    const int64_t at[3] = {d, h, w};
    int64_t x = item_.n * plan.x_stride[kN] + c * plan.x_stride[kC];
    int64_t tap[3];
    for (int i = 0; i < 3; ++i) {
      tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
      x += spans[i].position * plan.x_stride[kD + i] + at[i] * tap[i];
    }
    if (tap[2] == 1) {
      FoldRunJob job = {};
      job.x = context_.X(x);
      job.y = part_;
      job.outputs = channels;
      job.x_output_step = plan.x_stride[kC];
      job.y_output_step = 1;
      job.rows = job.planes = 1;
      job.length = taps[1];
      job.taps[0] = 1;
      job.taps[1] = taps[0];
      job.x_tap[1] = tap[1];
      job.rules = context_.rules;
      context_.kernels->fold_run(job);
    } else {
      // Lanes are channels where they lie side by side, else there is one.
      const int64_t lanes = plan.x_stride[kC] == 1 ? channels : 1;
      for (int64_t i = 0; i < channels; i += lanes) {
        WindowJob job = {};
        job.x = context_.X(x + i * plan.x_stride[kC]);
        job.y = part_ + i;
        job.lanes = lanes;
        job.outputs = 1;
        job.taps[0] = 1;
        job.taps[1] = taps[0];
        job.taps[2] = taps[1];
        for (int k = 0; k < 3; ++k) job.x_tap[k] = tap[k];
        job.rules = context_.rules;
        context_.kernels->window(job);
      }
    }
    for (int64_t i = 0; i < channels; ++i) sums_[i] += part_[i];
  }

  Context context_;
  const Item& item_;
  Finisher finisher_;
  int64_t most_taps_;
  uint64_t* const sums_;
  uint32_t* const part_;
};

}  // namespace

void RunWideSums(const StagedCall& call, const Item& item) { WideSummer(call, item).Run(); }

}  // namespace lanepool
