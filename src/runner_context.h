// What the runners of all loops share: the call, one work item of it, divisors, requantizations and
// empty windows.
#ifndef LANEPOOL_SRC_RUNNER_CONTEXT_H_
#define LANEPOOL_SRC_RUNNER_CONTEXT_H_

#include <stdint.h>
#include <string.h>

#include "channel_table.h"
#include "desc.h"
#include "kernel_table.h"
#include "plan.h"
#include "runner.h"

namespace lanepool {

using Span64 = Span<int64_t>;
using MovedKernel = bool (*)(const PlanesJob&);
struct BlockScratch;

// One element of y, or of a stage.
struct Element {
  alignas(8) unsigned char bytes[8];
};

// Where a loop reads and writes. Strides of y and lengths in elements.
struct Context {
  // Not an aggregate: those are cleared before they are filled.
  Context(const lanepool_params& of_params, const Plan& of_plan)
      : params(of_params), plan(of_plan) {}

  const lanepool_params& params;
  const Plan& plan;
  int64_t target = 0;
  const char* x = nullptr;
  char* y = nullptr;
  int64_t y_origin = 0;  // the offset that y stands for: 0, but in a stage
  const int64_t* y_stride = nullptr;
  void* workspace = nullptr;
  const BlockScratch* blocks = nullptr;  // of Loop::kBlocks: how the workspace is divided
  // Bytes of an element of x, of y, of a scratch row.
  int64_t x_size = 0, y_size = 0, lane_size = 0;
  int64_t pack_bytes = 0;                  // see PackBytes; set by ChooseMoves
  const Kernels* kernels = nullptr;        // tried first
  const Kernels* exact_kernels = nullptr;  // when those give up; null where they never do
  MovedKernel moved = nullptr;             // tried before those
  int64_t moved_outputs = 0;               // of a row, at a time
  int64_t moved_rows = 0;                  // at a time, at most
  bool staged = false;                     // y is a stage: windows without taps give zero
  bool divides = false;                    // averages of floats: jobs need a Divisor
  bool far = false;                        // see PlanesJob::far
  bool large = false;                      // whether x and y leave a cache of 2 MiB, near enough
  bool by_lines = false;                   // see WindowJob::by_lines
  bool streams = false;                    // see WindowJob and LevelSumsJob
  ElementRules rules = {};                 // without requants
  // Of averages: by channel, requants_per_channel apart, and key. Null: nothing to requantize.
  const Requant* requants = nullptr;
  int64_t requants_per_channel = 0;
  const ChannelTable* table = nullptr;  // where channels have zero points of their own

