// Items whose results need more than a loop can do by itself: blocks of the item are folded into a
// stage and finished from there.
#include "beside_rules.h"
#include "blocks.h"
#include "element_rules.h"
#include "quantization.h"
#include "runner_context.h"
#include "runner_finish.h"
#include "scratch.h"
#include "types.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

// Blocks of this many channels keep the lanes of a window loop busy, where a row has many outputs.
constexpr int64_t kBlockLanes = 64;

// Whether the stage's lanes are channels; else they are positions along W, times `group` channels.
bool LanesAreChannels(const lanepool_params& p, const Plan& plan) {
  const Strategy& s = plan.strategy;
  return s.loop == Loop::kColumns || (s.loop == Loop::kRuns && !AreRunsSideBySide(p, plan)) ||
         (s.loop == Loop::kBlocks && s.planes == 0) ||
         (s.loop == Loop::kTaps && s.channel_lanes != 0);
}

// Outputs of an item that are staged together.
struct Block {
  int64_t channels, rows, width;
};

// At most `most` lanes together.
Block ChooseBlock(const Plan& plan, bool by_channel, const Item& item, int64_t most) {
  const int64_t channels = item.c_end - item.c_begin;
  const int64_t rows = item.h_end - item.h_begin;
  const int64_t width = item.w_end - item.w_begin;
  if (by_channel) {
    const bool alone = plan.strategy.loop == Loop::kRuns || width == 1;
    const int64_t lanes = alone ? most : kBlockLanes;
    const int64_t block = Min(channels, lanes);
    return {block, 1, Min(width, most / block)};
  }
  const int64_t group = plan.strategy.group;
  if (group > 1) return {channels, 1, Min(width, Max(1, most / group))};
  const int64_t block_width = Min(width, most);
  const int64_t block_rows = Min(rows, most / block_width);
  return {Min(channels, most / (block_width * block_rows)), block_rows, block_width};
}

// Calls run(part) for the parts of an item.
template <class F>
void EachPart(const Item& item, const Block& most, const F& run) {
  Item part = item;
  for (part.c_begin = item.c_begin; part.c_begin < item.c_end; part.c_begin = part.c_end) {
    part.c_end = Min(part.c_begin + most.channels, item.c_end);
    for (part.h_begin = item.h_begin; part.h_begin < item.h_end; part.h_begin = part.h_end) {
      part.h_end = Min(part.h_begin + most.rows, item.h_end);
      for (part.w_begin = item.w_begin; part.w_begin < item.w_end; part.w_begin = part.w_end) {
        part.w_end = Min(part.w_begin + most.width, item.w_end);
        run(part);
      }
    }
  }
}

