"""The package's cases, all of which are in f32 or u8, in every element type of the library."""

import dataclasses
import math

import ml_dtypes
import numpy as np
import onnx

import lanepool_ctypes as lp
from exact_pool import Windows, rational_means, strided_axis, whole_axis
from node_front_end import OPS, attribute_values, first_version_with, versions
from node_spellings import resolved_pads

FLOATS = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.float16))
FLOATS += (np.dtype(ml_dtypes.bfloat16),)
INTEGERS = tuple(np.dtype(t) for t in (np.uint8, np.int8, np.uint16, np.int16, np.int32))

# What the library has for each op (docs/semantics.md).
TYPES = {
    lp.OP_AVERAGE: FLOATS + INTEGERS[:4],
    lp.OP_MAX: FLOATS + INTEGERS,
    lp.OP_LP: FLOATS,
    lp.OP_MAX_UNPOOL: FLOATS + INTEGERS,
}
# Unit roundoff of the arithmetic; of one rounding to the type, and half its least subnormal.
ARITHMETIC = {8: 2.0**-53}  # by bytes; the others compute in f32
ROUNDOFF = {"float16": (2.0**-11, 2.0**-25), "bfloat16": (2.0**-8, 2.0**-134)}


def windows_of(case):
    """All taps of a case that has windows, placed by the attributes and y's sizes alone."""
    values = attribute_values(case.node)
    if case.node.op_type.startswith("Global"):
        return Windows(case.x, [whole_axis(size) for size in case.input_sizes])
    ones = [1] * case.rank
    strides, dilations = values.get("strides", ones), values.get("dilations", ones)
    pads = resolved_pads(values, case.input_sizes)
    sizes = zip(case.input_sizes, case.outputs[0].shape[2:], values["kernel_shape"])
    axes = [
        strided_axis(*size, strides[i], dilations[i], (pads[i], pads[i + case.rank]))
        for i, size in enumerate(sizes)
    ]
    return Windows(case.x, axes)


def _divisor(case):
    return "counted" if attribute_values(case.node).get("count_include_pad", 0) else "inside"


def _average_bound(windows, divisor, exact, u):
    """docs/semantics.md, section 4."""
    taps = windows.counts("inside")
    error = (taps - 1) * u * windows.absolute_sums() / (divisor * (1 - taps * u))
    return error + u * np.abs(exact) + 2.0**-150


def _norm_bound(windows, p, exact, u):
    """Every tap's power is rounded at most p - 1 times, and their sum once for each tap; the root
    makes these relative errors p times smaller, and adds its own."""
    taps = windows.counts("inside")
    root = 1e-12 if u < 2.0**-24 and p not in (1, 2) else u
    return np.abs(exact) * (1.01 * u * (taps + p - 2) / p + root) + 2.0**-150


def with_exact(case):
    """A float case with what its y is in wide arithmetic, and the bound of the error."""
    op = OPS[case.node.op_type]
    if op not in (lp.OP_AVERAGE, lp.OP_LP):
        return case
    windows = windows_of(case)
    u = ARITHMETIC.get(case.x.itemsize, 2.0**-24)
    if op == lp.OP_AVERAGE:
        exact = windows.averages(_divisor(case))
        bound = _average_bound(windows, windows.counts(_divisor(case)), exact, u)
    else:
        p = attribute_values(case.node).get("p", 2)
        exact = windows.norms(p)
        bound = _norm_bound(windows, p, exact, u)
    if case.x.dtype.name in ROUNDOFF:  # one rounding of a value that is already off by `bound`
        roundoff, tiny = ROUNDOFF[case.x.dtype.name]
        bound = bound + roundoff * (np.abs(exact) + bound) + tiny
    return dataclasses.replace(case, exact=exact, bound=bound)


def _is_exact_in(values, dtype):
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if values.min() < info.min or values.max() > info.max:
            return False
    return bool(np.all(values.astype(dtype).astype(np.float64) == values))


def _mapped(case, dtype):
    """A function from the case's values to dtype that never decreases; it keeps them if it can, and
    their order strictly where Indices depend on it."""
    x = case.x.astype(np.float64)
    if _is_exact_in(x, dtype):
        return lambda values: values.astype(dtype)
    if len(case.outputs) > 1 or case.indices is not None:
        distinct = np.unique(x)
        assert _is_exact_in(np.arange(len(distinct) + 1.0), dtype)
        return lambda values: np.searchsorted(distinct, values).astype(dtype)
    if dtype.kind not in "iu":
        return lambda values: values.astype(dtype)
    info, low, high = np.iinfo(dtype), x.min(), x.max()
    scale = (float(info.max) - info.min) / (high - low if high > low else 1)

    def stretched(values):
        return np.rint((values.astype(np.float64) - low) * scale + info.min).astype(dtype)

    return stretched


def _in_onnx(case, dtype):
    """The first opset at which the operator has this type, or the case's own."""
    element_type = onnx.helper.np_dtype_to_tensor_dtype(dtype)
    since = first_version_with(case.node.op_type, element_type)
    return max(case.opset, since or versions(case.node.op_type)[0])


def in_type(case, dtype):
    """The case in another element type."""
    if case.x.dtype == dtype:
        return with_exact(case)
    mapped = _mapped(case, dtype)
    moved = dataclasses.replace(
        case,
        name=f"{case.name} in {dtype.name}",
        opset=_in_onnx(case, dtype),
        x=mapped(case.x),
        rtol=0,
        atol=math.inf,
    )
    op = OPS[case.node.op_type]
    if op in (lp.OP_MAX, lp.OP_MAX_UNPOOL):
        y = case.outputs[0]
        # What is 0 in the y of MaxUnpool is so because no index points there.
        y = mapped(y) if op == lp.OP_MAX else np.where(y == 0, 0, mapped(y)).astype(dtype)
        return dataclasses.replace(moved, outputs=[y, *case.outputs[1:]])
    if dtype.kind not in "iu":
        moved = with_exact(moved)
        return dataclasses.replace(moved, outputs=[moved.exact.astype(np.float64).astype(dtype)])
    windows = windows_of(moved)
    counts = np.broadcast_to(windows.counts(_divisor(moved)), windows.sums().shape)
    means = rational_means(windows.sums(), counts, "even")
    return dataclasses.replace(moved, outputs=[means.astype(dtype)])


def types_of(case):
    return TYPES[OPS[case.node.op_type]]


def global_lp_cases(cases):
    """GlobalLpPool has no node tests in the package: it is LpPool with a window of the whole input,
    and so are these, on the inputs of the LpPool cases."""
    for case in cases:
        if case.node.op_type == "LpPool":
            p = attribute_values(case.node).get("p", 2)
            node = onnx.helper.make_node("GlobalLpPool", ["x"], ["y"], p=p)
            name = case.name.replace("lppool", "globallppool")
            y = np.zeros(case.x.shape[:2] + (1,) * case.rank, case.x.dtype)
            made = dataclasses.replace(
                case, name=name, node=node, outputs=[y], rtol=0, atol=math.inf
            )
            made = with_exact(made)
            yield dataclasses.replace(made, outputs=[made.exact.astype(case.x.dtype)])
