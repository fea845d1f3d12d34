"""Quantized pooling by its definition (docs/semantics.md section 7), in whole numbers and fractions.

One window at a time, no rounding but the one that the definition asks for: an opinion of its own
about every result of the tool. Results must be equal, not near.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from tool_model import empty_value
from tool_types import dtype_of, limits
from tool_windows import divisor_of, windows_of

LIMITS = {kind: limits(kind) for kind in ("u8", "s8")}
NUMPY_TYPES = {kind: dtype_of(kind) for kind in ("u8", "s8", "f32")}


@dataclass(frozen=True)
class Side:
    """What the elements of x or y are. For f32 scale and zero point mean nothing."""

    type: str
    scales: tuple = (1.0,)  # one, or one for each channel; values that f32 has
    zero_points: tuple = (0,)

    def scale(self, c):
        return Fraction(self.scales[c % len(self.scales)])

    def zero_point(self, c):
        return self.zero_points[c % len(self.zero_points)]


@dataclass(frozen=True)
class Quantization:
    x: Side
    y: Side
    rounding: str = "half_even"
    clamp: tuple = (-math.inf, math.inf)

    def has_clamp(self):
        return self.clamp != (-math.inf, math.inf)


def half_away(v):
    magnitude = math.floor(abs(v) + Fraction(1, 2))
    return magnitude if v >= 0 else -magnitude


@lru_cache(maxsize=1 << 16)
def requantized(v, zero_point, rounding):
    """v: a fraction, the result in units of y's scale. Not yet saturated."""
    if rounding == "half_even":
        return round(v) + zero_point  # Python rounds fractions half to even
    return round(v + zero_point) if rounding == "after_zero_point" else half_away(v + zero_point)


@lru_cache(maxsize=1 << 16)
def nearest_f32(exact):
    """The f32 nearest to a fraction, ties to even, as a Python float."""
    if exact == 0:
        return 0.0
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - 23, -149)  # of the last bit; subnormals share theirs
    nearest = round(magnitude / unit) * unit
    value = math.inf if nearest >= Fraction(2) ** 128 else float(nearest)
    return math.copysign(value, exact)


def pooled_f32(pool, taps, divisor):
    """What f32 gives for taps whose sums are exact in f32, as those of small integers are."""
    if taps.size == 0:
        return empty_value(pool, "f32")
    values = taps.astype(np.float64)
    if pool.op in ("max", "min"):
        if pool.nan == "ignore" and not np.isnan(values).all():
            values = values[~np.isnan(values)]
        return float(np.max(values) if pool.op == "max" else np.min(values))
    with np.errstate(invalid="ignore"):
        total = float(np.sum(values))
    return nearest_f32(Fraction(total) / divisor) if math.isfinite(total) else total


def saturated(q, value):
    """`value`: a whole number or an infinity."""
    low, high = LIMITS[q.y.type]
    in_type = min(max(value, low), high)
    clamp_low, clamp_high = q.clamp
    if clamp_low > in_type:
        return math.ceil(clamp_low)
    return math.floor(clamp_high) if clamp_high < in_type else in_type


def quantized(q, c, real):
    """y for a result that is an f32."""
    if math.isnan(real):
        return saturated(q, q.y.zero_point(c))
    if math.isinf(real):
        return saturated(q, real)
    v = Fraction(real) / q.y.scale(c)
    return saturated(q, requantized(v, q.y.zero_point(c), q.rounding))


def pooled(pool, q, c, taps, divisor):
    """y for the taps of a window of channel c that are inside of x."""
    if q.x.type == "f32":
        return quantized(q, c, pooled_f32(pool, taps, divisor))
    if taps.size == 0:
        if q.y.type == "f32":
            return pooled_f32(pool, taps, divisor)
        empty = q.y.zero_point(c) if pool.op == "average" else empty_value(pool, q.y.type)
        return saturated(q, empty)
    integers = taps.astype(np.int64)
    if pool.op in ("max", "min"):
        extreme = integers.max() if pool.op == "max" else integers.min()
        total, divisor = int(extreme) - q.x.zero_point(c), 1
    else:
        total = int(integers.sum()) - taps.size * q.x.zero_point(c)
    real = Fraction(total, divisor) * q.x.scale(c)
    if q.y.type == "f32":
        return nearest_f32(real)
    return saturated(q, requantized(real / q.y.scale(c), q.y.zero_point(c), q.rounding))


def is_equal(expected, value):
    return value == expected or (math.isnan(expected) and math.isnan(value))


def first_wrong(pool, q, x, y):
    """x and y in N, C, spatial order. The index of the first wrong element of y, and what it should
    be, or None."""
    for place, axes in windows_of(pool, x.shape[2:]):
        inside = np.ix_(*(np.array(axis.inside, np.intp) for axis in axes))
        divisor = divisor_of(pool, axes)
        for n, c in itertools.product(range(x.shape[0]), range(x.shape[1])):
            expected = pooled(pool, q, c, x[n, c][inside].ravel(), divisor)
            if not is_equal(expected, y[(n, c, *place)].item()):
                return (n, c, *place), expected
    return None


def first_wrong_of_f32(q, real, y):
    """The same for a y that was made of the f32 results `real`, whatever those are."""
    for place in np.ndindex(y.shape):
        expected = quantized(q, place[1], real[place].item())
        if expected != y[place].item():
            return place, expected
    return None
