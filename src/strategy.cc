#include "strategy.h"

#include "beside_rules.h"
#include "block_rules.h"
#include "blocks.h"
#include "compiled_in.h"
#include "kernel_table.h"
#include "pixel_rules.h"
#include "plan_axes.h"
#include "plane_rules.h"
#include "quantization.h"
#include "scratch.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Work items of about this many outputs amortise the bookkeeping of an item.
constexpr int64_t kItemOutputs = 4096;
// The same of items whose outputs have many taps: bytes of those.
constexpr int64_t kRunBytes = 64 * 1024;
// The same of items of single outputs.
constexpr int64_t kLoneTaps = 1 << 17;
// Rows that are taken two at a time come in items of so many at least.
constexpr int64_t kPairedRows = 4;
// Outputs of a tile of rows of pixels at least.
constexpr int64_t kGroupOutputs = 4;
// Positions of a row from which on that pays.
constexpr int64_t kGroupInputs = 2;
// Windows at least this wide can be folded as runs, and averages of bytes that share nothing are.
constexpr int64_t kRunTaps = 8, kLongRun = 32;
// The same of the only window of the only row.
constexpr int64_t kLoneRunTaps = 5;
// Loop::kColumns: four vectors of the widest kind.
constexpr int64_t kBlockChannels = 64;
// Taps along W that Loop::kColumns slides in registers.
constexpr int64_t kSlideTaps = 7;
// Windows of so many taps are read in one go, whatever their order.
constexpr int64_t kFewTaps = 16;
// Windows of so many taps, and of so many bytes in a row, see SumsPixels. Measured.
constexpr int64_t kManyTaps = 128;
constexpr int64_t kManyBytes = 32;
// Beyond de-interleaving loads, outputs are picked from all windows of a row up to this stride.
constexpr int64_t kMostPicked = 64;
// Rows of outputs of an item, times the step, where planes are walked few rows at a time.
constexpr int64_t kFarRows = 8;

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }
int64_t Clamp(int64_t v, int64_t low, int64_t high) { return Max(low, Min(v, high)); }
// a >= 0. A division takes longer than most of a plan.
int64_t CeilDiv(int64_t a, int64_t b) { return a <= b ? a != 0 : a / b + (a % b != 0); }

// Whether the columns of overlapping windows are better folded once, into scratch: there are many
// taps, and too many along W to slide in registers.
bool WideWindows(const Plan& plan) {
  const Axis64& w = plan.axes[2];
  return w.kernel > kSlideTaps && w.stride < w.kernel && w.output > 1 &&
         (plan.axes[0].kernel > 1 || plan.axes[1].kernel > 1) && !HasEmptyWindow(w) &&
         !IsAdaptive(w) &&
         EffectiveKernel(w) <= UsualLanes(plan.strategy.lane_bytes) / kWideLanes / 4 * 3;
}

// Whether windows with channels as lanes are walked in the order of memory: large ones that share
// no taps along W, so that no sums of columns are lost.
bool WalksRows(const Plan& plan) {
  const Axis64& w = plan.axes[2];
  const bool apart = w.output == 1 || IsAdaptive(w) || w.stride >= EffectiveKernel(w);
  return apart && KernelTaps(plan) > kFewTaps;
}

// Whether windows are sums of so many bytes, and share none, that channels are better lanes however
// few they are, see SumsOfPixels there.
bool SumsPixels(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  const bool sums = IsByte(p.x_type) && !IsExtreme(p.op) && plan.quantization.stage == Stage::kSums;
  if (kCompact || !sums || !WalksRows(plan) || w.dilation > 1) return false;
  if (h.output == 1 && w.output == 1) return true;
  const bool apart = !IsAdaptive(h) && !IsAdaptive(w) && h.stride >= EffectiveKernel(h);
  return apart && KernelTaps(plan) >= kManyTaps && w.kernel >= kRunTaps &&
         Min(w.kernel, kManyBytes) * Min(p.channels, kManyBytes) >= kManyBytes;
}

// Whether the loops are to give sums, for which planes have no kernel.
bool StagesSums(const Plan& plan) {
  const Stage stage = plan.quantization.stage;
  return stage == Stage::kSums || stage == Stage::kWideSums || stage == Stage::kMapped;
}

