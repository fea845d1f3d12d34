#include "plan_job.h"

#include <cstdio>
#include <cstdlib>

namespace {

void PlanOf(benchmark::State& state, const lanepool_params& params, int32_t expected) {
  lanepool_desc desc;
  lanepool_error error;
  if (lanepool_plan(&params, &desc, &error) != expected) {
    Die("lanepool_plan gives another status");
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(lanepool_plan(&params, &desc, &error));
    benchmark::ClobberMemory();
  }
  if (expected == LANEPOOL_OK) {
    state.SetLabel(Explain(desc));
    return;
  }
  char text[200];
  lanepool_error_format(&error, text, sizeof text);
  state.SetLabel(text);
}

}  // namespace

lanepool_params Make(int32_t op, int32_t layout, int64_t channels,
                     const std::vector<int64_t>& input, int64_t kernel, int64_t stride,
                     int64_t pad) {
  lanepool_params p;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = op;
  p.layout = layout;
  p.rank = static_cast<int32_t>(input.size());
  p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
  p.channels = channels;
  for (size_t i = 0; i < input.size(); ++i) {
    p.input[i] = input[i];
    p.kernel[i] = kernel;
    p.strides[i] = stride;
    p.pads_begin[i] = p.pads_end[i] = pad;
  }
  return p;
}

lanepool_params Quantized(lanepool_params params) {
  params.x_type = params.y_type = LANEPOOL_TYPE_UINT8;
  params.x_scale = 0.0235f;
  params.x_zero_point = 128;
  params.y_scale = 0.0187f;
  params.y_zero_point = 121;
  return params;
}

void AddPlan(const std::string& name, const lanepool_params& params, int32_t expected) {
  benchmark::RegisterBenchmark(("plan/" + name).c_str(),
                               [=](benchmark::State& state) { PlanOf(state, params, expected); });
}

std::string Explain(const lanepool_desc& desc) {
  char text[200];
  lanepool_explain(&desc, text, sizeof text);
  return text;
}

void Die(const char* what) {
  (void)std::fprintf(stderr, "benchmark: %s\n", what);
  std::exit(1);
}
