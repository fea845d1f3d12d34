#!/usr/bin/env python3
"""LANEPOOL_DIALECT_ORT against stock ONNX Runtime: AveragePool, MaxPool with Indices, LpPool, the
global operators and MaxUnpool, in every element type for which it has kernels. (QLinearAveragePool:
tests/onnx/ort_compare.py.)

Averages and Lp run with STRICT_ORDER: windows are added by ONNX Runtime as by a plain loop.
Whatever differs must be of one of the classes in docs/dialects.md.

Usage: ort_dialect.py [--library liblanepool.so] [--jobs N] [--seed S]
"""

import math
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper

import support
from random_windows import less_than_kernel, random_shape, random_window
from support import TYPES, is_float, lp, pool, random_values, rounding_only

OPSET = {"GlobalLpPool": 18}  # it has no kernel for version 22
F32, F64, F16 = (np.dtype(t) for t in (np.float32, np.float64, np.float16))
U8, S8 = np.dtype(np.uint8), np.dtype(np.int8)
# What its maxima begin with: f64, f32, and f32 converted to f16.
LOWEST = (float(np.finfo(F64).min), float(np.finfo(F32).min), -math.inf)


def run_node(op_type, inputs, outputs=1, **attributes):
    """The outputs of one node."""
    names = [f"x{i}" for i in range(len(inputs))]
    y_names = [f"y{i}" for i in range(outputs)]
    y_types = [TYPES[inputs[0].dtype], onnx.TensorProto.INT64]
    node = helper.make_node(op_type, names, y_names, **attributes)
    graph = helper.make_graph(
        [node],
        "pool",
        [helper.make_tensor_value_info(n, TYPES[a.dtype], a.shape) for n, a in zip(names, inputs)],
        [helper.make_tensor_value_info(n, t, None) for n, t in zip(y_names, y_types)],
    )
    opset = helper.make_opsetid("", OPSET.get(op_type, 22))
    model = helper.make_model(graph, opset_imports=[opset], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    results = session.run(None, dict(zip(names, inputs)))
    return results[0] if outputs == 1 else results


def window_attributes(window):
    return {
        "kernel_shape": window.kernel,
        "strides": window.strides,
        "dilations": window.dilations,
        "pads": window.begin + window.end,
        "ceil_mode": int(window.ceil),
    }


class Comparison:
    def __init__(self, library, options):
        self.library, self.jobs = library, options.jobs
        self.rng = np.random.default_rng(options.seed)
        title = f"lanepool {library.version}, ONNX Runtime {onnxruntime.__version__}"
        self.tally = support.Tally(title)

    def params(self, op):
        params = self.library.params(lp.DIALECT_ORT)
        params.op = op
        if op in (lp.OP_AVERAGE, lp.OP_LP):
            params.flags = lp.FLAG_STRICT_ORDER
        return params

    def random_job(self, dtype):
        x = random_values(self.rng, random_shape(self.rng, int(self.rng.integers(1, 4))), dtype)
        window = random_window(self.rng, x.shape[2:], most_pad=less_than_kernel, dilated=True)
        return x, window, bool(self.rng.random() < 0.5)

    def set_window(self, params, x, window):
        """Sets the params, returns the attributes: sometimes with auto_pad, sometimes with a kernel
        beyond the input."""
        attributes = window_attributes(window)
        small = all(s <= k for s, k in zip(window.strides, window.kernel))
        chosen = self.rng.random()
        if chosen < 0.2 and small:  # section 8 of docs/semantics.md, D4 and D5
            name = str(self.rng.choice(["SAME_UPPER", "SAME_LOWER"]))
            window.dilations = [1] * len(window.kernel)
            window.begin = window.end = [0] * len(window.kernel)
            attributes |= {"dilations": window.dilations, "auto_pad": name}
            params.auto_pad = getattr(lp, f"AUTO_PAD_{name}")
            del attributes["pads"]
        elif chosen < 0.3:
            window.kernel, window.dilations = [n + 1 for n in x.shape[2:]], [1] * (x.ndim - 2)
            window.strides = [max(2, s) for s in window.strides]
            window.begin = window.end = [0] * len(window.kernel)
            attributes = window_attributes(window)
        window.set(params)
        return attributes

    def averages(self, dtype):
        for _ in range(self.jobs):
            x, window, channels_last = self.random_job(dtype)
            params = self.params(lp.OP_AVERAGE)
            attributes = self.set_window(params, x, window)
            attributes["count_include_pad"] = params.divisor = int(self.rng.integers(2))
            theirs = run_node("AveragePool", [x], **attributes)
            self.compare_sums("AveragePool", params, x, theirs, channels_last, attributes)

    def compare_sums(self, name, params, x, theirs, channels_last, attributes):
        ours = pool(self.library, params, x, channels_last=channels_last)
        magnitudes = pool(self.library, params, np.abs(x).astype(F64))
        taps = math.prod(attributes.get("kernel_shape", x.shape[2:]))
        error = magnitudes * (taps + 4) * 2.0**-24
        reasons = {"order of additions": rounding_only(ours, theirs, 2, error)}
        job = support.describe(x, **attributes)
        self.tally.compare(f"{name} {x.dtype}", ours, theirs, reasons=reasons, job=job)

    def maxima(self, dtype):
        for _ in range(self.jobs):
            x, window, channels_last = self.random_job(dtype)
            if is_float(dtype) and self.rng.random() < 0.3:
                support.add_specials(self.rng, x, 0.3)
            has_indices = bool(self.rng.random() < 0.6)
            params = self.params(lp.OP_MAX)
            attributes = self.set_window(params, x, window)
            attributes["storage_order"] = int(self.rng.integers(2)) if has_indices else 0
            theirs = run_node("MaxPool", [x], 1 + has_indices, **attributes)
            params.index_type = lp.TYPE_INT64 if has_indices else lp.TYPE_NONE
            params.storage_order = attributes["storage_order"]
            ours = pool(self.library, params, x, channels_last=channels_last)
            job = support.describe(x, **attributes)
            group = f"MaxPool {dtype}{' with Indices' if has_indices else ''}"
            if not has_indices:
                self.compare_maxima(group, params, x, ours, theirs, job)
                continue
            self.compare_with_indices(group, ours, theirs, job)

    def compare_maxima(self, group, params, x, ours, theirs, job):
        reasons = {}
        if is_float(x.dtype):
            params.nan_rule = lp.NAN_IGNORE
            ignoring = pool(self.library, params, x)
            lowest = np.isin(theirs.astype(F64), LOWEST)
            equal = support.same(ignoring, theirs) | lowest
            reasons = {
                "NaN is skipped": np.isnan(ours) & equal,
                "NaN is skipped with taps before it": np.isnan(ours) & (theirs < ignoring),
                "-3.4e38 for -infinity, or for an empty window": np.isneginf(ours) & lowest,
            }
        self.tally.compare(group, ours, theirs, reasons=reasons, job=job)

    def compare_with_indices(self, group, ours, theirs, job):
        nan = np.isnan(ours[0]) if is_float(ours[0].dtype) else np.zeros(ours[0].shape, bool)
        reasons = {
            "NaN, kept only as the first tap": nan,
            "empty window": ours[1] == -1,
        }
        self.tally.compare(group, ours[0], theirs[0], reasons=reasons, job=job)
        self.tally.compare(f"{group}, indices", ours[1], theirs[1], reasons=reasons, job=job)

    def norms(self, dtype):
        for _ in range(self.jobs):
            x, window, channels_last = self.random_job(dtype)
            params = self.params(lp.OP_LP)
            attributes = self.set_window(params, x, window)
            p = attributes["p"] = int(self.rng.integers(1, 5))
            params.lp_order = p
            self.compare_norms("LpPool", params, x, channels_last, attributes)

    def compare_norms(self, name, params, x, channels_last, attributes):
        theirs = run_node(name, [x], **attributes)
        ours = pool(self.library, params, x, channels_last=channels_last)
        taps = math.prod(attributes.get("kernel_shape", x.shape[2:]))
        error = np.abs(ours.astype(F64)) * (taps + 2 * attributes["p"]) * 2.0**-24
        reasons = {"rounding of powers and sums": rounding_only(ours, theirs, 2, error)}
        job = support.describe(x, **attributes)
        self.tally.compare(f"{name} {x.dtype}", ours, theirs, reasons=reasons, job=job)

    def whole(self, dtype):
        """The global operators."""
        for _ in range(self.jobs):
            x, _, channels_last = self.random_job(dtype)
            params = self.params(lp.OP_LP)
            params.flags |= lp.FLAG_GLOBAL
            params.lp_order = int(self.rng.integers(1, 5))
            attributes = {"p": int(params.lp_order)}
            self.compare_norms("GlobalLpPool", params, x, channels_last, attributes)
            params.op = lp.OP_AVERAGE
            theirs = run_node("GlobalAveragePool", [x])
            self.compare_sums("GlobalAveragePool", params, x, theirs, channels_last, {})
            params.op, params.flags = lp.OP_MAX, lp.FLAG_GLOBAL
            theirs = run_node("GlobalMaxPool", [x])
            ours = pool(self.library, params, x, channels_last=channels_last)
            job = support.describe(x)
            self.compare_maxima(f"GlobalMaxPool {dtype}", params, x, ours, theirs, job)

    def unpooling(self, dtype):
        for _ in range(self.jobs):
            x, window, channels_last = self.random_job(dtype)
            window.dilations, window.ceil = [1] * len(window.kernel), False
            rank = len(window.kernel)
            attributes = window_attributes(window)
            del attributes["dilations"], attributes["ceil_mode"]
            padded = zip(x.shape[2:], window.strides, window.kernel, window.begin, window.end)
            sizes = [(n - 1) * s + k - b - e for n, s, k, b, e in padded]
            if min(sizes) < 1:
                continue
            params = self.params(lp.OP_MAX_UNPOOL)
            params.index_type = lp.TYPE_INT64
            inputs = [x]
            if self.rng.random() < 0.5:  # ONNX Runtime counts indices in output_shape
                sizes = [n + int(self.rng.integers(0, 4)) for n in sizes]
                params.output_size[:rank] = sizes
                params.kernel[:rank] = [0] * rank
                shape = [np.array([*x.shape[:2], *sizes])]
            else:
                window.set(params)
                shape = []
            plane = math.prod(sizes)
            index = self.rng.integers(0, plane, x.shape)
            planes = np.arange(math.prod(x.shape[:2])) * plane
            index += planes.reshape([*x.shape[:2]] + [1] * rank)
            theirs = run_node("MaxUnpool", inputs + [index] + shape, **attributes)
            ours = pool(self.library, params, x, channels_last=channels_last, index=index)
            job = support.describe(x, output=sizes, **attributes)
            self.tally.compare(f"MaxUnpool {dtype}", ours, theirs, job=job)


def main():
    library, options = support.parse_arguments(__doc__)
    comparison = Comparison(library, options)
    for dtype in (F32, F16):
        comparison.averages(dtype)
    for dtype in (F32, F64, F16, U8, S8):
        comparison.maxima(dtype)
    for dtype in (F32, F16):
        comparison.norms(dtype)
        comparison.whole(dtype)
        comparison.unpooling(dtype)
    return comparison.tally.finish(least_equal=0.2)


if __name__ == "__main__":
    sys.exit(main())