// Bytes of a lane of scratch.
int8_t LaneBytes(const lanepool_params& p) {
  return ElementBytes(p.x_type) == 8 || (p.flags & LANEPOOL_FLAG_ACCUMULATE_F64) != 0 ? 8 : 4;
}

// Whether taps that are taken one after the other have channels as lanes.
bool ChannelLanes(const lanepool_params& p, const Plan& plan) {
  const Axis64& w = plan.axes[2];
  const bool short_rows = w.output < 4 && w.output < p.channels;
  return IsAdaptive(w) || short_rows || (p.channels > 1 && plan.x_stride[kC] == 1);
}

// Rows of two or three positions whose columns are better walked, though that gathers single
// elements: where no loop is fast for short rows. Measured.
bool PrefersH(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  if (w.output > w.input || h.input <= 8 || h.output <= 2 || IsAdaptive(h) || IsAdaptive(w)) {
    return false;
  }
  const bool halves = ElementBytes(p.x_type) == 2;
  // Windows that are longer than a row have been trimmed to it.
  const int64_t taps = w.output == 1 ? Max(w.kernel, h.kernel) : w.kernel;
  if (w.input == 2) return halves || taps > 5;
  return w.input == 3 && taps <= kSlideTaps && taps > (halves ? 4 : 5);
}

// Outputs of a tile of Loop::kRows at most, a stride apart if they are picked, see PicksOutputs.
int64_t TileOutputs(int64_t group, int64_t stride) { return (kTileLanes / group - 1) / stride + 1; }

// Whether pixels of so many channels are folded as groups of lanes: tiles have some outputs.
bool GroupsTile(int64_t channels, const Axis64& w) {
  if (w.stride == 1) return true;
  if (w.input < kGroupInputs) return false;
  return !IsAdaptive(w) && TileOutputs(channels, w.stride) >= Min(w.output, kGroupOutputs);
}

// Chooses the outputs per tile of Loop::kRows; 0: windows too wide for any scratch, each is folded
// by itself. False on overflow.
bool ChooseTile(Plan* plan) {
  Strategy& s = plan->strategy;
  const Axis64& w = plan->axes[2];
  const int64_t effective = EffectiveKernel(w);
  const int64_t usual_lanes = UsualLanes(s.lane_bytes);
  const int64_t usual_positions = usual_lanes / s.group;
  const int64_t at_most = Min(w.output, TileOutputs(s.group, PicksOutputs(*plan) ? w.stride : 1));
  s.scratch_bytes = kUsualBytes;
  if (effective <= usual_positions && !IsAdaptive(w)) {
    s.tile = Min(at_most, (usual_positions - effective) / w.stride + 1);
    // A tile of few outputs is good enough where they lie far apart anyway.
    if (s.tile == at_most || s.tile >= 32 || w.stride >= 64) return true;
  }
  // Wide windows want more. Windows far wider than the input have hardly any tap in it, so they are
  // not worth a scratch row of their own width.
  if (!IsAdaptive(w)) {
    s.tile = Min(at_most, Max(1, usual_lanes / w.stride));
    if (effective / 8 - usual_lanes <= w.input &&
        RowScratch(s.tile, w.stride, effective, s.group, s.lane_bytes, &s.scratch_bytes)) {
      return true;
    }
  }
  s.tile = 0;
  s.scratch_bytes = kUsualBytes;
  const int64_t reach = Min(effective, w.input);
  return reach <= usual_positions ||
         RowScratch(1, 0, reach, s.group, s.lane_bytes, &s.scratch_bytes);
}

// Channels of an item where there are few rows to share out: whole cache lines where possible.
int64_t ChannelBlock(int64_t channels, int64_t most = kBlockChannels) {
  const int64_t blocks = CeilDiv(channels, most);
  return Min(channels, CeilDiv(CeilDiv(channels, blocks), 16) * 16);
}

// Planes of one work item, `most` at most, so that items are as near to a multiple of four as
// planes let them: two or four threads share them evenly.
int64_t EvenBlocks(int64_t planes, int64_t most) {
  const int64_t blocks = CeilDiv(planes, most);
  return blocks <= 1 ? planes : CeilDiv(planes, (blocks + 3) / 4 * 4);
}

