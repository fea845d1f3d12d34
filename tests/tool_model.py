"""Pooling by its definition (docs/semantics.md sections 3 to 6), for types without scales.

One window at a time, all channels of it at once: an opinion of its own about every result of the
tool. Each result has an interval: one value where the definition leaves no choice, otherwise what
the error bound of the documentation allows for any order of additions.
"""

import math

import numpy as np
from tool_types import F32, F64, FLOATS, limits, nearest
from tool_windows import divisor_of, windows_of


class Taps:
    """The taps of one window that are inside of x, in f64. Rows are batch and channels."""

    def __init__(self, pool, values, divisor):
        self.skipped = np.zeros(len(values), np.int64)
        self.values = values
        if pool.nan == "ignore" and pool.op not in ("max", "min"):
            nan = np.isnan(values)
            self.skipped = nan.sum(axis=1)
            self.values = np.where(nan, 0.0, values)
        self.count = values.shape[1] - self.skipped
        counts_nan = pool.divisor not in ("exclude", "include", "full")
        self.divisor = divisor - (0 if counts_nan else self.skipped)
        self.divisor = np.where(self.count == 0, 1, self.divisor)  # of a result that is NaN


def extreme(pool, values):
    """Maximum or minimum of each row; NaN propagates unless it is ignored."""
    choose, worst = (np.max, -np.inf) if pool.op == "max" else (np.min, np.inf)
    nan = np.isnan(values)
    chosen = choose(np.where(nan, worst, values), axis=1)
    gone = nan.all(axis=1) if pool.nan == "ignore" else nan.any(axis=1)
    return np.where(gone, np.nan, chosen)


def sums(values, kind):
    """The exact sum of each row, or what IEEE makes of infinities, and by how much it may be off."""
    with np.errstate(invalid="ignore"):
        total = np.sum(values, axis=1)
    magnitude = np.sum(np.abs(values), axis=1)
    if kind is not F64:
        return total, values.shape[1] * F64.unit * magnitude
    for row in np.flatnonzero(np.isfinite(magnitude)):
        total[row] = math.fsum(values[row])
    return total, F64.unit * np.abs(total)


def mean_interval(taps, kind, divides):
    """Average or sum, computed in `kind`."""
    total, off = sums(taps.values, kind)
    divisor = taps.divisor if divides else 1
    m, u = taps.count, kind.unit
    with np.errstate(invalid="ignore"):
        exact = total / divisor
        magnitude = np.sum(np.abs(taps.values), axis=1) / divisor
        reach = np.maximum(m - 1, 0) * u * magnitude / (1 - m * u) + off / divisor
        reach += (u + 2 * F64.unit) * np.abs(exact) + 2.0 ** (kind.least - 1)
        low, high = exact - reach, exact + reach
    finite = np.isfinite(magnitude)
    return np.where(finite, low, exact), np.where(finite, high, exact)


def mean_in_order(taps, kind, divides):
    """Average or sum as a plain loop over the taps has it."""
    with np.errstate(invalid="ignore"):
        total = np.add.accumulate(taps.values.astype(kind.dtype), axis=1)[:, -1]
        value = total / taps.divisor.astype(kind.dtype) if divides else total
    return value.astype(np.float64), value.astype(np.float64)


def lp_interval(pool, taps, kind):
    magnitudes = np.abs(taps.values)
    if math.isinf(pool.lp_order):
        norm = np.max(magnitudes, axis=1)
        return norm, norm
    p, m = pool.lp_order, taps.count
    powers, _ = sums(magnitudes**p, kind)
    norm = np.sqrt(powers) if p == 2 else powers ** (1 / p)
    error = (m + p + 4) * kind.unit
    if kind is F64 and p not in (1, 2):
        error = np.full(len(norm), 1e-12)
    with np.errstate(invalid="ignore"):
        low, high = norm * (1 - error), norm * (1 + error)
    finite = np.isfinite(norm)
    return np.where(finite, low, norm), np.where(finite, high, norm)


def lp_in_order(pool, taps, kind):
    """Only of the orders 1 and 2, whose steps are all IEEE operations."""
    values = np.abs(taps.values.astype(kind.dtype))
    if pool.lp_order == 1:
        total = np.add.accumulate(values, axis=1)[:, -1]
    else:
        total = np.sqrt(np.add.accumulate(values * values, axis=1)[:, -1])
    return total.astype(np.float64), total.astype(np.float64)


