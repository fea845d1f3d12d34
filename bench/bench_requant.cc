// What it costs to find and prove the requantization of one number of taps; a plan needs one for
// each distinct pair of taps and divisor. The label is the formula that was found.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "lanepool/lanepool.h"
#include "requant.h"

namespace {

using lanepool::MakeRequant;
using lanepool::Requant;
using lanepool::RequantRule;

void MakeRequantOf(benchmark::State& state, int64_t taps, float x_scale, float y_scale) {
  RequantRule rule = {x_scale, y_scale, 128, 128, 0, 255, 0, LANEPOOL_ROUND_HALF_EVEN, taps, taps};
  Requant requant = {};
  for (auto _ : state) {
    benchmark::DoNotOptimize(rule);
    requant = MakeRequant(rule);
    benchmark::DoNotOptimize(requant);
  }
  state.SetLabel(lanepool::RequantName(requant.kind));
}

// Equal scales keep the quantization of the input, as TFLite does; unrelated ones are what
// calibration gives; with a large ratio all steps lie at two sums.
BENCHMARK_CAPTURE(MakeRequantOf, 2x2_equal, 4, 0.1f, 0.1f);
BENCHMARK_CAPTURE(MakeRequantOf, 2x2_unrelated, 4, 0.0173f, 0.0219f);
BENCHMARK_CAPTURE(MakeRequantOf, 3x3_equal, 9, 0.1f, 0.1f);
BENCHMARK_CAPTURE(MakeRequantOf, 3x3_unrelated, 9, 0.0173f, 0.0219f);
BENCHMARK_CAPTURE(MakeRequantOf, 7x7_equal, 49, 0.1f, 0.1f);
BENCHMARK_CAPTURE(MakeRequantOf, 7x7_unrelated, 49, 0.0173f, 0.0219f);
BENCHMARK_CAPTURE(MakeRequantOf, 14x14_equal, 196, 0.1f, 0.1f);
BENCHMARK_CAPTURE(MakeRequantOf, 14x14_unrelated, 196, 0.0173f, 0.0219f);
BENCHMARK_CAPTURE(MakeRequantOf, 56x56_unrelated, 3136, 0.0173f, 0.0219f);
BENCHMARK_CAPTURE(MakeRequantOf, 3x3_ratio_1e15, 9, 1e12f, 1e-3f);

}  // namespace

BENCHMARK_MAIN();
