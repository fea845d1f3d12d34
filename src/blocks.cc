#include "blocks.h"

#include "block_rules.h"
#include "compiled_in.h"
#include "kernel_table.h"
#include "level_rules.h"
#include "plan_axes.h"
#include "quantization.h"
#include "scratch.h"
#include "strategy.h"
#include "turn_rules.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// What an item keeps in scratch: a part of a second-level cache where its rows are read one after
// the other, less where they are transposed.
constexpr int64_t kRowBytes = 384 * 1024;
constexpr int64_t kManyBytes = 256 * 1024;
constexpr int64_t kMostBytes = 3072 * 1024;
constexpr int64_t kFewBytes = 192 * 1024;
// Sums along rows that are kept together: planes share what depends on their sizes only.
constexpr int64_t kSumBytes = 64 * 1024;
// Bytes of lanes that are transposed together: four of the widest vectors.
constexpr int64_t kBytesTogether = 8 * kBlockLineBytes;
// Items that leave work for several threads.
constexpr int64_t kSomeItems = 4;
// Outputs of an item that are worth it, at least: of sums along W that come first, and of rows that
// are transposed.
constexpr int64_t kItemSums = 8192;
constexpr int64_t kFourLines = 4 * kBlockLineBytes;
// Rows of an item that are worth more than several items.
constexpr int64_t kRingRows = 8;
// Rows that are walked together where they are not folded together.
constexpr int64_t kLoneRows = 8;
// Elements of x that are worth several items, and such of parts of pixels. Measured.
constexpr int64_t kSomeElements = 32 * 1024, kManyElements = 512 * 1024;
constexpr int64_t kLoneBytes = 16 * 1024;  // not worth an item of their own
// Of a pointer, at most: plans are the same everywhere.
constexpr int64_t kPointerBytes = 8;

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }
int64_t Clamp(int64_t a, int64_t low, int64_t high) { return Max(low, Min(a, high)); }
int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }  // NOLINT: b >= 1
int64_t RoundUp(int64_t a, int64_t b) { return CeilDiv(a, b) * b; }

// Input positions along W that a tile of outputs needs.
int64_t ReachOf(const Plan& plan) {
  const Axis64& w = plan.axes[2];
  return Min(w.input, (plan.strategy.tile - 1) * w.stride + EffectiveKernel(w));
}

// Output rows of an item in one sequence.
int64_t RowsOf(const Plan& plan) { return plan.strategy.row_block / PhasesOf(plan.axes[1]).phases; }

// Outputs along W at a time: whole rows if they are not too long for `positions`; else tiles at
// least as long as what they share with their neighbours.
int64_t TileOf(const Axis64& w, int64_t positions) {
  const int64_t reach = EffectiveKernel(w);
  if (Min(w.input, (w.output - 1) * w.stride + reach) <= positions) return w.output;
  return Min(w.output, Max(positions - reach, reach) / w.stride + 1);
}

// Rows of x that the output rows of an item in one sequence need.
int64_t SummedRows(const Plan& plan) {
  const Axis64& h = plan.axes[1];
  return Min(h.input, (RowsOf(plan) - 1) * PhasesOf(h).stride + h.kernel);
}

// What sums leave out is counted.
bool CountsTerms(const lanepool_params& p, const Plan& plan) {
  return plan.quantization.stage == Stage::kMapped && p.nan_rule == LANEPOOL_NAN_IGNORE;
}

int64_t StageBytes(const lanepool_params& p, const Plan& plan) {
  const Strategy& s = plan.strategy;
  const int64_t outputs = s.channel_block * s.row_block * s.tile;
  return 8 * outputs * (CountsTerms(p, plan) ? 2 : 1);
}

// Items that leave work for several threads, if all images together have so many elements at least:
// less is done in a few microseconds, and by one thread much sooner if it has one item.
int64_t SomeItems(const lanepool_params& p, const Plan& plan, int64_t least) {
  const Planes planes = PlanesOf(p, plan);
  int64_t elements = Min(Min(planes.batch, least) * Min(planes.channels, least), least);
  for (const Axis64& axis : plan.axes) elements = Min(elements * Min(axis.input, least), least);
  return elements < least ? 1 : kSomeItems;
}