void ChooseBlocks(const lanepool_params& p, Plan* plan) {
  Strategy& s = plan->strategy;
  const int64_t rows = plan->axes[1].output;
  const int64_t depths = plan->axes[0].output;
  const int64_t width = plan->axes[2].output;
  const auto [batch, channels] = PlanesOf(p, *plan);
  s.channel_block = channels;
  s.row_block = 1;
  if (s.loop == Loop::kScatter) {
    s.channel_block = plan->y_stride[kC] == 1 ? ChannelBlock(channels) : 1;
    s.row_block = rows;
    return;
  }
  if (s.loop == Loop::kColumns || (s.loop == Loop::kTaps && s.channel_lanes != 0)) {
    const bool few_rows = batch < 16 && depths < 16 && rows < 16 && batch * depths * rows < 16;
    if (few_rows) {
      int64_t most = (ElementBytes(p.x_type) == 1 ? 4 : 1) * kBlockChannels;
      // The only output of a channel does not amortise it.
      if (depths * rows * width == 1) most = Max(most, kLoneTaps / KernelTaps(*plan) / 16 * 16);
      s.channel_block = ChannelBlock(channels, most);
    }
    // width * channels is at most the number of elements of y.
    const int64_t row_outputs = width * s.channel_block;
    const bool pairs = plan->axes[1].kernel == 3;
    s.row_block = Min(rows, Max(kItemOutputs / Max(1, row_outputs), pairs ? kPairedRows : 1));
    if (AreImagesAlongW(*plan)) {
      s.row_block = Clamp(kLoneTaps / KernelTaps(*plan) / p.channels, 1, width);
    }
    return;
  }
  int64_t item = kItemOutputs;
  s.row_block = Max(1, Min(rows, item / width));
  if (s.loop == Loop::kPlanes || s.loop == Loop::kByTwo || s.loop == Loop::kBySteps) {
    // Each item prepares divisors, and each block of rows folds some rows again.
    item = (IsByte(p.x_type) ? 8 : 4) * kItemOutputs;
    // Rows that step far read much, each by itself.
    const int64_t reads = Min(plan->axes[1].stride, plan->axes[1].input) * plan->axes[2].input;
    const int64_t some = Min(item / (width * s.group), 4 * item / (reads * s.group));
    s.row_block = Min(rows, Clamp(some, plan->axes[1].stride > 4 ? 1 : 32, kPlaneRows));
    if (WalksFewRows(p, *plan)) s.row_block = Min(rows, Max(1, kFarRows / plan->axes[1].stride));
    const int64_t few = RowsPagesApart(p, *plan);
    if (s.row_block > few) s.row_block = CeilDiv(rows, CeilDiv(rows, few));
  } else if (s.loop == Loop::kRows && s.row_block == rows) {
    // Rows at the ends of many planes make one batch.
    item = 4 * kItemOutputs;
  }
  if (s.loop == Loop::kRuns) {
    // Each factor divides by itself: together they may leave 64 bits.
    const int64_t taps = kRunBytes / Max(1, ElementBytes(p.x_type));
    const int64_t planes = taps / width / s.row_block / KernelTaps(*plan);
    s.channel_block = Clamp(planes, 1, channels);
    // Channels are what a job of adaptive windows has several of.
    if (IsAdaptive(plan->axes[2])) s.channel_block = ChannelBlock(channels);
  } else if (s.group == 1 || IsOneImage(*plan)) {
    const bool whole_planes = s.row_block == rows && (depths == 1 || s.loop == Loop::kPlanes);
    s.channel_block =
        whole_planes ? EvenBlocks(channels, Clamp(item / width / rows / s.group, 1, channels)) : 1;
  }
}

}  // namespace

