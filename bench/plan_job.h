// What bench_plan and bench_call share: params of common jobs, and the time to plan them.
#ifndef LANEPOOL_BENCH_PLAN_JOB_H_
#define LANEPOOL_BENCH_PLAN_JOB_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"

// f32, ONNX dialect, the same kernel, stride and pad on every axis.
lanepool_params Make(int32_t op, int32_t layout, int64_t channels,
                     const std::vector<int64_t>& input, int64_t kernel, int64_t stride,
                     int64_t pad);

// u8 with the scales and zero points of a calibrated network.
lanepool_params Quantized(lanepool_params params);

struct Layout {
  const char* name;
  int32_t code;
};
constexpr Layout kLayouts[] = {{"nhwc", LANEPOOL_LAYOUT_NHWC}, {"nchw", LANEPOOL_LAYOUT_NCHW}};

// Registers plan/NAME: plans again and again, with the expected answer.
void AddPlan(const std::string& name, const lanepool_params& params,
             int32_t expected = LANEPOOL_OK);

// The text of lanepool_explain.
std::string Explain(const lanepool_desc& desc);

// Ends a benchmark that would time something else than it says.
[[noreturn]] void Die(const char* what);

#endif  // LANEPOOL_BENCH_PLAN_JOB_H_
