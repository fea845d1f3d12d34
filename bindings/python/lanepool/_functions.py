"""The pooling functions: a plan for the arguments, which is kept, and its call.

x has the axes N C [D] [H] W, or N [D] [H] W C with layout="NHWC", in any strides that are not
negative. Attributes are named as in ONNX and have its defaults; Options has the rest. out is
written if it is given, and returned. threads is the number of threads that share the work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plan import Ints, Options, plan_for

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray
    from typing_extensions import Unpack

    Array = NDArray[Any]

INDEX_TYPE = np.dtype(np.int64)


def _pool(op: Any, x: Any, out: Any, threads: int, options: Any) -> Any:
    x = np.asarray(x)
    return plan_for(op, x, options).run(x, out, None, threads)


def average_pool(
    x: ArrayLike,
    kernel_shape: Ints,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """The mean of each window, ONNX AveragePool."""
    return _pool("average", x, out, threads, {"kernel_shape": kernel_shape, **options})


def max_pool(
    x: ArrayLike,
    kernel_shape: Ints,
    *,
    return_indices: bool = False,
    index_dtype: DTypeLike = INDEX_TYPE,
    out: Array | None = None,
    indices: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Any:
    """The maximum of each window, ONNX MaxPool; with return_indices also where it was."""
    attributes = {"kernel_shape": kernel_shape, **options}
    return _maxima(x, attributes, return_indices, index_dtype, out, indices, threads)


def _maxima(
    x: Any,
    attributes: Any,
    return_indices: bool,
    index_dtype: Any,
    out: Any,
    indices: Any,
    threads: int,
) -> Any:
    x = np.asarray(x)
    if return_indices:
        attributes["index_dtype"] = index_dtype
    return plan_for("max", x, attributes).run(x, out, indices, threads)


def min_pool(
    x: ArrayLike,
    kernel_shape: Ints,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """The minimum of each window."""
    return _pool("min", x, out, threads, {"kernel_shape": kernel_shape, **options})


def sum_pool(
    x: ArrayLike,
    kernel_shape: Ints,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """The sum of each window."""
    return _pool("sum", x, out, threads, {"kernel_shape": kernel_shape, **options})


def lp_pool(
    x: ArrayLike,
    kernel_shape: Ints,
    p: float = 2,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """(sum of |x|^p)^(1/p) of each window, ONNX LpPool."""
    return _pool("lp", x, out, threads, {"kernel_shape": kernel_shape, "p": p, **options})


def max_unpool(
    x: ArrayLike,
    indices: Array,
    kernel_shape: Ints | None = None,
    *,
    output_size: Ints | None = None,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """Puts each element of x where indices say, zeros elsewhere. With kernel_shape it is ONNX
    MaxUnpool, with output_size alone PyTorch's max_unpool. After an error with threads > 1, parts
    of out may have been written."""
    x = np.asarray(x)
    attributes: dict[str, Any] = {"index_dtype": indices.dtype, **options}
    if kernel_shape is not None:
        attributes["kernel_shape"] = kernel_shape
    if output_size is not None:
        attributes["output_size"] = output_size
    return plan_for("max_unpool", x, attributes).run(x, out, indices, threads)


def global_average_pool(
    x: ArrayLike, *, out: Array | None = None, threads: int = 1, **options: Unpack[Options]
) -> Array:
    """The mean of all positions, ONNX GlobalAveragePool."""
    return _pool("average", x, out, threads, {"global_window": True, **options})


def global_max_pool(
    x: ArrayLike,
    *,
    return_indices: bool = False,
    index_dtype: DTypeLike = INDEX_TYPE,
    out: Array | None = None,
    indices: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Any:
    """The maximum of all positions, ONNX GlobalMaxPool."""
    attributes = {"global_window": True, **options}
    return _maxima(x, attributes, return_indices, index_dtype, out, indices, threads)


def global_lp_pool(
    x: ArrayLike,
    p: float = 2,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """The Lp norm of all positions, ONNX GlobalLpPool."""
    return _pool("lp", x, out, threads, {"global_window": True, "p": p, **options})


def adaptive_average_pool(
    x: ArrayLike,
    output_size: Ints,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """The mean of windows so chosen that y has output_size, as PyTorch's adaptive_avg_pool."""
    attributes = {"adaptive": True, "output_size": output_size, **options}
    return _pool("average", x, out, threads, attributes)


def adaptive_max_pool(
    x: ArrayLike,
    output_size: Ints,
    *,
    return_indices: bool = False,
    index_dtype: DTypeLike = INDEX_TYPE,
    out: Array | None = None,
    indices: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Any:
    """The maximum of windows so chosen that y has output_size, as PyTorch's adaptive_max_pool."""
    attributes = {"adaptive": True, "output_size": output_size, **options}
    return _maxima(x, attributes, return_indices, index_dtype, out, indices, threads)


def qlinear_average_pool(
    x: ArrayLike,
    x_scale: ArrayLike,
    x_zero_point: ArrayLike,
    y_scale: ArrayLike,
    y_zero_point: ArrayLike,
    kernel_shape: Ints,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """com.microsoft QLinearAveragePool of u8 or s8, with ONNX Runtime's rules, but exact. Scales
    and zero points are one number, or one for each channel."""
    quantization = (x_scale, x_zero_point, y_scale, y_zero_point)
    attributes = _quantized(quantization, options)
    attributes["kernel_shape"] = kernel_shape
    if attributes.pop("count_include_pad", False):
        attributes.setdefault("divisor", "full_kernel")
    x = np.asarray(x)
    plan = plan_for("average", x, attributes)
    if "rounding" not in options and not any(plan.pads):
        fields = plan.fields
        if fields["kernel"] == fields["input"]:  # a window that is all of x rounds as a global one
            plan = plan_for("average", x, {**attributes, "rounding": "half_even"})
    return plan.run(x, out, None, threads)


def qlinear_global_average_pool(
    x: ArrayLike,
    x_scale: ArrayLike,
    x_zero_point: ArrayLike,
    y_scale: ArrayLike,
    y_zero_point: ArrayLike,
    *,
    out: Array | None = None,
    threads: int = 1,
    **options: Unpack[Options],
) -> Array:
    """com.microsoft QLinearGlobalAveragePool of u8 or s8."""
    attributes = _quantized((x_scale, x_zero_point, y_scale, y_zero_point), options)
    attributes["global_window"] = True
    attributes.setdefault("rounding", "half_even")
    return _pool("average", x, out, threads, attributes)


def _quantized(quantization: tuple[Any, ...], options: Any) -> dict[str, Any]:
    attributes = {"dialect": "ort", **options}
    for name, value in zip(("x_scale", "x_zero_point", "y_scale", "y_zero_point"), quantization):
        value = np.asarray(value)
        attributes[name] = value.item() if value.ndim == 0 else tuple(value.tolist())
    return attributes