// Several blocks of rows for an item, whose scratch has room for so many bytes of each position:
// what they share of x is read once. Only speed: the compact library goes without.
void JoinBlocksOfRows(const lanepool_params& p, int64_t position_bytes, int64_t channel_blocks,
                      Plan* plan) {
  Strategy& s = plan->strategy;
  if (kCompact || s.block[0] == 1) return;
  const int64_t blocks = CeilDiv(plan->axes[1].output, s.row_block);
  const int64_t others = PlanesOf(p, *plan).batch * plan->axes[0].output * channel_blocks;
  const int64_t row_bytes = Min(plan->axes[2].input, kRowBytes) * position_bytes;
  const int64_t fit = kRowBytes / (RowsOf(*plan) * row_bytes);
  const int64_t spare = blocks / CeilDiv(SomeItems(p, *plan, kSomeElements), others);
  // Fewer rows have no ring, see RunRing.
  const int64_t ring = CeilDiv(kRingRows, RowsOf(*plan));
  s.row_block *= Max(1, Min(fit, Max(spare, Min(ring, blocks))));
}

void ChooseChannelLanes(const lanepool_params& p, Plan* plan) {
  Strategy& s = plan->strategy;
  const Axis64& h = plan->axes[1];
  const Axis64& w = plan->axes[2];
  const int64_t line = kBlockLineBytes / s.lane_bytes;
  const int64_t lines = CeilDiv(p.channels, line);
  s.planes = kChannelLanes;
  // Rows of elements that are no lanes yet are converted as they lie: all channels at once.
  const bool converts = h.kernel == 1 && s.lane_bytes != ElementBytes(p.x_type);
  if (converts) {
    const int64_t row = Min(w.input, kLoneBytes) * Min(lines, kLoneBytes) * kBlockLineBytes;
    s.row_block = Clamp(Max(h.output / kSomeItems, kLoneBytes / row), 1, s.row_block);
  }
  // Whole cache lines of channels, as many as scratch has room for; but four vectors, where it has
  // room for a few tiles of them: lines far apart are slow to read.
  const int64_t four = IsExtreme(p.op) ? 4 : 64 / line;
  const int64_t few = Min(w.input, 2 * EffectiveKernel(w)) * RowsOf(*plan) * kBlockLineBytes;
  int64_t at_once = Min(four, lines);
  while (at_once > 1 && few * at_once > kMostBytes) at_once = CeilDiv(at_once, 2);
  // What is left of such groups is slow to read too, unless it is a small part of all.
  const bool parts = lines % at_once == 0 || lines > 4 * at_once;
  JoinBlocksOfRows(p, (parts ? at_once : lines) * kBlockLineBytes,
                   parts ? CeilDiv(lines, at_once) : 1, plan);
  const int64_t rows = RowsOf(*plan);
  s.tile = TileOf(w, kMostBytes / at_once / (rows * kBlockLineBytes));
  const int64_t groups = CeilDiv(lines, at_once);
  const int64_t fit = Max(at_once, kRowBytes / (rows * ReachOf(*plan) * kBlockLineBytes));
  const int64_t images = PlanesOf(p, *plan).batch;
  const int64_t items = images * plan->axes[0].output * CeilDiv(h.output, s.row_block);
  // Parts of pixels take up to three times as long as whole ones.
  const int64_t enough = converts ? 1 : CeilDiv(SomeItems(p, *plan, kManyElements), items);
  const int64_t blocks = Min(groups, Max(CeilDiv(lines, fit), enough));
  s.channel_block = Min(p.channels, CeilDiv(groups, blocks) * at_once * line);
}

// Blocks of rows that are transposed together: rows enough, and whole vectors of them.
int64_t BlocksTogether(const lanepool_params& p, const Plan& plan, int64_t most) {
  const Strategy& s = plan.strategy;
  const int64_t enough = kBytesTogether / s.lane_bytes;
  const int64_t all = CeilDiv(plan.axes[1].output, PhasesOf(plan.axes[1]).phases);
  int64_t best = 1, best_used = 0;
  for (int64_t blocks = 1; blocks <= most; ++blocks) {
    const int64_t rows = Min(RowsOf(plan) * blocks, all);
    const int64_t lanes = PaddedRows(p, plan, rows) * s.group;
    // Sixteenths of the lanes that are of use; thirteen will do.
    const int64_t used = rows * s.group < enough ? 0 : 16 * rows * s.group / lanes;
    if (used >= best_used) {
      best = blocks;
      best_used = used;
    }
    if (used >= 13 || rows >= 2 * enough) break;
  }
  return best;
}

