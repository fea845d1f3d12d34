// The named shapes of tests/support/shapes.inc, one thread, buffers warm: in f32 as they are, and
// with other types, ops and options. pool_job.h says what is measured.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "lanepool/lanepool.h"
#include "pool_job.h"
#include "pool_jobs.h"

namespace {

// What the fast kernels give up on (tiny values: averages only), in each window: the most that
// repeating can cost.
constexpr Values kRare[] = {{"/all_nan", 1.0f, std::numeric_limits<float>::quiet_NaN()},
                            {"/all_tiny", 0x1p-126f, 0.0f}};

}  // namespace

const support::NamedShape& ShapeNamed(const char* name) {
  for (const support::NamedShape& shape : support::NamedShapes()) {
    if (shape.name == name) return shape;
  }
  (void)std::fprintf(stderr, "bench_pool: no shape %s\n", name);
  std::exit(1);
}

void AddFloats() {
  for (const support::NamedShape& shape : support::NamedShapes()) {
    if (!shape.is_timed) continue;
    const bool with_rare = shape.name == "inception_a" || shape.name == "googlenet28";
    for (const int32_t layout : shape.Layouts()) {
      AddJob(shape.name, shape.params, layout, "");
      if (!with_rare) continue;
      for (const Values& values : kRare) {
        AddJob(shape.name, shape.params, layout, values.suffix, values);
      }
    }
  }
}

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  (void)std::fprintf(stderr, "lanepool %s, %s\n", lanepool_version(), lanepool_target_name(best));
  AddFloats();
  AddQuantized();
  AddTypes();
  AddOps();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
