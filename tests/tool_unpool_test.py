"""`lanepool run --op max_unpool` against the model of tool_index_model.py, and there and back.

LANEPOOL_TOOL_CASES says how many random cases (default 1000; a quarter of them is run),
LANEPOOL_TOOL_SEED which.
"""

import os
import sys

import numpy as np
import pytest
from tool_index_model import Counting, Unpool, unpooled
from tool_model import are_well_formed, values_of
from tool_random_jobs import as_loaded, as_saved, joined, random_clamp, random_elements
from tool_support import folder, succeed, succeed_json  # noqa: F401
from tool_types import FLOATS, INTEGERS, dtype_of
from tool_windows import Pool

CASES = int(os.environ.get("LANEPOOL_TOOL_CASES", "1000")) // 4
SEED = int(os.environ.get("LANEPOOL_TOOL_SEED", "1"))
KINDS = [*FLOATS, *INTEGERS]


def save_index(folder, index):
    path = folder.path.parent / f"{folder.path.name}-index.npy"
    np.save(path, index)
    return ["--index-in", path]


def random_counting(random):
    return Counting(str(random.choice(["nchw", "nhwc", "plane"])), str(random.choice(["0", "1"])))


def random_unpool(random, sizes):
    """PyTorch's kind, which says the size of y; ONNX's, which may say one that differs."""
    rank = len(sizes)
    size = lambda: tuple(int(v) for v in random.integers(1, 8, rank))
    if random.random() < 0.4:
        return Unpool(output_size=size(), counting=random_counting(random))
    kernel = tuple(int(v) for v in random.integers(1, 4, rank))
    strides = tuple(int(v) for v in random.integers(1, 4, rank))
    pads = (0,) * (2 * rank)
    if random.random() < 0.4:
        pads = tuple(int(random.integers(0, min(k, 2))) for k in kernel * 2)
    output_size = size() if random.random() < 0.4 else ()
    return Unpool(output_size, kernel, strides, pads, random_counting(random))


def random_index(random, unpool, shape, dtype):
    """Places in y, some of them several times, and some -1."""
    index = np.empty(shape, dtype)
    space = unpool.index_space(shape[2:])
    both = [min(pair) for pair in zip(space, unpool.output(shape[2:]))]
    plane, channels = int(np.prod(space)), shape[1]
    column_major = unpool.counting.storage_order == "1" and unpool.counting.mode != "nhwc"
    for at in np.ndindex(shape):
        place = tuple(int(random.integers(size)) for size in both)
        position = int(np.ravel_multi_index(place, space, order="F" if column_major else "C"))
        row = at[0] * channels + at[1]
        counted = {"nchw": row * plane + position, "plane": position,
                   "nhwc": (at[0] * plane + position) * channels + at[1]}
        index[at] = -1 if random.random() < 0.1 else counted[unpool.counting.mode]
    return index


def spoil(random, unpool, index, shape):
    """Makes one index wrong, and says where."""
    plane = int(np.prod(unpool.index_space(shape[2:])))
    space = plane * shape[0] * shape[1]
    at = tuple(int(random.integers(size)) for size in shape)
    far = int(np.iinfo(index.dtype).max)
    index[at] = random.choice([-2, plane if unpool.counting.mode == "plane" else space, far, -far - 1])
    return at


def words_of(unpool):
    words = ["--op", "max_unpool", "--index-mode", unpool.counting.mode]
    words += ["--storage-order", unpool.counting.storage_order]
    words += ["--output-size", joined(unpool.output_size)] if unpool.output_size else []
    if unpool.kernel:
        words += ["--kernel", joined(unpool.kernel), "--strides", joined(unpool.strides)]
        words += ["--pads", joined(unpool.pads)]
    words += ["--y-zero-point", str(unpool.zero_point)] if unpool.zero_point else []
    has_clamp = np.isfinite(unpool.clamp[0])
    return words + (["--clamp={!r},{!r}".format(*map(float, unpool.clamp))] if has_clamp else [])