class Stager {
 public:
  Stager(const StagedCall& call, const Item& item)
      : call_(call),
        plan_(call.context.plan),
        finisher_(call),
        staged_(call.context),
        counts_(call.context),
        counts_nan_(CountsNan(call.context)),
        quotients_(TakesQuotients(call.context.params, plan_)),
        by_channel_(LanesAreChannels(call.context.params, plan_)),
        block_(ChooseBlock(plan_, by_channel_, item, counts_nan_ ? kStageLanes / 2 : kStageLanes)),
        together_(block_),
        scratch_(*StageScratchOf(plan_, call.context.workspace)),
        stage_(scratch_.stage) {
    const Context& context = call.context;
    // Neither the number of taps nor the channel matters.
    const Stage stage = plan_.quantization.stage;
    const Axis<int64_t>* const axes = plan_.axes;
    const bool whole = IsWhole(axes[0]) && IsWhole(axes[1]) && IsWhole(axes[2]);
    const bool any_taps = (stage == Stage::kFloats || stage == Stage::kMaxima) &&
                          !HasEmptyWindow(axes[0]) && !HasEmptyWindow(axes[1]) &&
                          !HasEmptyWindow(axes[2]);
    const int64_t group = plan_.strategy.group;
    alike_ = (any_taps || whole) && !by_channel_ && (group == 1 || !call.table.exists());
    rows_whole_ = !alike_ && FinishesRows(context) && (group == 1 || !call.table.exists()) &&
                  block_.width * group <= kStageLanes / 2;
    const bool per_position = by_channel_ || plan_.strategy.group > 1;
    // Blocks fold many rows at a time.
    if (plan_.strategy.loop == Loop::kBlocks) {
      together_ = {item.c_end - item.c_begin, item.h_end - item.h_begin,
                   Min(item.w_end - item.w_begin, plan_.strategy.tile)};
    }
    strides_[kN] = strides_[kD] = 0;
    strides_[kC] = per_position ? 1 : together_.rows * together_.width;
    strides_[kW] = per_position ? together_.channels : 1;
    strides_[kH] = together_.width * strides_[kW];
    uint64_t* counts = stage_ + kStageLanes / 2;
    if (plan_.strategy.loop == Loop::kBlocks) {
      stage_ = BlockStage(context.params, plan_, context.workspace);
      counts = stage_ + together_.channels * together_.rows * together_.width;
    }
    BeginStage(stage_, &staged_);
    const lanepool_params& p = context.params;
    if (stage == Stage::kMapped) {
      UseMappedKernels(false, &terms_, &staged_);
    } else if (IsShort(p.x_type)) {
      UseByteKernels(kSumShorts, &staged_);
    } else if (IsByte(p.x_type) && IsExtreme(p.op)) {
      staged_.y_size = 1;
    } else if (IsByte(p.x_type)) {
      // Also where the plan has no stage, but a channel of this item no formula.
      UseByteKernels(kSum32, &staged_);
    }
    if (!counts_nan_) return;
    BeginStage(counts, &counts_);
    UseMappedKernels(true, &ones_, &counts_);
  }

  void Run(const Item& item) {
    EachPart(item, together_, [this](const Item& stage) {
      RunLoops(stage);
      EachPart(stage, block_, [this](const Item& part) { FinishPart(part); });
    });
  }

 private:
  // Whether sums leave NaN out and so need the number of the others.
  static bool CountsNan(const Context& context) {
    return context.plan.quantization.stage == Stage::kMapped &&
           context.params.nan_rule == LANEPOOL_NAN_IGNORE;
  }

  // Whether finishers know windows that differ along W. Their products must be exact.
  bool FinishesRows(const Context& context) const {
    const Plan& plan = context.plan;
    const Stage stage = plan.quantization.stage;
    const bool knows = stage == Stage::kMapped || TakesQuotients(context.params, plan) ||
                       (stage == Stage::kSums && IsShort(context.params.y_type));
    return knows && !by_channel_ && !HasEmptyWindow(plan.axes[2]) &&
           KernelTaps(plan) < int64_t{1} << 53;
  }

  void BeginStage(uint64_t* stage, Context* context) {
    context->y = reinterpret_cast<char*>(stage);
    context->y_stride = strides_;
    context->staged = true;
    context->requants = nullptr;
    context->table = nullptr;
    context->y_size = sizeof(uint32_t);
  }

  // Kernels and rules for sums of terms; `count`: of ones. `terms` is filled.
  void UseMappedKernels(bool count, TapRules* terms, Context* context) const {
    const lanepool_params& p = context->params;
    const MappedSum sum = MappedSumOf(p);
    *terms = TapRulesOf(p, count);
    context->rules.taps = terms;
    context->kernels = &KernelsMapped(context->target)[sum];
    context->exact_kernels = nullptr;
    context->lane_size = context->y_size = sum == kF64ToF64 || sum == kF32ToF64 ? 8 : 4;
    context->divides = false;
  }

  void RunLoops(const Item& part) {
    staged_.y_origin =
        part.c_begin * strides_[kC] + part.h_begin * strides_[kH] + part.w_begin * strides_[kW];
    RunLoop(staged_, part);
    if (counts_nan_) {
      counts_.y_origin = staged_.y_origin;
      RunLoop(counts_, part);
    }
  }

