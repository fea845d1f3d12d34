"""When a result of the library is the one that the onnx package expects."""

import numpy as np

U = 2.0**-24


def _onnx_tolerance(case, want):
    """What the package allows, but no more than two right results may be apart."""
    tolerance = case.atol + case.rtol * np.abs(want)
    # Some cases of the package state inputs and averages with four decimals.
    rounded = np.all(np.abs(want - np.round(want, 4)) <= U * np.abs(want))
    return np.minimum(tolerance, 2 * case.bound + (0.0001 if rounded else 0))


def _wrong(case, got):
    if case.exact is None:
        return got != case.outputs[0]
    values, want = got.astype(np.float64), case.outputs[0].astype(np.float64)
    from_exact = np.abs(values - case.exact)
    from_onnx = np.abs(values - want)
    # `not <=`: a NaN is wrong.
    return ~(from_exact <= case.bound) | ~(from_onnx <= _onnx_tolerance(case, want))


def differs(case, got):
    """What is wrong with y, or None."""
    wrong = _wrong(case, got)
    if not wrong.any():
        return None
    want = case.outputs[0]
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{int(wrong.sum())} of {wrong.size} values, first at {at}: {got[at]}, not {want[at]}"