void ChooseTurnedPlanes(const lanepool_params& p, Plan* plan) {
  Strategy& s = plan->strategy;
  const Axis64& h = plan->axes[1];
  const Axis64& w = plan->axes[2];
  const Planes planes = PlanesOf(p, *plan);
  s.planes = kTurnedPlanes;
  const int64_t line = PaddedRows(p, *plan, 1);
  const int64_t positions = h.input * w.input + h.output * w.output;
  const int64_t fit = kManyBytes / (positions * s.lane_bytes) / line;
  const int64_t some = SomeItems(p, *plan, kSomeElements);
  const int64_t spare = CeilDiv(CeilDiv(planes.channels * planes.batch, some), line);
  const int64_t lines = Min(Max(1, Min(fit, spare)), CeilDiv(planes.channels, line));
  s.channel_block = Min(planes.channels, lines * line);
  s.row_block = h.output;
  s.tile = w.output;
}

void ChooseRowSums(const lanepool_params& p, Plan* plan) {
  Strategy& s = plan->strategy;
  const Axis64& h = plan->axes[1];
  const Axis64& w = plan->axes[2];
  s.planes = kRowSums;
  s.tile = TileOf(w, kFewBytes / kSumRows / s.lane_bytes);
  // Blocks of rows until their sums fill as much as is folded together elsewhere.
  const int64_t blocks = CeilDiv(h.output, s.row_block);
  const int64_t fit = kFewBytes / (RowsOf(*plan) * ReachOf(*plan) * s.lane_bytes);
  s.row_block *= Max(1, Min(blocks, fit));
  const int64_t outputs = Min(s.row_block, h.output) * w.output;
  const Planes planes = PlanesOf(p, *plan);
  const int64_t others = planes.batch * plan->axes[0].output * CeilDiv(h.output, s.row_block);
  const int64_t some = SomeItems(p, *plan, kSomeElements);
  const int64_t spare = CeilDiv(planes.channels, CeilDiv(some, others));
  const int64_t enough = Max(spare, CeilDiv(kItemSums, outputs));
  s.channel_block = Min(planes.channels, Max(1, Min(enough, kManyBytes / outputs)));
}

void ChoosePositionLanes(const lanepool_params& p, Plan* plan) {
  if (TakesRowSums(p, *plan)) return ChooseRowSums(p, plan);
  if (TurnsPlanes(p, *plan, p.y_type)) return ChooseTurnedPlanes(p, plan);
  Strategy& s = plan->strategy;
  const Axis64& h = plan->axes[1];
  const Planes of_tensor = PlanesOf(p, *plan);
  const int64_t channels = s.group > 1 ? 1 : of_tensor.channels;
  // Blocks of rows, and planes, until there are rows enough; but leave some items.
  const int64_t blocks = CeilDiv(h.output, s.row_block);
  const int64_t others = of_tensor.batch * plan->axes[0].output;
  const int64_t some = SomeItems(p, *plan, kSomeElements);
  const int64_t spare = Max(1, others * channels * blocks / some);
  // Rows that fill less than four lines are slow, and few outputs are not worth a thread.
  const int64_t filled = Min(blocks, CeilDiv(kFourLines / s.lane_bytes, RowsOf(*plan) * s.group));
  const bool few = filled * s.row_block <= kItemSums / (plan->axes[2].output * s.group);
  const int64_t most = Min(blocks, few ? Max(spare, filled) : spare);
  const int64_t merged = WalksWholeRows(p, *plan) ? 1 : BlocksTogether(p, *plan, most);
  s.row_block *= merged;
  const int64_t rows = Min(RowsOf(*plan), h.output);
  const int64_t enough = CeilDiv(kBytesTogether / s.lane_bytes, rows * s.group);
  int64_t planes = s.row_block >= h.output ? enough : 1;
  // Short rows of four planes are folded side by side.
  if (planes > 1) planes = RoundUp(planes, 4);
  s.planes = static_cast<int32_t>(Min(channels, Max(1, Min(planes, spare / merged))));
  s.channel_block = s.group > 1 ? p.channels : s.planes;
  const int64_t lanes = PaddedRows(p, *plan, rows * s.planes) * s.group;
  s.tile = TileOf(plan->axes[2], kFewBytes / (lanes * s.lane_bytes));  // NOLINT: lanes >= 16
}

}  // namespace

