"""`lanepool run --op max --index-out` against the model of tool_index_model.py.

LANEPOOL_TOOL_CASES says how many random cases (default 1000; half of them are run), LANEPOOL_TOOL_SEED
which.
"""

import os
import sys
from itertools import product

import numpy as np
import pytest
from tool_index_model import Counting, first_wrong_index
from tool_random_jobs import (
    as_loaded,
    as_saved,
    options_of,
    random_elements,
    random_pool,
    random_shape,
)
from tool_support import folder, succeed_json  # noqa: F401
from tool_types import FLOATS, INTEGERS
from tool_windows import output_shape

CASES = int(os.environ.get("LANEPOOL_TOOL_CASES", "1000")) // 2
SEED = int(os.environ.get("LANEPOOL_TOOL_SEED", "1"))
KINDS = [*FLOATS, *INTEGERS]
MODES_AND_LAYOUTS = list(product(["nchw", "nhwc", "plane", "window"], ["nchw", "nhwc"]))
DTYPES = {"int32": np.int32, "int64": np.int64}


def run_with_index(folder, *words):
    """y and index, whose file is taken away again."""
    path = folder.path.parent / f"{folder.path.name}-index.npy"
    y = folder.run(*words, "--index-out", path)
    index = np.load(path)
    path.unlink()
    return y, index


def random_ties(random, pool, kind, shape):
    """Elements of which many are equal, rare ones too."""
    if random.random() < 0.5:
        return random_elements(random, pool, kind, shape)
    if kind not in FLOATS:
        return random.integers(0, 3, shape).astype(INTEGERS[kind])
    values = random.choice([0.0, -0.0, 1.0, -np.inf, np.inf, np.nan][: random.integers(2, 7)], shape)
    return FLOATS[kind].array(values)


def quantized_words(random, kind):
    """Scales move y; where the maximum is, is a matter of x."""
    if kind == "f32" and random.random() < 0.2:
        return ["--y-type", "s8", "--y-scale", "0.5"]
    if kind not in ("u8", "s8") or random.random() < 0.3:
        return []
    words = ["--x-scale", "0.01", "--y-scale", str(random.choice(["0.01", "0.5"]))]
    return words + ["--y-type", str(random.choice(["u8", "s8", "f32"]))]


def test_random_cases(folder):
    targets = succeed_json("info")["targets_supported"]
    seen = set()
    for case in range(CASES):
        random = np.random.default_rng([SEED, 2, case])
        kind = KINDS[case % len(KINDS)]
        shape = random_shape(random)
        pool = random_pool(random, shape[2:], ["max"])
        x = random_ties(random, pool, kind, shape)
        mode, layout = MODES_AND_LAYOUTS[case // len(KINDS) % len(MODES_AND_LAYOUTS)]
        counting = Counting(mode, str(random.choice(["0", "1"])))
        index_type = str(random.choice(list(DTYPES)))
        folder.save(as_saved(x, layout))
        words = [*options_of(pool), "--layout", layout, "--target", str(random.choice(targets))]
        words += ["--bf16"] if kind == "bf16" else quantized_words(random, kind)
        words += ["--threads", int(random.integers(1, 4))]
        options = ["--index-type", index_type, "--index-mode", counting.mode]
        options += ["--storage-order", counting.storage_order]
        where = f"case {case} of seed {SEED}, x {kind} {shape}: {' '.join(map(str, words + options))}"
        if min(output_shape(pool, shape[2:])) < 1:
            continue
        y, index = run_with_index(folder, *words, *options)
        assert index.dtype == DTYPES[index_type] and index.shape == y.shape, where
        assert y.tobytes() == folder.run(*words).tobytes(), where
        wrong = first_wrong_index(pool, kind, counting, x, as_loaded(index, layout))
        assert wrong is None, f"{where}: {wrong}"
        seen.add((kind, mode, layout))
    everything = len(KINDS) * len(MODES_AND_LAYOUTS)
    assert CASES < 500 or len(seen) == everything, "not every type came in every mode"


# --- cases that were worked out by hand ----------------------------------------------------------
NAN = np.nan
TIES = np.array([[5, 1, 5], [2, 5, 0], [5, 5, 1]], np.float32).reshape(1, 1, 3, 3)


@pytest.mark.parametrize("index_type", DTYPES)
@pytest.mark.parametrize(
    "options, indices",
    [
        ([], [0, 2, 4, 4]),
        (["--storage-order", "1"], [0, 6, 4, 4]),
        (["--index-mode", "nhwc"], [0, 2, 4, 4]),
        (["--index-mode", "window"], [0, 1, 1, 0]),
        (["--dialect", "torch"], [0, 2, 4, 4]),
        (["--strides", "2", "--pads", "1"], [0, 2, 6, 4]),
        (["--strides", "2", "--pads", "1", "--index-mode", "window"], [3, 3, 3, 0]),
    ],
)
def test_ties(folder, options, indices, index_type):
    folder.save(TIES)
    words = ["--op", "max", "--kernel", "2", "--index-type", index_type, *options]
    y, index = run_with_index(folder, *words)
    assert y.ravel().tolist() == [5, 5, 5, 5]
    assert index.ravel().tolist() == indices and index.dtype == DTYPES[index_type]


@pytest.mark.parametrize("order, indices", [("0", [1, 3, 5, 7]), ("1", [4, 6, 5, 7])])
def test_three_axes(folder, order, indices):
    folder.save(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))
    y, index = run_with_index(folder, "--op", "max", "--kernel", "1,1,2", "--storage-order", order)
    assert y.ravel().tolist() == [1, 3, 5, 7] and index.ravel().tolist() == indices
    assert index.dtype == np.int64, "the type that ONNX has is the default"


