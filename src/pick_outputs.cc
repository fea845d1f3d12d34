#include "pick_outputs.h"

#include <string.h>

#include "compiled_in.h"
#include "strategy.h"

namespace lanepool {
namespace {

// n groups of kWord bytes.
template <size_t kWord>
void CopyWords(const char* from, int64_t from_step, char* y, int64_t y_step, int64_t n) {
  for (int64_t i = 0; i < n; ++i, from += from_step, y += y_step) memcpy(y, from, kWord);
}

// n groups of `bytes` bytes, from kWord to twice that.
template <size_t kWord>
void CopyGroups(const char* from, int64_t from_step, char* y, int64_t y_step, int64_t bytes,
                int64_t n) {
  if (bytes == kWord) {
    CopyWords<kWord>(from, from_step, y, y_step, n);
    return;
  }
  for (int64_t i = 0; i < n; ++i, from += from_step, y += y_step) {
    char begin[kWord], end[kWord];
    memcpy(begin, from, kWord);
    memcpy(end, from + bytes - kWord, kWord);
    memcpy(y, begin, kWord);
    memcpy(y + bytes - kWord, end, kWord);
  }
}

// n groups of `bytes` bytes.
void CopyAnyGroups(const char* from, int64_t from_step, char* y, int64_t y_step, int64_t bytes,
                   int64_t n) {
  if (kCompact || bytes > 64) {
    const size_t size = static_cast<size_t>(bytes);
    for (int64_t i = 0; i < n; ++i) memcpy(y + i * y_step, from + i * from_step, size);
  } else if (bytes == 1) {
    for (int64_t i = 0; i < n; ++i) y[i * y_step] = from[i * from_step];
  } else if (bytes < 4) {
    CopyGroups<2>(from, from_step, y, y_step, bytes, n);
  } else if (bytes < 8) {
    CopyGroups<4>(from, from_step, y, y_step, bytes, n);
  } else if (bytes < 16) {
    CopyGroups<8>(from, from_step, y, y_step, bytes, n);
  } else if (bytes < 32) {
    CopyGroups<16>(from, from_step, y, y_step, bytes, n);
  } else {
    CopyGroups<32>(from, from_step, y, y_step, bytes, n);
  }
}

}  // namespace

void PickOutputs(const Context& context, const PickJob& job) {
  const int64_t group = context.plan.strategy.group, apart = LanesApart(context.plan);
  const int64_t size = context.y_size, outputs = (job.lanes - group) / apart + 1;
  for (int64_t row = 0; row < job.rows; ++row) {
    CopyAnyGroups(job.from + row * job.lanes * size, apart * size,
                  job.y + row * job.y_row_step * size, job.y_step * size, group * size, outputs);
  }
}

}  // namespace lanepool
