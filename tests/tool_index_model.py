"""Where maxima are, and where MAX_UNPOOL puts them, by definition (docs/semantics.md section 5)."""

import math
from dataclasses import dataclass

import numpy as np
from tool_types import FLOATS, dtype_of, limits, nearest
from tool_model import values_of
from tool_windows import windows_of


@dataclass(frozen=True)
class Counting:
    """What an index counts."""

    mode: str = "nchw"  # nchw, nhwc, plane or window
    storage_order: str = "0"


def plane_position(coordinates, sizes, storage_order):
    """The place of an element within a plane."""
    position = 0
    axes = range(len(sizes))
    for axis in axes if storage_order == "0" else reversed(axes):
        position = position * sizes[axis] + coordinates[axis]
    return position


def plane_coordinates(position, sizes, storage_order):
    """The other way round."""
    coordinates = [0] * len(sizes)
    axes = range(len(sizes))
    for axis in reversed(axes) if storage_order == "0" else axes:
        position, coordinates[axis] = divmod(position, sizes[axis])
    return tuple(coordinates)


def chosen_taps(values, nan_rule):
    """The number of the tap of each row that is the maximum: the first one."""
    nan = np.isnan(values)
    if nan_rule == "ignore":
        best = np.max(np.where(nan, -np.inf, values), axis=1, keepdims=True)
        return np.argmax(~nan & (values == best), axis=1)  # 0 if all taps are NaN
    return np.where(nan.any(axis=1), np.argmax(nan, axis=1), np.argmax(values, axis=1))


def indices_of_window(counting, shape, axes, taps):
    """`taps`: for each row of batch and channels the number of a tap among those inside of x."""
    channels, sizes = shape[1], shape[2:]
    n, c = np.divmod(np.arange(len(taps)), channels)
    per_axis = np.unravel_index(taps, [len(axis.inside) for axis in axes])
    if counting.mode == "window":
        numbers = [np.array(axis.numbers)[i] for axis, i in zip(axes, per_axis)]
        return plane_position(numbers, [axis.taps for axis in axes], "0")
    coordinates = [np.array(axis.inside)[i] for axis, i in zip(axes, per_axis)]
    plane = math.prod(sizes)
    if counting.mode == "nhwc":
        return (n * plane + plane_position(coordinates, sizes, "0")) * channels + c
    position = plane_position(coordinates, sizes, counting.storage_order)
    return position if counting.mode == "plane" else (n * channels + c) * plane + position


def first_wrong_index(pool, kind, counting, x, index):
    """x and index in N, C, spatial order."""
    values = values_of(kind, x).astype(np.float64)
    for place, axes in windows_of(pool, x.shape[2:]):
        inside = np.ix_(*(np.array(axis.inside, np.intp) for axis in axes))
        taps = values[(slice(None), slice(None), *inside)].reshape(x.shape[0] * x.shape[1], -1)
        expected = np.full(len(taps), -1)
        if taps.shape[1] != 0:
            expected = indices_of_window(counting, x.shape, axes, chosen_taps(taps, pool.nan))
        found = index[(slice(None), slice(None), *place)].ravel()
        if not (found == expected).all():
            row = int(np.argmax(found != expected))
            where = (*divmod(row, x.shape[1]), *place)
            return f"index{where} is {found[row]}, not {expected[row]}"
    return None


@dataclass(frozen=True)
class Unpool:
    """A job of MAX_UNPOOL. Sizes have an entry for each spatial axis."""

    output_size: tuple = ()  # none: that of the tensor in which indices count
    kernel: tuple = ()  # none: PyTorch's
    strides: tuple = ()
    pads: tuple = ()  # all begins, then all ends
    counting: Counting = Counting()
    zero_point: int = 0
    clamp: tuple = (-math.inf, math.inf)

    def index_space(self, sizes):
        """Spatial sizes of the tensor in which indices count."""
        if not self.kernel:
            return self.output_size
        ends = self.pads[len(sizes):]
        return tuple((n - 1) * s - begin - end + k for n, s, begin, end, k in
                     zip(sizes, self.strides, self.pads, ends, self.kernel))

    def output(self, sizes):
        return self.output_size or self.index_space(sizes)


def place_of(unpool, index, n, c, shape):
    """Coordinates that an index says, or None if it is not one of this plane."""
    space = unpool.index_space(shape[2:])
    plane, channels = math.prod(space), shape[1]
    if unpool.counting.mode == "nhwc":
        pixel, channel = divmod(index, channels)
        position = pixel - n * plane
        order = "0"
        if channel != c:
            return None
    else:
        base = (n * channels + c) * plane if unpool.counting.mode == "nchw" else 0
        position, order = index - base, unpool.counting.storage_order
    if not 0 <= position < plane:
        return None
    place = plane_coordinates(position, space, order)
    inside = all(at < size for at, size in zip(place, unpool.output(shape[2:])))
    return place if inside else None


def clamped(unpool, kind, y):
    if unpool.clamp == (-math.inf, math.inf):
        return y
    if kind in FLOATS:
        values = FLOATS[kind].values(y)
        low, high = nearest(unpool.clamp, FLOATS[kind])
        return FLOATS[kind].array(np.minimum(np.maximum(values, low), high))
    low, high = limits(kind)
    low = max(low, math.ceil(unpool.clamp[0]))
    high = min(high, math.floor(unpool.clamp[1]))
    return np.clip(y, low, high).astype(y.dtype)


def unpooled(unpool, kind, x, index):
    """y, or None if an index is wrong. All in N, C, spatial order."""
    y = np.full((*x.shape[:2], *unpool.output(x.shape[2:])), unpool.zero_point, dtype_of(kind))
    for at in np.ndindex(x.shape):
        if index[at] == -1:
            continue
        place = place_of(unpool, int(index[at]), *at[:2], x.shape)
        if place is None:
            return None
        y[(*at[:2], *place)] = x[at]
    return clamped(unpool, kind, y)