@pytest.mark.parametrize(
    "rule, y, indices",
    [
        ("propagate", [NAN, NAN, NAN, NAN], [1, 1, 3, 3]),
        ("ignore", [1, 2, 2, NAN], [0, 2, 2, 3]),
    ],
)
def test_nan(folder, rule, y, indices):
    folder.save(np.array([[[1, NAN, 2, NAN, NAN]]], np.float32))
    found, index = run_with_index(folder, "--op", "max", "--kernel", "2", "--nan-rule", rule)
    np.testing.assert_array_equal(found.ravel(), y)
    assert index.ravel().tolist() == indices


@pytest.mark.parametrize(
    "mode, layout, indices",
    [
        ("nchw", "nchw", [[0, 3], [4, 6]]),
        ("nchw", "nhwc", [[0, 3], [4, 6]]),
        ("nhwc", "nhwc", [[0, 6], [1, 5]]),
        ("nhwc", "nchw", [[0, 6], [1, 5]]),
        ("plane", "nhwc", [[0, 3], [0, 2]]),
    ],
)
def test_layouts_and_modes(folder, mode, layout, indices):
    folder.save(as_saved(np.array([[[9, 1, 2, 8], [7, 0, 6, 5]]], np.int16), layout))
    words = ["--op", "max", "--kernel", "2", "--strides", "2", "--layout", layout]
    _, index = run_with_index(folder, *words, "--index-mode", mode)
    assert as_loaded(index, layout).tolist() == [indices]


@pytest.mark.parametrize("kind", ["float16", "uint8", "int32", "float64"])
def test_empty_windows(folder, kind):
    folder.save(np.array([[[4, 3]]], kind))
    y, index = run_with_index(folder, "--op", "max", "--kernel", "2", "--pads", "2")
    assert index.ravel().tolist() == [-1, 0, 0, 1, -1]
    lowest = -np.inf if np.dtype(kind).kind == "f" else np.iinfo(kind).min
    assert y.ravel().tolist() == [lowest, 4, 4, 3, lowest]


@pytest.mark.parametrize("shape", [(0, 3, 4, 4), (2, 0, 4, 4)])
def test_nothing(folder, shape):
    folder.save(np.zeros(shape, np.float16))
    y, index = run_with_index(folder, "--op", "max", "--kernel", "2", "--index-type", "int32")
    assert y.shape == index.shape == (*shape[:2], 3, 3) and index.dtype == np.int32


def test_any_threads_and_target_give_the_same_bytes(folder):
    folder.save(np.random.default_rng(3).integers(0, 9, (2, 21, 33, 37)).astype(np.float32))
    words = ["--op", "max", "--kernel", "3", "--strides", "2", "--pads", "1"]
    first = [array.tobytes() for array in run_with_index(folder, *words)]
    options = [["--threads", threads] for threads in (2, 5)]
    options += [["--target", target] for target in succeed_json("info")["targets_supported"]]
    for option in options:
        assert [array.tobytes() for array in run_with_index(folder, *words, *option)] == first


# --- refusals ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options, says",
    [
        (["--op", "average"], "index_type"),
        (["--op", "min"], "index_type"),
        (["--op", "max", "--index-type", "int16"], "int32, int64"),
        (["--op", "max", "--index-mode", "hwc"], "nchw, nhwc, plane, window"),
        (["--op", "max", "--storage-order", "2"], "0, 1"),
        (["--op", "max", "--index-in", "i.npy"], "excludes --index-in"),
        (["--op", "max_unpool"], "--op max_unpool needs --index-in"),
    ],
)
def test_refusals(folder, options, says):
    folder.save(TIES)
    assert says in folder.refuse_run("--kernel", "2", *options, "--index-out", folder.path / "i.npy")


def test_a_type_for_no_file(folder):
    folder.save(TIES)
    line = folder.refuse_run("--op", "max", "--kernel", "2", "--index-type", "int32")
    assert "--index-out, which is missing" in line


def test_both_results_or_none(folder):
    folder.save(TIES)
    words = ["--op", "max", "--kernel", "2", "--index-out"]
    assert "the same file" in folder.refuse_run(*words, folder.y)
    folder.refuse_run(*words, folder.path / "missing" / "i.npy")


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
