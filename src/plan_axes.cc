#include "plan_axes.h"

#include "compiled_in.h"
#include "pixel_rules.h"
#include "quantization.h"
#include "types.h"

namespace lanepool {
namespace {

using Axis64 = Axis<int64_t>;

// Rows of so few outputs are short.
constexpr int64_t kShortRow = 3;
// Longer lines of taps are better folded as they lie. Measured.
constexpr int64_t kMostTurned = 4;
// Longer rows would leave no work for several threads.
constexpr int64_t kMostMerged = 16384;
constexpr int64_t kMostSlid = 512;
// Rows that are flattened: their positions at most, their windows' taps along H and steps, and
// bytes of a narrow pixel, of sums; twice as many of maxima. Measured.
constexpr int64_t kMostFlat = 4, kFlatTaps = 3, kMostFlatStep = 1024, kFlatPixel = 8;
// Bytes of a pixel that is read soon.
constexpr int64_t kShortPixel = 512;

bool TakenAsItIs(const Axis64& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.pad_begin == 0 && axis.pad_end == 0 &&
         axis.output == axis.input;
}

// Maxima in squares of taps that step by 2, which have loops of their own in short rows.
bool AreSquareMaxima(const lanepool_params& p, const Plan& plan) {
  const Axis64& h = plan.axes[1];
  const Axis64& w = plan.axes[2];
  return IsExtreme(p.op) && ElementBytes(p.x_type) <= 2 && h.kernel == w.kernel && w.kernel <= 3 &&
         h.stride == 2 && w.stride == 2 && p.layout == LANEPOOL_LAYOUT_NCHW;
}

// Whether no divisor depends on positions of pads.
bool CountsNoPads(const lanepool_params& p) {
  const int32_t rule = DivisorRule(p);
  return rule == LANEPOOL_DIVISOR_EXCLUDE_PAD || rule == LANEPOOL_DIVISOR_CONSTANT;
}

// Whether windows of whole rows of so few positions are better taken as those of one long row. Sums
// of floats may not ask for the batch. Measured.
bool PrefersFlatRows(const lanepool_params& p, const Axis64& h, int64_t width) {
  if (h.kernel > kFlatTaps || width > kMostFlat) return false;
  if (h.stride > kMostFlatStep || h.pad_begin > kFlatTaps || h.pad_end > kFlatTaps) return false;
  const int64_t pixel = p.channels * ElementBytes(p.x_type);
  const bool is_max = IsExtreme(p.op);
  if (p.layout == LANEPOOL_LAYOUT_NCHW) return width == 2;
  if (pixel < kNarrowPixelBytes) return width == 2 && pixel < (is_max ? 2 : 1) * kFlatPixel;
  return h.stride > 1 || (is_max && p.batch > 1 && width == 2);
}

// Averages of bytes in 3x3 taps, which have a loop of their own where channels are lanes.
bool AreSquareSums(const lanepool_params& p, const Plan& plan) {
  return IsByte(p.x_type) && !IsExtreme(p.op) && plan.axes[1].kernel == 3 &&
         plan.axes[2].kernel == 3;
}

bool IsSingle(const Axis64& axis) { return TakenAsItIs(axis) && axis.input == 1; }

}  // namespace

bool AreElementsAlone(const Plan& plan) {
  return TakenAsItIs(plan.axes[0]) && TakenAsItIs(plan.axes[1]) && TakenAsItIs(plan.axes[2]);
}

bool LanesAlong(const Plan& plan, int spatial) {
  const Axis64& axis = plan.axes[spatial];
  return Contiguous(axis.input, plan.x_stride[kD + spatial], 1) &&
         Contiguous(axis.output, plan.y_stride[kD + spatial], 1);
}

void SwapAxes(int a, int b, Plan* plan) {
  const Axis64 axis = plan->axes[a];
  plan->axes[a] = plan->axes[b];
  plan->axes[b] = axis;
  int64_t* const both[] = {plan->x_stride, plan->y_stride};
  for (int64_t* strides : both) {
    const int64_t stride = strides[kD + a];
    strides[kD + a] = strides[kD + b];
    strides[kD + b] = stride;
  }
}

bool CoveredByOneWindow(const Axis64& axis) {
  return axis.output == 1 && axis.pad_begin == 0 && axis.pad_end == 0 &&
         axis.kernel == axis.input && (axis.dilation == 1 || axis.kernel == 1);
}

void TrimWindows(const lanepool_params& p, Plan* plan) {
  if (p.index_type != LANEPOOL_TYPE_NONE) return;
  // The step of a single position means nothing, but loops ask for it.
  for (Axis64& axis : plan->axes) {
    if (axis.input == 1 && !IsAdaptive(axis) && CoveredByOneWindow(axis)) axis.stride = 1;
  }
  if (!CountsNoPads(p) || AreSquareMaxima(p, *plan)) return;
  for (Axis64& axis : plan->axes) {
    if (axis.output != 1 || CoveredByOneWindow(axis)) continue;
    if (ClipWindow(axis, int64_t{0}).taps != axis.input) continue;
    // Steps of a few positions have loops of their own.
    const int64_t stride = axis.stride <= axis.input ? axis.stride : 1;
    axis = {axis.input, axis.input, stride, 1, 0, 0, 1, 0, 1};
  }
}

void FlattenRows(const lanepool_params& p, Plan* plan) {
  if (kCompact || !CountsNoPads(p) || p.index_type != LANEPOOL_TYPE_NONE) return;
  Axis64& h = plan->axes[1];
  Axis64& w = plan->axes[2];
  if (w.output != 1 || w.input == 1 || h.output == 1 || IsAdaptive(h) || h.dilation > 1) return;
  if (ClipWindow(w, int64_t{0}).taps != w.input || !PrefersFlatRows(p, h, w.input)) return;
  if (plan->x_stride[kH] != w.input * plan->x_stride[kW]) return;
  const int64_t n = w.input;
  w = {n * h.input, n * h.kernel, n * h.stride,  1, n * h.pad_begin, n * h.pad_end,
       h.output,    h.lead,       h.interior_end};
  h = {1, 1, 1, 1, 0, 0, 1, 0, 1};
  plan->y_stride[kW] = plan->y_stride[kH];
}

void LayRow(int64_t channels, Plan* plan) {
  const Axis64& h = plan->axes[1];
  const Axis64& w = plan->axes[2];
  // The products are at most the numbers of elements of x and y.
  if (h.input == 1 && plan->x_stride[kW] == channels) plan->x_stride[kH] = w.input * channels;
  if (h.output == 1 && plan->y_stride[kW] == channels) plan->y_stride[kH] = w.output * channels;
}

void MergeCoveredRows(Plan* plan) {
  Axis64& w = plan->axes[2];
  for (int outer = 1; outer >= 0; --outer) {
    Axis64& axis = plan->axes[outer];
    if (!CoveredByOneWindow(w) || !CoveredByOneWindow(axis)) return;
    if (!Contiguous(w.input, plan->x_stride[kW], 1)) return;
    if (!Contiguous(axis.input, plan->x_stride[kD + outer], w.input)) return;
    w.input = w.kernel = w.input * axis.input;  // at most the number of elements of x
    w.stride = w.dilation = 1;
    w.interior_end = 1;
    w.lead = 0;
    axis = {1, 1, 1, 1, 0, 0, 1, 0, 1};
    plan->x_stride[kW] = 1;
  }
}

void MergeRowsAsTheyAre(Plan* plan) {
  Axis64& w = plan->axes[2];
  if (!Contiguous(w.input, plan->x_stride[kW], 1) || !Contiguous(w.output, plan->y_stride[kW], 1)) {
    return;
  }
  for (int outer = 1; outer >= 0; --outer) {
    Axis64& axis = plan->axes[outer];
    if (!TakenAsItIs(w) || !TakenAsItIs(axis)) return;
    if (!Contiguous(axis.input, plan->x_stride[kD + outer], w.input)) return;
    if (!Contiguous(axis.output, plan->y_stride[kD + outer], w.output)) return;
    const int64_t merged = w.input * axis.input;  // at most the number of elements of x
    if (merged > kMostMerged) return;
    w.input = w.output = w.interior_end = merged;
    plan->x_stride[kW] = plan->y_stride[kW] = 1;
    axis = {1, 1, 1, 1, 0, 0, 1, 0, 1};
  }
}

void MergeImages(const lanepool_params& p, Plan* plan) {
  if (p.batch == 1) return;
  const int64_t planes = plan->strategy.group > 1 ? 1 : p.channels;
  int64_t* const both[] = {plan->x_stride, plan->y_stride};
  for (const int64_t* strides : both) {
    int64_t image = 0;  // from one to the next, if they follow each other
    if (__builtin_mul_overflow(planes, strides[kC], &image)) return;
    if (planes > 1 && strides[kN] != image) return;
  }
  for (int64_t* strides : both) {
    if (planes == 1) strides[kC] = strides[kN];
  }
  plan->strategy.one_image = kImagesOfPlanes;
}

void MergeImagesAlongW(const lanepool_params& p, Plan* plan) {
  if (p.batch == 1) return;
  int64_t pixels = 1;
  for (int i = 2; i >= 0; --i) {
    const Axis64& axis = plan->axes[i];
    if (!CoveredByOneWindow(axis)) return;
    if (!Contiguous(axis.input, plan->x_stride[kD + i], pixels * p.channels)) return;
    pixels *= axis.input;
  }
  plan->axes[0] = {1, 1, 1, 1, 0, 0, 1, 0, 1};
  plan->axes[1] = {pixels, pixels, 1, 1, 0, 0, 1, 0, 1};
  plan->axes[2] = {p.batch, 1, 1, 1, 0, 0, p.batch, 0, p.batch};
  plan->x_stride[kH] = p.channels;
  plan->x_stride[kW] = plan->x_stride[kN];
  plan->y_stride[kW] = plan->y_stride[kN];
  plan->strategy.one_image = kImagesAlongW;
}

void MergeImagesAlongH(const lanepool_params& p, Plan* plan) {
  if (p.batch == 1) return;
  Axis64& h = plan->axes[1];
  if (plan->axes[0].output > 1 || h.output > 1) return;
  // What has one output along H may as well be depths, of images that are not rows of one, or have
  // one window. Measured.
  const bool beside = plan->x_stride[kN] == h.input * plan->x_stride[kH];
  const bool short_pixel = p.channels * ElementBytes(p.x_type) <= kShortPixel;
  const bool lone = plan->axes[2].output == 1 && short_pixel;
  if ((lone || (!beside && !AreSquareSums(p, *plan))) && IsSingle(plan->axes[0])) {
    SwapAxes(0, 1, plan);
  }
  if (IsAdaptive(h) || h.interior_end == h.lead) return;
  const int64_t rows = h.input;
  if (rows == 1) {
    plan->x_stride[kH] = plan->x_stride[kN];
  } else if (!beside) {
    return;
  }
  h = {rows * p.batch, h.kernel, rows, h.dilation, 0, 0, p.batch, 0, p.batch};
  plan->y_stride[kH] = plan->y_stride[kN];
  plan->strategy.one_image = kImagesAlongH;
}

void SlideAlongW(Plan* plan) {
  if (plan->axes[2].output != 1) return;
  for (int outer = 1; outer >= 0; --outer) {
    const Axis64& axis = plan->axes[outer];
    if (axis.output == 1) continue;
    if (!IsAdaptive(axis) && axis.stride < EffectiveKernel(axis)) SwapAxes(outer, 2, plan);
    return;
  }
}

void SlideAlongH(Plan* plan) {
  const Axis64& h = plan->axes[1];
  const Axis64& w = plan->axes[2];
  const bool slides = !IsAdaptive(h) && h.stride < EffectiveKernel(h);
  if (w.output > kShortRow || w.interior_end - w.lead > 1) return;
  if (h.output <= 2 * w.output || h.output > kMostSlid) return;
  if (slides && !IsAdaptive(w)) SwapAxes(1, 2, plan);
}

void TakeColumnAsRow(Plan* plan) {
  const Axis64& h = plan->axes[1];
  const Axis64& w = plan->axes[2];
  if (w.output > 1 || w.kernel > kMostTurned || h.output == 1) return;
  if (!IsAdaptive(h) && !IsAdaptive(w)) SwapAxes(1, 2, plan);
}

}  // namespace lanepool