int32_t BlockLaneBytes(const lanepool_params& p, const Plan& plan) {
  const int64_t bytes = ElementBytes(p.x_type);
  if (IsExtreme(p.op) || IsLargestMagnitude(p)) return static_cast<int32_t>(bytes);
  if (DividesMeans(p, plan)) return 2;  // sums along D and H
  return bytes == 8 || (p.flags & LANEPOOL_FLAG_ACCUMULATE_F64) != 0 ? 8 : 4;
}

int64_t PaddedRows(const lanepool_params& p, const Plan& plan, int64_t rows) {
  int64_t bytes = Min(plan.strategy.lane_bytes, ElementBytes(p.y_type));
  // Turned planes go to and fro as elements.
  if (plan.strategy.planes < 0) bytes = Min(bytes, ElementBytes(p.x_type));
  return Max(RoundUp(rows, 16), kBlockLineBytes / bytes);
}

// Rows a power of two apart would share a few sets of the cache.
int64_t FoldPitch(const Strategy& s, int64_t lanes) {
  const int64_t line = kBlockLineBytes / s.lane_bytes;
  return ((CeilDiv(lanes, line) + 1) | 1) * line;
}
int64_t ColumnStep(const Strategy& s, int64_t rows) {
  if (s.group > 1) return rows;
  const int64_t line = kBlockLineBytes / s.lane_bytes;
  return (CeilDiv(rows, line) | 1) * line;
}

int64_t RowSumPitch(int64_t outputs) { return RoundUp(outputs, kBlockLineBytes); }

int64_t PlanesTogether(const Plan& plan) {
  const Strategy& s = plan.strategy;
  const int64_t fit = kSumBytes / (SummedRows(plan) * RowSumPitch(s.tile) * s.lane_bytes);
  return Max(1, Min(s.channel_block, fit));
}

