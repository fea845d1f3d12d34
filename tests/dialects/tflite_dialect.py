#!/usr/bin/env python3
"""LANEPOOL_DIALECT_TFLITE against TensorFlow Lite: AVERAGE_POOL_2D and MAX_POOL_2D of f32, int8,
uint8 and int16 with fused activations, in its reference kernels, its optimized ones and XNNPACK.

Averages of f32 run with STRICT_ORDER: the reference kernels add as a plain loop does, so that every
bit must be equal. Whatever differs must be of one of the classes in docs/dialects.md. Without
ai-edge-litert the test says so, and is skipped.

Usage: tflite_dialect.py [--library liblanepool.so] [--jobs N] [--seed S]
"""

import dataclasses
import math
import sys

import numpy as np

import support
from support import lp, pool, random_values

interpreter = support.optional("ai_edge_litert.interpreter", "ai-edge-litert")
import tflite_models  # noqa: E402  pylint: disable=wrong-import-position

RESOLVERS = {
    "reference": interpreter.OpResolverType.BUILTIN_REF,
    "optimized": interpreter.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "XNNPACK": interpreter.OpResolverType.AUTO,
}
OPERATORS = {"AVERAGE_POOL_2D": lp.OP_AVERAGE, "MAX_POOL_2D": lp.OP_MAX}
ACTIVATIONS = {  # real limits
    "NONE": None,
    "RELU": (0.0, math.inf),
    "RELU6": (0.0, 6.0),
    "RELU_N1_TO_1": (-1.0, 1.0),
}


@dataclasses.dataclass
class Pool:
    operator: str
    kernel: list
    strides: list
    padding: str
    activation: str
    scale: float
    zero_point: int


def random_pool(rng, operator, dtype, sizes):
    padding = str(rng.choice(["SAME", "VALID"]))
    kernel = [int(rng.integers(1, (5 if padding == "SAME" else min(5, n)) + 1)) for n in sizes]
    info = np.iinfo(dtype) if dtype != np.float32 else None
    zero_point = 0
    if info and dtype.itemsize == 1:
        zero_point = int(rng.integers(info.min, info.max, endpoint=True))
    return Pool(
        operator=operator,
        kernel=kernel,
        strides=[int(v) for v in rng.integers(1, 4, 2)],
        padding=padding,
        activation=str(rng.choice(list(ACTIVATIONS))),
        scale=float(np.float32(np.exp(rng.uniform(np.log(1e-3), np.log(0.1))))),
        zero_point=zero_point,
    )


def _quantized(real, one, dtype):
    """A real limit in units of y as TensorFlow Lite has it: in f32, rounded half away from zero."""
    info = np.iinfo(dtype)
    if math.isinf(real):
        return info.max if real > 0 else info.min
    units = float(np.float32(real) / np.float32(one.scale))
    rounded = math.floor(abs(units) + 0.5) * (1 if units > 0 else -1)
    return min(max(one.zero_point + rounded, info.min), info.max)


def params_of(library, one, dtype):
    params = library.params(lp.DIALECT_TFLITE)
    params.op = OPERATORS[one.operator]
    params.kernel[:2], params.strides[:2] = one.kernel, one.strides
    same = one.padding == "SAME"
    params.auto_pad = lp.AUTO_PAD_SAME_UPPER if same else lp.AUTO_PAD_VALID
    if dtype == np.float32 and params.op == lp.OP_AVERAGE:
        params.flags |= lp.FLAG_STRICT_ORDER
    if dtype.itemsize == 1:
        params.x_scale = params.y_scale = one.scale
        params.x_zero_point = params.y_zero_point = one.zero_point
    limits = ACTIVATIONS[one.activation]
    if limits:
        if dtype != np.float32:
            limits = [_quantized(limit, one, dtype) for limit in limits]
        params.flags |= lp.FLAG_CLAMP
        params.clamp_low, params.clamp_high = limits
    return params


def run_tflite(content, resolver, x):
    """y of x, both in NCHW; the model is NHWC."""
    runner = interpreter.Interpreter(
        model_content=content, experimental_op_resolver_type=resolver, num_threads=1
    )
    runner.allocate_tensors()
    runner.set_tensor(runner.get_input_details()[0]["index"], np.moveaxis(x, 1, -1))
    runner.invoke()
    return np.moveaxis(runner.get_tensor(runner.get_output_details()[0]["index"]), -1, 1)


def known_reasons(library, one, params, x, ours, theirs, kernels):
    if x.dtype != np.float32:
        return {}
    finite = np.abs(theirs) == np.finfo(np.float32).max
    reasons = {"the largest f32 for infinity": np.isinf(ours) & finite}
    if params.op == lp.OP_MAX:
        params.nan_rule = lp.NAN_IGNORE
        ignoring = pool(library, params, x, channels_last=True)
        skipped = np.isnan(ours) & (support.same(ignoring, theirs) | np.isnan(ignoring))
        return reasons | {"NaN is skipped": skipped}
    averages = pool(library, params_of_magnitude(library, one), np.abs(x))
    error = averages * (math.prod(one.kernel) + 2) * 2.0**-24
    if kernels == "XNNPACK":
        reciprocal = support.rounding_only(ours, theirs, 2, error)
        reasons["adds in pairs, multiplies by 1 / count"] = reciprocal
    return reasons


def params_of_magnitude(library, one):
    """The same average without its activation, of absolute values: what rounding is relative to."""
    return params_of(library, dataclasses.replace(one, activation="NONE"), np.dtype(np.float32))


def compare_job(library, rng, tally, operator, dtype):
    shape = [int(rng.integers(1, 3)), int(rng.choice([1, 2, 3, 8, 17, 40]))]
    shape += [int(v) for v in rng.integers(1, 15, 2)]
    x = random_values(rng, shape, dtype)
    one = random_pool(rng, operator, dtype, shape[2:])
    has_specials = dtype == np.float32 and rng.random() < 0.2
    if has_specials:
        x[rng.random(shape) < 0.2] = np.nan if rng.random() < 0.5 else -np.inf
    params = params_of(library, one, dtype)
    ours = pool(library, params, x, channels_last=True)
    y_shape = [shape[0], *ours.shape[2:], shape[1]]
    content = tflite_models.model_bytes(one, [shape[0], *shape[2:], shape[1]], y_shape, dtype)
    for kernels, resolver in RESOLVERS.items():
        if has_specials and kernels != "reference":
            continue  # open there
        theirs = run_tflite(content, resolver, x)
        reasons = known_reasons(library, one, params, x, ours, theirs, kernels)
        group = f"{operator} {dtype} {kernels}"
        job = support.describe(x, pool=one)
        tally.compare(group, ours, theirs, reasons=reasons, job=job)


def main():
    library, options = support.parse_arguments(__doc__)
    rng = np.random.default_rng(options.seed)
    package = sys.modules["ai_edge_litert"]
    version = getattr(package, "__version__", "of unknown version")
    tally = support.Tally(f"lanepool {library.version}, ai-edge-litert {version}")
    for operator in OPERATORS:
        for dtype in tflite_models.TENSOR_TYPES:
            for _ in range(options.jobs):
                compare_job(library, rng, tally, operator, dtype)
    return tally.finish(least_equal=0.2)


if __name__ == "__main__":
    sys.exit(main())
