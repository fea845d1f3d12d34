// Loop::kPlanes, kByTwo and kBySteps: small windows, whole planes at a time, no scratch.
#include <stdint.h>

#include "blocks.h"
#include "compiled_in.h"
#include "pick_outputs.h"
#include "plane_divisors.h"
#include "plane_rules.h"
#include "runner_context.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

static_assert(kByTwoLanes <= kSumsOfTile && kTileLanes <= kSumsOfTile, "what tiles of sums have");

// Outputs of a tile of windows that step by 3 or 4 at least, where its row has so many: a vector,
// which else would begin in the tile before. If a NaN gave that vector up, only this tile would be
// repeated.
constexpr int64_t kByStepsLanes = 16;

// Of results from which outputs are picked.
constexpr int64_t kPickedBytes = 4096;

// The longest vector. Longer rows are walked in strips.
constexpr int64_t kStripBytes = 64;
// Strips of fewer rows, of all planes together, take longer to begin than what they would find.
constexpr int64_t kStripRows = 24;
// Rows of all planes together that share a few sets of the first cache at most, see
// AreRowsPagesApart.
constexpr int64_t kRowsPagesApart = 12;
// Of planes, x and y, that stay in the first cache.
constexpr double kNearBytes = 24 << 10;

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

// A single row of windows that lie inside is taken as several shorter ones.
constexpr int64_t kBlock = 64;

bool IsLongRow(const Axis<int64_t>& w, const PlanesJob& job) {
  return job.rows == 1 && job.taps_h == 1 && job.h_first >= 0 && job.h_first < job.h_input &&
         w.interior_end - w.lead >= 2 * kBlock;
}

// Of windows from o on: how many blocks.
int64_t BlocksOfRow(const Axis<int64_t>& w, int64_t o, int64_t end) {
  if (o < w.lead) return 0;
  return Min((Min(w.interior_end, end) - o) / kBlock, kPlaneRows);
}

void FoldRow(const Axis<int64_t>& w, int64_t o, int64_t blocks, int64_t x_size, PlanesJob* job) {
  const int64_t x = job->h_first * job->x_row_step + WindowStart(w, o);
  job->x = static_cast<const char*>(job->x) + x * x_size;
  job->rows = job->h_input = blocks;
  job->h_first = 0;
  job->h_stride = job->h_tap = 1;
  job->x_row_step = kBlock * w.stride;
  job->y_row_step = kBlock;
  job->lanes = kBlock;
  job->w_first = 0;
  // With what the last window steps over, where the row has that: such columns are whole vectors.
  const int64_t behind = w.input - WindowStart(w, o) - (blocks - 1) * kBlock * w.stride;
  job->w_input = Max((kBlock - 1) * w.stride + EffectiveKernel(w), Min(kBlock * w.stride, behind));
}

// Planes that are walked strip by strip, as long rows are, are taken as many at a time as the first
// cache holds, so that a strip finds what the one before it has read.
int64_t PlanesAtOnce(const Context& context, const PlanesJob& job) {
  const Loop loop = context.plan.strategy.loop;
  const bool by_rows =
      loop == Loop::kBySteps || (loop == Loop::kByTwo && (job.taps_w <= 2 || job.group > 1));
  // Sums of bytes are taken by positions, see FlatRows and others.
  const bool sums = IsByte(context.params.x_type) && context.params.op == LANEPOOL_OP_AVERAGE;
  const bool strips = job.lanes * context.y_size > kStripBytes && !by_rows && !sums;
  if (!strips || job.planes == 1) return job.planes;
  // Of views, such products may leave 64 bits.
  const double rows = static_cast<double>(job.h_input) * static_cast<double>(job.taps_d);
  const double bytes = rows * static_cast<double>(job.w_input * context.x_size) +
                       static_cast<double>(job.rows * job.lanes * context.y_size);
  const bool apart = AreRowsPagesApart(job.x_row_step, context.x_size);
  const int64_t least = apart ? Max(1, kRowsPagesApart / job.rows) : kStripRows / job.rows + 1;
  return Min(job.planes, bytes * static_cast<double>(least) < kNearBytes
                             ? static_cast<int64_t>(kNearBytes / bytes)
                             : least);
}

