"""Block reduction of arrays with any number of axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._errors import Error
from ._plan import Op, plan_for

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

Edge = Literal["reject", "trim", "partial", "pad"]
Func = str | Callable[..., Any]

# What each function is to the library.
REDUCTIONS: dict[str, tuple[Op, dict[str, Any]]] = {
    "mean": ("average", {}),
    "max": ("max", {}),
    "min": ("min", {}),
    "sum": ("sum", {}),
    "nanmean": ("average", {"nan_rule": "ignore"}),
    "nanmax": ("max", {"nan_rule": "ignore"}),
    "nanmin": ("min", {"nan_rule": "ignore"}),
}
_NUMPY = {getattr(np, name): name for name in REDUCTIONS}
_MOST_SPATIAL = 3


def reduction(func: Func) -> tuple[Op, dict[str, Any]]:
    """Op and options of a reduction, by its name or as NumPy's function."""
    name = func if isinstance(func, str) else _NUMPY.get(func)
    if name not in REDUCTIONS:
        message = f"func is {func!r}; it must be one of {', '.join(REDUCTIONS)}, or numpy's"
        raise Error(message, "OP", "func", None, func)
    return REDUCTIONS[name]


def block_reduce(
    x: ArrayLike,
    block_size: int | Sequence[int],
    func: Func = "mean",
    *,
    edge: Edge = "reject",
    dtype: DTypeLike | None = None,
    out: NDArray[Any] | None = None,
    threads: int = 1,
) -> NDArray[Any]:
    """Reduces each block of x to one element: func is mean, max, min, sum, nanmean, nanmax, nanmin,
    or NumPy's function of that name.

    block_size has an entry for each axis, one number stands for all; up to three are greater than
    1. edge says what becomes of the rest of an axis that is no multiple of its block: "reject"
    raises, "trim" leaves it out, "partial" makes blocks of what there is, "pad" fills up with zeros
    (mean and sum only). dtype is that of the result, x's unless given: means of integers are
    rounded to the nearest, ties to even; u8 and s8 can also become f32."""
    x = np.asarray(x)
    if isinstance(block_size, (int, np.integer)):
        block_size = (int(block_size),) * x.ndim
    block = tuple(block_size)
    if len(block) != x.ndim:
        message = f"block_size has {len(block)} entries; it must have {x.ndim}"
        raise Error(message, "RANK", "block_size", None, len(block), x.ndim)
    op, options = reduction(func)
    shape = _shape(x.shape, block, op, edge)
    result = np.dtype(dtype) if dtype is not None else x.dtype
    if out is None:
        out = np.empty(shape, result)
    elif out.shape != shape:
        message = f"out has shape {out.shape}; it must be {shape}"
        raise Error(message, "DIM", "out", None, out.shape, shape)
    y = out
    if x.dtype == result == np.bool_ and op != "average":  # of which the bytes are 0 and 1
        x, y, result = x.view(np.uint8), y.view(np.uint8), np.dtype(np.uint8)
    if out.size != 0:
        options = options | {"y_dtype": result, "ceil_mode": edge in ("partial", "pad")}
        if edge == "pad":
            options["divisor"] = "full_kernel"
        wide = tuple(axis for axis, factor in enumerate(block) if factor > 1)
        spatial = wide or (x.ndim - 1,)
        kernel = tuple(block[axis] for axis in spatial)
        for part, its_out, layout in jobs(x, y, spatial):
            window = {"kernel_shape": kernel, "strides": kernel, "layout": layout}
            plan_for(op, part, {**options, **window}).run(part, its_out, None, threads)
    return out


@lru_cache(maxsize=256)
def _shape(shape: tuple[int, ...], block: tuple[int, ...], op: str, edge: str) -> tuple[int, ...]:
    """That of the result."""
    if edge not in ("reject", "trim", "partial", "pad"):
        message = f"edge is {edge!r}; it must be one of reject, trim, partial, pad"
        raise Error(message, "POLICY", "edge", None, edge)
    if not shape:
        raise Error("x has no axes", "RANK", "x", None, 0, 1)
    spatial = sum(factor > 1 for factor in block)
    if spatial > _MOST_SPATIAL:
        message = f"block_size has {spatial} entries greater than 1; it can have {_MOST_SPATIAL}"
        raise Error(message, "RANK", "block_size", None, spatial, _MOST_SPATIAL)
    sizes = []
    for axis, (size, factor) in enumerate(zip(shape, block)):
        if factor < 1:
            message = f"block_size[{axis}] is {factor}; it must be at least 1"
            raise Error(message, "KERNEL", "block_size", axis, factor, 1)
        whole, rest = divmod(size, factor)
        if rest and edge == "reject":
            message = (
                f"x has size {size} along axis {axis}; it must be a multiple of {factor}, or edge "
                "must be trim, partial or pad"
            )
            raise Error(message, "DIM", "x", axis, size, factor)
        if rest and edge == "pad" and op not in ("average", "sum"):
            message = "edge is 'pad'; padding with zeros is for mean and sum"
            raise Error(message, "POLICY", "edge", None, edge)
        sizes.append(whole + (1 if rest and edge != "trim" else 0))
    return tuple(sizes)


@lru_cache(maxsize=256)
def _order(axes: int, spatial: tuple[int, ...]) -> tuple[tuple[int, ...], int, int, str]:
    """The axes as batch, channels and spatial, or with the channels last; how many are before and
    how many are missing; the layout."""
    others = [axis for axis in range(axes) if axis not in spatial]
    last = bool(others) and others[-1] > spatial[-1]
    walked, kept = others[:-2], others[-2:]
    inner = [*kept[:-1], *spatial, kept[-1]] if last else [*kept, *spatial]
    return (*walked, *inner), len(walked), 2 - len(kept), "NHWC" if last else "NCHW"


def jobs(x: Any, out: Any, spatial: tuple[int, ...]) -> Iterator[tuple[Any, Any, str]]:
    """Views of x and out with batch, channels and the spatial axes, and their layout: one, unless
    there are more axes than that. Batch and channels are the last others; if the last axis of x is
    one of them, it makes the layout NHWC. Those that are left over are walked."""
    order, walked, missing, layout = _order(x.ndim, spatial)
    x, out = x.transpose(order), out.transpose(order)
    new = (np.newaxis,) * missing
    for at in np.ndindex(x.shape[:walked]) if walked else ((),):
        yield x[(*at, *new)], out[(*at, *new)], layout
