#include "turn_rules.h"

#include <stdint.h>

#include "block_rules.h"
#include "blocks.h"
#include "compiled_in.h"
#include "kernel_table.h"
#include "plan.h"
#include "plane_rules.h"
#include "quantization.h"
#include "types.h"

namespace lanepool {
namespace {

// Taps along W from which on the only window of a row is a run, see Loop::kRuns.
constexpr int64_t kRunTaps = 5;
// Rows of the planes that are turned together at least. Measured.
constexpr int64_t kFewestRows = 128;

// Positions of a row at most. Measured.
int64_t LongestTurned(const lanepool_params& p, const Plan& plan) {
  const bool along_one = plan.axes[1].kernel == 1 || plan.axes[2].kernel == 1;
  if (plan.axes[1].kernel == 1 && plan.axes[2].dilation > 1) return 8;
  if (!IsByte(p.x_type)) return along_one ? 12 : 16;
  if (!IsExtreme(p.op)) return along_one ? 8 : 20;
  return along_one ? 16 : 24;
}

}  // namespace

bool TurnsRows(const lanepool_params& p, const Plan& plan) {
  const Axis<int64_t>& h = plan.axes[1];
  const Axis<int64_t>& w = plan.axes[2];
  const bool maxima = IsExtreme(p.op) && ElementBytes(p.x_type) <= 2;
  if (kCompact || !(maxima || (IsSumOfBytes(p) && DividesMeans(p, plan)))) return false;
  if (w.input > LongestTurned(p, plan) || KernelTaps(plan) == 1) return false;
  if (w.output == 1 && w.kernel >= kRunTaps) return false;
  const int64_t planes = PlanesOf(p, plan).channels;
  if (planes < kFewestRows && h.input <= (kFewestRows - 1) / planes) return false;
  return LoopOfRows(p, plan) == Loop::kRows && CanBeBlocks(plan, false) &&
         TurnsPlanes(p, plan, p.x_type);
}

}  // namespace lanepool
