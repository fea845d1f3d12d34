"""Windows by their definition (docs/semantics.md sections 1, 2 and 6): where taps lie, what counts."""

import itertools
import math
from dataclasses import dataclass


@dataclass
class Pool:
    """A job, in the words of the command line. Sizes have an entry for each spatial axis."""

    op: str
    kernel: tuple = ()
    strides: tuple = ()
    dilations: tuple = ()
    pads: tuple = ()  # all begins, then all ends
    auto_pad: str = "notset"
    ceil_mode: str = "0"
    divisor: str = "exclude"  # exclude, include, full, or a number
    empty_window: str = "zero"
    nan: str = "propagate"
    is_global: bool = False
    adaptive: tuple = ()  # the output's sizes
    rounding: str = "half_even"
    lp_order: float = 2.0
    clamp: tuple = (-math.inf, math.inf)
    strict_order: bool = False
    accumulate_f64: bool = False

    def has_clamp(self):
        return self.clamp != (-math.inf, math.inf)


@dataclass(frozen=True)
class Axis:
    """One window along one axis."""

    inside: tuple  # positions of its taps in the input
    numbers: tuple  # of these taps among all taps of the window
    counted: int  # taps inside and in the pads
    taps: int  # all taps


def whole_axis(begin, end):
    size = end - begin
    return Axis(tuple(range(begin, end)), tuple(range(size)), size, size)


def adaptive_axis(size, outputs):
    ends = [(o * size // outputs, -(-(o + 1) * size // outputs)) for o in range(outputs)]
    return [whole_axis(begin, end) for begin, end in ends]


def output_and_pads(pool, axis, size):
    """The number of windows along an axis, and its pads as auto_pad has them."""
    k, s, d = pool.kernel[axis], pool.strides[axis], pool.dilations[axis]
    begin, end = pool.pads[axis], pool.pads[len(pool.kernel) + axis]
    reach = (k - 1) * d + 1
    if pool.auto_pad.startswith("same"):
        outputs = -(-size // s)
        total = max(0, (outputs - 1) * s + reach - size)
        small, big = total // 2, total - total // 2
        return outputs, *((small, big) if pool.auto_pad == "same_upper" else (big, small))
    room = size + begin + end - reach
    outputs = (room // s if pool.ceil_mode == "0" else -(-room // s)) + 1
    if pool.ceil_mode == "1" and outputs > 0 and (outputs - 1) * s >= size + begin:
        outputs -= 1
    return outputs, begin, end


def axis_windows(pool, axis, size):
    """The windows along one axis."""
    if pool.is_global:
        return [whole_axis(0, size)]
    if pool.adaptive:
        return adaptive_axis(size, pool.adaptive[axis])
    outputs, begin, end = output_and_pads(pool, axis, size)
    windows = []
    for o in range(outputs):
        start = o * pool.strides[axis] - begin
        taps = [start + j * pool.dilations[axis] for j in range(pool.kernel[axis])]
        numbers = tuple(j for j, t in enumerate(taps) if 0 <= t < size)
        counted = len([t for t in taps if t < size + end])
        windows.append(Axis(tuple(taps[j] for j in numbers), numbers, counted, len(taps)))
    return windows


def output_shape(pool, sizes):
    return tuple(len(axis_windows(pool, axis, size)) for axis, size in enumerate(sizes))


def divisor_of(pool, axes):
    if pool.divisor == "exclude":
        return math.prod(len(axis.inside) for axis in axes)
    if pool.divisor == "include":
        return math.prod(axis.counted for axis in axes)
    if pool.divisor == "full":
        return math.prod(axis.taps for axis in axes)
    return int(pool.divisor)


def windows_of(pool, sizes):
    """Every window: its place in y, and its part along each axis."""
    axes = [axis_windows(pool, axis, size) for axis, size in enumerate(sizes)]
    for place in itertools.product(*(range(len(windows)) for windows in axes)):
        yield place, [axes[axis][o] for axis, o in enumerate(place)]
