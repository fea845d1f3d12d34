"""Random jobs for the command-line tool: what the tests of all element types have in common."""

import math

import numpy as np
from tool_types import BF16, F32, F64, FLOATS, INTEGERS, limits
from tool_windows import Pool

INTEGER_OPS = {"u16": ("average", "max", "min"), "s16": ("average", "max", "min")}
FLOAT_OPS = ("average", "max", "min", "sum", "lp")
LP_ORDERS = [1.0, 2.0, 3.0, 4.0, 1.5, 2.5, math.inf]


def ops_of(kind):
    """The ops of types whose elements stand for themselves."""
    return FLOAT_OPS if kind in FLOATS else INTEGER_OPS.get(kind, ("max", "min"))


def small_shape(random):
    """N, C and one to three small spatial sizes."""
    rank = int(random.integers(1, 4))
    sizes = [int(v) for v in random.integers(1, [40, 14, 8][rank - 1], rank)]
    return (int(random.integers(1, 3)), int(random.integers(1, 20)), *sizes)


def wide_shape(random):
    """More channels, or a longer last axis, than any vector has bytes."""
    wide = int(random.integers(65, 200))
    sizes = [int(v) for v in random.integers(1, 7, random.integers(1, 3))]
    if random.random() < 0.5:
        return (1, wide, *sizes)
    return (1, int(random.integers(1, 4)), *sizes[:-1], wide)


def large_shape(random):
    """Work for several threads, and rows of several vectors."""
    channels, height, width = (int(v) for v in random.integers([1, 10, 10], [100, 30, 70]))
    return (1, channels, height, width)


def random_shape(random):
    kinds = [small_shape, wide_shape, large_shape]
    return random.choice(kinds, p=[0.78, 0.2, 0.02])(random)


def random_windows(random, pool, sizes):
    """Sets what says where the windows are."""
    rank = len(sizes)
    numbers = lambda low, high, count=rank: tuple(int(v) for v in random.integers(low, high, count))
    # Half of the windows are of the kinds that networks use and libraries specialise.
    usual = random.random() < 0.5
    pool.kernel = (int(random.choice([2, 3, 5])),) * rank if usual else numbers(1, 6)
    if random.random() < 0.1:  # as large as the input, or more
        pool.kernel = tuple(int(k) for k in random.integers(1, np.array(sizes) + 3))
    pool.strides = (int(random.choice([1, 2])),) * rank if usual else numbers(1, 4)
    pool.dilations = numbers(1, 3) if random.random() < 0.4 else (1,) * rank
    pool.pads = numbers(0, 4, 2 * rank) if random.random() < 0.6 else (0,) * (2 * rank)
    pool.ceil_mode = str(random.choice(["0", "1", "keep"]))
    if random.random() < 0.3:
        pool.auto_pad = str(random.choice(["valid", "same_upper", "same_lower"]))
        pool.pads = (0,) * (2 * rank)


def random_pool(random, sizes, ops=("average", "max", "min")):
    pool = Pool(
        op=str(random.choice(ops)),
        divisor=str(random.choice(["exclude", "include", "full", "7"])),
        empty_window=str(random.choice(["zero", "nan"])),
    )
    random_windows(random, pool, sizes)
    if random.random() < 0.1:
        pool.is_global = True
    elif random.random() < 0.15:
        pool.adaptive = tuple(int(v) for v in random.integers(1, np.array(sizes) + 3))
    if pool.op in ("max", "min"):
        pool.nan = str(random.choice(["propagate", "ignore"]))
    return pool


def random_clamp(random, kind):
    """Ends that leave room, whole numbers or not, within the type or not."""
    if kind in FLOATS:
        low, high = sorted(random.uniform(-3, 3, 2))
        return float(low), math.inf if random.random() < 0.2 else float(high)
    first, second = sorted(int(v) for v in random.integers(*limits(kind), 2))
    return first - random.choice([0, 0.5, 1e6]), second + random.choice([0, 0.25, 1e6])


def random_job(random, kind, sizes):
    """Every op and option of a type without scales."""
    pool = random_pool(random, sizes, ops_of(kind))
    pool.rounding = str(random.choice(["half_even", "after_zero_point", "half_away"]))
    if random.random() < 0.2:
        pool.clamp = random_clamp(random, kind)
    if kind in FLOATS:
        pool.nan = str(random.choice(["propagate", "ignore"]))
        pool.lp_order = float(random.choice(LP_ORDERS))
        pool.strict_order = bool(random.random() < 0.2)
    if kind == "f32" and pool.op in ("average", "sum", "lp"):
        pool.accumulate_f64 = bool(random.random() < 0.2)
    return pool


def random_floats(random, pool, kind, shape):
    """Of several magnitudes, with rare values in some cases; powers of all of them are ordinary."""
    x = random.standard_normal(shape) * 10.0 ** random.integers(-3, 4)
    if random.random() < (0.8 if pool.nan == "ignore" else 0.3):
        specials = [np.nan, np.inf, -np.inf, 0.0, -0.0]
        if pool.op != "lp":
            specials += [1e-44, 1e30, -1e30] if kind in (F32, BF16, F64) else [6e-8, 6e4, -6e4]
        chosen = random.random(shape) < 0.2
        x[chosen] = random.choice(specials[: random.integers(1, 9)], size=int(chosen.sum()))
    return kind.array(x)


def random_elements(random, pool, kind, shape):
    """An array as a file of that type holds it."""
    if kind in FLOATS:
        return random_floats(random, pool, FLOATS[kind], shape)
    low, high = limits(kind)
    if random.random() < 0.3:  # equal taps and small sums, or all values
        low, high = max(low, -5), 5
    return random.integers(low, high + 1, shape).astype(INTEGERS[kind])


def joined(values):
    return ",".join(map(str, values))


def window_words(pool):
    if pool.is_global:
        return ["--global"]
    if pool.adaptive:
        return ["--adaptive", "--output-size", joined(pool.adaptive)]
    words = ["--kernel", joined(pool.kernel), "--strides", joined(pool.strides)]
    words += ["--dilations", joined(pool.dilations), "--pads", joined(pool.pads)]
    return words + ["--auto-pad", pool.auto_pad, "--ceil-mode", pool.ceil_mode]


def options_of(pool):
    words = ["--op", pool.op, *window_words(pool), "--nan-rule", pool.nan]
    words += ["--divisor", pool.divisor, "--empty-window", pool.empty_window]
    words += ["--lp-order", repr(pool.lp_order)] if pool.op == "lp" else []
    words += ["--clamp={!r},{!r}".format(*map(float, pool.clamp))] if pool.has_clamp() else []
    words += ["--strict-order"] if pool.strict_order else []
    return words + (["--accumulate-f64"] if pool.accumulate_f64 else [])


def as_saved(x, layout):
    """x, in N, C, spatial order, as a file of that layout has it."""
    return x if layout == "nchw" else np.ascontiguousarray(np.moveaxis(x, 1, -1))


def as_loaded(y, layout):
    """The other way round."""
    return y if layout == "nchw" else np.moveaxis(y, -1, 1)
