"""`lanepool run` against the model of tool_model.py, on random shapes, attributes and targets.

LANEPOOL_TOOL_CASES says how many cases (default 1000), LANEPOOL_TOOL_SEED which.
"""

import os
import sys

import numpy as np
import pytest
from tool_model import Pool, first_wrong, output_shape
from tool_support import folder, succeed_json  # noqa: F401

CASES = int(os.environ.get("LANEPOOL_TOOL_CASES", "1000"))
SEED = int(os.environ.get("LANEPOOL_TOOL_SEED", "1"))
QUIET_NAN = 0x7FC00000


def random_input(random, shape):
    x = (random.standard_normal(shape) * 10.0 ** random.integers(-3, 4)).astype(np.float32)
    if random.random() < 0.3:
        specials = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-44, 1e30, -1e30], np.float32)
        chosen = random.random(shape) < 0.2
        x[chosen] = random.choice(specials[: random.integers(1, 9)], size=int(chosen.sum()))
    return x


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


def test_random_cases(folder):
    targets = succeed_json("info")["targets_supported"]
    refused = 0
    for case in range(CASES):
        random = np.random.default_rng([SEED, case])
        rank = int(random.integers(1, 4))
        sizes = [int(v) for v in random.integers(1, [40, 14, 8][rank - 1], rank)]
        x = random_input(random, (int(random.integers(1, 3)), int(random.integers(1, 20)), *sizes))
        pool = random_pool(random, rank)
        layout = str(random.choice(["nchw", "nhwc"]))
        words = [*options_of(pool), "--layout", layout, "--target", str(random.choice(targets))]
        words += ["--threads", int(random.integers(1, 4))]
        folder.save(x if layout == "nchw" else np.ascontiguousarray(np.moveaxis(x, 1, -1)))
        where = f"case {case} of seed {SEED}, x {x.shape}: {' '.join(map(str, words))}"
        if min(output_shape(pool, sizes)) < 1:
            refused += 1
            assert "EMPTY_OUTPUT" in folder.refuse_run(*words), where
            continue
        y = folder.run(*words)
        y = y if layout == "nchw" else np.moveaxis(y, -1, 1)
        assert y.shape == (*x.shape[:2], *output_shape(pool, sizes)), where
        assert (y[np.isnan(y)].view(np.uint32) == QUIET_NAN).all(), where
        wrong = first_wrong(pool, x, y)
        assert wrong is None, f"{where}: y{wrong} is {y[wrong]}"
    assert refused < CASES / 4, "too few cases compute anything"


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
