"""`lanepool run` against the model of tool_model.py, on random shapes, attributes and targets.

LANEPOOL_TOOL_CASES says how many cases (default 1000), LANEPOOL_TOOL_SEED which.
"""

import os
import sys

import numpy as np
import pytest
from tool_model import first_wrong, output_shape
from tool_random_jobs import as_saved, options_of, random_pool, random_shape
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


def test_random_cases(folder):
    targets = succeed_json("info")["targets_supported"]
    refused = 0
    for case in range(CASES):
        random = np.random.default_rng([SEED, case])
        shape = random_shape(random)
        sizes = shape[2:]
        x = random_input(random, shape)
        pool = random_pool(random, len(sizes))
        layout = str(random.choice(["nchw", "nhwc"]))
        words = [*options_of(pool), "--layout", layout, "--target", str(random.choice(targets))]
        words += ["--threads", int(random.integers(1, 4))]
        folder.save(as_saved(x, layout))
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
