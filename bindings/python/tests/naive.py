"""Pooling by plain NumPy, written from docs/semantics.md: every window is cut out and reduced."""

import fractions
import itertools
import math

import numpy as np


def output_size(size, kernel, stride, dilation, pads, ceil_mode):
    begin, end = pads
    room = size + begin + end - (kernel - 1) * dilation - 1
    outputs = (-(-room // stride) if ceil_mode else room // stride) + 1
    if ceil_mode and (outputs - 1) * stride >= size + begin:
        outputs -= 1  # the last window would start in the end pad
    return outputs


def taps(size, output, kernel, stride, dilation, begin):
    """Positions of one window along one axis: all that lie inside."""
    at = output * stride - begin + np.arange(kernel) * dilation
    return at[(at >= 0) & (at < size)]


def counted(size, output, kernel, stride, dilation, pads):
    """How many taps lie inside or in the pads."""
    at = output * stride - pads[0] + np.arange(kernel) * dilation
    return int(np.sum(at < size + pads[1]))


def pool(x, reduce, kernel, strides, dilations, pads, ceil_mode=False):
    """x is N C spatial. reduce gets the taps of a window (of every N and C, row-major, last axis)
    and the number of taps inside or in the pads."""
    rank = x.ndim - 2
    axes = list(zip(x.shape[2:], kernel, strides, dilations, zip(pads[:rank], pads[rank:])))
    sizes = [output_size(*axis, ceil_mode) for axis in axes]
    if min(sizes) < 1:
        return None
    windows = {}
    for output in itertools.product(*map(range, sizes)):
        places = [taps(size, o, k, s, d, p[0]) for o, (size, k, s, d, p) in zip(output, axes)]
        count = math.prod(
            counted(size, o, k, s, d, p) for o, (size, k, s, d, p) in zip(output, axes)
        )
        window = x[(slice(None), slice(None), *np.ix_(*places))]
        windows[output] = reduce(window.reshape(*x.shape[:2], -1), count)
    y = np.empty((*x.shape[:2], *sizes), next(iter(windows.values())).dtype)
    for output, result in windows.items():
        y[(slice(None), slice(None), *output)] = result
    return y


def mean_of_integers(window, divisor):
    """Exact, rounded to the nearest, ties to even."""
    sums = window.astype(object).sum(axis=-1)
    rounded = [round(fractions.Fraction(int(s), divisor)) if divisor else 0 for s in np.ravel(sums)]
    return np.array(rounded, window.dtype).reshape(window.shape[:-1])


def strict_mean(window, divisor):
    """Of floats, with the additions in the order of LANEPOOL_FLAG_STRICT_ORDER."""
    total = np.zeros(window.shape[:-1], window.dtype)
    for tap in np.moveaxis(window, -1, 0):
        total = total + tap
    return total / window.dtype.type(divisor) if divisor else total


def largest(window, divisor):
    del divisor
    lowest = -np.inf if window.dtype.kind == "f" else np.iinfo(window.dtype).min
    return window.max(axis=-1, initial=lowest).astype(window.dtype)


def smallest(window, divisor):
    del divisor
    highest = np.inf if window.dtype.kind == "f" else np.iinfo(window.dtype).max
    return window.min(axis=-1, initial=highest).astype(window.dtype)