  void FinishPart(const Item& part) {
    if (alike_) return FinishAlike(part);
    const Span64 d = ClipWindow(plan_.axes[0], part.d);
    if (rows_whole_) PrepareExtents(part);
    const Axis<int64_t>& h_axis = plan_.axes[1];
    for (int64_t h = part.h_begin, rows = 1; h < part.h_end; h += rows) {
      const bool interior = h >= h_axis.lead && h < h_axis.interior_end;
      rows = rows_whole_ && interior && d.taps > 0 ? Min(h_axis.interior_end, part.h_end) - h : 1;
      const Span64 h_span = ClipWindow(plan_.axes[1], h);
      const WindowSize outer = Product(SizeOf(d), SizeOf(h_span));
      const bool together = by_channel_ || plan_.strategy.group > 1;
      const int64_t step = together ? part.c_end - part.c_begin : 1;
      for (int64_t c = part.c_begin; c < part.c_end; c += step) {
        if (rows_whole_ && outer.taps > 0) {
          Finish(part, {c, step, h, part.w_begin, part.w_end - part.w_begin, rows}, outer);
        } else {
          FinishRow(part, c, step, h, outer);
        }
      }
    }
  }

  // Taps and counted taps along W of the part's lanes.
  void PrepareExtents(const Item& part) {
    if (part.w_begin == extents_begin_ && part.w_end == extents_end_) return;
    extents_begin_ = part.w_begin;
    extents_end_ = part.w_end;
    const int64_t group = plan_.strategy.group;
    const bool fixed = DivisorIsFixed(call_.context.params);
    int64_t lane = 0;
    for (int64_t w = part.w_begin; w < part.w_end; ++w) {
      const WindowSize size = SizeOf(ClipWindow(plan_.axes[2], w));
      for (int64_t g = 0; g < group; ++g, ++lane) {
        const double counted = fixed ? 1.0 : static_cast<double>(size.counted);
        if (quotients_) {
          scratch_.taps.floats[lane] = static_cast<float>(size.taps);
          scratch_.counted.floats[lane] = static_cast<float>(counted);
        } else {
          scratch_.taps.doubles[lane] = static_cast<double>(size.taps);
          scratch_.counted.doubles[lane] = counted;
        }
      }
    }
  }

  // All windows are finished in the same way: rows and planes that follow each other are one.
  void FinishAlike(const Item& part) {
    const int64_t width = part.w_end - part.w_begin;
    const int64_t rows = part.h_end - part.h_begin;
    const int64_t* const strides = call_.context.y_stride;
    const int64_t channels = part.c_end - part.c_begin;
    const int64_t step = plan_.strategy.group > 1 ? channels : 1;
    const bool one = strides[kW] == step &&
                     (rows == 1 || (strides[kH] == width * step && strides_[kH] == width * step));
    const bool planes = one && step == 1 && strides[kC] == rows * width &&
                        strides_[kC] == rows * width && !call_.table.exists();
    const Span64 d = ClipWindow(plan_.axes[0], part.d);
    const Span64 h_span = ClipWindow(plan_.axes[1], part.h_begin);
    const Span64 w_span = ClipWindow(plan_.axes[2], part.w_begin);
    const WindowSize size = Product(Product(SizeOf(d), SizeOf(h_span)), SizeOf(w_span));
    for (int64_t c = part.c_begin; c < part.c_end; c += planes ? channels : step) {
      for (int64_t h = part.h_begin; h < part.h_end; h += one ? rows : 1) {
        const int64_t outputs = (planes ? channels : 1) * (one ? rows : 1) * width;
        Finish(part, {c, step, h, part.w_begin, outputs, 1}, size);
      }
    }
  }

