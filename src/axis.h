// One spatial axis: output size, resolved pads, windows, divisor extents. Scalar arithmetic that
// knows no tensor. docs/semantics.md sections 1-3 are the specification.
//
// Templated on the integer type so that a test can sweep 8-bit integers, where every sum and
// product comes near its limit, against a plain model. The library uses int64_t.
#ifndef LANEPOOL_SRC_AXIS_H_
#define LANEPOOL_SRC_AXIS_H_

#include <stdint.h>

#include "int128.h"
#include "lanepool/lanepool.h"

namespace lanepool {

struct AxisRules {
  int32_t auto_pad;         // LANEPOOL_AUTO_PAD_*
  int32_t ceil_mode;        // LANEPOOL_CEIL_*
  int32_t valid_ceil;       // LANEPOOL_VALID_*
  int32_t oversize_kernel;  // LANEPOOL_OVERSIZE_*
};

// input .. pad_end are given (all validated: sizes >= 1, pads >= 0); ResolveAxis fills the rest
// and, under auto_pad, the pads. Afterwards no arithmetic of this file on the axis can overflow.
// Adaptive windows have no stride: it is 0, and kernel is an upper bound; ResolveAdaptiveAxis.
template <class Int>
struct Axis {
  Int input, kernel, stride, dilation;
  Int pad_begin, pad_end;
  Int output;
  // Outputs [lead, interior_end) have all their taps inside the input; those before and after (the
  // lead and the trail) are clipped. lead <= interior_end <= output.
  Int lead, interior_end;
};

// The taps of one window that lie inside the input.
template <class Int>
struct Span {
  Int position;  // input position of the first such tap; meaningless when taps is 0
  Int taps;      // how many
  Int counted;   // taps inside input and pads, without the overhang of ceil_mode
};

enum class AxisError {
  kNone,
  kKernelOverflow,  // (kernel - 1) * dilation + 1
  kPaddedOverflow,  // input + pads
  kSpanOverflow,    // (output - 1) * stride + effective kernel
  kEmptyOutput,     // effective kernel > padded input
};

namespace axis_internal {

template <class Int>
bool Add(Int a, Int b, Int* sum) {
  return !__builtin_add_overflow(a, b, sum);
}
template <class Int>
bool Mul(Int a, Int b, Int* product) {
  return !__builtin_mul_overflow(a, b, product);
}

// Division toward -inf and +inf, b > 0.
template <class Int>
Int FloorDiv(Int a, Int b) {
  const Int q = static_cast<Int>(a / b);
  return static_cast<Int>(q - (a % b < 0));
}
template <class Int>
Int CeilDiv(Int a, Int b) {
  const Int q = static_cast<Int>(a / b);
  return static_cast<Int>(q + (a % b > 0));
}

template <class Int>
Int Min(Int a, Int b) {
  return a < b ? a : b;
}
template <class Int>
Int Max(Int a, Int b) {
  return a < b ? b : a;
}

// Sum of floor((a * i + b) / m) over i in [0, n), modulo 2^64; m > 0. Euclid-like, O(log m).
inline uint64_t FloorSum(uint64_t n, uint64_t m, uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  for (;;) {
    const Uint128 pairs = static_cast<Uint128>(n) * (n - 1) / 2;
    sum += static_cast<uint64_t>(pairs) * (a / m) + n * (b / m);
    a %= m;
    b %= m;
    const Uint128 top = static_cast<Uint128>(a) * n + b;
    if (top < m) return sum;
    n = static_cast<uint64_t>(top / m);
    b = static_cast<uint64_t>(top % m);
    const uint64_t swap = m;
    m = a;
    a = swap;
  }
}

}  // namespace axis_internal

// Effective kernel: input positions from the first to the last tap. No overflow after ResolveAxis.
template <class Int>
Int EffectiveKernel(const Axis<Int>& axis) {
  return static_cast<Int>((axis.kernel - 1) * axis.dilation + 1);
}

// Input position of tap 0 of window `output`; negative in the begin pad.
template <class Int>
Int WindowStart(const Axis<Int>& axis, Int output) {
  return static_cast<Int>(output * axis.stride - axis.pad_begin);
}

template <class Int>
AxisError ResolveAxis(const AxisRules& rules, Axis<Int>* axis) {
  using namespace axis_internal;
  const Int n = axis->input;
  const Int stride = axis->stride;

  Int effective = 0;
  if (!Mul(static_cast<Int>(axis->kernel - 1), axis->dilation, &effective) ||
      !Add(effective, Int{1}, &effective)) {
    return AxisError::kKernelOverflow;
  }

  Int span = 0;  // (output - 1) * stride
  if (rules.auto_pad == LANEPOOL_AUTO_PAD_SAME_UPPER ||
      rules.auto_pad == LANEPOOL_AUTO_PAD_SAME_LOWER) {
    axis->output = CeilDiv(n, stride);
    span = static_cast<Int>((axis->output - 1) * stride);  // < n
    Int needed = 0;
    if (!Add(span, effective, &needed)) return AxisError::kSpanOverflow;
    const Int total = needed > n ? static_cast<Int>(needed - n) : Int{0};
    const Int small = static_cast<Int>(total / 2);
    const Int big = static_cast<Int>(total - small);
    const bool upper = rules.auto_pad == LANEPOOL_AUTO_PAD_SAME_UPPER;
    axis->pad_begin = upper ? small : big;
    axis->pad_end = upper ? big : small;
  } else {
    const bool valid = rules.auto_pad == LANEPOOL_AUTO_PAD_VALID;
    if (valid) axis->pad_begin = axis->pad_end = 0;
    const bool ceil = rules.ceil_mode != LANEPOOL_CEIL_OFF &&
                      !(valid && rules.valid_ceil == LANEPOOL_VALID_FLOOR);
    Int padded = 0;
    if (!Add(n, axis->pad_begin, &padded) || !Add(padded, axis->pad_end, &padded)) {
      return AxisError::kPaddedOverflow;
    }
    const Int room = static_cast<Int>(padded - effective);
    Int steps = ceil ? CeilDiv(room, stride) : FloorDiv(room, stride);
    if (!ceil && rules.oversize_kernel == LANEPOOL_OVERSIZE_TRUNCATE) {
      steps = static_cast<Int>(room / stride);
    }
    if (steps < 0) return AxisError::kEmptyOutput;
    bool fits = Mul(steps, stride, &span);
    if (ceil && rules.ceil_mode == LANEPOOL_CEIL_ON) {
      // The drop rule: a window that starts behind input and begin pad. One decrement, see
      // docs/semantics.md; what does not fit Int starts behind everything.
      if (!fits || span >= n + axis->pad_begin) {
        --steps;
        fits = Mul(steps, stride, &span);
      }
    }
    if (!fits) return AxisError::kSpanOverflow;
    axis->output = static_cast<Int>(steps + 1);  // steps are fewer than padded
  }

  Int end = 0;
  if (!Add(span, effective, &end)) return AxisError::kSpanOverflow;

  axis->lead = Min(axis->output, CeilDiv(axis->pad_begin, stride));
  const Int last_room = static_cast<Int>(n - effective + axis->pad_begin);
  const Int complete = last_room < 0 ? Int{0} : static_cast<Int>(last_room / stride + 1);
  axis->interior_end = Max(axis->lead, Min(axis->output, complete));
  return AxisError::kNone;
}

// Windows [floor(o * input / output), ceil((o + 1) * input / output)), `output` of them. Where they
// are all as long they are ordinary ones.
template <class Int>
AxisError ResolveAdaptiveAxis(Int input, Int output, Axis<Int>* axis) {
  using namespace axis_internal;
  Int product = 0;  // the largest that a window's ends are made of, rounded up
  if (!Mul(input, output, &product) || !Add(product, output, &product)) {
    return AxisError::kSpanOverflow;
  }
  const Int whole = static_cast<Int>(input / output);
  if (input % output == 0) {
    *axis = {input, whole, whole, 1, 0, 0, output, 0, output};
  } else {
    // Both ends are less than one element away from o * input / output and one window further.
    const Int kernel = Min(input, static_cast<Int>(whole + 2));
    *axis = {input, kernel, 0, 1, 0, 0, output, 0, 0};
  }
  return AxisError::kNone;
}

template <class Int>
bool IsAdaptive(const Axis<Int>& axis) {
  return axis.stride == 0;
}

// Of any window.
template <class Int>
Span<Int> ClipEdgeWindow(const Axis<Int>& axis, Int output) {
  using namespace axis_internal;
  if (IsAdaptive(axis)) {
    const Int first = static_cast<Int>(output * axis.input / axis.output);
    const Int end = CeilDiv(static_cast<Int>((output + 1) * axis.input), axis.output);
    const Int taps = static_cast<Int>(end - first);
    return {first, taps, taps};
  }
  const Int start = WindowStart(axis, output);
  const Int to_begin = static_cast<Int>(-start);
  const Int to_end = static_cast<Int>(axis.input - start);
  const Int to_pad_end = static_cast<Int>(to_end + axis.pad_end);
  // Divisions are slow, and mostly by 1.
  const auto taps_to = [&axis](Int distance) {
    const Int taps = axis.dilation == 1 ? distance : CeilDiv(distance, axis.dilation);
    return Min(axis.kernel, Max(Int{0}, taps));
  };
  const Int first = taps_to(to_begin);
  const Int end = Max(first, taps_to(to_end));
  const Int counted = taps_to(to_pad_end);
  Span<Int> span;
  span.taps = static_cast<Int>(end - first);
  span.position = span.taps == 0 ? start : static_cast<Int>(start + first * axis.dilation);
  span.counted = counted;
  return span;
}

// Most windows are whole, and divisions take long.
template <class Int>
inline Span<Int> ClipWindow(const Axis<Int>& axis, Int output) {
  if (output < axis.lead || output >= axis.interior_end) return ClipEdgeWindow(axis, output);
  return {WindowStart(axis, output), axis.kernel, axis.kernel};
}

// Whether no window of the axis lacks a tap.
template <class Int>
bool IsWhole(const Axis<Int>& axis) {
  return axis.lead == 0 && axis.interior_end == axis.output;
}

// Whether some window of the axis has no tap inside the input.
template <class Int>
bool HasEmptyWindow(const Axis<Int>& axis) {
  using namespace axis_internal;
  if (axis.pad_begin >= EffectiveKernel(axis)) return true;
  if (WindowStart(axis, static_cast<Int>(axis.output - 1)) >= axis.input) return true;
  if (axis.dilation <= axis.input || axis.lead == 0) return false;
  // A window of the lead can step over an input shorter than the dilation: its first tap at or
  // behind 0 is (start mod dilation), and it misses when that is >= input. Count such windows: [x
  // mod d >= n] = floor((x + d - n) / d) - floor(x / d), with x = start shifted to be positive.
  const uint64_t d = static_cast<uint64_t>(axis.dilation);
  const uint64_t windows = static_cast<uint64_t>(axis.lead);
  const uint64_t shift =
      (d - static_cast<uint64_t>(axis.pad_begin) % d) % d;  // congruent to -pad_begin
  const uint64_t stride = static_cast<uint64_t>(axis.stride);
  const uint64_t beyond = shift + d - static_cast<uint64_t>(axis.input);
  return FloorSum(windows, d, stride, beyond) != FloorSum(windows, d, stride, shift);
}

}  // namespace lanepool

#endif  // LANEPOOL_SRC_AXIS_H_
