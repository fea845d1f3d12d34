"""How often the roundings of an average differ, on random u8 windows: the table of
docs/quantization.md."""

import numpy as np
import onnxruntime

import lanepool_ctypes as lp
from ort_models import run_nodes
from qlinear_exact import is_tie, sums_and_divisors
from qlinear_front_end import GLOBAL, WINDOWED, Quantization, plan_from_node
from qlinear_nodes import Node, random_scales

QUANTIZATIONS = 200
WINDOWS = 500  # of each quantization

# Taps, class of scales, and both zero points, or None for random ones.
ROWS = (
    (4, "equal", None),
    (4, "equal", 0),
    (4, "equal", 127),
    (4, "equal", 128),
    (4, "powers of 2", None),
    (4, "near", None),
    (9, "equal", None),
    (9, "powers of 2", None),
    (9, "near", None),
    (49, "near", None),
    (64, "equal", None),
    (64, "near", None),
)
COLUMNS = (
    "exact ties",
    "ORT windows vs HALF_EVEN",
    "ORT windows vs AFTER_ZERO_POINT",
    "ORT global vs HALF_EVEN",
    "HALF_AWAY vs HALF_EVEN",
)


def _quantization(rng, scale_class, zero_point):
    """Random zero points are such that averages come out in the middle: for equal scales, both are
    the same."""
    x_scale, y_scale = random_scales(rng, scale_class)
    if zero_point is not None:
        return Quantization(x_scale, zero_point, y_scale, zero_point)
    x_zero_point = int(rng.integers(0, 256))
    wanted = 127.5 - x_scale * (127.5 - x_zero_point) / y_scale
    return Quantization(x_scale, x_zero_point, y_scale, int(np.clip(np.rint(wanted), 0, 255)))


def _lanepool(library, node, rounding):
    params, _ = plan_from_node(library, node.proto(), node.x_type, node.x.shape, node.quantization)
    params.rounding = rounding
    desc = library.plan(params)
    y = np.empty(desc.element_count, np.uint8)
    library.run(desc, node.x, y)
    return y


def _nodes(rng, taps, scale_class, zero_point):
    """The same windows as a windowed node and as a global one."""
    quantization = _quantization(rng, scale_class, zero_point)
    x = rng.integers(0, 256, (1, WINDOWS, taps)).astype(np.uint8)
    attributes = {"kernel_shape": [taps], "strides": [taps]}
    windowed = Node(WINDOWED, attributes, x.reshape(1, 1, -1), quantization, scale_class)
    return windowed, Node(GLOBAL, {}, x, quantization, scale_class)


def _counts(library, windowed, whole, ort_windowed, ort_global):
    """The columns for one quantization."""
    sums, divisors = sums_and_divisors({}, True, whole.x, whole.quantization.x_zero_point)
    half_even = _lanepool(library, windowed, lp.ROUND_HALF_EVEN)
    after = _lanepool(library, windowed, lp.ROUND_HALF_EVEN_AFTER_ZERO_POINT)
    away = _lanepool(library, windowed, lp.ROUND_HALF_AWAY)
    columns = (
        is_tie(sums, divisors, whole.quantization),
        ort_windowed.ravel() != half_even,
        ort_windowed.ravel() != after,
        ort_global.ravel() != half_even,
        away != half_even,
    )
    return np.array([np.count_nonzero(column) for column in columns])


def _shares(library, rng, row):
    """The columns of one row, as shares of all outputs."""
    pairs = [_nodes(rng, *row) for _ in range(QUANTIZATIONS)]
    outputs = run_nodes([node for pair in pairs for node in pair])
    counts = [
        _counts(library, *pair, *ys) for pair, ys in zip(pairs, zip(outputs[::2], outputs[1::2]))
    ]
    return np.sum(counts, axis=0) / (QUANTIZATIONS * WINDOWS)


def measure(library, seed):
    rng = np.random.default_rng(seed)
    print(f"lanepool {library.version}, ONNX Runtime {onnxruntime.__version__}, seed {seed},")
    print(f"{QUANTIZATIONS} quantizations of {WINDOWS} windows in each row\n")
    print(f"| taps | scales | zero points | {' | '.join(COLUMNS)} |")
    print("| --- " * (len(COLUMNS) + 3) + "|")
    for row in ROWS:
        taps, scale_class, zero_point = row
        cells = [f"{share:.3%}" if share else "0" for share in _shares(library, rng, row)]
        zero_points = "random" if zero_point is None else zero_point
        print(f"| {taps} | {scale_class} | {zero_points} | {' | '.join(cells)} |")
    return 0
