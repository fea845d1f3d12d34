// The plan: what a desc holds behind its documented prefix. Plain data, no pointers.
#ifndef LANEPOOL_SRC_PLAN_H_
#define LANEPOOL_SRC_PLAN_H_

#include <stdint.h>

#include "axis.h"
#include "compiled_in.h"
#include "lanepool/lanepool.h"
#include "requant.h"

namespace lanepool {

// Internal dimension order, for every layout and rank: missing spatial axes come first, with
// size 1.
enum Dim { kN, kC, kD, kH, kW, kDims };

enum class Loop : int32_t {
  kNothing,  // batch or channels is 0
  kColumns,  // lanes are channels
  kRows,     // lanes are positions along a row, times `group` channels
  kPlanes,   // the same for small windows that step by 1 along W: whole planes, no scratch rows
  kByTwo,    // the same for windows of up to four taps along W that step by 2
  kBySteps,  // the same for whole windows that step by 3 or 4 and have no more taps, and for others
             // that step by more
  kBlocks,   // windows of many taps, lanes as kColumns or kRows have them
  kRuns,     // a window is one long run of lanes along a row
  kTaps,     // taps one after the other, lanes are channels or positions along W
  kScatter   // MAX_UNPOOL
};

// Strategy::tile of Loop::kColumns: which taps of a window are added first, and from where.
enum ColumnWalk : int64_t {
  kByColumns = 1,       // along D, then H, along W last
  kThroughScratch = 2,  // the same, columns that windows share by way of scratch
  kByRows = 3           // along W, then H, along D last
};

// Strategy::one_image: how all images are walked as one.
enum OneImage : int16_t {
  kImages,          // they are not
  kImagesOfPlanes,  // their planes are one image's, see PlanesOf
  kImagesAlongW,    // they are the outputs along W, and all pixels of an image taps along H
  kImagesAlongH     // they are the rows along H, of which each has one, or one window
};

// Strategy::planes of Loop::kBlocks, if it is no number of channels.
enum BlockWalk : int32_t {
  kChannelLanes = 0,   // lanes are channels
  kTurnedPlanes = -1,  // lanes become channels, those of an item at a time
  kRowSums = -2        // lanes are positions, sums along W come first
};

// Folds for which a CPU may have kernels that move lanes: of bytes, and of rows that are chained.
enum class MovedFolds : int8_t { kNone, kLaidOut, kPixelPairs, kChained };

// How the window is walked. Chosen from op, type and sizes only, never from the CPU: the order of
// float additions belongs to the plan.
struct Strategy {
  Loop loop;
  int32_t group;  // kRows: adjacent channels that form one row with W (1: one channel)
  // Whether lanes are channels where taps are taken one after the other, else positions along W.
  int16_t channel_lanes;
  int8_t lone;             // whether a call is one small job, see RunLone
  MovedFolds moved_folds;  // whether MoveKernels has kernels that are faster than the loop
  int8_t lane_bytes;       // of scratch rows: 8 for lanes of 64 bits, else 4
  int8_t for_rows;         // kBlocks: whether they are in place of kRows, see TurnsRows
  int16_t one_image;       // OneImage
  int64_t channel_block;   // channels of one work item
  int64_t row_block;       // output rows (along H) of one work item
  // kRows, kBlocks: outputs along W that are folded at a time; kColumns: ColumnWalk
  int64_t tile;
  int64_t scratch_bytes;  // of the loop, see scratch.h
  int16_t block[2];       // kBlocks: outputs of a block along H and W
  int32_t planes;         // kBlocks: channels that are folded at a time, or BlockWalk
};

// Where the loops put their results. All but kNone are stages: a block of results in scratch, which
// is finished from there.
enum class Stage : int32_t {
  kNone,      // y
  kSums,      // u32 sums of bytes
  kWideSums,  // u64 sums of bytes, for windows with more taps than u32 holds
  kMaxima,    // maxima of bytes
  kFloats,    // f32 results
  kMapped     // sums of terms, see TapRules, f32 or f64
};

// What distinguishes the requantizations of a tensor's windows. `counted` is 0 where the divisor is
// the same for all windows.
struct WindowKey {
  uint32_t taps, counted;
};

// How results become bytes. Keys beyond the first `requant_count` have no Requant here: per-channel
// quantization has them in the caller's table, and others are made when they are needed.
struct Quantization {
  static constexpr int32_t kMostKeys = 48;

  Stage stage;
  int32_t key_count;  // -1: more than kMostKeys
  int32_t requant_count;
  uint32_t fingerprint;  // of params and keys, where there is a table
  WindowKey keys[kMostKeys];
  Requant requants[kMostRequants];
};

struct Plan {
  Axis<int64_t> axes[3];    // D, H, W
  int64_t x_stride[kDims];  // elements
  int64_t y_stride[kDims];
  int64_t index_stride[kDims];
  Strategy strategy;
  Quantization quantization;
};

// Images and their planes, as the loops count them: of Strategy::one_image, groups of channels are
// planes.
struct Planes {
  int64_t batch, channels;
};
inline bool IsOneImage(const Plan& plan) {
  return !kCompact && plan.strategy.one_image == kImagesOfPlanes;
}
inline bool AreImagesAlongW(const Plan& plan) {
  return !kCompact && plan.strategy.one_image == kImagesAlongW;
}
inline bool AreImagesAlongH(const Plan& plan) {
  return !kCompact && plan.strategy.one_image == kImagesAlongH;
}
inline Planes PlanesOf(const lanepool_params& params, const Plan& plan) {
  if (AreImagesAlongW(plan) || AreImagesAlongH(plan)) return {1, params.channels};
  if (!IsOneImage(plan)) return {params.batch, params.channels};
  return {1, params.batch * (plan.strategy.group > 1 ? 1 : params.channels)};
}

// Planes of an item, a group of channels being one.
inline int64_t PlanesOfItem(const Plan& plan, int64_t channels) {
  return plan.strategy.group == 1 || IsOneImage(plan) ? channels : 1;
}

// Taps of a whole window, of adaptive windows an upper bound. The planner has checked the product.
inline int64_t KernelTaps(const Plan& plan) {
  return plan.axes[0].kernel * plan.axes[1].kernel * plan.axes[2].kernel;
}

}  // namespace lanepool

#endif  // LANEPOOL_SRC_PLAN_H_
