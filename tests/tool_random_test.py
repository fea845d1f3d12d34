"""`lanepool run` against the model of tool_model.py: every op of every type without scales, on random
shapes, attributes and targets.

LANEPOOL_TOOL_CASES says how many cases (default 1000), LANEPOOL_TOOL_SEED which.
"""

import os
import sys

import numpy as np
import pytest
from tool_model import first_wrong
from tool_random_jobs import (
    as_loaded,
    as_saved,
    ops_of,
    options_of,
    random_elements,
    random_job,
    random_shape,
)
from tool_support import folder, succeed_json  # noqa: F401
from tool_types import FLOATS, INTEGERS, dtype_of
from tool_windows import output_shape

CASES = int(os.environ.get("LANEPOOL_TOOL_CASES", "1000"))
SEED = int(os.environ.get("LANEPOOL_TOOL_SEED", "1"))
KINDS = [*FLOATS, *(kind for kind in INTEGERS if kind not in ("u8", "s8"))]


def save(folder, random, kind, x):
    """What the command line must say about the file."""
    if kind != "bf16":
        folder.save(x)
        return []
    if random.random() < 0.5:
        folder.save(x.view(np.dtype("V2")))
        return []
    folder.save(x)
    return ["--bf16"]


def test_random_cases(folder):
    targets = succeed_json("info")["targets_supported"]
    refused, seen = 0, {}
    for case in range(CASES):
        random = np.random.default_rng([SEED, case])
        kind = KINDS[case % len(KINDS)]
        shape = random_shape(random)
        sizes = shape[2:]
        pool = random_job(random, kind, sizes)
        x = random_elements(random, pool, kind, shape)
        layout = str(random.choice(["nchw", "nhwc"]))
        words = [*options_of(pool), "--layout", layout, "--target", str(random.choice(targets))]
        words += ["--rounding", pool.rounding, "--threads", int(random.integers(1, 4))]
        words += save(folder, random, kind, as_saved(x, layout))
        where = f"case {case} of seed {SEED}, x {kind} {shape}: {' '.join(map(str, words))}"
        if min(output_shape(pool, sizes)) < 1:
            refused += 1
            assert "EMPTY_OUTPUT" in folder.refuse_run(*words), where
            continue
        y = as_loaded(folder.run(*words), layout)
        assert y.shape == (*shape[:2], *output_shape(pool, sizes)), where
        is_void = kind == "bf16" and "--bf16" not in words
        assert y.dtype == (np.dtype("V2") if is_void else dtype_of(kind)), where
        y = np.ascontiguousarray(y).view(dtype_of(kind))
        wrong = first_wrong(pool, kind, x, y)
        assert wrong is None, f"{where}: {wrong}"
        seen[kind, pool.op] = seen.get((kind, pool.op), 0) + 1
    assert refused < CASES / 4, "too few cases compute anything"
    assert CASES < 1000 or set(seen) == {(kind, op) for kind in KINDS for op in ops_of(kind)}
    print(f"\n{CASES} cases, {refused} of them without an output:", seen)


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
