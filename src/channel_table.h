// The caller's table of per-channel quantization: scales, zero points and proven requantizations.
#ifndef LANEPOOL_SRC_CHANNEL_TABLE_H_
#define LANEPOOL_SRC_CHANNEL_TABLE_H_

#include <stddef.h>
#include <stdint.h>

#include "kernel_table.h"
#include "lanepool/lanepool.h"
#include "plan.h"
#include "quantization.h"

namespace lanepool {

// Set in FinishJob::Steps64::shapes of a channel that has no formula, see RequantKind::kSteps.
constexpr uint32_t kShapeSteps = uint32_t{1} << 24;

// Fills plan->quantization.fingerprint and *bytes, the size of the table; 0 without a table.
void PlanTable(const lanepool_params& params, Plan* plan, int64_t* bytes);

// What the caller gives; null pointers stand for the values of params.
struct ChannelArrays {
  const float* x_scales;
  const int32_t* x_zero_points;
  const float* y_scales;
  const int32_t* y_zero_points;
};

// Fills `table`, which has the size of the plan. Nothing is written on failure.
int32_t FillTable(const lanepool_params& params, const Plan& plan, const ChannelArrays& arrays,
                  void* table, lanepool_error* error);

// Whether `table` was made by FillTable for these params.
bool IsTableOf(const void* table, const Plan& plan);

// A table, or what takes its place where the whole tensor has one quantization.
class ChannelTable {
 public:
  // A null table is none.
  ChannelTable(const lanepool_params& params, const Plan& plan, const void* table);

  bool exists() const { return table_ != nullptr; }
  ChannelScales Scales(int64_t channel) const;
  // Arrays over the channels.
  const float* XScales() const { return reinterpret_cast<const float*>(Array(0)); }
  const float* YScales() const { return reinterpret_cast<const float*>(Array(1)); }
  const int32_t* XZeroPoints() const { return reinterpret_cast<const int32_t*>(Array(2)); }
  const int32_t* YZeroPoints() const { return reinterpret_cast<const int32_t*>(Array(3)); }

  // [channel][key], for loops that requantize themselves.
  const Requant* Requants() const { return requants_; }
  // The arrays of a key over channels, from `channel` on.
  FinishJob::Steps64 Steps(int32_t key, int64_t channel) const;

 private:
  const char* Array(int64_t number) const;

  const lanepool_params& params_;
  const char* table_;
  const Requant* requants_ = nullptr;
  const char* steps_ = nullptr;
};

// The widened form of a requantization with entries of one channel.
struct OneSteps64 {
  uint32_t multiplier, sum_least, sum_most, shapes, caps, add32, add_high32;
  uint64_t add, add_high;
  bool narrow;

  explicit OneSteps64(const Requant& requant);
  FinishJob::Steps64 Arrays() const;
};

}  // namespace lanepool

#endif  // LANEPOOL_SRC_CHANNEL_TABLE_H_