// Whether averages of bytes in long rows, which lie side by side as their outputs do, are a job for
// FlatRows: enough of them have all taps, and not too many are read.
bool AreLongFlatRows(const Axis<int64_t>& w, const PlanesJob& job) {
  const int64_t reach = (job.taps_h - 1) * job.h_tap;
  const int64_t whole = Min(job.rows, job.h_input - reach - job.h_first) - Max(0, -job.h_first);
  return w.output == w.input && w.output <= kFlatLanes && job.x_row_step == w.input &&
         job.y_row_step == w.output && job.h_stride == 1 && job.group == 1 && AreNearTaps(w) &&
         job.taps_h <= kFlatTaps && job.taps_w <= kFlatTaps && whole > 0 &&
         whole * w.output > kTileLanes && job.rows + 1 + reach <= kFlatReach;
}

// Outputs of a tile along W.
int64_t MostOutputs(const Plan& plan, int64_t apart) {
  const Axis<int64_t>& w = plan.axes[2];
  const int64_t group = plan.strategy.group;
  const bool by_one = plan.strategy.loop == Loop::kPlanes;
  int64_t most = by_one ? kTileLanes : kByTwoLanes;
  if (group > 1) most = kByTwoLanes / apart;  // see GroupsTile
  if ((group > 1 || (!kCompact && w.stride > kInterleaved)) && !by_one) {
    const int64_t columns = kPixelColumns / group - EffectiveKernel(w);
    most = Min(most, columns / w.stride + 1);
  }
  return most;
}

void RunTile(const Context& context, PlanesJob* tile) {
  const bool steps = context.plan.strategy.loop != Loop::kPlanes;
  const auto run = steps ? &Kernels::planes_by_two : &Kernels::planes;
  const int64_t at_once = kCompact ? tile->planes : PlanesAtOnce(context, *tile);
  for (int64_t left = tile->planes;; left -= at_once) {
    tile->planes = Min(at_once, left);
    if (!(context.kernels->*run)(*tile)) (context.exact_kernels->*run)(*tile);
    if (kCompact || left <= at_once) return;
    tile->x = static_cast<const char*>(tile->x) + at_once * tile->x_plane_step * context.x_size;
    tile->y = static_cast<char*>(tile->y) + at_once * tile->y_plane_step * context.y_size;
  }
}

// A tile of a job whose outputs are picked from its lanes: some planes at a time, or some rows of
// one. Out of line: other jobs need the stack.
[[gnu::noinline]] void RunPicked(const Context& context, PlanesJob* tile) {
  alignas(8) char results[kPickedBytes];
  // Groups of channels are one plane, but for several images, see MergeImages.
  const int64_t all_planes = kCompact ? 1 : tile->planes, all_rows = tile->rows;
  const int64_t most = kPickedBytes / (tile->lanes * context.y_size);
  const int64_t rows = Min(most, all_rows), planes = kCompact ? 1 : Min(most / rows, all_planes);
  const int64_t x_step = tile->x_plane_step * context.x_size;
  const int64_t y_step = tile->y_plane_step * context.y_size;
  const int64_t first = tile->h_first;
  const float* const counts = tile->h_counts;
  const char* x = static_cast<const char*>(tile->x);
  char* y = static_cast<char*>(tile->y);
  PickJob pick = {results, y, tile->lanes, 0, context.y_stride[kW], tile->y_row_step};
  tile->y_row_step = tile->lanes;
  for (int64_t plane = 0; plane < all_planes; plane += planes) {
    for (int64_t row = 0; row < all_rows; row += rows) {
      const int64_t some = Min(planes, all_planes - plane);
      pick.rows = Min(rows, all_rows - row);
      tile->planes = some;
      tile->rows = pick.rows;
      tile->x = x;
      tile->h_first = first + row * tile->h_stride;
      tile->h_counts = counts + row;
      // NOLINTNEXTLINE(clang-analyzer-core.StackAddressEscape): no tile is used twice
      tile->y = results;
      tile->y_plane_step = pick.rows * tile->lanes;
      RunTile(context, tile);
      for (int64_t i = 0; i < some; ++i) {
        pick.from = results + i * tile->y_plane_step * context.y_size;
        pick.y = y + i * y_step + row * pick.y_row_step * context.y_size;
        PickOutputs(context, pick);
      }
    }
    x += planes * x_step;
    y += planes * y_step;
  }
}

}  // namespace

