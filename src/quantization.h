// Planning of quantized results: which requantizations a tensor's windows need, and their proofs.
#ifndef LANEPOOL_SRC_QUANTIZATION_H_
#define LANEPOOL_SRC_QUANTIZATION_H_

#include <stdint.h>

#include "kernel_table.h"
#include "lanepool/lanepool.h"
#include "plan.h"
#include "requant.h"
#include "requant_steps.h"

namespace lanepool {

// Scales and zero points of one channel. Those of a float side mean nothing.
struct ChannelScales {
  float x_scale, y_scale;
  int32_t x_zero_point, y_zero_point;
};

ChannelScales TensorScales(const lanepool_params& params);

// Whether scales differ between channels.
bool IsPerChannel(const lanepool_params& params);

// Least and greatest result of an integer y, the clamp applied. False if nothing is left.
bool ResultRange(const lanepool_params& params, int32_t* least, int32_t* most);

// Whether bytes go through unchanged, as a maximum does where x and y mean the same.
bool KeepsBytes(const lanepool_params& params);

// Taps and counted taps of a window, or of its part along one axis of `kernel` taps; either part of
// a key is a product over the axes.
WindowKey KeyOf(const lanepool_params& params, int64_t kernel, int64_t taps, int64_t counted);

// Position in quantization.keys, or -1.
int32_t FindKey(const Quantization& quantization, const WindowKey& key);

// What is computed for windows of `taps` taps and this divisor.
RequantRule RuleOf(const lanepool_params& params, const ChannelScales& scales, int64_t taps,
                   int64_t divisor);
RequantRule RuleOf(const lanepool_params& params, const Plan& plan, const ChannelScales& scales,
                   const WindowKey& key);

// Whether averages of bytes may be divided in f32; whether some have to be settled then; and the
// rules, which point to `outputs` in that case.
bool DividesMeans(const lanepool_params& params, const Plan& plan);
bool SettlesMeans(const lanepool_params& params, const Plan& plan);
MeanRules MeanRulesOf(const lanepool_params& params, const Plan& plan, MeanOutputs* outputs);

// Whether kernels find bytes from sums of bytes by quotients, see QuotientJob: of any window, but
// with the same scales in all channels.
bool TakesQuotients(const lanepool_params& params, const Plan& plan);

// Which divisor the windows really have: a sum's is constant, an adaptive window's that of its
// taps.
int32_t DivisorRule(const lanepool_params& params);
// Whether it is the same for every window.
bool DivisorIsFixed(const lanepool_params& params);

// The divisor of windows with `counted` counted taps.
int64_t DivisorOfWindow(const lanepool_params& params, const Plan& plan, int64_t counted);

// Fills plan->quantization from params and axes.
void PlanQuantization(const lanepool_params& params, Plan* plan);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_QUANTIZATION_H_