def float_interval(pool, kind, values, divisor):
    """The least and the greatest result that each row may have."""
    if pool.op in ("max", "min"):
        chosen = extreme(pool, values)
        return chosen, chosen
    taps = Taps(pool, values, divisor)
    inner = F64 if kind is F64 or pool.accumulate_f64 else F32
    in_order = pool.strict_order
    if pool.op == "lp":
        in_order = in_order and pool.lp_order in (1, 2)
        ends = (lp_in_order if in_order else lp_interval)(pool, taps, inner)
    else:
        ends = (mean_in_order if in_order else mean_interval)(taps, inner, pool.op == "average")
    if kind is not inner:
        ends = [nearest(end, kind) for end in ends]
    return [np.where(taps.count == 0, np.nan, end) for end in ends]


def rounded_mean(total, divisor, rounding):
    """total / divisor to the nearest whole number; `rounding` says what becomes of ties."""
    magnitude, rest = np.divmod(2 * np.abs(total) + divisor, 2 * divisor)
    if rounding != "half_away":
        magnitude = magnitude - ((rest == 0) & (magnitude % 2 == 1))
    return np.sign(total) * magnitude


def integers(pool, values, divisor):
    if pool.op in ("max", "min"):
        return (np.max if pool.op == "max" else np.min)(values, axis=1)
    return rounded_mean(np.sum(values, axis=1), divisor, pool.rounding)


def empty_value(pool, kind):
    """The result of a window without a tap inside of x."""
    if pool.op in ("max", "min"):
        return limits(kind)[0 if pool.op == "max" else 1]
    lonely = pool.op == "average" and pool.divisor == "exclude" and pool.empty_window == "nan"
    return math.nan if lonely and kind in FLOATS else 0


def interval(pool, kind, values, divisor):
    """The same of any type, clamped."""
    if values.shape[1] == 0:
        low = high = np.full(len(values), empty_value(pool, kind), np.float64)
    elif kind in FLOATS:
        low, high = float_interval(pool, FLOATS[kind], values, divisor)
    else:
        low = high = integers(pool, values, divisor).astype(np.float64)
    least, most = pool.clamp
    if kind in FLOATS:
        least, most = nearest(pool.clamp, FLOATS[kind])
    elif pool.has_clamp():
        least, most = np.ceil(least), np.floor(most)
    lowest, highest = limits(kind)
    least, most = max(least, lowest), min(most, highest)
    return [np.minimum(np.maximum(end, least), most) for end in (low, high)]


def values_of(kind, array):
    return FLOATS[kind].values(array) if kind in FLOATS else array.astype(np.int64)


def are_well_formed(pool, kind, values, elements):
    """A NaN has one form, and a maximum or minimum that is zero is +0."""
    if kind not in FLOATS:
        return np.ones(values.shape, bool)
    nan = np.isnan(values)
    good = ~nan | (elements.view(FLOATS[kind].bits) == FLOATS[kind].quiet_nan)
    if pool.op in ("max", "min"):
        good &= nan | (values != 0) | ~np.signbit(values)
    return good


def first_wrong(pool, kind, x, y):
    """x and y in N, C, spatial order, as files hold them. What is wrong about the first wrong
    element of y, or None."""
    rows = x.shape[0] * x.shape[1]
    x_values, y_values = values_of(kind, x), values_of(kind, y)
    for place, axes in windows_of(pool, x.shape[2:]):
        inside = np.ix_(*(np.array(axis.inside, np.intp) for axis in axes))
        taps = x_values[(slice(None), slice(None), *inside)].reshape(rows, -1)
        low, high = interval(pool, kind, taps, divisor_of(pool, axes))
        at = (slice(None), slice(None), *place)
        values, elements = y_values[at].ravel(), np.ascontiguousarray(y[at]).ravel()
        good = (low <= values) & (values <= high) | np.isnan(low) & np.isnan(values)
        good &= are_well_formed(pool, kind, values, elements)
        if not good.all():
            row = int(np.argmin(good))
            where = (*divmod(row, x.shape[1]), *place)
            return f"y{where} is {values[row]!r}, not {low[row]!r} to {high[row]!r}"
    return None