  const char* X(int64_t offset) const { return x + offset * x_size; }
  char* Y(int64_t offset) const { return y + (offset - y_origin) * y_size; }
};

// Channels [c_begin, c_end) of outputs [w_begin, w_end) in rows [h_begin, h_end) at depth d of
// batch entry n.
struct Item {
  int64_t n, c_begin, c_end, d, h_begin, h_end, w_begin, w_end;
};

// Taps that count in the divisor of an average, along one axis.
inline int64_t Counted(const Context& context, const Span64& span) {
  return context.params.divisor == LANEPOOL_DIVISOR_INCLUDE_PAD ? span.counted : span.taps;
}

// Inline: to return it takes longer than to make it.
inline Divisor MakeDivisor(int64_t divisor) {
  Divisor result;
  result.divisor = static_cast<float>(divisor);
  result.reciprocal = 1.0f / result.divisor;
  // From divisor * 2^-100 on, the quotient is normal and so are all bits of its remainder.
  const float least = result.divisor * 0x1p-100f;
  uint32_t bits;
  memcpy(&bits, &least, sizeof(bits));
  result.rare_below = bits << 1;
  return result;
}
// The divisor of a window with `count` counted taps.
Divisor DivisorOf(const Context& context, int64_t count);

// Of windows along one axis, and of the product of such.
inline WindowKey AxisKey(const Context& context, int axis, const Span64& span) {
  return KeyOf(context.params, context.plan.axes[axis].kernel, span.taps, span.counted);
}
inline WindowKey Times(const WindowKey& a, const WindowKey& b) {
  return {a.taps * b.taps, a.counted * b.counted};
}

// The requantization of windows of this key; null where the context has none.
const Requant* RequantOf(const Context& context, int64_t channel, const WindowKey& key);

// How many rows a job of windows can have, see WindowJob::rows; `h` is their axis.
inline int64_t MostRows(const Kernels& kernels, const WindowJob& job, const Axis<int64_t>& h) {
  if (kernels.two_rows && IsThreeByThree(job) && h.stride == h.dilation) return 2;
  return kernels.many_rows ? h.output : 1;
}

// What makes results of the folds of windows with these taps.
struct Finishing {
  Divisor divisor;
  const Requant* requant;  // null: nothing
};
inline Finishing FinishingOf(const Context& context, int64_t channel, const Span64& d,
                             const Span64& h, const Span64& w) {
  const int64_t count = Counted(context, d) * Counted(context, h) * Counted(context, w);
  Finishing finishing = {DivisorOf(context, count), nullptr};
  if (context.requants != nullptr) {
    const WindowKey dh = Times(AxisKey(context, 0, d), AxisKey(context, 1, h));
    finishing.requant = RequantOf(context, channel, Times(dh, AxisKey(context, 2, w)));
  }
  return finishing;
}

// The rules of a job; `requants` may hold null.
inline ElementRules RulesOf(const Context& context, const Requant* const* requants) {
  ElementRules rules = context.rules;
  rules.requants = *requants == nullptr ? nullptr : requants;
  return rules;
}

// n elements `step` apart become the result of an empty window of `channel`.
void FillEmpty(const Context& context, int64_t channel, char* y, int64_t n, int64_t step);

// The loop of the plan.
void RunLoop(const Context& context, const Item& item);
// Finds the kernel for small windows where that is faster, see kernel_moves.h.
void ChooseMoves(Context* context);
// An item by that kernel. False: it gave up, or has no taps.
bool RunMoves(const Context& context, const Item& item);
// An item, and the same of `images` images that follow if all its windows are one job. Returns
// whether they are.
bool RunColumns(const Context& context, const Item& item, int64_t images);
// The same of windows for Kernels::ring. False: they are not, or it gave up.
bool RunRing(const Context& context, const Item& item);
// Whether the channels are too few for that, but not for the ring of vectors half as long, which is
// faster then.
bool HasNarrowRing(const Context& context);
void RunRows(const Context& context, const Item& item);
void RunPlanes(const Context& context, const Item& item);
void RunBlocks(const Context& context, const Item& item);
// The same where that is kRowSums.
void RunRowSums(const Context& context, const Item& item);
void RunRuns(const Context& context, const Item& item);
// The same of windows that this CPU lays out, though the plan has another loop. False: it does not.
bool RunLaidOut(const Context& context, const Item& item);
bool LaysOut(const Context& context);

void RunTaps(const Context& context, const Item& item);

// Where the maxima of the item's outputs are, to `index`.
void RunPositions(const Context& context, const Item& item, void* index);

// Items whose results go through a stage; `context` is the one of y.
struct StagedCall {
  const Context& context;
  const ChannelTable& table;
};
void RunStaged(const StagedCall& call, const Item& item);
// The same where the stage is kWideSums.
void RunWideSums(const StagedCall& call, const Item& item);

// The whole of a call whose plan says Strategy::lone. False: the kernel gave up, y has to be
// computed by exact kernels.
bool RunLone(const Sealed& sealed, int64_t target, const CallBuffers& buffers);

// Kernels, lane size and flips for inputs of bytes and shorts, by reducer.
void UseByteKernels(ByteReducer reducer, Context* context);

// Whether maxima of bytes are computed as if they were not to be requantized, and that follows,
// item by item: where one formula is for all channels, and no window is empty.
bool RequantizesInPlace(const Context& context);
void RequantizeItem(const Context& context, const Requant& requant, const Item& item);

// Limits what the item has written to the params' clamp. y is not of bytes.
void ClampItem(const Context& context, const Item& item);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_CONTEXT_H_