def random_job(random, kind, sizes):
    unpool = random_unpool(random, sizes)
    changes = {}
    if kind in ("u8", "s8") and random.random() < 0.7:
        changes["zero_point"] = int(random.integers(1, 128))
    if random.random() < 0.2:
        changes["clamp"] = random_clamp(random, kind)
    return Unpool(**{**unpool.__dict__, **changes})


def assert_equal(kind, y, expected, where):
    assert y.dtype == expected.dtype and y.shape == expected.shape, where
    found = values_of(kind, y)
    np.testing.assert_array_equal(found, values_of(kind, expected), where)
    assert are_well_formed(Pool("max_unpool"), kind, found, np.ascontiguousarray(y)).all(), where


def test_random_cases(folder):
    targets = succeed_json("info")["targets_supported"]
    wrong = 0
    for case in range(CASES):
        random = np.random.default_rng([SEED, 3, case])
        kind = KINDS[case % len(KINDS)]
        rank = int(random.integers(1, 4))
        shape = tuple(int(v) for v in random.integers(1, [3, 9] + [6] * rank))
        unpool = random_job(random, kind, shape[2:])
        if min(unpool.index_space(shape[2:])) < 1:
            continue
        x = random_elements(random, Pool("max"), kind, shape)
        index = random_index(random, unpool, shape, random.choice([np.int32, np.int64]))
        is_wrong = random.random() < 0.2
        if is_wrong:
            spoil(random, unpool, index, shape)
        layout = str(random.choice(["nchw", "nhwc"]))
        folder.save(as_saved(x, layout))
        words = [*words_of(unpool), "--layout", layout, "--target", str(random.choice(targets))]
        words += ["--threads", int(random.integers(1, 4))] + (["--bf16"] if kind == "bf16" else [])
        where = f"case {case} of seed {SEED}, x {kind} {shape}: {' '.join(map(str, words))}"
        words += save_index(folder, as_saved(index, layout))
        expected = unpooled(unpool, kind, x, index)
        assert (expected is None) == is_wrong, where
        if is_wrong:
            wrong += 1
            folder.y.unlink(missing_ok=True)
            assert "(INDEX)" in folder.refuse_run(*words), where
        else:
            assert_equal(kind, as_loaded(folder.run(*words), layout), expected, where)
    assert wrong >= CASES / 10, "too few wrong indices"


@pytest.mark.parametrize("kind", ["float32", "float16", "float64", "uint8", "int8", "uint16", "int32"])
@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("counting", [[], ["--dialect", "torch"], ["--storage-order", "1"],
                                      ["--index-mode", "nhwc", "--index-type", "int32"]])
def test_there_and_back(folder, kind, layout, counting):
    """Windows that do not overlap: unpooled maxima are x where they came from, and 0 elsewhere."""
    random = np.random.default_rng(4)
    planes = [random.permutation(48) - (0 if kind[0] == "u" else 24) for _ in range(2 * 3)]
    x = np.array(planes).astype(kind).reshape(2, 3, 6, 8)
    saved, pooled, index = (folder.path / name for name in ("saved.npy", "pooled.npy", "index.npy"))
    np.save(saved, as_saved(x, layout))
    windows = ["--kernel", "2", "--strides", "2", "--layout", layout]
    succeed("run", "--op", "max", "--in", saved, "--out", pooled, "--index-out", index, *windows,
            *counting)
    back = [word for word in counting if word not in ("--index-type", "int32")]
    succeed("run", "--op", "max_unpool", "--in", pooled, "--index-in", index, "--out", folder.y,
            *windows, *back)
    tiles = x.reshape(2, 3, 3, 2, 4, 2)
    kept = np.where(tiles == tiles.max(axis=(3, 5), keepdims=True), tiles, 0).reshape(x.shape)
    assert np.array_equal(as_loaded(np.load(folder.y), layout), kept)


# --- cases that were worked out by hand ----------------------------------------------------------
def unpool(folder, x, index, *words):
    folder.save(np.array([[x]], np.float32))
    return folder.run("--op", "max_unpool", *save_index(folder, np.array([[index]])), *words)


