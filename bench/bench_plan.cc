// What planning costs. bench_call has what a call costs.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"
#include "plan_job.h"

namespace {

using Params = lanepool_params;

Params Global(Params p) {
  p.flags = LANEPOOL_FLAG_GLOBAL;
  for (int64_t& kernel : p.kernel) kernel = 0;
  return p;
}

Params SameCeilDilated(Params p) {
  p.auto_pad = LANEPOOL_AUTO_PAD_SAME_UPPER;
  p.ceil_mode = LANEPOOL_CEIL_ON;
  for (int i = 0; i < p.rank; ++i) p.dilations[i] = 2;
  return p;
}

Params View(Params p) {
  int64_t* const views[] = {p.x_strides, p.y_strides};
  for (int64_t* strides : views) {
    strides[0] = p.channels * p.input[0] * p.input[1] * 2;
    strides[1] = 1;
    strides[2] = p.channels * p.input[1] * 2;
    strides[3] = p.channels * 2;
  }
  return p;
}

Params OfType(Params p, int32_t type) {
  p.x_type = p.y_type = type;
  return p;
}

Params WithIndex(Params p) {
  p.index_type = LANEPOOL_TYPE_INT64;
  return p;
}

Params Adaptive(Params p, int64_t outputs) {
  p.flags = LANEPOOL_FLAG_ADAPTIVE;
  for (int i = 0; i < p.rank; ++i) {
    p.kernel[i] = 0;
    p.output_size[i] = outputs;
  }
  return p;
}

Params EqualScales(Params p) {
  p.y_scale = p.x_scale;
  p.y_zero_point = p.x_zero_point;
  return p;
}

Params PerChannel(Params p) {
  p.x_scale_count = static_cast<int32_t>(p.channels);
  return p;
}

// The table of per-channel quantization, every scale another one.
void TableOf(benchmark::State& state, const Params& p) {
  lanepool_desc desc;
  if (lanepool_plan(&p, &desc, nullptr) != LANEPOOL_OK) Die("per-channel params are refused");
  std::vector<float> scales;
  for (int64_t c = 0; c < p.channels; ++c) {
    scales.push_back(p.x_scale * (1.0f + static_cast<float>(c) * 0x1p-10f));
  }
  std::vector<uint64_t> table(static_cast<size_t>(desc.table_bytes) / sizeof(uint64_t) + 1);
  const auto init = [&] {
    return lanepool_table_init(&desc, scales.data(), nullptr, nullptr, nullptr, table.data(),
                               table.size() * sizeof(uint64_t), nullptr);
  };
  if (init() != LANEPOOL_OK) Die("a table cannot be made");
  for (auto _ : state) {
    benchmark::DoNotOptimize(init());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::to_string(desc.table_bytes) + " bytes");
}

void AddTable(const std::string& name, const Params& p) {
  benchmark::RegisterBenchmark(("table/" + name).c_str(),
                               [=](benchmark::State& state) { TableOf(state, p); });
}

// The kernels of networks: each has one divisor, or that of the inside and those of the edges.
void AddQuantizedPlans(const std::string& layout_name, int32_t layout) {
  const int32_t average = LANEPOOL_OP_AVERAGE, max = LANEPOOL_OP_MAX;
  const struct {
    const char* name;
    Params params;
  } jobs[] = {
      {"2x2", Make(average, layout, 128, {56, 56}, 2, 2, 0)},
      {"3x3_pad1", Make(average, layout, 192, {35, 35}, 3, 1, 1)},
      {"7x7_pad3", Make(average, layout, 192, {35, 35}, 7, 1, 3)},
      {"global_7x7", Global(Make(average, layout, 1280, {7, 7}, 1, 1, 0))},
      {"max_3x3", Make(max, layout, 64, {112, 112}, 3, 2, 1)},
  };
  for (const auto& job : jobs) {
    const std::string name = std::string("quantized/") + job.name + "/" + layout_name;
    AddPlan(name, Quantized(job.params));
    AddPlan(name + "/equal_scales", EqualScales(Quantized(job.params)));
  }
}

// What other ops, types and options add to planning.
void AddOtherPlans(const std::string& layout_name, int32_t layout) {
  const int32_t average = LANEPOOL_OP_AVERAGE, max = LANEPOOL_OP_MAX;
  const auto of_op = [&](int32_t op) { return Make(op, layout, 192, {35, 35}, 3, 1, 1); };
  const Params unpool = Make(LANEPOOL_OP_MAX_UNPOOL, layout, 64, {112, 112}, 2, 2, 0);
  const Params adaptive = Adaptive(Make(average, layout, 192, {35, 35}, 1, 1, 0), 6);
  const struct {
    const char* name;
    Params params;
  } jobs[] = {
      {"average_f16", OfType(of_op(average), LANEPOOL_TYPE_FLOAT16)},
      {"average_u16", OfType(of_op(average), LANEPOOL_TYPE_UINT16)},
      {"sum", of_op(LANEPOOL_OP_SUM)},
      {"lp2", of_op(LANEPOOL_OP_LP)},
      {"max_index", WithIndex(of_op(max))},
      {"unpool", WithIndex(unpool)},
      {"adaptive_6", adaptive},
      {"quantized_adaptive_6", Quantized(adaptive)},
  };
  for (const auto& job : jobs) AddPlan(job.name + ("/" + layout_name), job.params);
}

void AddTables(const std::string& layout_name, int32_t layout) {
  const int32_t average = LANEPOOL_OP_AVERAGE;
  const auto channels = [&](Params p) { return PerChannel(Quantized(p)); };
  const Params p2x2 = channels(Make(average, layout, 256, {56, 56}, 2, 2, 0));
  const Params p3x3 = channels(Make(average, layout, 256, {35, 35}, 3, 1, 1));
  AddPlan("quantized/3x3_pad1_256_channels/" + layout_name, p3x3);
  AddTable("2x2_256_channels/" + layout_name, p2x2);
  AddTable("3x3_pad1_256_channels/" + layout_name, p3x3);
}

void AddAll() {
  const int32_t average = LANEPOOL_OP_AVERAGE, max = LANEPOOL_OP_MAX;
  for (const Layout& layout : kLayouts) {
    const auto named = [&](const char* name) { return std::string(name) + "/" + layout.name; };
    AddPlan(named("1d"), Make(max, layout.code, 64, {16000}, 2, 2, 0));
    AddPlan(named("2d"), Make(average, layout.code, 192, {35, 35}, 3, 1, 1));
    AddPlan(named("3d"), Make(max, layout.code, 480, {8, 14, 14}, 3, 1, 1));
    AddPlan(named("global"), Global(Make(average, layout.code, 2048, {7, 7}, 1, 1, 0)));
    AddPlan(named("same_ceil_dilated"),
            SameCeilDilated(Make(max, layout.code, 256, {28, 28}, 3, 2, 0)));
  }
  for (const Layout& layout : kLayouts) AddQuantizedPlans(layout.name, layout.code);
  for (const Layout& layout : kLayouts) AddTables(layout.name, layout.code);
  for (const Layout& layout : kLayouts) AddOtherPlans(layout.name, layout.code);
  AddPlan("view", View(Make(average, LANEPOOL_LAYOUT_NHWC, 192, {35, 35}, 3, 1, 1)));
  AddPlan("error/first_check", Make(average, LANEPOOL_LAYOUT_NHWC, 8, {}, 1, 1, 0), LANEPOOL_RANK);
  AddPlan("error/last_axis", Make(average, LANEPOOL_LAYOUT_NHWC, 8, {35, 2}, 5, 1, 1),
          LANEPOOL_EMPTY_OUTPUT);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  AddAll();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
