// Loop::kBlocks: what averages divide by. The divisor of an output is the product of its counts
// along D and H, and along W; where it is fixed, the former are it.
#ifndef LANEPOOL_SRC_RUNNER_BLOCK_COUNTS_H_
#define LANEPOOL_SRC_RUNNER_BLOCK_COUNTS_H_

#include <stdint.h>

#include "blocks.h"
#include "quantization.h"
#include "runner_context.h"

namespace lanepool {

// Of averages of bytes that blocks divide, if these are such, and what `rules` then point to.
struct MeansOfBlocks {
  MeanRules rules;
  MeanOutputs outputs;
};
void UseMeans(const Context& context, MeansOfBlocks* means, ElementRules* rules);

// Along W.
float ColumnCount(const Context& context, int64_t output);
void FillColumnCounts(const Context& context, const Sequence& outputs, float* counts);
// The same for the lanes of outputs [w_begin, w_end), groups of channels included, and kCountSlack
// behind them.
void FillLanesOfColumns(const Context& context, int64_t w_begin, int64_t w_end, float* counts);

// Along H, with the taps `d` along D.
void FillRowCounts(const Context& context, const Span64& d, const Sequence& rows, float* counts);
// The same for the rows of planes, one after the other, as often as there are channels in a group.
// Rows that are not there are copies of the last.
void FillLaneCounts(const Context& context, const Span64& d, const Sequence& rows, int64_t planes,
                    int64_t padded, float* counts);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_RUNNER_BLOCK_COUNTS_H_
