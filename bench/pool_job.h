// One pooling job with its buffers, timed against memcpy.
//
// ratio_to_memcpy is, as for `lanepool bench`, the time of the job divided by the time of a memcpy
// that moves as many bytes, measured in the same run under the same conditions: half of it before
// the job and half after. GB/s counts bytes read and written, of the index too. On one thread both
// are made of the CPU time of that thread, so that they mean something on a machine that does other
// things as well; with more threads, of the time that passes.
#ifndef LANEPOOL_BENCH_POOL_JOB_H_
#define LANEPOOL_BENCH_POOL_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"

// How every job is timed.
struct Conditions {
  std::vector<uint64_t> targets;  // each by itself; empty: the best of this machine
  int threads = 1;                // an equal share of the work items for each
  // Every call gets other buffers, which no cache can still hold. Jobs that are so small that
  // fetching their pages would count for more than their bytes are left out.
  bool is_cold = false;
};
void SetConditions(const Conditions& conditions);  // before the first AddJob

// What x is filled with: noise between 1/2 and 1 of either sign, or `constant` everywhere if it is
// not 0; both times `scale`. Scale and constant are for f32.
struct Values {
  const char* suffix;
  float scale, constant;
};
constexpr Values kOrdinary = {"", 1.0f, 0.0f};

// Registers the job of `params` in one layout as NAME/nhwc or NAME/nchw and the values' suffix,
// then what the conditions add: /TARGET, /cold, /threads:N.
void AddJob(const std::string& name, const lanepool_params& params, int32_t layout,
            const std::string& suffix, const Values& values = kOrdinary);

#endif  // LANEPOOL_BENCH_POOL_JOB_H_
