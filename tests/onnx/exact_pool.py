"""Pooling with numpy, far wider than any element type: every window is gathered tap by tap
(docs/semantics.md, sections 2 to 6), with no loop, sum or order that the library has."""

import dataclasses
import math

import numpy as np

WIDE = np.longdouble  # 64 bits of mantissa on x86-64


@dataclasses.dataclass
class Axis:
    """Which taps each output of one axis has; arrays of output x kernel."""

    size: int
    positions: np.ndarray
    counted: np.ndarray  # inside the input or its pads

    @property
    def inside(self):
        return (self.positions >= 0) & (self.positions < self.size)


def strided_axis(size, output, kernel, stride=1, dilation=1, pads=(0, 0)):
    starts = np.arange(output) * stride - pads[0]
    positions = starts[:, None] + np.arange(kernel) * dilation
    return Axis(size, positions, positions < size + pads[1])


def whole_axis(size):
    return strided_axis(size, 1, size)


def adaptive_axis(size, output):
    begins = np.arange(output) * size // output
    ends = -(-(np.arange(output) + 1) * size // output)
    positions = begins[:, None] + np.arange(max(ends - begins))
    positions = np.where(positions < ends[:, None], positions, -1)
    return Axis(size, positions, positions >= 0)


def _combine(arrays, operation):
    """output x kernel arrays of all axes -> outputs..., all taps in row-major order."""
    rank = len(arrays)
    result = 0 if operation is np.add else True
    for i, array in enumerate(arrays):
        shape = [1] * (2 * rank)
        shape[i], shape[rank + i] = array.shape
        result = operation(result, array.reshape(shape))
    return result.reshape(*result.shape[:rank], -1)


class Windows:
    """The taps of all windows of x, which is N, C, spatial axes."""

    def __init__(self, x, axes):
        self.x, self.axes = x, axes
        self.inside = _combine([axis.inside for axis in axes], np.logical_and)
        self.plane_positions = self.positions()
        planes = x.reshape(*x.shape[:2], -1)
        self.taps = planes[:, :, np.where(self.inside, self.plane_positions, 0)]

    def positions(self, column_major=False):
        """Of each tap in its plane; what padding has is no position."""
        axes = self.axes if column_major else self.axes[::-1]
        steps, step = [], 1
        for axis in axes:
            steps.append(step)
            step *= axis.size
        steps = steps if column_major else steps[::-1]
        return _combine([axis.positions * s for axis, s in zip(self.axes, steps)], np.add)

    def counts(self, divisor):
        """The divisor of each window: "inside", "counted", "kernel", or a number."""
        if divisor == "inside":
            return self.inside.sum(axis=-1)
        if divisor == "counted":
            return _combine([axis.counted for axis in self.axes], np.logical_and).sum(axis=-1)
        number = math.prod(axis.positions.shape[1] for axis in self.axes)
        return np.full(self.inside.shape[:-1], number if divisor == "kernel" else divisor)

    def fold(self, function, outside):
        """function of the taps inside, as wide numbers; taps outside are `outside`."""
        return function(np.where(self.inside, self.taps.astype(WIDE), WIDE(outside)))

    def sums(self):
        return self.fold(lambda taps: taps.sum(axis=-1), 0)

    def absolute_sums(self):
        return self.fold(lambda taps: np.abs(taps).sum(axis=-1), 0)

    def averages(self, divisor="inside"):
        """An empty window has a sum of 0, and that average."""
        return self.sums() / np.maximum(self.counts(divisor), 1)

    def norms(self, p):
        if math.isinf(p):
            return self.fold(lambda taps: np.abs(taps).max(axis=-1), 0)
        return self.fold(lambda taps: (np.abs(taps) ** p).sum(axis=-1), 0) ** (WIDE(1) / WIDE(p))

    def greatest(self):
        """Of x's own type."""
        dtype = self.x.dtype
        lowest = np.iinfo(dtype).min if dtype.kind in "iu" else -math.inf
        return self.fold(lambda taps: taps.max(axis=-1), lowest).astype(dtype)

    def first_greatest(self):
        """The number of the first tap inside that is the maximum; NaN is greater than all."""
        taps = self.fold(lambda taps: taps, -math.inf)
        is_greatest = self.inside & ((taps == taps.max(axis=-1, keepdims=True)) | np.isnan(taps))
        is_nan = np.isnan(taps)
        is_greatest = np.where(is_nan.any(axis=-1, keepdims=True), is_nan, is_greatest)
        return np.where(is_greatest.any(axis=-1), is_greatest.argmax(axis=-1), -1)

    def plane_indices(self, column_major=False):
        """The position of first_greatest() in the channel's plane; -1 for an empty window."""
        first = self.first_greatest()
        shape = first.shape + self.inside.shape[-1:]
        positions = np.broadcast_to(self.positions(column_major), shape)
        found = np.take_along_axis(positions, np.maximum(first, 0)[..., None], axis=-1)[..., 0]
        return np.where(first < 0, -1, found)

    def tensor_indices(self, column_major=False):
        """The same in the flattened NCHW tensor."""
        batch, channels = self.x.shape[:2]
        plane = math.prod(self.x.shape[2:])
        base = np.arange(batch * channels).reshape([batch, channels] + [1] * (self.x.ndim - 2))
        indices = self.plane_indices(column_major)
        return np.where(indices < 0, -1, indices + base * plane)


def rational_means(sums, counts, rounding):
    """Integer sums / counts, rounded "even" or "away" from zero where it is a tie."""
    sums, counts = sums.astype(np.int64), np.maximum(counts, 1).astype(np.int64)
    floor, rest = np.divmod(sums, counts)
    up = 2 * rest > counts
    tie = 2 * rest == counts
    up_on_tie = (floor & 1 == 1) if rounding == "even" else floor >= 0
    return floor + (up | (tie & up_on_tie))


def unpooled(x, indices, shape, sizes):
    """x at its positions of a flattened tensor with the spatial sizes `sizes`, the rest 0, in a
    tensor of `shape`."""
    y = np.zeros(shape, x.dtype)
    places = np.stack(np.unravel_index(indices.ravel(), (*shape[:2], *sizes)))
    for place, value in zip(places.T, x.ravel()):
        y[tuple(place)] = value
    return y