  // Windows of a row that are alike are finished together.
  void FinishRow(const Item& part, int64_t c, int64_t channels, int64_t h,
                 const WindowSize& outer) {
    const Axis<int64_t>& axis = plan_.axes[2];
    for (int64_t w = part.w_begin; w < part.w_end;) {
      const bool interior = w >= axis.lead && w < axis.interior_end;
      const int64_t outputs = interior ? Min(axis.interior_end, part.w_end) - w : 1;
      Finish(part, {c, channels, h, w, outputs, 1}, outer);
      w += outputs;
    }
  }

  // Outputs [w, w + outputs) of `channels` channels in `rows` rows from h on.
  struct Outputs {
    int64_t c, channels, h, w, outputs, rows;
  };

  WindowSize SizeOf(const Span64& span) const { return {span.taps, Counted(call_.context, span)}; }
  static WindowSize Product(const WindowSize& a, const WindowSize& b) {
    return {a.taps * b.taps, a.counted * b.counted};
  }

  void Finish(const Item& part, const Outputs& run, const WindowSize& outer) {
    const Context& context = call_.context;
    const int64_t* const strides = context.y_stride;
    char* const y = context.Y(part.n * strides[kN] + run.c * strides[kC] + part.d * strides[kD] +
                              run.h * strides[kH] + run.w * strides[kW]);
    const bool whole = alike_ || rows_whole_;
    const WindowSize size =
        whole ? outer : Product(outer, SizeOf(ClipWindow(plan_.axes[2], run.w)));
    if (size.taps == 0) {
      for (int64_t i = 0; i < run.channels; ++i) {
        FillEmpty(context, run.c + i, y + i * strides[kC] * context.y_size, run.outputs,
                  strides[kW]);
      }
      return;
    }
    const char* const from =
        staged_.Y(run.c * strides_[kC] + run.h * strides_[kH] + run.w * strides_[kW]);
    // Channels side by side that are alike make one row with their neighbours along W.
    const bool by_channel = by_channel_ || (run.channels > 1 && call_.table.exists());
    const char* const counts = counts_nan_ ? from + (counts_.y - staged_.y) : nullptr;
    StagedLanes lanes = {from,        counts,      y,     run.channels, run.outputs, strides_[kW],
                         strides[kC], strides[kW], run.c, true,         size};
    if (rows_whole_ && quotients_) {
      lanes.taps = scratch_.taps.floats;
      lanes.counted = scratch_.counted.floats;
    } else if (rows_whole_) {
      lanes.extents = {scratch_.taps.doubles, scratch_.counted.doubles};
    }
    if (!by_channel) {
      lanes.lanes = run.channels * run.outputs;
      lanes.rows = run.rows;
      lanes.from_row_step = strides_[kH];
      lanes.y_row_step = strides[kH];
      lanes.y_step = run.channels > 1 ? 1 : strides[kW];
      lanes.lanes_are_channels = false;
    }
    finisher_.Finish(lanes);
  }

  const StagedCall& call_;
  const Plan& plan_;
  Finisher finisher_;
  Context staged_;
  Context counts_;  // of terms that are not NaN, beside the sums
  TapRules terms_, ones_;
  const bool counts_nan_;
  // Rows are finished as a whole, their windows' sizes along W lane by lane.
  bool rows_whole_;
  const bool quotients_;                         // which of them
  int64_t extents_begin_ = 0, extents_end_ = 0;  // which outputs these are of
  const bool by_channel_;                        // whether lanes are channels
  const Block block_;                            // what is finished at a time
  Block together_;                               // and staged
  bool alike_;
  int64_t strides_[kDims];
  StageScratch& scratch_;
  uint64_t* stage_;
};

}  // namespace

void RunStaged(const StagedCall& call, const Item& item) {
  if (call.context.plan.quantization.stage == Stage::kWideSums) {
    RunWideSums(call, item);
  } else {
    Stager(call, item).Run(item);
  }
}

}  // namespace lanepool