void RunPlanes(const Context& context, const Item& item) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const Span64 d = ClipWindow(plan.axes[0], item.d);
  const int64_t y = item.n * context.y_stride[kN] + item.c_begin * context.y_stride[kC] +
                    item.d * context.y_stride[kD] + item.h_begin * context.y_stride[kH];
  const int64_t rows = item.h_end - item.h_begin;
  const int64_t group = plan.strategy.group;  // lanes of a position
  const Loop loop = plan.strategy.loop;
  const int64_t apart = loop == Loop::kPlanes ? LanesApart(plan) : group;
  const int64_t planes = PlanesOfItem(plan, item.c_end - item.c_begin);
  if (d.taps == 0) {
    for (int64_t c = 0; c < planes; ++c) {
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t at = c * context.y_stride[kC] + row * context.y_stride[kH];
        FillEmpty(context, item.c_begin, context.Y(y + at + item.w_begin * group),
                  (item.w_end - item.w_begin) * group, 1);
      }
    }
    return;
  }

  Divisors divisors;
  PlanesJob job;  // but for y, lanes and w_first, which are a tile's
  job.x = context.X(item.n * plan.x_stride[kN] + item.c_begin * plan.x_stride[kC] +
                    d.position * plan.x_stride[kD]);
  job.planes = planes;
  job.x_plane_step = plan.x_stride[kC];
  job.y_plane_step = context.y_stride[kC];
  job.taps_d = d.taps;
  job.x_tap_d = plan.axes[0].dilation * plan.x_stride[kD];
  job.x_row_step = plan.x_stride[kH];
  job.h_input = h.input;
  job.taps_h = h.kernel;
  job.w_input = w.input * group;
  job.taps_w = w.kernel;
  job.far = context.far;
  job.by_lines = context.by_lines;
  job.w_tap = w.dilation * group;
  job.w_stride = w.stride;
  job.group = group;
  job.class_count = 0;
  // Sums of bytes do not slide along H.
  const bool sums = IsByte(context.params.x_type) && context.params.op == LANEPOOL_OP_AVERAGE;
  const bool slides = loop == Loop::kPlanes && !sums;
  const Phases sequences = slides ? PhasesOf(h) : Phases{1, 1, 1};
  const int64_t phases = slides ? Min(sequences.phases, rows) : 1;
  job.y_row_step = context.y_stride[kH] * phases;
  // Of more phases than rows each has one.
  job.h_stride = slides ? sequences.stride * h.dilation : h.stride;
  job.h_tap = h.kernel == 1 ? job.h_stride : h.dilation;
  const int64_t usual = MostOutputs(plan, apart);
  const bool in_vectors = loop == Loop::kBySteps && group == 1 && w.stride <= kInterleaved;
  for (int64_t phase = 0; phase < phases; ++phase) {
    const Outputs outputs = {item.h_begin + phase, item.h_end, phases};
    job.rows = phases == 1 ? rows : (rows - phase + phases - 1) / phases;
    job.h_first = WindowStart(h, outputs.begin);
    divisors.BeginRows(context, outputs, d, &job);
    const int64_t most = sums && AreLongFlatRows(w, job) ? w.output : usual;
    const bool fits = kCompact || most >= kBlock;
    const bool alone = loop == Loop::kPlanes && h.kernel == 1;
    const bool long_row = !alone && !sums && group == 1 && fits && IsLongRow(w, job);
    for (int64_t o = item.w_begin; o < item.w_end;) {
      if (in_vectors && o > item.w_begin) o = Min(o, item.w_end - kByStepsLanes);
      // To be changed, which the last one may be itself: it is hundreds of bytes.
      PlanesJob copy;
      const bool last = phase + 1 == phases && item.w_end - o <= most && !long_row;
      if (!last) copy = job;
      PlanesJob& tile = last ? job : copy;
      tile.y = context.Y(y + phase * context.y_stride[kH] + o * group);
      const int64_t blocks = long_row ? BlocksOfRow(w, o, item.w_end) : 0;
      int64_t some = kBlock;  // outputs of a row
      if (blocks > 0) {
        FoldRow(w, o, blocks, context.x_size, &tile);
        if (context.divides) divisors.RepeatRow(blocks);
      } else {
        const int64_t end = long_row && o < w.lead ? Min(w.lead, item.w_end) : item.w_end;
        some = Min(most, end - o);
        tile.lanes = (some - 1) * apart + group;
        tile.w_first = WindowStart(w, o) * group;
      }
      divisors.BeginLanes(context, o, o + some, apart, &tile);
      if (apart > group) {
        RunPicked(context, &tile);
      } else {
        RunTile(context, &tile);
      }
      o += blocks > 0 ? blocks * some : some;
    }
  }
}

}  // namespace lanepool
