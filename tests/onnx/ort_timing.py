"""QLinearAveragePool of two usual layers: lanepool and ONNX Runtime side by side, one thread."""

import time

import numpy as np
import onnxruntime

from ort_models import make_session
from qlinear_front_end import WINDOWED, Quantization, plan_from_node
from qlinear_nodes import Node

# Name, N C H W, attributes.
LAYERS = (
    ("192x35x35 3x3/1 p1", (1, 192, 35, 35), {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
    ("128x56x56 2x2/2", (1, 128, 56, 56), {"kernel_shape": [2, 2], "strides": [2, 2]}),
)
QUANTIZATION = Quantization(float(np.float32(0.0173)), 128, float(np.float32(0.0219)), 121)
SAMPLES = 60
CALLS = 20  # of lanepool in one sample: one call is too short for a clock read from Python


def _make_node(rng, shape, attributes, channels_last):
    x = rng.integers(0, 256, shape).astype(np.uint8)
    if channels_last:
        x = np.ascontiguousarray(np.moveaxis(x, 1, -1))
    attributes = attributes | {"channels_last": int(channels_last)}
    return Node(WINDOWED, attributes, x, QUANTIZATION, "near")


def _bind_ort(node, y):
    """A function that runs the node in ONNX Runtime, without copies of x and y."""
    session = make_session([node])
    binding = session.io_binding()
    binding.bind_cpu_input("x0", node.x)
    y_value = onnxruntime.OrtValue.ortvalue_from_numpy(y)
    binding.bind_ortvalue_output("y0", y_value)
    session.run_with_iobinding(binding)
    return lambda: session.run_with_iobinding(binding), y_value


def _seconds(function, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - begin) / calls


def _measure_layer(library, name, node):
    _, desc = plan_from_node(
        library, node.proto(), node.x_type, node.x.shape, node.quantization
    )
    y = np.zeros(node.y_shape(desc), np.uint8)
    run_lanepool = library.bound_run(desc, node.x, y)
    run_ort, ort_y = _bind_ort(node, np.zeros_like(y))
    run_lanepool()
    if np.max(np.abs(y.astype(np.int64) - ort_y.numpy())) > 1:
        raise RuntimeError(f"{name}: the two do not compute the same")
    # Interleaved, so that both see the same disturbances of the machine.
    samples = [(_seconds(run_ort, 1), _seconds(run_lanepool, CALLS)) for _ in range(SAMPLES)]
    ort, lanepool = np.median(samples, axis=0)
    layout = "NHWC" if node.channels_last else "NCHW"
    times = f"ORT {ort * 1e6:8.1f} us   lanepool {lanepool * 1e6:7.1f} us"
    print(f"{name:20} {layout}   {times}   ORT/lanepool {ort / lanepool:6.1f}")
    print(f"{'':20} {library.explain(desc)}")
    return ort / lanepool


def measure(library, seed):
    rng = np.random.default_rng(seed)
    print(f"lanepool {library.version}, ONNX Runtime {onnxruntime.__version__}, one thread each,")
    print(f"u8, medians of {SAMPLES} interleaved samples")
    ratios = [
        _measure_layer(library, name, _make_node(rng, shape, attributes, channels_last))
        for name, shape, attributes in LAYERS
        for channels_last in (False, True)
    ]
    print(f"least ORT/lanepool: {min(ratios):.1f}")
    return 0