BlockScratch ScratchOf(const lanepool_params& p, const Plan& plan) {
  const Strategy& s = plan.strategy;
  const int64_t rows = RowsOf(plan), reach = ReachOf(plan);
  const bool sums = !kCompact && s.planes == kRowSums;
  BlockScratch scratch = {};
  int64_t lanes = rows;
  if (sums) {
    const int64_t sum_rows = PlanesTogether(plan) * SummedRows(plan);
    scratch.rows = sum_rows * RowSumPitch(s.tile) * s.lane_bytes;
    scratch.columns = kSumRows * SumRowPitch(reach, plan.axes[2].kernel, s.tile) * s.lane_bytes;
    // Counts rise and fall once.
    scratch.kept = Min(rows, 2 * plan.axes[1].kernel) * 4 * kBlockLineBytes;
  } else if (s.planes <= 0) {
    const bool turns = s.planes < 0;
    const int64_t channels = turns ? PaddedRows(p, plan, s.channel_block) : s.channel_block;
    scratch.rows = rows * FoldPitch(s, reach * channels) * s.lane_bytes;
    // Folds of a line, where results are made of those.
    scratch.columns = FoldPitch(s, s.tile * channels) * s.lane_bytes;
    if (turns) {
      scratch.pointers = channels * kPointerBytes;
      const Axis64& h = plan.axes[1];
      const Axis64& w = plan.axes[2];
      scratch.turned_x = h.input * w.input * channels * ElementBytes(p.x_type);
      // Results may be lanes of a stage.
      const int64_t bytes = Max(s.lane_bytes, ElementBytes(p.y_type));
      scratch.turned_y = h.output * w.output * channels * bytes;
    }
  } else if (AddsByLevels(p, plan)) {
    const Axis64& w = plan.axes[2];
    lanes = rows;
    scratch.rows = rows * s.planes * FoldPitch(s, reach * s.group) * s.lane_bytes;
    const LevelSumsScratch sums(w.kernel, w.dilation * s.group, s.tile * s.group);
    scratch.columns = sums.total * s.lane_bytes;
  } else {
    const int64_t all_rows = rows * s.planes;
    lanes = PaddedRows(p, plan, all_rows) * s.group;
    const int64_t folds = all_rows * FoldPitch(s, reach * s.group) * s.lane_bytes;
    // Results may be lanes of a stage.
    const int64_t column = ColumnStep(s, lanes / s.group) * s.group;
    const int64_t results = s.tile * column * Max(s.lane_bytes, ElementBytes(p.y_type));
    scratch.rows = Max(folds, results);
    // Folds, or results that have been made of folds.
    scratch.columns = Max(reach * column * s.lane_bytes, s.tile * column * ElementBytes(p.y_type));
    scratch.pointers = all_rows * kPointerBytes;
    if (GrowsByDoubling(p, plan)) {
      const int64_t row = (s.tile - 1 + EffectiveKernel(plan.axes[2])) * s.group;
      scratch.columns = Max(scratch.columns, row + 2 * kBlockLineBytes);
    }
  }
  // Where x is not lanes yet.
  if (s.block[0] > 1 && !sums) {
    const int64_t stride = PhasesOf(plan.axes[1]).stride;
    scratch.taps = ((s.block[0] - 1) * stride + plan.axes[1].kernel) * 4 * kBlockLineBytes;
  }
  if (!sums) scratch.kept = 4 * Max(s.block[0], s.block[1]) * kBlockLineBytes;
  scratch.w_counts = (s.tile * s.group + kCountSlack) * int64_t{sizeof(float)};
  scratch.lane_counts = (lanes + kCountSlack) * int64_t{sizeof(float)};
  int64_t* const parts[] = {&scratch.rows,     &scratch.columns,  &scratch.taps,
                            &scratch.kept,     &scratch.w_counts, &scratch.lane_counts,
                            &scratch.pointers, &scratch.turned_x, &scratch.turned_y};
  for (int64_t* const part : parts) {
    *part = RoundUp(*part, kBlockLineBytes);
    scratch.total += *part;
  }
  return scratch;
}

uint64_t* BlockStage(const lanepool_params& p, const Plan& plan, void* workspace) {
  return reinterpret_cast<uint64_t*>(LoopScratch(workspace) + ScratchOf(p, plan).total);
}

bool ChooseBlockLoop(const lanepool_params& p, bool channel_lanes, Plan* plan) {
  Strategy& s = plan->strategy;
  if (!AreBlocks(p, *plan, channel_lanes)) {
    if (channel_lanes || !TurnsRows(p, *plan)) return false;
    s.for_rows = 1;
  }
  if (s.group > 1 && HasManyLanes(p, *plan)) {
    channel_lanes = true;
    s.group = 1;
  }
  const Axis64& h = plan->axes[1];
  // Rows of channels are walked several at a time: those of all images, if each is a single one.
  const bool lone = h.input == 1 && h.output == 1;
  const bool merges = !kCompact && !IsPerChannel(p) && p.index_type == LANEPOOL_TYPE_NONE;
  if (merges && channel_lanes && lone) MergeImagesAlongH(p, plan);
  const Phases phases = PhasesOf(h);
  s.loop = Loop::kBlocks;
  Stage& stage = plan->quantization.stage;
  if (DividesMeans(p, *plan)) {
    stage = Stage::kNone;
  } else if (IsByte(p.x_type) && !IsExtreme(p.op) && stage == Stage::kNone) {
    stage = Stage::kSums;
  }
  s.lane_bytes = BlockLaneBytes(p, *plan);
  s.block[0] = BlockOf(h);
  s.block[1] = BlockOf(plan->axes[2]);
  // Blocks of one row are walked several at a time.
  const int64_t rows =
      s.block[0] > 1 ? s.block[0] : Min(CeilDiv(h.output, phases.phases), kLoneRows);
  s.row_block = rows * phases.phases;
  if (channel_lanes) {
    ChooseChannelLanes(p, plan);
  } else {
    ChoosePositionLanes(p, plan);
  }
  s.scratch_bytes = ScratchOf(p, *plan).total;
  if (stage != Stage::kNone) s.scratch_bytes += StageBytes(p, *plan);
  return true;
}

}  // namespace lanepool
