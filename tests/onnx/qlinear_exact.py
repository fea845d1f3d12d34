"""What a QLinear pooling node is in exact arithmetic (docs/semantics.md, sections 1, 2 and 7), by
another way than the library: sums of int64 prefix sums, and one big-integer division per output.
"""

import fractions
import math

import numpy as np


def _axis_pads(attributes, axis, rank, size, kernel, stride):
    auto_pad = attributes.get("auto_pad", "NOTSET")
    if auto_pad in ("NOTSET", "VALID"):
        pads = attributes.get("pads", [0] * (2 * rank)) if auto_pad == "NOTSET" else [0] * 2 * rank
        return pads[axis], pads[axis + rank]
    total = max(0, (math.ceil(size / stride) - 1) * stride + kernel - size)
    small = total // 2
    return (small, total - small) if auto_pad == "SAME_UPPER" else (total - small, small)


def axis_windows(attributes, axis, size):
    """Begins and ends of the windows of one axis, clipped to the input, and the resolved pads."""
    kernel_shape = attributes["kernel_shape"]
    rank, kernel = len(kernel_shape), kernel_shape[axis]
    stride = attributes.get("strides", [1] * rank)[axis]
    begin_pad, end_pad = _axis_pads(attributes, axis, rank, size, kernel, stride)
    span = size + begin_pad + end_pad - kernel
    if attributes.get("auto_pad", "NOTSET").startswith("SAME"):
        count = math.ceil(size / stride)
    elif attributes.get("ceil_mode", 0):
        count = math.ceil(span / stride) + 1
        if (count - 1) * stride >= size + begin_pad:
            count -= 1
    else:
        count = int(span / stride) + 1  # toward 0: ONNX Runtime's oversize kernels
    starts = np.arange(count) * stride - begin_pad
    return np.maximum(starts, 0), np.minimum(starts + kernel, size), (begin_pad, end_pad)


def _window_sums(values, axis, begins, ends):
    prefix = np.insert(np.cumsum(values, axis=axis), 0, 0, axis=axis)
    return np.take(prefix, ends, axis) - np.take(prefix, begins, axis)


def sums_and_divisors(attributes, is_global, x, x_zero_point):
    """A and the divisor of every output, both with the output's shape; x is N, C, spatial axes."""
    sizes = x.shape[2:]
    values = x.astype(np.int64) - x_zero_point
    if is_global:
        axes = tuple(range(2, x.ndim))
        sums = values.sum(axis=axes, keepdims=True)
        return sums, np.full(sums.shape, math.prod(sizes), np.int64)
    divisors = np.ones([1] * x.ndim, np.int64)
    for i, size in enumerate(sizes):
        begins, ends, _ = axis_windows(attributes, i, size)
        values = _window_sums(values, i + 2, begins, ends)
        shape = [1] * x.ndim
        shape[i + 2] = len(begins)
        divisors = divisors * (ends - begins).reshape(shape)
    if attributes.get("count_include_pad", 0):
        divisors[...] = math.prod(attributes["kernel_shape"])  # QLinearAveragePool's rule
    return values, np.broadcast_to(divisors, values.shape)


def ratio_of(quantization):
    """x_scale / y_scale; a Fraction of a float is exact."""
    return fractions.Fraction(quantization.x_scale) / fractions.Fraction(quantization.y_scale)


def _half_even(numerator, denominator):
    floor, rest = divmod(numerator, denominator)
    if 2 * rest == denominator:
        return floor + (floor & 1)
    return floor + (2 * rest > denominator)


def round_exactly(sums, divisors, quantization, after_zero_point, dtype):
    """The correctly rounded outputs of all sums. Ties go to even, of the number before or after
    adding y_zero_point."""
    ratio, zero_point = ratio_of(quantization), quantization.y_zero_point
    info = np.iinfo(dtype)
    before, added = (zero_point, 0) if after_zero_point else (0, zero_point)
    pairs = np.stack([sums.ravel(), divisors.ravel()], axis=1)
    distinct, inverse = np.unique(pairs, axis=0, return_inverse=True)
    rounded = np.empty(len(distinct), np.int64)
    for i, (total, divisor) in enumerate(distinct.tolist()):
        denominator = divisor * ratio.denominator
        v = _half_even(total * ratio.numerator + before * denominator, denominator) + added
        rounded[i] = min(max(v, info.min), info.max)
    return rounded[inverse.ravel()].reshape(sums.shape).astype(dtype)


def is_tie(sums, divisors, quantization):
    """Where the exact quotient lies in the middle between two outputs."""
    ratio = ratio_of(quantization)
    # 2 * quotient is an odd integer: Python's integers, as the products can exceed 64 bits.
    numerators = sums.astype(object) * (2 * ratio.numerator)
    denominators = divisors.astype(object) * ratio.denominator
    return (numerators % denominators == 0) & (numerators // denominators % 2 == 1)


def distance_to_tie(total, divisor, quantization):
    """How far the exact quotient is from the next middle between two outputs, as a Fraction."""
    quotient = int(total) * ratio_of(quantization) / int(divisor)
    return abs(quotient - math.floor(quotient) - fractions.Fraction(1, 2))
