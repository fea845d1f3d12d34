// The named shapes of tests/support/shapes.inc: in f32 as they are, and with other types, ops and
// options. pool_job.h says what is measured. Besides the options of Google Benchmark:
//
//   --targets all|LIST   each instruction set by itself, as AVX2,SSE2
//   --threads N          an equal share of the work items for each of N threads
//   --cold               other buffers for every call
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <string>

#include "lanepool/lanepool.h"
#include "names.h"
#include "pool_job.h"
#include "pool_jobs.h"
#include "tool_error.h"
#include "tool_text.h"

namespace {

constexpr int64_t kMostThreads = 1024;

// What the fast kernels give up on (tiny values: averages only), in each window: the most that
// repeating can cost.
constexpr Values kRare[] = {{"/all_nan", 1.0f, std::numeric_limits<float>::quiet_NaN()},
                            {"/all_tiny", 0x1p-126f, 0.0f}};

std::vector<uint64_t> Targets(const std::string& names) {
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  return lanepool_tool::TargetsIn(names == "all" ? supported
                                                 : lanepool_tool::TargetMaskOf(names, "--targets"));
}

int Threads(const std::string& number) {
  const int64_t threads = lanepool_tool::ParseInteger(number, "--threads");
  if (threads < 1 || threads > kMostThreads) {
    throw lanepool_tool::BadInput("--threads is not between 1 and 1024");
  }
  return static_cast<int>(threads);
}

// The options that Google Benchmark has left over. A value follows after a space or a '='.
Conditions ParseConditions(int argc, char** argv) {
  Conditions conditions;
  for (int i = 1; i < argc; ++i) {
    std::string option = argv[i], value;
    const size_t equals = option.find('=');
    const bool has_value = option != "--cold";
    if (equals != std::string::npos) {
      value = option.substr(equals + 1);
      option.resize(equals);
    } else if (has_value && i + 1 < argc) {
      value = argv[++i];
    }
    if (option == "--targets") {
      conditions.targets = Targets(value);
    } else if (option == "--threads") {
      conditions.threads = Threads(value);
    } else if (option == "--cold" && equals == std::string::npos) {
      conditions.is_cold = true;
    } else {
      throw lanepool_tool::BadInput("there is no option " + lanepool_tool::Quote(option));
    }
  }
  return conditions;
}

void AddAll() {
  AddFloats();
  AddQuantized();
  AddTypes();
  AddOps();
}

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
  try {
    SetConditions(ParseConditions(argc, argv));
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "bench_pool: %s\n", error.what());
    return 2;
  }
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  benchmark::AddCustomContext("lanepool", lanepool_version());
  benchmark::AddCustomContext("instruction set", lanepool_target_name(best));
  AddAll();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
