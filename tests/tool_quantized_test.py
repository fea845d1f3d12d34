"""`lanepool run` of quantized types, against the exact model of tool_quantized_model.py.

LANEPOOL_TOOL_CASES says how many random cases (default 1000), LANEPOOL_TOOL_SEED which.
"""

import os
import sys
from dataclasses import replace

import numpy as np
import pytest
from tool_model import first_wrong as first_wrong_unscaled
from tool_quantized_model import (
    LIMITS,
    NUMPY_TYPES,
    Quantization,
    Side,
    first_wrong,
    first_wrong_of_f32,
)
from tool_random_jobs import (
    as_loaded,
    as_saved,
    options_of,
    random_clamp,
    random_pool,
    random_shape,
)
from tool_support import folder, succeed_json  # noqa: F401
from tool_windows import Pool, output_shape

CASES = int(os.environ.get("LANEPOOL_TOOL_CASES", "1000"))
SEED = int(os.environ.get("LANEPOOL_TOOL_SEED", "1"))
PAIRS = [(x, y) for x in NUMPY_TYPES for y in NUMPY_TYPES if (x, y) != ("f32", "f32")]
ROUNDINGS = ["half_even", "after_zero_point", "half_away"]
EXTREME_SCALES = [1e12, 1e-3, 1e-41, 1.4e-45, 3.4028235e38, 1.1754944e-38]


def random_scale_pair(random):
    """A scale of x and one of y."""
    x = 10.0 ** random.uniform(-3, 1)
    kind = random.choice(["equal", "powers", "unrelated", "extreme"], p=[0.3, 0.2, 0.4, 0.1])
    if kind == "equal":
        return x, x
    if kind == "powers":
        return 2.0 ** random.integers(-6, 4), 2.0 ** random.integers(-6, 4)
    if kind == "unrelated":
        return x, x * random.uniform(0.3, 2)
    return random.choice(EXTREME_SCALES), random.choice(EXTREME_SCALES)