bool ChooseStrategy(const lanepool_params& p, Plan* plan) {
  Strategy& s = plan->strategy;
  s = {Loop::kNothing, 1, 0, 0, MovedFolds::kNone, LaneBytes(p), 0, 0, 1, 1, 1, 0, {1, 1}, 0};
  if (p.batch == 0 || p.channels == 0) return true;
  s.channel_lanes = ChannelLanes(p, *plan) ? 1 : 0;
  // The order of taps is promised: axes stay what they are.
  const bool strict =
      (p.flags & LANEPOOL_FLAG_STRICT_ORDER) != 0 && plan->quantization.stage == Stage::kMapped;
  const bool keep_axes = strict || p.index_type != LANEPOOL_TYPE_NONE;
  if (strict || p.op == LANEPOOL_OP_MAX_UNPOOL) {
    s.loop = strict ? Loop::kTaps : Loop::kScatter;
    ChooseBlocks(p, plan);
    return true;
  }
  Quantization& quantization = plan->quantization;
  // Floats are added in the order of the job that leaves them floats.
  const bool per_channel = IsPerChannel(p) && IsByte(p.x_type);
  const bool merges = !kCompact && !keep_axes && !IsPerChannel(p);

  const bool channel_lanes = p.channels > 1 && plan->x_stride[kC] == 1 && plan->y_stride[kC] == 1;
  if (channel_lanes) {
    const Axis64& w = plan->axes[2];
    if (!keep_axes && PrefersColumnAsRow(p, *plan)) SwapAxes(1, 2, plan);
    if (!keep_axes && !KeepsRows(p, *plan)) SlideAlongW(plan);
    if (!keep_axes && SlidesDownColumns(p, *plan)) SwapAxes(1, 2, plan);
    LayRow(p.channels, plan);
    const bool pixels = SumsPixels(p, *plan);
    const bool flat = Contiguous(w.input, plan->x_stride[kW], p.channels) &&
                      Contiguous(w.output, plan->y_stride[kW], p.channels);
    const bool narrow = p.channels * ElementBytes(p.x_type) < NarrowBytes(p, *plan) ||
                        (p.index_type == LANEPOOL_TYPE_NONE && PrefersWholeRows(p, *plan));
    const bool steps = p.index_type == LANEPOOL_TYPE_NONE &&
                       !(IsByte(p.x_type) && StagesSums(*plan)) && PrefersSteps(p, *plan);
    const bool alone = !kCompact && p.channels <= kTileLanes && AreElementsAlone(*plan);
    const bool rows = PrefersRowsOfColumns(p, *plan);
    const bool groups = steps || alone || rows || (narrow && !pixels && GroupsTile(p.channels, w));
    const bool columns = !keep_axes && PrefersColumns(p, *plan);
    if (groups && flat && !per_channel && !columns) {
      s.group = static_cast<int32_t>(p.channels);
      if (ChooseBlockLoop(p, false, plan)) return true;
      s.loop = StagesSums(*plan) ? Loop::kRows : LoopOfRows(p, *plan);
      const bool clamps = (p.flags & LANEPOOL_FLAG_CLAMP) != 0;
      if (merges && quantization.stage == Stage::kNone && !clamps) MergeImages(p, plan);
    } else {
      if (!keep_axes) SlideAlongH(plan);
      if (ChooseBlockLoop(p, true, plan)) return true;
      s.loop = Loop::kColumns;
      if (pixels && !keep_axes && p.channels < kBlockChannels) MergeImagesAlongW(p, plan);
      if (!keep_axes) TakeColumnAsRow(plan);
      if (merges && quantization.stage == Stage::kNone) MergeImagesAlongH(p, plan);
      s.tile = WideWindows(*plan) ? kThroughScratch : WalksRows(*plan) ? kByRows : kByColumns;
      if (s.tile == kThroughScratch) s.scratch_bytes = kUsualBytes;
      // Lanes that differ are requantized from a stage.
      if (per_channel && quantization.stage == Stage::kNone) quantization.stage = Stage::kSums;
    }
  } else {
    const bool lone = plan->axes[2].input == 1 && plan->axes[2].output == 1;
    const bool pairs = PrefersH(p, *plan);
    // Turned planes of all images fill lanes.
    if (pairs && merges) MergeImages(p, plan);
    if (pairs && TurnsPlanes(p, *plan, p.x_type) && ChooseBlockLoop(p, false, plan)) return true;
    if ((lone || pairs || !LanesAlong(*plan, 2)) && !keep_axes) {
      if (pairs || (LanesAlong(*plan, 1) && plan->axes[1].input > 1)) {
        SwapAxes(1, 2, plan);
      } else if (LanesAlong(*plan, 0) && plan->axes[0].input > 1) {
        SwapAxes(0, 2, plan);
      }
    }
    if (!keep_axes) MergeCoveredRows(plan);
    if (!keep_axes) MergeRowsAsTheyAre(plan);
    if (plan->axes[2].input == 1) plan->x_stride[kW] = 1;
    if (plan->axes[2].output == 1) plan->y_stride[kW] = 1;
    if (!pairs) LayRow(1, plan);
    if (merges) MergeImages(p, plan);
    if (ChooseBlockLoop(p, false, plan)) return true;
    const Axis64& w = plan->axes[2];
    const bool apart = w.output == 1 ? w.input >= kRunTaps : w.stride > kInterleaved;
    // Runs of so few short elements are better picked, but long ones of bytes that share nothing.
    const bool sums = IsByte(p.x_type) && p.op == LANEPOOL_OP_AVERAGE;
    const bool long_sums = sums && w.kernel >= kLongRun && w.stride >= w.kernel;
    const bool picks = ElementBytes(p.x_type) <= 2 && PicksOutputs(*plan) && !long_sums;
    const bool beside = AreRunsSideBySide(p, *plan);
    const int64_t lone_run = plan->axes[1].output == 1 ? kLoneRunTaps : kRunTaps;
    const bool runs = Contiguous(w.input, plan->x_stride[kW], 1) && w.dilation == 1 &&
                      (IsAdaptive(w) || beside || (w.kernel >= kRunTaps && apart && !picks) ||
                       (w.kernel >= lone_run && CoveredByOneWindow(w)));
    const bool staged = per_channel || StagesSums(*plan);
    s.loop = runs ? Loop::kRuns : staged ? Loop::kRows : LoopOfRows(p, *plan);
    // Runs of bytes per channel have sums of 32 bits.
    if (runs && sums && per_channel && quantization.stage == Stage::kNone) {
      quantization.stage = Stage::kSums;
    }
  }
  if (s.loop == Loop::kRows && !ChooseTile(plan)) return false;
  ChooseBlocks(p, plan);
  return true;
}

