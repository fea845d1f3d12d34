"""Pooling by its definition (docs/semantics.md sections 1 to 5), for small float32 arrays.

One window at a time, exact sums: an opinion of its own about every result of the tool.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

UNIT = 2.0**-24  # half the distance of 1 and the next float32


@dataclass
class Pool:
    op: str
    kernel: tuple
    strides: tuple
    dilations: tuple
    pads: tuple  # all begins, then all ends
    auto_pad: str = "notset"
    ceil_mode: str = "0"
    divisor: str = "exclude"  # exclude, include, full, or a number
    empty_window: str = "zero"
    nan: str = "propagate"


def axis_windows(pool, axis, size):
    """Per window of one axis: the positions of its taps in the input, and how many taps count."""
    k, s, d = pool.kernel[axis], pool.strides[axis], pool.dilations[axis]
    rank = len(pool.kernel)
    begin, end = pool.pads[axis], pool.pads[rank + axis]
    reach = (k - 1) * d + 1
    if pool.auto_pad.startswith("same"):
        outputs = -(-size // s)
        total = max(0, (outputs - 1) * s + reach - size)
        small, big = total // 2, total - total // 2
        begin, end = (small, big) if pool.auto_pad == "same_upper" else (big, small)
    else:
        room = size + begin + end - reach
        outputs = (room // s if pool.ceil_mode == "0" else -(-room // s)) + 1
        if pool.ceil_mode == "1" and outputs > 0 and (outputs - 1) * s >= size + begin:
            outputs -= 1
    windows = []
    for o in range(outputs):
        taps = [o * s - begin + j * d for j in range(k)]
        inside = [t for t in taps if 0 <= t < size]
        windows.append((inside, len([t for t in taps if t < size + end])))
    return windows


def divisor_of(pool, inside, counted):
    if pool.divisor == "exclude":
        return math.prod(inside)
    if pool.divisor == "include":
        return math.prod(counted)
    return math.prod(pool.kernel) if pool.divisor == "full" else int(pool.divisor)


def check_average(pool, taps, divisor, y):
    if taps.size == 0:
        lonely = pool.divisor == "exclude" and pool.empty_window == "nan"
        return math.isnan(y) if lonely else y == 0
    if not np.isfinite(taps).all():
        with np.errstate(invalid="ignore"):
            expected = float(np.sum(taps.astype(np.float64)))  # an infinity or NaN
        return math.isnan(y) if math.isnan(expected) else y == expected
    exact = math.fsum(taps.tolist()) / divisor
    magnitude = math.fsum(np.abs(taps).tolist())
    m = taps.size
    bound = (m - 1) * UNIT * magnitude / (divisor * (1 - m * UNIT)) + UNIT * abs(exact)
    return abs(y - exact) <= bound * (1 + 1e-9) + 2.0**-149


def check_max(pool, taps, y):
    if pool.nan == "ignore" and not np.isnan(taps).all():
        taps = taps[~np.isnan(taps)]
    expected = float(np.max(taps)) if taps.size else -math.inf
    if expected == 0:
        return y == 0 and math.copysign(1, y) == 1
    return math.isnan(y) if math.isnan(expected) else y == expected


def output_shape(pool, sizes):
    return tuple(len(axis_windows(pool, axis, size)) for axis, size in enumerate(sizes))


def windows_of(pool, sizes):
    """Every window: its place in y, the taps inside of each axis, and its divisor."""
    axes = [axis_windows(pool, axis, size) for axis, size in enumerate(sizes)]
    for position in itertools.product(*(range(len(windows)) for windows in axes)):
        chosen = [axes[axis][o] for axis, o in enumerate(position)]
        inside = [taps for taps, _ in chosen]
        yield position, inside, divisor_of(
            pool, [len(taps) for taps in inside], [counted for _, counted in chosen]
        )


def first_wrong(pool, x, y):
    """x and y in N, C, spatial order. The index of the first wrong element of y, or None."""
    for position, inside, divisor in windows_of(pool, x.shape[2:]):
        for n, c in itertools.product(range(x.shape[0]), range(x.shape[1])):
            taps = x[n, c][np.ix_(*inside)].ravel()
            value = float(y[(n, c, *position)])
            good = (
                check_max(pool, taps, value)
                if pool.op == "max"
                else check_average(pool, taps, divisor, value)
            )
            if not good:
                return (n, c, *position)
    return None