def random_zero_point(random, kind):
    low, high = LIMITS.get(kind, (0, 0))
    usual = random.random() < 0.6
    return int(random.choice([low, 0, (low + high + 1) // 2, high])
               if usual else random.integers(low, high + 1))


def random_sides(random, x_type, y_type, channels):
    """Each list of a quantized side has an entry for each channel in a third of the cases."""
    pairs = [random_scale_pair(random) for _ in range(channels)]
    sides = []
    for which, kind in enumerate((x_type, y_type)):
        if kind == "f32":
            sides.append(Side(kind))
            continue
        scales = tuple(float(np.float32(pair[which])) for pair in pairs)
        zero_points = tuple(random_zero_point(random, kind) for _ in range(channels))
        sides.append(Side(kind, scales if random.random() < 0.33 else scales[:1],
                          zero_points if random.random() < 0.33 else zero_points[:1]))
    return sides


def random_quantization(random, channels):
    x_type, y_type = PAIRS[random.integers(len(PAIRS))]
    x, y = random_sides(random, x_type, y_type, channels)
    q = Quantization(x, y, str(random.choice(ROUNDINGS)))
    if y_type != "f32" and random.random() < 0.2:
        q = replace(q, clamp=random_clamp(random, y_type))
    return q


def random_integers(random, q, shape):
    """All values, or those around the zero point, of which averages seldom saturate."""
    low, high = LIMITS[q.x.type]
    if random.random() < 0.5:
        center = q.x.zero_points[0]
        spread = int(random.integers(1, 100))
        low, high = max(low, center - spread), min(high, center + spread)
    return random.integers(low, high + 1, shape).astype(NUMPY_TYPES[q.x.type])


def random_small_floats(random, shape):
    """Floats whose sums are exact, NaN and infinities among them."""
    x = random.integers(-300, 301, shape).astype(np.float32) * np.float32(2.0 ** random.integers(-4, 5))
    if random.random() < 0.3:
        chosen = random.random(shape) < 0.1
        x[chosen] = random.choice([np.nan, np.inf, -np.inf], int(chosen.sum()))
    return x


def save_channels(folder, name, values, dtype):
    path = folder.path.parent / f"{folder.path.name}-{name}.npy"
    np.save(path, np.array(values, dtype))
    return path


def words_of_side(folder, random, side, letter):
    if side.type == "f32":
        return []
    scale, zero_point = repr(side.scales[0]), side.zero_points[0]
    if len(side.scales) > 1:
        scale = save_channels(folder, letter + "-scales", side.scales, np.float32)
    if len(side.zero_points) > 1:
        dtype = random.choice([np.int32, NUMPY_TYPES[side.type]])
        zero_point = save_channels(folder, letter + "-zero-points", side.zero_points, dtype)
    return [f"--{letter}-scale", scale, f"--{letter}-zero-point", zero_point]


def words_of(folder, random, q):
    words = ["--y-type", q.y.type, "--rounding", q.rounding]
    words += words_of_side(folder, random, q.x, "x") + words_of_side(folder, random, q.y, "y")
    return words + (["--clamp={!r},{!r}".format(*map(float, q.clamp))] if q.has_clamp() else [])


def run(folder, layout, *words):
    return as_loaded(folder.run("--layout", layout, *words), layout)


def test_random_cases(folder):
    targets = succeed_json("info")["targets_supported"]
    refused, seen = 0, set()
    for case in range(CASES):
        random = np.random.default_rng([SEED, case])
        shape = random_shape(random)
        q = random_quantization(random, shape[1])
        pool = random_pool(random, shape[2:])
        is_float = q.x.type == "f32"
        x = random_small_floats(random, shape) if is_float else random_integers(random, q, shape)
        layout = str(random.choice(["nchw", "nhwc"]))
        words = [*options_of(pool), *words_of(folder, random, q)]
        words += ["--target", str(random.choice(targets)), "--threads", int(random.integers(1, 4))]
        folder.save(as_saved(x, layout))
        where = f"case {case} of seed {SEED}, x {q.x.type} {shape}, {layout}: "
        where += " ".join(map(str, words)) + f" ({q})"
        if min(output_shape(pool, shape[2:])) < 1:
            refused += 1
            assert "EMPTY_OUTPUT" in folder.refuse_run("--layout", layout, *words), where
            continue
        y = run(folder, layout, *words)
        assert y.shape == (*shape[:2], *output_shape(pool, shape[2:])), where
        assert y.dtype == NUMPY_TYPES[q.y.type], where
        wrong = first_wrong(pool, q, x, y)
        assert wrong is None, f"{where}: y{wrong[0]} is {y[wrong[0]]}, not {wrong[1]}"
        seen.add((q.x.type, q.y.type, pool.op, layout))
    assert refused < CASES / 4, "too few cases compute anything"
    assert CASES < 1000 or len(seen) == len(PAIRS) * 6, "not every pair of types came"


def test_floats_are_pooled_as_floats_and_quantized_then(folder):
    """Of floats whose sums round, the f32 result tells which sum was taken."""
    for case in range(CASES // 10):
        random = np.random.default_rng([SEED, 1, case])
        shape = (2, int(random.integers(1, 40)), *random.integers(6, 12, 2))
        x = (random.standard_normal(shape) * 10.0 ** random.integers(-2, 3)).astype(np.float32)
        pool = random_pool(random, shape[2:])
        pool = replace(pool, pads=(1, 1, 1, 1), auto_pad="notset", kernel=(3, 3))
        layout = str(random.choice(["nchw", "nhwc"]))
        folder.save(as_saved(x, layout))
        real = run(folder, layout, *options_of(pool))
        assert first_wrong_unscaled(pool, "f32", x, real) is None
        y_type = str(random.choice(["u8", "s8"]))
        _, side = random_sides(random, "f32", y_type, shape[1])
        q = Quantization(Side("f32"), side, str(random.choice(ROUNDINGS)))
        words = [*options_of(pool), *words_of(folder, random, q)]
        wrong = first_wrong_of_f32(q, real, run(folder, layout, *words))
        assert wrong is None, f"case {case} of seed {SEED}: {words}, {q}: y{wrong}"


# --- cases that were worked out by hand ----------------------------------------------------------
PAIRWISE = ("--op", "average", "--kernel", "2", "--strides", "2")
STEPS = np.array([[[0, 1, 1, 2, 2, 3, 3, 4]]], np.uint8)


@pytest.mark.parametrize(
    "rounding, y",
    [
        (["--rounding", "half_even"], [1, 3, 3, 5]),
        (["--rounding", "after_zero_point"], [2, 2, 4, 4]),
        (["--rounding", "half_away"], [2, 3, 4, 5]),
        (["--dialect", "onnx"], [1, 3, 3, 5]),
        (["--dialect", "ort"], [2, 2, 4, 4]),
        (["--dialect", "tflite"], [2, 3, 4, 5]),
        (["--dialect", "tflite", "--rounding", "half_even"], [1, 3, 3, 5]),
    ],
)
def test_ties(folder, rounding, y):
    folder.save(STEPS)
    assert folder.run(*PAIRWISE, "--y-zero-point", "1", *rounding).tolist() == [[y]]


@pytest.mark.parametrize(
    "options, y",
    [
        ([], [0, 2, 2, 4]),
        (["--y-type", "f32"], [0.5, 1.5, 2.5, 3.5]),
        (["--y-type", "f32", "--x-scale", "0.5", "--x-zero-point", "2"], [-0.75, -0.25, 0.25, 0.75]),
        (["--y-type", "s8", "--x-zero-point", "255", "--y-scale", "2"], [-127, -127, -126, -126]),
        (["--y-type", "s8", "--y-zero-point", "-128"], [-128, -126, -126, -124]),
        (["--x-scale", "1e12", "--x-zero-point", "2", "--y-scale", "1e-3"], [0, 0, 255, 255]),
        (["--clamp", "1,3"], [1, 2, 2, 3]),
        (["--clamp", "0.5,2.75"], [1, 2, 2, 2]),
        (["--clamp", "-7,2"], [0, 2, 2, 2]),
    ],
)
def test_scales_types_and_clamp(folder, options, y):
    folder.save(STEPS)
    assert folder.run(*PAIRWISE, *options).tolist() == [[y]]


@pytest.mark.parametrize("y_type", ["u8", "s8"])
def test_f32_is_quantized(folder, y_type):
    folder.save(np.array([[[1, 2, np.nan, 0, np.inf, 0, -np.inf, 0]]], np.float32))
    words = [*PAIRWISE, "--y-type", y_type, "--y-scale", "0.25", "--y-zero-point", "5"]
    low, high = LIMITS[y_type]
    assert folder.run(*words).tolist() == [[[11, 5, high, low]]]


def test_empty_windows(folder):
    folder.save(np.full((1, 1, 2), 9, np.uint8))
    words = ["--kernel", "2", "--pads", "2", "--y-zero-point", "7"]
    assert folder.run("--op", "average", *words).tolist() == [[[7, 16, 16, 16, 7]]]
    assert folder.run("--op", "max", *words).tolist() == [[[0, 16, 16, 16, 0]]]
    assert folder.run("--op", "max", *words, "--clamp", "8,15").tolist() == [[[8, 15, 15, 15, 8]]]
    assert folder.run("--op", "min", *words).tolist() == [[[255, 16, 16, 16, 255]]]


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
def test_nothing_but_empty_windows(folder, layout):
    """Two taps, both beside an input of one element."""
    folder.save(as_saved(np.full((1, 2, 1), 9, np.uint8), layout))
    zero_points = save_channels(folder, "zero-points", [7, 11], np.int32)
    words = ["--layout", layout, "--op", "average", "--kernel", "2", "--dilations", "2"]
    words += ["--pads", "1"]
    assert folder.run(*words, "--y-zero-point", "5").ravel().tolist() == [5, 5]
    assert folder.run(*words, "--y-zero-point", zero_points).ravel().tolist() == [7, 11]


def test_each_channel_has_its_own(folder):
    folder.save(np.array([[[10, 20], [10, 20], [10, 20]]], np.uint8))
    scales = save_channels(folder, "scales", [1, 2, 3], np.float32)
    zero_points = save_channels(folder, "zero-points", [0, 10, 20], np.uint8)
    words = ["--op", "average", "--kernel", "2"]
    assert folder.run(*words, "--x-scale", scales).ravel().tolist() == [15, 30, 45]
    assert folder.run(*words, "--y-zero-point", zero_points).ravel().tolist() == [15, 25, 35]
    both = folder.run(*words, "--x-scale", scales, "--x-zero-point", zero_points, "--y-type", "s8")
    assert both.ravel().tolist() == [15, 10, -15]
    other_side = folder.run(*words, "--x-scale", scales, "--y-scale", scales)
    assert other_side.ravel().tolist() == [15, 15, 15]


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("kernel", [(3,), (7,), (3, 3)])
def test_a_channel_of_extreme_scales(folder, layout, kernel):
    """Its ratio is no number of f32; the channel beside it is an ordinary one."""
    ones = (1,) * len(kernel)
    pool = Pool("average", kernel, kernel, ones, (0,) * 2 * len(kernel))
    scales = [tuple(np.array(pair, np.float32).tolist()) for pair in [(0.001, 0.02), (1e-38, 0.03)]]
    q = Quantization(Side("u8", scales[0], (19,)), Side("u8", scales[1], (121,)))
    x = np.random.default_rng(5).integers(0, 60, (1, 2, *(28 * one for one in ones)), np.uint8)
    folder.save(as_saved(x, layout))
    words = ["--x-scale", save_channels(folder, "x-scales", scales[0], np.float32)]
    words += ["--y-scale", save_channels(folder, "y-scales", scales[1], np.float32)]
    words += ["--x-zero-point", "19", "--y-zero-point", "121"]
    wrong = first_wrong(pool, q, x, run(folder, layout, *options_of(pool), *words))
    assert wrong is None, wrong


def test_any_threads_and_target_give_the_same_bytes(folder):
    random = np.random.default_rng(3)
    folder.save(random.integers(0, 256, (2, 21, 33, 37)).astype(np.uint8))
    scales = save_channels(folder, "scales", random.uniform(0.01, 0.03, 21), np.float32)
    words = ["--op", "average", "--kernel", "3", "--pads", "1", "--x-scale", scales]
    words += ["--x-zero-point", "128", "--y-scale", "0.0187", "--y-zero-point", "121"]
    first = folder.run(*words).tobytes()
    for threads in [2, 5]:
        assert folder.run(*words, "--threads", threads).tobytes() == first
    for target in succeed_json("info")["targets_supported"]:
        assert folder.run(*words, "--target", target).tobytes() == first


@pytest.mark.parametrize("shape", [(0, 3, 4, 4), (2, 0, 4, 4)])
def test_nothing(folder, shape):
    folder.save(np.zeros(shape, np.int8))
    scales = save_channels(folder, "scales", np.ones(shape[1]), np.float32)
    y = folder.run("--op", "average", "--kernel", "2", "--x-scale", scales)
    assert y.shape == (*shape[:2], 3, 3) and y.dtype == np.int8


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
