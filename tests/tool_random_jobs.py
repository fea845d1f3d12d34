"""Random jobs for the command-line tool: what the tests of all element types have in common."""

import numpy as np
from tool_model import Pool


def random_shape(random):
    """N, C and one to three small spatial sizes."""
    rank = int(random.integers(1, 4))
    sizes = [int(v) for v in random.integers(1, [40, 14, 8][rank - 1], rank)]
    return (int(random.integers(1, 3)), int(random.integers(1, 20)), *sizes)


def random_wide_shape(random):
    """More channels, or a longer last axis, than any vector has bytes."""
    wide = int(random.integers(65, 200))
    sizes = [int(v) for v in random.integers(1, 7, random.integers(1, 3))]
    if random.random() < 0.5:
        return (1, wide, *sizes)
    return (1, int(random.integers(1, 4)), *sizes[:-1], wide)


def random_pool(random, rank):
    numbers = lambda low, high, count=rank: tuple(int(v) for v in random.integers(low, high, count))
    # Half of the windows are of the kinds that networks use and libraries specialise.
    usual = random.random() < 0.5
    pool = Pool(
        op=str(random.choice(["average", "max"])),
        kernel=(int(random.choice([2, 3, 5])),) * rank if usual else numbers(1, 6),
        strides=(int(random.choice([1, 2])),) * rank if usual else numbers(1, 4),
        dilations=numbers(1, 3) if random.random() < 0.4 else (1,) * rank,
        pads=numbers(0, 4, 2 * rank) if random.random() < 0.6 else (0,) * (2 * rank),
        ceil_mode=str(random.choice(["0", "1", "keep"])),
        divisor=str(random.choice(["exclude", "include", "full", "7"])),
        empty_window=str(random.choice(["zero", "nan"])),
    )
    if random.random() < 0.3:
        pool.auto_pad = str(random.choice(["valid", "same_upper", "same_lower"]))
        pool.pads = (0,) * (2 * rank)
    if pool.op == "max":
        pool.nan = str(random.choice(["propagate", "ignore"]))
    return pool


def options_of(pool):
    joined = lambda values: ",".join(map(str, values))
    words = ["--op", pool.op, "--kernel", joined(pool.kernel), "--strides", joined(pool.strides)]
    words += ["--dilations", joined(pool.dilations), "--pads", joined(pool.pads)]
    words += ["--auto-pad", pool.auto_pad, "--ceil-mode", pool.ceil_mode, "--nan", pool.nan]
    return words + ["--divisor", pool.divisor, "--empty-window", pool.empty_window]


def as_saved(x, layout):
    """x, in N, C, spatial order, as a file of that layout has it."""
    return x if layout == "nchw" else np.ascontiguousarray(np.moveaxis(x, 1, -1))