def test_the_last_one_wins(folder):
    y = unpool(folder, [1, 2, 3, 4], [2, 0, 2, -1], "--output-size", "3")
    assert y.tolist() == [[[2, 0, 3]]]


def test_output_size_of_another_shape(folder):
    """The example of the ONNX operator: positions in 4x4, written into 5x5."""
    x, index = [[5, 6], [7, 8]], [[5, 7], [13, 15]]
    words = ["--kernel", "2", "--strides", "2"]
    inferred = unpool(folder, x, index, *words)
    assert inferred.tolist() == [[[[0] * 4, [0, 5, 0, 6], [0] * 4, [0, 7, 0, 8]]]]
    given = unpool(folder, x, index, *words, "--output-size", "5")
    assert given.tolist() == [[[[0] * 5, [0, 5, 0, 6, 0], [0] * 5, [0, 7, 0, 8, 0], [0] * 5]]]


def test_an_index_outside_of_a_smaller_output(folder):
    folder.save(np.ones((1, 1, 2), np.float32))
    words = ["--op", "max_unpool", "--kernel", "2", "--strides", "2", "--output-size", "3"]
    assert folder.run(*words, *save_index(folder, np.array([[[1, 2]]]))).tolist() == [[[0, 1, 1]]]
    folder.y.unlink()
    assert "(INDEX)" in folder.refuse_run(*words, *save_index(folder, np.array([[[1, 3]]])))


@pytest.mark.parametrize("shape", [(0, 3, 4), (2, 0, 4)])
def test_nothing(folder, shape):
    folder.save(np.zeros(shape, np.float32))
    words = save_index(folder, np.zeros(shape, np.int64))
    assert folder.run("--op", "max_unpool", "--output-size", "9", *words).shape == (*shape[:2], 9)


# --- refusals ------------------------------------------------------------------------------------
GOOD = np.zeros((1, 1, 2), np.int64)


@pytest.mark.parametrize(
    "index, says",
    [
        (GOOD.astype(np.float32), "indices are s32 or s64, not f32"),
        (GOOD.astype(np.int16), "indices are s32 or s64, not s16"),
        (GOOD.reshape(1, 2, 1), "the shape (1,2,1) is not (1,1,2)"),
        (GOOD[:, :, :1], "the shape (1,1,1) is not (1,1,2)"),
        (GOOD + 3, "(INDEX)"),
        (GOOD - 2, "(INDEX)"),
    ],
)
def test_index_files_that_are_refused(folder, index, says):
    folder.save(np.ones((1, 1, 2), np.float32))
    words = save_index(folder, index)
    line = folder.refuse_run("--op", "max_unpool", "--output-size", "3", *words)
    assert says in line and str(words[1]) in line


@pytest.mark.parametrize(
    "options, says",
    [
        (["--op", "max", "--kernel", "2"], "--index-in is for --op max_unpool"),
        (["--op", "max_unpool"], "output_size"),
        (["--op", "max_unpool", "--output-size", "2,2"], "--output-size has 2 numbers"),
        (["--op", "max_unpool", "--output-size", "-1"], "DIM"),
        (["--op", "max_unpool", "--output-size", "3", "--index-mode", "window"], "POLICY"),
        (["--op", "max_unpool", "--output-size", "3", "--index-type", "int64"], "--index-type"),
        (["--op", "max_unpool", "--output-size", "3", "--global"], "FLAG"),
        (["--op", "max_unpool", "--output-size", "3", "--strict-order"], "FLAG"),
        (["--op", "max_unpool", "--kernel", "2", "--dilations", "2"], "DILATION"),
        (["--op", "max_unpool", "--kernel", "2", "--auto-pad", "valid"], "AUTO_PAD"),
    ],
)
def test_options_that_are_refused(folder, options, says):
    folder.save(np.ones((1, 1, 2), np.float32))
    assert says in folder.refuse_run(*options, *save_index(folder, GOOD))


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