bool PicksOutputs(const Plan& plan) {
  const int64_t stride = plan.axes[2].stride;
  if (plan.strategy.group > 1) return stride > 1;
  return stride > kInterleaved && stride <= kMostPicked &&
         CeilDiv(stride, 2) <= EffectiveKernel(plan.axes[2]);
}

int64_t LanesApart(const Plan& plan) {
  const Axis64& w = plan.axes[2];
  return plan.strategy.group * (PicksOutputs(plan) && w.output > 1 ? w.stride : 1);
}

ItemGrid GridOf(const lanepool_params& p, const Plan& plan) {
  const Strategy& s = plan.strategy;
  const Planes planes = PlanesOf(p, plan);
  if (s.loop == Loop::kNothing) return {0, 0, 0, 0};
  if (s.loop == Loop::kScatter)
    return {planes.batch, CeilDiv(planes.channels, s.channel_block), 1, 1};
  return {planes.batch, CeilDiv(planes.channels, s.channel_block), plan.axes[0].output,
          CeilDiv(plan.axes[AreImagesAlongW(plan) ? 2 : 1].output, s.row_block)};
}

int64_t WorkItems(const lanepool_params& p, const Plan& plan) {
  const ItemGrid grid = GridOf(p, plan);  // at most the number of elements of y
  return grid.batches * grid.channel_blocks * grid.depths * grid.row_blocks;
}

const char* LoopName(Loop loop) {
  switch (loop) {
    case Loop::kNothing:
      return "nothing";
    case Loop::kColumns:
      return "columns";
    case Loop::kRows:
      return "rows";
    case Loop::kPlanes:
      return "planes";
    case Loop::kByTwo:
      return "by two";
    case Loop::kBySteps:
      return "by steps";
    case Loop::kBlocks:
      return "blocks";
    case Loop::kRuns:
      return "runs";
    case Loop::kTaps:
      return "taps";
    case Loop::kScatter:
      return "scatter";
  }
  return "?";
}

}  // namespace lanepool
