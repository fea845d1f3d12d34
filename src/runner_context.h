// What the runners of all loops share: the call, one work item of it, divisors and empty windows.
#ifndef LANEPOOL_SRC_RUNNER_CONTEXT_H_
#define LANEPOOL_SRC_RUNNER_CONTEXT_H_

#include <stdint.h>

#include "desc.h"
#include "kernel_table.h"
#include "plan.h"

namespace lanepool {

using Span64 = Span<int64_t>;

struct Context {
  const lanepool_params& params;
  const Plan& plan;
  const KernelTable& kernels;
  const float* x;
  float* y;
  void* workspace;
  Reducer reducer;        // tried first
  Reducer exact_reducer;  // when that one gives up
  float empty_value;      // result of a window without taps
};

// Channels [c_begin, c_end) of output rows [h_begin, h_end) at depth d of batch entry n.
struct Item {
  int64_t n, c_begin, c_end, d, h_begin, h_end;
};

// Taps that count in the divisor of an average, along one axis.
inline int64_t Counted(const Context& context, const Span64& span) {
  return context.params.divisor == LANEPOOL_DIVISOR_INCLUDE_PAD ? span.counted : span.taps;
}

// Whether the divisor is the same for every window.
inline bool DivisorIsFixed(const Context& context) {
  return context.params.divisor == LANEPOOL_DIVISOR_FULL_KERNEL ||
         context.params.divisor == LANEPOOL_DIVISOR_CONSTANT;
}

// The divisor of a window with `count` counted taps.
Divisor DivisorOf(const Context& context, int64_t count);

// n elements `step` apart become the result of an empty window.
void FillEmpty(const Context& context, float* y, int64_t n, int64_t step);

void RunColumns(const Context& context, const Item& item);
void RunRows(const Context& context, const Item& item);
void RunPlanes(const Context& context, const Item& item);
void RunRuns(const Context& context, const Item& item);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_CONTEXT_H_
