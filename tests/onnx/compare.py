"""When a result of the library is the one that the onnx package expects."""

import math

import numpy as np

import lanepool_ctypes as lp


def average_error_bound(case, params):
    """How far two right f32 averages of the case may be apart (docs/semantics.md, section 4)."""
    sizes = params.input if params.flags & lp.FLAG_GLOBAL else params.kernel
    taps = math.prod(sizes[: params.rank])
    u = 2.0**-24
    bound = 2 * taps * u / (1 - taps * u) * float(np.max(np.abs(case.x)))
    # Some cases of the package state inputs and averages with four decimals.
    want = case.outputs[0].astype(np.float64)
    if np.all(np.abs(want - np.round(want, 4)) <= u * np.abs(want)):
        bound += 0.0001
    return bound


def differs(case, params, got):
    """What is wrong with y, or None."""
    want = case.outputs[0]
    if params.op == lp.OP_MAX or got.dtype.kind != "f":
        wrong = got != want
    else:
        error = np.abs(got.astype(np.float64) - want)
        onnx_tolerance = case.atol + case.rtol * np.abs(want)
        bound = np.minimum(onnx_tolerance, average_error_bound(case, params))
        wrong = ~(error <= bound)  # a NaN is wrong
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size} values, first at {at}: {got[at]}, not {want[at]}"
